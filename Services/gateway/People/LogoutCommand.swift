import ArgumentParser
import Bus
import Messages
import Speech

/// `steward logout`
struct LogoutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Ends your session here, another one, or all of them.")

    @Argument(help: "The id of a session, or its beginning. Default: the session of this machine.")
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
        // Someone who wants to end other sessions has to learn that they go on.
        let isDoneIfOver = id == nil && !everywhere
        var ended = LoggedOut(sessions: 1)
        do {
            ended = try session.ask(
                .account, LogOut(session: id ?? entry?.session ?? "", everywhere: everywhere),
                for: LoggedOut.self)
        } catch let failure as Failure where failure.status == .refused && isDoneIfOver {
            // The session was already over.
            ended = LoggedOut()
        } catch ClientError.refused(let refusal)
            where isDoneIfOver
            && (refusal.isBecause(.sessionOver) || refusal.isBecause(.tokenInvalid))
        {
            // The same, reported by the service because an access token is still here.
            ended = LoggedOut()
        }
        let isThis = id.map { entry?.session.hasPrefix($0) ?? false } ?? true
        if isThis, entry != nil { try session.keptLogIn.keep(nil) }
        if output.json { return try session.printer.json(.logouts, [ended]) }
        session.printer.result(
            everywhere
                ? "logged out everywhere: \(Wording.count(ended.sessions, "session"))"
                : "logged out")
    }
}
