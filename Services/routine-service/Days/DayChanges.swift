import Messages
import Phrases
import RoutineDay
import ServiceRuntime

/// Handles the changes that a person makes to a day. Each change can be undone.
enum DayChanges {
    static func change(_ command: ChangeDay, in transaction: Transaction) throws -> Day {
        let person = try transaction.person(command.person, toChange: true)
        let date = try transaction.date(command.date, of: person, mayBePast: true)
        let before = try transaction.day(date, of: person)
        var time = try transaction.time(of: before)
        guard transaction.now < time.end else {
            throw Refusal.conflict("\(date) is over; it stays as it is")
        }
        guard let change = command.change else { throw Refusal.invalid("say what to change") }
        let seen = command.expectedRevision
        guard seen == 0 || seen == before.revision else { throw Refusal.changedSince("the day") }
        var day = before
        let urgent = person.settings.urgent
        // The changes made by time alone come first; undo doesn't revert them.
        try day.settle(at: transaction.now, time, urgent: urgent)
        let kept = day
        if case .undo = change {
            guard var earlier = try Day.takeBefore(of: person.account, date, transaction.db) else {
                throw Refusal.conflict("there is no change to undo")
            }
            earlier.revision = before.revision
            earlier.keepIDs(of: kept)
            // It may have been planned in another zone.
            time = try transaction.time(of: earlier)
            guard transaction.now < time.end else {
                throw Refusal.conflict(
                    "\(date) is over in \(earlier.timeZone), where it was planned before")
            }
            // What devices have sent is kept beside the day, and has to fit the restored day.
            var journal = DayJournal(
                earlier,
                entries: try DayOperationStore.all(of: person.account, date, in: transaction))
            journal.wentBack(from: kept)
            try DayOperationStore.save(journal.entries, of: person.account, date, transaction.db)
            day = journal.day
            // Meetings and shifts keep their present state, whatever it was before.
            if try OutsideEvents.bring(into: &day, time, of: person, in: transaction) {
                try day.fit(time, urgent: urgent, at: transaction.now)
            } else {
                try day.settle(at: transaction.now, time, urgent: urgent, mustFit: true)
            }
        } else {
            let said = try apply(change, to: &day, time, of: person, in: transaction)
            guard !day.items.isEmpty else {
                throw Refusal.invalid(
                    "the day would be empty; it needs at least one routine or appointment")
            }
            try kept.keepBefore(transaction.db)
            day.note(said, in: transaction)
        }
        try DayWatch.keep(day, unlike: before, of: person, time, in: transaction)
        return try transaction.day(date, of: person)
    }

    private static func apply(
        _ change: ChangeDay.Change, to day: inout Day, _ time: DayTime, of person: PersonRow,
        in transaction: Transaction
    ) throws -> Said<DayPhrase> {
        let (now, urgent) = (transaction.now, person.settings.urgent)
        switch change {
        case .confirm:
            guard day.state != .confirmed else {
                throw Refusal.conflict("the day is confirmed already")
            }
            day.state = .confirmed
            // Operations that devices sent while it was a proposal count now.
            var journal = DayJournal(
                day,
                entries: try DayOperationStore.all(of: person.account, day.date, in: transaction))
            journal.confirmed()
            try DayOperationStore.save(
                journal.entries, of: person.account, day.date, transaction.db)
            day = journal.day
            try day.fit(time, urgent: urgent, at: now)
            return Said(.confirmed)
        case .done(let id): return try mark(id, .done, in: &day, time, urgent, at: now)
        case .skip(let id): return try mark(id, .skipped, in: &day, time, urgent, at: now)
        case .pause(let stands):
            try day.requireRunning(time, at: now)
            try day.pause(stands, at: now)
            if !stands { try day.fit(time, urgent: urgent, at: now) }
            return Said(stands ? .paused : .resumed)
        case .more(let more):
            try day.requireRunning(time, at: now)
            let place = try day.lengthen(by: more.minutes, at: now)
            try day.fit(time, urgent: urgent, at: now)
            return Said(
                .more,
                [
                    "count": .number(Int(more.minutes)),
                    "name": day[place].action?.said() ?? .text(""),
                ])
        case .addRoutine, .addAppointment, .remove, .move, .swap:
            return try edit(change, of: &day, time, person, in: transaction)
        case .undo: throw Refusal.invalid("a change is taken back alone")
        }
    }

    private static func edit(
        _ change: ChangeDay.Change, of day: inout Day, _ time: DayTime, _ person: PersonRow,
        in transaction: Transaction
    ) throws -> Said<DayPhrase> {
        let said: Said<DayPhrase>
        var moved: Set<String> = []
        // A proposal is changed as the person sees it.
        day = try day.proposed(at: transaction.now, time)
        switch change {
        case .addRoutine(let name):
            let routine = try transaction.routine(name, of: person.account)
            guard !day.items.contains(where: { $0.routine == routine.id }) else {
                throw Refusal.conflict("“\(routine.name)” is in this day already")
            }
            try day.add(routine)
            said = Said(.added, ["name": .text(routine.name)])
        case .addAppointment(let appointment):
            try day.add(appointment, time)
            said = Said(.added, ["name": .text(appointment.title)])
        case .remove(let item):
            let index = try day.index(of: item)
            said = Said(.removed, ["name": .text(day.items[index].title)])
            let gone = day.items[index]
            day.leaveOut(gone)
            day.removeItems { $0.id == gone.id }
        case .move(let move):
            moved = [day.items[try day.index(of: move.item)].id]
            said = try day.move(move, time, at: transaction.now)
        case .swap(let swap):
            moved = Set(try [swap.one, swap.other].map { day.items[try day.index(of: $0)].id })
            said = try day.swap(swap, time)
        default: throw Refusal.invalid("say what to change")
        }
        try day.fit(time, urgent: person.settings.urgent, at: transaction.now)
        day.movedByPerson(moved)
        return said
    }

    private static func mark(
        _ id: String, _ state: StepState, in day: inout Day, _ time: DayTime, _ urgent: [String],
        at now: Int64
    ) throws -> Said<DayPhrase> {
        try day.requireRunning(time, at: now)
        let place = try day.place(id, at: now)
        let action = day[place].action
        try day.mark(place, state, at: now)
        day.goOn(after: place, at: now)
        try day.fit(time, urgent: urgent, at: now)
        return Said(
            state == .done ? .done : .skipped, ["name": action?.said() ?? .text("")])
    }
}
