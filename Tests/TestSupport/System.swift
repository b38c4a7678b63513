import Bus
import Foundation
import GRDB
import Messages

/// An installation in a scratch directory: the real executables, built next to the tests, with an
/// environment of their own. Everything that it started ends with it.
public final class System {
    /// The scratch directory. Its path is short, because the path of a Unix socket is limited to
    /// 107 bytes.
    public let directory: String
    private var programs: [Program] = []
    private var started = 0

    /// Creates an empty installation.
    public init() throws {
        var template = Array("/tmp/st-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Complaint.system("mkdtemp") }
        directory = String(
            decoding: template.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    deinit {
        // This includes programs that a test still refers to.
        for program in programs { program.kill() }
        do {
            // The children of these programs end by themselves a moment later, and may write until
            // then.
            try eventually("the scratch directory \(directory) is removed") {
                (try? FileManager.default.removeItem(atPath: directory)) != nil
            }
        } catch { print(error) }
    }

    /// The folder of the executables: that of the tests.
    public static var executables: String {
        (CommandLine.arguments[0] as NSString).deletingLastPathComponent
    }

    /// Creates a folder in the scratch directory that only its owner may enter, as the bus
    /// requires.
    public func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: path(name), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    /// Returns the path of a file or folder in the scratch directory.
    public func path(_ name: String) -> String { "\(directory)/\(name)" }

    /// Returns the environment of a process.
    ///
    /// - Parameters:
    ///   - data: the folder of the stores, in the scratch directory.
    ///   - bus: the folder of the endpoints, in the scratch directory, or a `tcp://` address.
    ///   - more: further variables.
    public func environment(
        data: String = "data", bus: String = "run", adding more: [String: String] = [:]
    ) -> [String: String] {
        let address = bus.contains("://") ? bus : "ipc://" + path(bus)
        let own = [
            "STEWARD_DATA": path(data), "STEWARD_BUS": address, "STEWARD_LOG": "notice",
            "HOME": directory, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            // Installations that run at the same time must not need the same port.
            "STEWARD_WEB_LISTEN": "127.0.0.1:0",
            // Times are printed the same wherever the tests run.
            "TZ": "Etc/UTC",
        ]
        return own.merging(more) { $1 }
    }

    /// Starts a service and waits until it is ready.
    @discardableResult
    public func start(
        _ service: String, data: String = "data", bus: String = "run", _ arguments: String...
    ) throws -> Program {
        let program = try launch(service, data: data, bus: bus, arguments)
        try program.waitUntilReady()
        return program
    }

    /// Starts a service without waiting. Its log level is info, which includes the line
    /// `event=ready`.
    public func launch(
        _ service: String, data: String = "data", bus: String = "run",
        adding more: [String: String] = [:], through wrapper: [String] = [],
        _ arguments: [String] = []
    ) throws -> Program {
        try spawn(
            wrapper + ["\(Self.executables)/\(service)"] + arguments + ["--until-stdin-closes"],
            environment: environment(
                data: data, bus: bus, adding: ["STEWARD_LOG": "info"].merging(more) { $1 }))
    }

    /// Starts an executable from the tests' folder without waiting.
    public func spawn(
        tool: String, data: String = "data", bus: String = "run", _ arguments: [String]
    ) throws -> Program {
        try spawn(
            ["\(Self.executables)/\(tool)"] + arguments,
            environment: environment(data: data, bus: bus))
    }

    /// Starts a command without waiting. The first word is the path of the executable.
    public func spawn(_ words: [String], environment: [String: String]) throws -> Program {
        started += 1
        let program = try Program(
            path: words[0], arguments: Array(words.dropFirst()), environment: environment,
            output: path("\(started)"))
        programs.append(program)
        return program
    }

    /// Runs an executable from the tests' folder to its end.
    public func run(
        _ tool: String, data: String = "data", bus: String = "run", _ arguments: String...
    ) throws -> (end: Program.End, out: String, err: String) {
        let program = try spawn(tool: tool, data: data, bus: bus, arguments)
        return (try program.waitForEnd(), program.out, program.err)
    }

    /// Returns the settings with which a process of this installation reaches the others.
    public func connection(
        as process: String = "test", bus: String = "run", keys: String? = nil
    ) throws -> Connection {
        let more = keys.map { ["STEWARD_KEYS": path($0)] } ?? [:]
        return Connection(
            process: process,
            configuration: try Bus.Configuration(environment: environment(bus: bus, adding: more)))
    }

    /// Creates a client of a service.
    public func client(
        of service: ServiceName = .transitAlert, as process: String = "test", bus: String = "run",
        keys: String? = nil
    ) throws -> Client {
        let client = try Client(
            try connection(as: process, bus: bus, keys: keys), to: service, isPatient: true)
        // A busy machine may need more than the ten seconds that people are made to wait.
        client.patience = .seconds(60)
        return client
    }

    /// Creates a key ring in the scratch directory with a key for every service and for others, by
    /// their roles.
    @discardableResult
    public func makeKeys(
        _ others: [String: KeyRing.Role] = ["test": .gateway], in folder: String = "keys"
    ) throws -> KeyRing {
        let ring = KeyRing(directory: path(folder))
        for service in ServiceName.allCases { try ring.create(service.rawValue, role: .service) }
        for (name, role) in others { try ring.create(name, role: role) }
        return ring
    }

    /// Returns the path of a service's store.
    public func store(_ service: ServiceName, data: String = "data") -> String {
        path("\(data)/\(service.rawValue).sqlite")
    }

    /// Queries a service's store. Each row is the text of its columns.
    public func query(
        _ service: ServiceName, data: String = "data", _ sql: String
    ) throws -> [[String]] {
        try reading(service, data: data) { db in
            try Row.fetchAll(db, sql: sql).map { row in
                row.databaseValues.map { value in
                    switch value.storage {
                    case .null: "NULL"
                    case .int64(let number): String(number)
                    case .double(let number): String(number)
                    case .string(let text): text
                    case .blob(let bytes): bytes.map { String($0, radix: 16) }.joined()
                    }
                }
            }
        }
    }

    /// Reads a service's store.
    public func reading<R>(
        _ service: ServiceName, data: String = "data", _ body: (Database) throws -> R
    ) throws -> R {
        try queue(service, data: data, isReadOnly: true).read(body)
    }

    /// Opens a service's store. Waits if the service is writing.
    private func queue(
        _ service: ServiceName, data: String, isReadOnly: Bool = false
    ) throws -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        configuration.readonly = isReadOnly
        configuration.busyMode = .timeout(30)
        return try DatabaseQueue(path: store(service, data: data), configuration: configuration)
    }

    /// Puts an open alert of an account into the notifier's store, to be repeated when the notifier
    /// starts and every five seconds.
    public func raiseAlert(_ title: String, for account: String) throws {
        try start("notifier").kill()
        let alert = Alert(
            id: "01930000-0000-7000-8000-000000000001", source: "test",
            raised: AlertRaised(
                key: "k", kind: "test", severity: .urgent, title: title, recipient: account,
                needsAcknowledgement: true, repeatEvery: 5000),
            state: .open, time: WallClock.milliseconds())
        let bytes = alert.packed().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        try edit(
            .notifier,
            """
            INSERT INTO alert (id, source, key, feed, state, time, alert) VALUES
            ('\(alert.id)', 'test', 'k', 'alert.local.\(account).', 1, \(alert.time),
            X'\(bytes)');
            INSERT INTO timer (kind, subject, due) VALUES ('repeat', '\(alert.id)', 0);
            """)
    }

    /// Changes a service's store without its knowledge.
    public func edit(
        _ service: ServiceName, data: String = "data", _ sql: String
    ) throws {
        try queue(service, data: data).write { try $0.execute(sql: sql) }
    }

    /// Copies a service's store the way a backup does, even while the service runs.
    public func backUp(_ service: ServiceName, data: String = "data", to name: String) throws {
        try queue(service, data: data).inDatabase { db in
            try db.execute(sql: "VACUUM INTO ?", arguments: [path(name)])
        }
    }

    /// Replaces the store of a service that isn't running with a backup.
    public func restore(_ service: ServiceName, data: String = "data", from name: String) throws {
        let store = store(service, data: data)
        for suffix in ["", "-wal", "-shm"]
        where FileManager.default.fileExists(atPath: store + suffix) {
            try FileManager.default.removeItem(atPath: store + suffix)
        }
        try FileManager.default.copyItem(atPath: path(name), toPath: store)
    }

    /// Returns the envelopes of everything that a service has published, in order.
    public func published(
        by service: ServiceName, data: String = "data"
    ) throws -> [Envelope] {
        try reading(service, data: data) { db in
            try Data.fetchAll(db, sql: "SELECT envelope FROM outbox ORDER BY sequence")
                .map { try Envelope(unpacking: [UInt8]($0)) }
        }
    }

    /// The replies that a service keeps, in the order of the ids of their commands.
    public func replies(keptBy service: ServiceName) throws -> [Envelope] {
        try reading(service, data: "data") { db in
            try Data.fetchAll(db, sql: "SELECT reply FROM inbox ORDER BY id")
                .map { try Envelope(unpacking: [UInt8]($0)) }
        }
    }
}
