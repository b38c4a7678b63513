import Foundation
import GRDB
import Messages
import ServiceRuntime

/// The notifier's table of deliveries.
extension AlertDelivery {
    /// How many deliveries of one alert that have ended are kept for each channel.
    private static let mostKept = 20

    /// Inserts or updates its row.
    func save(_ feed: AlertFeedAddress, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO delivery (
                    id, feed, channel, alert, isUrgent, state, due, changed, delivery)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET isUrgent = excluded.isUrgent, state = excluded.state,
                    due = excluded.due, changed = excluded.changed, delivery = excluded.delivery
                """
        ).execute(arguments: [
            id, feed.topic, channel, alert, severity == .urgent, Int(state.rawValue), due, changed,
            Data(packed()),
        ])
        guard state.rawValue > DeliveryState.sending.rawValue else { return }
        try db.cachedStatement(
            sql: """
                DELETE FROM delivery WHERE id IN (
                    SELECT id FROM delivery
                    WHERE alert = ? AND feed = ? AND channel = ? AND state > 2
                    ORDER BY id DESC LIMIT -1 OFFSET ?)
                """
        ).execute(arguments: [alert, feed.topic, channel, Self.mostKept])
    }

    /// Saves how the delivery has ended, or that it is to be tried again. Once it has ended,
    /// nothing is kept of it if its alert was erased.
    func saveOutcome(_ feed: AlertFeedAddress, _ db: Database) throws {
        try save(feed, db)
        guard state.rawValue > DeliveryState.sending.rawValue, try !Alert.isKept(alert, db) else {
            return
        }
        try db.execute(sql: "DELETE FROM delivery WHERE id = ?", arguments: [id])
    }

    /// True unless a delivery was deleted.
    static func isKept(_ id: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM delivery WHERE id = ?)", arguments: [id]
        ) ?? false
    }

    /// The deliveries of an alert by a channel that wait, oldest first.
    static func waiting(
        of alert: String, on channel: KeptChannel, _ db: Database
    ) throws -> [AlertDelivery] {
        try salvaged(
            db,
            "WHERE alert = ? AND feed = ? AND channel = ? AND state = 1 ORDER BY id",
            [alert, channel.feed.topic, channel.channel.name])
    }

    /// The deliveries by a channel that quiet hours or maintenance hold back, as far as they can be
    /// read.
    static func held(
        on channel: KeptChannel, at now: Int64, _ db: Database
    ) throws -> [AlertDelivery] {
        try salvaged(
            db, "WHERE feed = ? AND channel = ? AND state = 1 AND due > ? ORDER BY id",
            [channel.feed.topic, channel.channel.name, now]
        ).filter { AlertHold.isReason($0.note) }
    }

    /// The ids of the alerts with deliveries that wait for a channel, even if these can't be read.
    static func alertsWaiting(on channel: KeptChannel, _ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: "SELECT alert FROM delivery WHERE feed = ? AND channel = ? AND state = 1",
            arguments: [channel.feed.topic, channel.channel.name])
    }

    /// The deliveries by a channel that are due, urgent ones first, up to
    /// `DeliveryPlan.mostWaiting`.
    static func due(
        on channel: KeptChannel, at now: Int64, _ db: Database
    ) throws -> [AlertDelivery] {
        try fetch(
            db,
            """
            WHERE feed = ? AND channel = ? AND state = 1 AND due <= ?
            ORDER BY isUrgent DESC, due, id LIMIT ?
            """, [channel.feed.topic, channel.channel.name, now, DeliveryPlan.mostWaiting])
    }

    /// How many deliveries wait on a channel, besides those of an alert.
    static func waiting(
        on channel: KeptChannel, besides alert: String = "", _ db: Database
    ) throws -> Int {
        let statement = try db.cachedStatement(
            sql: """
                SELECT (
                    SELECT count(*) FROM delivery
                    WHERE feed = :feed AND channel = :channel AND state = 1
                ) - (
                    SELECT count(*) FROM delivery
                    WHERE alert = :alert AND feed = :feed AND channel = :channel AND state = 1)
                """)
        return try Int.fetchOne(
            statement,
            arguments: [
                "feed": channel.feed.topic, "channel": channel.channel.name, "alert": alert,
            ]) ?? 0
    }

    /// True when the channel has, or will get, anything of an alert since it was opened or, if
    /// `severity` is urgent, anything that says that it is urgent.
    static func isToldOf(
        _ alert: String, as severity: Severity = .info, since opened: UInt64 = 0,
        _ channel: KeptChannel, _ db: Database
    ) throws -> Bool {
        try salvaged(
            db, "WHERE alert = ? AND feed = ? AND channel = ? AND state < 4 AND isUrgent >= ?",
            [alert, channel.feed.topic, channel.channel.name, severity == .urgent]
        ).contains { $0.feedSequence >= opened }
    }

    /// True when the channel has delivered anything of an alert since it was opened that says that
    /// it is urgent.
    static func hasToldUrgent(
        _ alert: String, since opened: UInt64, on channel: KeptChannel, _ db: Database
    ) throws -> Bool {
        try salvaged(
            db, "WHERE alert = ? AND feed = ? AND channel = ? AND state = 3 AND isUrgent",
            [alert, channel.feed.topic, channel.channel.name]
        ).contains { $0.feedSequence >= opened }
    }

    /// True if the channel's last delivery of an alert since it was opened was refused, or couldn't
    /// be read.
    static func wasRefused(
        _ alert: String, since opened: UInt64, _ channel: KeptChannel, _ db: Database
    ) throws -> Bool {
        try salvaged(
            db,
            """
            WHERE alert = ? AND feed = ? AND channel = ? AND state BETWEEN 1 AND 4
            ORDER BY id DESC LIMIT 1
            """, [alert, channel.feed.topic, channel.channel.name]
        ).contains {
            $0.state == .refused && ($0.feedSequence == 0 || $0.feedSequence >= opened)
        }
    }

    /// True when the channel may have got anything of an alert: see
    /// ``AlertDelivery/mayHaveArrived``. Old deliveries may have been deleted, and one of those may
    /// have arrived.
    static func mayHaveArrived(
        of alert: String, on channel: KeptChannel, _ db: Database
    ) throws -> Bool {
        let deliveries = try salvaged(
            db, "WHERE alert = ? AND feed = ? AND channel = ?",
            [alert, channel.feed.topic, channel.channel.name])
        return deliveries.count >= mostKept || deliveries.contains(where: \.mayHaveArrived)
    }

    /// The highest loudness at which a channel has delivered an alert since it was opened, or is
    /// delivering it: see ``DeliveryPlan/loudness(of:)``. Nil if there is none.
    static func loudest(
        of alert: String, since opened: UInt64, on channel: KeptChannel, _ db: Database
    ) throws -> Int? {
        try salvaged(
            db, "WHERE alert = ? AND feed = ? AND channel = ? AND state IN (2, 3)",
            [alert, channel.feed.topic, channel.channel.name]
        ).filter { $0.feedSequence >= opened }
            .map { DeliveryPlan.loudness(of: $0.severity) }.max()
    }

    /// True if one like it was skipped for the same reason since the alert was opened.
    func isKnown(
        toBeSkipped reason: String, since opened: UInt64, _ feed: AlertFeedAddress, _ db: Database
    ) throws -> Bool {
        try Self.salvaged(
            db, "WHERE alert = ? AND feed = ? AND channel = ? AND state = ?",
            [alert, feed.topic, channel, DeliveryState.skipped.rawValue]
        ).contains {
            $0.note == reason && $0.severity == severity && $0.feedSequence >= opened
        }
    }

    /// True if a delivery of an alert was skipped for a reason since the alert was last opened.
    static func wasSkipped(
        of alert: Alert, because reason: String, _ db: Database
    ) throws -> Bool {
        let opened = try AlertOpening.position(of: alert, db)
        return try all(of: alert.id, db).contains {
            $0.state == .skipped && $0.note == reason && $0.feedSequence >= opened
        }
    }

    /// The newest deliveries of an alert, oldest first.
    static func all(of alert: String, _ db: Database) throws -> [AlertDelivery] {
        Array(try salvaged(db, "WHERE alert = ? ORDER BY id DESC LIMIT 200", [alert]).reversed())
    }

    /// The newest deliveries of an alert, mails among them, oldest first.
    static func everything(of alert: Alert, _ db: Database) throws -> [AlertDelivery] {
        let mails = try Mail.of(alert, db).map(AlertDelivery.init)
        return try (all(of: alert.id, db) + mails).sorted { $0.id < $1.id }
    }

    /// The deliveries by a channel that were under way when the process was killed: whether they
    /// arrived isn't known.
    static func underWay(on channel: KeptChannel, _ db: Database) throws -> [AlertDelivery] {
        try fetch(
            db, "WHERE feed = ? AND channel = ? AND state = 2 ORDER BY id",
            [channel.feed.topic, channel.channel.name])
    }

    /// What is known of the deliveries by a channel that can't be read and are still to be made.
    static func unreadable(on kept: KeptChannel, _ db: Database) throws -> [AlertDelivery] {
        let rows = try ofChannel.dropLast().flatMap {
            try Row.fetchAll(
                db, sql: "SELECT \(columns) FROM delivery WHERE \($0)",
                arguments: [kept.feed.topic, kept.channel.name])
        }
        return rows.filter { readable($0["delivery"]) == nil }.map { AlertDelivery(damaged: $0) }
    }

    /// The conditions on deliveries by a channel: those that wait, are under way, and have ended.
    /// Each has an index of its own; without it all deliveries to anyone would be examined.
    static let ofChannel = ["state = 1", "state = 2", "state > 2"].map {
        "feed = ? AND channel = ? AND \($0)"
    }

    /// Deletes all deliveries by a channel.
    static func delete(of channel: KeptChannel, _ db: Database) throws {
        for condition in ofChannel {
            try db.execute(
                sql: "DELETE FROM delivery WHERE \(condition)",
                arguments: [channel.feed.topic, channel.channel.name])
        }
    }

    private static let columns = "id, channel, alert, isUrgent, state, due, changed, delivery"

    /// What is known of a delivery that can't be read.
    private init(damaged row: Row) {
        let isUrgent: Bool = row["isUrgent"]
        self.init(
            id: row["id"], channel: row["channel"], alert: row["alert"],
            severity: isUrgent ? .urgent : .info, state: DeliveryState(rawValue: row["state"]),
            due: row["due"], changed: row["changed"])
    }

    /// True if its channel has, or will get, something newer of the same alert.
    func isOvertaken(on kept: KeptChannel, _ db: Database) throws -> Bool {
        try Self.salvaged(
            db, "WHERE alert = ? AND feed = ? AND channel = ? AND state < 4",
            [alert, kept.feed.topic, channel]
        ).contains { $0.feedSequence > feedSequence }
    }

    /// Deletes some of those that ended before a time, but none of an alert that is open: its end
    /// goes to the channels that have delivered it, because a siren must be switched off.
    ///
    /// - Returns: true when there may be more of them.
    static func prune(endedBefore time: Int64, most: Int = 5_000, _ db: Database) throws -> Bool {
        try db.execute(
            sql: """
                DELETE FROM delivery WHERE id IN (
                    SELECT id FROM delivery WHERE state > 2 AND changed < ? AND NOT EXISTS (
                        SELECT 1 FROM alert WHERE alert.id = delivery.alert AND alert.state = 1)
                    LIMIT ?)
                """, arguments: [time, most])
        return db.changesCount == most
    }

    /// Deliveries that were made, or that another one replaces. One that can't be read is replaced
    /// by what else is known of it, so that it doesn't stop what happens to its alert next.
    private static func salvaged(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [AlertDelivery] {
        let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM delivery \(condition)")
        return try Row.fetchAll(statement, arguments: arguments)
            .map { readable($0["delivery"]) ?? AlertDelivery(damaged: $0) }
    }

    private static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [AlertDelivery] {
        let statement = try db.cachedStatement(sql: "SELECT delivery FROM delivery \(condition)")
        return try Data.fetchAll(statement, arguments: arguments)
            .map { try AlertDelivery(stored: [UInt8]($0)) }
    }
}
