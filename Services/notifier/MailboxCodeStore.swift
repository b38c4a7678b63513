import Foundation
import GRDB

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
    }

    /// True if a code was mailed to this mailbox for the owner of a feed, and is still valid. One
    /// that was mailed while the clock was ahead doesn't count, so that another one is mailed.
    static func isValid(
        for mail: String, of feed: AlertFeedAddress, at now: Int64, _ db: Database
    ) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: "SELECT mail FROM mailboxCode WHERE feed = ? AND expires > ? AND expires <= ?")
        return try String.fetchOne(statement, arguments: [feed.topic, now, now + life]) == mail
    }

    /// Keeps the hash of a code for a mailbox; an earlier one of the same feed is no longer valid.
    static func keep(
        _ code: [UInt8], for mail: String, of feed: AlertFeedAddress, at now: Int64, _ db: Database
    ) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO mailboxCode (feed, mail, code, expires) VALUES (?, ?, ?, ?)
                """, arguments: [feed.topic, mail, Data(code), now + life])
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
