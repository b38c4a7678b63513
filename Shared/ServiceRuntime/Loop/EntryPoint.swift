import Bus
import Foundation
import GRDB
import Messages

extension Service {
    /// Runs the service until the process is killed.
    public static func main() {
        EntryPoint.run(Self.self, arguments: Array(CommandLine.arguments.dropFirst()))
    }
}

/// The entry point of every service's process.
enum EntryPoint {
    static func run<S: Service>(_ service: S.Type, arguments: [String]) {
        keepToItself()
        if [2, 4].contains(arguments.count), let step = Restoration.Step(rawValue: arguments[0]),
            arguments.count == 2 || arguments[2] == "--only"
        {
            let organisation = arguments.count == 4 ? arguments[3] : nil
            return end(S.self) {
                let restoration = try Restoration(S.self, of: arguments[1], only: organisation)
                keepTemporaryFiles(in: restoration.directory)
                try restoration.carryOut(step)
            }
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
                           \(S.name.rawValue) --check-backup | --announce-restore | --restore \
                    DIRECTORY [--only ORGANISATION]
                    Settings come from the environment: STEWARD_DATA, STEWARD_BUS, STEWARD_KEYS, \
                    STEWARD_LOG.

                    """
                FileHandle.standardError.write(Data(line.utf8))
                exit(argument == "--help" ? 0 : 64)
            }
        }
        end(S.self) { try serve(service, isRestored: arguments.contains("--restored")) }
    }

    /// Runs `body` and, when it fails, logs a sentence and ends the process.
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
        // The service must survive when a reader of its log goes away.
        signal(SIGPIPE, SIG_IGN)
        // A write beyond the limit on file sizes then fails like one on a full disk, which is
        // reported.
        signal(SIGXFSZ, SIG_IGN)
        raiseDescriptorLimit()
        let configuration = try Bus.Configuration()
        try S.validate(configuration.settings)
        let log = Log(
            service: S.name.rawValue, threshold: Log.Level(named: configuration.logLevel))
        keepTemporaryFiles(in: configuration.dataDirectory)
        let store = try Store(
            service: S.name.rawValue, directory: configuration.dataDirectory,
            migrator: S.migrator, now: WallClock.milliseconds())
        if isRestored { try Epoch.begin(store.queue, at: WallClock.milliseconds()) }
        let connection = Connection(process: S.name.rawValue, configuration: configuration)
        if case .directory(let path) = configuration.bus {
            try Store.makeDirectory(path)
            try refuseOthers(path)
            // ZeroMQ would silently take the sockets from the process that has them.
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

    /// Keeps what the process writes from other accounts, and its memory from being written to a
    /// file after a crash: that would have keys, passwords and positions, and be as large as the
    /// disk allows. The hard limit stays, so that the operator can allow it for a running process.
    private static func keepToItself() {
        // SQLite makes files that everyone may read.
        umask(0o077)
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = 0
        _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    }

    /// Has SQLite make its temporary files, which may be as large as a store, beside the store. In
    /// a container there is no other folder that may be written, or it is small. SQLite reads this
    /// once, before it opens the first file.
    private static func keepTemporaryFiles(in directory: String) {
        setenv("SQLITE_TMPDIR", directory, 0)
    }

    /// Raises the limit on descriptors: each connection needs one, and the usual soft limit, 1,024,
    /// is soon reached.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        // If that is not permitted, the limit stays.
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// Refuses a socket directory that others may enter: anyone who can is treated as the owner.
    private static func refuseOthers(_ directory: String) throws(Outage) {
        var status = stat()
        guard stat(directory, &status) == 0, status.st_mode & 0o077 != 0 else { return }
        throw Outage(
            exitCode: Outage.configuration,
            "others may enter the directory of the bus, \(directory), and would be taken for its "
                + "owner; close it with chmod 700 \(directory), or choose another STEWARD_BUS")
    }

    /// Ends this process when standard input closes: the process that started it has the other end,
    /// and closes it however it ends.
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
