import Bus
import Foundation
import Messages

/// The log-in of a person on this machine, in a file that only that person may read: it goes on
/// where the last command ended. Each bus has its own.
///
/// Not Sendable: it belongs to the thread of the command.
final class KeptLogIn {
    /// What the file has for a bus.
    struct Entry: Codable, Hashable {
        /// The name of the account.
        var name: String
        /// The session's id.
        var session: String
        /// The proof of the session, good once.
        var refreshToken: Data
        /// Access tokens by service.
        var tokens: [String: Data] = [:]
        /// When they expire, milliseconds since 1970.
        var expires: Int64 = 0
        /// The id of a refresh whose answer has not come yet.
        var pending: String?
    }

    /// Access tokens are not used in their last half minute, so that they are still good when a
    /// message arrives that was sent more than once: milliseconds.
    static let margin: Int64 = 30_000

    private let directory: String?
    private let connection: Connection
    private var known: Entry?
    private var isRead = false

    init(_ configuration: Bus.Configuration, _ connection: Connection) {
        directory = configuration.personalDirectory
        self.connection = connection
    }

    /// The proof for a service; empty when no one is logged in.
    func token(for service: ServiceName) throws -> [UInt8] {
        if !isRead { known = try read()[bus] }
        isRead = true
        guard let entry = known else { return [] }
        if let token = good(entry, for: service) { return token }
        return try locked { entries in
            // Another process may have been quicker.
            guard let entry = entries[bus] else {
                known = nil
                return []
            }
            if let token = good(entry, for: service) {
                known = entry
                return token
            }
            return try refresh(entry, for: service, &entries)
        }
    }

    /// Forgets the access tokens, because a service has refused one.
    func forgetTokens() throws {
        try locked { entries in
            entries[bus]?.expires = 0
            known = entries[bus]
        }
    }

    /// What is kept now; nil when no one is logged in.
    func entry() throws -> Entry? { try read()[bus] }

    /// Keeps a log-in, or forgets it.
    func keep(_ entry: Entry?) throws {
        try locked { entries in entries[bus] = entry }
        (known, isRead) = (entry, true)
    }

    private var bus: String { connection.address.description }

    private func good(_ entry: Entry, for service: ServiceName) -> [UInt8]? {
        guard entry.expires - Self.margin > WallClock.milliseconds() else { return nil }
        return entry.tokens[service.rawValue].map { [UInt8]($0) }
    }

    /// Exchanges the refresh token. Its successor is written before anything else is done.
    private func refresh(
        _ entry: Entry, for service: ServiceName, _ entries: inout [String: Entry]
    ) throws -> [UInt8] {
        var entry = entry
        let client = try Client(connection, to: .account)
        // Under the same id as before, when the answer to that was lost: it may not have arrived.
        let id = entry.pending.flatMap { MessageID($0) } ?? client.makeID()
        entry.pending = "\(id)"
        entries[bus] = entry
        try write(entries)
        do {
            let granted = try client.ask(
                RefreshAccess(
                    refreshToken: [UInt8](entry.refreshToken),
                    audiences: ServiceName.allCases.map(\.rawValue)),
                for: AccessGranted.self, id: id)
            entry.refreshToken = Data(granted.refreshToken)
            entry.tokens = granted.tokens.mapValues { Data($0) }
            entry.expires = granted.expires
            entry.pending = nil
            entries[bus] = entry
            known = entry
            return granted.tokens[service.rawValue] ?? []
        } catch ClientError.refused(let refusal) where refusal.code != .internal {
            entries[bus] = nil
            known = nil
            try write(entries)
            throw Failure(
                .refused, "your session is over", advice: "log in again: steward login")
        }
    }

    // MARK: The file

    private func path() throws -> String {
        guard let directory else {
            throw Failure(
                .broken, "there is no place to keep a session", advice: "set HOME")
        }
        return directory + "/session"
    }

    private func read() throws -> [String: Entry] {
        guard directory != nil, let bytes = FileManager.default.contents(atPath: try path()) else {
            return [:]
        }
        do { return try JSONDecoder().decode([String: Entry].self, from: bytes) } catch {
            throw Failure(
                .broken, "the file of your session can't be read: \(try path())",
                advice: "remove it and log in again: steward login")
        }
    }

    /// Changes the file while no other process does.
    private func locked<R>(_ body: (inout [String: Entry]) throws -> R) throws -> R {
        let path = try path()
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw Self.unwritable(path) }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Self.unwritable(path) }
        }
        var entries = try read()
        let before = entries
        let result = try body(&entries)
        if entries != before { try write(entries) }
        return result
    }

    /// Whole or not at all: a refresh token that is lost ends the session.
    private func write(_ entries: [String: Entry]) throws {
        let path = try path()
        let bytes = [UInt8](try JSONEncoder().encode(entries))
        let file = open(path + ".new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.unwritable(path) }
        defer { close(file) }
        guard Foundation.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0,
            rename(path + ".new", path) == 0
        else { throw Self.unwritable(path) }
    }

    private static func unwritable(_ path: String) -> Failure {
        Failure(
            .broken,
            "the file of your session, \(path), can't be written "
                + "(\(String(cString: strerror(errno))))",
            advice: "make its directory writable for this account")
    }
}
