import Foundation
import GRDB
import Messages
import ServiceRuntime
import ShiftLog
import Texts

/// A shift in its stored form.
struct ShiftRow {
    var shift: Shift
    /// The newest sequence of its operations.
    var head: UInt64 = 0

    /// The open shift of a site.
    static func open(at site: String, _ db: Database) throws -> ShiftRow? {
        try fetch(db, "WHERE site = ? AND ended = 0", [site]).first
    }

    /// The ids of all open shifts, each with the id of its site.
    static func openIDs(_ db: Database) throws -> [(shift: String, site: String)] {
        try Row.fetchAll(
            db, sql: "SELECT id, site FROM shift INDEXED BY openShift WHERE ended = 0 ORDER BY id"
        ).map { ($0["id"], $0["site"]) }
    }

    /// Finds the open shifts of an organisation that have alerts. SQLite would examine all shifts
    /// there ever were rather than use the index of open ones, of which each site has one at most.
    static let alertedSelection = """
        SELECT id FROM shift INDEXED BY openShift WHERE ended = 0 AND organisation = ?
            AND EXISTS (SELECT 1 FROM standingAlert WHERE subject = shift.id)
        ORDER BY id
        """

    /// The ids of an organisation's open shifts that have alerts.
    static func alerted(of organisation: String, _ db: Database) throws -> [String] {
        try String.fetchAll(
            db.cachedStatement(sql: alertedSelection), arguments: [organisation])
    }

    /// The shift with an id.
    static func ofID(_ id: String, _ db: Database) throws -> ShiftRow? {
        try fetch(db, "WHERE id = ?", [id]).first
    }

    /// The shift with an id, or the only one whose id begins with it.
    static func required(
        _ id: String, of scope: OrganisationScope, _ db: Database
    ) throws -> ShiftRow {
        let typed = try TypedID(id, of: "shift")
        return try typed.only(
            fetch(
                db, "WHERE \(TypedID.condition) AND \(OrganisationScope.condition) LIMIT 2",
                typed.arguments + scope.arguments))
    }

    /// The number of shifts at a site within 24 hours, including scheduled ones, after which people
    /// can begin no more. Each is kept for years, with its lists and with the to-dos that were
    /// open.
    static let mostInDay = 50
    private static let day: Int64 = 86_400_000

    /// Refuses another shift when too many have begun at a site. The owner of the machine may fill
    /// the disk anyway.
    static func requireRoom(
        at site: String, for principal: Principal, at now: Int64, _ db: Database
    ) throws {
        guard principal.kind == .account else { return }
        let begun = try Int.fetchOne(
            db.cachedStatement(
                sql: "SELECT count(*) FROM shift WHERE site = ? AND started > ? AND started <= ?"),
            arguments: [site, now - day, now])
        guard begun ?? 0 < mostInDay else {
            throw Refusal.conflict(
                "\(mostInDay) shifts have begun at the site in the last 24 hours, and no more are "
                    + "possible; begin the next one later"
            ).because(.shiftLimit, ["most": "\(mostInDay)"])
        }
    }

    /// Inserts or updates its row.
    func save(_ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO shift
                    (id, organisation, site, manager, managerName, date, started, ended, head,
                    shift)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET ended = excluded.ended, head = excluded.head,
                    shift = excluded.shift
                """)
        try statement.execute(
            arguments: [
                shift.id, shift.organisation, shift.site, shift.manager,
                FoldedText.name(shift.managerName), shift.date, shift.started, shift.ended,
                Int64(clamping: head), Data(shift.packed()),
            ])
    }

    /// The shift and its lists, from which a working copy starts.
    func snapshot(_ db: Database) throws -> ShiftSnapshot {
        ShiftSnapshot(
            shift: shift,
            lists: try shift.lists.map {
                try TemplateRow.body($0.version, of: $0.template, db) ?? []
            },
            head: head)
    }

    /// The hash of its newest operation; nil before the first, and when that was deleted.
    private func mark(_ db: Database) throws -> [UInt8]? {
        let statement = try db.cachedStatement(
            sql: "SELECT hash FROM operation WHERE site = ? AND sequence = ? AND shift = ?")
        return try Data.fetchOne(
            statement, arguments: [shift.site, Int64(clamping: head), shift.id]
        ).map { [UInt8]($0) }
    }

    /// The present state of the shift.
    func state(_ db: Database) throws -> ShiftState {
        try valid(OpenShifts.shared.state(of: shift.id, mark(db)), db)
    }

    /// The present state of the shift, for recording in it.
    func takeState(_ db: Database) throws -> ShiftState {
        try valid(OpenShifts.shared.take(shift.id, mark(db)), db)
    }

    /// The kept state, or that of the store when there is none.
    private func valid(_ kept: ShiftState?, _ db: Database) throws -> ShiftState {
        guard let kept else { return try folded(db) }
        #if DEBUG
            // So that the service's tests find a kept state that differs from the store.
            let whole = try folded(db)
            precondition(kept == whole, "the state of a shift is outdated")
        #endif
        return kept
    }

    /// The state of the shift, now or after the operation with a sequence, read from the store.
    func folded(_ db: Database, upTo sequence: UInt64 = .max) throws -> ShiftState {
        var state = try ShiftState(snapshot: snapshot(db))
        for operation in try ShiftOperation.all(of: shift.id, db)
        where operation.sequence <= sequence { state.apply(operation) }
        return state
    }

    private static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [ShiftRow] {
        let statement = try db.cachedStatement(sql: "SELECT head, shift FROM shift \(condition)")
        return try Row.fetchAll(statement, arguments: arguments).map {
            ShiftRow(
                shift: try Shift(stored: [UInt8]($0["shift"] as Data)),
                head: UInt64(clamping: $0["head"] as Int64))
        }
    }
}

/// The progress of a device in a shift.
struct DeviceRow {
    /// The maximum number of devices that an account may be the first to use in a shift.
    static let most = 1_000

    let device: String
    /// The account that was the first to use it in the shift.
    let account: String
    /// The number of the newest operation that was accepted or refused.
    var answered: UInt64 = 0
    /// The number of the newest operation that it has made, as far as it has reported.
    var made: UInt64 = 0

    /// True if a device may have this name: 1 to 100 bytes, in the composed form of Unicode (NFC).
    /// Rows are found by the bytes of a name, but in Swift two names are equal if they look the
    /// same.
    static func isName(_ name: String) -> Bool {
        (1...100).contains(name.utf8.count)
            && name.utf8.elementsEqual(name.precomposedStringWithCanonicalMapping.utf8)
    }

    /// The row of a device that an account uses; an empty one for a new device, or nil when the
    /// account was the first to use ``most`` others.
    static func of(
        _ device: String, in shift: String, by account: String, _ db: Database
    ) throws -> DeviceRow? {
        if let known = try fetch(db, "WHERE shift = ? AND device = ?", [shift, device]).first {
            return known
        }
        let begun =
            try Int.fetchOne(
                db.cachedStatement(
                    sql: "SELECT count(*) FROM device WHERE shift = ? AND account = ?"),
                arguments: [shift, account]) ?? 0
        return begun < most ? DeviceRow(device: device, account: account) : nil
    }

    /// The devices that have made more operations than they have sent.
    static func behind(in shift: String, _ db: Database) throws -> [DeviceRow] {
        try fetch(db, "WHERE shift = ? AND made > answered ORDER BY device", [shift])
    }

    func save(in shift: String, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO device (shift, device, account, answered, made)
                VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET answered = excluded.answered, made = excluded.made
                """)
        try statement.execute(
            arguments: [
                shift, device, account, Int64(clamping: answered), Int64(clamping: made),
            ])
    }

    private static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [DeviceRow] {
        let statement = try db.cachedStatement(
            sql: "SELECT device, account, answered, made FROM device \(condition)")
        return try Row.fetchAll(statement, arguments: arguments).map {
            DeviceRow(
                device: $0["device"], account: $0["account"],
                answered: UInt64(clamping: $0["answered"] as Int64),
                made: UInt64(clamping: $0["made"] as Int64))
        }
    }
}

extension Refusal {
    /// The refusal if there is no such shift, or the asker may not know of it.
    static func noShift(_ id: String) -> Refusal {
        let shown = String(id.prefix(100))
        return Refusal.notFound("there is no shift “\(shown)”")
            .because(.idMissing, of: shown, ["thing": "shift"])
    }
}
