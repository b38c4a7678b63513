import Foundation
import GRDB
import Messages
import ServiceRuntime

/// The notifier's table of preferences.
enum PreferenceStore {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("notifier: preferences") { db in
            try db.execute(
                sql: """
                    CREATE TABLE preference (
                        feed TEXT NOT NULL PRIMARY KEY, preference BLOB NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    """)
        }
    }
}

extension AlertPreference {
    /// The preference of a feed's owner: no mail, unless another was saved. If it can't be read,
    /// all alerts are mailed to where the last one went, so that nobody stops getting mails.
    static func of(_ feed: AlertFeedAddress, _ db: Database) throws -> AlertPreference {
        let statement = try db.cachedStatement(
            sql: "SELECT preference FROM preference WHERE feed = ?")
        guard let bytes = try Data.fetchOne(statement, arguments: [feed.topic]) else {
            return AlertPreference(from: .urgent)
        }
        return try readable(bytes)
            ?? AlertPreference(mail: Mail.address(of: feed, db), from: .info)
    }

    /// Saves the preference of a feed's owner.
    func save(_ feed: AlertFeedAddress, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO preference (feed, preference) VALUES (?, ?)
                ON CONFLICT DO UPDATE SET preference = excluded.preference
                """, arguments: [feed.topic, Data(packed())])
    }
}
