import Bus
import Foundation
import GRDB
import Messages

/// Everything that one message may do: read and write the store, publish, set timers, begin work.
/// All of it happens, or nothing.
public struct Transaction {
    /// The store.
    public let db: Database
    /// The time of this transaction: milliseconds since 1970. The only clock a handler knows.
    public let now: Int64
    /// Who asks.
    public let principal: Principal
    /// The id of the message: of the command, of the event, or fresh for a timer. A handler that
    /// makes an entity gives it this id.
    public let id: MessageID
    /// Where the service may keep files of its own beside the store.
    public var dataDirectory: String { turn.dataDirectory }
    /// The settings of single services, by the names of their variables.
    public var settings: [String: String] { turn.settings }
    /// True when others than the owner of the machine account may reach the bus: then what a
    /// subscriber receives is guarded by more than the directory of the sockets.
    public var isBusShared: Bool { turn.isBusShared }
    let correlation: MessageID
    let turn: Turn

    /// Appends an event to the outbox. It leaves the process after the commit.
    ///
    /// - Parameter subject: id of the entity that it is about.
    public func publish(_ event: some ProtobufMessage, subject: String) throws {
        try turn.publish(event, subject: subject, cause: self)
    }

    /// Sends a message on the service's alert endpoint after the commit. It is not kept: a
    /// subscriber that misses it asks for it.
    public func deliver(_ message: some ProtobufMessage, topic: String) throws {
        try turn.deliver(message, topic: topic, cause: self)
    }

    /// Sets a timer, or sets it anew. It fires at the first turn at or after `due`, also when the
    /// service was down then.
    ///
    /// - Parameters:
    ///   - kind: which of the service's timer handlers.
    ///   - subject: id of the entity that it is about; one timer of a kind for each.
    ///   - due: milliseconds since 1970.
    public func setTimer(_ kind: String, subject: String, due: Int64) throws {
        try turn.timers.set(kind, subject, due, db)
    }

    /// Takes a timer back; nothing happens when it is not set.
    public func cancelTimer(_ kind: String, subject: String) throws {
        try turn.timers.cancel(kind, subject, db)
    }

    /// Does something outside the store once the commit is done, e.g. deletes a file that nothing
    /// names any more. It may be lost by a crash, so it must be done again at the next start.
    public func afterCommit(_ action: @escaping () -> Void) { turn.afterCommit.append(action) }

    /// The ids of the jobs that have not ended, as text.
    public func jobsUnderWay() throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT id FROM job WHERE state IN (?, ?)",
            arguments: [Job.State.queued.rawValue, Job.State.running.rawValue])
    }

    /// A fresh id, in the order of time.
    public func makeID() -> MessageID { turn.ids.next(at: now) }
}

/// What a turn of the loop has gathered: it leaves the process after the commit.
final class Turn {
    let service: ServiceName
    let ledger: Ledger
    let timers: Timers
    let dataDirectory: String
    let isBusShared: Bool
    let settings: [String: String]
    var ids = MessageID.Generator()
    private(set) var events: [(topic: String, envelope: [UInt8])] = []
    private(set) var deliveries: [(topic: String, envelope: [UInt8])] = []
    var afterCommit: [() -> Void] = []
    /// Told of each event in the transaction that publishes it.
    var published: ((any ProtobufMessage, Transaction) throws -> Void)?

    init(
        service: ServiceName, ledger: Ledger, timers: Timers, configuration: Bus.Configuration
    ) {
        self.service = service
        isBusShared = !configuration.bus.isPrivate
        settings = configuration.settings
        dataDirectory = configuration.dataDirectory
        self.ledger = ledger
        self.timers = timers
    }

    /// A page that holds one event must still fit into a message.
    static let largestEvent = Envelope.maximumSize - (64 << 10)

    func clear() {
        events.removeAll(keepingCapacity: true)
        deliveries.removeAll(keepingCapacity: true)
        afterCommit.removeAll()
    }

    /// Undoes everything of one message when it fails, what it meant to send included.
    func attempt<R>(_ body: () throws -> R) throws -> R {
        let (events, deliveries, actions) = (events.count, deliveries.count, afterCommit.count)
        do { return try ledger.attempt(body) } catch {
            self.events.removeLast(self.events.count - events)
            self.deliveries.removeLast(self.deliveries.count - deliveries)
            afterCommit.removeLast(afterCommit.count - actions)
            timers.reload()
            throw error
        }
    }

    func publish<M: ProtobufMessage>(
        _ event: M, subject: String, cause: Transaction
    ) throws {
        let envelope = Envelope(
            id: ids.next(at: cause.now).bytes, type: M.protobufName, source: service.rawValue,
            subject: subject, time: cause.now, sequence: ledger.nextSequence(),
            epoch: ledger.epoch, correlationId: cause.correlation.bytes,
            causationId: cause.id.bytes, data: event.packed())
        let bytes = envelope.packed()
        guard bytes.count <= Self.largestEvent else {
            throw Refusal(
                code: .tooLarge,
                message: "the \(M.protobufName) would have \(bytes.count) bytes; an event has at "
                    + "most \(Self.largestEvent)")
        }
        try ledger.append(bytes, at: cause.now)
        try published?(event, cause)
        events.append((M.topic, bytes))
    }

    func deliver<M: ProtobufMessage>(
        _ message: M, topic: String, cause: Transaction
    ) throws {
        let envelope = Envelope(
            id: ids.next(at: cause.now).bytes, type: M.protobufName, source: service.rawValue,
            time: cause.now, correlationId: cause.correlation.bytes,
            causationId: cause.id.bytes, data: message.packed())
        deliveries.append((topic, envelope.packed()))
    }
}
