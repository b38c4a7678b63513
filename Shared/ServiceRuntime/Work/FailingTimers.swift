import GRDB
import Messages

/// The timers whose handlers have failed. Each is tried again until it succeeds, so people are told
/// of those that fail again and again, and once more each day while any does.
///
/// Not Sendable: it belongs to the thread of the loop.
final class FailingTimers {
    /// The number of failures in a row after which people are told.
    static let patience: Int64 = 3

    /// False if no timer has failed since it last succeeded.
    private var isAny: Bool
    /// When timers that were cancelled were last looked for, in milliseconds since 1970.
    private var swept: Int64 = 0

    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("steward: failing timers") { db in
            try db.execute(
                sql: """
                    CREATE TABLE failingTimer (
                        kind TEXT NOT NULL, subject TEXT NOT NULL, failures INTEGER NOT NULL,
                        reason TEXT NOT NULL, told INTEGER NOT NULL,
                        PRIMARY KEY (kind, subject)
                    ) WITHOUT ROWID, STRICT;
                    CREATE INDEX failingTimerByTold ON failingTimer (told);
                    """)
        }
    }

    init(_ db: Database) throws {
        isAny =
            try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT * FROM failingTimer)") ?? false
    }

    /// Records that a timer has fired: with the reason if its handler has failed.
    func note(_ timer: Timers.Due, failure: String?, _ transaction: Transaction) throws {
        guard let failure else { return try succeed(timer, transaction) }
        isAny = true
        let (now, db) = (transaction.now, transaction.db)
        let reason = failure.prefix(bytes: 4000)
        let failures = try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    INSERT INTO failingTimer (kind, subject, failures, reason, told)
                    VALUES (?, ?, 1, ?, 0)
                    ON CONFLICT DO UPDATE SET failures = failures + 1, reason = excluded.reason
                    RETURNING failures
                    """), arguments: [timer.kind, timer.subject, reason])
        guard let failures, failures >= Self.patience else { return }
        let told = try Int64.fetchOne(db, sql: "SELECT max(told) FROM failingTimer") ?? 0
        let isOld = abs(now - told) >= Transaction.asideInterval
        guard failures == Self.patience || isOld else { return }
        // Report the first one, each doubling of the number, and in any case once a day.
        let count = try Self.count(db)
        guard count.nonzeroBitCount == 1 || isOld else { return }
        try db.execute(
            sql: "UPDATE failingTimer SET told = ? WHERE kind = ? AND subject = ?",
            arguments: [now, timer.kind, timer.subject])
        try transaction.noteFailingTimers(count, timer.kind, reason: reason)
    }

    private func succeed(_ timer: Timers.Due, _ transaction: Transaction) throws {
        guard isAny else { return }
        try forget(
            "kind = ? AND subject = ?", [timer.kind, timer.subject], transaction)
    }

    /// Forgets the timers that were cancelled, or put aside. Called each second.
    func beat(_ transaction: Transaction) throws {
        guard isAny, abs(transaction.now - swept) >= Timers.retryInterval else { return }
        swept = transaction.now
        try forget(
            """
            NOT EXISTS (
                SELECT * FROM timer
                WHERE timer.kind = failingTimer.kind AND timer.subject = failingTimer.subject)
            """, [], transaction)
    }

    private func forget(
        _ condition: String, _ arguments: StatementArguments, _ transaction: Transaction
    ) throws {
        let db = transaction.db
        let failures = try Int64.fetchAll(
            db.cachedStatement(
                sql: "DELETE FROM failingTimer WHERE \(condition) RETURNING failures"),
            arguments: arguments)
        guard !failures.isEmpty else { return }
        isAny = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT * FROM failingTimer)") ?? false
        guard failures.contains(where: { $0 >= Self.patience }), try Self.count(db) == 0 else {
            return
        }
        try transaction.noteFailingTimers(0, "", reason: "")
    }

    /// The number of timers that fail again and again.
    private static func count(_ db: Database) throws -> UInt64 {
        let count = try Int64.fetchOne(
            db, sql: "SELECT count(*) FROM failingTimer WHERE failures >= ?",
            arguments: [patience])
        return UInt64(clamping: count ?? 0)
    }

    /// Passes the number of failing timers and one of them to a snapshot.
    static func pass(_ db: Database, to receiver: SnapshotReceiver) throws {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT kind, reason FROM failingTimer WHERE failures >= ?
                ORDER BY told DESC LIMIT 1
                """, arguments: [patience])
        guard let row else { return }
        try receiver(
            SetAside(kind: .timer, type: row["kind"], reason: row["reason"], count: try count(db)),
            "")
    }
}
