import Foundation
import GRDB
import Messages

/// The codes with which people confirm that a mailbox is their own. Only their hashes are kept.
enum MailboxCode {
    /// How long a code is valid, because a mail may be late: a day in milliseconds.
    static let life: Int64 = 86_400_000

    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("notifier: codes of mailboxes") { db in
            try db.execute(
                sql: """
                    CREATE TABLE mailboxCode (
                        feed TEXT NOT NULL PRIMARY KEY, mail TEXT NOT NULL, code BLOB NOT NULL,
                        expires INTEGER NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    """)
        }
        migrator.registerMigration("notifier: mails of mailbox codes") { db in
            try db.execute(
                sql: "ALTER TABLE mailboxCode ADD COLUMN message TEXT NOT NULL DEFAULT ''")
        }
    }

    /// True if a code was mailed to this mailbox for the owner of a feed, and is still valid. A
    /// code that was mailed while the clock was ahead doesn't count, so that another is mailed.
    static func isValid(
        for mail: String, of feed: AlertFeedAddress, at now: Int64, _ db: Database
    ) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: "SELECT mail FROM mailboxCode WHERE feed = ? AND expires > ? AND expires <= ?")
        return try String.fetchOne(statement, arguments: [feed.topic, now, now + life]) == mail
    }

    /// True if the mail with the code for this mailbox has been sent.
    static func wasMailed(
        to mail: String, of feed: AlertFeedAddress, _ db: Database
    ) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: """
                SELECT EXISTS (
                    SELECT 1 FROM mailboxCode JOIN mail ON mail.id = mailboxCode.message
                    WHERE mailboxCode.feed = ? AND mailboxCode.mail = ? AND mail.state = ?)
                """)
        return try Bool.fetchOne(
            statement, arguments: [feed.topic, mail, MailState.sent.rawValue]) ?? false
    }

    /// Keeps the hash of a code; an earlier one of the same feed is no longer valid.
    ///
    /// - Parameters:
    ///   - code: the hash.
    ///   - mail: the mail that brings the code to the mailbox.
    ///   - feed: the feed whose owner is to confirm the mailbox.
    ///   - now: the time, in milliseconds since 1970.
    ///   - db: the store.
    static func keep(
        _ code: [UInt8], in mail: Mail, of feed: AlertFeedAddress, at now: Int64, _ db: Database
    ) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO mailboxCode (feed, mail, code, expires, message)
                VALUES (?, ?, ?, ?, ?)
                """, arguments: [feed.topic, mail.to, Data(code), now + life, mail.id])
    }

    /// Uses up the code of a feed.
    ///
    /// - Returns: the mailbox that it was mailed to; nil when it is another code, or no longer
    ///   valid.
    static func use(
        _ code: [UInt8], of feed: AlertFeedAddress, at now: Int64, _ db: Database
    ) throws -> String? {
        let statement = try db.cachedStatement(
            sql: "SELECT mail FROM mailboxCode WHERE feed = ? AND code = ? AND expires > ?")
        let mail = try String.fetchOne(statement, arguments: [feed.topic, Data(code), now])
        if mail != nil { try forget(of: feed, db) }
        return mail
    }

    /// Deletes the code of a feed.
    static func forget(of feed: AlertFeedAddress, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM mailboxCode WHERE feed = ?")
            .execute(arguments: [feed.topic])
    }

    /// Deletes the codes that expired before a time.
    static func prune(before time: Int64, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM mailboxCode WHERE expires <= ?", arguments: [time])
    }
}
