import Foundation
import GRDB
import Messages

extension LiveSession {
    /// The session with an id.
    static func find(_ id: String, _ db: Database) throws -> LiveSession? {
        try fetch(db, "WHERE id = ?", [id]).first
    }

    /// The session to which a refresh token belongs or once belonged.
    static func find(token: [UInt8], _ db: Database) throws -> LiveSession? {
        try fetch(
            db,
            """
            WHERE token = ?1 OR id = (SELECT session FROM formerToken WHERE token = ?1)
            """, [Data(token)]
        ).first
    }

    /// True when a refresh token was never used in any session.
    static func isNew(token: [UInt8], _ db: Database) throws -> Bool {
        try find(token: token, db) == nil
    }

    /// The live sessions of an account, the last used first.
    static func all(of account: String, _ db: Database) throws -> [LiveSession] {
        try fetch(db, "WHERE account = ? AND ended = 0 ORDER BY used DESC, id DESC", [account])
    }

    /// True when an account has a session, or one that ended so lately that it is still kept.
    static func isAnyKept(of account: String, _ db: Database) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM session WHERE account = ?)")
        return try Bool.fetchOne(statement, arguments: [account]) ?? false
    }

    /// The sessions that have ended since a time.
    static func ended(since time: Int64, _ db: Database) throws -> [LiveSession] {
        try fetch(db, "WHERE ended > ? ORDER BY id", [time])
    }

    /// Inserts a new session.
    func insert(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO session (id, account, device, began, used, ended, token, code)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [id, account, device, began, used, ended, Data(token), Data(code)])
    }

    /// Exchanges the refresh token, and keeps the old one for a year, to notice when it is used
    /// again.
    ///
    /// - Parameters:
    ///   - token: the hash of the next one.
    ///   - now: the present time in milliseconds since 1970.
    ///   - believed: the time by which what is old is deleted.
    ///   - db: the store.
    mutating func exchange(
        for token: [UInt8], at now: Int64, believed: Int64, _ db: Database
    ) throws {
        try db.cachedStatement(sql: "DELETE FROM formerToken WHERE session = ? AND time < ?")
            .execute(arguments: [id, believed - Self.tokenMemory])
        try db.cachedStatement(
            sql: "INSERT INTO formerToken (token, session, time) VALUES (?, ?, ?)"
        ).execute(arguments: [Data(self.token), id, now])
        (self.token, used) = (token, now)
        try save(db)
    }

    /// Notes when tokens were issued again for a former refresh token, because the answer was lost.
    static func noteRepeated(_ token: [UInt8], at now: Int64, _ db: Database) throws {
        try db.cachedStatement(
            sql: "UPDATE formerToken SET time = max(time, ?) WHERE token = ?"
        ).execute(arguments: [now, Data(token)])
    }

    /// True if it got access tokens at a time that is still to come, because the clock was ahead.
    func hasTokens(after now: Int64, _ db: Database) throws -> Bool {
        guard used <= now else { return true }
        let statement = try db.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM formerToken WHERE session = ? AND time > ?)")
        return try Bool.fetchOne(statement, arguments: [id, now]) ?? false
    }

    /// True when its refresh token was exchanged as often as is allowed within a year.
    func isWornOut(believed: Int64, _ db: Database) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: "SELECT count(*) FROM formerToken WHERE session = ? AND time >= ?")
        let count = try Int.fetchOne(statement, arguments: [id, believed - Self.tokenMemory])
        return (count ?? 0) >= Self.mostFormerTokens
    }

    /// Ends the session.
    mutating func end(at now: Int64, _ db: Database) throws {
        (ended, code) = (now, [])
        try save(db)
    }

    /// Updates its row.
    func save(_ db: Database) throws {
        try db.execute(
            sql: "UPDATE session SET used = ?, ended = ?, token = ?, code = ? WHERE id = ?",
            arguments: [used, ended, Data(token), Data(code), id])
    }

    /// Ends the live sessions of an account, except one.
    ///
    /// - Returns: the number of sessions that were ended.
    @discardableResult
    static func endAll(
        of account: String, except kept: String = "", at now: Int64, _ db: Database
    ) throws -> Int {
        try db.execute(
            sql: """
                UPDATE session SET ended = ?, code = x'' WHERE account = ? AND ended = 0
                AND id <> ?
                """,
            arguments: [now, account, kept])
        return db.changesCount
    }

    /// Ends the live sessions of all accounts.
    static func endAll(at now: Int64, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE session SET ended = ?, code = x'' WHERE ended = 0", arguments: [now])
    }

    /// The maximum numbers of former tokens and of sessions that are deleted at once. A session may
    /// have 100,000 tokens, and whoever logs in waits for the deletion.
    static let tokensAtOnce = 2_000
    static let sessionsAtOnce = 1_000

    /// Deletes some of the oldest ended sessions of an account beyond ``mostEnded``.
    ///
    /// - Parameters:
    ///   - account: the account.
    ///   - time: only those that ended before it, whose access tokens are no longer valid.
    ///   - db: the store.
    static func forgetEnded(of account: String, before time: Int64, _ db: Database) throws {
        _ = try delete(
            """
            SELECT id FROM session WHERE ended < :time AND id IN (
                SELECT id FROM session WHERE account = :account AND ended > 0
                ORDER BY ended DESC LIMIT -1 OFFSET :kept)
            """, ["account": account, "time": time, "kept": mostEnded], db)
    }

    /// Deletes some of the sessions that ended long ago, and ends those unused for too long.
    ///
    /// - Returns: true when there may be more to delete.
    static func prune(at now: Int64, _ db: Database) throws -> Bool {
        try db.execute(
            sql: "UPDATE session SET ended = ?1, code = x'' WHERE ended = 0 AND used < ?2",
            arguments: [now, now - longestRest])
        return try delete(
            "SELECT id FROM session WHERE ended > 0 AND ended < :time",
            ["time": now - 30 * 24 * 3_600_000], db)
    }

    /// Deletes some of the sessions that a query finds. Those with many former tokens lose these
    /// first, so that a stretch never deletes many of them.
    ///
    /// - Returns: true when there may be more to delete.
    private static func delete(
        _ selection: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> Bool {
        try db.cachedStatement(
            sql: """
                DELETE FROM formerToken WHERE token IN (
                    SELECT token FROM formerToken WHERE session IN (\(selection))
                    LIMIT \(tokensAtOnce))
                """
        ).execute(arguments: arguments)
        guard db.changesCount < tokensAtOnce else { return true }
        try db.cachedStatement(
            sql: """
                DELETE FROM session WHERE id IN (
                    SELECT id FROM (\(selection)) LIMIT \(sessionsAtOnce))
                """
        ).execute(arguments: arguments)
        return db.changesCount == sessionsAtOnce
    }

    private static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [LiveSession] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT id, account, device, began, used, ended, token, code FROM session \
                \(condition)
                """)
        return try Row.fetchAll(statement, arguments: arguments).map {
            LiveSession(
                id: $0["id"], account: $0["account"], device: $0["device"], began: $0["began"],
                used: $0["used"], ended: $0["ended"], token: [UInt8]($0["token"] as Data),
                code: [UInt8]($0["code"] as Data))
        }
    }
}
