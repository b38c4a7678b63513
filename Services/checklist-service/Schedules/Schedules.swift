import Messages
import ServiceRuntime
import ShiftLog

/// The schedules of shifts that begin by themselves: made, listed and removed. ``Starts`` begins
/// the shifts.
enum Schedules {
    static var handlers: [MessageHandler] {
        [
            .command(schedule, .role(minimum: .siteManager, at: .site)),
            .command(unschedule, .role(minimum: .siteManager, at: .site)),
            .query(list, .role(minimum: .shiftManager, at: .site)),
        ]
    }
    static var timers: [TimerHandler] { [.init(ScheduleTimer.kind, atAnyTime: Starts.settle)] }

    /// The maximum number of scheduled shifts of a site.
    static let most = 20

    /// Sets the timer of every site again, since the clock may have been set back meanwhile.
    static func prepare(_ transaction: Transaction) throws {
        for site in try ScheduleRow.sites(transaction.db) {
            try ScheduleTimer.wake(site, in: transaction)
        }
    }

    static func schedule(
        _ command: ScheduleShift, in transaction: Transaction
    ) throws -> ScheduledShift {
        var shift = command.shift
        let row = try transaction.site(shift.site, for: .siteManager)
        try shift.validate()
        let others = try ScheduleRow.all(at: row.site.id, transaction.db)
        guard others.count < most else {
            throw Refusal.conflict(
                "“\(row.site.name)” has \(most) scheduled shifts, the most there may be; remove one"
            )
        }
        try shift.validateApart(from: others)
        let manager = try manager(shift.managerAccountName, at: row, in: transaction)
        (shift.id, shift.site) = ("\(transaction.id)", row.site.id)
        (shift.manager, shift.managerName) = (manager.account, manager.name)
        shift.managerAccountName = manager.accountName
        (shift.since, shift.removed) = (transaction.now, false)
        try ScheduleRow.save(shift, transaction.db)
        try transaction.publish(ScheduledShiftChanged(shift: shift), subject: shift.id)
        try ScheduleTimer.wake(row.site.id, in: transaction)
        return shift
    }

    static func unschedule(
        _ command: UnscheduleShift, in transaction: Transaction
    ) throws -> ScheduledShift {
        let row = try transaction.site(command.site, for: .siteManager)
        let typed = try TypedID(command.id, of: "scheduled shift")
        var shift = try typed.only(
            ScheduleRow.all(at: row.site.id, transaction.db).filter { typed.matches($0.id) })
        try ScheduleRow.delete(shift, transaction.db)
        shift.removed = true
        try transaction.publish(ScheduledShiftChanged(shift: shift), subject: shift.id)
        try ScheduleTimer.wake(row.site.id, in: transaction)
        return shift
    }

    static func list(
        _ query: ListScheduledShifts, in transaction: Transaction
    ) throws -> ScheduledShifts {
        let row = try transaction.site(query.site, for: .shiftManager)
        return ScheduledShifts(
            shifts: try ScheduleRow.all(at: row.site.id, transaction.db)
                .sorted { ($0.begins, $0.id) < ($1.begins, $1.id) })
    }

    static func pass(_ transaction: Transaction, to receiver: SnapshotReceiver) throws {
        try ScheduleRow.each(in: transaction) { shift in
            try receiver(ScheduledShiftChanged(shift: shift), shift.id)
        }
    }

    /// The manager of a scheduled shift: the account with a name, who must be able to run shifts at
    /// the site, or else the asker.
    private static func manager(
        _ name: String, at row: SiteRow, in transaction: Transaction
    ) throws -> ShiftLead {
        let asker = transaction.principal
        guard !name.isEmpty else {
            return ShiftLead(
                account: asker.account, accountName: asker.name,
                name: try transaction.askerName())
        }
        guard let person = try Person.named(name, of: row.organisation, transaction.db) else {
            throw Refusal.notFound("there is no account “\(name.prefix(100))”")
        }
        let manager = ShiftLead(person, in: transaction)
        guard try manager.mayRunShifts(at: row, in: transaction) else {
            throw Refusal.conflict(
                "“\(person.account.name)” may not run shifts at “\(row.site.name)”: that needs the "
                    + "role shift manager")
        }
        return manager
    }
}

extension ShiftLead {
    init(_ person: Person, in transaction: Transaction) {
        self.init(
            account: Reminders.recipient(person, in: transaction),
            accountName: person.account.name, name: person.displayName)
    }

    /// True when they may run shifts at a site now.
    func mayRunShifts(at row: SiteRow, in transaction: Transaction) throws -> Bool {
        let known = try Person.ofID(account, transaction.db, reportedIn: transaction)
        guard !Person.isUnbound(account, known, in: transaction) else { return true }
        guard let person = known else { return false }
        return !person.account.isDisabled && person.account.organisation == row.organisation
            && Principal.account(
                account, organisation: row.organisation, grants: person.account.grants
            ).holds(.shiftManager, at: row.site.id)
    }
}
