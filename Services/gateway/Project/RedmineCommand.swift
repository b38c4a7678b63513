import ArgumentParser
import Bus
import Foundation
import Messages
import Speech
import Terminal

/// `steward redmine`
struct RedmineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redmine",
        abstract: "Mirrors projects of a Redmine server.",
        discussion: """
              steward redmine login https://redmine.example.org
              steward redmine projects
              steward redmine link kitchen

            From then on, a change on either side is made on the other, even if the server can't \
            be reached for a while. If both sides change the same field, both values are kept \
            until you decide: steward redmine status, then settle.
            """,
        subcommands: [
            LogIn.self, LogOut.self, Projects.self, Link.self, Unlink.self, Sync.self,
            Status.self, Settle.self,
        ], defaultSubcommand: Status.self)

    /// `steward redmine login`
    struct LogIn: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "login", abstract: "Logs in at a Redmine server.",
            discussion: """
                You are asked for your API key, which the server shows under “My account”, or with \
                --user for your password, which isn't kept. The key is kept encrypted.
                """)

        @Argument(help: "The address of the server, e.g. https://redmine.example.org.")
        var server: String
        @Option(help: "Your name there, to log in with your password.")
        var user: String?
        @Flag(help: "Allow a connection that others on the network can read.")
        var unencrypted = false
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let secret = try PasswordPrompt.ask(
                user == nil ? "API key" : "Password", session.printer)
            session.printer.remark("asking \(server.printable) …")
            let logIn = try session.askProject(
                LogInToRedmine(
                    server: server, user: user ?? "", secret: secret, unencrypted: unencrypted),
                for: RedmineLogIn.self, deadline: .seconds(150))
            if output.json { return try session.printer.json(.redmineLogIns, [logIn]) }
            session.printer.result("logged in at \(logIn.server) as \(logIn.login)".printable)
        }
    }

    /// `steward redmine logout`
    struct LogOut: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "logout",
            abstract: "Logs out of a Redmine server; the key is forgotten. Projects stay.")

        @Argument(help: "The server, if you are logged in at several.")
        var server = ""
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let logIn = try session.askProject(
                LogOutOfRedmine(logIn: server), for: RedmineLogIn.self)
            if output.json { return try session.printer.json(.redmineLogIns, [logIn]) }
            session.printer.result("logged out of \(logIn.server)".printable)
        }
    }

    /// `steward redmine projects`
    struct Projects: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "projects",
            abstract: "Lists the projects of a Redmine server.")

        @Option(help: "The server, if you are logged in at several.")
        var server = ""
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let found = try session.askProject(
                ListRedmineProjects(logIn: server), for: RedmineProjects.self,
                deadline: .seconds(150))
            if output.json {
                return try session.printer.json(
                    .redmineProjects, found.projects, beside: ["more": found.more])
            }
            var table = TextTable([.id("IDENTIFIER"), .text("NAME")])
            for project in found.projects {
                table.add([.init(project.identifier), .init(project.name)])
            }
            session.printer.table(table)
            if found.more {
                session.printer.remark(
                    "the server has more; steward redmine link also finds those by their "
                        + "identifiers")
            }
        }
    }

    /// `steward redmine link`
    struct Link: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "link",
            abstract: "Makes a project that mirrors one of a Redmine server, and uses it.",
            discussion: """
                It gets the name and the identifier that it has there; a name that is changed \
                later on one side is changed on the other too.

                If a project mirrors it already, but whoever had logged in at the server has left \
                or logged out, that project is mirrored again, with your log-in.
                """)

        @Argument(help: "The identifier of the project there.")
        var remote: String
        @Option(help: "The server, if you are logged in at several.")
        var server = ""
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let link = try session.askProject(
                LinkRedmine(logIn: server, remote: remote), for: RedmineLink.self,
                deadline: .seconds(150))
            if let project = link.project {
                try session.keptProject.keep(id: project.id, name: project.name)
            }
            try RedmineRound.wait(link, session, output)
        }
    }

    /// `steward redmine unlink`
    struct Unlink: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unlink",
            abstract: "Ends the mirror of a project. The project stays, here and there.")

        @OptionGroup var target: ProjectOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let link = try session.askProject(
                UnlinkRedmine(project: try target.project(session)), for: RedmineLink.self)
            if output.json { return try session.printer.json(.redmineLinks, [link]) }
            let name = link.project?.identifier ?? ""
            session.printer.result("\(name) no longer mirrors \(link.identifier)".printable)
        }
    }

    /// `steward redmine sync`
    struct Sync: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sync",
            abstract: "Synchronizes both sides now, and waits for the result.")

        @Flag(help: "Read everything, not only what the server says was changed.")
        var everything = false
        @OptionGroup var target: ProjectOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let link = try session.askProject(
                SyncRedmine(project: try target.project(session), everything: everything),
                for: RedmineLink.self)
            try RedmineRound.wait(link, session, output)
        }
    }

    /// `steward redmine status`
    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Shows the mirrors, what waits, and the conflicts between both sides.")

        @Option(
            name: [.long, .customShort("p")], help: "Only this project.",
            completion: Offered.projects)
        var project = ""
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let links = try all(session)
            if output.json { return try session.printer.json(.redmineLinks, links) }
            guard !links.isEmpty else {
                return session.printer.remark(
                    "no project mirrors one of a Redmine server; see steward redmine --help")
            }
            let clock = try session.siteClock
            for link in links {
                for line in RedmineRound.lines(of: link, clock) { session.printer.result(line) }
            }
        }

        /// All mirrors, from as many answers as that takes.
        private func all(_ session: Session) throws -> [RedmineLink] {
            var links: [RedmineLink] = []
            var after = ""
            repeat {
                let page = try session.askProject(
                    ListRedmineLinks(project: project, after: after), for: RedmineLinks.self)
                links += page.links
                after = page.next
            } while !after.isEmpty
            return links
        }
    }

    /// `steward redmine settle`
    struct Settle: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "settle",
            abstract: "Settles a conflict by choosing whose value counts.",
            discussion: "  steward redmine settle 12 due --ours")

        /// Whose value counts.
        enum Side: String, EnumerableFlag {
            case ours
            case theirs

            static func help(for side: Side) -> ArgumentHelp? {
                side == .ours ? "Keep the value here." : "Keep the value there."
            }
        }

        @Argument(help: "The number of the issue; 0 for the project itself and its versions.")
        var issue: DisputedArgument
        @Argument(help: "The field; all if none is named.")
        var field = ""
        @Flag
        var side: Side
        @OptionGroup var target: ProjectOption
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let link = try session.askProject(
                SettleRedmine(
                    project: try target.project(session), issue: issue.number, field: field,
                    theirs: side == .theirs), for: RedmineLink.self)
            try RedmineRound.wait(link, session, output)
        }
    }
}

/// The conflict: the number of an issue, or 0.
struct DisputedArgument: ExpressibleByArgument, Hashable {
    let number: UInt32

    init?(argument: String) {
        guard let number = argument == "0" ? 0 : IssueArgument(argument: argument)?.number else {
            return nil
        }
        self.number = number
    }
}

/// Waits until a mirror is idle, and prints its state.
enum RedmineRound {
    /// How often to ask the service, milliseconds.
    private static let interval: Int32 = 100

    static func wait(_ begun: RedmineLink, _ session: Session, _ output: OutputOptions) throws {
        Interruption.watch()
        var link = begun
        defer { session.printer.endLive() }
        while link.busy, link.failure.isEmpty || link.failure == begun.failure {
            session.printer.live("\(link.issues) issues are on both sides …")
            guard !Interruption.isWanted else {
                throw Failure(
                    .unknownOutcome, "it continues without you",
                    advice: "see the result: steward redmine status")
            }
            poll(nil, 0, interval)
            link =
                try session.askProject(
                    ListRedmineLinks(project: begun.project?.id ?? ""), for: RedmineLinks.self
                ).links.first ?? link
        }
        session.printer.endLive()
        if output.json { return try session.printer.json(.redmineLinks, [link]) }
        for line in lines(of: link, try session.siteClock) { session.printer.result(line) }
        guard link.failure.isEmpty else {
            throw Failure(
                .refused, link.failure,
                advice: "nothing is lost: what waits is sent when it works again")
        }
    }

    /// The state of a mirror, in words.
    static func lines(of link: RedmineLink, _ clock: SiteClock) -> [String] {
        let name = link.project?.identifier ?? ""
        let server = link.server.isEmpty ? "a server without a log-in" : link.server
        let login = link.login.isEmpty ? "" : " as \(link.login)"
        var lines = ["\(name) mirrors \(link.identifier) of \(server)\(login)"]
        var state = "\(Wording.count(link.issues, "issue")) on both sides"
        if link.waiting > 0 { state += ", \(Wording.count(link.waiting, "change")) to be sent" }
        state +=
            link.synced == 0 ? ", never the same yet" : ", the same at \(clock.moment(link.synced))"
        lines.append("  \(state)")
        if !link.failure.isEmpty { lines.append("  it fails: \(link.failure)") }
        for one in link.conflicts.prefix(50) {
            let there = one.remote > 0 && one.remote != one.issue ? " (#\(one.remote) there)" : ""
            let reason = one.reason.isEmpty ? "" : "; \(one.reason)"
            let what = one.issue > 0 ? "#\(one.issue)\(there) \(one.field)" : one.field
            lines.append(
                "  \(what): here “\(one.ours)”, there “\(one.theirs)”"
                    + reason)
        }
        if link.conflicts.count > 50 {
            lines.append("  and \(link.conflicts.count - 50) more; see them with --json")
        }
        if link.moreConflicts > 0 {
            let more = Wording.count(link.moreConflicts, "more conflict")
            lines.append("  \(more): too many for one answer; settle others first")
        }
        let shown = link.skipped.prefix(20)
        for text in shown { lines.append("  left out: \(text)") }
        if shown.count < link.skipped.count {
            lines.append(
                "  left out: \(link.skipped.count - shown.count) more; see them with --json")
        }
        if link.moreSkipped { lines.append("  left out: perhaps more, which are not listed") }
        return lines.map(\.printable)
    }
}
