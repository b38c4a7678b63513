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
        var rhythm = try WeekRhythm.of(person.account, transaction.db)
        try rhythm.change(by: command) { name in
            guard let template = try DayTemplate.named(name, of: person.account, transaction.db)
            else { throw Refusal.noTemplate(name) }
            return template.name
        }
        try person.save(transaction.db)
        try rhythm.save(transaction.db)
        try settle(person, in: transaction)
        return rhythm
    }

    static func read(_ query: ReadRhythm, in transaction: Transaction) throws -> WeekRhythm {
        let person = try transaction.person(query.person, toChange: false).account
        return try WeekRhythm.of(person, transaction.db)
    }

    static func propose(_ person: String, due: Int64, in transaction: Transaction) throws {
        guard let person = try PersonRow.ofAccount(person, transaction.db) else { return }
        try settle(person, in: transaction)
    }

    /// Proposes the days that are due and not planned yet, and sets the timer for the next one.
    static func settle(_ person: PersonRow, in transaction: Transaction) throws {
        let rhythm = try WeekRhythm.of(person.account, transaction.db)
        let settings = person.settings
        guard let local = LocalTime(zone: settings.timeZone.isEmpty ? "UTC" : settings.timeZone)
        else { return }
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
            try propose(template, on: day, for: person, in: transaction)
        }
        if let next, !rhythm.isEmpty {
            try transaction.setTimer(proposal, subject: person.account, due: next)
        } else {
            try transaction.cancelTimer(proposal, subject: person.account)
        }
    }

    /// Proposes a day from a template, unless it is planned or over. Parts of the template that no
    /// longer exist, or don't fit on that date, are left out.
    private static func propose(
        _ name: String, on number: Int64, for person: PersonRow, in transaction: Transaction
    ) throws {
        let date = CivilDate(daysSince1970: Int(number)).iso
        guard try Day.of(person.account, date, transaction.db) == nil,
            let template = try DayTemplate.named(name, of: person.account, transaction.db)
        else { return }
        let zone = person.settings.timeZone.isEmpty ? "UTC" : person.settings.timeZone
        do {
            try DaySize.makeRoom(for: person.account, in: transaction)
            var day = try Day.begin(date, of: person, zone: zone, wake: nil, sleep: nil)
            let time = try transaction.time(of: day)
            guard transaction.now < time.instant(day.sleep) else { return }
            for appointment in template.appointments {
                // An appointment in the hour that is skipped when the clock goes forward is left
                // out.
                do { try day.add(appointment, time) } catch { continue }
            }
            let routines = try Routine.all(of: person.account, transaction.db)
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
