import ArgumentParser
import Bus
import Messages
import Speech
import Terminal

/// `steward user`
struct UserCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "People and their accounts.",
        subcommands: [
            List.self, Invite.self, SignUp.self, Disable.self, Enable.self, Reset.self, Audit.self,
        ])

    /// `steward user list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the users of your organisation that you may see.")

        @Option(
            help: "Only those with a role at this site: its id or name.", completion: Offered.sites)
        var site: String?
        @Option(help: "Another organisation: its name or id.")
        var organisation: String?
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let accounts = try session.accounts(
                ListAccounts(site: site ?? "", organisation: organisation ?? ""))
            if output.json { return try session.printer.json(.accounts, accounts) }
            guard !accounts.isEmpty else { return session.printer.remark("there are none") }
            let names = try SiteNames(session)
            var table = TextTable([.text("NAME"), .text("CALLED"), .text("ROLES"), .text("STATE")])
            for account in accounts {
                table.add([
                    .init(account.name.printable), .init(account.displayName.printable),
                    .init(account.grants.map(names.line).joined(separator: ", ")),
                    .init(account.isDisabled ? "disabled" : "", .dim),
                ])
            }
            session.printer.table(table)
        }
    }

    /// `steward user invite`
    struct Invite: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "invite",
            abstract: "Makes a code for one person to sign up with, within 7 days.")

        @Option(help: "A role to start with; see steward role grant.")
        var role: RoleArgument?
        @OptionGroup var place: PlaceOptions
        @Option(help: "Another organisation: its name or id.")
        var organisation: String?
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let grants = role.map { [place.grant($0)] } ?? []
            let reply = try session.ask(
                .account, Messages.Invite(organisation: organisation ?? "", grants: grants),
                for: Invitation.self)
            try UserCommand.show(
                reply.code, until: reply.expires, reply, .invitations, session, output)
        }
    }

    /// `steward user sign-up`
    struct SignUp: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-up", abstract: "Creates your account.",
            discussion: """
                Asks for the code of your invitation, unless sign-up is open, and for a password.
                """)

        @Argument(help: "The name to log in with: an e-mail address or a word.")
        var name: String
        @Option(help: "What people call you.")
        var called: String?
        @Option(help: "Your e-mail address, with which you can log in too.")
        var email: String?
        @Flag(help: "You have no invitation: sign-up is open.")
        var open = false
        @Option(help: "The organisation that is open: its name or id.")
        var organisation: String?
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let code = open ? "" : try PasswordPrompt.ask("Invitation", session.printer)
            let password = try PasswordPrompt.askNew(session.printer)
            let account = try Client(session.connection, to: .account).ask(
                Messages.SignUp(
                    name: name, password: password, displayName: called ?? "", invitation: code,
                    organisation: organisation ?? "", email: email ?? ""),
                for: Account.self)
            if output.json { return try session.printer.json(.accounts, [account]) }
            session.printer.result("\(account.name.printable) has an account")
            session.printer.remark("log in: steward login \(account.name.printable.asWord)")
        }
    }

    /// `steward user disable`
    struct Disable: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable",
            abstract: "Disables an account and ends its sessions.")

        @OptionGroup var target: UserTarget

        func run() throws { try target.set(isDisabled: true) }
    }

    /// `steward user enable`
    struct Enable: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "enable",
            abstract: "Lets an account log in again.")

        @OptionGroup var target: UserTarget

        func run() throws { try target.set(isDisabled: false) }
    }

    /// `steward user reset`
    struct Reset: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset",
            abstract: "Makes a code that replaces a forgotten password, once.",
            discussion: "The old password and all sessions of the account end.")

        @OptionGroup var target: UserTarget

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .account, ResetPassword(account: target.account), for: ResetCode.self)
            try UserCommand.show(
                reply.code, until: reply.expires, reply, .resetCodes, session, target.output)
        }
    }

    /// `steward user audit`
    struct Audit: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "audit",
            abstract: "Shows who granted what to whom, and failed log-ins; newest first.")

        @Option(help: "Only entries before this number.")
        var before: UInt64 = 0
        @Option(help: "The maximum number of entries, up to 500.")
        var limit: UInt32 = 50
        @OptionGroup var output: OutputOptions

        func validate() throws { try ListLimit.validate(limit, most: 500) }

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                .account, ReadAudit(before: before, limit: limit), for: Messages.Audit.self)
            guard !output.json else {
                return try session.printer.json(
                    .auditEntries, reply.entries, beside: ["next": reply.next])
            }
            let names = try UserCommand.names(session)
            let sites = try SiteNames(session)
            let clock = try session.siteClock
            var table = TextTable([
                .id("NO"), .time(clock.title("TIME", of: reply.entries.map(\.time))),
                .text("WHO"), .text("WHAT"), .text("WHOM"), .text("DETAIL"),
            ])
            for entry in reply.entries {
                table.add([
                    .init(String(entry.number)), .init(clock.moment(entry.time)),
                    .init(names[entry.actor] ?? entry.actor), .init(entry.action),
                    .init(names[entry.subject] ?? entry.subject),
                    .init(
                        Self.detail(entry, accounts: names, sites)
                            + (entry.count > 1 ? " ×\(entry.count)" : "")),
                ])
            }
            session.printer.table(table)
            if reply.next > 0 {
                session.printer.remark("more: steward user audit --before \(reply.next)")
            }
        }

        /// The detail of an entry, with names instead of ids.
        ///
        /// - Parameters:
        ///   - entry: the entry.
        ///   - accounts: the names of accounts, by id.
        ///   - sites: the names of sites and organisations.
        static func detail(
            _ entry: Messages.Audit.Entry, accounts: [String: String], _ sites: SiteNames
        ) -> String {
            switch AuditAction(rawValue: entry.action) {
            case .carerAdded, .carerProposed, .carerAssigned, .carerRemoved:
                accounts[entry.detail] ?? entry.detail
            case .organisationCreated, .signUpOpened, .signUpClosed:
                sites.organisation(entry.detail)
            default: sites.naming(in: entry.detail)
            }
        }
    }

    /// The names of the users that the person may see, by id.
    static func names(_ session: Session) throws -> [String: String] {
        Dictionary(try session.accounts().map { ($0.id, $0.name.printable) }) { first, _ in first }
    }

    private static func show(
        _ code: String, until expires: Int64, _ reply: some ProtobufMessage, _ list: ListName,
        _ session: Session, _ output: OutputOptions
    ) throws {
        if output.json { return try session.printer.json(list, [reply]) }
        session.printer.result(code)
        session.printer.remark("good once, until \(try session.siteClock.fullMoment(expires))")
    }
}

/// The user that a command is about.
struct UserTarget: ParsableArguments {
    @Argument(help: "The user's name or id.")
    var account: String
    @OptionGroup var output: OutputOptions

    func set(isDisabled: Bool) throws {
        let session = try Session()
        let reply = try session.ask(
            .account, SetAccountDisabled(account: account, isDisabled: isDisabled),
            for: Account.self)
        if output.json { return try session.printer.json(.accounts, [reply]) }
        session.printer.result("\(reply.name.printable) is \(isDisabled ? "disabled" : "enabled")")
        if isDisabled { reply.remarkOnLeaving(session, output) }
    }
}
