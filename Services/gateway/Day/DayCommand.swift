import ArgumentParser
import Bus
import Messages
import Phrases
import RoutineDay
import Speech
import Terminal

/// `steward day`
struct DayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "day", abstract: "Plans, shows and runs a person's day.",
        discussion: """
            steward day plan --tag morning --appointment "10:00-11:00 +20 Doctor" proposes a day; \
            steward day confirm makes it yours, and steward day view guides you through it. \
            steward day undo reverts any change.
            """,
        subcommands: [
            Plan.self, Repeat.self, Show.self, View.self, Confirm.self, Done.self, Skip.self,
            Undo.self, Pause.self, Resume.self, More.self, Add.self, Appoint.self, Remove.self,
            Move.self, Swap.self, SaveTemplate.self, Templates.self, ForgetTemplate.self,
            Settings.self, Calendar.self, Rhythm.self, Holiday.self, Together.self, Print.self,
            Cards.self,
        ])

    /// Whose day a command is about, which date, and the form of its output.
    struct Target: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "The date: today, tomorrow, yesterday, or 2026-03-29. Default: today.",
                valueName: "date"))
        var date: DayArgument?
        @OptionGroup var person: PersonOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        /// Changes a day and shows it.
        ///
        /// - Parameters:
        ///   - change: the change.
        ///   - revision: the revision that the day must have; 0 if the person hasn't said it.
        func change(_ change: ChangeDay.Change, of revision: UInt64 = 0) throws {
            let session = try Session()
            let desk = try DayDesk(session, person: try person.account(session), date: date)
            try desk.change(change, of: revision, repeating: repeating)
            try show(desk, session)
            if let obstacle = desk.obstacle {
                session.printer.remark("kept here, \(desk.waiting) waiting: \(obstacle)")
            }
        }

        /// Shows a day that the service has sent, and keeps it as what this device has shown.
        func show(_ day: Day, of person: String, _ session: Session) throws {
            try show(day, session)
            try DayDesk(session, person: person, date: date).took(day)
        }

        /// Shows a day as this device has it.
        func show(_ desk: DayDesk, _ session: Session) throws {
            for one in desk.refused { session.printer.remark(one.sentence) }
            if let day = desk.day { try show(day, session, isAway: desk.obstacle != nil) }
        }

        /// Shows a day.
        ///
        /// - Parameter isAway: true when the service can't be asked anything else just now.
        func show(_ day: Day, _ session: Session, isAway: Bool = false) throws {
            if output.json { return try session.printer.json(.days, [day]) }
            let language = try session.language
            DaySheet(day, at: WallClock.milliseconds(), language: language)
                .show(on: session.printer)
            if !isAway, day.isFinished || day.state == .proposed { try offer(language, session) }
        }

        /// Offers the time that an action really takes in place of the planned time.
        private func offer(_ language: Language, _ session: Session) throws {
            guard person.named == nil,
                let one = try session.measured(of: "").first(where: \.isOffered),
                let action = one.action
            else { return }
            let name = action.title(in: language).printable
            session.printer.remark(
                Words<DayPhrase>(language).say(
                    .takesYou,
                    [
                        "name": name, "count": "\(one.minutes)", "planned": "\(action.minutes)",
                        "command": "steward action adopt \(name.asWord)",
                    ]))
        }
    }
}
