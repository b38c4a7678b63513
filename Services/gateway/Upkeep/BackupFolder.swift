import Bus
import Checksum
import Disk
import Foundation
import Messages
import Speech

/// The directory of a backup: `manifest.json`, `SHA256SUMS`, and a folder for each service.
struct BackupFolder {
    /// Where it is.
    let path: String
    /// Present while a backup is being made in it.
    private var mark: Mark?

    /// A directory that may not exist yet.
    init(path: String) { self.path = path }

    /// Marks a directory in which a backup is being made. The system removes the mark when the
    /// program ends, however it ends. A network file system may have no marks.
    private final class Mark {
        private let file: Int32

        private init(_ file: Int32) { self.file = file }

        deinit { Foundation.close(file) }

        /// The mark of a directory; nil if it has one already, or there is no such directory.
        ///
        /// - Throws: ``Failure`` if it can't be opened.
        static func made(on path: String) throws -> Mark? {
            let file = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard file >= 0 else {
                guard [ENOENT, ENOTDIR, ELOOP].contains(errno) else {
                    throw BackupFolder.failure(path)
                }
                return nil
            }
            let isMarked = flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
            let mark = Mark(file)
            // Between the two, another backup may have deleted or renamed it.
            return !isMarked && mark.isOn(path) ? mark : nil
        }

        /// True if the directory with this mark has this path.
        func isOn(_ path: String) -> Bool {
            var own = stat()
            var present = stat()
            return fstat(file, &own) == 0 && lstat(path, &present) == 0
                && own.st_dev == present.st_dev && own.st_ino == present.st_ino
        }
    }

    /// A file that is being written.
    final class Writer {
        /// The number of bytes written.
        private(set) var size: UInt64 = 0
        private var checksum = Checksum()
        private let file: Int32
        private let path: String

        fileprivate init(_ path: String) throws {
            self.path = path
            file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw BackupFolder.failure(path) }
        }

        deinit { Foundation.close(file) }

        /// Appends bytes.
        func write(_ bytes: [UInt8]) throws {
            guard !DiskRoom.isLow(at: path) else {
                throw Failure(
                    .broken, "the disk of \(path) is nearly full, and stores may be on it too",
                    advice: "free some space there, or choose a directory on another disk")
            }
            guard OpenFile.write(bytes, to: file) else { throw BackupFolder.failure(path) }
            checksum.add(bytes)
            size += UInt64(bytes.count)
        }

        /// Flushes the file to the disk and closes it.
        ///
        /// - Returns: its size and its SHA-256.
        func close() throws -> (UInt64, String) {
            guard fsync(file) == 0 else { throw BackupFolder.failure(path) }
            return (size, checksum.text())
        }
    }

    private static let (manifest, checksums) = ("manifest.json", "SHA256SUMS")

    /// Makes an empty directory, deleting what an interrupted backup left.
    ///
    /// - Throws: ``Failure`` if something else is there, or another backup is being made there.
    mutating func make() throws {
        if FileManager.default.fileExists(atPath: path) {
            guard try isLeftBehind() else {
                throw Failure(
                    .refused, "\(path) already exists, and is not an unfinished backup",
                    advice: "move it away, or choose another name for the backup")
            }
            guard try delete() else { throw isTaken }
        }
        guard try makeNew() else { throw isTaken }
    }

    /// Makes an empty directory where none exists.
    ///
    /// - Returns: false if someone has made it meanwhile, such as another backup. An account that
    ///   has made it could read and replace what is written into it.
    mutating func makeNew() throws -> Bool {
        try makeDirectory((path as NSString).deletingLastPathComponent)
        guard mkdir(path, 0o700) == 0 else {
            guard errno == EEXIST else { throw Self.failure(path) }
            return false
        }
        mark = try Mark.made(on: path)
        return mark != nil
    }

    private var isTaken: Failure {
        Failure(
            .refused, "another backup is being made in \(path), or somebody else has just made it",
            advice: "wait for the other backup, or choose another name")
    }

    /// Deletes what an interrupted backup left.
    ///
    /// - Returns: false if a backup is being made in the directory, which then stays, or if there
    ///   is no such directory any more.
    /// - Throws: if it can't be deleted.
    @discardableResult
    func delete() throws -> Bool {
        guard let mark = try Mark.made(on: path) else { return false }
        try withExtendedLifetime(mark) { try FileManager.default.removeItem(atPath: path) }
        return true
    }

    /// Deletes a backup that has failed, because others may need the room at once. A directory that
    /// is no longer its own stays: where there are no marks, another backup may have replaced it.
    func discard() {
        guard mark?.isOn(path) == true else { return }
        do { try FileManager.default.removeItem(atPath: path) } catch {
            // The next backup deletes it, or says why not.
        }
    }

    /// True if there is nothing in the directory but what a backup consists of.
    private func isLeftBehind() throws -> Bool {
        let manager = FileManager.default
        let kind = try manager.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        guard kind == .typeDirectory else { return false }
        let parts = Set(ServiceName.allCases.map(\.rawValue) + [Self.manifest, Self.checksums])
        return try manager.contentsOfDirectory(atPath: path).allSatisfy { parts.contains($0) }
    }

    /// Begins a file of a service.
    func file(_ name: String, of service: String) throws -> Writer {
        // The name comes from the service, and must not point outside the directory.
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.contains(where: { ["", ".", ".."].contains($0) }) else {
            throw Failure(.broken, "\(service) names a file “\(name.printable)”")
        }
        let target = "\(path)/\(service)/\(name)"
        try makeDirectory((target as NSString).deletingLastPathComponent)
        return try Writer(target)
    }

    /// Writes the manifest and the checksums, and gives the directory its final name, which makes
    /// the backup complete.
    ///
    /// - Throws: ``Failure`` if a file of the backup has disappeared meanwhile.
    func finish(_ backups: [Backup], as target: String) throws {
        defer { withExtendedLifetime(mark) {} }
        for backup in backups {
            for file in backup.files { try verify(file, of: backup.service) }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let manifest = [UInt8](try encoder.encode(backups)) + Array("\n".utf8)
        var sum = Checksum()
        sum.add(manifest)
        var lines = ["\(sum.text())  \(Self.manifest)\n"]
        for backup in backups {
            lines += backup.files.map { "\($0.sha256)  \(backup.service)/\($0.name)\n" }
        }
        for (name, bytes) in [
            (Self.manifest, manifest), (Self.checksums, Array(lines.joined().utf8)),
        ] {
            let writer = try Writer("\(path)/\(name)")
            try writer.write(bytes)
            _ = try writer.close()
        }
        // Older backups may be deleted next, so this one must survive a loss of power.
        for folder in folders(of: backups) {
            guard Folder.flush(folder) else { throw Self.failure(folder) }
        }
        guard rename(path, target) == 0, Folder.flushName(of: target) else {
            throw Self.failure(target)
        }
    }

    /// The directory, and all directories in it.
    private func folders(of backups: [Backup]) -> Set<String> {
        var folders: Set = [path]
        for backup in backups {
            for file in backup.files {
                var folder = "\(path)/\(backup.service)"
                folders.insert(folder)
                for part in file.name.split(separator: "/").dropLast() {
                    folder += "/\(part)"
                    folders.insert(folder)
                }
            }
        }
        return folders
    }

    private func verify(_ file: Backup.File, of service: String) throws {
        var status = stat()
        guard lstat("\(path)/\(service)/\(file.name)", &status) == 0,
            UInt64(clamping: status.st_size) == file.size
        else {
            throw Failure(
                .broken, "something has deleted or changed \(service)/\(file.name) in \(path)",
                advice: "make the backup again")
        }
    }

    private func makeDirectory(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch { throw Self.failure(path) }
    }

    fileprivate static func failure(_ path: String) -> Failure {
        Failure(
            .broken, "can't write \(path) (\(String(cString: strerror(errno))))",
            advice: "choose a directory with room that this account may write")
    }
}
