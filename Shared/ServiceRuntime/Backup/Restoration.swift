import Bus
import Checksum
import Disk
import Foundation
import GRDB
import Messages

/// Replaces a service's store with a backup. The service must not be running. The whole backup is
/// verified before anything is replaced, and the old files are kept in a folder next to it.
struct Restoration {
    /// What to do with the backup.
    enum Step: String {
        /// Only report whether it could be restored.
        case check = "--check-backup"
        /// Keep the service from starting until the backup is restored.
        case announce = "--announce-restore"
        /// Restore it.
        case restore = "--restore"
    }

    private let service: String
    private let migrator: DatabaseMigrator
    /// The folder of the store.
    let directory: String
    /// The folder with this service's files in the backup.
    private let source: String
    private let backup: Backup
    private let describe: (Database) throws -> Backup
    private let files: (Database) throws -> [String]
    /// What is restored for one organisation only; nil to restore everything.
    private let separation: Separation?
    /// The folder where the new files are assembled before they replace the old ones.
    private var staging: String { "\(directory)/\(service).incoming" }

    /// Makes the restoration of a service from a directory that `steward backup` has made.
    ///
    /// - Parameters:
    ///   - backup: the directory.
    ///   - organisation: the id of the only organisation to restore; nil for all.
    init<S: Service>(_: S.Type, of backup: String, only organisation: String?) throws {
        service = S.name.rawValue
        separation = try organisation.map { try Separation(of: $0, S.belongings) }
        files = S.files
        migrator = S.migrator
        directory = try Bus.Configuration().dataDirectory
        source = "\(backup)/\(service)"
        describe = { try Backups.describe(S.self, $0) }
        guard let bytes = FileManager.default.contents(atPath: backup + "/manifest.json") else {
            throw Self.useless("there is no backup in \(backup): its manifest.json can't be read")
        }
        let backups: [Backup]
        do { backups = try JSONDecoder().decode([Backup].self, from: bytes) } catch {
            throw Self.useless("\(backup)/manifest.json can't be understood")
        }
        guard let own = backups.first(where: { $0.service == S.name.rawValue }) else {
            throw Self.useless("the backup \(backup) has nothing from \(S.name.rawValue)")
        }
        self.backup = own
    }

    /// Carries out a step, or throws an ``Outage`` and leaves the present store as it is.
    func carryOut(_ step: Step) throws {
        try Store.makeDirectory(directory)
        try Store.lock("\(directory)/\(service).lock", service: service, on: "store")
        guard step != .announce else {
            return try mark(RestorationMark.announcement(service, directory))
        }
        defer { remove(staging) }
        do {
            try copy()
            try check()
        } catch let error as DatabaseError { throw outage(error) }
        let log = Log(service: service, threshold: .info)
        guard step == .restore else {
            return log.write(.info, "backup is good", [.sequence: String(backup.head)])
        }
        let former = try replace()
        log.write(.notice, "restored", [.sequence: String(backup.head), .data: former])
    }

    private static func useless(_ sentence: String) -> Outage {
        Outage(exitCode: Outage.badStore, "\(sentence); nothing was changed")
    }

    /// What a failure of SQLite means: the copy is damaged, unless this machine is at fault.
    private func outage(_ error: DatabaseError) -> Outage {
        let reason = error.message ?? "malformed"
        guard Outage(error, store: staging)?.exitCode == Outage.storage else {
            return Self.useless("the copy of \(service) is damaged (\(reason))")
        }
        return Outage(
            exitCode: Outage.storage,
            "the backup of \(service) can't be prepared in \(staging) (\(reason)); check that disk "
                + "and its free space, and run steward restore again; nothing was changed")
    }

    // MARK: Before anything is replaced

    /// Copies the files and compares each with its size and checksum in the manifest.
    private func copy() throws {
        remove(staging)
        guard backup.files.first?.name == "\(service).sqlite" else {
            throw Self.useless("the backup of \(service) has no store")
        }
        var folders: Set = [staging]
        for file in backup.files {
            // The manifest comes from outside: a name must not lead out of the directory.
            let parts = file.name.split(separator: "/", omittingEmptySubsequences: false)
            guard !parts.contains(where: { ["", ".", ".."].contains($0) }) else {
                throw Self.useless(
                    "the backup names a file “\(file.name)”, which is not one of its files")
            }
            let target = "\(staging)/\(file.name)"
            try FileManager.default.createDirectory(
                atPath: (target as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let found = try copy("\(source)/\(file.name)", to: target)
            guard found.size == file.size, found.sum == file.sha256 else {
                throw Self.useless("\(source)/\(file.name) is not what was backed up")
            }
            var folder = staging
            for part in parts.dropLast() {
                folder += "/\(part)"
                folders.insert(folder)
            }
        }
        for folder in folders { try flush(folder) }
    }

    private func copy(
        _ path: String, to target: String
    ) throws -> (size: UInt64, sum: String) {
        let file = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw unwritable(target) }
        defer { close(file) }
        do {
            let found = try Checksum.ofFile(path) { bytes in
                guard OpenFile.write(bytes, to: file) else { throw unwritable(target) }
            }
            guard fsync(file) == 0 else { throw unwritable(target) }
            return found
        } catch let error as CocoaError {
            throw Self.useless("\(path) can't be read (\(error.localizedDescription))")
        }
    }

    private func unwritable(_ path: String) -> Outage {
        Outage(
            exitCode: Outage.storage,
            "can't write \(path) (\(String(cString: strerror(errno)))); nothing was changed")
    }

    /// Verifies that the copied store is whole, matches the manifest and is not from a newer
    /// version, and begins a new history in it so that followers notice.
    private func check() throws {
        let path = "\(staging)/\(service).sqlite"
        let queue = try Store.other(path)
        defer { do { try queue.close() } catch { /* The next look at it finds out. */  } }
        let verdict = try queue.inDatabase { db in
            try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") ?? "ok"
        }
        guard verdict == "ok" else {
            throw Self.useless("the copy of \(service) is damaged (\(verdict))")
        }
        let found = try queue.inDatabase(describe)
        guard (found.epoch, found.head) == (backup.epoch, backup.head) else {
            throw Self.useless("the copy of \(service) is not the one named in the manifest")
        }
        do { try Store.migrate(queue, path, migrator, WallClock.milliseconds()) } catch is Outage {
            throw Self.useless(
                "the backup of \(service) was made by version \(backup.version), which is newer "
                    + "than \(stewardVersion): restore it with that version, or restore an older "
                    + "backup")
        }
        // The copy was made while its own job was running, which would otherwise start over.
        try queue.write { db in
            try db.execute(
                sql: "DELETE FROM job WHERE type = ?", arguments: [BackUp.protobufName])
        }
        try Epoch.begin(queue, at: WallClock.milliseconds())
        guard let separation else { return }
        try separation.separate(queue)
        let kept = Set(try queue.inDatabase(files))
        for file in backup.files.dropFirst() where !kept.contains(file.name) {
            remove("\(staging)/\(file.name)")
        }
    }

    // MARK: Replacing

    /// Moves the old files away and the new ones in. A mark keeps the service from starting in
    /// between; when this process is killed there, run the restoration again.
    ///
    /// - Returns: the folder of the old files.
    private func replace() throws -> String {
        let ownMark = RestorationMark.path(service, directory)
        try mark(ownMark)
        try flush(staging)
        let former = "\(directory)/\(service).before-\(WallClock.milliseconds())"
        try Store.makeDirectory(former)
        let store = "\(service).sqlite"
        let folders = Set(backup.files.map { String($0.name.split(separator: "/")[0]) })
        for name in folders.union([store, store + "-wal", store + "-shm"]).sorted() {
            try move("\(directory)/\(name)", to: "\(former)/\(name)", mayBeMissing: true)
        }
        for name in folders.sorted() {
            try move("\(staging)/\(name)", to: "\(directory)/\(name)", mayBeMissing: false)
        }
        try flush(directory)
        unlink(RestorationMark.announcement(service, directory))
        unlink(ownMark)
        try flush(directory)
        return former
    }

    private func mark(_ path: String) throws {
        guard RestorationMark.make(path) else { throw unwritable(path) }
    }

    private func move(_ path: String, to target: String, mayBeMissing: Bool) throws {
        guard rename(path, target) != 0, !(mayBeMissing && errno == ENOENT) else { return }
        throw Outage(
            exitCode: Outage.storage,
            "can't move \(path) to \(target) (\(String(cString: strerror(errno)))); the store is "
                + "not complete: fix that and run steward restore again")
    }

    /// Makes renames durable.
    private func flush(_ directory: String) throws {
        guard Folder.flush(directory) else { throw unwritable(directory) }
    }

    private func remove(_ path: String) {
        do { try FileManager.default.removeItem(atPath: path) } catch {
            return  // It is not there.
        }
    }
}
