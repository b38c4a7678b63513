import ArgumentParser
import Bus
import Messages
import Phrases
import RoutineDay
import Speech
import Terminal

extension DayCommand {
    /// `steward day together`
    struct Together: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "together",
            abstract: "Shows the days of the people you care for side by side, and yours.",
            discussion: """
                You see the days of those who named you as their carer: steward carer add.
                """)

        @Option(
            help: ArgumentHelp(
                "The date: today, tomorrow, yesterday, or 2026-03-29. Default: today.",
                valueName: "date"))
        var date: DayArgument?
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let account = try session.ask(.account, WhoAmI(), for: Account.self)
            let names = account.caresFor.isEmpty ? [:] : try UserCommand.names(session)
            // The owner of the machine has a day but no account; asking for your own day needs no
            // name.
            let days = try ([""] + account.caresFor).map { person in
                try day(of: person, session)
            }
            if output.json { return try session.printer.json(.days, days.compactMap { $0 }) }
            let people = [account.name] + account.caresFor.map { names[$0] ?? $0 }
            let language = try session.language
            let table = DaysTogether(
                people: people, days: days, now: WallClock.milliseconds(), language: language
            ).table
            session.printer.table(table)
        }

        private func day(of person: String, _ session: Session) throws -> Day? {
            do {
                return try session.ask(
                    .routine, ReadDay(person: person, date: date?.text ?? ""), for: Day.self)
            } catch ClientError.refused(let refusal)
                where [.notFound, .forbidden].contains(refusal.code)
            {
                return nil
            }
        }
    }
}

/// Days of several people side by side. It is pure.
struct DaysTogether {
    let people: [String]
    /// The day of each person; nil for a person without one.
    let days: [Day?]
    /// Milliseconds since 1970.
    let now: Int64
    let language: Language

    private var words: Words<DayPhrase> { Words(language) }

    /// A row for each person: what they do now, and what comes next.
    var table: TextTable {
        var table = TextTable([
            .text(""), .text(words.say(.now)), .text(words.say(.next)),
        ])
        for (person, day) in zip(people, days) {
            guard let day else {
                table.add([.init(person, .bold), .init(words.say(.noDay), .dim), .init("")])
                continue
            }
            table.add([.init(person, .bold), .init(present(day)), .init(upcoming(day))])
        }
        return table
    }

    private func present(_ day: Day) -> String {
        if day.state != .confirmed { return words.say(.isProposed) }
        if day.isFinished { return words.say(.dayDone) }
        if day.paused > 0 { return words.say(.isPaused) }
        return day.current(at: now).map { text(day, $0) } ?? words.say(.nothingNow)
    }

    private func upcoming(_ day: Day) -> String {
        guard let next = day.next(at: now) else { return "" }
        let clock = DayTime(of: day)?.clock(day[next].start) ?? ""
        return "\(clock) \(text(day, next))"
    }

    private func text(_ day: Day, _ place: Day.Place) -> String {
        day[place].action?.line(in: language) ?? day.items[place.item].title
    }
}
