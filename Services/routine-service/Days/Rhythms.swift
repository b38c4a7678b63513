import Dates
import LocalTime
import Messages
import RoutineDay
import ServiceRuntime

/// Handles a person's weekly rhythm and proposes days by it.
enum Rhythms {
    static var handlers: [MessageHandler] {
        [
            .command(change, .person),
            .query(read, .account),
        ]
    }
    static var timers: [TimerHandler] { [.init(proposal, atAnyTime: propose)] }

    /// The timer kind for proposing a day.
    static let proposal = "proposal"

    static func change(_ command: ChangeRhythm, in transaction: Transaction) throws -> WeekRhythm {
        let person = try transaction.person(command.person, toChange: true)
        // One that can't be read is replaced, and the person sees what is left.
        let present = try transaction.readable("rhythm") {
            try WeekRhythm.of(person.account, transaction.db)
        }
        var rhythm = present ?? WeekRhythm(person: person.account)
        try rhythm.change(by: command) { name in
            guard let template = try DayTemplate.named(name, of: person.account, transaction.db)
            else { throw Refusal.noTemplate(name) }
            return template.name
        }
        try rhythm.save(transaction.db)
        try settle(person, in: transaction)
        return rhythm
    }

    static func read(_ query: ReadRhythm, in transaction: Transaction) throws -> WeekRhythm {
        let person = try transaction.person(query.person, toChange: false).account
        return try WeekRhythm.of(person, transaction.db)
    }

    static func propose(_ person: String, due: Int64, in transaction: Transaction) throws {
        guard let person = try PersonRow.ofAccount(person, in: transaction) else { return }
        // A timer that fails is reported, and tried again until the machine knows the zone.
        guard LocalTime(zone: person.zone) != nil else { throw Refusal.noZone(person.zone) }
        try settle(person, in: transaction)
    }

    /// The same after a change of something else, which a rhythm that can't be read doesn't
    /// prevent.
    static func spare(_ person: PersonRow, in transaction: Transaction) throws {
        _ = try transaction.sparingOthers("rhythm") { () -> PersonRow? in
            try settle(person, in: transaction)
            return person
        } putAside: { _ in
        }
    }

    /// Proposes the days that are due and not planned yet, and sets the timer for the next one. If
    /// this machine doesn't know the person's zone, the timer is due now.
    static func settle(_ person: PersonRow, in transaction: Transaction) throws {
        let rhythm = try WeekRhythm.of(person.account, transaction.db)
        let settings = person.settings
        guard let local = LocalTime(zone: person.zone) else {
            return try setTimer(transaction.now, for: person, rhythm, in: transaction)
        }
        let today = local.reading(at: transaction.now).day
        var next: Int64?
        // Apart from holidays, a rhythm goes at most a week without a proposal. During a holiday,
        // the timer checks again after a week.
        for day in today...today + 8 {
            let time = rhythm.proposal(of: day, wake: settings.wake, local)
            guard time <= transaction.now else {
                let isNext = rhythm.template(on: day) != nil || day == today + 8
                if isNext, next == nil { next = time }
                continue
            }
            guard let template = rhythm.template(on: day) else { continue }
            // What can't be read of one day doesn't keep the others from being proposed.
            _ = try transaction.sparingOthers("day") { () -> PersonRow? in
                try propose(template, on: day, for: person, in: transaction)
                return person
            } putAside: { _ in
            }
        }
        try setTimer(next, for: person, rhythm, in: transaction)
    }

    private static func setTimer(
        _ due: Int64?, for person: PersonRow, _ rhythm: WeekRhythm, in transaction: Transaction
    ) throws {
        guard let due, !rhythm.isEmpty else {
            return try transaction.cancelTimer(proposal, subject: person.account)
        }
        try transaction.setTimer(proposal, subject: person.account, due: due)
    }

    /// Proposes a day from a template, unless it is planned or over. Parts of the template that no
    /// longer exist, or don't fit on that date, are left out.
    private static func propose(
        _ name: String, on number: Int64, for person: PersonRow, in transaction: Transaction
    ) throws {
        let date = CivilDate(daysSince1970: Int(number)).iso
        guard try !Day.exists(person.account, date, transaction.db),
            let template = try DayTemplate.named(name, of: person.account, transaction.db)
        else { return }
        do {
            try DaySize.makeRoom(for: person.account, in: transaction)
            var day = try Day.begin(date, of: person, zone: person.zone, wake: nil, sleep: nil)
            let time = try transaction.time(of: day)
            guard transaction.now < time.instant(day.sleep) else { return }
            for appointment in template.appointments {
                do { try day.add(appointment, time, isRepeated: true) } catch { continue }
            }
            let routines = try Routine.all(of: person.account, in: transaction)
            for id in template.routines where !day.items.contains(where: { $0.routine == id }) {
                guard let routine = routines.first(where: { $0.id == id }) else { continue }
                // A routine that has grown until there is no room for it is left out.
                do { try day.add(routine) } catch { continue }
            }
            _ = try OutsideEvents.bring(into: &day, time, of: person, in: transaction)
            guard !day.items.isEmpty else { return }
            day.rhythm = template.name
            day = try DayFitting(day, time, at: max(transaction.now, time.begin))
                .fitted(isNew: true)
            try DayWatch.keep(day, unlike: nil, of: person, time, in: transaction)
        } catch is Refusal {
            // A day that can't be planned isn't proposed; the person plans it by hand.
        }
    }
}

extension WeekRhythm {
    /// Whether it never proposes anything.
    fileprivate var isEmpty: Bool {
        days.isEmpty && holidays.allSatisfy { $0.template.isEmpty }
    }
}
