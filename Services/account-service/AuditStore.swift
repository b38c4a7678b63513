import GRDB
import Messages
import ServiceRuntime

/// What happened to accounts and roles, and who did it. It contains no secret, and no name typed at
/// a log-in that belongs to no account: people type their password there by mistake.
enum AuditTrail {
    /// How long entries are kept: two years in milliseconds.
    static let retention: Int64 = 730 * 24 * 3_600_000

    /// The maximum length of an entry's detail, in bytes. A list of a hundred roles would be much
    /// longer.
    static let longestDetail = 2000

    /// Records an action; the administrators of the organisation may read it.
    static func note(
        _ action: AuditAction, by actor: String, on subject: String = "", _ detail: String = "",
        organisation: String, at now: Int64, _ db: Database
    ) throws {
        let short = detail.prefix(bytes: longestDetail)
        try db.execute(
            sql: """
                INSERT INTO audit (time, organisation, who, action, subject, detail)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                now, organisation, actor, action.rawValue, subject,
                short == detail ? detail : short + "…",
            ])
        guard !actor.isEmpty else { return }
        try db.cachedStatement(
            sql: """
                DELETE FROM audit WHERE number IN (
                    SELECT number FROM audit WHERE who = ? AND \(isOfAnyone)
                    ORDER BY number DESC LIMIT ? OFFSET ?)
                """
        ).execute(arguments: [actor, portion, mostOfAnyone])
    }

    /// True of the actions that need no role, so that a program could repeat them without end. An
    /// index has this condition: to change it, make a new index.
    static let isOfAnyone = """
        action IN ('logged in', 'logged out', 'logged out everywhere',
            'logged out for a new log-in', 'code to log in made', 'password changed',
            'refresh token used twice', 'refreshed too often', 'carer added', 'carer removed')
        """

    /// Makes the index that finds these entries of an account without reading any others.
    static func makeIndex(_ db: Database) throws {
        try db.execute(
            sql: "CREATE INDEX auditOfAnyone ON audit (who, number) WHERE \(isOfAnyone)")
    }

    /// The maximum number of such entries of an account, the newest.
    static let mostOfAnyone = 10_000
    /// The maximum number of such entries deleted at once. An earlier version may have left many,
    /// and whoever logs in waits for the deletion.
    static let portion = 1000

    /// The actions that strangers can cause without limit; only the newest entries of each are
    /// kept.
    private static let unbounded: [AuditAction] = [.denied, .logInFailed]
    static let longestOfStrangers = 100_000
    /// How long equal denials are counted in one entry: a minute in milliseconds.
    static let denialWindow: Int64 = 60_000

    /// Records what a service has denied.
    static func note(
        _ event: AccessDenied, of service: String, at time: Int64, _ db: Database
    ) throws {
        try note(
            Denial(type: event.type, service: service, key: event.key), to: event.account,
            count: event.count, organisation: event.organisation, at: time, db)
    }

    /// Records that messages were denied. Equal denials within a minute share one entry, which
    /// counts them.
    static func note(
        _ denial: Denial, to account: String, count: UInt64 = 1, organisation: String,
        at time: Int64, _ db: Database
    ) throws {
        let detail = denial.detail
        let organisation = organisation.isEmpty ? Principal.localOrganisation : organisation
        try db.execute(
            sql: """
                UPDATE audit SET count = count + min(?, \(Int64.max) - count)
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

    /// Records that counts of failed attempts were deleted because there were too many. There is
    /// one entry a day, which says how many.
    static func noteDeleted(attempts count: Int, at now: Int64, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE audit SET count = count + ? WHERE number = (
                    SELECT max(number) FROM audit WHERE \(isOfDeletion)
                ) AND abs(? - time) < ?
                """, arguments: [count, now, Throttle.memory])
        guard db.changesCount == 0 else { return }
        try db.execute(
            sql: """
                INSERT INTO audit (time, organisation, who, action, subject, detail, count)
                VALUES (?, ?, '', ?, '', '', ?)
                """,
            arguments: [
                now, Principal.localOrganisation, AuditAction.attemptsDeleted.rawValue, count,
            ])
    }

    /// True of such entries. An index has this condition.
    private static let isOfDeletion = "action = '\(AuditAction.attemptsDeleted.rawValue)'"

    /// Makes the index that finds the last of these entries.
    static func makeIndexOfDeletions(_ db: Database) throws {
        try db.execute(
            sql: "CREATE INDEX attemptsDeleted ON audit (number) WHERE \(isOfDeletion)")
    }

    /// The entries before a number, newest first, of an organisation or of all.
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

    /// Deletes some of the entries that are too old. After weeks in which the service was down
    /// there may be very many.
    static let pruning = """
        DELETE FROM audit WHERE number IN (
            SELECT number FROM audit WHERE time < ? LIMIT \(portion))
        """

    /// Deletes some of the entries that are too old, and some of those beyond the limit for
    /// strangers' actions.
    ///
    /// - Returns: true when there may be more of them.
    @discardableResult
    static func prune(
        at now: Int64, keeping most: Int = longestOfStrangers, _ db: Database
    ) throws -> Bool {
        try db.execute(sql: pruning, arguments: [now - retention])
        var isMore = db.changesCount == portion
        for action in unbounded.map(\.rawValue) {
            try db.execute(
                sql: """
                    DELETE FROM audit WHERE number IN (
                        SELECT number FROM audit WHERE action = '\(action)'
                        ORDER BY number DESC LIMIT \(portion) OFFSET ?)
                    """, arguments: [most])
            isMore = isMore || db.changesCount == portion
        }
        return isMore
    }
}
