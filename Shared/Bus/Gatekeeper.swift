import Foundation

/// Answers ZeroMQ's question whether a peer with a certain key may connect (ZAP, RFC 27): only keys
/// in the ring may, each at the endpoints of its role. It runs on its own thread for the life of
/// the process.
enum Gatekeeper {
    /// Starts answering. Call it once, before an encrypted socket is bound.
    static func start(_ peers: Peers, in context: Context) throws(BusError) {
        let socket = try Socket(.router, in: context)
        try socket.bind(address)
        let desk = Desk(socket: socket)
        Thread.detachNewThread { desk.run(peers) }
    }

    private static let address = "inproc://zeromq.zap.01"

    /// True when a gatekeeper is running. Without one, ZeroMQ lets everyone in.
    static func isOnDuty(in context: Context) throws(BusError) -> Bool {
        let probe = try Socket(.pair, in: context)
        do throws(BusError) {
            try probe.bind(address)
            return false
        } catch {
            guard error.isAddressInUse else { throw error }
            return true
        }
    }

    /// Safe to hand to the thread: nothing else keeps the socket, and starting a `Thread` is a
    /// memory barrier, which is all ZeroMQ requires of a socket that moves between threads.
    private struct Desk: @unchecked Sendable {
        let socket: Socket

        func run(_ peers: Peers) {
            var peers = peers
            while true {
                do {
                    try Poller.wait(for: socket, milliseconds: -1)
                    while let request = try receiveAll() {
                        // At each handshake, so that keys may come and go while services run.
                        peers.refresh()
                        try answer(request, peers)
                    }
                } catch {
                    return  // The context is gone, and with it the process.
                }
            }
        }

        /// Receives a whole ZAP request, which has more frames than any message of ours.
        private func receiveAll() throws(BusError) -> [[UInt8]]? {
            guard let first = try Frame(from: socket.handle) else { return nil }
            var frames = [first.bytes]
            var more = first.hasMore
            while more, let next = try Frame(from: socket.handle) {
                frames.append(next.bytes)
                more = next.hasMore
            }
            return frames
        }

        /// Answers a request: identity, empty, version, request id, domain, address, identity,
        /// mechanism, key.
        private func answer(_ request: [[UInt8]], _ peers: Peers) throws(BusError) {
            guard request.count >= 8 else { return }
            let peer = admitted(request, peers)
            try socket.send([
                request[0], [], Array("1.0".utf8), request[3],
                Array((peer == nil ? "400" : "200").utf8), Array((peer == nil ? "no" : "OK").utf8),
                Array((peer?.userID ?? "").utf8), [],
            ])
        }

        /// The peer that connects, if its role may use the endpoint; otherwise nil.
        private func admitted(_ request: [[UInt8]], _ peers: Peers) -> Peer? {
            guard request.count == 9, request[7] == Array("CURVE".utf8),
                let key = KeyPair.text(of: request[8]), let peer = peers.peer(of: key),
                let endpoint = EndpointKind(rawValue: String(decoding: request[4], as: UTF8.self)),
                endpoint.roles.contains(peer.role)
            else { return nil }
            return peer
        }
    }
}

extension EndpointKind {
    /// The roles that are let in when the bus is encrypted.
    var roles: Set<KeyRing.Role> {
        switch self {
        case .commands: [.service, .gateway]
        case .events: [.service]
        case .alerts: [.service, .gateway, .display]
        }
    }
}
