import ArgumentParser
import Bus
import Foundation
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

    private struct Travel: Encodable {
        let traveller: Traveller
        let destinations: [Messages.Destination]
        let journeys: [Journey]
        let comments: [RideComment]
    }

    func run() throws {
        let session = try Session()
        try makeFolder()
        let journeys = try session.allJourneys()
        let travel = Travel(
            traveller: try session.ask(.transitAlert, ReadTraveller(), for: Traveller.self),
            destinations: try session.ask(
                .transitAlert, ListDestinations(), for: Destinations.self
            ).destinations,
            journeys: journeys, comments: try Self.comments(session))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        var files = [try write(try encoder.encode(travel), "travel.json")]
        for journey in journeys where journey.kept {
            let fixes = try Self.positions(journey, session)
            guard !fixes.isEmpty else { continue }
            files.append(try write(Data(Self.csv(fixes).utf8), "ride-\(journey.id).csv"))
        }
        guard !output.json else {
            return try session.printer.json(.files, files.map { ["path": $0] })
        }
        for file in files { session.printer.result(file) }
    }

    private func makeFolder() throws {
        let manager = FileManager.default
        do {
            try manager.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            guard try manager.contentsOfDirectory(atPath: folder).isEmpty else {
                throw Failure(.file, "\(folder) is not empty", advice: "choose another folder")
            }
        } catch let failure as Failure { throw failure } catch {
            throw Failure(.file, "\(folder) can't be made: \(error.localizedDescription)")
        }
    }

    private func write(_ data: Data, _ name: String) throws -> String {
        let path = URL(filePath: folder).appending(path: name).path
        try OutputFile.write([UInt8](data), to: path)
        return path
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
