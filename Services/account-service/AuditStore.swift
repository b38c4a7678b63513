import GRDB
import Messages

/// What happened to accounts and roles, and who did it. It holds no secret, and no name that was
/// typed at a log-in and is no account's: people type their password there.
enum AuditTrail {
    /// Entries are kept for two years: milliseconds.
    static let retention: Int64 = 730 * 24 * 3_600_000

    /// Notes one thing that happened.
    ///
    /// - Parameter organisation: whose administrators may read it.
    static func note(
        _ action: String, by actor: String, on subject: String = "", _ detail: String = "",
        organisation: String, at now: Int64, _ db: Database
    ) throws {
        try db.execute(
            sql: """
                INSERT INTO audit (time, organisation, who, action, subject, detail)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [now, organisation, actor, action, subject, detail])
    }

    /// Entries before a number, newest first, of an organisation or of all.
    static func read(
        before number: UInt64, limit: Int, organisation: String?, _ db: Database
    ) throws -> [Audit.Entry] {
        let before = number == 0 ? Int64.max : Int64(clamping: number)
        return try Row.fetchAll(
            db,
            sql: """
                SELECT number, time, who, action, subject, detail FROM audit
                WHERE number < ? AND (? IS NULL OR organisation = ?)
                ORDER BY number DESC LIMIT ?
                """,
            arguments: [before, organisation, organisation, limit]
        ).map {
            Audit.Entry(
                number: UInt64(clamping: $0["number"] as Int64), time: $0["time"],
                actor: $0["who"], action: $0["action"], subject: $0["subject"],
                detail: $0["detail"])
        }
    }

    /// Forgets what is too old.
    static func prune(at now: Int64, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM audit WHERE time < ?", arguments: [now - retention])
    }
}
