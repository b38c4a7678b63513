import ArgumentParser
import Bus
import Messages
import Speech
import Terminal

/// `steward transit export`
struct TravelExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes everything that is kept about your rides to a folder.",
        discussion: """
            travel.json has your settings, destinations, journeys and comments, also those on \
            journeys that were deleted since; ride-ID.csv has the positions of a ride, if they \
            were kept: steward transit ride can replay it.
            """)

    @Argument(help: "The folder; it must be new or empty.", completion: .directory)
    var folder: String
    @OptionGroup var output: OutputOptions

    /// What is kept about a person's rides, besides positions.
    struct Travel: Encodable {
        private let traveller: Traveller
        private let destinations: [Messages.Destination]
        private let journeys: [Journey]
        private let comments: [RideComment]

        init(_ session: Session) throws {
            journeys = try session.allJourneys()
            traveller = try session.ask(.transitAlert, ReadTraveller(), for: Traveller.self)
            destinations = try session.ask(
                .transitAlert, ListDestinations(), for: Destinations.self
            ).destinations
            comments = try TravelExport.comments(session)
        }

        /// Writes it to a folder, with the positions that are kept.
        ///
        /// - Returns: the paths of the files.
        func write(_ session: Session, to folder: OutputFolder) throws -> [String] {
            var files = [try folder.write(json: self, "travel.json")]
            for journey in journeys where journey.kept {
                let fixes = try TravelExport.positions(journey, session)
                guard !fixes.isEmpty else { continue }
                let text = TravelExport.csv(fixes)
                files.append(try folder.write(Array(text.utf8), "ride-\(journey.id).csv"))
            }
            return files
        }
    }

    func run() throws {
        let session = try Session()
        let travel = try Travel(session)
        let files = try travel.write(session, to: OutputFolder(folder))
        guard !output.json else {
            return try session.printer.json(.files, files.map { ["path": $0] })
        }
        for file in files { session.printer.result(file) }
    }

    /// The comments, which are kept for longer than the journeys.
    private static func comments(_ session: Session) throws -> [RideComment] {
        var comments: [RideComment] = []
        var next = ""
        repeat {
            let page = try session.ask(
                .transitAlert, ListRideComments(before: next), for: RideComments.self)
            comments += page.comments
            next = page.next
        } while !next.isEmpty
        return comments
    }

    private static func positions(_ journey: Journey, _ session: Session) throws -> [Fix] {
        var fixes: [Fix] = []
        while true {
            let page = try session.ask(
                .transitAlert,
                ReadKeptPositions(journeyId: journey.id, after: UInt32(clamping: fixes.count)),
                for: KeptPositions.self)
            fixes += page.fixes
            guard page.more else { return fixes }
        }
    }

    /// The positions in the form that recorded rides have.
    private static func csv(_ fixes: [Fix]) -> String {
        var text = "time,latitude,longitude,accuracy,speed\n"
        for fix in fixes {
            let place = fix.place
            let cells = [
                "\(fix.time)", degrees(place.latitudeE7), degrees(place.longitudeE7),
                fix.accuracy.map { "\(Double($0) / 10)" } ?? "",
                fix.speed.map { "\(Double($0) / 100)" } ?? "",
            ]
            text += cells.joined(separator: ",") + "\n"
        }
        return text
    }

    private static func degrees(_ number: Int32) -> String {
        let digits = "\(number.magnitude)"
        let padded = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        return (number < 0 ? "-" : "") + padded.dropLast(7) + "." + padded.suffix(7)
    }
}
