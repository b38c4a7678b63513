import Messages
import ServiceRuntime
import ShiftLog

/// The shifts: begun, read and ended. ``Recording`` accepts what is done in them.
enum Shifts {
    static var handlers: [MessageHandler] {
        [
            .command(start, .role(minimum: .shiftManager, at: .site)),
            .command(end, .role(minimum: .shiftManager, at: .site)),
            .query(read, .role(minimum: .display, at: .site)),
            .query(readOperations, .role(minimum: .display, at: .site)),
        ]
    }

    static func start(_ command: StartShift, in transaction: Transaction) throws -> ShiftSnapshot {
        let site = try transaction.site(command.site, for: .shiftManager)
        if let open = try ShiftRow.open(at: site.site.id, transaction.db) {
            throw Refusal.shiftOpen(open.shift)
        }
        let asker = transaction.principal
        try ShiftRow.requireRoom(
            at: site.site.id, for: asker, at: transaction.now, transaction.db)
        let shift = try ready(
            command, at: site,
            by: ShiftLead(
                account: asker.account, accountName: asker.name, name: transaction.askerName()),
            in: transaction)
        var snapshot = try begin(shift, in: transaction).snapshot(transaction.db)
        snapshot.numberBlock = try transaction.numberBlock(of: command.device, in: shift)
        try ScheduleTimer.wake(shift.site, in: transaction)
        return snapshot
    }

    /// The shift that would begin now. Nothing is written.
    ///
    /// - Throws: a `Refusal` when it can't begin.
    static func ready(
        _ command: StartShift, at site: SiteRow, by manager: ShiftLead,
        in transaction: Transaction
    ) throws -> Shift {
        try Shift.begin(
            command, id: "\(transaction.id)", at: site, by: manager,
            TemplateRow.inUse(at: site, transaction.db),
            SiteSettings.of(site.site.id, transaction.db), time: transaction.now)
    }

    /// Begins a shift that is ready, at a site where none is open.
    static func begin(_ shift: Shift, in transaction: Transaction) throws -> ShiftRow {
        let row = ShiftRow(shift: shift)
        let todos = try Handover.takeOver(at: shift.site, in: transaction)
        var writer = try ShiftWriter(row, in: transaction)
        try writer.add(
            ShiftOperation(
                id: transaction.id.bytes,
                change: .begun(ShiftBegun(shift: shift, todos: todos))))
        return try writer.finish()
    }

    static func end(_ command: EndShift, in transaction: Transaction) throws -> Shift {
        let row = try transaction.shift(command.shift, at: command.site)
        try transaction.require(.shiftManager, at: row.shift.site)
        guard row.shift.ended == 0 else {
            throw Refusal.conflict("the shift has already ended, and nothing in it is open")
                .because(.shiftEnded)
        }
        let state = try row.state(transaction.db)
        let behind = try DeviceRow.behind(in: row.shift.id, transaction.db)
        let open = state.openThings(
            at: transaction.now,
            // Two rows may have names that are equal here, although their bytes differ.
            deviceHeads: Dictionary(
                behind.map { ($0.device, $0.made) }, uniquingKeysWith: max))
        guard command.despiteOpen || open.isEmpty else {
            throw Refusal.conflict("still open: \(open.summary); confirm to end the shift anyway")
                .because(.shiftUnfinished, open.parts)
        }
        let todos = try Handover.handedOver(by: state, in: transaction)
        let done = ShiftDone(
            despiteOpen: !open.isEmpty, totals: state.totals(at: transaction.now),
            todos: Handover.fitting(todos))
        var writer = try ShiftWriter(row, in: transaction)
        try writer.add(ShiftOperation(id: transaction.id.bytes, change: .ended(done)))
        let ended = try writer.finish()
        try Archive.keep(ended, writer.state, in: transaction)
        try Handover.keep(todos, at: ended.shift.site, in: transaction)
        try MailHandling.orderSealedLists(ended, writer.state, in: transaction)
        try ScheduleTimer.wake(ended.shift.site, in: transaction)
        return ended.shift
    }

    static func read(_ query: ReadShift, in transaction: Transaction) throws -> ShiftSnapshot {
        let row = try transaction.shift(query.shift, at: query.site)
        try row.requireReader(in: transaction)
        var snapshot = try row.snapshot(transaction.db)
        snapshot.numberBlock = try transaction.numberBlock(of: query.device, in: row.shift)
        return snapshot
    }

    static func readOperations(
        _ query: ReadOperations, in transaction: Transaction
    ) throws -> OperationPage {
        let row = try transaction.shift(query.shift, at: "")
        try row.requireFollower(in: transaction)
        guard query.after <= row.head else { throw Refusal.behindCopy(row.head) }
        try remember(query, row, in: transaction)
        return OperationPage(
            operations: try ShiftOperation.all(
                of: row.shift.id, after: query.after,
                limit: pageLimit(query.limit, usual: 500, most: 500),
                bytes: ShiftOperation.pageBytes,
                by: row.mayReadAll(in: transaction) ? nil : transaction.principal.account,
                transaction.db),
            head: row.head, ended: row.shift.ended,
            numberBlock: try transaction.numberBlock(of: query.device, in: row.shift))
    }

    /// Records how many operations a reading device has made, so that the end of the shift knows
    /// whether some are missing.
    private static func remember(
        _ query: ReadOperations, _ row: ShiftRow, in transaction: Transaction
    ) throws {
        guard DeviceRow.isName(query.device), query.deviceHead > 0,
            transaction.holdsSomeArea(.crew, at: row.shift.site),
            try transaction.mayUse(query.device, in: row.shift)
        else { return }
        let asker = transaction.principal.account
        guard
            var device = try DeviceRow.of(
                query.device, in: row.shift.id, by: asker, transaction.db),
            query.deviceHead > device.made
        else { return }
        device.made = query.deviceHead
        try device.save(in: row.shift.id, transaction.db)
    }

    /// Passes the open shifts to a snapshot, operation by operation.
    static func pass(_ transaction: Transaction, to receiver: SnapshotReceiver) throws {
        for (shift, site) in try ShiftRow.openIDs(transaction.db) {
            try ShiftOperation.eachPage(of: shift, in: transaction) { page in
                try receiver(ShiftAdvanced(shift: shift, site: site, operations: page), shift)
            }
        }
    }
}

extension ShiftRow {
    /// Refuses an asker who may not read it: an open shift is for everyone at the site, an ended
    /// one for its own manager and those who run the site.
    func requireReader(in transaction: Transaction) throws {
        if shift.ended == 0 { return try requireFollower(in: transaction) }
        try transaction.require(leastReader(transaction), at: shift.site)
    }

    /// Refuses an asker who may not follow it. Anyone who could follow it while it was open learns
    /// its end, and the outcome of their own operations.
    func requireFollower(in transaction: Transaction) throws {
        guard transaction.holdsSomeArea(.display, at: shift.site) else {
            throw Refusal.noRoleAtSite
        }
    }

    /// True when the asker may read all of it.
    func mayReadAll(in transaction: Transaction) -> Bool {
        shift.ended == 0
            || transaction.principal.holds(leastReader(transaction), at: shift.site)
    }

    /// The minimum role to read it after its end.
    private func leastReader(_ transaction: Transaction) -> Role {
        shift.manager == transaction.principal.account ? .shiftManager : .siteManager
    }
}

extension Transaction {
    /// The shift with an id, the only one whose id begins with it, or, without an id, the open one
    /// of a site. The caller decides what the asker may do with it.
    func shift(_ id: String, at site: String) throws -> ShiftRow {
        guard id.isEmpty else {
            return try ShiftRow.required(id, of: principal.scope, db)
        }
        let place = try self.site(site, forAnyArea: .display)
        guard let open = try ShiftRow.open(at: place.site.id, db) else {
            throw Refusal.notFound(
                "no shift is open at “\(place.site.name)”; start one with steward shift start day "
                    + "or steward shift start evening"
            ).because(.shiftNone, of: place.site.name)
        }
        return open
    }
}

extension Refusal {
    /// Only one shift may be open at a site.
    static func shiftOpen(_ shift: Shift) -> Refusal {
        Refusal.conflict(
            "shift \(shift.id) of \(shift.managerName) is still open at “\(shift.siteName)” since "
                + "\(shift.date); end it first"
        ).because(
            .shiftOpen, of: shift.siteName, ["manager": shift.managerName, "date": shift.date])
    }

    /// The asker has no role at the site.
    static let noRoleAtSite = Refusal.forbidden("this needs a role at the site")
        .because(.siteRole)

    /// A copy knows more than the store, because a backup was restored.
    static func behindCopy(_ head: UInt64) -> Refusal {
        Refusal.conflict(
            "the log of the shift ends at \(head); an older backup was restored since, so read the "
                + "shift again and send your operations again"
        ).because(.logBehind)
    }
}
