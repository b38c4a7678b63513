import GRDB

/// The timers of a service: rows with the time when each is due, and when its wait began. If the
/// beginning is still to come, the clock was set back meanwhile, and the timer waits for a time
/// that nobody meant.
final class Timers {
    /// How long to wait before a timer whose handler failed fires again, in milliseconds.
    static let retryInterval: Int64 = 30_000
    /// The maximum number of timers that are taken at once.
    static let mostAtOnce = 100

    /// A timer that is due, or was set while the clock was ahead.
    struct Due {
        let kind: String
        let subject: String
        let due: Int64
        let begun: Int64
    }

    /// A time before which no timer is due; nil when it must be read from the store.
    private var nextDue: Int64?
    /// A time after which no wait began; nil when it must be read from the store.
    private var lastBegun: Int64?

    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("steward: when the wait of a timer began") { db in
            try db.execute(sql: "ALTER TABLE timer ADD COLUMN begun INTEGER NOT NULL DEFAULT 0")
        }
    }

    func set(
        _ kind: String, _ subject: String, _ due: Int64, at now: Int64, _ db: Database
    ) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO timer (kind, subject, due, begun) VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET due = excluded.due, begun = excluded.begun
                """)
        try statement.execute(arguments: [kind, subject, due, now])
        if let earliest = nextDue { nextDue = min(earliest, due) }
        if let latest = lastBegun { lastBegun = max(latest, now) }
    }

    /// Sets a timer again whose wait began at a time that is still to come: its whole wait starts
    /// over now.
    func restart(_ timer: Due, at now: Int64, _ db: Database) throws {
        try set(timer.kind, timer.subject, now + (timer.due - timer.begun), at: now, db)
    }

    func cancel(_ kind: String, _ subject: String, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: "DELETE FROM timer WHERE kind = ? AND subject = ?")
        try statement.execute(arguments: [kind, subject])
    }

    /// When a timer is due, in milliseconds since 1970; nil when it is not set.
    func due(_ kind: String, _ subject: String, _ db: Database) throws -> Int64? {
        let statement = try db.cachedStatement(
            sql: "SELECT due FROM timer WHERE kind = ? AND subject = ?")
        return try Int64.fetchOne(statement, arguments: [kind, subject])
    }

    /// When the last timer of a kind is due, in milliseconds since 1970; nil when none is set. One
    /// that was set while the clock was ahead doesn't count.
    func lastDue(_ kind: String, at now: Int64, _ db: Database) throws -> Int64? {
        let statement = try db.cachedStatement(
            sql: "SELECT max(due) FROM timer WHERE kind = ? AND begun <= ?")
        return try Int64.fetchOne(statement, arguments: [kind, now])
    }

    /// Forgets the next due time, because a transaction that set timers was undone.
    func reload() { nextDue = nil }

    /// When the next timer is due, in milliseconds since 1970; the greatest number when none is
    /// set.
    func next(_ db: Database) throws -> Int64 {
        if let nextDue { return nextDue }
        let due = try Int64.fetchOne(db, sql: "SELECT min(due) FROM timer") ?? .max
        nextDue = due
        return due
    }

    /// True when a timer is due, or was set at a time that is yet to come.
    func areDue(at now: Int64, _ db: Database) throws -> Bool {
        try wasSetBack(to: now, db) || next(db) <= now
    }

    private func wasSetBack(to now: Int64, _ db: Database) throws -> Bool {
        if let lastBegun { return lastBegun > now }
        let latest = try Int64.fetchOne(db, sql: "SELECT max(begun) FROM timer") ?? 0
        lastBegun = latest
        return latest > now
    }

    /// Removes and returns the timers that are due, earliest first, at most ``mostAtOnce``.
    func take(at now: Int64, _ db: Database) throws -> [Due] {
        guard try next(db) <= now else { return [] }
        return try take(where: "due <= ?", now, db)
    }

    /// Removes and returns the timers that were set at a time that is yet to come, earliest first,
    /// at most ``mostAtOnce``.
    func takeSetAhead(at now: Int64, _ db: Database) throws -> [Due] {
        guard try wasSetBack(to: now, db) else { return [] }
        let timers = try take(where: "begun > ?", now, db)
        if timers.count < Self.mostAtOnce { lastBegun = now }
        return timers
    }

    private func take(where condition: String, _ now: Int64, _ db: Database) throws -> [Due] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT kind, subject, due, begun FROM timer WHERE \(condition)
                ORDER BY due LIMIT \(Self.mostAtOnce)
                """,
            arguments: [now])
        nextDue = nil
        return try rows.map { row in
            let (kind, subject): (String, String) = (row["kind"], row["subject"])
            try cancel(kind, subject, db)
            return Due(kind: kind, subject: subject, due: row["due"], begun: row["begun"])
        }
    }
}
