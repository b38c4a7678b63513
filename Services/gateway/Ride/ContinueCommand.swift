import ArgumentParser
import Bus
import Messages
import Speech

/// `steward transit continue`
struct ContinueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "continue",
        abstract: "Continues to the next stop after yours was passed.",
        discussion: """
            The alarm then counts for that stop, or for one that you name further along the line. \
            The program that sends the positions of the ride simply goes on.
            """)

    @Argument(help: "The journey's id, or its unique beginning. Default: the newest.")
    var journey = ""
    @Option(
        help: ArgumentHelp(
            "The id of a stop further along the line. Default: the next.", valueName: "stop"))
    var to: String?
    @OptionGroup var repeating: RepeatOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try Session()
        let reply = try session.ask(
            .transitAlert,
            ContinueJourney(journeyId: journey.lowercased(), stopId: to ?? ""),
            for: Journey.self, repeating: repeating)
        if output.json { return try session.printer.json(.journeys, [reply]) }
        session.printer.result("going on to \((reply.stop?.name ?? "").printable)")
    }
}
