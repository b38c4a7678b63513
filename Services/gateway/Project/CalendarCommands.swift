import ArgumentParser
import Bus
import Foundation
import Messages
import Speech
import Terminal

extension MeetCommand {
    /// `steward meet calendar`
    struct FetchedCalendars: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "calendar",
            abstract: "People's calendars that are fetched from an address.",
            discussion: """
                  steward meet calendar add Kari
                  steward meet calendar list

                A calendar is fetched every quarter of an hour. If that fails, the last version \
                that was read counts, and whoever added the calendar is alerted after a day. Only \
                the times at which somebody is busy are kept, not what they do.
                """,
            subcommands: [Add.self, List.self, Fetch.self, Remove.self],
            defaultSubcommand: List.self)

        /// `steward meet calendar add`
        struct Add: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "add",
                abstract: "Fetches the calendar at an address from now on.",
                discussion: """
                    The address is what a calendar server shows as the link to an iCalendar or \
                    .ics file; it begins with https:// or webcal://. Without it you are asked for \
                    it: whoever knows it may be able to read the calendar, and others on this \
                    machine can read command lines. It is kept encrypted and shown by no command.
                    """)

            @Argument(help: "Whose it is: a name or a number of the project.")
            var person: String
            @Argument(help: "The address, with user and password if it needs them.")
            var address: String?
            @OptionGroup var target: ProjectOption
            @OptionGroup var output: OutputOptions

            func run() throws {
                let session = try Session()
                let read = try ProjectContentsRead(try target.project(session), session)
                let member = try read.member(person)
                let address = try address ?? PasswordPrompt.ask("Address", session.printer)
                session.printer.remark("fetching it …")
                let calendar = try session.askProject(
                    AddPersonCalendar(
                        project: read.project.id, person: UInt32(clamping: member.id),
                        address: address.trimmingCharacters(in: .whitespaces)),
                    for: PersonCalendar.self, deadline: .seconds(200))
                if output.json { return try session.printer.json(.calendars, [calendar]) }
                let sheet = try CalendarSheet(session)
                session.printer.result(
                    "\(calendar.name) is busy \(sheet.times(calendar)) by \(calendar.server)"
                        .printable)
                for problem in calendar.problems { session.printer.remark(problem.printable) }
            }
        }

        /// `steward meet calendar list`
        struct List: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "list",
                abstract: "Lists the calendars that are fetched, and how old each is.")

            @OptionGroup var target: ProjectOption
            @OptionGroup var output: OutputOptions

            func run() throws {
                let session = try Session()
                let found = try session.askProject(
                    ListPersonCalendars(project: try target.project(session)),
                    for: PersonCalendars.self)
                try CalendarSheet(session).show(found.calendars, output)
            }
        }

        /// `steward meet calendar fetch`
        struct Fetch: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "fetch",
                abstract: "Fetches the calendars now, and waits for the result.")

            @OptionGroup var target: ProjectOption
            @OptionGroup var output: OutputOptions

            func run() throws {
                let session = try Session()
                let project = try target.project(session)
                var found = try session.askProject(
                    FetchPersonCalendars(project: project), for: PersonCalendars.self
                ).calendars
                Interruption.watch()
                // Wait for the calendars that are due now; the servers of the others asked to wait
                // longer.
                let soon = WallClock.milliseconds() + 60_000
                let awaited = Dictionary(
                    found.filter { $0.due <= soon }.map { ($0.id, $0.due) },
                    uniquingKeysWith: { first, _ in first })
                while found.contains(where: { $0.busy || awaited[$0.id] == $0.due }) {
                    guard !Interruption.isWanted else {
                        throw Failure(
                            .unknownOutcome, "it continues without you",
                            advice: "see the result: steward meet calendar list")
                    }
                    poll(nil, 0, 100)
                    found = try session.askProject(
                        ListPersonCalendars(project: project), for: PersonCalendars.self
                    ).calendars
                }
                try CalendarSheet(session).show(found, output)
                let failing = found.filter { !$0.failure.isEmpty }
                guard let first = failing.first else { return }
                throw Failure(
                    .refused,
                    "\(Wording.count(failing.count, "calendar")) can't be fetched; "
                        + "that of \(first.name) at \(first.server): \(first.failure)".printable,
                    advice: "the last versions that were read count until it works again")
            }
        }

        /// `steward meet calendar remove`
        struct Remove: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "remove",
                abstract: "Forgets a calendar and its address.")

            @Argument(help: "Its id, or the beginning of it: see steward meet calendar list.")
            var calendar: String
            @OptionGroup var target: ProjectOption
            @OptionGroup var output: OutputOptions

            func run() throws {
                let session = try Session()
                let removed = try session.askProject(
                    RemovePersonCalendar(
                        project: try target.project(session), calendar: calendar),
                    for: PersonCalendar.self)
                if output.json { return try session.printer.json(.calendars, [removed]) }
                session.printer.result(
                    "the calendar of \(removed.name) at \(removed.server) is forgotten".printable)
            }
        }
    }
}

/// Calendars that are fetched, for people or programs.
struct CalendarSheet {
    private let session: Session
    private let clock: SiteClock
    private let now = WallClock.milliseconds()

    init(_ session: Session) throws {
        self.session = session
        clock = try session.siteClock
    }

    func show(_ calendars: [PersonCalendar], _ output: OutputOptions) throws {
        if output.json { return try session.printer.json(.calendars, calendars) }
        guard !calendars.isEmpty else {
            return session.printer.remark(
                "no calendars are fetched; add one: steward meet calendar add NAME")
        }
        let length = ShortID.length(telling: calendars.map(\.id))
        var table = TextTable([
            .id("ID"), .text("PERSON"), .text("SERVER"), .text("BUSY"), .time("AS OF"),
            .text("STATE"),
        ])
        for calendar in calendars {
            table.add([
                .init(String(calendar.id.prefix(length))), .init(calendar.name),
                .init(calendar.server), .init(times(calendar)), .init(age(calendar)),
                .init(state(calendar)),
            ])
        }
        session.printer.table(table)
    }

    /// `12 times until 2027-07-16`
    func times(_ calendar: PersonCalendar) -> String {
        "\(Wording.count(calendar.times, "time")) until \(day(calendar.knownUntil))"
    }

    /// `25 min ago`
    func age(_ calendar: PersonCalendar) -> String {
        "\(Wording.duration(max(0, now - calendar.fetched))) ago"
    }

    /// The problems of a calendar, if there are any.
    func state(_ calendar: PersonCalendar) -> String {
        guard calendar.failure.isEmpty else {
            return "fails for \(Wording.duration(max(0, now - calendar.failingSince))): "
                + calendar.failure
        }
        let problems = calendar.problems
        return problems.isEmpty
            ? (calendar.busy ? "is being fetched" : "")
            : "\(Wording.count(problems.count, "part")) left out; \(problems[0])"
    }

    /// Reports problems with calendars that make people seem free.
    func remark(_ calendars: [PersonCalendar], until end: Int64) {
        for calendar in calendars {
            let whose = "the calendar of \(calendar.name) at \(calendar.server)"
            if !calendar.failure.isEmpty {
                session.printer.remark(
                    "\(whose) is from \(clock.moment(calendar.fetched)): \(calendar.failure)"
                        .printable)
            }
            if calendar.knownUntil < end {
                session.printer.remark(
                    "what \(whose) has after \(day(calendar.knownUntil)) isn't known".printable)
            }
        }
    }

    private func day(_ time: Int64) -> String { String(clock.moment(time).prefix(10)) }
}
