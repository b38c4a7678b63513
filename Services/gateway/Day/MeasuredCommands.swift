import ArgumentParser
import Messages
import Phrases
import RoutineDay
import Speech
import Terminal

extension ActionCommand {
    /// `steward action measured`
    struct Measured: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "measured",
            abstract: "Shows how long your actions really take.",
            discussion: """
                Steward measures the time until you mark an action as done. After five times you \
                can adopt it for your routines: steward action adopt.
                """)

        @OptionGroup var person: PersonOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let all = try session.measured(of: person.account(session))
            if output.json { return try session.printer.json(.measures, all) }
            guard !all.isEmpty else {
                return session.printer.remark(
                    "nothing is measured yet; mark actions as done: steward day done")
            }
            let language = try session.language
            var table = TextTable([
                .text(""), .text("ACTION"), .number("PLANNED"), .number("REALLY"), .text(""),
            ])
            for one in all {
                table.add([
                    .init(one.action?.emoji ?? ""),
                    .init(one.action?.title(in: language) ?? ""),
                    .init("\(one.action?.minutes ?? 0)"), .init("\(one.minutes)"),
                    .init(one.isOffered ? "can be adopted" : "", .dim),
                ])
            }
            session.printer.table(table)
        }
    }

    /// `steward action adopt`
    struct Adopt: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "adopt",
            abstract: "Plans an action with the time that it really takes you.")

        @Argument(help: "Its name, or its key in steward action list.")
        var action: String
        @OptionGroup var person: PersonOption
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .routine, AdoptMeasured(person: try person.account(session), action: action),
                for: MeasuredAction.self, repeating: repeating)
            if output.json { return try session.printer.json(.measures, [reply]) }
            let name = reply.action?.line(in: try session.language) ?? ""
            session.printer.result(
                "\(name): \(Wording.count(reply.action?.minutes ?? 0, "minute")) from now on")
        }
    }
}

extension RoutineCommand {
    /// `steward routine statistics`
    struct Statistics: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "statistics",
            abstract: "Shows which routines you kept up, and how long they took.")

        @Option(help: "How many days back, 1 to 92.")
        var days: UInt32 = 28
        @OptionGroup var person: PersonOption
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (1...92).contains(days) else {
                throw ValidationError("--days is a number from 1 to 92, not \(days)")
            }
        }

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .routine,
                ReadDayStatistics(person: try person.account(session), days: days),
                for: DayStatistics.self)
            if output.json { return try session.printer.json(.routineStatistics, reply.routines) }
            guard !reply.routines.isEmpty else {
                return session.printer.remark("nothing to show yet; a day begins with steward day")
            }
            var table = TextTable([
                .text(""), .text("ROUTINE"), .number("ON DAYS"), .number("ACTIONS DONE"),
                .number("MINUTES AS A RULE"),
            ])
            for one in reply.routines {
                table.add([
                    .init(one.emoji), .init(one.name), .init("\(one.days)"),
                    .init("\(one.actions)"), .init(one.minutes == 0 ? "" : "\(one.minutes)"),
                ])
            }
            session.printer.result("\(reply.from) to \(reply.until)")
            session.printer.table(table)
        }
    }
}

extension Session {
    /// The measured times of a person's actions, with those on offer first.
    ///
    /// - Parameter account: its id; empty for the person who asks.
    func measured(of account: String) throws -> [MeasuredAction] {
        try ask(.routine, ListMeasuredActions(person: account), for: MeasuredActions.self).actions
    }
}
