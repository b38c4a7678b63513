import Bus
import Disk
import Foundation
import Speech

/// A file of a person on this machine, which only that person may read, with what one command keeps
/// for the next. Each bus has its own entry in it.
struct PersonalFile<Entry: Codable & Hashable> {
    private let directory: String?
    private let name: String
    private let bus: String
    private let what: String
    private let cure: String

    /// A file in the person's own directory.
    ///
    /// - Parameters:
    ///   - what: what the file is for, as in `the file of \(what)`.
    ///   - cure: what to do when it can't be read.
    init(
        name: String, of what: String, cure: String, _ configuration: Bus.Configuration,
        _ connection: Connection
    ) {
        directory = configuration.personalDirectory
        bus = connection.address.description
        (self.name, self.what, self.cure) = (name, what, cure)
    }

    /// The entry for this bus; nil if there is none.
    func read() throws -> Entry? { try readAll()[bus] }

    /// True if there is an entry for another bus.
    func hasOthers() throws -> Bool { try readAll().keys.contains { $0 != bus } }

    /// Changes the entry while no other process can.
    ///
    /// - Parameter body: gets the entry, and a function that writes it immediately, for values that
    ///   must be on the disk before anything else happens.
    func locked<R>(_ body: (inout Entry?, (Entry?) throws -> Void) throws -> R) throws -> R {
        let path = try path()
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw unwritable(path) }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw unwritable(path) }
        }
        var entries = try readAll()
        var entry = entries[bus]
        let result = try body(&entry) { now in
            entries[bus] = now
            try write(entries)
        }
        if entry != entries[bus] {
            entries[bus] = entry
            try write(entries)
        }
        return result
    }

    private func path() throws -> String {
        guard let directory else {
            throw Failure(.broken, "there is nowhere to keep \(what)", advice: "set HOME")
        }
        return "\(directory)/\(name)"
    }

    private func readAll() throws -> [String: Entry] {
        guard directory != nil else { return [:] }
        let path = try path()
        let bytes: Data
        do { bytes = try Data(contentsOf: URL(filePath: path)) } catch let error as CocoaError
            where error.code == .fileReadNoSuchFile
        { return [:] } catch { throw unreadable(path) }
        do { return try JSONDecoder().decode([String: Entry].self, from: bytes) } catch {
            throw unreadable(path)
        }
    }

    /// Writes all or nothing: the file may have the only copy of a secret.
    private func write(_ entries: [String: Entry]) throws {
        let path = try path()
        let bytes = [UInt8](try JSONEncoder().encode(entries))
        let file = open(path + ".new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw unwritable(path) }
        defer { close(file) }
        // A power cut must not bring back the old file.
        guard OpenFile.write(bytes, to: file), fsync(file) == 0,
            rename(path + ".new", path) == 0, Folder.flushName(of: path)
        else { throw unwritable(path) }
    }

    private func unreadable(_ path: String) -> Failure {
        Failure(.broken, "the file of \(what) can't be read: \(path)", advice: cure)
    }

    private func unwritable(_ path: String) -> Failure {
        Failure(
            .broken,
            "the file of \(what), \(path), can't be written "
                + "(\(String(cString: strerror(errno))))",
            advice: "make its directory writable for this account")
    }
}
