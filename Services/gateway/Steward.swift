import ArgumentParser
import Bus
import Foundation
import Papers
import Speech
import Terminal

/// The program `steward`: its commands, and how it ends.
@main struct Steward: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "steward",
        abstract: "Runs and uses Steward's services.",
        discussion: """
            Begin with “steward up” in one terminal; every other command uses the services that it \
            started.

            Results go to standard output, remarks to standard error. Exit codes: 0 done, 1 \
            refused, 64 wrong usage, 66 a file can't be read or written, 69 a service is not \
            running, 70 something is broken, 75 no answer came and the outcome is unknown, 130 \
            cancelled with Ctrl-C.

            Settings: STEWARD_DATA, STEWARD_BUS, STEWARD_KEYS, STEWARD_LOG; for mail STEWARD_SMTP, \
            STEWARD_SMTP_FROM, STEWARD_SMTP_PASSWORD_FILE; NO_COLOR turns colours off.

            Completions for your shell: steward --generate-completion-script bash|zsh|fish
            """,
        version: stewardVersion,
        groupedSubcommands: groups(for: CommandLine.arguments.dropFirst()))

    /// The commands that a command line may mean: the one that it begins with, or all of them if it
    /// begins with none. The argument parser examines all commands that it is given, which takes
    /// longer than most of them run.
    static func groups(for words: some Collection<String>) -> [CommandGroup] {
        let named = groups.lazy.flatMap(\.subcommands).first { $0._commandName == words.first }
        return named.map { [CommandGroup(name: "", subcommands: [$0])] } ?? groups
    }

    /// The command that a command line asks for.
    ///
    /// The command that the line names parses the rest of the line: from the root, the argument
    /// parser would examine the command's options once more just to find it. If the command
    /// doesn't accept the rest, or help is asked for, the line is parsed from the root, which knows
    /// the whole path.
    static func command(for words: [String]) throws -> any ParsableCommand {
        guard let leaf = leaf(of: words) else { return try parseAsRoot(words) }
        do {
            let command = try leaf.command.parseAsRoot(leaf.rest)
            if type(of: command) == leaf.command { return command }
        } catch { return try parseAsRoot(words) }
        return try parseAsRoot(words)
    }

    /// The command that a command line begins with, if it has no subcommands, and the words after
    /// it.
    static func leaf(
        of words: [String]
    ) -> (command: any ParsableCommand.Type, rest: [String])? {
        var command: any ParsableCommand.Type = Steward.self
        var rest = words[...]
        while let word = rest.first,
            let next = command.configuration.subcommands.first(where: { $0._commandName == word })
        {
            command = next
            rest = rest.dropFirst()
        }
        guard command.configuration.subcommands.isEmpty else { return nil }
        return (command: command, rest: Array(rest))
    }

    /// All commands, as the help shows them.
    private static let groups = [
        CommandGroup(name: "General", subcommands: general),
        CommandGroup(name: "Ride", subcommands: [TransitCommand.self]),
        CommandGroup(name: "Shift", subcommands: shifts),
        CommandGroup(name: "Floor plan", subcommands: [PlanCommand.self, CatalogueCommand.self]),
        CommandGroup(
            name: "Day",
            subcommands: [
                TodayCommand.self, DayCommand.self, RoutineCommand.self, ActionCommand.self,
            ]),
        CommandGroup(
            name: "Project",
            subcommands: [
                ProjectCommand.self, IssueCommand.self, TimeCommand.self, ScheduleCommand.self,
                GanttCommand.self, MeetCommand.self, RedmineCommand.self,
            ]),
        CommandGroup(name: "People and places", subcommands: people),
        CommandGroup(name: "Upkeep", subcommands: upkeep),
    ]

    /// The commands that concern every service.
    private static let general: [any ParsableCommand.Type] = [
        UpCommand.self, StatusCommand.self, AlertsCommand.self, MailCommand.self,
        VersionCommand.self,
    ]

    /// The commands for the shifts of a restaurant.
    private static let shifts: [any ParsableCommand.Type] = [
        ShiftCommand.self, ChecklistCommand.self, TodoCommand.self, TravelPathCommand.self,
        SalesCommand.self, EquipmentCommand.self, PartCommand.self, ArchiveCommand.self,
        StatisticsCommand.self, TemplateCommand.self, BoardCommand.self,
    ]

    /// The commands for people and sites.
    private static let people: [any ParsableCommand.Type] = [
        LoginCommand.self, LogoutCommand.self, WhoAmICommand.self, SessionsCommand.self,
        PasswordCommand.self, AccountCommand.self, UserCommand.self, RoleCommand.self,
        CarerCommand.self, OrganisationCommand.self, SiteCommand.self, WebCommand.self,
    ]

    /// The commands for whoever runs the machine.
    private static let upkeep: [any ParsableCommand.Type] = [
        DoctorCommand.self, BackupCommand.self, RestoreCommand.self, KeysCommand.self,
        JobsCommand.self, DeadLettersCommand.self, FollowersCommand.self, MetricsCommand.self,
    ]

    static func main() {
        Terminal.holdStandardFiles()
        let printer = Printer()
        do {
            let words = try Mistyped.words(arguments())
            if let shell = CompletionScript.shell(wantedBy: words) {
                return printer.result(CompletionScript.text(for: shell))
            }
            if words.first == CompletionScript.question {
                let names = CompletionScript.commands(below: words.dropFirst())
                return names.forEach { printer.result($0) }
            }
            if words.first == "help", let failure = Mistyped.failure(words) { throw failure }
            var command = try command(for: Mistyped.joiningNegatives(words))
            try command.run()
        } catch {
            end(error, printer)
        }
        // The reason was printed when it happened.
        if Printer.hasLostResult { Foundation.exit(Ending.broken.rawValue) }
    }

    /// The arguments as bytes: Swift's own list replaces what isn't UTF-8.
    private static func arguments() -> [[UInt8]] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            CommandLine.unsafeArgv[index].map {
                Array(
                    UnsafeBufferPointer(start: $0, count: strlen($0))
                        .map { UInt8(truncatingIfNeeded: $0) })
            }
        }
    }

    private static func paperFailure(_ error: any Error) -> Failure? {
        (error as? PaperError).map { Failure(.broken, "\($0)") }
    }

    private static func end(_ error: any Error, _ printer: Printer) -> Never {
        if let failure = Failure(error) ?? Self.paperFailure(error) {
            printer.failure(failure)
            Foundation.exit(failure.status.rawValue)
        }
        // An error of the argument parser itself: help, version, completions, or a wrong command
        // line.
        let code = exitCode(for: error)
        guard code == .validationFailure else { exit(withError: error) }
        let words = Array(CommandLine.arguments.dropFirst())
        if let failure = Mistyped.failure(words) {
            printer.failure(failure)
            Foundation.exit(failure.status.rawValue)
        }
        let text = fullMessage(for: error).withShortLines
        printer.remark(text.hasPrefix("Error: ") ? "steward: " + text.dropFirst(7) : text)
        let advice = Mistyped.quoting(words, text) ?? Mistyped.dating(text)
        if let advice { printer.remark("  " + advice) }
        Foundation.exit(Ending.usage.rawValue)
    }
}
