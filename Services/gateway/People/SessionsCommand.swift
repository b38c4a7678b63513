import ArgumentParser
import Bus
import Messages
import Speech

/// `steward sessions`
struct SessionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "Lists where you are logged in.")

    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try Session()
        let reply = try session.ask(.account, ListSessions(), for: Sessions.self)
        if output.json { return try session.printer.json(.sessions, reply.sessions) }
        guard !reply.sessions.isEmpty else {
            return session.printer.remark("you are logged in nowhere")
        }
        let length = ShortID.length(telling: reply.sessions.map(\.id))
        let clock = try session.siteClock
        var table = TextTable([
            .id("ID"), .text("DEVICE"),
            .time(clock.title("BEGAN", of: reply.sessions.map(\.began))), .time("USED"),
        ])
        for one in reply.sessions {
            table.add([
                .init(String(one.id.prefix(length))),
                .init(one.device.printable + (one.isThis ? " (this one)" : "")),
                .init(clock.moment(one.began)), .init(clock.moment(one.used)),
            ])
        }
        session.printer.table(table)
    }
}
