import ArgumentParser
import Bus
import Foundation
import Messages
import Speech
import Terminal

/// `steward login`
struct LoginCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Logs you in on this machine.",
        discussion: """
            The password, or a single-use code in its place, is typed at the terminal, or read as \
            a line of standard input; never from the command line. On a bus within this machine no \
            log-in is needed: without one you are its owner.

            You work at one site at a time. If you have several, you are asked for it at a \
            terminal; steward site use changes it.
            """)

    @Argument(help: "The name of your account, or its e-mail address.")
    var name: String?
    @Option(help: "The name of the session in lists. Default: the name of this machine.")
    var device: String?
    @Option(help: "The site where you work now: its name or id.", completion: Offered.sites)
    var site: String?
    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try Session()
        let name = try name ?? PasswordPrompt.askOpenly("Name", session.printer)
        let password = try PasswordPrompt.ask("Password or single-use code", session.printer)
        // A file that can't be read is noticed before a code is used up.
        _ = try session.keptLogIn.entry()
        let reply = try Client(session.connection, to: .account).ask(
            LogIn(name: name, password: password, device: device ?? Self.machine()),
            for: LoggedIn.self)
        let account = reply.account ?? Account()
        let before = try session.keptLogIn.keep(
            KeptLogIn.Entry(
                name: account.name, session: reply.session, refreshToken: Data(reply.refreshToken)))
        do {
            if !reply.mustChangePassword { try chooseSite(session) }
        } catch {
            // Someone who can't work at the chosen site isn't logged in at all, and the earlier
            // log-in stays.
            if let refused = try session.keptLogIn.keep(before) {
                try session.keptLogIn.end(refused)
            }
            throw error
        }
        if let before { try session.keptLogIn.end(before) }
        let place = try session.keptSite.chosen().map { " at \($0.name.printable)" } ?? ""
        if output.json {
            try session.printer.json(.accounts, [account])
        } else {
            session.printer.result("logged in as \(account.displayName.printable)\(place)")
        }
        if reply.mustChangePassword {
            try Self.replace(password, session)
            if site != nil { session.printer.remark("then choose your site: steward site use") }
        }
    }

    /// Someone who logged in with a code needs a password immediately; a script sets it with
    /// another command.
    private static func replace(_ code: String, _ session: Session) throws {
        guard isatty(STDIN_FILENO) == 1 else {
            return session.printer.remark("set your own password now: steward passwd")
        }
        session.printer.remark("set your own password:")
        let new = try PasswordPrompt.askNew(session.printer)
        _ = try session.ask(.account, ChangePassword(present: code, new: new), for: Account.self)
        // The earlier access tokens are no longer valid.
        try session.keptLogIn.expireTokens()
        session.printer.result("the password is set")
    }

    /// Keeps the named site, the only one, or the one that the person chooses when asked.
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

    private static func machine() -> String {
        var text = [CChar](repeating: 0, count: 65)
        guard gethostname(&text, 64) == 0 else { return "" }
        return String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }
}
