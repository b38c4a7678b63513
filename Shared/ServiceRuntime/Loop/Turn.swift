import Bus
import Messages

/// What a turn of the loop has gathered to send after the commit.
final class Turn {
    let service: ServiceName
    let ledger: Ledger
    let timers: Timers
    let dataDirectory: String
    let isBusShared: Bool
    let settings: [String: String]
    let log: Log
    var ids = MessageID.Generator()
    /// The token that only this process's own threads know.
    var workerToken: [UInt8] = []
    /// The time by which old things are deleted, as of the last beat.
    var believed = BelievedTime()
    private(set) var events: [(topic: String, envelope: [UInt8])] = []
    private(set) var deliveries: [(topic: String, envelope: [UInt8])] = []
    var afterCommit: [() -> Void] = []
    /// True when something was deleted that must vanish from the files of the store.
    var mustErase = false
    /// Called with what was put aside, in the transaction that does so.
    var asideNoted: ((SetAside, Transaction) throws -> Void)?
    /// Called, while a snapshot is made, with a row that can't be read: what it is, the subject of
    /// the events about it, and the reason.
    var leaveOut: ((_ kind: String, _ subject: String, _ reason: String) throws -> Void)?
    /// Called with the name of what the status counts.
    var counted: ((String) -> Void)?
    /// Called with each event in the transaction that publishes it.
    var published: ((any ProtobufMessage, Transaction) throws -> Void)?

    init(
        service: ServiceName, ledger: Ledger, timers: Timers, configuration: Bus.Configuration
    ) {
        self.service = service
        isBusShared = !configuration.bus.isPrivate
        settings = configuration.settings
        log = Log(
            service: service.rawValue, threshold: Log.Level(named: configuration.logLevel))
        dataDirectory = configuration.dataDirectory
        self.ledger = ledger
        self.timers = timers
    }

    /// The maximum size of an event in bytes: a page with one event must still fit into a message.
    static let largestEvent = Envelope.maximumSize - (64 << 10)

    /// The maximum length of a subject in bytes, as in bus.proto.
    static let longestSubject = 4000

    func clear() {
        events.removeAll(keepingCapacity: true)
        deliveries.removeAll(keepingCapacity: true)
        afterCommit.removeAll()
        mustErase = false
    }

    /// Runs `body` and, when it fails, undoes everything it did, including what it meant to send.
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
        let data = try Self.payload(of: event)
        let id = ids.next(at: cause.now).bytes
        let envelope = Envelope(
            id: id, type: M.protobufName, source: service.rawValue,
            subject: subject.prefix(bytes: Self.longestSubject), time: cause.now,
            sequence: ledger.nextSequence(), epoch: ledger.epoch,
            correlationId: cause.correlation.bytes, causationId: cause.id.bytes, data: data,
            previous: ledger.newest)
        let bytes = try Self.packed(envelope)
        try ledger.append(bytes, id: id, at: cause.now)
        try published?(event, cause)
        events.append((M.topic, bytes))
    }

    /// Packs the payload of an event, and refuses one that followers could not read within the
    /// limits of its fields.
    static func payload<M: ProtobufMessage>(of event: M) throws(Refusal) -> [UInt8] {
        let data = event.packed()
        do throws(ProtobufError) { _ = try M(unpacking: data) } catch {
            if error.isBeyondLimits {
                throw Refusal.invalid("this would have to be published, but can't be: \(error)")
                    .because(.eventLarge)
            }
        }
        return data
    }

    /// Packs an event, and refuses one that does not fit into a page.
    static func packed(_ event: Envelope) throws(Refusal) -> [UInt8] {
        let bytes = event.packed()
        guard bytes.count <= largestEvent else {
            throw Refusal(
                code: .tooLarge,
                message: "the \(event.type) would have \(bytes.count) bytes; an event has at most "
                    + "\(largestEvent)"
            ).because(.eventLarge)
        }
        return bytes
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
