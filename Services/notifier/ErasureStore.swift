import Bus
import Foundation
import GRDB
import Messages
import ServiceRuntime

extension Erasure {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("notifier: erasures") { db in
            try db.execute(
                sql: """
                    CREATE TABLE erasure (
                        id TEXT NOT NULL PRIMARY KEY, erasure TEXT NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    """)
        }
        migrator.registerMigration(
            "notifier: erasures of alerts", migrate: AlertErasure.makeTable)
    }
}

extension Alert {
    /// The last alert of a person, in the order of the ids; nil if there is none.
    static func last(of address: AlertFeedAddress, _ db: Database) throws -> String? {
        try String.fetchOne(
            db, sql: "SELECT max(id) FROM alert WHERE feed = ?", arguments: [address.topic])
    }

    /// Deletes alerts, with their mails and deliveries. It keeps deliveries that are under way, and
    /// those of the end that wait, because a siren that sounds for an alert must be switched off.
    /// They have no text, and are deleted when they have ended.
    static func delete(_ ids: [String], _ db: Database) throws {
        for id in ids {
            let waiting = try Row.fetchAll(
                db.cachedStatement(
                    sql: "SELECT id, delivery FROM delivery WHERE alert = ? AND state = 1"),
                arguments: [id])
            for row in waiting
            where AlertDelivery.readable(row["delivery"] as Data)?.reason != .closed {
                try db.cachedStatement(sql: "DELETE FROM delivery WHERE id = ?")
                    .execute(arguments: [row["id"] as String])
            }
            try db.cachedStatement(sql: "DELETE FROM delivery WHERE alert = ? AND state > 2")
                .execute(arguments: [id])
            // The character after the slash is the digit 0.
            let mails: StatementArguments = [
                ServiceName.notifier.rawValue, "alert/\(id)/", "alert/\(id)0",
            ]
            for table in ["mail", "mailRequest"] {
                try db.cachedStatement(
                    sql: "DELETE FROM \(table) WHERE source = ? AND key >= ? AND key < ?"
                ).execute(arguments: mails)
            }
            try db.cachedStatement(sql: "DELETE FROM alert WHERE id = ?")
                .execute(arguments: [id])
        }
    }

    /// True unless the alert with an id was deleted.
    static func isKept(_ id: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM alert WHERE id = ?)"),
            arguments: [id]) ?? false
    }
}

extension AlertNotice {
    /// True if the alert was erased, so that the notice says only that it is over.
    var isErased: Bool { alert?.raised == nil }
}

extension Notice {
    /// Replaces notices of alerts by ones that only keep their places in the feed. Notices that
    /// can't be read are replaced too, because they may be of these alerts.
    ///
    /// - Parameters:
    ///   - alerts: the ids of the alerts.
    ///   - address: the feed.
    ///   - position: only notices after it.
    ///   - last: only notices up to this position.
    ///   - limit: the maximum number of notices that are examined.
    ///   - db: the store.
    /// - Returns: the position of the last notice that was examined if there may be more; else nil.
    static func erase(
        _ alerts: Set<String>, of address: AlertFeedAddress, after position: UInt64,
        through last: UInt64, limit: Int, _ db: Database
    ) throws -> UInt64? {
        guard let any = alerts.first else { return nil }
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT sequence, time, notice FROM notice
                WHERE feed = ? AND sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?
                """,
            arguments: [
                address.topic, Int64(clamping: position), Int64(clamping: last), limit,
            ])
        var (empty, examined, end): ([AlertNotice], Int, UInt64) = ([], 0, position)
        while let row = try rows.next() {
            examined += 1
            end = UInt64(clamping: row["sequence"] as Int64)
            let alert =
                AlertNotice.readable(row["notice"])?.alert
                ?? Alert(id: any, time: row["time"] as Int64)
            guard alerts.contains(alert.id) else { continue }
            empty.append(
                AlertNotice(
                    feedSequence: end, reason: .closed,
                    alert: Alert(
                        id: alert.id, source: alert.source, state: .withdrawn, time: alert.time)))
        }
        for notice in empty {
            try db.cachedStatement(
                sql: "UPDATE notice SET notice = ? WHERE feed = ? AND sequence = ?"
            ).execute(
                arguments: [
                    Data(notice.packed()), address.topic, Int64(clamping: notice.feedSequence),
                ])
        }
        return examined == limit ? end : nil
    }
}

/// An erasure of a service's alerts for a person. It is done in stretches, one for each turn: a feed
/// may have 200,000 alerts and as many notices, and meanwhile urgent alerts must be delivered to
/// others. When all are erased, the erasure of what events and dead letters say of them begins.
struct AlertErasure: Codable {
    /// The maximum numbers of a stretch: of alerts that are deleted, and of rows that are examined.
    static let mostDeleted = 200
    static let mostExamined = 2_000
    private static let kind = "erase alerts"
    /// How long an erasure rests between two stretches, so that others have their turns: 50 ms.
    private static let pause: Int64 = 50

    private let source: String
    private let organisation: String
    private let recipient: String
    /// The last alert that was examined, and the last one to examine: what is raised later stays.
    private var alert = ""
    private var lastAlert = ""
    /// The same for notices, when all alerts are erased.
    private var notice: UInt64 = 0
    private var lastNotice: UInt64?
    /// The alerts that were erased, and what they and lost alerts were about.
    private var erased: Set<String> = []
    private var subjects: Set<String> = []

    private var address: AlertFeedAddress {
        AlertFeedAddress(organisation: organisation, recipient: recipient)
    }

    private init(from source: String, of address: AlertFeedAddress) {
        (self.source, organisation, recipient) = (source, address.organisation, address.recipient)
    }

    static func makeTable(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE alertErasure (
                    feed TEXT NOT NULL PRIMARY KEY, erasure TEXT NOT NULL
                ) WITHOUT ROWID, STRICT;
                """)
    }

    /// The timer that carries erasures out.
    static var timer: TimerHandler {
        TimerHandler(kind) { topic, _, transaction in
            var erasure = try kept(topic, transaction.db)
            try erasure?.advance(in: transaction)
        }
    }

    /// Erases the open alerts of a service for a person, of which there are few, and makes the
    /// erasure of all others. One that is under way starts over, for what came since then.
    static func begun(
        from source: String, of address: AlertFeedAddress, in transaction: Transaction
    ) throws -> AlertErasure {
        let db = transaction.db
        var erasure =
            try kept(address.topic, db) ?? AlertErasure(from: source, of: address)
        (erasure.alert, erasure.notice, erasure.lastNotice) = ("", 0, nil)
        erasure.lastAlert = try Alert.last(of: address, db) ?? ""
        let lost: Set<String> = try transaction.deadLetters(of: AlertRaised.self, from: source) {
            let feed = AlertFeedAddress(organisation: $0.organisation, recipient: $0.recipient)
            return feed == address ? $0.subject : nil
        }
        erasure.subjects.formUnion(lost)
        let open = try Row.fetchAll(
            db, sql: "SELECT id, source, key FROM alert WHERE feed = ? AND state = 1",
            arguments: [address.topic])
        let ids = open.filter(erasure.includes).map { $0["id"] as String }
        try erasure.delete(ids, db)
        return erasure
    }

    private static func kept(_ topic: String, _ db: Database) throws -> AlertErasure? {
        try String.fetchOne(
            db, sql: "SELECT erasure FROM alertErasure WHERE feed = ?", arguments: [topic]
        ).map { try JSONDecoder().decode(AlertErasure.self, from: Data($0.utf8)) }
    }

    /// Erases the next stretch, and sets the timer for the one after it.
    mutating func advance(in transaction: Transaction) throws {
        let db = transaction.db
        var isMore = try eraseAlerts(db)
        if !isMore { isMore = try eraseNotices(db) }
        guard isMore else {
            try db.execute(
                sql: "DELETE FROM alertErasure WHERE feed = ?", arguments: [address.topic])
            return try Erasure(of: subjects.union(erased).subtracting([""]), in: transaction)
                .begin(address.topic, in: transaction)
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO alertErasure (feed, erasure) VALUES (?, ?)",
            arguments: [
                address.topic, String(decoding: try JSONEncoder().encode(self), as: UTF8.self),
            ])
        try transaction.setTimer(
            Self.kind, subject: address.topic, due: transaction.now + Self.pause)
        transaction.erase()
    }

    /// Erases the next of the alerts that are closed.
    ///
    /// - Returns: true when more may be left.
    private mutating func eraseAlerts(_ db: Database) throws -> Bool {
        guard lastNotice == nil else { return false }
        var (ids, examined): ([String], Int) = ([], 0)
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT id, source, key, state FROM alert WHERE feed = ? AND id > ? AND id <= ?
                ORDER BY id LIMIT ?
                """, arguments: [address.topic, alert, lastAlert, Self.mostExamined])
        while ids.count < Self.mostDeleted, let row = try rows.next() {
            examined += 1
            alert = row["id"]
            if AlertState(rawValue: row["state"]) != .open, includes(row) { ids.append(alert) }
        }
        try delete(ids, db)
        let isMore = ids.count == Self.mostDeleted || examined == Self.mostExamined
        if !isMore { lastNotice = try Notice.head(address, db) }
        return isMore
    }

    /// Erases the next of the notices of alerts that were erased.
    ///
    /// - Returns: true when more may be left.
    private mutating func eraseNotices(_ db: Database) throws -> Bool {
        guard let lastNotice, notice < lastNotice else { return false }
        let last = try Notice.erase(
            erased, of: address, after: notice, through: lastNotice, limit: Self.mostExamined, db)
        notice = last ?? lastNotice
        return last != nil
    }

    /// Deletes alerts, and notes what they were about. What an alert that can't be read was about
    /// is not known, which is no reason to keep it.
    private mutating func delete(_ ids: [String], _ db: Database) throws {
        for id in ids {
            guard let known = try Alert.known(id, db), known.source == source else { continue }
            subjects.insert(known.raised?.subject ?? "")
        }
        erased.formUnion(ids)
        try Alert.delete(ids, db)
    }

    /// True of the service's alerts, and of digests, which may name them.
    private func includes(_ row: Row) -> Bool {
        let (from, key): (String, String) = (row["source"], row["key"])
        return from == source
            || from == ServiceName.notifier.rawValue && key == AlertDigest.key(of: address)
    }
}
