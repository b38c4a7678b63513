import ArgumentParser
import Bus
import Messages
import Speech
import Terminal

/// A role as it is typed: `shift-manager`.
struct RoleArgument: ExpressibleByArgument, CaseIterable, Hashable {
    /// The role.
    let role: Role

    private static let words: [(word: String, role: Role)] = [
        ("display", .display), ("crew", .crew), ("shift-manager", .shiftManager),
        ("site-manager", .siteManager), ("supervisor", .supervisor),
        ("administrator", .administrator), ("owner", .owner),
    ]

    static let allCases = words.map { RoleArgument(role: $0.role) }
    static let allValueStrings = words.map(\.word)

    init(role: Role) { self.role = role }

    init?(argument: String) {
        guard let found = Self.words.first(where: { $0.word == argument }) else { return nil }
        role = found.role
    }

    /// The word to type for a role.
    static func word(_ role: Role) -> String {
        words.first { $0.role == role }?.word ?? role.description
    }

    /// The default as the help shows it.
    var defaultValueDescription: String { Self.word(role) }
}

/// Where a role applies.
struct PlaceOptions: ParsableArguments {
    @Option(
        help: "The site where it applies: its id or name. Default: every site.",
        completion: Offered.sites)
    var site: String?
    @Option(help: "The area of the site. Default: every area.", completion: Offered.areas)
    var area: String?

    func validate() throws {
        if area != nil, site == nil { throw ValidationError("an area needs its --site") }
    }

    /// The role at this place.
    func grant(_ role: RoleArgument) -> Grant {
        Grant(role: role.role, site: site ?? "", area: area ?? "")
    }
}

/// The names of the sites whose ids are in roles.
struct SiteNames {
    private let names: [String: String]
    private let organisations: [String: String]

    /// The names of the sites of organisations, and of these.
    init(of organisations: [Organisation]) {
        names = Dictionary(organisations.flatMap(\.sites).map { ($0.id, $0.name) }) { first, _ in
            first
        }
        self.organisations = Dictionary(organisations.map { ($0.id, $0.name) }) { first, _ in
            first
        }
    }

    /// Asks account-service for the sites that the person may see.
    init(_ session: Session) throws {
        var known: [Organisation] = []
        // Someone who logged in with a code may not ask yet, so the ids must suffice.
        do { known = try session.organisations() } catch ClientError.refused {}
        self.init(of: known)
    }

    /// Asks account-service for the names of sites unless all of these ids are empty.
    init(_ session: Session, of ids: [String]) throws {
        if ids.allSatisfy(\.isEmpty) { self.init(of: []) } else { try self.init(session) }
    }

    /// The name of an organisation, or its id if the name is unknown.
    func organisation(_ id: String) -> String { (organisations[id] ?? id).printable }

    /// The name of a site, or its id if the name is unknown.
    func name(_ id: String) -> String { (names[id] ?? id).printable }

    /// A text with the names of sites instead of their ids.
    func naming(in text: String) -> String {
        names.reduce(text) { $0.replacing($1.key, with: $1.value) }.printable
    }

    /// A role and where it applies, as one line.
    func line(_ grant: Grant) -> String {
        var line = RoleArgument.word(grant.role)
        if !grant.site.isEmpty { line += " at \(name(grant.site))" }
        if !grant.area.isEmpty { line += ", \(grant.area.printable)" }
        return line
    }
}

/// `steward role`
struct RoleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "role", abstract: "What people may do, and where.",
        subcommands: [GrantTo.self, RevokeFrom.self, List.self])

    /// A user, a role, and where it applies.
    struct GrantOptions: ParsableArguments {
        @OptionGroup var target: UserTarget
        @Argument(help: "The role.")
        var role: RoleArgument
        @OptionGroup var place: PlaceOptions

        /// Sends the command for the account and the role, and prints the roles that result.
        ///
        /// - Parameter isLeaving: whether to say what else somebody without a role loses.
        func ask(
            isLeaving: Bool = false, _ command: (String, Grant) -> some ProtobufMessage
        ) throws {
            let session = try Session()
            let reply = try session.ask(
                .account, command(target.account, place.grant(role)), for: Account.self)
            try RoleCommand.show(reply, session, target.output)
            if isLeaving { reply.remarkOnLeaving(session, target.output) }
        }
    }

    /// `steward role grant`
    struct GrantTo: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "grant", abstract: "Gives a user a role.")

        @OptionGroup var options: GrantOptions

        func run() throws { try options.ask { GrantRole(account: $0, grant: $1) } }
    }

    /// `steward role revoke`
    struct RevokeFrom: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Revokes a user's role.",
            discussion: """
                With their last role, people also lose their log-ins at Redmine servers: grant a \
                new role first.
                """)

        @OptionGroup var options: GrantOptions

        func run() throws {
            try options.ask(isLeaving: true) { RevokeRole(account: $0, grant: $1) }
        }
    }

    /// `steward role list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists who may do what, as far as you may see it.")

        @Option(help: "Only roles at this site: its id or name.", completion: Offered.sites)
        var site: String?
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let accounts = try session.accounts(ListAccounts(site: site ?? ""))
            if output.json { return try session.printer.json(.accounts, accounts) }
            let names = try SiteNames(session)
            var table = TextTable([.text("NAME"), .text("ROLE"), .text("SITE"), .text("AREA")])
            for account in accounts {
                for grant in account.grants {
                    table.add([
                        .init(account.name.printable), .init(RoleArgument.word(grant.role)),
                        .init(names.name(grant.site)), .init(grant.area.printable),
                    ])
                }
            }
            session.printer.table(table)
        }
    }

    fileprivate static func show(
        _ account: Account, _ session: Session, _ output: OutputOptions
    ) throws {
        if output.json { return try session.printer.json(.accounts, [account]) }
        let names = try SiteNames(session)
        let roles = account.grants.map(names.line).joined(separator: ", ")
        session.printer.result(
            "\(account.name.printable): \(roles.isEmpty ? "no role" : roles)")
    }
}

extension Account {
    /// Says what else is deleted if somebody can no longer open any project.
    func remarkOnLeaving(_ session: Session, _ output: OutputOptions) {
        let isLeaving = isDisabled || grants.allSatisfy { $0.role == .display }
        guard isLeaving, !output.json else { return }
        session.printer.remark(
            "log-ins of \(name.printable) at Redmine servers are deleted with their keys, and the "
                + "mirrors that use them stop; somebody else can take these over: steward redmine "
                + "link")
    }
}
