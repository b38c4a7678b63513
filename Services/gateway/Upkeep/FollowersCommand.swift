import ArgumentParser
import Bus
import Messages
import Speech
import Terminal

/// `steward followers`
struct FollowersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "followers",
        abstract: "Makes a service forget a process that follows it no more.",
        discussion: "Who follows whom, and how far it has come, tells steward status.",
        subcommands: [Forget.self])

    /// `steward followers forget`
    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keeps events no longer for a process that is gone for good.",
            discussion: """
                If it comes back all the same, it goes on where it was, or takes the present state.
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
