import CZeroMQ
import Messages

/// A ZeroMQ call that failed.
public struct BusError: Error, Hashable, CustomStringConvertible {
    /// What was tried.
    public let call: String
    /// ZeroMQ's error number.
    public let code: Int32

    init(_ call: String) {
        self.call = call
        code = zmq_errno()
    }

    /// What was tried and why it failed.
    public var description: String { "\(call): \(String(cString: zmq_strerror(code)))" }

    /// True when another process has bound the endpoint.
    public var isAddressInUse: Bool { code == EADDRINUSE }
}

/// One ZeroMQ socket. Not Sendable: it belongs to the thread that made it.
public final class Socket {
    /// What a socket does.
    public enum Kind: Sendable {
        /// Answers many clients (ROUTER).
        case router
        /// Talks to one router, many messages in flight (DEALER).
        case dealer
        /// Publishes, and sees subscriptions come and go (XPUB).
        case publisher
        /// Receives what it subscribed to (SUB).
        case subscriber
        /// One end of a conversation inside the process (PAIR).
        case pair

        var type: Int32 {
            switch self {
            case .router: ZMQ_ROUTER
            case .dealer: ZMQ_DEALER
            case .publisher: ZMQ_XPUB
            case .subscriber: ZMQ_SUB
            case .pair: ZMQ_PAIR
            }
        }
    }

    /// What a socket may cost this process.
    public struct Limits: Sendable {
        /// Messages kept for one peer that does not take them; more are dropped.
        public var highWaterMark: Int32
        /// A peer that sends a longer frame is cut off, in bytes.
        public var maximumFrame: Int64

        /// The usual limits: 1,000 messages, frames of 2 MiB.
        public init(highWaterMark: Int32 = 1000, maximumFrame: Int64 = 2 << 20) {
            self.highWaterMark = highWaterMark
            self.maximumFrame = maximumFrame
        }
    }

    let handle: UnsafeMutableRawPointer
    private let context: Context

    /// Makes a socket, encrypted when `security` is given.
    public init(
        _ kind: Kind, in context: Context, limits: Limits = Limits(), security: Security? = nil
    ) throws(BusError) {
        guard let handle = zmq_socket(context.handle, kind.type) else {
            throw BusError("make a socket")
        }
        self.handle = handle
        self.context = context
        try set(ZMQ_LINGER, Int32(0))
        try set(ZMQ_SNDHWM, limits.highWaterMark)
        try set(ZMQ_RCVHWM, limits.highWaterMark)
        try set(ZMQ_MAXMSGSIZE, limits.maximumFrame)
        try set(ZMQ_RECONNECT_IVL, Int32(10))
        try set(ZMQ_RECONNECT_IVL_MAX, Int32(500))
        if kind == .dealer {
            // Queue only for a peer that is there, so that "not running" is known at once.
            try set(ZMQ_IMMEDIATE, Int32(1))
        }
        try security?.apply(to: self)
    }

    deinit { zmq_close(handle) }

    /// Takes an endpoint for itself.
    public func bind(_ endpoint: String) throws(BusError) {
        if zmq_bind(handle, endpoint) != 0 { throw BusError("bind \(endpoint)") }
    }

    /// Connects in the background, and again whenever the connection breaks.
    public func connect(_ endpoint: String) throws(BusError) {
        if zmq_connect(handle, endpoint) != 0 { throw BusError("connect \(endpoint)") }
    }

    /// Subscribes to every topic that begins so.
    public func subscribe(_ prefix: String) throws(BusError) {
        try set(ZMQ_SUBSCRIBE, prefix)
    }

    /// Sends one message of the given frames, without waiting.
    ///
    /// - Returns: false when the peer's queue is full or no one is connected: nothing was sent.
    @discardableResult
    public func send(_ frames: [[UInt8]]) throws(BusError) -> Bool {
        for (index, frame) in frames.enumerated() {
            let last = index == frames.count - 1
            let flags = ZMQ_DONTWAIT | (last ? 0 : ZMQ_SNDMORE)
            while zmq_send(handle, frame, frame.count, flags) < 0 {
                switch zmq_errno() {
                case EINTR: continue
                case EAGAIN, EHOSTUNREACH: return false
                default: throw BusError("send")
                }
            }
        }
        return true
    }

    /// The next message, or nil when none waits. A message of more than four frames comes as its
    /// first four and one empty frame, so that the receiver sees a wrong count.
    public func receive() throws(BusError) -> [Frame]? {
        guard let first = try Frame(from: handle) else { return nil }
        var frames = [first]
        while frames[frames.count - 1].hasMore {
            guard let next = try Frame(from: handle) else { break }
            if frames.count < 5 { frames.append(next) } else { frames[4] = next }
        }
        return frames
    }

    func set(_ option: Int32, _ value: Int32) throws(BusError) {
        var value = value
        if zmq_setsockopt(handle, option, &value, MemoryLayout<Int32>.size) != 0 {
            throw BusError("set socket option \(option)")
        }
    }

    func set(_ option: Int32, _ value: Int64) throws(BusError) {
        var value = value
        if zmq_setsockopt(handle, option, &value, MemoryLayout<Int64>.size) != 0 {
            throw BusError("set socket option \(option)")
        }
    }

    func set(_ option: Int32, _ value: String) throws(BusError) {
        if zmq_setsockopt(handle, option, value, value.utf8.count) != 0 {
            throw BusError("set socket option \(option)")
        }
    }
}

/// One received frame. It owns the memory that ZeroMQ received it in.
public final class Frame {
    private var message = zmq_msg_t()
    let hasMore: Bool

    /// Nil when nothing waits.
    init?(from socket: UnsafeMutableRawPointer) throws(BusError) {
        zmq_msg_init(&message)
        while zmq_msg_recv(&message, socket, ZMQ_DONTWAIT) < 0 {
            let code = zmq_errno()
            if code == EINTR { continue }
            zmq_msg_close(&message)
            hasMore = false
            if code == EAGAIN { return nil }
            throw BusError("receive")
        }
        hasMore = zmq_msg_more(&message) != 0
    }

    deinit { zmq_msg_close(&message) }

    /// How many bytes it has.
    public var count: Int { zmq_msg_size(&message) }

    /// Its bytes, valid only inside `body`, which must not keep the pointer.
    public func withBytes<R, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        // Sound: the frame keeps the message open for the time of the call.
        try body(
            UnsafeRawBufferPointer(start: zmq_msg_data(&message), count: zmq_msg_size(&message)))
    }

    /// A copy of its bytes.
    public var bytes: [UInt8] { withBytes { [UInt8]($0) } }
}
