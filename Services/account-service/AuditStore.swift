import GRDB
import Messages
import ServiceRuntime

/// What happened to accounts and roles, and who did it. It holds no secret, and no name that was
/// typed at a log-in and is no account's: people type their password there.
enum AuditTrail {
    /// Entries are kept for two years: milliseconds.
    static let retention: Int64 = 730 * 24 * 3_600_000

    /// Notes one thing that happened; the administrators of the organisation may read it.
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

    /// What strangers can cause without end; so many entries of each are kept, the newest.
    private static let unbounded = ["denied", logInFailed]
    static let longestOfStrangers = 100_000
    /// Someone could not log in.
    static let logInFailed = "log-in failed"
    /// The same denial is one entry for so long: a minute in milliseconds.
    static let denialWindow: Int64 = 60_000

    /// Notes what a service has denied.
    static func note(
        _ event: AccessDenied, of service: String, at time: Int64, _ db: Database
    ) throws {
        let messages = event.type.isEmpty ? "messages of several kinds" : event.type
        try noteDenial(
            of: "\(messages) to \(service)", to: event.account, from: event.key,
            count: event.count, organisation: event.organisation, at: time, db)
    }

    /// Notes that messages were denied. The same within a minute is one entry, with its number.
    static func noteDenial(
        of what: String, to account: String, from key: String = "", count: UInt64 = 1,
        organisation: String, at time: Int64, _ db: Database
    ) throws {
        let detail = key.isEmpty ? what : "\(what), from the key \(key)"
        let organisation = organisation.isEmpty ? Principal.localOrganisation : organisation
        try db.execute(
            sql: """
                UPDATE audit SET count = count + ?
                WHERE number = (
                    SELECT max(number) FROM audit WHERE action = 'denied' AND who = ?
                    AND detail = ? AND organisation = ?
                ) AND abs(? - time) < ?
                """,
            arguments: [
                Int64(clamping: count), account, detail, organisation, time, denialWindow,
            ])
        guard db.changesCount == 0 else { return }
        try db.execute(
            sql: """
                INSERT INTO audit (time, organisation, who, action, subject, detail, count)
                VALUES (?, ?, ?, 'denied', '', ?, ?)
                """,
            arguments: [time, organisation, account, detail, Int64(clamping: count)])
    }

    /// Entries before a number, newest first, of an organisation or of all.
    static func read(
        before number: UInt64, limit: Int, of scope: OrganisationScope, _ db: Database
    ) throws -> [Audit.Entry] {
        let before = number == 0 ? Int64.max : Int64(clamping: number)
        return try Row.fetchAll(
            db,
            sql: """
                SELECT number, time, who, action, subject, detail, count FROM audit
                WHERE number < :before AND \(OrganisationScope.condition)
                ORDER BY number DESC LIMIT :limit
                """,
            arguments: ["before": before, "limit": limit] + scope.arguments
        ).map {
            Audit.Entry(
                number: UInt64(clamping: $0["number"] as Int64), time: $0["time"],
                actor: $0["who"], action: $0["action"], subject: $0["subject"],
                detail: $0["detail"], count: UInt64(clamping: $0["count"] as Int64))
        }
    }

    /// Forgets what is too old, and what is too much of what strangers have caused.
    static func prune(
        at now: Int64, keeping most: Int = longestOfStrangers, _ db: Database
    ) throws {
        try db.execute(sql: "DELETE FROM audit WHERE time < ?", arguments: [now - retention])
        for action in unbounded {
            try db.execute(
                sql: """
                    DELETE FROM audit WHERE action = '\(action)' AND number <= (
                        SELECT number FROM audit WHERE action = '\(action)'
                        ORDER BY number DESC LIMIT 1 OFFSET ?
                    )
                    """,
                arguments: [most])
        }
    }
}
