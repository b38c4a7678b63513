import ArgumentParser
import Bus
import Messages
import Speech
import Terminal

/// `steward transit stops`
struct StopsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stops", abstract: "Finds stops by their names.",
        discussion: "Words may be in any order, cut short, without accents, or have a typo.")

    @Argument(help: "Words of the name.", completion: Offered.stops)
    var words: [String]
    @Option(help: "Only this timetable.")
    var feed: FeedName?
    @Option(
        help: ArgumentHelp("Nearest first, from this place in degrees.", valueName: "lat,lon"))
    var near: PlaceArgument?
    @Option(help: "The maximum number of stops, up to 100.")
    var limit: UInt32 = 10
    @OptionGroup var output: OutputOptions

    func validate() throws { try ListLimit.validate(limit, most: 100) }

    func run() throws {
        let session = try Session()
        let query = FindStops(
            text: words.joined(separator: " "), feed: feed?.text ?? "", near: near?.coordinate,
            limit: limit)
        let reply = try session.ask(.transitAlert, query, for: Stops.self)
        if let gap = reply.gap { session.printer.remark("steward: \(gap)") }
        // A full list may leave out others.
        let more = reply.stops.count >= Int(limit)
        guard !output.json else {
            return try session.printer.json(.stops, reply.stops, beside: ["more": more])
        }
        guard !reply.stops.isEmpty else {
            throw Failure(
                .refused, "no stop is called “\(query.text)”",
                advice: "try the beginning of one word")
        }
        session.printer.table(Self.table(reply.stops))
        if more { session.printer.remark("there may be more: give more words, or --limit") }
    }

    /// Stops to choose from.
    static func table(_ stops: [Stop]) -> TextTable {
        let hasDistances = stops.contains { $0.metres != nil }
        var table = TextTable(
            [
                .id("ID"), .text("STOP"), .text("SIGN"), .text("LINES"), .text("TOWARD"),
                .number("TRIPS"), .text("TIMETABLE"),
            ]
                + (hasDistances ? [.number("AWAY")] : []))
        for stop in stops {
            table.add([
                .init(stop.id, .bold), .init(stop.name), .init(stop.code),
                .init(stop.routes.joined(separator: " ")),
                .init(stop.headsigns.joined(separator: ", ")), "\(stop.trips)", .init(stop.feed),
                .init(stop.metres.map(Wording.distance) ?? ""),
            ])
        }
        return table
    }
}

extension Stops {
    /// Which timetables were not searched, and what to do; nil if all were.
    var gap: String? {
        guard !damaged.isEmpty else { return nil }
        return "not searched, because the file is missing or damaged: "
            + damaged.map(\.printable).joined(separator: ", ")
            + "; import it again with steward transit import"
    }
}
