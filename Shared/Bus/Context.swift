import CZeroMQ

/// A ZeroMQ context: the I/O thread that all sockets of a process share.
///
/// Safe to share: `zmq_ctx_t` is documented as thread-safe. Sockets made from it are not, and are
/// not Sendable.
public final class Context: @unchecked Sendable {
    let handle: UnsafeMutableRawPointer

    /// The only context of the process. It is never ended: every socket lingers for 0 ms, so a
    /// process may end at any time.
    public static let shared = Context()

    private init() {
        guard let handle = zmq_ctx_new() else {
            preconditionFailure("ZeroMQ could not make a context: out of memory")
        }
        self.handle = handle
        zmq_ctx_set(handle, ZMQ_MAX_SOCKETS, 4096)
    }
}
