import CZeroMQ

/// Watches the connections of one socket.
public final class SocketMonitor {
    /// What happened to a connection.
    public enum Event: Sendable, Hashable {
        /// The peer is there and the handshake is done.
        case connected
        /// The peer disconnected.
        case disconnected
        /// No one listens at the endpoint; ZeroMQ will try again.
        case refused
        /// The connection broke before the handshake was done: the peer ended just then, or it has
        /// a different key than expected. ZeroMQ will try again and report ``refused``.
        case brokenOff
        /// The peer does not speak ZeroMQ's protocol. ZeroMQ does not try again.
        case foreign
        /// The peer has denied this process access.
        case denied
    }

    let socket: Socket
    private let watched: Socket

    /// Watches `socket`, which must not have connected yet.
    public init(_ watched: Socket, in context: Context) throws(BusError) {
        let endpoint = "inproc://monitor-\(UInt(bitPattern: watched.handle))"
        let events =
            ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_CONNECT_RETRIED
            | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL
            | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL
        if zmq_socket_monitor(watched.handle, endpoint, events) != 0 {
            throw BusError("watch a socket")
        }
        self.watched = watched
        // No limit: when a queue of events is full, ZeroMQ's own thread blocks, and with it every
        // socket of the process.
        socket = try Socket(.pair, in: context, limits: .init(highWaterMark: 0))
        try socket.connect(endpoint)
    }

    // Stop monitoring before the queue of events is gone: otherwise ZeroMQ's own thread would block
    // forever on an event that nobody reads.
    deinit { zmq_socket_monitor(watched.handle, nil, 0) }

    /// The next event, or nil when none is waiting.
    public func next() throws(BusError) -> Event? {
        while let frames = try socket.receive() {
            guard let first = frames.first, first.count >= 2 else { continue }
            let number = first.withBytes { Int32($0.loadUnaligned(as: UInt16.self)) }
            switch number {
            case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: return .connected
            case ZMQ_EVENT_DISCONNECTED: return .disconnected
            case ZMQ_EVENT_CONNECT_RETRIED: return .refused
            case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL: return .brokenOff
            case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL: return .foreign
            case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH: return .denied
            default: continue
            }
        }
        return nil
    }
}
