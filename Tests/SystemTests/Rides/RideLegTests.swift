import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests journeys of several legs, which one command follows.
@Suite(.serialized, .waiting) struct RideLegTests {
    private static let ride = Town.root + "/deploy/demo/ride.csv"
    private let town: Town
    private let user: CommandLineUser

    init() throws {
        town = try Town()
        try town.load()
        user = CommandLineUser(of: town.system, device: "phone")
    }

    /// The demo's ride with a wait at Guildhall, stop 4115, and returns its path.
    private func ride(waiting seconds: Int) throws -> String {
        let lines = try String(contentsOfFile: Self.ride, encoding: .utf8)
            .split(separator: "\n").map(String.init)
        // The vehicle stands there 315 seconds after its start.
        let stop = 316
        let place = lines[stop].split(separator: ",").dropFirst().joined(separator: ",")
        func time(_ line: String, later seconds: Int) throws -> String {
            let text = String(try #require(line.split(separator: ",").first))
            let time = try Date(text, strategy: .iso8601)
            return time.addingTimeInterval(Double(seconds)).formatted(.iso8601)
        }
        let wait = try stride(from: 5, to: seconds, by: 5).map { later -> String in
            let at = try time(lines[stop], later: later)
            return "\(at),\(place)"
        }
        let rest = try lines[(stop + 1)...].map { line -> String in
            let at = try time(line, later: seconds)
            return at + line.dropFirst(line.prefix { $0 != "," }.count)
        }
        let path = town.system.path("change.csv")
        let all: [String] = Array(lines[...stop]) + wait + rest
        try all.joined(separator: "\n")
            .write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// How often an alert of each kind was raised.
    private func kinds() throws -> [String: Int] {
        let kinds = try town.alerts().compactMap { $0.raised?.kind }
        return Dictionary(kinds.map { ($0, 1) }, uniquingKeysWith: +)
    }

    @Test func `T3 a journey with a change has an alarm for each leg`() throws {
        let path = try ride(waiting: 360)

        // The wait lasts for twelve seconds, in which a busy machine sees it, too.
        let said = try user.say(
            "transit ride '\(path)' --via 4115 --to 4131 --speed 30 --get-off")

        #expect(said.end == .exited(0), "\(said.err)")
        #expect(said.err.contains("changing; riding on to General Hospital"), "\(said.err)")
        try eventually("each leg was alerted") {
            try kinds() == ["transit.getReady": 2, "transit.now": 2]
        }
        let first = try #require(said.out.range(of: "Guildhall"), "\(said.out)")
        let second = try #require(said.out.range(of: "General Hospital"), "\(said.out)")
        #expect(first.lowerBound < second.lowerBound)
        let journeys = try user.rows("transit journeys --all")
        #expect(journeys.count == 2)
        #expect(journeys.allSatisfy { $0["stage"] as? String == "finished" })
    }

    @Test func `T3 a change that may be missed doesn't keep the next leg from its alarm`() throws {
        let said = try user.say(
            "transit ride '\(Self.ride)' --via 4115 --to 4131 --speed 60 --get-off")

        #expect(said.end == .exited(0), "\(said.err)")
        // On a busy machine the last stop may have been passed, too, before the ride ended.
        try eventually("all alerts have come") {
            let told = try kinds()
            return told["transit.getReady"] == 2 && told["transit.now"] == 2
                && (1...2).contains(told["transit.passed"] ?? 0)
        }
        let missed = try #require(try user.rows("transit journeys").first)
        #expect((missed["stop"] as? [String: Any])?["id"] as? String == "4115")
        #expect(missed["stage"] as? String == "passed")
    }

    /// Imports the demo's stops as two lines: one to Guildhall, stop 4115, and one from the stop
    /// after it.
    private func importTwoLines() throws {
        let stops = Dictionary(
            try Town.rows("stops.txt").map { ($0[0], $0) },
            uniquingKeysWith: { first, _ in first })
        let calls = try Town.rows("stop_times.txt").filter { $0[0] == "HL-wd-0-001" }
            .map { $0[3] }
        let end = try #require(calls.firstIndex(of: "4115"))
        let rows = try calls.enumerated().map { number, id -> String in
            let stop = try #require(stops[id])
            let line = number <= end ? "Red bus" : "Blue bus"
            return "\(id),\(line),\(stop[2]),\(stop[4]),\(stop[5])"
        }
        let path = town.system.path("lines.csv")
        try ("id,line,name,latitude,longitude\n" + rows.joined(separator: "\n"))
            .write(toFile: path, atomically: true, encoding: .utf8)
        try user.run("transit import '\(path)'")
    }

    @Test func `T3 a change to another line without a wait has an alarm for each leg`() throws {
        try importTwoLines()

        let said = try user.say(
            "transit ride '\(Self.ride)' --via 4115 --to 4131 --feed lines --speed 60 --get-off")

        #expect(said.end == .exited(0), "\(said.err)")
        #expect(said.err.contains("changing; riding on to General Hospital"), "\(said.err)")
        try eventually("each leg was alerted") {
            let told = try kinds()
            return told["transit.getReady"] == 2 && told["transit.now"] == 2
        }
        // At first it can't be known whether the passenger has got off.
        #expect(said.err.contains("end it with: steward transit finish"), "\(said.err)")
        #expect(said.err.contains("the alarm at Guildhall has ended"), "\(said.err)")
        try eventually("no journey is under way, and no alert is open") {
            try user.rows("transit journeys").isEmpty
                && town.alerts().allSatisfy { $0.state != .open }
        }
    }

    @Test func `T3 a leg that is ended on the telephone is followed by the next`() throws {
        let ride = try user.begin(
            "transit ride '\(Self.ride)' --via 4115 --to 4131 --speed 40 --get-off")
        try eventually("the first leg is under way") {
            ride.err.contains(/\(journey .+\)/) || !ride.isRunning
        }
        let told = try #require(ride.err.firstMatch(of: /\(journey (.+)\)/), "\(ride.err)")

        try user.run("transit finish \(told.1)")

        #expect(try ride.waitForEnd() == .exited(0), "\(ride.err)")
        #expect(ride.err.contains("changing; riding on to General Hospital"), "\(ride.err)")
        #expect(try user.rows("transit journeys --all").count == 2)
    }

    @Test func `a leg whose timetable was removed meanwhile says that it has no alarm`() throws {
        // The first leg lasts longer than a busy machine takes to replace the timetable.
        let ride = try user.begin(
            "transit ride '\(Self.ride)' --via 4115 --to 4131 --speed 1 --get-off")
        try eventually("the first leg is under way") {
            ride.err.contains(/\(journey .+\)/) || !ride.isRunning
        }
        let told = try #require(ride.err.firstMatch(of: /\(journey (.+)\)/), "\(ride.err)")

        // The first leg goes on with the timetable that it began with.
        try town.load()
        try user.run("transit remove town")
        try user.run("transit finish \(told.1)")

        #expect(try ride.waitForEnd() == .exited(1), "\(ride.err)")
        #expect(
            ride.err.contains("there is no alarm for the ride to General Hospital: there is no"),
            "\(ride.err)")
    }

    @Test func `a ride that ends before its change says that nothing else is alerted`() throws {
        let lines = try String(contentsOfFile: Self.ride, encoding: .utf8).split(separator: "\n")
        let path = town.system.path("short.csv")
        try lines.prefix(120).joined(separator: "\n")
            .write(toFile: path, atomically: true, encoding: .utf8)

        let said = try user.say("transit ride '\(path)' --via 4115 --to 4131 --speed 60")

        #expect(said.end == .exited(1))
        #expect(said.err.contains("the positions ended before the change at Guildhall"))
        #expect(try user.say("transit ride x --via 4115 --to 4131 --route 7").end == .exited(64))
    }
}
