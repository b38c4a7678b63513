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
    }

    /// `steward carer add`
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Makes someone the carer of a person.")

        @OptionGroup var pair: Pair

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .account, AddCarer(carer: pair.carer, account: pair.account), for: Account.self)
            try pair.show(reply, "now cares for", session)
        }
    }

    /// `steward carer remove`
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Removes a carer.")

        @OptionGroup var pair: Pair

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .account, RemoveCarer(carer: pair.carer, account: pair.account), for: Account.self)
            try pair.show(reply, "no longer cares for", session)
        }
    }
}
