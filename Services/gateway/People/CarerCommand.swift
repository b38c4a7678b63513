import ArgumentParser
import Bus
import Messages
import Speech

/// `steward carer`
struct CarerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "carer", abstract: "Manages carers, who act for another person.",
        subcommands: [Add.self, Remove.self])

    /// The two people that a command is about.
    struct Pair: ParsableArguments {
        @Argument(help: "The carer: name or id.")
        var carer: String
        @Argument(help: "The person cared for: name or id.")
        var account: String
        @OptionGroup var output: OutputOptions

        func show(_ reply: Account, _ words: String, _ session: Session) throws {
            if output.json { return try session.printer.json(.accounts, [reply]) }
            session.printer.result("\(reply.name.printable) \(words) \(account.printable)")
        }

        /// True if a carer waits for the person to agree.
        func isProposed(_ carer: Account, _ session: Session) throws -> Bool {
            let query = ListAccounts(organisation: carer.organisation)
            let person = try session.accounts(query).first {
                $0.id == account || $0.name.lowercased() == account.lowercased()
            }
            return person.map { !carer.caresFor.contains($0.id) } ?? false
        }
    }

    /// `steward carer add`
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Makes someone your carer, or proposes that to another person.",
            discussion: """
                A carer sees your routines and days. If somebody else names a carer, you decide: \
                steward whoami lists who is proposed. Agree with the same command, or decline with \
                steward carer remove.
                """)

        @OptionGroup var pair: Pair

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .account, AddCarer(carer: pair.carer, account: pair.account), for: Account.self)
            let waits = try !pair.output.json && pair.isProposed(reply, session)
            try pair.show(reply, waits ? "is proposed as carer to" : "now cares for", session)
            guard waits else { return }
            let words = "\(pair.carer.printable.asWord) \(pair.account.printable.asWord)"
            session.printer.remark("they agree with: steward carer add \(words)")
        }
    }

    /// `steward carer remove`
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Removes a carer, or declines one.")

        @OptionGroup var pair: Pair

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .account, RemoveCarer(carer: pair.carer, account: pair.account), for: Account.self)
            try pair.show(reply, "no longer cares for", session)
        }
    }
}
