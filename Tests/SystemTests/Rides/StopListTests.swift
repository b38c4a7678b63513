import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests rides to stops that have no timetable.
@Suite(.serialized, .waiting) struct StopListTests {
    private static let ride = Town.root + "/deploy/demo/ride.csv"
    private let town: Town
    private let user: CommandLineUser

    init() throws {
        town = try Town()
        user = CommandLineUser(of: town.system, device: "phone")
    }

    /// Writes a list of stops, and returns its path.
    private func list(_ text: String) throws -> String {
        let path = town.system.path("mine.csv")
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// Rides to the hospital, and expects to be alerted in time.
    private func expectAlerted(_ feed: String) throws {
        // A busy machine may send the positions of a fast ride late.
        var lead = 0
        for speed in [60, 20] where lead < 180_000 {
            let said = try user.say(
                "transit ride '\(Self.ride)' --to 4131 --feed \(feed) --speed \(speed)")
            #expect(said.end == .exited(0), "\(said.err)")
            let ready = try #require(said.out.range(of: "Get ready"), "\(said.out)\(said.err)")
            let now = try #require(said.out.range(of: "Get off at the next stop"))
            #expect(ready.lowerBound < now.lowerBound)
            #expect(said.err.contains("\(feed) has no timetable to General Hospital"))
            lead = try user.rows("transit journeys --all").first?["lead"] as? Int ?? 0
        }
        #expect(lead >= 180_000)
    }

    @Test func `T3 a ride has an alarm with a feed that has only stops`() throws {
        let folder = town.system.path("bare")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: Town.feed + "/stops.txt", toPath: folder + "/stops.txt")

        let imported = try user.run("transit import '\(folder)'")

        #expect(imported.contains("0 trips") && imported.contains("without times"))
        try expectAlerted("bare")
    }

    @Test func `T3 a ride has an alarm on a line whose stops were typed by hand`() throws {
        let stops = Dictionary(
            try Town.rows("stops.txt").map { ($0[0], $0) },
            uniquingKeysWith: { first, _ in first })
        let calls = try Town.rows("stop_times.txt").filter { $0[0] == "HL-wd-0-001" }
        let lines = try calls.map { call in
            let stop = try #require(stops[call[3]])
            return "\(stop[0]),Red bus,\(stop[2]),\(stop[4]),\(stop[5])"
        }
        let path = try list("id,line,name,latitude,longitude\n" + lines.joined(separator: "\n"))

        try user.run("transit import '\(path)'")

        try expectAlerted("mine")
        #expect(
            try user.rows("transit journeys --all").first?["route"] as? String == "Red bus")
        let found = try user.rows("transit stops hospital")
        #expect(found.first?["routes"] as? [String] == ["Red bus"])
    }

    @Test func `a faulty list of stops is refused with its place`() throws {
        for (text, sentence) in [
            ("name,latitude\nA,1\n", "mine.csv, line 1: longitude is not among the columns"),
            ("name,latitude,longitude\nA,1,x\n", "mine.csv, line 2: longitude “x” is not a number"),
            ("id,name,lat,lon\n,A,1,2\n1,B,3,4\n", "mine.csv, line 2: id is empty"),
            ("name,lat,lon\nA,1,\n", "mine.csv, line 2: lon is empty"),
            ("line,name,lat,lon\n7,A,1,2\n", "mine.csv: line 7 has only one stop"),
            ("line,name,lat,lon\n7,A,1,2\n7,A,1,2\n", "line 3: line 7 calls at A twice in a row"),
            ("id,name,lat,lon\n1,A,1,2\n1,B,1,3\n", "line 3: stop 1 has another place above"),
            ("name,lat,lon\n", "mine.csv: has no stop"),
        ] {
            let path = try list(text)

            let said = try user.say("transit import '\(path)'")

            #expect(said.end == .exited(1), "\(sentence)")
            #expect(said.err.contains(sentence), "\(said.err)")
            #expect(said.err.contains("nothing was changed"), "\(said.err)")
        }
    }
}
