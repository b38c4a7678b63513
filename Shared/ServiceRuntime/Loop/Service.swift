import Bus
import Foundation
import GRDB
import Messages

/// A process that owns one store, answers commands and queries, and follows other services' events.
///
/// A service says what it answers; everything else is the runtime's: `main` is here and nowhere
/// else.
public protocol Service: SendableMetatype {
    /// Its name in the one table of services.
    static var name: ServiceName { get }
    /// The schema of its own tables.
    static var migrator: DatabaseMigrator { get }
    /// The commands that it carries out.
    static var commands: [CommandHandler] { get }
    /// The commands whose work runs outside the loop while their senders wait.
    static var slowCommands: [SlowCommandHandler] { get }
    /// The questions that it answers.
    static var queries: [QueryHandler] { get }
    /// Who may send which message: a row for every type that it answers, by its full name. What has
    /// no row is refused.
    static var access: [String: Access] { get }
    /// The producers that it follows, and the events of theirs that it applies.
    static var follows: [ServiceName: [EventHandler]] { get }
    /// What it does when a timer has run out.
    static var timers: [TimerHandler] { get }
    /// The work that it does outside its loop.
    static var jobs: [JobHandler] { get }
    /// What it does outside its loop and no one waits for.
    static var errands: [ErrandHandler] { get }
    /// True when it binds the alert endpoint.
    static var hasAlertEndpoint: Bool { get }

    /// Refuses settings of its own that can't be used, before anything else is done.
    static func check(_ settings: [String: String]) throws(ConfigurationError)
    /// Puts right, before the first message, what a crash may have left outside the store.
    static func prepare(_ transaction: Transaction) throws
    /// The files beside the store that its rows name, by their paths in the data directory: they
    /// belong to a backup. Such a file never changes.
    static func files(_ db: Database) throws -> [String]
    /// Publishes the present state as events, for a follower whose position is no longer in the
    /// outbox. The events must bring a follower that knows nothing of this service up to date.
    static func tell(_ transaction: Transaction) throws -> [(any ProtobufMessage, subject: String)]
    /// Forgets what is held of a producer, because its history was replaced, except what `present`
    /// tells anew: those events are applied next.
    static func forget(
        _ producer: ServiceName, except present: [Envelope], _ transaction: Transaction) throws
    /// True when a subscriber of the alert endpoint may receive what begins with this topic. When
    /// others than the owner reach the bus, it must grant few topics, and none that can be guessed.
    static func grantsSubscription(to topic: String, _ transaction: Transaction) throws -> Bool
    /// Called each second; may deliver messages on the alert endpoint.
    static func beat(_ transaction: Transaction) throws
    /// Messages were denied because of who sent them. Every service publishes it for the audit.
    static func denied(_ event: AccessDenied, _ transaction: Transaction) throws
}

extension Service {
    public static var commands: [CommandHandler] { [] }
    public static var slowCommands: [SlowCommandHandler] { [] }
    public static var queries: [QueryHandler] { [] }
    public static var follows: [ServiceName: [EventHandler]] { [:] }
    public static var timers: [TimerHandler] { [] }
    public static var jobs: [JobHandler] { [] }
    public static var errands: [ErrandHandler] { [] }
    public static var hasAlertEndpoint: Bool { false }
    public static func check(_ settings: [String: String]) throws(ConfigurationError) {}
    public static func prepare(_ transaction: Transaction) throws {}
    public static func files(_ db: Database) throws -> [String] { [] }
    public static func tell(
        _ transaction: Transaction
    ) throws -> [(any ProtobufMessage, subject: String)] { [] }
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

    /// Runs the service until the process is killed.
    public static func main() {
        Entry.run(Self.self, arguments: Array(CommandLine.arguments.dropFirst()))
    }
}

/// The way into every service's process.
enum Entry {
    static func run<S: Service>(_ service: S.Type, arguments: [String]) {
        if arguments.count == 2, let step = Restoration.Step(rawValue: arguments[0]) {
            return end(S.self) { try Restoration(S.self, of: arguments[1]).take(step) }
        }
        for argument in arguments {
            switch argument {
            case "--version":
                print("\(S.name.rawValue) \(stewardVersion)")
                exit(0)
            case "--until-stdin-closes":
                endWithStandardInput()
            case "--restored":
                break
            default:
                let line = """
                    usage: \(S.name.rawValue) [--version] [--restored] [--until-stdin-closes]
                           \(S.name.rawValue) --check-backup DIRECTORY | --restore DIRECTORY
                    Settings come from the environment: STEWARD_DATA, STEWARD_BUS, STEWARD_KEYS, \
                    STEWARD_LOG.

                    """
                FileHandle.standardError.write(Data(line.utf8))
                exit(argument == "--help" ? 0 : 64)
            }
        }
        end(S.self) { try serve(service, isRestored: arguments.contains("--restored")) }
    }

    /// Ends the process when `body` fails, with a sentence in the log.
    private static func end<S: Service>(_: S.Type, when body: () throws -> Void) {
        let log = Log(service: S.name.rawValue, threshold: .critical)
        do { try body() } catch let outage as Outage {
            log.write(.critical, "stopped", [.error: outage.description])
            exit(outage.exitCode)
        } catch let error as ConfigurationError {
            log.write(.critical, "stopped", [.error: error.description])
            exit(Outage.configuration)
        } catch {
            log.write(.critical, "stopped", [.error: "\(error)"])
            exit(Outage.defect)
        }
    }

    private static func serve<S: Service>(_ service: S.Type, isRestored: Bool) throws {
        // A reader of the log that goes away must not take the service with it.
        signal(SIGPIPE, SIG_IGN)
        // A limit on the size of files is a full disk, which has its sentence.
        signal(SIGXFSZ, SIG_IGN)
        let configuration = try Bus.Configuration()
        try S.check(configuration.settings)
        let log = Log(
            service: S.name.rawValue, threshold: Log.Level(named: configuration.logLevel))
        let store = try Store(
            service: S.name.rawValue, directory: configuration.dataDirectory,
            migrator: S.migrator, now: WallClock.milliseconds())
        if isRestored { try Epoch.begin(store.queue, at: WallClock.milliseconds()) }
        let connection = Connection(process: S.name.rawValue, configuration: configuration)
        if case .directory(let path) = configuration.bus {
            try Store.makeDirectory(path)
            try refuseOthers(path)
            // ZeroMQ would take the sockets away from the process that has them, without a word.
            try Store.lock(
                "\(path)/\(S.name.rawValue).bus.lock", service: S.name.rawValue, on: "bus")
        }
        do {
            try connection.guardEndpoints()
            try store.queue.inDatabase { db in
                let loop = try ServiceLoop(
                    service, db: db, store: store, connection: connection,
                    configuration: configuration, log: log)
                try loop.run()
            }
        } catch let error as DatabaseError {
            throw Outage(error, store: store.path) ?? error
        } catch let error as BusError where error.isAddressInUse {
            throw Outage(
                exitCode: Outage.occupied,
                "another program uses the address \(configuration.bus) (\(error)); stop it or "
                    + "choose another STEWARD_BUS")
        }
    }

    /// Whoever may enter the directory of the sockets is taken for the owner, so no one else may.
    private static func refuseOthers(_ directory: String) throws(Outage) {
        var status = stat()
        guard stat(directory, &status) == 0, status.st_mode & 0o077 != 0 else { return }
        throw Outage(
            exitCode: Outage.configuration,
            "others may enter the directory of the bus, \(directory), and would be taken for its "
                + "owner; close it with chmod 700 \(directory), or choose another STEWARD_BUS")
    }

    /// The process that started this one holds the other end of its standard input: when that
    /// process ends, however it ends, this one ends too.
    private static func endWithStandardInput() {
        Thread.detachNewThread {
            var byte: UInt8 = 0
            while true {
                let count = read(STDIN_FILENO, &byte, 1)
                if count == 0 || (count < 0 && errno != EINTR) { _exit(0) }
            }
        }
    }
}

/// The history in which the outbox counts.
enum Epoch {
    /// Begins a new history: the store was put back from a backup, and what was published after
    /// that backup never happened.
    static func begin(_ queue: DatabaseQueue, at now: Int64) throws {
        try queue.write { db in
            let last = try Int64.fetchOne(db, sql: "SELECT max(sequence) FROM outbox") ?? 0
            let start = try Int64.fetchOne(db, sql: "SELECT max(start) FROM epoch") ?? 0
            let newest = try Int64.fetchOne(db, sql: "SELECT max(epoch) FROM epoch") ?? 0
            try db.execute(
                sql: "INSERT INTO epoch (epoch, start) VALUES (?, ?)",
                arguments: [max(now, newest + 1), max(last, start)])
        }
    }
}
