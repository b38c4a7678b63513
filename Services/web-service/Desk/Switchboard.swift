import Bus
import Messages
import ServiceRuntime

/// Asks the other services: one client of each, shared by all browsers, with many requests in
/// flight. It never waits for a single one of them.
///
/// Not Sendable: it belongs to the thread of ``WebDesk``.
final class Switchboard {
    /// The outcome of a request to a service.
    typealias Outcome<R> = Result<R, ClientError>

    /// How long to wait for an answer.
    static let patience: Duration = .seconds(5)

    /// The log of the service.
    let log: Log
    /// Called with a proof that a service has refused, before those who wait for the answer.
    var refused: (Proof) -> Void = { _ in }
    private let connection: Connection
    private let workerToken: [UInt8]
    private let bell: Bell
    private var clients: [ServiceName: Client] = [:]
    /// The key ring; nil on a bus without keys.
    private var peers: Peers?
    /// The key that each service had when its client was made.
    private var keys: [ServiceName: String] = [:]
    private var waiting: [ServiceName: [MessageID: (Result<Envelope, ClientError>) -> Void]] = [:]
    private var alerts: (socket: Socket, receive: () -> Void)?
    private var poller: Poller

    /// Makes a switchboard without any connection.
    ///
    /// - Parameters:
    ///   - configuration: how to reach the bus.
    ///   - workerToken: proves to this process's own store that one of its threads is asking.
    ///   - bell: ends the wait for answers.
    ///   - log: the log of the service.
    /// - Throws: `ConfigurationError` if the key ring can't be used.
    init(_ configuration: Bus.Configuration, workerToken: [UInt8], bell: Bell, log: Log) throws {
        let connection = Connection(
            process: ServiceName.web.rawValue, configuration: configuration)
        self.connection = connection
        peers = try connection.peers()
        (self.workerToken, self.bell, self.log) = (workerToken, bell, log)
        poller = Poller([], bell: bell)
    }

    /// The time of day, milliseconds since 1970.
    var now: Int64 { WallClock.milliseconds() }

    /// Waits until an answer comes, the bell is rung or the time is reached; then passes the
    /// answers to those who wait for them.
    func wait(until time: ContinuousClock.Instant) throws {
        let due = clients.values.compactMap(\.attention).reduce(time) { min($0, $1) }
        let wait = max(0, Int((due - ContinuousClock.now) / .milliseconds(1)) + 1)
        try poller.wait(milliseconds: wait)
        // This includes services without a pending request, because an answer that comes too late
        // makes a socket readable until it is read.
        for (service, client) in clients {
            for answer in try client.receive(within: .zero) {
                let then = waiting[service]?.removeValue(forKey: answer.id)
                then?(answer.result)
            }
        }
        if let alerts, poller.isReadable(alerts.socket) { alerts.receive() }
    }

    /// Disconnects from each service whose key was revoked or replaced, because a connection is
    /// tied to the key. Runs each second; the next message connects with the present key.
    func renewKeys() {
        guard peers != nil else { return }
        peers?.refresh()
        let outdated = clients.keys.filter { peers?.key(of: $0.rawValue) != keys[$0] }
        guard !outdated.isEmpty else { return }
        for service in outdated {
            log.write(.warning, "service has another key", [.producer: service.rawValue])
            (clients[service], keys[service]) = (nil, nil)
            if service == .notifier { alerts = nil }
            for (id, then) in waiting.removeValue(forKey: service) ?? [:] {
                then(.failure(.noAnswer(service, id)))
            }
        }
        watch()
    }

    /// False if the socket of the notifier's alerts has to be made, for the first time or again.
    var hearsAlerts: Bool { alerts != nil }

    /// Connects to the notifier's alerts.
    ///
    /// - Parameter receive: called when the socket is readable.
    func subscribeToAlerts(_ receive: @escaping () -> Void) throws -> Socket {
        let socket = try connection.connect(.subscriber, to: .notifier, .alerts)
        alerts = (socket, receive)
        watch()
        return socket
    }

    private func watch() {
        let sockets = clients.values.flatMap(\.sockets) + (alerts.map { [$0.socket] } ?? [])
        poller = Poller(sockets, bell: bell)
    }

    // MARK: Asking

    /// Sends a message in someone's name.
    ///
    /// - Parameters:
    ///   - service: the service to ask.
    ///   - message: the command or query.
    ///   - answer: the type of the answer.
    ///   - proof: the token of the person for that service.
    ///   - id: the id of a command, to ask again after no answer.
    ///   - patience: how long to wait for the answer.
    ///   - then: called once with the outcome.
    func ask<R: ProtobufMessage>(
        _ service: ServiceName, _ message: some ProtobufMessage, for answer: R.Type,
        by proof: Proof, id: MessageID? = nil, patience: Duration = patience,
        then: @escaping (Outcome<R>) -> Void
    ) {
        send(
            service, message, for: R.self, token: proof.token, id: id, patience: patience
        ) { [self] (outcome: Outcome<R>) in
            // While its key is on its way, a new token would help no more than this one.
            if case .failure(.refused(let refusal)) = outcome, refusal.code == .badToken,
                !refusal.isBecause(.keyAwaited)
            {
                refused(proof)
            }
            then(outcome)
        }
    }

    /// Sends account-service a message from someone who isn't logged in.
    func askAsStranger<R: ProtobufMessage>(
        _ message: some SentByStrangers, for _: R.Type, id: MessageID? = nil,
        then: @escaping (Outcome<R>) -> Void
    ) {
        send(.account, message, for: R.self, token: [], id: id, then: then)
    }

    /// Asks the store of this service.
    func askStore<R: ProtobufMessage>(
        _ message: some ProtobufMessage, for _: R.Type, then: @escaping (Outcome<R>) -> Void
    ) {
        send(.web, message, for: R.self, token: workerToken, id: nil, then: then)
    }

    /// The only place that sends messages. It is private: what is sent has a ``Proof``, is
    /// ``SentByStrangers``, or goes to this process's own store.
    private func send<R: ProtobufMessage>(
        _ service: ServiceName, _ message: some ProtobufMessage, for _: R.Type, token: [UInt8],
        id: MessageID?, patience: Duration = patience, then: @escaping (Outcome<R>) -> Void
    ) {
        // A command was sent again before it was answered: the first sender gets the answer.
        if let id, waiting[service]?[id] != nil { return then(.failure(.noAnswer(service, id))) }
        do {
            let client = try client(of: service)
            client.token = token
            defer { client.token = [] }
            let sent = try client.send(message, id: id, deadline: patience)
            waiting[service, default: [:]][sent] = { result in
                then(result.flatMap(Self.unpacked))
            }
        } catch let error as ClientError {
            then(.failure(error))
        } catch {
            log.write(.error, "not sent", [.error: "\(error)"])
            then(.failure(.denied(service)))
        }
    }

    private static func unpacked<R: ProtobufMessage>(_ reply: Envelope) -> Outcome<R> {
        do { return .success(try Client.unpack(reply, as: R.self)) } catch {
            return .failure(error as? ClientError ?? .unexpected(type: reply.type))
        }
    }

    private func client(of service: ServiceName) throws -> Client {
        if let client = clients[service] { return client }
        let client = try Client(connection, to: service)
        clients[service] = client
        keys[service] = peers?.key(of: service.rawValue)
        watch()
        return client
    }
}
