import Foundation
import GRDB
import Messages

/// The notifier's tables of channels, and of what is delivered by them.
enum ChannelStore {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("notifier: channels and deliveries") { db in
            try db.execute(
                sql: """
                    CREATE TABLE channel (
                        feed TEXT NOT NULL, name TEXT NOT NULL, organisation TEXT NOT NULL,
                        recipient TEXT NOT NULL, channel BLOB NOT NULL, secret TEXT NOT NULL,
                        blocked INTEGER NOT NULL, minute INTEGER NOT NULL, sent INTEGER NOT NULL,
                        isFailing INTEGER NOT NULL, urgent INTEGER NOT NULL, next INTEGER,
                        PRIMARY KEY (feed, name)
                    ) WITHOUT ROWID, STRICT;
                    CREATE INDEX channelByNext ON channel (isFailing, urgent, next)
                        WHERE next IS NOT NULL;
                    CREATE TABLE delivery (
                        id TEXT NOT NULL PRIMARY KEY, feed TEXT NOT NULL, channel TEXT NOT NULL,
                        alert TEXT NOT NULL, isUrgent INTEGER NOT NULL, state INTEGER NOT NULL,
                        due INTEGER NOT NULL, changed INTEGER NOT NULL, delivery BLOB NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    CREATE INDEX deliveryByAlert ON delivery (alert, feed, channel, state);
                    CREATE INDEX waitingDelivery ON delivery (feed, channel, isUrgent, due, id)
                        WHERE state = 1;
                    CREATE INDEX deliveryUnderWay ON delivery (feed, channel) WHERE state = 2;
                    CREATE INDEX endedDelivery ON delivery (changed) WHERE state > 2;
                    CREATE TABLE quiet (
                        feed TEXT NOT NULL PRIMARY KEY, hours BLOB NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    CREATE TABLE silence (
                        id TEXT NOT NULL PRIMARY KEY, feed TEXT NOT NULL, until INTEGER NOT NULL,
                        silence BLOB NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    CREATE INDEX silenceByFeed ON silence (feed, until);
                    """)
        }
        migrator.registerMigration("notifier: what a clock that was ahead has put off") { db in
            try db.execute(
                sql: """
                    CREATE INDEX waitingDeliveryByChange ON delivery (isUrgent, changed)
                        WHERE state = 1;
                    CREATE INDEX channelByMinute ON channel (minute) WHERE next IS NOT NULL;
                    CREATE INDEX channelByPause ON channel (blocked) WHERE next IS NOT NULL;
                    """)
        }
        migrator.registerMigration("notifier: deliveries are counted one by one") { db in
            try db.execute(
                sql: """
                    DROP INDEX channelByMinute;
                    ALTER TABLE channel DROP COLUMN minute;
                    ALTER TABLE channel DROP COLUMN sent;
                    ALTER TABLE channel ADD COLUMN calm INTEGER NOT NULL DEFAULT 0;
                    CREATE INDEX channelByCalm ON channel (calm) WHERE next IS NOT NULL;
                    """)
        }
        migrator.registerMigration("notifier: ended deliveries by channel") { db in
            try db.execute(
                sql: """
                    CREATE INDEX endedByChannel ON delivery (feed, channel) WHERE state > 2
                    """)
        }
    }
}

/// A channel in the store, with data that isn't shown.
struct KeptChannel {
    /// How long a server may take to accept a delivery, in milliseconds, without being slow.
    private static let slowness: Int64 = 5_000

    let feed: AlertFeedAddress
    var channel: AlertChannel
    var secret: String
    /// When the next attempt may be made, in milliseconds since 1970.
    var blocked: Int64 = 0
    /// True if its server has accepted the last delivery only after a while. Like a failing
    /// channel, it then doesn't keep working channels waiting.
    private var isSlow = false
    /// True if the channel can't be read; then only its name is known.
    private(set) var isDamaged = false
    /// Until when only urgent alerts are delivered, because so many others were: milliseconds since
    /// 1970.
    private var calm: Int64 = 0

    init(feed: AlertFeedAddress, _ channel: AlertChannel, secret: String) {
        (self.feed, self.channel, self.secret) = (feed, channel, secret)
    }

    /// Counts a delivery that begins.
    mutating func count(_ delivery: AlertDelivery, at now: Int64, _ db: Database) throws {
        guard delivery.severity != .urgent else { return }
        let allowance = AlertAllowance.delivery
        try allowance.note(delivery.id, of: failingKey, at: now, db)
        calm = try allowance.end(of: failingKey, at: now, db) ?? 0
    }

    /// Records that a delivery was accepted.
    ///
    /// - Parameters:
    ///   - time: how long that took, in milliseconds.
    ///   - now: the present time in milliseconds since 1970.
    mutating func succeed(after time: Int64, at now: Int64) {
        channel.succeed(at: now)
        (blocked, isSlow) = (0, time > Self.slowness)
    }

    /// True if the channel isn't tried for a while because it fails, and alerts of a severity can't
    /// wait that long.
    func isPaused(for severity: Severity, at now: Int64) -> Bool {
        blocked > now && channel.isLate(for: severity)
    }

    // MARK: Rows

    private static let columns =
        "feed, name, organisation, recipient, channel, secret, blocked, calm, isFailing"

    private init(_ row: Row) throws {
        feed = AlertFeedAddress(organisation: row["organisation"], recipient: row["recipient"])
        channel = try AlertChannel(stored: [UInt8](row["channel"] as Data))
        (secret, blocked, calm) = (row["secret"], row["blocked"], row["calm"])
        let isFailing: Bool = row["isFailing"]
        isSlow = isFailing && channel.failures == 0
    }

    /// What is known of a channel that can't be read.
    private init(damaged row: Row) {
        feed = AlertFeedAddress(organisation: row["organisation"], recipient: row["recipient"])
        channel = AlertChannel(
            name: row["name"], from: .info, failures: 1,
            error: "its settings can't be read; remove it, or add it again", upTo: .urgent)
        (secret, blocked, isDamaged) = ("", row["blocked"], true)
    }

    /// The channel of a row, or, if it can't be read, what else is known of it.
    private static func salvaged(_ row: Row) throws -> KeptChannel {
        do { return try KeptChannel(row) } catch is ProtobufError {
            return KeptChannel(damaged: row)
        }
    }

    /// The channels of a feed, by name. A channel that can't be read is left out, so that alerts go
    /// to the others; keeping it again replaces it.
    static func all(of feed: AlertFeedAddress, _ db: Database) throws -> [KeptChannel] {
        try salvaged(of: feed, db).filter { !$0.isDamaged }
    }

    /// The channels of a feed, by name, including those that can't be read.
    static func salvaged(of feed: AlertFeedAddress, _ db: Database) throws -> [KeptChannel] {
        let statement = try db.cachedStatement(
            sql: "SELECT \(columns) FROM channel WHERE feed = ? ORDER BY name")
        return try Row.fetchAll(statement, arguments: [feed.topic]).map { try salvaged($0) }
    }

    /// The channels that can't be read and haven't been stopped.
    static func newlyDamaged(_ db: Database) throws -> [KeptChannel] {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT \(columns) FROM channel WHERE blocked < ?", arguments: [Int64.max])
        var found: [KeptChannel] = []
        while let row = try rows.next() {
            let kept = try salvaged(row)
            if kept.isDamaged { found.append(kept) }
        }
        return found
    }

    /// The channel of a feed with a name; nil when it has none.
    static func named(
        _ name: String, of feed: AlertFeedAddress, _ db: Database
    ) throws -> KeptChannel? {
        let statement = try db.cachedStatement(
            sql: "SELECT \(columns) FROM channel WHERE feed = ? AND name = ?")
        return try Row.fetchOne(statement, arguments: [feed.topic, name])
            .map { try KeptChannel($0) }
    }

    /// The channel at a place.
    static func at(_ place: ChannelPlace, _ db: Database) throws -> KeptChannel? {
        let statement = try db.cachedStatement(
            sql: "SELECT \(columns) FROM channel WHERE feed = ? AND name = ?")
        return try Row.fetchOne(statement, arguments: [place.feed, place.name])
            .map { try KeptChannel($0) }
    }

    /// The channel at a place, or, if it can't be read, what else is known of it.
    static func salvaged(_ place: ChannelPlace, _ db: Database) throws -> KeptChannel? {
        let statement = try db.cachedStatement(
            sql: "SELECT \(columns) FROM channel WHERE feed = ? AND name = ?")
        return try Row.fetchOne(statement, arguments: [place.feed, place.name])
            .map { try salvaged($0) }
    }

    /// Stops delivering by the channel until it is kept again. A delivery that was under way when
    /// the process was killed waits until then, because it would hold up all others.
    ///
    /// - Returns: true if it can't be read and wasn't stopped for that before.
    @discardableResult
    func stop(_ db: Database) throws -> Bool {
        try db.execute(
            sql: "UPDATE delivery SET state = 1 WHERE feed = ? AND channel = ? AND state = 2",
            arguments: [feed.topic, channel.name])
        try db.execute(
            sql: "UPDATE channel SET next = NULL, blocked = ? WHERE feed = ? AND name = ?",
            arguments: [isDamaged ? Int64.max : blocked, feed.topic, channel.name])
        return isDamaged && blocked < .max
    }

    /// The channels with a delivery that was under way when the process was killed.
    static func withDeliveryUnderWay(_ db: Database) throws -> [ChannelPlace] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT feed, name FROM channel WHERE EXISTS (
                    SELECT 1 FROM delivery WHERE delivery.feed = channel.feed
                    AND delivery.channel = channel.name AND state = 2)
                """
        ).map { ChannelPlace($0) }
    }

    /// Makes due what waits on a channel that was put off before the clock was set back.
    mutating func resume(at now: Int64, _ db: Database) throws {
        (blocked, calm) = (0, 0)
        try db.cachedStatement(
            sql: """
                UPDATE delivery SET due = :now, changed = :now
                WHERE feed = :feed AND channel = :name AND state = 1 AND due > :now
                AND changed > :now
                """
        ).execute(arguments: ["now": now, "feed": feed.topic, "name": channel.name])
    }

    /// Inserts or updates its row, and works out when it has something to deliver next.
    func save(_ db: Database) throws {
        let (urgent, next) = try next(db)
        try db.cachedStatement(
            sql: """
                INSERT INTO channel (\(Self.columns), urgent, next)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET channel = excluded.channel, secret = excluded.secret,
                    blocked = excluded.blocked, calm = excluded.calm,
                    isFailing = excluded.isFailing, urgent = excluded.urgent, next = excluded.next
                """
        ).execute(arguments: [
            feed.topic, channel.name, feed.organisation, feed.recipient, Data(channel.packed()),
            secret, blocked, calm, isSlow || channel.failures > 0, urgent, next,
        ])
    }

    func delete(_ db: Database) throws {
        try AlertDelivery.delete(of: self, db)
        try db.execute(
            sql: "DELETE FROM channel WHERE feed = ? AND name = ?",
            arguments: [feed.topic, channel.name])
        try AlertAllowance.delivery.forget(failingKey, db)
    }

    /// When the channel has something to deliver next, and whether that is urgent; nil for nothing.
    /// One delivery is under way at a time, so that they arrive in order.
    private func next(_ db: Database) throws -> (urgent: Bool, at: Int64?) {
        let underWay = try db.cachedStatement(
            sql: "SELECT count(*) FROM delivery WHERE feed = ? AND channel = ? AND state = 2")
        let place: StatementArguments = [feed.topic, channel.name]
        guard try Int.fetchOne(underWay, arguments: place) == 0 else { return (false, nil) }
        let first = try db.cachedStatement(
            sql: """
                SELECT min(due) FROM delivery
                WHERE feed = ? AND channel = ? AND state = 1 AND isUrgent = ?
                """)
        let urgent = try Int64.fetchOne(first, arguments: place + [true])
            .map { max($0, blocked) }
        let other = try Int64.fetchOne(first, arguments: place + [false])
            .map { max($0, blocked, calm) }
        guard let urgent else { return (false, other) }
        return (other.map { urgent <= $0 } ?? true, min(urgent, other ?? urgent))
    }

    /// The delivery that the channel makes next.
    func delivery(at now: Int64, _ db: Database) throws -> AlertDelivery? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT delivery FROM delivery
                WHERE feed = ? AND channel = ? AND state = 1 AND isUrgent = ? AND due <= ?
                ORDER BY due, id LIMIT 1
                """)
        for urgent in [true, false] where urgent || calm <= now {
            let found = try Data.fetchOne(
                statement, arguments: [feed.topic, channel.name, urgent, now])
            if let found { return try AlertDelivery(stored: [UInt8](found)) }
        }
        return nil
    }

    /// The channels of an organisation on which something waits for the end of a maintenance,
    /// except those that can't be read.
    static func waiting(
        until end: Int64, of organisation: String, _ db: Database
    ) throws -> [KeptChannel] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT \(columns) FROM channel WHERE organisation = ? AND EXISTS (
                    SELECT 1 FROM delivery WHERE delivery.feed = channel.feed
                    AND delivery.channel = channel.name AND state = 1 AND due = ?)
                """, arguments: [organisation, end])
        return try rows.map { try salvaged($0) }.filter { !$0.isDamaged }
    }

    /// The channel as its owner sees it.
    func told(_ db: Database) throws -> AlertChannel {
        var told = channel
        told.hasSecret = !secret.isEmpty
        told.waiting = UInt32(clamping: try AlertDelivery.waiting(on: self, db))
        return told
    }
}
