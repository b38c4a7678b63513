import Bus
import CRuntime
import Foundation
import GRDB
import GRDBSQLite

/// The one SQLite file that a service owns, and the lock that keeps out a second instance.
public struct Store {
    /// The path of the file.
    public let path: String
    let queue: DatabaseQueue
    private let lock: Int32

    /// Opens the store, creates it if it does not exist, and brings its schema up to date.
    ///
    /// - Throws: ``Outage`` with a sentence that names the file and the fix. A store that can't be
    ///   used is left exactly as it is.
    public init(
        service: String, directory: String, migrator: DatabaseMigrator, now: Int64
    ) throws {
        path = "\(directory)/\(service).sqlite"
        try Self.makeDirectory(directory)
        lock = try Self.lock("\(directory)/\(service).lock", service: service, on: "store")
        try RestorationMark.refuseUnfinished(of: service, in: directory)
        Self.closeToOthers(path)
        do {
            queue = try Self.open(path)
            do {
                try Self.check(queue, path)
                try Self.migrate(queue, path, migrator, now)
            } catch {
                // Closing it would copy the write-ahead log into a file that must stay as it is, so
                // the connection is kept until the process ends.
                _ = Unmanaged.passRetained(queue)
                throw error
            }
        } catch let error as DatabaseError {
            throw Outage(error, store: path) ?? error
        }
    }

    /// A second connection, besides the loop's, that may write other files, as `VACUUM INTO` does.
    static func other(_ path: String) throws -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(5)
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// A connection to the same file that can only read, for work outside the loop.
    public static func reader(_ path: String) throws -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Makes a directory that only its owner may enter from the moment it exists: another service
    /// that starts at the same time checks that.
    static func makeDirectory(_ directory: String) throws(Outage) {
        if mkdir(directory, 0o700) == 0 || errno == EEXIST { return }
        let parent = (directory as NSString).deletingLastPathComponent
        if errno == ENOENT, !parent.isEmpty, parent != directory {
            try makeDirectory(parent)
            if mkdir(directory, 0o700) == 0 || errno == EEXIST { return }
        }
        throw Outage(
            exitCode: Outage.storage,
            "the directory \(directory) can't be made; check its path and permissions")
    }

    /// Closes the files of a store that is there already to other accounts. It may have been
    /// copied there, or made by a version that left it open to them. A file that this account
    /// doesn't own stays as it is.
    private static func closeToOthers(_ path: String) {
        for file in [path, path + "-wal", path + "-shm"] {
            var status = stat()
            guard stat(file, &status) == 0, status.st_mode & 0o077 != 0 else { continue }
            chmod(file, status.st_mode & 0o700)
        }
    }

    /// Takes a lock of the kernel, which is released when the process ends, however that happens.
    ///
    /// - Parameters:
    ///   - path: the file to lock.
    ///   - service: the name of the service.
    ///   - what: what the lock protects, in a word.
    @discardableResult
    static func lock(
        _ path: String, service: String, on what: String
    ) throws(Outage) -> Int32 {
        let file = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw Outage(
                exitCode: Outage.storage,
                "the file \(path) can't be written (\(String(cString: strerror(errno)))); make its "
                    + "directory writable for this account")
        }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            var text = [UInt8](repeating: 0, count: 32)
            let count = pread(file, &text, text.count, 0)
            let owner = String(decoding: text.prefix(max(0, count)), as: UTF8.self)
            close(file)
            throw Outage(
                exitCode: Outage.occupied,
                "\(service) already runs on this \(what) as process \(owner); stop that one first "
                    + "(the lock is \(path))")
        }
        let owner = Array("\(getpid())".utf8)
        ftruncate(file, 0)
        pwrite(file, owner, owner.count, 0)
        return file
    }

    /// How long a statement waits for another connection's lock, in seconds.
    static let patience: Double = 2

    private static func open(_ path: String) throws -> DatabaseQueue {
        write_ahead_log_install()
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(patience)
        configuration.prepareDatabase { db in
            // Make sure that the file can be read before setting the journal mode writes to it.
            _ = try Int.fetchOne(db, sql: "PRAGMA schema_version")
            try db.execute(
                sql: """
                    PRAGMA journal_mode = WAL;
                    PRAGMA synchronous = FULL;
                    PRAGMA secure_delete = ON;
                    PRAGMA wal_autocheckpoint = 0;
                    PRAGMA journal_size_limit = 67108864;
                    PRAGMA cache_size = -4096;
                    """)
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Makes sure that the store can be written. Small stores are read completely; in large ones
    /// damage is noticed when it is reached.
    private static func check(_ queue: DatabaseQueue, _ path: String) throws {
        try queue.inDatabase { db in
            // SQLite silently opens a file that it may not write for reading.
            guard sqlite3_db_readonly(db.sqliteConnection, "main") == 0 else {
                throw DatabaseError(resultCode: .SQLITE_READONLY, message: "read-only")
            }
            // Takes the lock that every write needs, and writes nothing.
            try db.execute(sql: "BEGIN IMMEDIATE; ROLLBACK")
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            guard pages < 2000 else { return }
            let verdict = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "ok"
            if verdict != "ok" {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: verdict)
            }
        }
    }

    /// Brings a store's schema up to date.
    ///
    /// - Throws: ``Outage`` when a newer version has written it.
    static func migrate(
        _ queue: DatabaseQueue, _ path: String, _ migrator: DatabaseMigrator, _ now: Int64
    ) throws {
        var migrator = migrator
        Ledger.register(in: &migrator, now: now)
        AccessKeys.register(in: &migrator)
        JobRunner.register(in: &migrator)
        Suspects.register(in: &migrator)
        DeadLetter.register(in: &migrator)
        AllowanceTable.mails.register(in: &migrator)
        AllowanceTable.replies.register(in: &migrator)
        StandingAlert.register(in: &migrator)
        BelievedTime.register(in: &migrator)
        Timers.register(in: &migrator)
        FailingTimers.register(in: &migrator)
        let isNewer = try queue.read { try migrator.hasBeenSuperseded($0) }
        guard !isNewer else {
            throw Outage(
                exitCode: Outage.badStore,
                "the store \(path) was written by a newer version than \(stewardVersion); "
                    + "install that version, or move the store away and restore an older backup")
        }
        try migrator.migrate(queue)
    }
}
