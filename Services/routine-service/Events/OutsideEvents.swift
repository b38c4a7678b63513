import Bus
import Dates
import Messages
import RoutineDay
import ServiceRuntime

/// Follows the meetings and shifts of other services, and keeps the days of people who allow it up
/// to date.
enum OutsideEvents {
    /// The events of project-service: meetings.
    static var meetings: [EventHandler] { [.init(meetingChanged), .init(projectDeleted)] }
    /// The events of checklist-service: shifts.
    static var shifts: [EventHandler] { [.init(shiftAdvanced)] }

    static var timers: [TimerHandler] { [.init(timer, atAnyTime: goOn)] }

    /// The timer kind for days that are still to be brought in line.
    static let timer = "events"
    /// How long to wait before the next days are brought in line, in milliseconds.
    private static let pause: Int64 = 500

    /// The work of one transaction: fitting a day again may take a tenth of a second, and a change
    /// may concern all days of a year, or a day of everyone who is invited.
    private struct Work {
        /// The maximum number of days that are fitted again.
        static let mostDays = 5

        private var days = 0
        /// The number of people whose other days have to wait.
        private(set) var waiting: Int64 = 0

        /// Returns whether another day may be fitted again.
        mutating func takeDay() -> Bool {
            guard days < Self.mostDays else {
                waiting += 1
                return false
            }
            days += 1
            return true
        }
    }

    /// How long an event is kept after its end, in milliseconds: until its day is over everywhere.
    private static let memory: Int64 = 2 * 86_400_000

    static func meetingChanged(
        _ event: MeetingChanged, _: Envelope, in transaction: Transaction
    ) throws {
        let meeting = event.meeting
        let accounts = Set(meeting.guests.map(\.account)).subtracting([""])
        let guests = meeting.cancelled ? [] : accounts.sorted()
        try replace(
            DayEvent.all(.meeting, id: meeting.id, transaction.db),
            with: guests.map {
                DayEvent(
                    kind: .meeting, id: meeting.id, person: $0, group: event.project,
                    name: meeting.title, start: meeting.start, end: meeting.end)
            }, in: transaction)
    }

    static func projectDeleted(
        _ event: ProjectDeleted, _: Envelope, in transaction: Transaction
    ) throws {
        try replace(
            DayEvent.all(.meeting, group: event.project, transaction.db), with: [],
            in: transaction)
    }

    /// Keeps a shift with a stated end for the person who runs it. If it ends earlier, the rest of
    /// the time is free.
    static func shiftAdvanced(
        _ event: ShiftAdvanced, _: Envelope, in transaction: Transaction
    ) throws {
        for operation in event.operations where !operation.late {
            let before = try DayEvent.all(.shift, id: event.shift, transaction.db)
            switch operation.change {
            case .begun(let begun):
                guard let shift = begun.shift, shift.until > shift.started else { continue }
                let kept = DayEvent(
                    kind: .shift, id: event.shift, person: shift.manager, group: shift.site,
                    name: shift.siteName, start: shift.started, end: shift.until)
                try replace(before, with: [kept], in: transaction)
            case .ended:
                let ended = before.map { event in
                    var event = event
                    event.end = min(event.end, max(operation.time, event.start))
                    return event
                }
                try replace(before, with: ended, in: transaction)
            default: continue
            }
        }
    }

    /// Deletes the events of a producer whose history was replaced, except those that it sends
    /// again.
    static func forget(
        _ producer: ServiceName, except present: [Envelope], in transaction: Transaction
    ) throws {
        let told = Set(present.map(\.subject))
        let kind: DayEvent.Kind? =
            switch producer {
            case .project: .meeting
            case .checklist: .shift
            default: nil
            }
        guard let kind else { return }
        let gone = try DayEvent.all(kind, transaction.db).filter { !told.contains($0.id) }
        try replace(gone, with: [], in: transaction)
    }

    // MARK: Days

    /// Brings all days of a person that are not over in line with the events that they allow: some
    /// at once, and the others soon.
    static func settle(_ person: PersonRow, in transaction: Transaction) throws {
        var work = Work()
        try settle(person, in: 0..<Int64.max, &work, transaction)
    }

    private static func goOn(
        _ account: String, due: Int64, in transaction: Transaction
    ) throws {
        guard let person = try PersonRow.ofAccount(account, in: transaction) else { return }
        try settle(person, in: transaction)
    }

    /// Brings a day in line with the events that its person allows, without saving it.
    ///
    /// - Returns: whether that changed anything, so that the rest must be fitted again.
    static func bring(
        into day: inout Day, _ time: DayTime, of person: PersonRow, in transaction: Transaction
    ) throws -> Bool {
        let events = try DayEvent.all(
            of: person.account, in: time.begin..<time.end, transaction.db)
        return day.follow(events.filter { person.settings.allows($0.kind) }, time)
    }

    /// Replaces events, and updates the days that have one of them. A person whose days can't be
    /// brought in line is put aside, because the event concerns others too: the next change of
    /// their events or settings tries again.
    private static func replace(
        _ before: [DayEvent], with events: [DayEvent], in transaction: Transaction
    ) throws {
        let oldest = transaction.retentionTime - memory
        try DayEvent.forget(before: oldest, transaction.db)
        for event in before { try event.delete(transaction.db) }
        for event in events where event.end >= oldest { try event.save(transaction.db) }
        let changed = Set(before).symmetricDifference(events)
        var work = Work()
        for (account, events) in Dictionary(grouping: changed, by: \.person).sorted(by: {
            $0.key < $1.key
        }) {
            _ = try transaction.sparingOthers("day") { () -> PersonRow? in
                guard let person = try PersonRow.ofAccount(account, in: transaction),
                    events.contains(where: { person.settings.allows($0.kind) })
                else { return nil }
                let start = events.map(\.start).min() ?? 0
                let end = events.map(\.end).max() ?? 0
                try settle(person, in: start..<max(start, end), &work, transaction)
                return person
            } putAside: { _ in
            }
        }
    }

    private static func settle(
        _ person: PersonRow, in span: Range<Int64>, _ work: inout Work, _ transaction: Transaction
    ) throws {
        let millisecondsOfDay: Int64 = 86_400_000
        let today = max(0, transaction.now) / millisecondsOfDay
        // A date begins up to a day earlier or later elsewhere on earth.
        let first = max(today, span.lowerBound / millisecondsOfDay) - 1
        let last = min(today + RoutineLimits.daysAhead, span.upperBound / millisecondsOfDay) + 1
        guard first <= last else { return }
        let dates = [max(0, first), max(0, last)].map { CivilDate(daysSince1970: Int($0)).iso }
        for before in try Day.all(
            of: person.account, from: dates[0], until: dates[1], transaction.db)
        {
            let mustWait = try transaction.sparingOthers("day") { () -> Bool? in
                try settle(before, of: person, &work, transaction)
            } putAside: { _ in
            }
            guard mustWait != true else {
                return try transaction.setTimer(
                    timer, subject: person.account,
                    due: transaction.now + work.waiting * pause)
            }
        }
    }

    /// Brings a day in line with the events that its person allows.
    ///
    /// - Returns: true if that has to wait, because enough days were fitted again.
    private static func settle(
        _ before: Day, of person: PersonRow, _ work: inout Work, _ transaction: Transaction
    ) throws -> Bool {
        // A machine that doesn't know the zone of a day leaves the day unchanged.
        guard let time = DayTime(of: before), transaction.now < time.end else { return false }
        var day = before
        let urgent = person.settings.urgent
        try day.settle(at: transaction.now, time, urgent: urgent)
        guard try bring(into: &day, time, of: person, in: transaction) else { return false }
        guard work.takeDay() else { return true }
        try day.fit(time, urgent: urgent, at: transaction.now)
        try DayWatch.keep(day, unlike: before, of: person, time, in: transaction)
        return false
    }
}
