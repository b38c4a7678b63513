import ArgumentParser
import LocalTime
import Messages
import Speech
import Terminal

extension DayCommand {
    /// `steward day rhythm`
    struct Rhythm: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rhythm",
            abstract: "Shows or changes your week: which template is proposed on which weekday.",
            discussion: """
                steward day rhythm mon-fri School; steward day rhythm sat,sun none. In the \
                morning, or on the evening before, the day is proposed; y in steward day view, or \
                steward day confirm, makes it yours. Changing a day doesn't change the week.
                """)

        @Argument(help: "Weekdays, such as mon, mon-fri or sat,sun.")
        var weekdays: WeekdaysArgument?
        @Argument(help: "The template, by name; none for no proposal.")
        var template: String?
        @Option(
            help: ArgumentHelp(
                "Propose a day on the evening before, at this time.", valueName: "18:00"))
        var evening: ClockArgument?
        @Flag(help: "Propose a day in the morning, when you get up.")
        var morning = false
        @OptionGroup var person: PersonOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if weekdays != nil, template == nil {
                throw ValidationError("say which template: steward day rhythm mon-fri School")
            }
            if morning, evening != nil {
                throw ValidationError("a day is proposed in the morning or on the evening before")
            }
        }

        func run() throws {
            let session = try Session()
            let account = try person.account(session)
            let rhythm: WeekRhythm
            if weekdays != nil || morning || evening != nil {
                let name = template?.lowercased() == "none" ? "" : template ?? ""
                rhythm = try session.ask(
                    .routine,
                    ChangeRhythm(
                        person: account,
                        days: (weekdays?.days ?? []).map {
                            RhythmDay(weekday: $0, template: name)
                        }, evening: evening?.minutes, morning: morning),
                    for: WeekRhythm.self, repeating: repeating)
            } else {
                rhythm = try session.ask(
                    .routine, ReadRhythm(person: account), for: WeekRhythm.self)
            }
            try rhythm.show(session, output)
        }
    }

    /// `steward day holiday`
    struct Holiday: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "holiday",
            abstract: "Adds or removes dates on which your week doesn't apply.",
            discussion: """
                steward day holiday 2027-06-20 2027-08-15 Summer
                steward day holiday 2027-05-17 'Constitution Day'
                """)

        @Argument(help: "The first date.")
        var from: DayArgument
        @Argument(
            help: ArgumentHelp("The last date, unless it is the first.", valueName: "until"))
        var second: String?
        @Argument(help: ArgumentHelp("Its name.", valueName: "name"))
        var third: String?
        @Option(help: "The template to propose then. Default: none.")
        var template: String?
        @Flag(help: "Remove the holiday that begins on the first date.")
        var remove = false
        @OptionGroup var person: PersonOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        /// The last date; nil if the name follows the first date.
        var until: String? { second.flatMap { LocalTime.day($0) == nil ? nil : $0 } }
        /// The name, after one date or two.
        var name: String { until == nil ? second ?? "" : third ?? "" }

        func validate() throws {
            guard LocalTime.day(from.text) != nil,
                until != nil || third == nil && !Self.isLikeDate(name)
            else {
                throw ValidationError("give dates such as 2027-06-20, and then a name")
            }
        }

        /// True for a date that is mistyped or written otherwise, such as 31.12.2027: not a name.
        private static func isLikeDate(_ text: String) -> Bool {
            DayArgument(argument: text) != nil
                || text.prefixMatch(of: /\d+[-.\/]\d|\d{6}/) != nil
        }

        func run() throws {
            let session = try Session()
            var command = ChangeRhythm(person: try person.account(session))
            if remove {
                command.removeHoliday = from.text
            } else {
                command.addHolidays = [
                    DayHoliday(
                        from: from.text, until: until ?? from.text, name: name,
                        template: template ?? "")
                ]
            }
            try session.ask(.routine, command, for: WeekRhythm.self, repeating: repeating)
                .show(session, output)
        }
    }
}

/// Weekdays as they are typed: `mon`, `mon-fri`, `fri-mon`, `sat,sun`, or `all`.
struct WeekdaysArgument: ExpressibleByArgument, Hashable {
    /// 1 for Monday to 7 for Sunday, in order.
    let days: [UInt32]

    static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    init?(argument: String) {
        var found: Set<UInt32> = []
        for part in argument.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
            if part == "all" {
                found.formUnion(1...7)
                continue
            }
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
                .map { Self.day(String($0)) }
            guard (1...2).contains(ends.count), let first = ends[0],
                let last = ends[ends.count - 1]
            else { return nil }
            if first <= last {
                found.formUnion(first...last)
            } else {
                // From Friday to Monday, for example, Sunday lies between.
                found.formUnion(first...7)
                found.formUnion(1...last)
            }
        }
        days = found.sorted()
    }

    /// The number of a weekday by its English name or the first three letters of it.
    private static func day(_ name: String) -> UInt32? {
        let whole = [
            "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
        ]
        let index = names.firstIndex(of: name) ?? whole.firstIndex(of: name)
        return index.map { UInt32($0 + 1) }
    }
}

extension WeekRhythm {
    /// Shows the week and the holidays.
    fileprivate func show(_ session: Session, _ output: OutputOptions) throws {
        if output.json { return try session.printer.json(.rhythms, [self]) }
        guard !days.isEmpty || !holidays.isEmpty else {
            return session.printer.remark(
                "no day is proposed; begin: steward day save-template, then steward day rhythm "
                    + "mon-fri with its name")
        }
        var table = TextTable([.time("DAY"), .text("TEMPLATE")])
        for (index, name) in WeekdaysArgument.names.enumerated() {
            let template = days.first { Int($0.weekday) == index + 1 }?.template
            table.add([.init(name), .init(template ?? "")])
        }
        for holiday in holidays {
            let dates =
                holiday.from == holiday.until
                ? holiday.from : "\(holiday.from) to \(holiday.until)"
            let name = holiday.name.isEmpty ? "holiday" : holiday.name
            table.add([
                .init(dates),
                .init(holiday.template.isEmpty ? name : "\(name): \(holiday.template)"),
            ])
        }
        session.printer.table(table)
        session.printer.result(
            evening.map { "proposed on the evening before, at \(LocalTime.text(minutes: Int($0)))" }
                ?? "proposed in the morning, when you get up")
    }
}
