import Messages

/// How a process reaches the others: the addresses, and its keys when the bus is encrypted.
public struct Connection: Sendable {
    /// The name of this process on the bus, e.g. `steward`.
    public let process: String
    /// The address of the endpoints.
    public let address: BusAddress
    private let keys: KeyRing?

    /// True when everyone who connects has to prove a key.
    public var isGuarded: Bool { keys != nil }

    /// Makes the connection that the configuration describes.
    public init(process: String, configuration: Configuration) {
        self.process = process
        address = configuration.bus
        keys = configuration.keysDirectory.map(KeyRing.init)
    }

    /// A client's socket, connected to an endpoint of a service.
    public func connect(
        _ kind: Socket.Kind, to service: ServiceName, _ endpoint: EndpointKind,
        limits: Socket.Limits = .init(), subscribing prefixes: [String] = []
    ) throws -> Socket {
        let socket = try make(kind, toward: service, limits: limits)
        for prefix in prefixes { try socket.subscribe(prefix) }
        try socket.connect(address.connecting(service, endpoint))
        return socket
    }

    /// A client's socket toward a service, not connected yet.
    func make(
        _ kind: Socket.Kind, toward service: ServiceName, limits: Socket.Limits = .init()
    ) throws -> Socket {
        let security = try keys.map {
            Security.client(
                try $0.pair(of: process), server: try $0.publicKey(of: service.rawValue))
        }
        return try Socket(kind, in: .shared, limits: limits, security: security)
    }

    /// A service's own socket, bound to one of its endpoints.
    public func bind(
        _ kind: Socket.Kind, as service: ServiceName, _ endpoint: EndpointKind,
        limits: Socket.Limits = .init()
    ) throws -> Socket {
        if keys != nil {
            let isGuarded = try Gatekeeper.isOnDuty(in: .shared)
            precondition(
                isGuarded,
                "guardEndpoints comes before bind: without it everyone would be let in")
        }
        let security = try keys.map { Security.server(try $0.pair(of: process), endpoint) }
        let socket = try Socket(kind, in: .shared, limits: limits, security: security)
        try socket.bind(address.binding(service, endpoint))
        return socket
    }

    /// Starts to let in the peers in the key ring, and nobody else. Call it once, before `bind`;
    /// without keys it does nothing.
    public func guardEndpoints() throws {
        guard let keys else { return }
        try Gatekeeper.start(Peers(keys), in: .shared)
    }

    /// The peers in the key ring; nil without keys.
    public func peers() throws -> Peers? { try keys.map { try Peers($0) } }
}
