import Dates
import LocalTime
import Messages
import Phrases
import RoutineDay
import ServiceRuntime

/// Plans, reads and changes the days of people.
enum Days {
    static var handlers: [MessageHandler] {
        [
            .command(plan, .person),
            .command(DayChanges.change, .person),
            .query(read, .account),
        ]
    }

    static func plan(_ command: PlanDay, in transaction: Transaction) throws -> Day {
        let known = try transaction.person(command.person, toChange: true)
        let person = try zoned(known, command, in: transaction)
        let date = try transaction.date(command.date, of: person, mayBePast: false)
        let before = try present(date, of: person, isReplaced: command.anew, in: transaction)
        guard before?.state != .confirmed || command.anew else {
            throw Refusal.conflict(
                "\(date) is planned and confirmed already; change it, or plan it anew with --anew")
        }
        let isNew = try !Day.exists(person.account, date, transaction.db)
        if isNew { try DaySize.makeRoom(for: person.account, in: transaction) }
        var day = try Day.begin(
            date, of: person, zone: person.settings.timeZone, wake: command.wake,
            sleep: command.sleep)
        let time = try transaction.time(of: day)
        try fill(&day, try byRhythm(command, time, in: transaction), time, in: transaction)
        _ = try OutsideEvents.bring(into: &day, time, of: person, in: transaction)
        guard !day.items.isEmpty else {
            throw Refusal.invalid(
                "a day needs at least one routine or appointment; name tags, routines or "
                    + "appointments, or an earlier day to repeat")
        }
        day = try DayFitting(day, time, at: max(transaction.now, time.begin)).fitted(isNew: true)
        day.changes = before?.changes ?? []
        day.note(Said(.planned), in: transaction)
        if !isNew {
            try before?.keepBefore(transaction.db)
            var journal = DayJournal(
                day, entries: try DayOperationStore.all(of: person.account, date, in: transaction))
            journal.replanned(from: before) { transaction.makeID().bytes }
            guard journal.entries.count <= DayRecording.most else {
                throw Refusal.conflict(
                    "too much was done on \(date) to plan it again; change the day instead")
            }
            try DayOperationStore.save(journal.entries, of: person.account, date, transaction.db)
        }
        try DayWatch.keep(day, unlike: before, of: person, time, in: transaction)
        // What was due in UTC is now due in the person's own zone.
        if known.settings.timeZone.isEmpty { try Rhythms.spare(person, in: transaction) }
        return try Day.of(person.account, date, transaction.db) ?? day
    }

    /// Returns the day that is planned already; nil if there is none, or if it can't be read and is
    /// replaced.
    private static func present(
        _ date: String, of person: PersonRow, isReplaced: Bool, in transaction: Transaction
    ) throws -> Day? {
        do { return try Day.of(person.account, date, transaction.db) } catch is ProtobufError {
            guard isReplaced else {
                throw Refusal.conflict(
                    "what is kept of \(date) can't be read; plan it anew with --anew")
            }
            return nil
        }
    }

    static func read(_ query: ReadDay, in transaction: Transaction) throws -> Day {
        let person = try transaction.person(query.person, toChange: false)
        let date = try transaction.date(query.date, of: person, mayBePast: true)
        let day = try transaction.day(date, of: person)
        // Without the zone of the day, its times stay as they were planned.
        guard let time = DayTime(of: day) else { return day }
        return try day.proposed(at: transaction.now, time)
    }

    /// Passes the days from yesterday on to a snapshot.
    static func pass(_ transaction: Transaction, to receiver: SnapshotReceiver) throws {
        let today = transaction.now / 86_400_000
        let first = CivilDate(daysSince1970: Int(max(0, today - 1))).iso
        try Day.each(from: first, in: transaction) { day in
            try receiver(DayChanged(day: day), "\(day.person)/\(day.date)")
        }
    }

    /// Returns the person with a time zone; until they choose one, it is that of their own command.
    ///
    /// - Throws: a refusal if somebody else plans for a person without a time zone, because those
    ///   who help may be anywhere.
    private static func zoned(
        _ person: PersonRow, _ command: PlanDay, in transaction: Transaction
    ) throws -> PersonRow {
        var person = person
        if person.settings.timeZone.isEmpty {
            guard person.account == transaction.principal.account else {
                throw Refusal.conflict(
                    "this person has not chosen a time zone yet; they do it with steward day "
                        + "settings --zone, or by planning a day themselves")
            }
            let zone = command.timeZone.isEmpty ? "UTC" : command.timeZone
            guard LocalTime(zone: zone) != nil else { throw Refusal.noZone(zone) }
            person.settings.timeZone = zone
            // Only the person replaces settings that can't be read.
            if !person.isDamaged { try person.save(transaction.db) }
        }
        return person
    }

    /// Returns the command with the template of the weekly rhythm if it names no content itself.
    private static func byRhythm(
        _ command: PlanDay, _ time: DayTime, in transaction: Transaction
    ) throws -> PlanDay {
        guard command.appointments.isEmpty, command.tags.isEmpty, command.routines.isEmpty,
            command.like.isEmpty, command.template.isEmpty
        else { return command }
        let person = try transaction.person(command.person, toChange: false).account
        var command = command
        let rhythm = try transaction.readable("rhythm") {
            try WeekRhythm.of(person, transaction.db)
        }
        command.template = rhythm?.template(on: time.number) ?? ""
        return command
    }

    /// Fills a day with the contents that a command names, each routine once.
    private static func fill(
        _ day: inout Day, _ command: PlanDay, _ time: DayTime, in transaction: Transaction
    ) throws {
        let person = day.person
        let all = try Routine.all(of: person, in: transaction)
        var wanted: [Routine] = []
        func want(_ routine: Routine) {
            if !wanted.contains(where: { $0.id == routine.id }) { wanted.append(routine) }
        }
        for appointment in command.appointments { try day.add(appointment, time) }
        for tag in try command.tags.tidiedTags() {
            let found = all.filter { $0.tags.contains(tag) }
            guard !found.isEmpty else {
                let known = Set(all.flatMap(\.tags)).sorted().prefix(12).joined(separator: ", ")
                throw Refusal.notFound(
                    "no routine has the tag “\(tag)”"
                        + (known.isEmpty ? "; make a routine first" : "; there are \(known)"))
            }
            found.forEach(want)
        }
        for name in command.routines { want(try transaction.routine(name, of: person)) }
        if !command.like.isEmpty {
            let like = try transaction.like(
                command.like, before: day.date, of: try transaction.person(person, toChange: false))
            for item in like.items where item.isAppointment && item.event.isEmpty {
                try day.add(Appointment(item), time, isRepeated: true)
            }
            for item in like.items where !item.isAppointment {
                // A routine that was deleted since is left out.
                if let routine = all.first(where: { $0.id == item.routine }) { want(routine) }
            }
        }
        if !command.template.isEmpty {
            guard let template = try DayTemplate.named(command.template, of: person, transaction.db)
            else { throw Refusal.noTemplate(command.template) }
            for appointment in template.appointments {
                try day.add(appointment, time, isRepeated: true)
            }
            for id in template.routines {
                if let routine = all.first(where: { $0.id == id }) { want(routine) }
            }
        }
        for routine in wanted { try day.add(routine) }
    }
}

extension Day {
    /// The maximum number of changes that are listed.
    private static let mostChanges = 20

    /// Records what the principal did.
    mutating func note(_ text: Said<DayPhrase>, in transaction: Transaction) {
        let principal = transaction.principal
        changes.insert(
            DayChange(
                text: Phrase(text), time: transaction.now, account: principal.account,
                by: principal.name), at: 0)
        changes = Array(changes.prefix(Self.mostChanges))
    }
}

extension Transaction {
    /// Returns a valid date; an empty one stands for today where the person is.
    func date(
        _ text: String, of person: PersonRow, mayBePast: Bool
    ) throws(Refusal) -> String {
        guard let local = LocalTime(zone: person.zone) else { throw .noZone(person.zone) }
        let today = local.reading(at: now).day
        let named: [String: Int64] = ["": 0, "today": 0, "tomorrow": 1, "yesterday": -1]
        guard let day = named[text].map({ today + $0 }) ?? LocalTime.day(text) else {
            throw .invalid("“\(text.prefix(40))” isn't a date; give one like 2026-03-29")
        }
        guard mayBePast || (today...(today + RoutineLimits.daysAhead)).contains(day) else {
            throw .invalid("a day can be planned from today on, and up to a year ahead")
        }
        return CivilDate(daysSince1970: Int(day)).iso
    }

    /// Returns a person's day.
    func day(_ date: String, of person: PersonRow) throws -> Day {
        guard let day = try Day.of(person.account, date, db) else {
            throw Refusal.notFound("there is no plan for \(date); make one with steward day plan")
        }
        return day
    }

    /// Returns the day to repeat: that of a date or, for `last`, the last one before another date.
    func like(_ date: String, before other: String, of person: PersonRow) throws -> Day {
        let found =
            date == "last"
            ? try Day.dates(of: person.account, before: other, db).first
            : try self.date(date, of: person, mayBePast: true)
        guard let found, let day = try Day.of(person.account, found, db) else {
            throw Refusal.notFound(
                date == "last"
                    ? "there is no earlier day to repeat"
                    : "there is no plan for \(date.prefix(40)) to repeat")
        }
        return day
    }
}
