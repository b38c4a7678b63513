import Foundation
import RideEvaluation
import TestSupport
import TestThreads
import Testing

/// Tests a real timetable and a real recording, with the built programs at the command line.
@Suite(.serialized, .waiting) struct RealRideTests {
    static let folder = Recordings.folder("transit")

    @Test(.enabled(if: folder != nil, "\(Recordings.variable) names no folder with rides"))
    func `the command line alerts in time for a phone's recording in Tampa`() throws {
        let folder = try #require(Self.folder)
        let recording = try #require(
            try RecordedRides.tampa(folder.appending(path: "rides-tampa")).first {
                $0.knowsTime && $0.trace.name == "nav_trip1c.csv"
            })
        let stop = try #require(
            try String(
                contentsOf: folder.appending(path: "rides-tampa/nav_trip1c.csv"), encoding: .utf8
            ).split(separator: ",")[1].split(separator: "_").last)
        let town = try Town()
        let ride = town.system.path("ride.csv")
        let rows = recording.trace.fixes.map { fix in
            "\(fix.time),\(fix.position.latitude),\(fix.position.longitude),\(fix.accuracy ?? 10)"
        }
        try (["time,latitude,longitude,accuracy"] + rows).joined(separator: "\n")
            .write(toFile: ride, atomically: true, encoding: .utf8)
        let feed = folder.appending(path: "gtfs/Hart.zip").path

        let imported = try town.system.run("steward", "transit", "import", feed, "--feed", "hart")
        let ridden = try town.system.run(
            "steward", "transit", "ride", ride, "--feed", "hart", "--to", String(stop),
            "--trip", recording.id, "--speed", "200")

        #expect(imported.end == .exited(0), "\(imported.err)")
        #expect(ridden.end == .exited(0), "\(ridden.err)")
        let kinds = try town.alerts().compactMap { $0.raised?.kind }
        #expect(kinds.starts(with: ["transit.getReady", "transit.now"]))
        #expect(ridden.out.contains("Get ready:"))
        #expect(ridden.out.contains("Get off at the next stop:"))
    }
}
