import Foundation
import TestSupport
import TestThreads
import Testing

/// Requirements for rides that no other test here is named for, at the command line. T and a number
/// are requirements of the service, other letters those of its users' study: C is in
/// `PassengerTests`; D and E, delay and bytes, are in `RideMeasureTests`.
@Suite(.serialized, .waiting) struct RideAcceptanceTests {
    private static let ride = Town.root + "/deploy/demo/ride.csv"

    /// How often each kind of alert is in the history.
    private func kinds(_ user: CommandLineUser) throws -> [String: Int] {
        let raised = try user.rows("alerts list --all").compactMap {
            ($0["raised"] as? [String: Any])?["kind"] as? String
        }
        return Dictionary(raised.map { ($0, 1) }, uniquingKeysWith: +)
    }

    @Test func `T2 a stop is found by words of its name in any form, the nearest first`() throws {
        let town = try Town()
        try town.load()
        let user = CommandLineUser(of: town.system, device: "phone")
        for (words, name) in [
            ("general hos", "General Hospital"), ("HOSPITAL general", "General Hospital"),
            ("Genral Hospital", "General Hospital"), ("olaves", "St Olave's Church"),
        ] {
            #expect(
                try user.rows("transit stops \(words)").first?["name"] as? String == name,
                "\(words)")
        }
        for (place, id) in [("54.852257,-0.231158", "4101"), ("54.852192,-0.231380", "4102")] {
            let found = try user.rows("transit stops Lighthouse --near \(place)")
            #expect(found.first?["id"] as? String == id)
        }
    }

    @Test func `T2 stops are offered while their name is typed`() throws {
        let town = try Town()
        try town.load()
        let user = CommandLineUser(of: town.system, device: "phone")
        let ride = try user.terminal("transit ride '\(Self.ride)'")
        try ride.waitFor("Where do you get off?")

        try ride.type("m")
        for name in ["Market Square", "Mill Bridge", "Museum"] { try ride.waitFor(name) }
        try ride.type("us")
        try eventually("only what matches is left") {
            let text = ride.text
            return text.contains("Museum") && !text.contains("Market Square")
        }
        try ride.type("\u{7F}\u{7F}\u{7F}hosp")
        try ride.waitFor("General Hospital")

        try ride.type("\u{1B}")
        #expect(try ride.waitForEnd() == 130)
    }

    @Test func `T3 a recording is replayed from GPX or CSV, on a line or trip if one is named`()
        throws
    {
        let town = try Town()
        try town.load()
        let user = CommandLineUser(of: town.system, device: "phone")
        let track = Town.root + "/deploy/demo/ride.gpx"
        for (file, stop, options) in [
            (track, "4120", ""), (track, "4120", "--route 7"),
            (Self.ride, "4131", "--trip HL-wd-0-009"),
        ] {
            let text = try user.run(
                "transit ride '\(file)' --to \(stop) --speed 400 --get-off \(options)")

            let ready = try #require(text.range(of: "Get ready"), "\(options) \(text)")
            let now = try #require(text.range(of: "Get off at the next stop"), "\(text)")
            #expect(ready.lowerBound < now.lowerBound)
            let ridden = try user.rows("transit journeys --all").first
            #expect(ridden?["route"] as? String == "7")
            #expect(ridden?["source"] as? String == "file")
        }
        let other = try user.say("transit ride '\(track)' --to 4120 --route 12")
        #expect(other.end == .exited(1))
        #expect(other.err.contains("route 12 does not call at 4120; these do: 7"), "\(other.err)")
    }

    @Test func `T4 a passenger who stays seated is told once that the stop was passed`() throws {
        let town = try Town()
        try town.load()
        let user = CommandLineUser(of: town.system, device: "phone")
        let all = ["transit.getReady": 1, "transit.now": 1, "transit.passed": 1]

        try user.run("transit ride '\(Self.ride)' --to 4131 --speed 400 --no-finish")

        try eventually("each was told once, and only the last is open") {
            try kinds(user) == all && user.rows("alerts list").count == 1
        }
        try town.restartTransit()
        try town.restartNotifier()
        let raised = try user.rows("alerts list --all").compactMap {
            $0["raised"] as? [String: Any]
        }
        #expect(raised.count == 3)
        #expect(raised.allSatisfy { $0["needsAcknowledgement"] as? Bool == true })
        let open = try user.answer("alerts list")
        #expect((open["raised"] as? [String: Any])?["kind"] as? String == "transit.passed")
        let id = try #require(open["id"] as? String)
        try user.run("alerts ack \(id)")
        #expect(try user.rows("alerts list").isEmpty)
        #expect(try kinds(user) == all)
    }

    @Test func `T4 and A: each alert comes once and in time, and waits for an answer`() throws {
        let town = try Town()
        try town.load()
        let user = CommandLineUser(of: town.system, device: "phone")
        let ride = try user.begin(
            "transit ride '\(Self.ride)' --to 4131 --speed 30 --get-off --no-finish")
        try eventually("the passenger should get ready") { ride.out.contains("Get ready") }
        try town.restartTransit()
        try town.restartNotifier()

        #expect(try ride.waitForEnd() == .exited(0), "\(ride.err)")
        try eventually("both alerts are in the history, and only the last is open") {
            let kinds = try kinds(user)
            return try kinds["transit.getReady"] == 1 && kinds["transit.now"] == 1
                && user.rows("alerts list").count == 1
        }
        let open = try #require(try user.rows("alerts list").first?["id"] as? String)
        try user.run("alerts ack \(open)")
        #expect(try user.rows("alerts list").isEmpty)

        let journey = try #require(try user.rows("transit journeys").first?["id"] as? String)
        try user.run("transit finish \(journey)")
        // A busy machine may send the positions of a fast ride late.
        var lead = 0
        for speed in [400, 100, 30] where lead < 180_000 {
            try user.run("transit ride '\(Self.ride)' --to 4131 --speed \(speed)")
            lead = try user.rows("transit journeys --all").first?["lead"] as? Int ?? 0
        }
        #expect(lead >= 180_000)
    }

    @Test func `T5 the alarm comes by estimate although the positions end on the way`() throws {
        let town = try Town()
        try town.load()
        let user = CommandLineUser(of: town.system, device: "phone")
        let lines = try String(contentsOfFile: Self.ride, encoding: .utf8)
            .split(separator: "\n").prefix(300)
        let path = town.system.path("tunnel.csv")
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)

        try user.run("transit ride '\(path)' --to 4131 --speed 200 --no-finish")

        try eventually("both alerts come") {
            let kinds = try kinds(user)
            return kinds["transit.getReady"] == 1 && kinds["transit.now"] == 1
        }
        let said = try user.rows("alerts list --all").compactMap {
            ($0["raised"] as? [String: Any])?["body"] as? String
        }
        #expect(said.contains { $0.contains("estimated") })
    }

    /// Writes rows of a recorded ride to a file, and returns its path.
    private func write(_ rows: [String], for town: Town) throws -> String {
        let path = town.system.path("part.csv")
        try (["time,latitude,longitude,accuracy,speed"] + rows).joined(separator: "\n")
            .write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// The positions of the demo's ride, without the header.
    private func rows() throws -> [String] {
        try String(contentsOfFile: Self.ride, encoding: .utf8).split(separator: "\n").dropFirst()
            .map(String.init)
    }

    @Test func `T5 in a tunnel that ends shortly before the stop the alarm comes in time`() throws {
        let town = try Town()
        try town.load()
        let user = CommandLineUser(of: town.system, device: "phone")
        let rows = try rows()
        // The vehicle is at the stop after 971 seconds; for ten minutes there is no signal.
        let path = try write(Array(rows[..<300] + rows[831..<1_000]), for: town)

        // A busy machine may send the positions of a fast ride late.
        var lead = 0
        for speed in [100, 30] where lead < 180_000 {
            let text = try user.run("transit ride '\(path)' --to 4131 --speed \(speed)")
            #expect(text.contains("Get ready") && text.contains("Get off at the next stop"))
            lead = try user.rows("transit journeys --all").first?["lead"] as? Int ?? 0
        }

        #expect(lead >= 180_000)
        let said = try user.rows("alerts list --all").compactMap {
            ($0["raised"] as? [String: Any])?["body"] as? String
        }
        #expect(said.contains { $0.contains("estimated") })
    }

    @Test func `T5 riding the wrong way, and leaving the line, are reported`() throws {
        let town = try Town()
        try town.load()
        let user = CommandLineUser(of: town.system, device: "phone")
        let rows = try rows()
        func time(_ row: String) -> Substring { row.prefix { $0 != "," } }
        // The same ride backwards: at each time it is where it was as long before the end.
        let way = rows[100..<600]
        let back = zip(way, way.reversed()).map { now, then -> String in
            "\(time(now))\(then.dropFirst(time(then).count))"
        }
        // For three minutes it is half a kilometre north of its line.
        let astray = try rows[..<620].enumerated().map { index, row -> String in
            guard (300..<480).contains(index) else { return row }
            var cells = row.split(separator: ",").map(String.init)
            let latitude = try #require(Double(cells[1]))
            cells[1] = "\(latitude + 0.0045)"
            return cells.joined(separator: ",")
        }

        for (part, kind) in [
            (back, "transit.wrongDirection"), (astray, "transit.offRoute"),
        ] {
            let path = try write(part, for: town)
            try user.run("transit ride '\(path)' --to 4131 --speed 100")

            try eventually("\(kind) is reported") { try kinds(user)[kind] == 1 }
        }
    }

    @Test func `B every ride ends as it should`() throws {
        // The study asks for 500; they would take a quarter of an hour.
        let rides = Int(ProcessInfo.processInfo.environment["RIDES"] ?? "") ?? 10
        let town = try Town()
        try town.load()
        let user = CommandLineUser(of: town.system, device: "phone")

        for number in 0..<rides {
            let said = try user.say("transit ride '\(Self.ride)' --to 4131 --speed 1000")
            #expect(said.end == .exited(0), "ride \(number): \(said.err)")
        }

        let journeys = try user.rows("transit journeys --all")
        #expect(journeys.count == min(rides, 1_000))
        #expect(journeys.allSatisfy { $0["stage"] as? String == "finished" })
    }

    @Test func `F a first ride needs nothing but answers to what is asked`() throws {
        let town = try Town(accepts: false)
        let user = CommandLineUser(of: town.system, device: "phone")
        let begun = ContinuousClock.now
        try user.run("transit import '\(Town.feed)'")
        let ride = try user.terminal("transit ride '\(Self.ride)' --speed 400 --get-off")
        try eventually("it shows the policy") { ride.text.contains("Do you accept it") }
        try ride.type("y\r")
        try eventually("it asks where to get off") { ride.text.contains("Where do you get off?") }
        // The number is on the sign of the stop.
        try ride.type("4131")
        try eventually("it finds the stop") { ride.text.contains("General Hospital") }
        try ride.type("\r")

        try eventually("it says when to get off") { ride.text.contains("Get off at the next stop") }
        #expect(try ride.waitForEnd() == 0)
        #expect(ContinuousClock.now - begun < .seconds(300))
    }
}
