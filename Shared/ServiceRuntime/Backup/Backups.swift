import Bus
import Checksum
import Disk
import Foundation
import GRDB
import GRDBSQLite
import Messages

/// Copies everything that a running service keeps: a job writes the copy into a folder of the
/// service's own, and the requester fetches it in pieces and then drops it.
enum Backups {
    /// The size of a piece in bytes: far below the limit of a message, and read from the disk in
    /// less than a millisecond.
    static let pieceSize = 512 << 10
    /// The name of the description file next to the copied files.
    static let description = "description"

    /// The job that makes a copy, which publishes no changes, and the messages that fetch the copy.
    static func handlers<S: Service>(of _: S.Type) -> [MessageHandler] {
        [
            .job(
                check: { (_: BackUp, _) in },
                work: { (_: BackUp, job) in try make(S.self, job) },
                finish: { (_: Backup, _) in }, .owner),
            .query(read, .owner), .query(readPiece, .owner), .command(drop, .owner),
        ]
    }

    /// Deletes copies left by an earlier process; an interrupted job starts over.
    static func clear(_ service: String, in dataDirectory: String) {
        let folder = root(service, dataDirectory)
        // Nearly always there is none, and Foundation's error for that is slow to load.
        guard access(folder, F_OK) == 0 else { return }
        do { try FileManager.default.removeItem(atPath: folder) } catch {
            return  // The next copy says why it can't be made.
        }
    }

    private static func root(_ service: String, _ dataDirectory: String) -> String {
        "\(dataDirectory)/\(service).backup"
    }

    // MARK: Making

    /// A file was deleted after the store that names it was copied.
    private struct Deleted: Error {}

    /// Makes the copy. It runs outside the loop.
    private static func make<S: Service>(_: S.Type, _ job: JobContext) throws -> Backup {
        clear(S.name.rawValue, in: job.dataDirectory)
        let folder = "\(root(S.name.rawValue, job.dataDirectory))/\(job.id)"
        var backup = Backup()
        do {
            // A file that the copied store names may be deleted before it is linked. It is then no
            // longer needed, and a newer copy does not name it.
            for attempt in 1... {
                do {
                    backup = try copy(S.self, job, to: folder)
                    break
                } catch is Deleted where attempt < 5 { continue }
            }
            for index in backup.files.indices {
                let told = job.report(
                    done: UInt64(index), total: UInt64(backup.files.count), "adding up")
                guard told else { throw JobContext.Cancelled() }
                let file = try Checksum.ofFile("\(folder)/\(backup.files[index].name)")
                (backup.files[index].size, backup.files[index].sha256) = (file.size, file.sum)
            }
            try Data(backup.packed()).write(to: URL(filePath: "\(folder)/\(description)"))
        } catch {
            clear(S.name.rawValue, in: job.dataDirectory)
            if error is JobContext.Cancelled { throw error }
            let outage = (error as? DatabaseError).flatMap { Outage($0, store: folder) }
            let reason = (error as? Refusal)?.message ?? outage?.description ?? "\(error)"
            throw Refusal(code: .internal, message: "the store can't be copied: \(reason)")
        }
        return backup
    }

    /// Copies the store as of one moment. Files that never change are linked instead of copied.
    private static func copy<S: Service>(
        _: S.Type, _ job: JobContext, to folder: String
    ) throws -> Backup {
        clear(S.name.rawValue, in: job.dataDirectory)
        job.report(done: 0, total: 0, "copying the store")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let store = "\(folder)/\(S.name.rawValue).sqlite"
        try copy(job.storePath, to: store)
        var (backup, names) = try Store.reader(store).inDatabase { db in
            (try describe(S.self, db), try S.files(db))
        }
        for name in names {
            let (source, target) = ("\(job.dataDirectory)/\(name)", "\(folder)/\(name)")
            try FileManager.default.createDirectory(
                atPath: (target as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            guard link(source, target) == 0 else {
                if errno == ENOENT { throw Deleted() }
                throw Refusal.conflict("\(source): \(String(cString: strerror(errno)))")
            }
        }
        backup.files = ([S.name.rawValue + ".sqlite"] + names).map { Backup.File(name: $0) }
        return backup
    }

    /// Copies a store into a new file. It stops before the disk is full, because the service could
    /// then write nothing more, and would end.
    private static func copy(_ store: String, to target: String) throws {
        do {
            try Store.other(store).inDatabase { db in
                try store.withCString { path in
                    // Counted in steps of SQLite, a few for each row, which may be a photo.
                    sqlite3_progress_handler(
                        db.sqliteConnection, 100,
                        { path in
                            guard let path else { return 0 }
                            let text = String(cString: path.assumingMemoryBound(to: CChar.self))
                            return DiskRoom.isLow(at: text) ? 1 : 0
                        }, UnsafeMutableRawPointer(mutating: path))
                    defer { sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
                    try db.execute(sql: "VACUUM INTO ?", arguments: [target])
                }
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            throw Refusal.conflict(
                "there is too little room beside \(store); free as much as the store takes up, "
                    + "and some more")
        }
    }

    /// The copied store's own description.
    static func describe<S: Service>(_: S.Type, _ db: Database) throws -> Backup {
        let newest = try Row.fetchOne(
            db, sql: "SELECT epoch, start FROM epoch ORDER BY epoch DESC LIMIT 1")
        let last = try Int64.fetchOne(db, sql: "SELECT max(sequence) FROM outbox") ?? 0
        let cursors = try Row.fetchAll(db, sql: "SELECT * FROM cursor ORDER BY producer")
        return Backup(
            service: S.name.rawValue, version: stewardVersion, time: WallClock.milliseconds(),
            epoch: UInt64(clamping: newest?["epoch"] as Int64? ?? 0),
            head: UInt64(clamping: max(last, newest?["start"] as Int64? ?? 0)),
            cursors: cursors.map {
                Backup.Position(
                    producer: $0["producer"], epoch: UInt64(clamping: $0["epoch"] as Int64),
                    sequence: UInt64(clamping: $0["sequence"] as Int64))
            })
    }

    // MARK: Fetching

    private static func read(_ query: ReadBackup, in transaction: Transaction) throws -> Backup {
        try read(query.jobId, in: transaction).backup
    }

    private static func readPiece(
        _ query: ReadBackupPiece, in transaction: Transaction
    ) throws -> BackupPiece {
        let (backup, folder) = try read(query.jobId, in: transaction)
        // Only files that the copy lists: a name from outside is never used as a path.
        guard let listed = backup.files.first(where: { $0.name == query.name }) else {
            throw Refusal.notFound("the copy has no such file")
        }
        guard query.offset <= listed.size else {
            throw Refusal.invalid("\(query.name) has \(listed.size) bytes; ask for a piece of them")
        }
        guard let file = FileHandle(forReadingAtPath: "\(folder)/\(query.name)") else {
            throw gone
        }
        defer { file.closeFile() }
        try file.seek(toOffset: query.offset)
        let data = try file.read(upToCount: pieceSize) ?? Data()
        return BackupPiece(data: [UInt8](data))
    }

    private static func drop(
        _ command: DropBackup, in transaction: Transaction
    ) throws -> BackupDropped {
        let (service, directory) = (transaction.turn.service.rawValue, transaction.dataDirectory)
        if MessageID(command.jobId) != nil {
            let folder = "\(root(service, directory))/\(command.jobId)"
            transaction.afterCommit {
                if FileManager.default.fileExists(atPath: folder) { clear(service, in: directory) }
            }
        }
        return BackupDropped(jobId: command.jobId)
    }

    private static func read(
        _ job: String, in transaction: Transaction
    ) throws -> (backup: Backup, folder: String) {
        guard MessageID(job) != nil else { throw gone }
        let folder =
            root(transaction.turn.service.rawValue, transaction.dataDirectory) + "/\(job)"
        guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(description)") else {
            throw gone
        }
        return (try Backup(stored: [UInt8](bytes)), folder)
    }

    private static let gone = Refusal.notFound(
        "the copy is gone: another was begun, or the service was restarted")
}
