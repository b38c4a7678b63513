import GRDB

/// The timers of a service: rows with a due time. What is due is a query with the time.
final class Timers {
    /// How long to wait before a timer whose handler failed fires again: milliseconds.
    static let retryInterval: Int64 = 30_000

    /// A timer that is due.
    struct Due {
        let kind: String
        let subject: String
        let due: Int64
    }

    /// No timer is due before this; nil when it has to be asked for.
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

    /// Reads again which is next: a transaction that set timers was undone.
    func reload() { nextDue = nil }

    /// When the next timer is due: milliseconds since 1970, the greatest number when none is set.
    func next(_ db: Database) throws -> Int64 {
        if let nextDue { return nextDue }
        let due = try Int64.fetchOne(db, sql: "SELECT min(due) FROM timer") ?? .max
        nextDue = due
        return due
    }

    /// Takes out the timers that are due, earliest first, at most 100.
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
