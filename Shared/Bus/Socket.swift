import CZeroMQ
import Messages

/// One ZeroMQ socket. Not Sendable: it belongs to the thread that made it.
public final class Socket {
    /// What a socket does.
    public enum Kind: Sendable {
        /// Answers many clients (ROUTER).
        case router
        /// Sends to one router, with many messages in flight (DEALER).
        case dealer
        /// Publishes, and receives subscriptions and unsubscriptions (XPUB).
        case publisher
        /// Publishes to peers whose subscription it has granted (XPUB, manual).
        case grantingPublisher
        /// Receives what it subscribed to (SUB).
        case subscriber
        /// One end of a conversation inside the process (PAIR).
        case pair

        var type: Int32 {
            switch self {
            case .router: ZMQ_ROUTER
            case .dealer: ZMQ_DEALER
            case .publisher, .grantingPublisher: ZMQ_XPUB
            case .subscriber: ZMQ_SUB
            case .pair: ZMQ_PAIR
            }
        }
    }

    /// How much of this process's resources a socket may use.
    public struct Limits: Sendable {
        /// The maximum number of messages queued for a peer that does not read them; more are
        /// dropped.
        public var highWaterMark: Int32
        /// The maximum number of unread messages from one peer; beyond it, nothing more is read
        /// from its connection.
        public var unread: Int32
        /// The maximum size of a frame in bytes; a peer that sends a longer one is disconnected.
        public var maximumFrame: Int64

        /// The usual limits: 1,000 messages, frames of 2 MiB.
        public init(
            highWaterMark: Int32 = 1000, unread: Int32? = nil, maximumFrame: Int64 = 2 << 20
        ) {
            self.highWaterMark = highWaterMark
            self.unread = unread ?? highWaterMark
            self.maximumFrame = maximumFrame
        }
    }

    /// How long a peer may take for the handshake before it is disconnected, in milliseconds.
    static let handshakePatience: Int32 = 10_000
    /// The maximum number of connections that wait to be accepted.
    static let longestBacklog: Int32 = 1024
    /// How long to wait for a host before trying it again, in milliseconds. The system itself waits
    /// two minutes and retries ever more rarely.
    static let connectPatience: Int32 = 3000

    private(set) var handle: UnsafeMutableRawPointer
    private let context: Context
    private let kind: Kind
    private let limits: Limits
    private let security: Security?
    private var bound: String?
    /// The way to the host when the endpoint names one.
    private(set) var route: Route?
    /// True when a gatekeeper asks every peer for a key.
    private let isGuarded: Bool

    /// Makes a socket.
    public convenience init(
        _ kind: Kind, in context: Context, limits: Limits = Limits()
    ) throws(BusError) {
        try self.init(kind, in: context, limits: limits, security: nil)
    }

    /// Makes a socket, encrypted when `security` is given.
    init(_ kind: Kind, in context: Context, limits: Limits, security: Security?) throws(BusError) {
        self.context = context
        self.kind = kind
        self.limits = limits
        self.security = security
        if case .server = security { isGuarded = true } else { isGuarded = false }
        handle = try Self.open(kind, in: context, limits: limits, security: security)
    }

    deinit { zmq_close(handle) }

    private static func open(
        _ kind: Kind, in context: Context, limits: Limits, security: Security?
    ) throws(BusError) -> UnsafeMutableRawPointer {
        guard let handle = zmq_socket(context.handle, kind.type) else {
            throw BusError("make a socket")
        }
        do throws(BusError) {
            try set(handle, ZMQ_LINGER, Int32(0))
            try set(handle, ZMQ_SNDHWM, limits.highWaterMark)
            try set(handle, ZMQ_RCVHWM, limits.unread)
            try set(handle, ZMQ_MAXMSGSIZE, limits.maximumFrame)
            try set(handle, ZMQ_RECONNECT_IVL, Int32(10))
            try set(handle, ZMQ_RECONNECT_IVL_MAX, Int32(500))
            try set(handle, ZMQ_CONNECT_TIMEOUT, connectPatience)
            try set(handle, ZMQ_BACKLOG, longestBacklog)
            try set(handle, ZMQ_HANDSHAKE_IVL, handshakePatience)
            if kind == .dealer {
                // Queue only for a connected peer, so that "not running" is known immediately.
                try set(handle, ZMQ_IMMEDIATE, Int32(1))
            }
            // Report each subscription, not only the first one to a topic.
            if kind == .publisher { try set(handle, ZMQ_XPUB_VERBOSE, Int32(1)) }
            if kind == .grantingPublisher { try set(handle, ZMQ_XPUB_MANUAL, Int32(1)) }
            try security?.apply(to: handle)
        } catch {
            zmq_close(handle)
            throw error
        }
        return handle
    }

    /// Binds an endpoint.
    public func bind(_ endpoint: String) throws(BusError) {
        if zmq_bind(handle, endpoint) != 0 { throw BusError("bind \(endpoint)") }
        bound = endpoint
    }

    /// Disconnects every peer and binds the same endpoint again: honest peers reconnect by
    /// themselves and prove their keys again. A ``Poller`` of this socket must be made again.
    ///
    /// Only for `tcp`: closing the old socket would remove the file of an `ipc` endpoint.
    public func reopen() throws(BusError) {
        let fresh = try Self.open(kind, in: context, limits: limits, security: security)
        zmq_close(handle)
        handle = fresh
        guard let bound else { return }
        // Another thread closes the old socket, which keeps the endpoint and the descriptors of its
        // connections until then.
        for _ in 0..<500 {
            if zmq_bind(handle, bound) == 0 { return }
            guard [EADDRINUSE, EMFILE, ENFILE].contains(zmq_errno()) else { break }
            zmq_poll(nil, 0, 10)
        }
        throw BusError("bind \(bound)")
    }

    /// Connects in the background, and again whenever the connection breaks. A socket whose
    /// endpoint names a host connects once the host was found and a ``Poller`` of the socket waits.
    public func connect(_ endpoint: String) throws(BusError) {
        guard let route = Route(endpoint) else {
            if zmq_connect(handle, endpoint) != 0 { throw BusError("connect \(endpoint)") }
            return
        }
        self.route = route
        Resolver.shared.lookUp(route.host)
        try followRoute()
    }

    /// True when the host that it connects to could not be found.
    var leadsNowhere: Bool {
        guard let route, route.address == nil else { return false }
        return Resolver.shared.finding(of: route.host) == .unknown
    }

    /// Looks the host up again. Call it when the connection is broken or silent: the host may have
    /// moved.
    public func renewRoute() {
        if let route { Resolver.shared.lookUp(route.host) }
    }

    /// Reconnects to the current address of the host if it has changed.
    ///
    /// - Returns: how soon to call this again at the latest; nil if there is no need.
    @discardableResult
    func followRoute() throws(BusError) -> Duration? {
        guard var route else { return nil }
        let now = ContinuousClock.now
        if now - route.refreshed > (route.address == nil ? .seconds(1) : Route.refreshInterval) {
            route.refreshed = now
            self.route = route
            Resolver.shared.lookUp(route.host, at: now)
        }
        let findings = Resolver.shared.findings
        if findings != route.seen {
            route.seen = findings
            if case .found(let addresses) = Resolver.shared.finding(of: route.host),
                !addresses.contains(where: { $0 == route.address })
            {
                if let old = route.address { zmq_disconnect(handle, route.endpoint(at: old)) }
                let endpoint = route.endpoint(at: addresses[0])
                if zmq_connect(handle, endpoint) != 0 { throw BusError("connect \(endpoint)") }
                route.address = addresses[0]
            }
            self.route = route
        }
        guard route.address == nil else { return nil }
        // Most names are found in a moment; others take a while.
        return now - route.refreshed < .milliseconds(500) ? .milliseconds(10) : .milliseconds(250)
    }

    /// Subscribes to every topic that begins with `prefix`.
    public func subscribe(_ prefix: String) throws(BusError) {
        try Self.set(handle, ZMQ_SUBSCRIBE, prefix)
    }

    /// Ends a subscription. A prefix that was subscribed twice has to be ended twice.
    public func unsubscribe(_ prefix: String) throws(BusError) {
        try Self.set(handle, ZMQ_UNSUBSCRIBE, prefix)
    }

    /// Sends one message of the given frames, without waiting.
    ///
    /// - Returns: false when the peer's queue is full or nobody is connected; nothing was sent.
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
            traffic += frame.count
        }
        return true
    }

    /// Sends the first of several frames.
    ///
    /// - Returns: false when there is no room for it.
    func sendFirst(_ frame: [UInt8]) throws(BusError) -> Bool {
        while zmq_send(handle, frame, frame.count, ZMQ_DONTWAIT | ZMQ_SNDMORE) < 0 {
            switch zmq_errno() {
            case EINTR: continue
            case EAGAIN, EHOSTUNREACH: return false
            default: throw BusError("send")
            }
        }
        return true
    }

    /// How many bytes of messages were sent and received, without what ZeroMQ, TCP and encryption
    /// add: about 70 bytes for each message.
    public private(set) var traffic = 0

    /// The next message, or nil when none is waiting. Of a message of more than four frames, the
    /// first four are returned and one empty frame, so that the receiver sees a wrong count.
    public func receive() throws(BusError) -> [Frame]? {
        guard let first = try Frame(from: handle, isGuarded: isGuarded) else { return nil }
        var frames = [first]
        defer { traffic += frames.reduce(0) { $0 + $1.count } }
        while frames[frames.count - 1].hasMore {
            guard let next = try Frame(from: handle, isGuarded: isGuarded) else { break }
            if frames.count < 5 { frames.append(next) } else { frames[4] = next }
        }
        return frames
    }
}

/// One received frame. It owns the memory that ZeroMQ received it in.
public final class Frame {
    private var message = zmq_msg_t()
    private let isGuarded: Bool
    let hasMore: Bool

    /// Receives a frame; nil when none is waiting.
    ///
    /// - Parameters:
    ///   - socket: the ZeroMQ socket.
    ///   - isGuarded: whether a gatekeeper has verified the connection's key. Without one, a peer
    ///     may claim anything.
    init?(from socket: UnsafeMutableRawPointer, isGuarded: Bool = false) throws(BusError) {
        self.isGuarded = isGuarded
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

    /// The number of bytes.
    public var count: Int { zmq_msg_size(&message) }

    /// The owner of the key that the frame came with; nil when keys are not required. It may also
    /// be nil for the first frame at a router, which ZeroMQ makes itself.
    public var peer: Peer? {
        guard isGuarded, let userID = zmq_msg_gets(&message, "User-Id") else {
            return nil
        }
        return Peer(userID: String(cString: userID))
    }

    /// Passes its bytes to `body`, which must not keep the pointer.
    public func withBytes<R, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        // Safe: the frame keeps the message open during the call.
        try body(
            UnsafeRawBufferPointer(start: zmq_msg_data(&message), count: zmq_msg_size(&message)))
    }

    /// A copy of its bytes.
    public var bytes: [UInt8] { withBytes { [UInt8]($0) } }
}
