import CZeroMQ

/// How a socket is encrypted: as a server that lets in the peers in the ring, or as a client of
/// one.
enum Security: Sendable {
    /// Binds an endpoint; peers prove their keys to ``Gatekeeper``.
    case server(KeyPair, EndpointKind)
    /// Connects to the server that has this public key.
    case client(KeyPair, server: String)

    func apply(to socket: UnsafeMutableRawPointer) throws(BusError) {
        switch self {
        case .server(let own, let endpoint):
            try Socket.set(socket, ZMQ_CURVE_SERVER, Int32(1))
            try Socket.set(socket, ZMQ_CURVE_SECRETKEY, own.secretKey)
            // The domain tells the gatekeeper which endpoint a peer connects to.
            try Socket.set(socket, ZMQ_ZAP_DOMAIN, endpoint.rawValue)
        case .client(let own, let server):
            try Socket.set(socket, ZMQ_CURVE_SERVERKEY, server)
            try Socket.set(socket, ZMQ_CURVE_PUBLICKEY, own.publicKey)
            try Socket.set(socket, ZMQ_CURVE_SECRETKEY, own.secretKey)
        }
    }
}
