import CZeroMQ
import Messages

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
        /// Publishes to those whose subscription it has granted (XPUB, manual).
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

    /// What a socket may cost this process.
    public struct Limits: Sendable {
        /// Messages kept for one peer that does not take them; more are dropped.
        public var highWaterMark: Int32
        /// Messages of one peer that are kept until they are read; then no more are taken from its
        /// connection.
        public var unread: Int32
        /// A peer that sends a longer frame is cut off, in bytes.
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

    /// How long a peer has to say who it is before it is cut off: milliseconds.
    static let handshakePatience: Int32 = 10_000
    /// How many connections may wait to be accepted.
    static let longestBacklog: Int32 = 1024
    /// How long to wait for a host before trying it again: milliseconds. The system's own
    /// patience is two minutes, in which it asks ever more rarely.
    static let connectPatience: Int32 = 3000

    private(set) var handle: UnsafeMutableRawPointer
    private let context: Context
    private let kind: Kind
    private let limits: Limits
    private let security: Security?
    private var bound: String?
    /// How it gets to a host that has a name.
    private(set) var route: Route?
    /// True when a gatekeeper asks everyone who comes for a key.
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
                // Queue only for a peer that is there, so that "not running" is known at once.
                try set(handle, ZMQ_IMMEDIATE, Int32(1))
            }
            if kind == .grantingPublisher { try set(handle, ZMQ_XPUB_MANUAL, Int32(1)) }
            try security?.apply(to: handle)
        } catch {
            zmq_close(handle)
            throw error
        }
        return handle
    }

    /// Takes an endpoint for itself.
    public func bind(_ endpoint: String) throws(BusError) {
        if zmq_bind(handle, endpoint) != 0 { throw BusError("bind \(endpoint)") }
        bound = endpoint
    }

    /// Cuts off every peer and takes the same endpoint anew: honest peers come back by themselves
    /// and prove their keys again. A ``Poller`` of this socket must be made anew.
    ///
    /// Only for `tcp`: the file of an `ipc` endpoint would be taken away when the old socket ends.
    public func reopen() throws(BusError) {
        let fresh = try Self.open(kind, in: context, limits: limits, security: security)
        zmq_close(handle)
        handle = fresh
        guard let bound else { return }
        // The old socket is closed by another thread, and holds the endpoint and the descriptors of
        // its connections until then.
        for _ in 0..<500 {
            if zmq_bind(handle, bound) == 0 { return }
            guard [EADDRINUSE, EMFILE, ENFILE].contains(zmq_errno()) else { break }
            zmq_poll(nil, 0, 10)
        }
        throw BusError("bind \(bound)")
    }

    /// Connects in the background, and again whenever the connection breaks. A socket whose
    /// endpoint names a host connects when a ``Poller`` that has it waits and the host was found.
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

    /// Looks the host up again: its connection is broken or silent, so it may have moved.
    public func renewRoute() {
        if let route { Resolver.shared.lookUp(route.host) }
    }

    /// Goes on to the present address of the host, when that is another one than before.
    ///
    /// - Returns: how soon this should be called again at the latest; nil without need.
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
        // A name that is known is found in a moment; one that is not takes a while.
        return now - route.refreshed < .milliseconds(500) ? .milliseconds(10) : .milliseconds(250)
    }

    /// Subscribes to every topic that begins so.
    public func subscribe(_ prefix: String) throws(BusError) {
        try Self.set(handle, ZMQ_SUBSCRIBE, prefix)
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

    /// Sends the first frame of several.
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

    /// The next message, or nil when none waits. A message of more than four frames comes as its
    /// first four and one empty frame, so that the receiver sees a wrong count.
    public func receive() throws(BusError) -> [Frame]? {
        guard let first = try Frame(from: handle, isGuarded: isGuarded) else { return nil }
        var frames = [first]
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

    /// Nil when nothing waits.
    ///
    /// - Parameter isGuarded: a gatekeeper has said whose key the connection has. Where none does,
    ///   a peer may claim whatever it likes.
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

    /// How many bytes it has.
    public var count: Int { zmq_msg_size(&message) }

    /// Whose key it came with; nil where no key is asked for. The first frame at a router, which
    /// ZeroMQ makes itself, may have none.
    public var peer: Peer? {
        guard isGuarded, let userID = zmq_msg_gets(&message, "User-Id") else {
            return nil
        }
        return Peer(userID: String(cString: userID))
    }

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
