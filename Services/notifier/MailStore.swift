import Bus
import Foundation
import GRDB
import Messages
import ServiceRuntime
import Transfers

/// The notifier's tables of mail: the requests, and the mail to each recipient.
enum MailStore {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("notifier: mail") { db in
            try db.execute(
                sql: """
                    CREATE TABLE mailRequest (
                        source TEXT NOT NULL, key TEXT NOT NULL, request BLOB NOT NULL,
                        PRIMARY KEY (source, key)
                    ) STRICT;
                    CREATE TABLE mail (
                        id TEXT NOT NULL PRIMARY KEY, source TEXT NOT NULL, key TEXT NOT NULL,
                        organisation TEXT NOT NULL, state INTEGER NOT NULL, due INTEGER NOT NULL,
                        changed INTEGER NOT NULL, mail BLOB NOT NULL,
                        FOREIGN KEY (source, key) REFERENCES mailRequest
                    ) WITHOUT ROWID, STRICT;
                    CREATE INDEX mailByRequest ON mail (source, key);
                    CREATE INDEX mailByDue ON mail (due) WHERE state IN (1, 4);
                    CREATE INDEX mailByState ON mail (organisation, state);
                    CREATE TABLE administrator (
                        account TEXT NOT NULL PRIMARY KEY, organisation TEXT NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    """)
        }
        migrator.registerMigration("notifier: waiting mails by change") { db in
            try db.execute(
                sql: "CREATE INDEX mailByChange ON mail (changed) WHERE state IN (1, 4)")
        }
        migrator.registerMigration("notifier: failures of the mail server") { db in
            try db.execute(
                sql: """
                    CREATE TABLE mailServer (failures INTEGER NOT NULL) STRICT;
                    INSERT INTO mailServer (failures) VALUES (0);
                    """)
        }
        migrator.registerMigration("notifier: since when the mail server fails") { db in
            try db.execute(
                sql: "ALTER TABLE mailServer ADD COLUMN failingSince INTEGER NOT NULL DEFAULT 0")
        }
    }
}

/// How often in a row the mail server has failed, counting everyone's mails, and since when.
enum MailServerFailures {
    static func count(_ db: Database) throws -> UInt32 {
        let count = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT failures FROM mailServer"))
        return UInt32(clamping: count ?? 0)
    }

    /// Records the outcome of an attempt. A mail that was refused, for good or because its mailbox
    /// is full for now, says nothing about others.
    static func note(_ outcome: MailOutcome, at now: Int64, _ db: Database) throws {
        switch outcome {
        case .sent: try db.execute(sql: "UPDATE mailServer SET failures = 0 WHERE failures > 0")
        case .delayed(_, ofServer: true):
            try db.execute(
                sql: """
                    UPDATE mailServer SET failures = failures + 1, failingSince =
                        CASE failures WHEN 0 THEN :now ELSE min(failingSince, :now) END
                    """, arguments: ["now": now])
        case .delayed, .refused: break
        }
    }

    /// Since when the server has failed, in milliseconds since 1970, if that is as long as a
    /// channel may fail before it is reported; nil if not.
    static func deadSince(at now: Int64, _ db: Database) throws -> Int64? {
        let statement = try db.cachedStatement(
            sql: "SELECT failingSince FROM mailServer WHERE failures >= ? AND failingSince <= ?")
        return try Int64.fetchOne(
            statement,
            arguments: [AlertChannel.failuresBeforeSpare, now - AlertChannel.patience])
    }
}

extension MailRequested {
    /// Keeps a request under the key of its source.
    ///
    /// - Returns: false when one is already kept under that key.
    func keep(from source: String, _ db: Database) throws -> Bool {
        try db.cachedStatement(
            sql: "INSERT OR IGNORE INTO mailRequest (source, key, request) VALUES (?, ?, ?)"
        ).execute(arguments: [source, key, Data(packed())])
        return db.changesCount > 0
    }

    /// True if a request is kept under its key.
    func isKept(from source: String, _ db: Database) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM mailRequest WHERE source = ? AND key = ?)")
        return try Bool.fetchOne(statement, arguments: [source, key]) ?? false
    }

    /// The request of a mail.
    static func of(_ mail: Mail, _ db: Database) throws -> MailRequested {
        let statement = try db.cachedStatement(
            sql: "SELECT request FROM mailRequest WHERE source = ? AND key = ?")
        let bytes = try Data.fetchOne(statement, arguments: [mail.source, mail.key]) ?? Data()
        return try MailRequested(stored: [UInt8](bytes))
    }

    /// Empties a request when every recipient has received its mail, but keeps its key: the text is
    /// no longer needed.
    static func forgetContent(of mail: Mail, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                UPDATE mailRequest SET request = X'' WHERE source = :source AND key = :key
                AND NOT EXISTS (
                    SELECT 1 FROM mail WHERE source = :source AND key = :key AND state <> :sent)
                """
        ).execute(
            arguments: [
                "source": mail.source, "key": mail.key, "sent": MailState.sent.rawValue,
            ])
    }
}

extension Mail {
    /// Inserts or updates its row.
    func save(_ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO mail (
                    id, source, key, organisation, state, due, changed, mail, isUrgent, feed)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce(
                    (SELECT alert.feed FROM alert WHERE alert.id = ?), ''))
                ON CONFLICT (id) DO UPDATE SET state = excluded.state, due = excluded.due,
                    changed = excluded.changed, mail = excluded.mail
                """
        ).execute(
            arguments: [
                id, source, key, organisation, state.rawValue, due, changed, Data(packed()),
                isUrgent, isOfAlert ? AlertDelivery(self).alert : "",
            ])
    }

    /// The ids of the mails being sent.
    static func underWay(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT id FROM mail WHERE state = ?", arguments: [MailState.sending.rawValue])
    }

    /// The mail with an id.
    static func ofID(_ id: String, _ db: Database) throws -> Mail? {
        try fetch(db, "WHERE id = ?", [id]).first
    }

    /// The mail with an id, or, if it can't be read, what else is known of it.
    static func salvaged(_ id: String, at now: Int64, _ db: Database) throws -> Mail? {
        let row = try Row.fetchOne(
            db, sql: "SELECT source, key, organisation, mail FROM mail WHERE id = ?",
            arguments: [id])
        guard let row else { return nil }
        do { return try Mail(stored: [UInt8](row["mail"] as Data)) } catch {
            return Mail(
                id: id, source: row["source"], key: row["key"], organisation: row["organisation"],
                requested: now, changed: now)
        }
    }

    /// The newest mails of an organisation, or of all.
    static func newest(
        of scope: OrganisationScope, unsentOnly: Bool, limit: Int, _ db: Database
    ) throws -> (mails: [Mail], more: Bool) {
        let state = unsentOnly ? "AND state <> \(MailState.sent.rawValue)" : ""
        let found = try fetch(
            db, "WHERE \(OrganisationScope.condition) \(state) ORDER BY id DESC LIMIT :limit",
            ["limit": limit + 1] + scope.arguments)
        let page = Page.first(of: found, limit: limit)
        return (page, found.count > page.count)
    }

    /// The newest mails that were made for an alert, as far as they can be read. Each opening has
    /// at most one for each severity.
    static func of(_ alert: Alert, _ db: Database) throws -> [Mail] {
        try salvaged(
            db, "WHERE source = ? AND key >= ? AND key < ? ORDER BY id DESC LIMIT 10",
            keys(of: alert))
    }

    /// True if a mail was made of an alert.
    static func exists(of alert: Alert, _ db: Database) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM mail WHERE source = ? AND key >= ? AND key < ?)
                """)
        return try Bool.fetchOne(statement, arguments: keys(of: alert)) ?? false
    }

    /// Where the newest alert of a feed that was mailed went; empty if no such mail is kept.
    static func address(of feed: AlertFeedAddress, _ db: Database) throws -> String {
        let statement = try db.cachedStatement(
            sql: """
                SELECT mail.mail FROM alert CROSS JOIN mail ON mail.source = ?
                AND mail.key >= 'alert/' || alert.id || '/'
                AND mail.key < 'alert/' || alert.id || '0'
                WHERE alert.feed = ? ORDER BY alert.id DESC LIMIT 1
                """)
        let newest = try Data.fetchOne(
            statement, arguments: [ServiceName.notifier.rawValue, feed.topic])
        return newest.flatMap(readable)?.to ?? ""
    }

    /// The source of the mails that were made of an alert, and the bounds of their keys.
    private static func keys(of alert: Alert) -> StatementArguments {
        [ServiceName.notifier.rawValue, "alert/\(alert.id)/", "alert/\(alert.id)0"]
    }

    /// The mails about an organisation's alerts that wait for the end of a maintenance, as far as
    /// they can be read.
    static func waiting(
        until end: Int64, of organisation: String, _ db: Database
    ) throws -> [Mail] {
        try salvaged(
            db, "WHERE state IN (1, 4) AND due = ? AND organisation = ? AND source = ?",
            [end, organisation, ServiceName.notifier.rawValue])
    }

    /// The mails about a person's alerts that quiet hours or maintenance hold back, as far as they
    /// can be read.
    static func held(
        of feed: AlertFeedAddress, at now: Int64, _ db: Database
    ) throws -> [Mail] {
        try salvaged(
            db, "WHERE feed = ? AND feed <> '' AND state IN (1, 4) AND due > ? ORDER BY id",
            [feed.topic, now]
        ).filter { !$0.waitsAfterFailure }
    }

    /// The mails about a person's alerts that wait for their next attempt after a failure, as far
    /// as they can be read.
    static func failing(of feed: AlertFeedAddress, _ db: Database) throws -> [Mail] {
        try salvaged(
            db, "WHERE feed = ? AND feed <> '' AND state = 4 ORDER BY id", [feed.topic]
        ).filter(\.waitsAfterFailure)
    }

    /// The mails that a condition chooses, as far as they can be read.
    private static func salvaged(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [Mail] {
        let statement = try db.cachedStatement(sql: "SELECT mail FROM mail \(condition)")
        return try Data.fetchAll(statement, arguments: arguments).compactMap(readable)
    }

    /// Deletes the mail, and its request if that has no other mail.
    func delete(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM mail WHERE id = ?", arguments: [id])
        try db.execute(
            sql: """
                DELETE FROM mailRequest WHERE source = :source AND key = :key AND NOT EXISTS (
                    SELECT 1 FROM mail WHERE source = :source AND key = :key)
                """, arguments: ["source": source, "key": key])
    }

    /// Deletes the mails of an alert that is over if they aren't due yet. One that was made while
    /// the clock was ahead waits only until it is looked at.
    ///
    /// - Returns: true if there were any.
    static func skipWaiting(of alert: Alert, at now: Int64, _ db: Database) throws -> Bool {
        let waiting: StatementArguments = [MailState.pending.rawValue, now, now]
        try db.cachedStatement(
            sql: """
                DELETE FROM mail WHERE source = ? AND key >= ? AND key < ? AND state = ?
                AND due > ? AND changed <= ?
                """
        ).execute(arguments: keys(of: alert) + waiting)
        guard db.changesCount > 0 else { return false }
        try db.execute(
            sql: """
                DELETE FROM mailRequest
                WHERE source = ? AND key >= ? AND key < ? AND NOT EXISTS (
                    SELECT 1 FROM mail
                    WHERE mail.source = mailRequest.source AND mail.key = mailRequest.key)
                """, arguments: keys(of: alert))
        return true
    }

    /// True unless a mail was deleted.
    static func isKept(_ id: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM mail WHERE id = ?)", arguments: [id]) ?? false
    }

    /// The number of an organisation's mails that were given up.
    static func deadCount(of organisation: String, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db, sql: "SELECT count(*) FROM mail WHERE organisation = ? AND state = ?",
            arguments: [organisation, MailState.dead.rawValue]) ?? 0
    }

    /// The mail with an id, or the only one whose id begins with it, of an organisation or of all.
    static func required(
        _ id: String, of scope: OrganisationScope, _ db: Database
    ) throws -> Mail {
        let typed = try TypedID(id, of: "mail")
        return try typed.only(
            fetch(
                db,
                """
                WHERE \(TypedID.condition) AND \(OrganisationScope.condition) ORDER BY id LIMIT 2
                """, typed.arguments + scope.arguments))
    }

    /// Deletes the requests whose mails all ended before a time, and those mails. Mails of alerts
    /// have a time of their own, and are kept as long as their alert is open, because it would be
    /// mailed again.
    static func prune(
        before time: Int64, ofAlertsBefore alertTime: Int64, _ db: Database
    ) throws {
        let ended = [MailState.sent, .dead].map { String($0.rawValue) }.joined(separator: ", ")
        let isOfAlert = "(source = '\(ServiceName.notifier.rawValue)' AND key GLOB 'alert/*')"
        let isOpen = """
            EXISTS (SELECT 1 FROM alert WHERE alert.state = 1 AND alert.id = substr(
                mail.key, 7, instr(substr(mail.key, 7), '/') - 1))
            """
        for (condition, time) in [
            ("NOT \(isOfAlert)", time), ("\(isOfAlert) AND NOT \(isOpen)", alertTime),
        ] {
            try db.execute(
                sql: """
                    DELETE FROM mail WHERE changed < :time AND state IN (\(ended)) AND NOT EXISTS (
                        SELECT 1 FROM mail AS other
                        WHERE other.source = mail.source AND other.key = mail.key
                        AND (other.changed >= :time OR other.state NOT IN (\(ended))))
                    AND \(condition)
                    """, arguments: ["time": time])
        }
        try db.execute(
            sql: """
                DELETE FROM mailRequest WHERE NOT EXISTS (
                    SELECT 1 FROM mail
                    WHERE mail.source = mailRequest.source AND mail.key = mailRequest.key)
                """)
    }

    private static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [Mail] {
        let statement = try db.cachedStatement(sql: "SELECT mail FROM mail \(condition)")
        return try Data.fetchAll(statement, arguments: arguments)
            .map { try Mail(stored: [UInt8]($0)) }
    }
}
