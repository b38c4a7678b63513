import CalendarFeeds
import Calendars
import Messages
import ProjectRecord
import ServiceRuntime

/// The calendars of people that are fetched from an address: added, listed, removed.
enum PersonCalendarHandling {
    static var handlers: [MessageHandler] {
        [
            .slow(prepare: prepareAdd, work: { $0.run() }, finish: add, .member),
            .command(remove, .member),
            .command(fetch, .member),
            .query(list, .member),
            .query(read, .member),
        ]
    }

    /// The maximum number of calendars of a project.
    private static let most = 500
    /// The maximum number of times in an answer.
    private static let mostTimes = 50_000

    // MARK: Adding

    /// What is tried outside the loop.
    struct Trial: Sendable {
        let address: CalendarAddress
        /// The mark of the address.
        let mark: [UInt8]
        let fetch: CalendarFetch
        let window: TimeSpan
        let zone: String

        func run() -> Tried { Tried(trial: self, outcome: fetch.run()) }
    }

    /// A trial that has ended, and how.
    struct Tried: Sendable {
        let trial: Trial
        let outcome: CalendarFetch.Outcome

        /// The calendar that was read. If its server asks to wait, the wait is kept.
        ///
        /// - Throws: a refusal if it could not be read.
        func found(in transaction: Transaction) throws -> Found {
            let server = trial.address.server
            switch outcome {
            case .read(let contents):
                return Found(contents: contents, window: trial.window, zone: trial.zone)
            case .unchanged: throw Refusal.conflict("\(server): it answers 304")
            case .failed(let reason, let seconds):
                try CalendarWait.keep(trial.mark, seconds: seconds, in: transaction)
                throw NotedRefusal(.conflict("\(server): \(reason)"))
            }
        }
    }

    /// A calendar that was read.
    struct Found: Sendable {
        let contents: CalendarFetch.Contents
        /// The period for which its times are known, in seconds since 1970.
        let window: TimeSpan
        let zone: String
    }

    private static func prepareAdd(
        _ command: AddPersonCalendar, in transaction: Transaction
    ) throws -> Trial {
        let row = try transaction.project(command.project)
        let member = try member(command.person, of: row, in: transaction)
        let address = try address(command.address)
        guard try PersonCalendarRow.all(of: row.project.id, transaction.db).count < most else {
            throw Refusal.conflict("the project has \(most) calendars already; remove one")
        }
        try OrganisationLimits.requireRoom(in: row.project.organisation, transaction.db)
        guard let zone = Zone(named: member.timeZone) else {
            throw Refusal.conflict(
                "this machine doesn't know the time zone of \(member.name), “\(member.timeZone)”")
        }
        let mark = try Redmines.sealingKey(transaction).mark(of: address.text)
        if let rest = try CalendarWait.rest(of: mark, in: transaction) {
            let reason =
                rest.isOurs
                ? "the service has failed while it fetched this calendar"
                : "\(address.server) asks to be left alone for now"
            throw Refusal.conflict(
                "\(reason); add the calendar in \((rest.time + 59_999) / 60_000) minutes")
        }
        let window = CalendarFetches.window(at: transaction.now)
        return Trial(
            address: address, mark: mark,
            fetch: CalendarFetch(
                address, CalendarFetches.reach(of: address, in: transaction), known: nil,
                window: window, zone: zone),
            window: window, zone: member.timeZone)
    }

    private static func add(
        _ command: AddPersonCalendar, _ tried: Tried, in transaction: Transaction
    ) throws -> PersonCalendar {
        let found = try tried.found(in: transaction)
        let row = try transaction.project(command.project)
        let member = try member(command.person, of: row, in: transaction)
        let address = try address(command.address)
        var calendar = PersonCalendarRow(
            calendar: PersonCalendar(
                id: "\(transaction.id)", person: command.person, server: address.server,
                account: transaction.principal.account), project: row.project.id,
            sealed: try Redmines.sealingKey(transaction).sealed(address.text))
        calendar.take(found, at: transaction.now)
        try calendar.save(transaction.db)
        return calendar.told(of: row.project, member)
    }

    private static func address(_ text: String) throws(Refusal) -> CalendarAddress {
        do { return try CalendarAddress(text) } catch { throw .invalid(error.description) }
    }

    private static func member(
        _ number: UInt32, of row: ProjectRow, in transaction: Transaction
    ) throws -> Member {
        guard let member = try row.record(transaction).members[Int(number)] else {
            throw Refusal.notFound("\(row.project.identifier) has no person \(number)")
        }
        return member
    }

    // MARK: What there is

    private static func remove(
        _ command: RemovePersonCalendar, in transaction: Transaction
    ) throws -> PersonCalendar {
        let row = try transaction.project(command.project)
        let typed = try TypedID(command.calendar, of: "calendar")
        let calendar = try typed.only(
            PersonCalendarRow.matching(typed, of: row.project.id, transaction.db))
        try calendar.forget(in: transaction)
        return calendar.told(
            of: row.project,
            try row.record(transaction).members[Int(calendar.calendar.person)])
    }

    private static func fetch(
        _ command: FetchPersonCalendars, in transaction: Transaction
    ) throws -> Messages.PersonCalendars {
        let row = try transaction.project(command.project)
        try PersonCalendarRow.hurry(row.project.id, at: transaction.now, transaction.db)
        return try listed(of: row, in: transaction)
    }

    private static func list(
        _ query: ListPersonCalendars, in transaction: Transaction
    ) throws -> Messages.PersonCalendars {
        try listed(of: try transaction.project(query.project), in: transaction)
    }

    static func listed(
        of row: ProjectRow, in transaction: Transaction
    ) throws -> Messages.PersonCalendars {
        let record = try row.record(transaction)
        let rows = try PersonCalendarRow.all(of: row.project.id, transaction.db)
        return Messages.PersonCalendars(
            calendars: fitting(
                rows.map { $0.told(of: row.project, record.members[Int($0.calendar.person)]) }))
    }

    /// The calendars of an answer that has so many other bytes. If it has no room for everything
    /// that is wrong with them, each problem is shortened, because an answer that is too large
    /// isn't sent at all.
    static func fitting(
        _ calendars: [PersonCalendar], beside others: Int = 0
    ) -> [PersonCalendar] {
        let bytes = calendars.reduce(others) { $0 + $1.packed().count }
        guard bytes > 2 * Projects.partBytes else { return calendars }
        return calendars.map { calendar in
            var calendar = calendar
            calendar.problems = calendar.problems.map { $0.prefix(bytes: 60) }
            calendar.failure = calendar.failure.prefix(bytes: 300)
            return calendar
        }
    }

    /// The times at which people are busy, by their calendars as last fetched, and in meetings that
    /// were booked.
    private static func read(
        _ query: ReadBusyTimes, in transaction: Transaction
    ) throws -> BusyTimesRead {
        let row = try transaction.project(query.project)
        let record = try row.record(transaction)
        let people = Set(query.people)
        var answer = BusyTimesRead()
        for calendar in try PersonCalendarRow.all(of: row.project.id, transaction.db) {
            let person = calendar.calendar.person
            guard people.isEmpty || people.contains(person),
                let member = record.members[Int(person)]
            else { continue }
            answer.calendars.append(calendar.told(of: row.project, member))
            answer.times += try PersonCalendarRow.times(of: calendar.calendar.id, transaction.db)
                .filter { $0.start < query.until && $0.end > query.from }
            try requireRoom(for: answer)
        }
        let until = max(query.from, query.until)
        var booked = try BookedTimes(in: row, query.from..<until, transaction)
        for member in record.members.values {
            let person = UInt32(clamping: member.id)
            guard people.isEmpty || people.contains(person) else { continue }
            answer.times += try booked.all(of: member.name, account: member.account).map {
                BusyStretch(
                    person: person, start: $0.span.lowerBound, end: $0.span.upperBound,
                    tentative: $0.isOptional)
            }
            try requireRoom(for: answer)
        }
        let others = BusyTimesRead(times: answer.times).packed().count
        answer.calendars = fitting(answer.calendars, beside: others)
        answer.times.sort { ($0.person, $0.start, $0.end) < ($1.person, $1.start, $1.end) }
        return answer
    }

    private static func requireRoom(for answer: BusyTimesRead) throws(Refusal) {
        guard answer.times.count <= mostTimes else {
            throw .conflict(
                "people are busy more than \(mostTimes) times; ask for fewer days or people")
        }
    }
}

extension PersonCalendarRow {
    /// What is reported about it.
    func told(of project: Project, _ member: Member?) -> PersonCalendar {
        var calendar = calendar
        (calendar.project, calendar.name) = (project.identifier, member?.name ?? "")
        calendar.busy = isUnderWay
        return calendar
    }

    /// Stores what was read.
    mutating func take(_ found: PersonCalendarHandling.Found, at now: Int64) {
        let contents = found.contents
        times = contents.times.map { time in
            BusyStretch(
                person: calendar.person, start: time.span.start * 1_000,
                end: time.span.end * 1_000, tentative: time.isTentative)
        }
        (version, zone) = (contents.version, found.zone)
        calendar.times = UInt32(clamping: contents.times.count)
        calendar.knownUntil = found.window.end * 1_000
        calendar.problems = contents.problems.map { $0.prefix(bytes: 1_000) }
        succeed(at: now)
    }

    /// Records that the server has sent it, or said that it is unchanged.
    mutating func succeed(at now: Int64) {
        (calendar.fetched, calendar.due) = (now, now + CalendarFetches.interval)
        (calendar.failure, calendar.failingSince, earliest) = ("", 0, 0)
    }
}
