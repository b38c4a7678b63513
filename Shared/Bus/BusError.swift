import CZeroMQ

/// A ZeroMQ call that failed.
public struct BusError: Error, Hashable, CustomStringConvertible {
    /// The operation that failed.
    public let call: String
    /// ZeroMQ's error number.
    public let code: Int32

    init(_ call: String) {
        self.call = call
        code = zmq_errno()
    }

    /// The operation and why it failed.
    public var description: String { "\(call): \(String(cString: zmq_strerror(code)))" }

    /// True when another process has bound the endpoint.
    public var isAddressInUse: Bool { code == EADDRINUSE }

    /// True when descriptors or memory have run out for now: the call may succeed a moment later.
    public var isShortage: Bool { [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(code) }
}
