import ArgumentParser
import Bus
import Foundation
import Messages

/// `steward login`
struct LoginCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Logs you in on this machine.",
        discussion: """
            The password is asked for at the terminal, or read as a line of standard input; never \
            from the command line. On a bus of this machine alone no log-in is needed: without one \
            you are its owner.

            One works at one site at a time. Who has several is asked for it at a terminal; \
            steward site use changes it.
            """)

    @Argument(help: "The name of your account, or its e-mail address.")
    var name: String?
    @Option(help: "What the session is called in lists. Default: the name of this machine.")
    var device: String?
    @Option(help: "The site where you work now: its name or id.")
    var site: String?
    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try Session()
        let name = try name ?? PasswordPrompt.askOpenly("Name", session.printer)
        let password = try PasswordPrompt.ask("Password", session.printer)
        let before = try session.keptLogIn.entry()
        let reply = try Client(session.connection, to: .account).ask(
            LogIn(name: name, password: password, device: device ?? Self.machine()),
            for: LoggedIn.self)
        let account = reply.account ?? Account()
        try session.keptLogIn.keep(
            KeptLogIn.Entry(
                name: account.name, session: reply.session, refreshToken: Data(reply.refreshToken)))
        do {
            if !reply.mustChangePassword { try chooseSite(session) }
        } catch {
            // Who can't work where they want to is not logged in at all, and stays who they were.
            try LogoutCommand.endKept(session)
            try session.keptLogIn.keep(before)
            throw error
        }
        if let before { try Self.end(before, session) }
        let place = try session.keptSite.chosen().map { " at \($0.name.printable)" } ?? ""
        if output.json {
            try session.printer.json(account)
        } else {
            session.printer.result("logged in as \(account.displayName.printable)\(place)")
        }
        if reply.mustChangePassword {
            try Self.replace(password, session)
            if site != nil { session.printer.remark("then choose your site: steward site use") }
        }
    }

    /// Who came in with a code needs a password at once; a script gives it by a command of its own.
    private static func replace(_ code: String, _ session: Session) throws {
        guard isatty(STDIN_FILENO) == 1 else {
            return session.printer.remark("set a password of your own now: steward passwd")
        }
        session.printer.remark("set a password of your own:")
        let new = try PasswordPrompt.askNew(session.printer)
        _ = try session.ask(.account, ChangePassword(present: code, new: new), for: Account.self)
        // The access tokens of before count no more.
        try session.keptLogIn.expireTokens()
        session.printer.result("the password is set")
    }

    /// Keeps the site that is named, or the only one, or the one that is asked for.
    private func chooseSite(_ session: Session) throws {
        let yours = try YourSites(session)
        if let site { return try session.keptSite.keep(try yours.named(site)) }
        guard yours.sites.count > 1 else { return try session.keptSite.keep(yours.sites.first) }
        guard isatty(STDIN_FILENO) == 1 else {
            return session.printer.remark("you have several sites; choose: steward site use")
        }
        session.printer.remark("your sites:")
        for one in yours.sites { session.printer.remark("  \(one.name.printable)") }
        while true {
            let typed = try PasswordPrompt.askOpenly("Site", session.printer)
            do { return try session.keptSite.keep(try yours.named(typed)) } catch let failure
                as Failure
            { session.printer.failure(failure) }
        }
    }

    /// Ends the session that was kept before.
    private static func end(_ before: KeptLogIn.Entry, _ session: Session) throws {
        let now = try session.keptLogIn.entry()
        try session.keptLogIn.keep(before)
        try LogoutCommand.endKept(session)
        try session.keptLogIn.keep(now)
    }

    private static func machine() -> String {
        var text = [CChar](repeating: 0, count: 65)
        guard gethostname(&text, 64) == 0 else { return "" }
        return String(
            decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// `steward logout`
struct LogoutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Ends your session here, another one, or all of them.")

    @Argument(help: "The id of a session, or its beginning; without it the one of this machine.")
    var id: String?
    @Flag(help: "End all sessions of your account.")
    var everywhere = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if id != nil, everywhere {
            throw ValidationError("name a session or say --everywhere, not both")
        }
    }

    func run() throws {
        let session = try Session()
        let entry = try session.keptLogIn.entry()
        guard entry != nil || everywhere || id != nil else {
            throw Failure(.refused, "you are not logged in", advice: "log in: steward login NAME")
        }
        var ended = LoggedOut(sessions: 1)
        do {
            ended = try session.ask(
                .account, LogOut(session: id ?? entry?.session ?? "", everywhere: everywhere),
                for: LoggedOut.self)
        } catch let failure as Failure where failure.status == .refused && id == nil {
            // It was over already.
            ended = LoggedOut()
        } catch ClientError.refused where id == nil && !everywhere {
            // The same, and an access token is still here.
            ended = LoggedOut()
        }
        let isThis = id.map { entry?.session.hasPrefix($0) ?? false } ?? true
        if isThis, entry != nil { try session.keptLogIn.keep(nil) }
        if output.json { return try session.printer.json(ended) }
        session.printer.result(
            everywhere
                ? "logged out everywhere: \(Wording.count(ended.sessions, "session"))"
                : "logged out")
    }

    /// Ends the session of this machine, as far as the service can be told.
    static func endKept(_ session: Session) throws {
        do {
            _ = try session.ask(.account, LogOut(), for: LoggedOut.self)
        } catch is ClientError {
            // It was over already, or is forgotten in 90 days.
        } catch is Failure {
            // The same, seen earlier.
        }
    }
}

/// `steward whoami`
struct WhoAmICommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami", abstract: "Tells who you are and what you may do.")

    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try Session()
        let account = try session.ask(.account, WhoAmI(), for: Account.self)
        let site = try session.keptSite.chosen()
        guard !output.json else {
            return try session.printer.json(Report(account: account, site: site))
        }
        session.printer.result("\(account.name.printable) (\(account.displayName.printable))")
        if !account.email.isEmpty { session.printer.result("  \(account.email.printable)") }
        let names = try SiteNames(session)
        for grant in account.grants { session.printer.result("  \(names.line(grant))") }
        let known = account.caresFor.isEmpty ? [:] : try UserCommand.names(session)
        for other in account.caresFor {
            session.printer.result("  cares for \(known[other] ?? other)")
        }
        if let site {
            session.printer.result("  works at \(site.name.printable) now")
        }
        if try session.keptLogIn.entry() == nil {
            session.printer.remark("without a log-in you are the owner of this machine")
        }
    }

    /// The fields of the account, and beside them the site where one works now.
    private struct Report: Encodable {
        let account: Account
        let site: ChosenSite?

        private enum CodingKeys: CodingKey { case site }

        func encode(to encoder: any Encoder) throws {
            try account.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(site, forKey: .site)
        }
    }
}

/// `steward sessions`
struct SessionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "Lists where you are logged in.")

    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try Session()
        let reply = try session.ask(.account, ListSessions(), for: Sessions.self)
        if output.json { return try session.printer.json(reply) }
        guard !reply.sessions.isEmpty else {
            return session.printer.remark("you are logged in nowhere")
        }
        let length = AlertLine.idLength(telling: reply.sessions.map(\.id))
        var table = TextTable([.id("ID"), .text("DEVICE"), .text("BEGAN"), .text("USED")])
        for one in reply.sessions {
            table.add([
                .init(String(one.id.prefix(length))),
                .init(one.device.printable + (one.isThis ? " (this one)" : "")),
                .init(Wording.moment(one.began)), .init(Wording.moment(one.used)),
            ])
        }
        session.printer.table(table)
    }
}

/// `steward passwd`
struct PasswordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passwd", abstract: "Changes your password; your other sessions end.",
        discussion: """
            Asks for the present password, or the code that you were given, and for the new one. \
            Standard input, when it is no terminal, has one on each line; the first is empty when \
            there is no password yet.
            """)

    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try Session()
        let present = try PasswordPrompt.ask("Present password", session.printer)
        let new = try PasswordPrompt.askNew(session.printer)
        let account = try session.ask(
            .account, ChangePassword(present: present, new: new), for: Account.self)
        // The access tokens of before count no more.
        try session.keptLogIn.expireTokens()
        if output.json { return try session.printer.json(account) }
        session.printer.result("the password is changed; other sessions have ended")
    }
}
