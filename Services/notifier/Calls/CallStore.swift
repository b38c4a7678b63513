import Foundation
import GRDB
import Messages
import Phrases
import ServiceRuntime

/// A call in the store, and how far its people have been told about its present state.
struct KeptCall {
    var call: Call
    /// Where the present pass over its people is: 0 while it tells those who already have an alert,
    /// 1 or more while it tells those of its audiences, -1 when everyone was told.
    var stage: Int
    /// The account after which the pass continues.
    var cursor: String
    /// True if those responsible for the organisation are told, because it, or a step of it,
    /// reaches nobody.
    var hasDeputies: Bool
    /// True if the last pass found that nobody else has an open alert of it. This isn't stored.
    var reachesNobody = false
    /// True if the call can't be read; then neither its audience nor its policy is known.
    private(set) var isDamaged = false

    init(_ call: Call) {
        (self.call, stage, cursor, hasDeputies) = (call, -1, "", false)
    }

    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("notifier: calls") { db in
            try db.execute(
                sql: """
                    CREATE TABLE call (
                        id TEXT NOT NULL PRIMARY KEY, source TEXT NOT NULL, key TEXT NOT NULL,
                        organisation TEXT NOT NULL, state INTEGER NOT NULL,
                        isLive INTEGER NOT NULL, closed INTEGER NOT NULL, stage INTEGER NOT NULL,
                        cursor TEXT NOT NULL, hasDeputies INTEGER NOT NULL, call BLOB NOT NULL
                    ) WITHOUT ROWID, STRICT;
                    CREATE UNIQUE INDEX liveCallByKey ON call (source, key) WHERE isLive;
                    CREATE INDEX liveCall ON call (organisation, id) WHERE isLive;
                    CREATE INDEX callByOrganisation ON call (organisation, id);
                    CREATE INDEX closedCall ON call (closed) WHERE NOT isLive;
                    ALTER TABLE alert ADD COLUMN call TEXT NOT NULL DEFAULT '';
                    ALTER TABLE alert ADD COLUMN called INTEGER NOT NULL DEFAULT 0;
                    DROP INDEX openAlertByKey;
                    CREATE UNIQUE INDEX openAlertByKey ON alert (source, key, feed)
                        WHERE state = 1;
                    CREATE UNIQUE INDEX alertByCall ON alert (call, feed) WHERE call <> '';
                    """)
        }
    }

    // MARK: Rows

    private static let columns = "call, stage, cursor, hasDeputies"

    /// The call of a row, or, if it can't be read, what else is known of it, so that it can still
    /// be withdrawn or acknowledged.
    private init(_ row: Row) {
        (stage, cursor, hasDeputies) = (row["stage"], row["cursor"], row["hasDeputies"])
        do { call = try Call(stored: [UInt8](row["call"] as Data)) } catch {
            var raised = AlertRaised(
                key: row["key"], severity: .urgent, organisation: row["organisation"])
            raised.say(Said(.unreadable))
            let isLive: Bool = row["isLive"]
            call = Call(
                id: row["id"], source: row["source"], raised: raised,
                state: AlertState(rawValue: row["state"]), closed: row["closed"], isOver: !isLive)
            isDamaged = true
        }
    }

    /// The call with an id.
    ///
    /// - Throws: a `Refusal` when there is none.
    static func required(_ id: String, _ db: Database) throws -> KeptCall {
        try required(id, of: .all, db)
    }

    /// The call with an id, or the only one whose id begins with it, of an organisation or of all.
    static func required(
        _ id: String, of scope: OrganisationScope, _ db: Database
    ) throws -> KeptCall {
        let typed = try TypedID(id, of: "call")
        return try typed.only(
            fetch(
                db,
                """
                WHERE \(TypedID.condition) AND \(OrganisationScope.condition) ORDER BY id LIMIT 2
                """, typed.arguments + scope.arguments))
    }

    /// The call with an id; nil for none.
    static func known(_ id: String, _ db: Database) throws -> KeptCall? {
        try fetch(db, "WHERE id = ?", [id]).first
    }

    /// The call of a source to which something may still happen.
    static func live(source: String, key: String, _ db: Database) throws -> KeptCall? {
        try fetch(db, "WHERE source = ? AND key = ? AND isLive LIMIT 1", [source, key]).first
    }

    /// The live calls of a source.
    static func live(source: String, _ db: Database) throws -> [KeptCall] {
        try fetch(db, "WHERE source = ? AND isLive ORDER BY id", [source])
    }

    /// The live calls of an organisation.
    static func live(of organisation: String, _ db: Database) throws -> [KeptCall] {
        try fetch(db, "WHERE organisation = ? AND isLive ORDER BY id", [organisation])
    }

    /// True when a call is open.
    static func isOpen(_ id: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM call WHERE id = ? AND state = 1)"),
            arguments: [id]) ?? false
    }

    /// The newest calls of an organisation, or of all.
    static func newest(
        of scope: OrganisationScope, openOnly: Bool, before: String, limit: Int, _ db: Database
    ) throws -> [Call] {
        let state = openOnly ? "AND state = 1" : ""
        return try fetch(
            db,
            """
            WHERE \(OrganisationScope.condition) AND (:before = '' OR id < :before) \(state)
            ORDER BY id DESC LIMIT :limit
            """, scope.arguments + ["before": before, "limit": limit]
        ).map(\.call)
    }

    /// Inserts or updates its row.
    func save(_ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO call (
                    id, source, key, organisation, state, isLive, closed, \(Self.columns))
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET state = excluded.state, isLive = excluded.isLive,
                    closed = excluded.closed, call = excluded.call, stage = excluded.stage,
                    cursor = excluded.cursor, hasDeputies = excluded.hasDeputies
                """
        ).execute(arguments: [
            call.id, call.source, call.raised?.key ?? "", call.organisation,
            call.state.rawValue, call.isLive, call.closed, Data(call.packed()), stage, cursor,
            hasDeputies,
        ])
    }

    /// Deletes some of those that were closed before a time.
    static func prune(closedBefore time: Int64, _ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM call WHERE id IN (
                    SELECT id FROM call WHERE NOT isLive AND closed < ? LIMIT 1000)
                """, arguments: [time])
    }

    private static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [KeptCall] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT id, source, key, organisation, state, isLive, closed, \(columns) FROM call
                \(condition)
                """)
        return try Row.fetchAll(statement, arguments: arguments).map(KeptCall.init)
    }
}

/// The alert of one person of a call.
struct CalledAlert {
    var alert: Alert
    /// How often the person was called so far: see `Call.Telling.times`.
    var times: Int64

    /// The condition on alerts that they are of a call. Its second part lets SQLite use the index
    /// of calls, which has no other alerts: without it each look at a call would examine all alerts
    /// there are.
    static let ofCall = "WHERE call = ? AND call <> ''"

    /// Someone's alert of a call; nil if they have none.
    static func of(_ call: String, _ address: AlertFeedAddress, _ db: Database) throws
        -> CalledAlert?
    {
        try fetch(db, "\(ofCall) AND feed = ?", [call, address.topic]).first
    }

    /// The alerts of a call after a feed, in order of their feeds.
    static func all(
        of call: String, after feed: String, limit: Int, _ db: Database
    ) throws -> [CalledAlert] {
        try fetch(
            db, "\(ofCall) AND feed > ? ORDER BY feed LIMIT ?", [call, feed, limit])
    }

    /// True when anyone has an alert of a call that is open.
    static func isAnyOpen(of call: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM alert \(ofCall) AND state = 1)",
            arguments: [call]) ?? false
    }

    /// Records how often the person was called; the alert is in the store already.
    func note(_ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE alert SET called = ? WHERE id = ?")
            .execute(arguments: [times, alert.id])
    }

    private static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [CalledAlert] {
        let statement = try db.cachedStatement(
            sql: "SELECT \(Alert.columns), called FROM alert \(condition)")
        return try Row.fetchAll(statement, arguments: arguments).map {
            CalledAlert(alert: try Alert.salvaged($0, db), times: $0["called"])
        }
    }
}

extension Alert {
    /// True if it is no longer open. After somebody has acknowledged a call, the pass over everyone
    /// called may not have reached this recipient's alert yet.
    func isOver(_ db: Database) throws -> Bool {
        try state != .open || !call.isEmpty && !KeptCall.isOpen(call, db)
    }

    /// The alert as it has ended, which for one of a call is how the call has ended; nil while it
    /// is open.
    func ended(_ db: Database) throws -> Alert? {
        guard try isOver(db) else { return nil }
        guard state == .open else { return self }
        var ended = self
        let call = try KeptCall.known(call, db)?.call
        (ended.state, ended.closed) = (call?.state ?? .withdrawn, call?.closed ?? time)
        return ended
    }

    /// True if its source has an open alert under the same key, which may be for others.
    func goesOn(_ db: Database) throws -> Bool {
        let call = try KeptCall.live(source: source, key: key, db)
        return try call?.call.state == .open || Alert.open(source: source, key: key, db) != nil
    }
}

extension AlertNotice {
    /// True if the notice says that an alert is open that no longer is.
    func isOver(_ db: Database) throws -> Bool {
        guard let alert, alert.state == .open else { return false }
        return try alert.isOver(db) || Alert.known(alert.id, db)?.state != .open
    }
}
