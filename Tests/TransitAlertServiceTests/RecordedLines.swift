import Foundation
import Messages
import RideTracking
import TransitFeed

@testable import TransitAlertService

/// The lines of recorded rides, made from the real feed as the service makes them.
final class RecordedLines: Sendable {
    private let file: FeedFile
    private let folder: URL
    private let patterns: [FeedFile.Pattern]

    /// Imports the feed into its own folder.
    init(feed: URL) throws {
        folder = FileManager.default.temporaryDirectory.appending(
            path: "recorded-lines-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appending(path: "feed.sqlite")
        try FeedFile.write(try TransitFeed.Feed.read(from: feed), to: url)
        let opened = try FeedFile.open(url)
        file = opened
        patterns = try (0..<opened.counts.patterns).compactMap {
            try opened.pattern(numbered: $0)
        }
    }

    deinit {
        do { try FileManager.default.removeItem(at: folder) } catch {
            print("left behind: \(folder.path)")
        }
    }

    /// The line of a recorded trip, as for a journey at a time; nil if the feed has no such trip.
    func line(trip: String, at time: Int64, knowsDay: Bool) throws -> Line? {
        guard let number = try file.trip(trip)?.pattern, let pattern = pattern(number),
            let stop = pattern.stops.last
        else { return nil }
        let command = StartJourney(feed: "recorded", stopId: stop.id, tripId: trip)
        var choice = try file.offer(for: command, at: time).choices[0]
        if !knowsDay {
            choice = LineChoice(
                pattern: choice.pattern, route: choice.route, trip: choice.trip, serviceDay: nil)
        }
        return try file.line(choice)
    }

    /// The other patterns with typical times: either those of the same route in the opposite
    /// direction, or all the rest.
    func others(than trip: String, isOpposite: Bool) throws -> [Line] {
        guard let number = try file.trip(trip)?.pattern, let own = pattern(number) else {
            return []
        }
        return try patterns.filter { other in
            let isReturn = other.route.id == own.route.id && other.direction != own.direction
            return other.number != own.number && isReturn == isOpposite
        }.map {
            try file.line(
                LineChoice(
                    pattern: $0.number, route: $0.route.name, trip: 0, serviceDay: nil))
        }
    }

    private func pattern(_ number: Int) -> FeedFile.Pattern? {
        patterns.first { $0.number == number }
    }
}
