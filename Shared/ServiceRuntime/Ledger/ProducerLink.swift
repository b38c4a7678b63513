import Bus

/// The sockets to a producer that is followed. There are none while it has no key to identify it.
final class ProducerLink {
    private(set) var events: Socket?
    private(set) var commands: Socket?
    /// Those of the two sockets that exist.
    var sockets: [Socket] { [events, commands].compactMap(\.self) }
    private var key: String?
    private let producer: ServiceName
    private let connection: Connection
    private let log: Log

    /// Connects to a producer, if it has a key; if not, `renew` does as soon as it has one.
    init(to producer: ServiceName, by connection: Connection, peers: Peers?, log: Log) throws {
        self.producer = producer
        self.connection = connection
        self.log = log
        key = peers?.key(of: producer.rawValue)
        do { try connect() } catch let error as ConfigurationError {
            // Without keys there is nothing to renew. If it is the service's own key that can't be
            // used, its endpoints can't be bound, which ends the start.
            guard peers != nil else { throw error }
            (key, events, commands) = (nil, nil, nil)
            log.write(
                .warning, "producer has no key",
                [.producer: producer.rawValue, .error: error.description])
        }
    }

    private func connect() throws {
        events = try connection.connect(
            .subscriber, to: producer, .events, limits: .init(highWaterMark: 10_000),
            subscribing: [""])
        commands = try connection.connect(.dealer, to: producer, .commands)
    }

    /// Disconnects from a producer whose key was revoked or replaced, and connects with its new
    /// key.
    ///
    /// - Returns: true when the sockets have changed and must be watched again.
    func renew(by peers: Peers) throws -> Bool {
        let present = peers.key(of: producer.rawValue)
        guard present != key else { return false }
        (key, events, commands) = (nil, nil, nil)
        do {
            if present != nil { try connect() }
            key = present
        } catch is ConfigurationError {
            // Changed again in between: the next call notices.
        } catch let error as BusError where error.isShortage {}
        log.write(
            .warning, key == nil ? "producer has no key" : "producer has another key",
            [.producer: producer.rawValue])
        return true
    }
}
