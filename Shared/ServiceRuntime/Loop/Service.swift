import Bus
import GRDB
import Messages

/// Receives the events that describe a service's present state, each with its subject.
public typealias SnapshotReceiver = (_ event: any ProtobufMessage, _ subject: String) throws -> Void

/// A process that owns one store, answers commands and queries, and follows other services' events.
///
/// A service declares what it answers; the runtime does everything else, including `main`: see
/// `EntryPoint`.
public protocol Service: SendableMetatype {
    /// Its name in the table of services.
    static var name: ServiceName { get }
    /// The schema of its own tables.
    static var migrator: DatabaseMigrator { get }
    /// What happens to each of its tables when a store is restored for one organisation only.
    static var belongings: [Belonging] { get }
    /// What it answers: its commands, queries and jobs, each with who may send it.
    static var handlers: [MessageHandler] { get }
    /// The service that issues the tokens it accepts.
    static var tokenIssuer: ServiceName { get }
    /// The producers that it follows, and the events of theirs that it applies. The issuer of its
    /// tokens is always followed as well.
    static var follows: [ServiceName: [EventHandler]] { get }
    /// What it does when a timer fires.
    static var timers: [TimerHandler] { get }
    /// The work it does outside its loop, which no one waits for.
    static var errands: [ErrandHandler] { get }
    /// True when it binds the alert endpoint.
    static var hasAlertEndpoint: Bool { get }

    /// Refuses unusable settings of its own, before anything else is done.
    static func validate(_ settings: [String: String]) throws(ConfigurationError)
    /// Repairs, before the first message, what a crash may have left outside the store.
    static func prepare(_ transaction: Transaction) throws
    /// The files next to the store that its rows refer to, by their paths in the data directory.
    /// They are part of a backup. Such a file never changes.
    static func files(_ db: Database) throws -> [String]
    /// Passes the present state as events, for a follower whose position is no longer in the
    /// outbox. They must bring a follower that knows nothing of this service up to date. The
    /// runtime adds the standing alerts. Read rows one by one, because the state may be larger than
    /// the memory. A service with nothing to pass has to say so too.
    static func pass(_ transaction: Transaction, to receiver: SnapshotReceiver) throws
    /// Does what else is needed when a new history has begun while the service runs, because its
    /// store has gone back, e.g. with its disk or virtual machine: what happened since then never
    /// happened.
    static func historyReplaced(_ transaction: Transaction) throws
    /// Deletes what was applied from a producer, because its history was replaced, except what
    /// `present` contains again: those events are applied next. What `present` lacks because the
    /// producer can't read it (`leftOut`) stays.
    static func forget(
        _ producer: ServiceName, except present: [Envelope], _ transaction: Transaction) throws
    /// True when a subscriber of the alert endpoint may receive the topics that begin with `topic`.
    /// When others than the owner can reach the bus, it must grant few topics, and none that can be
    /// guessed.
    static func grantsSubscription(to topic: String, _ transaction: Transaction) throws -> Bool
    /// Runs each second; may deliver messages on the alert endpoint.
    static func beat(_ transaction: Transaction) throws
    /// Publishes, for the audit, that messages were denied because of who sent them.
    static func denied(_ event: AccessDenied, _ transaction: Transaction) throws
    /// Reports that something could not be done and was put aside. Every service publishes this, or
    /// alerts the administrators itself.
    static func noteAside(_ event: SetAside, _ transaction: Transaction) throws
}

extension Service {
    public static var handlers: [MessageHandler] { [] }
    public static var follows: [ServiceName: [EventHandler]] { [:] }
    public static var timers: [TimerHandler] { [] }
    public static var errands: [ErrandHandler] { [] }
    public static var hasAlertEndpoint: Bool { false }
    public static func validate(_ settings: [String: String]) throws(ConfigurationError) {}
    public static func prepare(_ transaction: Transaction) throws {}
    public static func files(_ db: Database) throws -> [String] { [] }
    public static func historyReplaced(_ transaction: Transaction) throws {}
    public static func forget(
        _ producer: ServiceName, except present: [Envelope], _ transaction: Transaction
    ) throws {}
    public static func grantsSubscription(
        to topic: String, _ transaction: Transaction
    ) throws -> Bool { !transaction.isBusShared && topic.hasPrefix("alert.") }
    public static func beat(_ transaction: Transaction) throws {}
    public static func denied(_ event: AccessDenied, _ transaction: Transaction) throws {
        try transaction.publish(event, subject: event.account)
    }
    public static func noteAside(_ event: SetAside, _ transaction: Transaction) throws {
        try transaction.publish(event, subject: "")
    }
}
