import Bus
import Foundation
import GRDB
import Messages
import Phrases
import ServiceRuntime

/// The notifier's tables: alerts, and the notices of each recipient's feed.
enum NotifierStore {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("notifier: alerts and notices") { db in
            try db.execute(
                sql: """
                    CREATE TABLE alert (
                        id TEXT NOT NULL PRIMARY KEY, source TEXT NOT NULL, key TEXT NOT NULL,
                        feed TEXT NOT NULL, state INTEGER NOT NULL, time INTEGER NOT NULL,
                        alert BLOB NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    CREATE UNIQUE INDEX openAlertByKey ON alert (source, key) WHERE state = 1;
                    CREATE INDEX alertByFeed ON alert (feed, id);
                    CREATE TABLE feed (
                        topic TEXT NOT NULL PRIMARY KEY, organisation TEXT NOT NULL,
                        recipient TEXT NOT NULL, head INTEGER NOT NULL, changed INTEGER NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    CREATE TABLE notice (
                        feed TEXT NOT NULL, sequence INTEGER NOT NULL, time INTEGER NOT NULL,
                        notice BLOB NOT NULL, PRIMARY KEY (feed, sequence)
                    ) WITHOUT ROWID, STRICT;
                    """)
        }
        migrator.registerMigration("notifier: secrets of feeds") { db in
            try db.execute(sql: "ALTER TABLE feed ADD COLUMN secret TEXT NOT NULL DEFAULT ''")
        }
        MailStore.register(in: &migrator)
        PreferenceStore.register(in: &migrator)
        migrator.registerMigration("notifier: when alerts were closed") { db in
            try db.execute(
                sql: """
                    ALTER TABLE alert ADD COLUMN closed INTEGER NOT NULL DEFAULT 0;
                    CREATE INDEX closedAlert ON alert (closed) WHERE state <> 1;
                    """)
            let rows = try Data.fetchCursor(db, sql: "SELECT alert FROM alert WHERE state <> 1")
            var closed: [(id: String, time: Int64)] = []
            while let bytes = try rows.next() {
                guard let alert = Alert.readable(bytes) else { continue }
                closed.append((alert.id, alert.closed))
            }
            for alert in closed {
                try db.execute(
                    sql: "UPDATE alert SET closed = ? WHERE id = ?",
                    arguments: [alert.time, alert.id])
            }
        }
        ChannelStore.register(in: &migrator)
        Member.register(in: &migrator)
        KeptCall.register(in: &migrator)
        EscalationPolicy.register(in: &migrator)
        AlertDigest.register(in: &migrator)
        Erasure.register(in: &migrator)
        migrator.registerMigration("notifier: notices by time") { db in
            try db.execute(sql: "CREATE INDEX noticeByTime ON notice (time)")
        }
        AlertAllowance.register(in: &migrator)
        KeptAlerts.register(in: &migrator)
        AlertSeverity.register(in: &migrator)
        AlertOpening.register(in: &migrator)
        MailTurn.register(in: &migrator)
        MailboxCode.register(in: &migrator)
        BeatRound.register(in: &migrator)
        return migrator
    }

    /// See `Service.belongings`.
    static let belongings: [Belonging] =
        [
            "alert", "alertSize", "notice", "preference", "delivery", "quiet", "silence",
            "alertErasure", "erasedAlert",
        ].map { .rows(of: $0, where: ownFeed) }
        + [
            "feed", "mail", "channel", "digest", "member", "memberGrant", "memberCare", "call",
            "policy", "maintenance",
        ].map { .rows(of: $0) } + [
            .none(of: "erasure"), .none(of: "requestedAlert"), .none(of: "mailboxCode"),
            .all(of: "mailServer"),
            .rows(
                of: "mailRequest",
                where: """
                    EXISTS (SELECT 1 FROM mail WHERE mail.source = mailRequest.source
                        AND mail.key = mailRequest.key)
                    """),
            .rows(
                of: "timer",
                where: """
                    subject = '' OR subject IN (SELECT id FROM alert)
                    OR subject IN (SELECT id FROM call) OR subject IN (SELECT feed FROM digest)
                    OR subject IN (SELECT feed FROM alertErasure)
                    """),
        ]
    /// True of the topics of the organisation's feeds: see ``AlertFeedAddress/topic``.
    private static let ownFeed = """
        substr(feed, 1, length(:organisation) + 7) = 'alert.' || :organisation || '.'
        """
}

/// The unguessable part of a feed's topics: 16 random bytes in hexadecimal digits.
enum AlertFeedSecret {
    /// The secret of a feed, made if it has none.
    static func of(_ address: AlertFeedAddress, _ db: Database) throws -> String {
        try known(address.topic, db) ?? replace(of: address, db)
    }

    /// Gives a feed a new secret.
    @discardableResult
    static func replace(of address: AlertFeedAddress, _ db: Database) throws -> String {
        var random = SystemRandomNumberGenerator()
        let secret = hexText((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        try db.cachedStatement(
            sql: """
                INSERT INTO feed (topic, organisation, recipient, head, changed, secret)
                VALUES (?, ?, ?, 0, 0, ?)
                ON CONFLICT DO UPDATE SET secret = excluded.secret
                """
        ).execute(arguments: [address.topic, address.organisation, address.recipient, secret])
        return secret
    }

    /// The secret of the feed with this topic prefix; nil when it has none.
    static func known(_ topic: String, _ db: Database) throws -> String? {
        let secret = try String.fetchOne(
            db.cachedStatement(sql: "SELECT secret FROM feed WHERE topic = ?"), arguments: [topic])
        return secret.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension Alert {
    /// The open alert that a source raised under a key.
    static func open(source: String, key: String, _ db: Database) throws -> Alert? {
        try fetch(
            db, "WHERE source = ? AND key = ? AND state = 1 AND call = '' LIMIT 1", [source, key]
        ).first
    }

    /// All open alerts of a source.
    static func open(source: String, _ db: Database) throws -> [Alert] {
        try fetch(db, "WHERE source = ? AND state = 1 AND call = '' ORDER BY id", [source])
    }

    /// The open alerts of a feed, the most severe first and of these the newest: ``mostShown``.
    static func loudest(of address: AlertFeedAddress, _ db: Database) throws -> [Alert] {
        try fetch(
            db, "WHERE feed = ? AND state = 1 ORDER BY severity DESC, id DESC LIMIT ?",
            [address.topic, mostShown])
    }

    /// The newest alerts of a feed, at most about 512 KiB.
    ///
    /// - Parameters:
    ///   - address: the feed.
    ///   - openOnly: true for those that are open.
    ///   - end: only alerts whose ids are less; empty for all.
    ///   - limit: the maximum number.
    ///   - db: the store.
    static func newest(
        of address: AlertFeedAddress, openOnly: Bool, before end: String, limit: Int, _ db: Database
    ) throws -> [Alert] {
        let state = openOnly ? "AND state = 1" : ""
        return Page.first(
            of: try fetch(
                db,
                "WHERE feed = ? AND (? = '' OR id < ?) \(state) ORDER BY id DESC LIMIT ?",
                [address.topic, end, end, limit]))
    }

    /// The asker's alert with an id, or the one that is meant whose id begins with it: see
    /// ``AlertFeedAddress/shows(_:to:)`` and ``meant(of:)``.
    static func required(_ id: String, of asker: Principal, _ db: Database) throws -> Alert {
        let alert = try kept(id, of: asker, db)
        guard try AlertErasure.underWay(of: alert.address, db)?.hides(alert) == true else {
            return alert
        }
        return try TypedID(id, of: "alert").only([])
    }

    private static func kept(_ id: String, of asker: Principal, _ db: Database) throws -> Alert {
        guard asker.kind == .account else { return try required(id, db) }
        let feeds = ([asker.account] + asker.caresFor).map {
            AlertFeedAddress(organisation: asker.organisation, recipient: $0)
        }
        func list(_ texts: [String]) throws -> String {
            String(decoding: try JSONEncoder().encode(texts), as: UTF8.self)
        }
        let personal = EscalationPolicy.personal.sorted().map { "'\($0)'" }.joined(separator: ", ")
        return try required(
            id,
            among: """
                AND feed IN (SELECT value FROM json_each(:feeds))
                AND (feed = :own OR source NOT IN (\(personal)) AND key NOT IN (
                    SELECT value FROM json_each(:digests))
                    AND NOT (source = :notifier AND key GLOB :unreached))
                """,
            [
                "feeds": list(feeds.map(\.topic)), "own": feeds[0].topic,
                "digests": list(feeds.map(AlertDigest.key)),
                "notifier": ServiceName.notifier.rawValue,
                "unreached": unreachedKeys + "*",
            ], db)
    }

    /// The alert with an id; nil when there is none.
    static func known(_ id: String, _ db: Database) throws -> Alert? {
        try fetch(db, "WHERE id = ?", [id]).first
    }

    /// The alert with an id, or the one that is meant whose id begins with it.
    static func required(_ id: String, _ db: Database) throws -> Alert {
        try required(id, among: "", [:], db)
    }

    private static func required(
        _ id: String, among condition: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> Alert {
        let typed = try TypedID(id, of: "alert")
        let found = try fetch(
            db, "WHERE \(TypedID.condition) \(condition) ORDER BY id LIMIT 100",
            typed.arguments + arguments)
        return try typed.only(found.count < 100 ? meant(of: found) : found)
    }

    /// Inserts or updates its row.
    func save(_ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO alert (
                    id, source, key, feed, state, time, closed, call, severity, alert)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET state = excluded.state, closed = excluded.closed,
                    severity = excluded.severity, alert = excluded.alert
                """)
        try statement.execute(
            arguments: [
                id, source, key, address.topic, state.rawValue, time, closed, call,
                severity.rawValue, Data(packed()),
            ])
        try KeptAlerts.thin(address.topic, besides: id, db)
    }

    /// Deletes some of the alerts that were closed before a time.
    ///
    /// - Returns: true when there may be more of them.
    static func prune(closedBefore time: Int64, _ db: Database) throws -> Bool {
        let most = 1000
        try db.execute(
            sql: """
                DELETE FROM alert WHERE id IN (
                    SELECT id FROM alert WHERE state <> 1 AND closed < ? LIMIT ?)
                """, arguments: [time, most])
        return db.changesCount == most
    }

    private static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [Alert] {
        let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM alert \(condition)")
        return try Row.fetchAll(statement, arguments: arguments).map { try salvaged($0, db) }
    }

    /// The columns of the table that ``salvaged(_:_:)`` reads.
    static let columns = "id, source, key, feed, state, time, closed, call, alert"

    /// The alert of a row, or, if it can't be read, what else is known of it, so that it can still
    /// be changed, acknowledged and withdrawn. It is then urgent: whoever was told of it is also
    /// told how it ends. If it was being repeated, it still is, until its end.
    static func salvaged(_ row: Row, _ db: Database) throws -> Alert {
        do { return try Alert(stored: [UInt8](row["alert"] as Data)) } catch {
            let feed = try Row.fetchOne(
                db, sql: "SELECT organisation, recipient FROM feed WHERE topic = ?",
                arguments: [row["feed"] as String])
            let recipient: String = feed?["recipient"] ?? ""
            let end = try Int64.fetchOne(
                db, sql: "SELECT due FROM timer WHERE kind = ? AND subject = ?",
                arguments: [expiry, row["id"] as String])
            let time: Int64 = row["time"]
            var raised = AlertRaised(
                key: row["key"], severity: .urgent, recipient: recipient,
                needsAcknowledgement: true, repeatEvery: unreadableRepetition,
                expiresAt: end ?? time + defaultLife, organisation: feed?["organisation"] ?? "")
            raised.say(Said(.unreadable))
            return Alert(
                id: row["id"], source: row["source"], raised: raised,
                state: AlertState(rawValue: row["state"]), time: time,
                closed: row["closed"], severity: .urgent, recipient: recipient, call: row["call"])
        }
    }
}

/// The notices of a recipient, in order: a feed can be read again from any position.
enum Notice {
    /// The maximum number of notices of a feed, the newest. An alert that nobody acknowledges may
    /// add one every five seconds.
    static let most: Int64 = 200_000
    /// How many are deleted at once when there are more.
    private static let portion = 100
    /// How long notices are kept: 30 days in milliseconds.
    static let retention: Int64 = 30 * 24 * 3600 * 1000
    /// How often old ones are deleted: every hour, in milliseconds.
    static let pruningInterval: Int64 = 3600 * 1000

    /// Appends the alert in its present state to its feed.
    static func append(
        _ alert: Alert, _ reason: AlertNotice.Reason, at now: Int64, _ db: Database
    ) throws -> AlertNotice {
        let address = alert.address
        let head = try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    INSERT INTO feed (topic, organisation, recipient, head, changed)
                    VALUES (?, ?, ?, 1, ?)
                    ON CONFLICT DO UPDATE SET head = head + 1, changed = excluded.changed
                    RETURNING head
                    """),
            arguments: [address.topic, address.organisation, address.recipient, now])
        let notice = AlertNotice(
            feedSequence: UInt64(clamping: head ?? 1), reason: reason, alert: alert)
        try db.cachedStatement(
            sql: "INSERT INTO notice (feed, sequence, time, notice) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [address.topic, head, now, Data(notice.packed())])
        try db.cachedStatement(
            sql: """
                DELETE FROM notice WHERE feed = ?1 AND sequence IN (
                    SELECT sequence FROM notice WHERE feed = ?1 AND sequence <= ?2
                    ORDER BY sequence LIMIT ?3)
                """
        ).execute(arguments: [address.topic, (head ?? 1) - most, portion])
        return notice
    }

    /// The notice at a position of a feed; nil when it was deleted.
    static func at(
        _ position: UInt64, of address: AlertFeedAddress, _ db: Database
    ) throws -> AlertNotice? {
        let statement = try db.cachedStatement(
            sql: "SELECT notice FROM notice WHERE feed = ? AND sequence = ?")
        return try Data.fetchOne(
            statement, arguments: [address.topic, Int64(clamping: position)]
        ).map {
            try AlertNotice(stored: [UInt8]($0))
                .shown(during: AlertErasure.underWay(of: address, db))
        }
    }

    /// The newest position of a feed.
    static func head(_ address: AlertFeedAddress, _ db: Database) throws -> UInt64 {
        let head = try Int64.fetchOne(
            db, sql: "SELECT head FROM feed WHERE topic = ?", arguments: [address.topic])
        return UInt64(clamping: head ?? 0)
    }

    /// The notices after a position, at most about 256 KiB. A notice that can't be read is returned
    /// without an alert, so that those after it are reached.
    static func all(
        _ address: AlertFeedAddress, after position: UInt64, limit: Int, _ db: Database
    ) throws -> [AlertNotice] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT sequence, notice FROM notice WHERE feed = ? AND sequence > ?
                ORDER BY sequence LIMIT ?
                """,
            arguments: [address.topic, Int64(clamping: position), limit])
        let erasure = try AlertErasure.underWay(of: address, db)
        var page = Page<AlertNotice>(limit: limit)
        while let row = try rows.next() {
            let bytes: Data = row["notice"]
            let place = AlertNotice(
                feedSequence: UInt64(clamping: row["sequence"] as Int64), reason: .closed)
            let notice = (AlertNotice.readable(bytes) ?? place).shown(during: erasure)
            guard page.add(notice, bytes: bytes.count) else { break }
        }
        return page.rows
    }

    /// The statement that deletes notices, which it finds through an index.
    static let deletion = """
        DELETE FROM notice WHERE (feed, sequence) IN (
            SELECT feed, sequence FROM notice WHERE time < ? LIMIT ?)
        """

    /// Deletes some of the notices older than a time.
    ///
    /// - Returns: true when there may be more of them.
    static func prune(before time: Int64, most: Int = 5_000, _ db: Database) throws -> Bool {
        try db.execute(sql: deletion, arguments: [time, most])
        return db.changesCount == most
    }
}
