import Bus
import Foundation
import Messages
import Speech

/// The log-in of a person on this machine, in a file that only that person may read, so that each
/// command continues the session of the last one. Each bus has its own.
///
/// Not Sendable: it belongs to the thread of the command.
final class KeptLogIn {
    /// The entry of the file for a bus.
    struct Entry: Codable, Hashable {
        /// The name of the account.
        var name: String
        /// The session's id.
        var session: String
        /// The refresh token of the session, which works once.
        var refreshToken: Data
        /// Access tokens by service.
        var tokens: [String: Data] = [:]
        /// When they expire, milliseconds since 1970.
        var expires: Int64 = 0
        /// The next refresh token, proposed in an exchange whose answer has not come yet.
        var next: Data?
        /// The site that the log-in is for; nil for none.
        var site: ChosenSite?
        /// True if the session has ended and the person has neither logged in nor out since.
        var isOver: Bool?
    }

    /// How long before its expiry an access token is no longer used, milliseconds, so that it is
    /// still valid when a message that had to be sent more than once arrives.
    static let margin: Int64 = 30_000
    /// How long a valid token is used without another attempt to exchange the refresh token, after
    /// one that failed.
    private static let rest: Duration = .seconds(5)
    /// How long to wait for account-service while there is a valid token, or if it didn't answer
    /// the last time. A long command shows and does nothing meanwhile.
    private static let shortPatience: Duration = .seconds(3)
    /// How long newly fetched access tokens are trusted: a refusal within this time isn't taken for
    /// a revocation. It doubles each time up to ``longestTrial``, because an account may exchange
    /// its tokens only so often.
    private static let shortestTrial: Duration = .seconds(5)
    private static let longestTrial: Duration = .seconds(300)

    private let file: PersonalFile<Entry>
    private let connection: Connection
    private var known: Entry?
    private var isRead = false
    /// When this process itself fetched access tokens; nil if it has not.
    private var fetched: ContinuousClock.Instant?
    private var trial = KeptLogIn.shortestTrial
    /// True if this process's last attempt to exchange the refresh token failed.
    private var isCutOff = false
    /// Until when a valid token is used without another attempt.
    private var restEnds = ContinuousClock.now

    init(_ configuration: Bus.Configuration, _ connection: Connection) {
        file = PersonalFile(
            name: "session", of: "your session",
            cure: "remove it and log in again: steward login", configuration, connection)
        self.connection = connection
    }

    /// The access token for a service; empty if nobody is logged in.
    ///
    /// - Throws: ``Failure`` if the session is over, until the person logs in or out: a command
    ///   meant for an account must not be carried out in the name of the machine's owner.
    func token(for service: ServiceName) throws -> [UInt8] {
        if !isRead { known = try file.read() }
        isRead = true
        guard let entry = known else { return [] }
        guard entry.isOver != true else { throw over }
        if let token = good(entry, for: service) { return token }
        if ContinuousClock.now < restEnds, let token = valid(entry, for: service) { return token }
        do { return try renewed(for: service) } catch {
            isCutOff = true
            // The token is still valid for a moment, and an exchange may succeed before it expires.
            guard let entry = known, entry.isOver != true, let token = valid(entry, for: service)
            else { throw error }
            restEnds = ContinuousClock.now + Self.rest
            return token
        }
    }

    /// The access token for a service after an exchange, by this or another process.
    private func renewed(for service: ServiceName) throws -> [UInt8] {
        try file.locked { kept, write in
            // Another process may have been faster.
            let entry = try takenOver(kept)
            guard entry.isOver != true else { throw over }
            if let token = good(entry, for: service) { return token }
            return try refresh(entry, for: service, &kept, write)
        }
    }

    /// Discards the access tokens, because a service has refused one of them. Tokens that this
    /// process has just fetched stay, because new ones won't help. So do tokens that were fetched
    /// after the refused one was sent.
    ///
    /// - Parameter token: the one that was refused.
    /// - Returns: true if the next message will have another token.
    func forgetTokens(refused token: [UInt8]) throws -> Bool {
        guard !token.isEmpty, try entry() != nil else { return false }
        return try file.locked { kept, _ in
            let entry = try takenOver(kept)
            guard entry.tokens.values.contains(Data(token)) else { return true }
            if let fetched {
                guard ContinuousClock.now - fetched >= trial else { return false }
                trial = min(trial * 2, Self.longestTrial)
            }
            kept?.expires = 0
            known = kept
            return true
        }
    }

    /// Takes over the log-in that another process may have kept meanwhile.
    ///
    /// - Throws: ``Failure`` if it is someone else's, or none: what this process still does was
    ///   meant for the account with which it began.
    private func takenOver(_ kept: Entry?) throws -> Entry {
        guard let entry = kept, entry.name == known?.name else {
            throw Failure(
                .refused,
                kept.map { "\($0.name) has logged in on this machine meanwhile" }
                    ?? "somebody has logged out on this machine meanwhile",
                advice: "start the command again if it is still to be carried out")
        }
        known = entry
        return entry
    }

    /// Makes the access tokens expire immediately.
    func expireTokens() throws {
        guard try entry() != nil else { return }
        try file.locked { kept, _ in
            kept?.expires = 0
            known = kept
        }
    }

    /// The present log-in; nil if nobody is logged in.
    func entry() throws -> Entry? { try file.read() }

    /// True if the person is logged in at another bus, perhaps besides this one.
    func isElsewhereToo() throws -> Bool { try file.hasOthers() }

    /// Changes the site of the log-in; nil for none.
    ///
    /// - Returns: false when nobody is logged in.
    func keep(site: ChosenSite?) throws -> Bool {
        guard try entry() != nil else { return false }
        return try file.locked { kept, _ in
            kept?.site = site
            known = kept
            return kept != nil
        }
    }

    /// Keeps a log-in, or deletes it if nil.
    ///
    /// - Returns: the log-in in whose place it is kept.
    @discardableResult
    func keep(_ entry: Entry?) throws -> Entry? {
        let former = try file.locked { kept, _ in
            let former = kept
            kept = entry
            return former
        }
        (known, isRead) = (entry, true)
        return former
    }

    /// Ends the session of a log-in that is no longer kept, so that other processes use another
    /// one, and perhaps still use this one's access tokens. If account-service can't be reached,
    /// the session expires after 90 days.
    func end(_ former: Entry) throws {
        guard former.isOver != true else { return }
        do {
            let client = try Client(connection, to: .account)
            if let token = valid(former, for: .account) {
                client.token = token
                do {
                    _ = try client.ask(LogOut(), for: LoggedOut.self)
                    return
                } catch ClientError.refused(let refusal) where refusal.code == .badToken {}
            }
            let granted = try exchange(
                former.refreshToken, for: former.next ?? Self.makeRefreshToken(), within: nil)
            guard let token = granted.tokens[ServiceName.account.rawValue] else { return }
            client.token = token
            _ = try client.ask(LogOut(), for: LoggedOut.self)
        } catch is ClientError {
            // The session was over already, or expires.
        }
    }

    /// A token that is valid for long enough.
    private func good(_ entry: Entry, for service: ServiceName) -> [UInt8]? {
        valid(entry, for: service, after: Self.margin)
    }

    /// A token that is still valid after a time, milliseconds.
    private func valid(
        _ entry: Entry, for service: ServiceName, after time: Int64 = 0
    ) -> [UInt8]? {
        guard entry.expires - time > WallClock.milliseconds() else { return nil }
        return entry.tokens[service.rawValue].map { [UInt8]($0) }
    }

    /// Exchanges the refresh token. The successor that it proposes is written to the file first, so
    /// that the session continues whatever happens to this process, to the service or to the
    /// answer.
    private func refresh(
        _ entry: Entry, for service: ServiceName, _ kept: inout Entry?,
        _ write: (Entry?) throws -> Void
    ) throws -> [UInt8] {
        var entry = entry
        let next = entry.next ?? Self.makeRefreshToken()
        entry.next = next
        kept = entry
        try write(entry)
        let isUrgent = !isCutOff && valid(entry, for: service) == nil
        let granted: AccessGranted
        do {
            granted = try exchange(
                entry.refreshToken, for: next, within: isUrgent ? nil : Self.shortPatience)
        } catch ClientError.refused(let refusal) where refusal.code == .forbidden {
            (entry.isOver, entry.refreshToken, entry.tokens, entry.next) = (true, Data(), [:], nil)
            known = entry
            try write(entry)
            throw over
        }
        // The former tokens expired without being refused: start over with the shortest time.
        if entry.expires > 0 { trial = Self.shortestTrial }
        entry.refreshToken = Data(granted.refreshToken)
        entry.next = nil
        entry.tokens = granted.tokens.mapValues { Data($0) }
        entry.expires = granted.expires
        kept = entry
        known = entry
        (fetched, isCutOff) = (ContinuousClock.now, false)
        return granted.tokens[service.rawValue] ?? []
    }

    private static func makeRefreshToken() -> Data {
        Data((0..<32).map { _ in UInt8.random(in: 0...255) })
    }

    private var over: Failure {
        let logIn = "log in again: steward login NAME"
        return Failure(
            .refused, "your session is over",
            advice: connection.address.isPrivate
                ? logIn + ", or go on as the owner of this machine: steward logout" : logIn)
    }

    /// - Parameter time: how long to wait for each answer; nil for as long as usual.
    private func exchange(
        _ token: Data, for next: Data, within time: Duration?
    ) throws -> AccessGranted {
        let client = try Client(connection, to: .account)
        let command = RefreshAccess(
            refreshToken: [UInt8](token), audiences: ServiceName.allCases.map(\.rawValue),
            nextRefreshToken: [UInt8](next))
        do {
            return try client.ask(command, for: AccessGranted.self, deadline: time)
        } catch ClientError.refused(let refusal) where refusal.code == .conflict {
            // The exchange was carried out, but the answer was lost with the process that sent it.
            return try client.ask(command, for: AccessGranted.self, deadline: time)
        }
    }
}
