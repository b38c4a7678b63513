import Foundation
import GRDB
import ServiceRuntime

/// The times until which the servers of calendars are left alone, because they ask for it or
/// because the service fails while fetching a calendar. Removing a calendar and adding it again
/// doesn't end a wait. An address is kept only as its mark, so that nobody can read one that was
/// removed.
enum CalendarWait {
    /// The maximum time that a server may ask to wait: a day in milliseconds.
    static let longest: Int64 = 86_400_000
    /// The maximum number of waits that are kept; beyond it, those that end first are dropped.
    private static let most = 10_000

    /// How long a server asks to wait, in milliseconds; 0 if it doesn't.
    static func length(seconds: Int?) -> Int64 {
        min(Int64(clamping: max(seconds ?? 0, 0)), longest / 1_000) * 1_000
    }

    /// Keeps a wait, and deletes those that are over.
    ///
    /// - Parameters:
    ///   - mark: the mark of the address.
    ///   - seconds: how long to wait; nil if that isn't needed.
    ///   - isOurs: true if it is the service that fails; false if the server asks for it.
    ///   - transaction: the transaction that keeps it.
    static func keep(
        _ mark: [UInt8], seconds: Int?, isOurs: Bool = false, in transaction: Transaction
    ) throws {
        let length = length(seconds: seconds)
        guard length > 0 else { return }
        let (db, now) = (transaction.db, transaction.now)
        // A wait that ends later was kept before the clock was set back.
        try db.execute(
            sql: "DELETE FROM calendarWait WHERE until <= ? OR until > ?",
            arguments: [now, now + longest])
        try db.execute(
            sql: """
                INSERT INTO calendarWait (mark, until, isOurs) VALUES (?, ?, ?)
                ON CONFLICT (mark) DO UPDATE SET until = excluded.until, isOurs = excluded.isOurs
                """, arguments: [Data(mark), now + length, isOurs])
        try db.execute(
            sql: """
                DELETE FROM calendarWait WHERE mark IN (
                    SELECT mark FROM calendarWait ORDER BY until DESC LIMIT -1 OFFSET ?)
                """, arguments: [most])
    }

    /// How much longer the server of an address is left alone, in milliseconds, and whether that is
    /// because the service fails; nil if it may be asked.
    static func rest(
        of mark: [UInt8], in transaction: Transaction
    ) throws -> (time: Int64, isOurs: Bool)? {
        let row = try Row.fetchOne(
            transaction.db, sql: "SELECT until, isOurs FROM calendarWait WHERE mark = ?",
            arguments: [Data(mark)])
        guard let row else { return nil }
        let rest: Int64 = (row["until"] as Int64) - transaction.now
        let isOurs: Bool = row["isOurs"]
        return (1...longest).contains(rest) ? (time: rest, isOurs: isOurs) : nil
    }
}

extension ProjectStore {
    static let calendarWaits = """
        CREATE TABLE calendarWait (
            mark BLOB NOT NULL PRIMARY KEY, until INTEGER NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX calendarWaitByEnd ON calendarWait (until);
        """
}
