import GRDB
import Messages
import ServiceRuntime

/// When someone's alert of a call was last opened. A call opens the same alert again if its cause
/// isn't put right in time, if its source raises it again, or if the person is called again. What
/// they were told before that no longer counts.
enum AlertOpening {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("notifier: when alerts were opened") { db in
            try db.execute(sql: "ALTER TABLE alert ADD COLUMN opened INTEGER NOT NULL DEFAULT 0")
        }
    }

    /// Records the position of a notice that opens an alert of a call.
    static func note(_ notice: AlertNotice, _ db: Database) throws {
        guard let alert = notice.alert, !alert.call.isEmpty,
            [.raised, .reopened].contains(notice.reason)
        else { return }
        try db.cachedStatement(sql: "UPDATE alert SET opened = ? WHERE id = ?")
            .execute(arguments: [Int64(clamping: notice.feedSequence), alert.id])
    }

    /// The position of the notice that last opened an alert; 0 if it isn't of a call, or an earlier
    /// version opened it.
    static func position(of alert: Alert, _ db: Database) throws -> UInt64 {
        try alert.call.isEmpty ? 0 : position(of: alert.id, db)
    }

    /// The position of the notice that last opened the alert with an id.
    static func position(of alert: String, _ db: Database) throws -> UInt64 {
        let opened = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT opened FROM alert WHERE id = ?"), arguments: [alert])
        return UInt64(clamping: opened ?? 0)
    }
}
