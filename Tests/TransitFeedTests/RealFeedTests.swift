import Foundation
import TestSupport
import Testing

@testable import TransitFeed

/// Feeds of real agencies, if available.
@Suite struct RealFeedTests {
    static let folder = Recordings.folder("transit/gtfs")

    /// The counts that other readers of GTFS find in them.
    @Test(
        .enabled(if: folder != nil, "\(Recordings.variable) names no folder with timetables"),
        arguments: [
            ("Hart.zip", 3132, 4476, 224_201), ("wmata_gtfs_2026.zip", 347, 4167, 232_187),
            ("cairns_gtfs.zip", 416, 1339, 37_790),
        ])
    func `a real feed is read, and is valid`(
        _ name: String, _ stops: Int, _ trips: Int, _ stopTimes: Int
    ) throws {
        let feed = try Feed.read(from: try #require(Self.folder).appending(path: name))

        #expect(feed.stops.count == stops)
        #expect(feed.trips.count + feed.counts.unusableTrips == trips)
        #expect(feed.counts.stopTimes == stopTimes)
        for pattern in feed.patterns {
            let calls = pattern.calls
            #expect(zip(calls, calls.dropFirst()).allSatisfy { $0.along <= $1.along })
            // Along the line, no stop may be far from its stated place.
            let line = feed.polylines[pattern.polyline]
            let ends = Double(calls[calls.count - 1].along - calls[0].along) / 100
            let straight = feed.stops[Int(calls[0].stop)].position
                .metres(to: feed.stops[Int(calls[calls.count - 1].stop)].position)
            #expect(ends >= straight - 300)
            #expect(calls.allSatisfy { $0.along <= line.length })
        }
        for trip in feed.trips {
            let times = feed.times(of: trip)
            #expect(times.count == feed.patterns[Int(trip.pattern)].calls.count)
        }
    }
}
