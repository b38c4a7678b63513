import ArgumentParser
import Bus
import Messages
import Speech
import Terminal

/// `steward organisation`
struct OrganisationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "organisation", abstract: "Organisations: each sees nothing of another.",
        subcommands: [List.self, Create.self, SignUp.self])

    /// `steward organisation list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the organisations that you may see.")

        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let organisations = try session.organisations()
            if output.json { return try session.printer.json(.organisations, organisations) }
            var table = TextTable([.id("ID"), .text("NAME"), .text("SITES"), .text("SIGN-UP")])
            for one in organisations {
                table.add([
                    .init(one.id), .init(one.name.printable), .init(String(one.sites.count)),
                    .init(one.signUpOpen ? "open" : "by invitation"),
                ])
            }
            session.printer.table(table)
        }
    }

    /// `steward organisation create`
    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Creates an organisation.")

        @Argument(help: "Its name.")
        var name: String
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .account, CreateOrganisation(name: name), for: Organisation.self,
                repeating: repeating)
            if output.json { return try session.printer.json(.organisations, [reply]) }
            session.printer.result(
                "\(reply.name.printable) is an organisation, with the id \(reply.id)")
        }
    }

    /// `steward organisation sign-up`
    struct SignUp: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-up", abstract: "Opens or closes sign-up without an invitation.")

        /// Who may sign up.
        enum Setting: String, ExpressibleByArgument, CaseIterable {
            case open, closed
        }

        @Argument(help: "open or closed.")
        var setting: Setting
        @Option(help: "Another organisation: its name or id.")
        var organisation: String?
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .account,
                SetSignUp(organisation: organisation ?? "", isOpen: setting == .open),
                for: Organisation.self)
            if output.json { return try session.printer.json(.organisations, [reply]) }
            session.printer.result(
                "\(reply.name.printable): sign-up is "
                    + (reply.signUpOpen ? "open to all" : "by invitation"))
        }
    }
}
