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
            "notifier: erasures of alerts", migrate: AlertErasure.makeTables)
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

    /// What is left of it when its alert is erased: it only keeps its place in the feed.
    var erased: AlertNotice {
        AlertNotice(
            feedSequence: feedSequence, reason: .closed,
            alert: alert.map {
                Alert(id: $0.id, source: $0.source, state: .withdrawn, time: $0.time)
            })
    }

    /// The notice as it may be read while alerts of its feed are being erased.
    func shown(during erasure: AlertErasure?) -> AlertNotice {
        erasure?.hides(self) == true ? erased : self
    }
}

/// An erasure of a service's alerts for a person. It is done in stretches, one for each turn: a
/// feed may have 200,000 alerts and as many notices, and meanwhile urgent alerts must be delivered
/// to others. What it has yet to delete can no longer be read. When all are erased, the erasure of
/// what events and dead letters say of them begins.
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
    private var areAlertsLeft = true
    /// The same for notices, when all alerts are erased.
    private var notice: UInt64 = 0
    private var lastNotice: UInt64 = 0
    /// One of the alerts that were erased: notices that can't be read are replaced by notices of
    /// it.
    private var anyErased: String?

    private var address: AlertFeedAddress {
        AlertFeedAddress(organisation: organisation, recipient: recipient)
    }

    private init(from source: String, of address: AlertFeedAddress) {
        (self.source, organisation, recipient) = (source, address.organisation, address.recipient)
    }

    /// Makes the tables of the erasures, and of the ids that are to be erased from events: of the
    /// alerts that were erased, and of what they and lost alerts were about.
    static func makeTables(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE alertErasure (
                    feed TEXT NOT NULL PRIMARY KEY, erasure TEXT NOT NULL
                ) WITHOUT ROWID, STRICT;
                CREATE TABLE erasedAlert (
                    feed TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (feed, id)
                ) WITHOUT ROWID, STRICT;
                """)
    }

    /// The timer that carries erasures out.
    static var timer: TimerHandler {
        TimerHandler(kind) { topic, _, transaction in
            guard let json = try text(topic, transaction.db) else { return }
            var erasure = try JSONDecoder().decode(AlertErasure.self, from: Data(json.utf8))
            try erasure.advance(in: transaction)
        }
    }

    /// The erasure of a person's alerts that is under way; nil for none, and for one that can't be
    /// read, which its timer reports.
    static func underWay(of address: AlertFeedAddress, _ db: Database) throws -> AlertErasure? {
        guard let text = try text(address.topic, db) else { return nil }
        do {
            return try JSONDecoder().decode(AlertErasure.self, from: Data(text.utf8))
        } catch is DecodingError {
            return nil
        }
    }

    private static func text(_ topic: String, _ db: Database) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(sql: "SELECT erasure FROM alertErasure WHERE feed = ?"),
            arguments: [topic])
    }

    /// Erases the alerts of a service for a person that are open or wait to be mailed, of which
    /// there are few, and makes the erasure of all others. One that is under way starts over, for
    /// what came since then.
    static func begun(
        from source: String, of address: AlertFeedAddress, in transaction: Transaction
    ) throws -> AlertErasure {
        let db = transaction.db
        var erasure =
            try underWay(of: address, db) ?? AlertErasure(from: source, of: address)
        (erasure.alert, erasure.areAlertsLeft, erasure.notice) = ("", true, 0)
        erasure.lastAlert = try Alert.last(of: address, db) ?? ""
        erasure.lastNotice = try Notice.head(address, db)
        let lost: Set<String> = try transaction.deadLetters(of: AlertRaised.self, from: source) {
            let feed = AlertFeedAddress(organisation: $0.organisation, recipient: $0.recipient)
            return feed == address ? $0.subject : nil
        }
        try erasure.note(lost, db)
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT id, source, key FROM alert WHERE feed = ?1 AND state = 1
                UNION
                SELECT id, source, key FROM alert WHERE feed = ?1 AND id IN (
                    SELECT substr(key, 7, 36) FROM mail
                    WHERE feed = ?1 AND feed <> '' AND state IN (1, 4) AND source = ?2)
                """, arguments: [address.topic, ServiceName.notifier.rawValue])
        let ids = rows.filter { erasure.includes($0) }.map { $0["id"] as String }
        try erasure.delete(ids, db)
        return erasure
    }

    /// Erases the next stretch, and sets the timer for the one after it.
    mutating func advance(in transaction: Transaction) throws {
        let (db, topic) = (transaction.db, address.topic)
        if areAlertsLeft { areAlertsLeft = try eraseAlerts(db) }
        var isMore = areAlertsLeft
        if !isMore { isMore = try eraseNotices(db) }
        transaction.erase()
        guard isMore else { return try finish(in: transaction) }
        try db.execute(
            sql: "INSERT OR REPLACE INTO alertErasure (feed, erasure) VALUES (?, ?)",
            arguments: [topic, String(decoding: try JSONEncoder().encode(self), as: UTF8.self)])
        try transaction.setTimerInTurn(Self.kind, subject: topic, pause: Self.pause)
    }

    /// Goes on with the events and dead letters.
    private func finish(in transaction: Transaction) throws {
        let (db, topic) = (transaction.db, address.topic)
        let ids = try String.fetchSet(
            db, sql: "SELECT id FROM erasedAlert WHERE feed = ?", arguments: [topic])
        for table in ["alertErasure", "erasedAlert"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE feed = ?", arguments: [topic])
        }
        try transaction.cancelTimer(Self.kind, subject: topic)
        try Erasure(of: ids, in: transaction).begin(topic, in: transaction)
    }

    /// Erases the next of the alerts that are closed.
    ///
    /// - Returns: true when more may be left.
    private mutating func eraseAlerts(_ db: Database) throws -> Bool {
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
        return ids.count == Self.mostDeleted || examined == Self.mostExamined
    }

    /// Deletes alerts, and notes what they were about. What an alert that can't be read was about
    /// is not known, which is no reason to keep it.
    private mutating func delete(_ ids: [String], _ db: Database) throws {
        var subjects: Set<String> = []
        for id in ids {
            guard let known = try Alert.known(id, db), known.source == source else { continue }
            subjects.insert(known.raised?.subject ?? "")
        }
        try note(subjects.union(ids), db)
        anyErased = anyErased ?? ids.first
        try Alert.delete(ids, db)
    }

    /// Notes the ids of what is erased from events when all alerts are.
    private func note(_ ids: Set<String>, _ db: Database) throws {
        for id in ids where !id.isEmpty {
            try db.cachedStatement(
                sql: "INSERT OR IGNORE INTO erasedAlert (feed, id) VALUES (?, ?)"
            ).execute(arguments: [address.topic, id])
        }
    }

    /// True of an alert that is to be erased. Until then nobody gets it any more.
    func hides(_ alert: Alert) -> Bool {
        alert.state != .open && alert.id <= lastAlert
            && includes(source: alert.source, key: alert.key)
    }

    /// True of a notice that says something of an alert that was erased, or is to be.
    func hides(_ notice: AlertNotice) -> Bool {
        guard notice.feedSequence <= lastNotice, let alert = notice.alert else { return false }
        return includes(source: alert.source, key: alert.key)
    }

    private func includes(_ row: Row) -> Bool {
        includes(source: row["source"], key: row["key"])
    }

    /// True of the service's alerts, and of digests, which may name them.
    private func includes(source from: String, key: String) -> Bool {
        from == source
            || from == ServiceName.notifier.rawValue && key == AlertDigest.key(of: address)
    }
}

extension AlertErasure {
    /// Replaces some notices of erased alerts by ones that only keep their places in the feed.
    /// Notices that can't be read are replaced too, because they may be of these alerts.
    ///
    /// - Returns: true when more may be left.
    fileprivate mutating func eraseNotices(_ db: Database) throws -> Bool {
        guard let anyErased, notice < lastNotice else { return false }
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT sequence, time, notice FROM notice
                WHERE feed = ? AND sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?
                """,
            arguments: [
                address.topic, Int64(clamping: notice), Int64(clamping: lastNotice),
                Self.mostExamined,
            ])
        var (empty, examined): ([AlertNotice], Int) = ([], 0)
        while let row = try rows.next() {
            examined += 1
            notice = UInt64(clamping: row["sequence"] as Int64)
            guard var known = AlertNotice.readable(row["notice"]), known.alert != nil else {
                let alert = Alert(id: anyErased, time: row["time"] as Int64)
                empty.append(
                    AlertNotice(feedSequence: notice, reason: .closed, alert: alert).erased)
                continue
            }
            known.feedSequence = notice
            if hides(known) { empty.append(known.erased) }
        }
        for notice in empty {
            try db.cachedStatement(
                sql: "UPDATE notice SET notice = ? WHERE feed = ? AND sequence = ?"
            ).execute(
                arguments: [
                    Data(notice.packed()), address.topic, Int64(clamping: notice.feedSequence),
                ])
        }
        return examined == Self.mostExamined
    }
}
