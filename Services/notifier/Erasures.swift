import Bus
import Foundation
import GRDB
import Messages
import ServiceRuntime

/// The erasure of alerts, when a person has the traces of their journeys erased.
enum Erasures {
    static var timers: [TimerHandler] {
        [Erasure.timer(reading: [AlertRaised.self]), AlertErasure.timer]
    }

    /// Begins to erase all alerts of a service for a person, and what digests, notices, mails,
    /// deliveries, events and dead letters say of them and of their subjects. An open digest is made
    /// again without them.
    static func begin(
        from source: String, of address: AlertFeedAddress, in transaction: Transaction
    ) throws {
        let list = try AlertDigest.openList(of: address, in: transaction)
        try AlertDigest.withdraw(of: address, in: transaction)
        var erasure = try AlertErasure.begun(from: source, of: address, in: transaction)
        // It lists open alerts, and none of those to be erased is open any more.
        if let list { try AlertDigest.replace(list, of: address, in: transaction) }
        try erasure.advance(in: transaction)
    }

    /// Erases the alerts of journeys that a person has erased. None of them is open: nothing is
    /// erased while a journey is under way.
    static func travelErased(
        _ event: TravelErased, _ envelope: Envelope, in transaction: Transaction
    ) throws {
        try begin(
            from: envelope.source,
            of: AlertFeedAddress(organisation: event.organisation, recipient: event.owner),
            in: transaction)
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
