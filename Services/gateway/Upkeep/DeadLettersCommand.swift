import ArgumentParser
import Bus
import Messages
import Speech
import Terminal

/// `steward dead-letters`
struct DeadLettersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dead-letters",
        abstract: "Shows what services had to put aside, and retries or drops it.",
        subcommands: [List.self, Retry.self, Drop.self], defaultSubcommand: List.self)

    /// `steward dead-letters list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists what was put aside in every running service.")

        @Option(help: "Only this service.")
        var service: ServiceName?
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let services = service.map { [$0] } ?? ServiceName.allCases
            var letters: [String: DeadLetters] = [:]
            var unread: [String] = []
            for name in services {
                do {
                    letters[name.rawValue] = try session.ask(
                        name, ListDeadLetters(), for: DeadLetters.self)
                } catch ClientError.notRunning(let missing) where service == nil {
                    session.printer.remark("steward: \(missing.rawValue) is not running")
                } catch let error where service == nil && Self.isOfOne(error) {
                    session.printer.remark("steward: \(name.rawValue): \("\(error)".printable)")
                    unread.append(name.rawValue)
                }
            }
            try show(letters, session)
            guard unread.isEmpty else {
                throw Failure(
                    .broken, "the letters of \(unread.listed) can't be read",
                    advice: "see what is wrong there: steward doctor")
            }
        }

        /// True if an error is about one service, and the others may answer.
        private static func isOfOne(_ error: any Error) -> Bool {
            switch error {
            case ClientError.refused: false
            case is ClientError, is ProtobufError, is ConfigurationError: true
            default: false
            }
        }

        private func show(_ letters: [String: DeadLetters], _ session: Session) throws {
            // That is as many as a service lists.
            let full = letters.filter { $0.value.letters.count >= 200 }.keys.sorted()
            if output.json {
                let all = letters.sorted { $0.key < $1.key }.flatMap { name, list in
                    list.letters.map { Extended($0, ["service": name, "id": "\($0.id)"]) }
                }
                return try session.printer.json(
                    .deadLetters, all, beside: ["more": !full.isEmpty])
            }
            for name in full {
                session.printer.remark(
                    "only the oldest of \(name) are listed; there may be others, which follow once "
                        + "these are retried or dropped")
            }
            let clock = try session.siteClock
            let times = letters.values.flatMap { $0.letters.map(\.time) }
            var table = TextTable([
                .text("SERVICE"), .number("ID"), .time(clock.title("PUT ASIDE", of: times)),
                .text("FROM"), .number("EVENT"), .text("TYPE"), .text("REASON"),
            ])
            for (name, list) in letters.sorted(by: { $0.key < $1.key }) {
                for letter in list.letters {
                    table.add([
                        .init(name), "\(letter.id)", .init(clock.moment(letter.time)),
                        .init(letter.producer), "\(letter.sequence)", .init(letter.type),
                        .init(letter.reason),
                    ])
                }
            }
            if table.rows.isEmpty {
                let isWhole = letters.count == ServiceName.allCases.count || service != nil
                session.printer.remark(
                    isWhole
                        ? "there are no dead letters"
                        : "there are no dead letters in the services that answered")
            } else {
                session.printer.table(table)
            }
        }
    }

    /// `steward dead-letters retry`
    struct Retry: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retry", abstract: "Applies a letter again.")

        @OptionGroup var letter: LetterArguments
        @Flag(help: "Apply it even if a newer event about the same subject was applied.")
        var evenIfOlder = false
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let done = try session.ask(
                letter.service,
                RetryDeadLetter(id: letter.number, evenIfOlder: evenIfOlder),
                for: DeadLetterRetried.self,
                repeating: repeating)
            if output.json { return try letter.printJSON(session.printer) }
            session.printer.remark("letter \(done.id) was applied")
        }
    }

    /// `steward dead-letters drop`
    struct Drop: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "drop", abstract: "Drops a letter for good.")

        @OptionGroup var letter: LetterArguments
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let done = try session.ask(
                letter.service, DropDeadLetter(id: letter.number), for: DeadLetterDropped.self,
                repeating: repeating)
            if output.json { return try letter.printJSON(session.printer) }
            session.printer.remark("letter \(done.id) was dropped")
        }
    }
}

/// The dead letter that a command is about.
struct LetterArguments: ParsableArguments {
    @Argument(help: "The letter's number, as listed.")
    var number: UInt64
    @Option(help: "The service that has it.")
    var service: ServiceName = .notifier

    /// Prints the letter's ids as JSON.
    func printJSON(_ printer: Printer) throws {
        try printer.json(.deadLetters, [["id": "\(number)", "service": service.rawValue]])
    }
}

extension ServiceName: ExpressibleByArgument {}
