import ArgumentParser
import Bus
import Messages
import Terminal

/// `steward passwd`
struct PasswordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passwd", abstract: "Changes your password; your other sessions end.",
        discussion: """
            Asks for the present password, or the code that you were given, and for the new one. \
            If standard input is not a terminal, it has one on each line; the first is empty if \
            there is no password yet.
            """)

    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try Session()
        let present = try PasswordPrompt.ask("Present password", session.printer)
        let new = try PasswordPrompt.askNew(session.printer)
        let account = try session.ask(
            .account, ChangePassword(present: present, new: new), for: Account.self)
        // The earlier access tokens are no longer valid.
        try session.keptLogIn.expireTokens()
        if output.json { return try session.printer.json(.accounts, [account]) }
        session.printer.result("the password is changed; other sessions have ended")
    }
}
