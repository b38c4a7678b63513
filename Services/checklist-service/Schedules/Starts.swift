import LocalTime
import Messages
import ServiceRuntime
import ShiftLog

/// Begins the scheduled shifts, each once, and records those that did not begin.
enum Starts {
    /// The longest time between two checks of a site by a clock that runs steadily, in
    /// milliseconds. If it is longer, the clock has leapt, or the machine was off. What is put
    /// aside lies further ahead, so setting the clock right is always such a leap.
    private static let longestStep = StartDecision.mostAhead
    /// How often a site with scheduled shifts is checked when nothing is due, in milliseconds.
    static let interval = longestStep - 5 * 60_000

    /// Decides about due shifts at a site, alerts its leaders to those that did not begin, and sets
    /// the timer for the next one.
    static func settle(_ site: String, due: Int64, in transaction: Transaction) throws {
        let (db, now) = (transaction.db, transaction.now)
        guard let row = try SiteRow.ofID(site, db),
            let localTime = LocalTime(zone: row.site.timeZone)
        else { return }
        let hasLeapt = try now - (ScheduleRow.check(site, at: now, db) ?? now) > longestStep
        try StartRow.settleAside(at: now, hasLeapt: hasLeapt, of: site, db)
        try StartRow.putAside(after: now + StartDecision.mostAhead, at: site, db)
        let shifts = try current(at: site, hasLeapt: hasLeapt, in: transaction)
        let from = now - StartDecision.lookBack
        var starts = try StartRow.all(at: site, from: from, db)
        let decided = starts.filter { $0.start.outcome != .waiting }.map(\.key)
        let waiting = Set(starts.filter { $0.start.outcome == .waiting }.map(\.key))
        let pending = shifts.flatMap { $0.occurrences(after: from, upTo: now, localTime) }
            .filter { !decided.contains($0.key) }
            .sorted { ($0.due, $0.shift.id) < ($1.due, $1.shift.id) }
        let open = try ShiftRow.open(at: site, db)?.shift
        let outcomes = StartDecision.outcomes(
            of: pending, waiting: Set(pending.filter { waiting.contains($0.key) }), open: open,
            at: now)
        for (occurrence, outcome) in zip(pending, outcomes) {
            let start = try carryOut(outcome, occurrence, at: row, open, in: transaction)
            starts.removeAll { $0.key == start.key }
            starts.append(start)
            try start.save(db)
        }
        // Starts that have waited since before the times that are still considered.
        let due = Set(pending.map(\.key))
        for index in starts.indices
        where starts[index].start.outcome == .waiting && !due.contains(starts[index].key) {
            (starts[index].start.outcome, starts[index].start.reason) = (.missed, .open)
            try starts[index].save(db)
        }
        try transaction.settle(
            StartAlerts(site: row, localTime: localTime).wanted(
                starts, at: now
            ) { try leaders(of: row, $0, in: transaction) }, of: site)
        try setTimer(shifts, starts, localTime, site, in: transaction)
    }

    private static func setTimer(
        _ shifts: [ScheduledShift], _ starts: [StartRow], _ localTime: LocalTime, _ site: String,
        in transaction: Transaction
    ) throws {
        let now = transaction.now
        guard try !shifts.isEmpty || !transaction.standingAlerts(of: site).isEmpty else {
            return try transaction.cancelTimer(ScheduleTimer.kind, subject: site)
        }
        let times =
            shifts.compactMap { $0.next(after: now, localTime)?.due }
            + starts.filter { $0.start.outcome == .waiting }.map(\.start.latest) + [now + interval]
        try transaction.setTimer(
            ScheduleTimer.kind, subject: site,
            due: times.filter { $0 > now }.min() ?? now + interval)
    }

    /// The scheduled shifts of a site. A shift that was scheduled while the clock was ahead counts
    /// from now on. If it is the present clock that is wrong, that lasts until it is set right.
    private static func current(
        at site: String, hasLeapt: Bool, in transaction: Transaction
    ) throws -> [ScheduledShift] {
        let (db, now) = (transaction.db, transaction.now)
        return try ScheduleRow.all(at: site, db).map { scheduled in
            var shift = scheduled
            let former = try ScheduleRow.formerSince(shift, db)
            if shift.since > now + StartDecision.mostAhead {
                shift.since = now
                try ScheduleRow.save(shift, formerSince: max(former, scheduled.since), db)
            } else if former > 0, former <= now {
                if hasLeapt { shift.since = former }
                try ScheduleRow.save(shift, db)
            }
            return shift
        }
    }

    private static func carryOut(
        _ outcome: StartDecision.Outcome, _ occurrence: Occurrence, at row: SiteRow,
        _ open: Shift?, in transaction: Transaction
    ) throws -> StartRow {
        var start = ScheduledStart(
            schedule: occurrence.shift.id, date: occurrence.date, due: occurrence.due,
            latest: occurrence.latest)
        switch outcome {
        case .begin: try begin(occurrence, at: row, &start, in: transaction)
        case .begun: (start.outcome, start.shift) = (.begun, open?.id ?? "")
        case .waiting: start.outcome = .waiting
        case .missed(let reason): (start.outcome, start.reason) = (.missed, reason)
        }
        if let open, start.outcome == .waiting || start.reason == .open {
            (start.shift, start.text) = (open.id, open.managerName)
        }
        return StartRow(shift: occurrence.shift, siteName: row.site.name, start: start)
    }

    private static func begin(
        _ occurrence: Occurrence, at row: SiteRow, _ start: inout ScheduledStart,
        in transaction: Transaction
    ) throws {
        let scheduled = occurrence.shift
        var manager = ShiftLead(
            account: scheduled.manager, accountName: scheduled.managerAccountName,
            name: scheduled.managerName)
        guard try manager.mayRunShifts(at: row, in: transaction) else {
            (start.outcome, start.reason) = (.missed, .manager)
            return
        }
        if let person = try Person.ofID(scheduled.manager, transaction.db) {
            manager = ShiftLead(person, in: transaction)
        }
        let command = StartShift(
            site: row.site.id, dayPart: scheduled.dayPart, until: occurrence.until)
        let shift: Shift
        do {
            shift = try Shifts.ready(command, at: row, by: manager, in: transaction)
        } catch let refusal as Refusal {
            (start.outcome, start.reason) = (.missed, .refused)
            start.text = refusal.message.prefix(bytes: 1000)
            return
        }
        _ = try Shifts.begin(shift, in: transaction)
        (start.outcome, start.shift) = (.begun, shift.id)
    }

    /// Who is alerted to a scheduled shift that did not begin: the managers of the site, or else
    /// its supervisors, and the shift's own manager.
    private static func leaders(
        of row: SiteRow, _ start: StartRow, in transaction: Transaction
    ) throws -> [String] {
        var leaders: [String] = []
        for role in [Role.siteManager, .supervisor] where leaders.isEmpty {
            leaders = try Person.holding(
                role, at: row.site.id, of: row.organisation, transaction.db,
                reportedIn: transaction
            ).map { Reminders.recipient($0, in: transaction) }
        }
        if start.start.reason != .manager || leaders.isEmpty { leaders.append(start.shift.manager) }
        return leaders
    }
}

/// A scheduled shift and a date, which have one start.
struct StartKey: Hashable {
    let schedule: String
    let date: String
}

extension Occurrence {
    /// Which beginning it is.
    var key: StartKey { StartKey(schedule: shift.id, date: date) }
}

extension StartRow {
    /// Which beginning it is.
    var key: StartKey { StartKey(schedule: start.schedule, date: start.date) }
}
