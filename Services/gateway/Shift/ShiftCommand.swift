import ArgumentParser
import Bus
import Foundation
import LocalTime
import Messages
import ShiftClient
import ShiftLog
import ShiftPapers
import Speech
import Terminal
import WorkingCopy

/// `steward shift`
struct ShiftCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shift", abstract: "Begins a shift, shows its state, and ends it.",
        discussion: """
            What you do in a shift is saved on this machine first and then sent to the service. \
            Without a connection everything still works, and is sent when there is one again.
            """,
        subcommands: [
            Start.self, Prepare.self, Status.self, List.self, Handover.self, End.self,
            LetCrew.self, Schedule.self, Refused.self, Resend.self, Dismiss.self,
        ])

    /// `steward shift start`
    struct Start: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "start",
            abstract: "Begins the day or the evening shift of a site.")

        @Argument(help: "The part of the day: day or evening.")
        var part: DayPartArgument
        @Option(
            help: """
                When it is meant to end by the site's clock, such as 16:00: an appointment in your \
                day, if you allow it with steward day settings --with shifts.
                """)
        var until: ClockArgument?
        @OptionGroup var place: SiteOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let folder = try session.deviceFolder("shifts")
            let site = try place.site(session)
            try ShiftDesk.bringLeftovers(session, in: folder, tell: session.printer.remark)
            let snapshot = try session.ask(
                .checklist,
                StartShift(
                    site: site.id, dayPart: part.number, device: folder.device,
                    until: try end(at: site, session)),
                for: ShiftSnapshot.self, repeating: repeating)
            let desk = try ShiftDesk(
                session, try folder.begin(snapshot), tell: session.printer.remark)
            try desk.courier.run()
            let state = desk.state
            if output.json {
                return try session.printer.json(.shifts, [ShiftReport(desk, at: now())])
            }
            let clock = SiteClock(zone: state.shift.timeZone)
            let until = state.shift.until
            session.printer.result(
                "\(state.shift.line) has begun; the first travel path is due at "
                    + clock.time(state.schedule.first)
                    + (until > 0 ? "; it is meant to end at \(clock.time(until))" : ""))
            if state.lists.templates.isEmpty {
                session.printer.remark(
                    "there are no lists for it; import some: steward template restaurant")
            } else {
                session.printer.remark("walk the first list: steward checklist walk")
            }
        }

        /// When the shift should end, in milliseconds since 1970; 0 when not given.
        private func end(at site: ChosenSite, _ session: Session) throws -> Int64 {
            guard let until else { return 0 }
            let zone = try session.sites().first { $0.id == site.id }?.timeZone ?? ""
            guard let local = LocalTime(zone: zone) else {
                throw Failure(
                    .refused, "this machine doesn't know the time zone “\(zone.printable)”",
                    advice: "begin the shift without --until")
            }
            return local.first(minutes: Int(until.minutes), notBefore: now() + 1)
        }
    }

    /// `steward shift prepare`
    struct Prepare: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prepare",
            abstract: "Fetches the open shift, so that this device can work without a connection.",
            discussion: """
                Every command of the shift does so too. Use it on a device that will be taken \
                where there is no connection before it has been used in the shift.
                """)

        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let desk = try ShiftDesk.open(session, place)
            if let obstacle = desk.obstacle {
                throw Failure(
                    .notRunning, "the shift can't be fetched now: \(obstacle)",
                    advice: "what was fetched before is still here: steward shift status")
            }
            let report = ShiftReport(desk, at: now())
            if output.json { return try session.printer.json(.shifts, [report]) }
            session.printer.result(
                "\(desk.copy.shift.line) is on this device: it works without a connection")
        }
    }

    /// `steward shift status`
    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Shows the state of the open shift.")

        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let desk = try ShiftDesk.open(session, place)
            let report = ShiftReport(desk, at: now())
            guard !output.json else {
                let undecided = ShiftRecord(desk.state).contradictions.filter { !$0.isDecided }
                return try session.printer.json(
                    .shifts, [Extended(report, ["undecided": undecided])])
            }
            session.printer.result(report.headline)
            session.printer.table(report.table)
            for line in report.remarks(at: now()) { session.printer.result(line) }
            try desk.remarkOnState()
        }
    }

    /// `steward shift list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the newest shifts: open, ended, and scheduled ones that didn't begin.")

        @Option(help: "The maximum number of shifts, up to 200.")
        var limit: UInt32 = 20
        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func validate() throws { try ListLimit.validate(limit, most: 200) }

        func run() throws {
            let session = try Session()
            let found = try session.shifts(
                FindShifts(site: try place.site(session).id, limit: limit, missedToo: true))
            if output.json {
                return try session.printer.json(
                    .shifts, found.shifts.map { FoundShift.Report($0) },
                    beside: ["more": found.more])
            }
            guard !found.shifts.isEmpty else {
                return session.printer.remark("there was no shift yet: steward shift start day")
            }
            session.printer.table(FoundShift.table(found.shifts))
            if found.more {
                session.printer.remark(
                    "there are older ones: --limit, up to 200, or steward archive find")
            }
        }
    }

    /// `steward shift handover`
    struct Handover: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "handover",
            abstract: "Prints the handover sheet: what the next shift takes over.",
            discussion: """
                It has the open to-dos with the numbers that they keep, who does them and until \
                when, and the marks that contradict each other. Without a shift it is the sheet of \
                the open one as it stands now.
                """)

        @Argument(help: "An ended shift's id, or its unique beginning. Default: the open shift.")
        var shift: String?
        @OptionGroup var paper: PaperOptions
        @OptionGroup var place: SiteOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let desk = try shift == nil ? ShiftDesk.open(session, place) : nil
            let state = try desk?.state ?? ShiftState.read(shift ?? "", session)
            let photos = try paper.pictures(
                of: state.todos.filter { $0.mark == .open }.flatMap(\.photos), session.printer
            ) { photo in
                if let desk { return try desk.file(of: photo) }
                return try session.client(.checklist).file(of: photo, shift: state.shift.id)
            }
            try paper.put(
                [state.handoverPaper(photos: photos)], session.printer, isJSON: output.json)
            try desk?.remarkOnState()
        }
    }

    /// `steward shift end`
    struct End: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "end",
            abstract: "Ends the open shift and seals it in the archive; nothing is erased.",
            discussion: "Shows what is open and asks. Without a terminal, use --despite-open.")

        @Flag(help: "End it even if something is open.")
        var despiteOpen = false
        @OptionGroup var place: SiteOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let desk = try ShiftDesk.open(session, place)
            let shift = desk.copy.shift
            guard desk.obstacle == nil, desk.copy.waiting.isEmpty else {
                throw Failure(
                    .notRunning,
                    "the shift can be ended when everything is sent; "
                        + "\(desk.copy.waiting.count) waiting: \(desk.obstacle ?? "try again")")
            }
            let isAccepted = try despiteOpen || accepts(desk.state, session.printer)
            let ended = try session.ask(
                .checklist, EndShift(shift: shift.id, despiteOpen: isAccepted), for: Shift.self,
                repeating: repeating)
            try desk.courier.run()
            try session.deviceFolder("shifts").forget(desk.copy)
            if output.json {
                return try session.printer.json(
                    .shifts, [FoundShift.Report(FoundShift(shift: ended))])
            }
            session.printer.result("\(ended.line) has ended; it is in the archive as \(ended.id)")
            let todos = desk.state.done?.todos.count ?? 0
            if todos > 0 {
                session.printer.remark(
                    "the next shift takes over \(Wording.count(todos, "to-do")): steward shift "
                        + "handover \(ended.id)")
            }
        }

        /// Asks for confirmation if something is open; false if nothing is.
        private func accepts(_ state: ShiftState, _ printer: Printer) throws -> Bool {
            let open = state.openThings(at: now())
            guard !open.isEmpty else { return false }
            printer.remark("still open: " + open.summary.printable)
            guard isatty(STDIN_FILENO) == 1 else {
                throw Failure(
                    .refused, "something is open, and nobody can be asked",
                    advice: "deal with it, or end the shift with --despite-open")
            }
            let answer = try PasswordPrompt.askOpenly("End the shift anyway? y/N", printer)
            guard ["y", "yes", "j", "ja"].contains(answer.lowercased()) else {
                throw Failure(.refused, "the shift goes on", advice: "nothing was changed")
            }
            return true
        }
    }

    /// `steward shift refused`
    struct Refused: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "refused",
            abstract: "Lists what this device did and the service refused, and why.")

        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let refused = try RefusedList(in: session.deviceFolder("shifts"))
            if output.json {
                return try session.printer.json(.operations, refused.entries.map(\.report))
            }
            guard !refused.entries.isEmpty else {
                return session.printer.remark("nothing was refused")
            }
            var table = TextTable([.number("NO"), .time("DONE"), .text("WHAT"), .text("REFUSED")])
            for (index, entry) in refused.entries.enumerated() {
                table.add([
                    "\(index + 1)",
                    .init(
                        SiteClock(zone: entry.copy.shift.timeZone)
                            .moment(entry.refused.operation.deviceTime)),
                    .init(entry.words), .init(entry.refused.refusal.message, .red),
                ])
            }
            session.printer.table(table)
        }
    }

    /// The refused operations that a command is about.
    struct Chosen: ParsableArguments {
        @Argument(help: "The numbers, or all.")
        var numbers: [String]

        /// Finds them on this device.
        func entries(_ session: Session) throws -> [RefusedList.Entry] {
            try RefusedList(in: session.deviceFolder("shifts")).chosen(numbers)
        }
    }

    /// `steward shift resend`
    struct Resend: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "resend",
            abstract: "Sends refused operations again, by their numbers in steward shift refused.",
            discussion: """
                Each is sent as a new operation, with the time of the first. It helps once the \
                reason for the refusal is gone: a newer version reads what an older one could not.
                """)

        @OptionGroup var chosen: Chosen
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let entries = try chosen.entries(session)
            let wereSent = try RefusedList.resend(entries, session, tell: session.printer.remark)
            if output.json { return try session.printer.json(.operations, entries.map(\.report)) }
            if wereSent { session.printer.result("sent again \(entries.count)") }
        }
    }

    /// `steward shift dismiss`
    struct Dismiss: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "dismiss",
            abstract: "Dismisses refused operations, by their numbers in steward shift refused.")

        @OptionGroup var chosen: Chosen
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let entries = try chosen.entries(session)
            for entry in entries { try entry.copy.dismiss(entry.refused.operation) }
            if output.json { return try session.printer.json(.operations, entries.map(\.report)) }
            session.printer.result("dismissed \(entries.count)")
        }
    }

    fileprivate static func now() -> Int64 { WallClock.milliseconds() }
}

private func now() -> Int64 { ShiftCommand.now() }

/// A part of the day as it is typed.
enum DayPartArgument: String, ExpressibleByArgument, CaseIterable {
    case day
    case evening

    /// Its number in messages.
    var number: UInt32 { self == .day ? 1 : 2 }
}
