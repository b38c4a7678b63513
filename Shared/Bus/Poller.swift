import CZeroMQ

/// Waits for several sockets at the same time.
public struct Poller {
    private var items: [zmq_pollitem_t]
    private let sockets: [Socket]
    /// The sockets that connect to a named host.
    private let travellers: [Socket]
    private let bell: Bell?

    /// Makes a poller of these sockets, in this order. Each must be connected or bound already, or
    /// never connect to a named host.
    ///
    /// - Parameters:
    ///   - sockets: the sockets.
    ///   - bell: another thread may end the wait by ringing it; nil for none.
    public init(_ sockets: [Socket], bell: Bell? = nil) {
        self.sockets = sockets
        self.bell = bell
        travellers = sockets.filter { $0.route != nil }
        items = sockets.map {
            zmq_pollitem_t(socket: $0.handle, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0)
        }
        if let bell {
            items.append(
                zmq_pollitem_t(
                    socket: nil, fd: bell.descriptor, events: Int16(ZMQ_POLLIN), revents: 0))
        }
    }

    /// Waits until a socket is readable or the time is up.
    ///
    /// - Parameter milliseconds: how long to wait at most; a negative number means forever. It may
    ///   return earlier while a host is looked up.
    public mutating func wait(milliseconds: Int) throws(BusError) {
        var milliseconds = milliseconds
        for socket in travellers {
            guard let pause = try socket.followRoute() else { continue }
            let limit = Int(pause / .milliseconds(1))
            milliseconds = milliseconds < 0 ? limit : min(milliseconds, limit)
        }
        if zmq_poll(&items, Int32(items.count), milliseconds) < 0, zmq_errno() != EINTR {
            throw BusError("poll")
        }
        bell?.silence()
    }

    /// True when the last `wait` found this socket readable.
    public func isReadable(_ socket: Socket) -> Bool {
        zip(sockets, items).contains {
            $0 === socket && $1.revents & Int16(ZMQ_POLLIN) != 0
        }
    }

    /// Waits until one socket is readable or the time is up.
    public static func wait(for socket: Socket, milliseconds: Int) throws(BusError) {
        var poller = Poller([socket])
        try poller.wait(milliseconds: milliseconds)
    }
}
