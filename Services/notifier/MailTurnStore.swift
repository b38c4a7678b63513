import Bus
import Foundation
import GRDB
import Messages
import ServiceRuntime

/// Whose mail is sent next: urgent alerts go first, and nobody's alerts hold up the mails of
/// others.
enum MailTurn {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("notifier: whose mail is sent next") { db in
            try db.execute(
                sql: """
                    ALTER TABLE mail ADD COLUMN feed TEXT NOT NULL DEFAULT '';
                    ALTER TABLE mail ADD COLUMN isUrgent INTEGER NOT NULL DEFAULT 0;
                    UPDATE mail SET isUrgent = key GLOB '*/urgent', feed = coalesce((
                        SELECT alert.feed FROM alert WHERE alert.id = substr(
                            mail.key, 7, instr(substr(mail.key, 7), '/') - 1)), '')
                    WHERE source = 'notifier' AND key GLOB 'alert/*';
                    DROP INDEX mailByDue;
                    DROP INDEX mailByChange;
                    CREATE INDEX mailByTurn ON mail (isUrgent, due) WHERE state IN (1, 4);
                    CREATE INDEX mailPutOff ON mail (isUrgent, changed) WHERE state IN (1, 4);
                    CREATE INDEX mailUnderWay ON mail (feed, isUrgent) WHERE state = 2;
                    CREATE TABLE mailTurn (
                        feed TEXT NOT NULL PRIMARY KEY, minute INTEGER NOT NULL,
                        sent INTEGER NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    """)
        }
        migrator.registerMigration("notifier: mails by feed") { db in
            try db.execute(sql: "CREATE INDEX mailByFeed ON mail (feed, id) WHERE feed <> ''")
        }
        migrator.registerMigration("notifier: mails are counted one by one") { db in
            try db.execute(sql: "DROP TABLE mailTurn")
        }
    }

    /// Counts a mail that is about to be sent, unless its recipient has got too many within the
    /// last minute. Mails about urgent alerts, or about no alert, are not counted.
    ///
    /// - Returns: when it may be sent, in milliseconds since 1970; nil if it was counted.
    static func wait(for mail: Mail, at now: Int64, _ db: Database) throws -> Int64? {
        guard mail.isOfAlert, !mail.isUrgent else { return nil }
        let feed = try String.fetchOne(
            db.cachedStatement(sql: "SELECT feed FROM mail WHERE id = ?"), arguments: [mail.id])
        guard let feed, !feed.isEmpty else { return nil }
        return try AlertAllowance.mailTurn.wait(for: mail.id, of: feed, at: now, db)
    }
}

extension Mail {
    /// True if it is about an alert.
    var isOfAlert: Bool {
        source == ServiceName.notifier.rawValue && key.utf8.starts(with: "alert/".utf8)
    }

    /// True if it is about an urgent alert.
    var isUrgent: Bool { isOfAlert && AlertDelivery(self).severity == .urgent }

    /// How many attempts failed to send the last mail about a person's alerts: their mailbox may be
    /// full, or gone. 0 if it was accepted, the maximum if it was given up.
    static func failures(of feed: AlertFeedAddress, _ db: Database) throws -> UInt32 {
        let statement = try db.cachedStatement(
            sql: """
                SELECT mail FROM mail WHERE feed = ? AND feed <> '' AND state IN (3, 4, 5)
                ORDER BY id DESC LIMIT 1
                """)
        let newest = try Data.fetchOne(statement, arguments: [feed.topic]).flatMap(readable)
        switch newest?.state {
        case .retry: return newest?.attempts ?? 0
        case .dead: return .max
        default: return 0
        }
    }

    /// The id of the mail to send first; nil when none is due. A mail that was put off while the
    /// clock was ahead, at a time that is still to come, no longer waits.
    ///
    /// - Parameters:
    ///   - urgent: whether it is about an urgent alert. Such mails have threads of their own, so
    ///     that they don't wait for the others.
    ///   - most: how many mails about one person's alerts may be under way.
    ///   - now: the present time in milliseconds since 1970.
    ///   - db: the store.
    static func due(
        urgent: Bool, most: Int, at now: Int64, _ db: Database
    ) throws -> String? {
        func first(_ condition: String, by column: String) throws -> String? {
            try String.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT id FROM mail
                        WHERE state IN (1, 4) AND isUrgent = :urgent AND \(condition)
                            AND \(hasTurn)
                        ORDER BY \(column) LIMIT 1
                        """), arguments: ["urgent": urgent, "now": now, "most": most])
        }
        return try first("due <= :now", by: "due") ?? first("changed > :now", by: "changed")
    }

    /// SQL that is true unless `:most` mails about the same person's alerts are under way.
    private static let hasTurn = """
        (feed = '' OR (
            SELECT count(*) FROM mail AS other
            WHERE other.feed = mail.feed AND other.isUrgent = mail.isUrgent AND other.state = 2
        ) < :most)
        """
}
