import ArgumentParser
import Bus
import LocalTime
import Messages
import ShiftClient
import ShiftLog
import Speech
import Terminal

extension ShiftCommand {
    /// `steward shift schedule`
    struct Schedule: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schedule",
            abstract: "Schedules shifts to begin by themselves, by weekday and hour.",
            discussion: """
                A shift begins at its time by the site's clock, whether anyone is there or not. If \
                another one is still open, it waits up to two hours for that one to end. A shift \
                that did not begin is in steward shift list and in the statistics, and raises an \
                alert.
                """,
            subcommands: [Add.self, List.self, Remove.self])

        /// `steward shift schedule add`
        struct Add: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "add",
                abstract: "Makes a shift begin every week on these days at this time.")

            @Argument(help: "The part of the day: day or evening.")
            var part: DayPartArgument
            @Option(help: "Weekdays, such as mon, mon-fri, sat,sun or all.")
            var on: WeekdaysArgument
            @Option(help: "When it begins by the site's clock, such as 06:00.")
            var at: ClockArgument
            @Option(help: "When it is meant to end, at most 15 hours later, such as 14:00.")
            var until: ClockArgument?
            @Option(help: "The account of its manager. Default: you.")
            var manager: String = ""
            @OptionGroup var place: SiteOption
            @OptionGroup var repeating: RepeatOptions
            @OptionGroup var output: OutputOptions

            func run() throws {
                let session = try Session()
                let site = try place.site(session)
                let shift = try session.ask(
                    .checklist,
                    ScheduleShift(
                        shift: ScheduledShift(
                            site: site.id, dayPart: part.number, weekdays: on.days,
                            begins: UInt32(at.minutes), ends: until.map { UInt32($0.minutes) },
                            managerAccountName: manager)),
                    for: ScheduledShift.self, repeating: repeating)
                if output.json { return try session.printer.json(.scheduledShifts, [shift.report]) }
                let next = try shift.next(session)
                session.printer.result(
                    "\(shift.line) begins by itself"
                        + (next.isEmpty ? "" : ", next on \(next)"))
            }
        }

        /// `steward shift schedule list`
        struct List: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "list",
                abstract: "Lists the shifts that begin by themselves.")

            @OptionGroup var place: SiteOption
            @OptionGroup var output: OutputOptions

            func run() throws {
                let session = try Session()
                let reply = try session.ask(
                    .checklist, ListScheduledShifts(site: try place.site(session).id),
                    for: ScheduledShifts.self)
                if output.json {
                    return try session.printer.json(.scheduledShifts, reply.shifts.map(\.report))
                }
                guard !reply.shifts.isEmpty else {
                    return session.printer.remark(
                        "no shift begins by itself: steward shift schedule add day --on mon-fri "
                            + "--at 06:00")
                }
                let length = ShortID.length(telling: reply.shifts.map(\.id))
                var table = TextTable([
                    .id("ID"), .text("PART"), .text("DAYS"), .time("BEGINS"), .time("ENDS"),
                    .text("MANAGER"), .time("NEXT"),
                ])
                for shift in reply.shifts {
                    table.add([
                        .init(String(shift.id.prefix(length))), .init(shift.partWord),
                        .init(WeekdaysArgument.words(shift.weekdays)),
                        .init(LocalTime.text(minutes: Int(shift.begins))),
                        .init(shift.ends.map { LocalTime.text(minutes: Int($0)) } ?? ""),
                        .init(shift.managerName), .init(try shift.next(session)),
                    ])
                }
                session.printer.table(table)
            }
        }

        /// `steward shift schedule remove`
        struct Remove: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "remove",
                abstract: "Stops a shift from beginning by itself. One that has begun goes on.")

            @Argument(help: "Its id in steward shift schedule list, or the unique beginning of it.")
            var id: String
            @OptionGroup var place: SiteOption
            @OptionGroup var repeating: RepeatOptions
            @OptionGroup var output: OutputOptions

            func run() throws {
                let session = try Session()
                let shift = try session.ask(
                    .checklist, UnscheduleShift(id: id, site: try place.site(session).id),
                    for: ScheduledShift.self, repeating: repeating)
                if output.json { return try session.printer.json(.scheduledShifts, [shift.report]) }
                session.printer.result("\(shift.line) no longer begins by itself")
            }
        }
    }
}

extension ScheduledShift {
    fileprivate var partWord: String { dayPart == 2 ? "evening" : "day" }

    /// The scheduled shift in JSON, with its part of the day as a word.
    fileprivate var report: Extended<ScheduledShift> { Extended(self, ["dayPart": partWord]) }

    /// The scheduled shift, in words.
    fileprivate var line: String {
        "the \(partWord) shift of \(managerName.printable), "
            + "\(WeekdaysArgument.words(weekdays)) at \(LocalTime.text(minutes: Int(begins))),"
    }

    /// When it begins next, by the site's clock; empty when this machine doesn't know its zone.
    fileprivate func next(_ session: Session) throws -> String {
        let zone = try session.sites().first { $0.id == site }?.timeZone ?? ""
        guard let localTime = LocalTime(zone: zone),
            let next = next(after: WallClock.milliseconds(), localTime)
        else { return "" }
        return "\(next.date) \(localTime.reading(at: next.due).time)"
    }
}

extension WeekdaysArgument {
    /// Weekdays as they are typed, such as `mon-fri` or `sat,sun`.
    static func words(_ days: [UInt32]) -> String {
        if days == [1, 2, 3, 4, 5, 6, 7] { return "all" }
        var spans: [ClosedRange<Int>] = []
        for day in days.map(Int.init) where (1...7).contains(day) {
            if let last = spans.last, last.upperBound + 1 == day {
                spans[spans.count - 1] = last.lowerBound...day
            } else {
                spans.append(day...day)
            }
        }
        return spans.map { span in
            let (first, last) = (names[span.lowerBound - 1], names[span.upperBound - 1])
            return span.count == 1
                ? first : span.count == 2 ? "\(first),\(last)" : "\(first)-\(last)"
        }.joined(separator: ",")
    }
}
