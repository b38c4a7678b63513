import ArgumentParser
import Bus
import Messages
import Speech
import Terminal

/// `steward followers`
struct FollowersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "followers",
        abstract: "Makes a service forget a process that no longer follows it.",
        discussion: "steward status shows who follows whom, and how far.",
        subcommands: [Forget.self])

    /// `steward followers forget`
    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget",
            abstract: "Stops keeping events for a process that is gone for good.",
            discussion: """
                If it does come back, it continues where it was, or fetches the present state.
                """)

        @Argument(help: "The name of the process, as steward status shows it.")
        var name: String
        @Option(help: "The service that it followed.")
        var service: ServiceName
        @OptionGroup var repeating: RepeatOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let session = try Session()
            let reply = try session.ask(
                service, ForgetFollower(name: name), for: FollowerForgotten.self,
                repeating: repeating)
            if output.json { return try session.printer.json(.followers, [reply]) }
            session.printer.remark("\(service.rawValue) has forgotten \(reply.name.printable)")
        }
    }
}
