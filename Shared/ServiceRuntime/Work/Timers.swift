import GRDB

/// The timers of a service: rows with the time when each is due.
final class Timers {
    /// How long to wait before a timer whose handler failed fires again, in milliseconds.
    static let retryInterval: Int64 = 30_000

    /// A timer that is due.
    struct Due {
        let kind: String
        let subject: String
        let due: Int64
    }

    /// A time before which no timer is due; nil when it must be read from the store.
    private var nextDue: Int64?

    func set(_ kind: String, _ subject: String, _ due: Int64, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO timer (kind, subject, due) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET due = excluded.due
                """)
        try statement.execute(arguments: [kind, subject, due])
        if let earliest = nextDue { nextDue = min(earliest, due) }
    }

    func cancel(_ kind: String, _ subject: String, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: "DELETE FROM timer WHERE kind = ? AND subject = ?")
        try statement.execute(arguments: [kind, subject])
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

    /// Removes and returns the timers that are due, earliest first, at most 100.
    func take(at now: Int64, _ db: Database) throws -> [Due] {
        guard try next(db) <= now else { return [] }
        let rows = try Row.fetchAll(
            db, sql: "SELECT kind, subject, due FROM timer WHERE due <= ? ORDER BY due LIMIT 100",
            arguments: [now])
        nextDue = nil
        return try rows.map { row in
            let (kind, subject): (String, String) = (row["kind"], row["subject"])
            try cancel(kind, subject, db)
            return Due(kind: kind, subject: subject, due: row["due"])
        }
    }
}
