import GRDB

/// The history to which the sequence numbers of the outbox belong.
enum Epoch {
    /// Begins a new history after the store was restored from a backup: what was published after
    /// that backup never happened.
    static func begin(_ queue: DatabaseQueue, at now: Int64) throws {
        try queue.write { db in
            let last = try Int64.fetchOne(db, sql: "SELECT max(sequence) FROM outbox") ?? 0
            let start = try Int64.fetchOne(db, sql: "SELECT max(start) FROM epoch") ?? 0
            let newest = try Int64.fetchOne(db, sql: "SELECT max(epoch) FROM epoch") ?? 0
            try db.execute(
                sql: "INSERT INTO epoch (epoch, start) VALUES (?, ?)",
                arguments: [max(now, newest + 1), max(last, start)])
        }
    }
}
