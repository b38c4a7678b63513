import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests rides on which the timetable, the vehicle or its positions are otherwise than in the demo.
@Suite(.serialized, .waiting) struct OtherRideTests {
    private static let recording = Town.root + "/deploy/demo/ride.csv"
    /// The number of the position with which the demo's vehicle arrives at the hospital, stop 4131,
    /// and of that which is nearest to it.
    private static let (arrived, nearest) = (880, 901)
    private let town: Town
    private let user: CommandLineUser

    init() throws {
        town = try Town()
        user = CommandLineUser(of: town.system, device: "phone")
    }

    /// The positions of the demo's ride, without the header.
    private func rows() throws -> [String] {
        try String(contentsOfFile: Self.recording, encoding: .utf8).split(separator: "\n")
            .dropFirst().map(String.init)
    }

    /// Writes positions to a file, and returns its path.
    private func write(_ rows: [String]) throws -> String {
        let path = town.system.path("other.csv")
        try (["time,latitude,longitude,accuracy,speed"] + rows).joined(separator: "\n")
            .write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// The demo's ride by a vehicle that takes longer for everything by a factor.
    private func ride(slowerBy factor: Double) throws -> [String] {
        var begin: Date?
        return try rows().map { row in
            var cells = row.split(separator: ",").map(String.init)
            let time = try Date(cells[0], strategy: .iso8601)
            let first = begin ?? time
            begin = first
            let passed = (time.timeIntervalSince(first) * factor).rounded()
            cells[0] = first.addingTimeInterval(passed).formatted(.iso8601)
            let speed = try #require(Double(cells[4]))
            cells[4] = "\(speed / factor)"
            return cells.joined(separator: ",")
        }
    }

    /// How often each kind of alert is in the history.
    private func kinds() throws -> [String: Int] {
        let kinds = try town.alerts().compactMap { $0.raised?.kind }
        return Dictionary(kinds.map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// Rides, and expects the alerts in order. A busy machine sends the positions of a fast ride
    /// late, and shows its alerts late: if what was said doesn't suffice, the ride is slower the
    /// next time.
    ///
    /// - Returns: what was said about the last ride.
    @discardableResult
    private func ride(
        _ line: String, speeds: [Int] = [60, 20, 10],
        until suffices: (CommandLineUser.Said) throws -> Bool = { _ in true }
    ) throws -> CommandLineUser.Said {
        var said = CommandLineUser.Said(end: .exited(0), out: "", err: "")
        var (isInOrder, isEnough) = (false, false)
        for speed in speeds where !isInOrder || !isEnough {
            said = try user.say("transit ride \(line) --speed \(speed)")
            let ready = said.out.range(of: "Get ready")?.lowerBound
            let now = said.out.range(of: "Get off at the next stop")?.lowerBound
            isInOrder = ready.flatMap { ready in now.map { ready < $0 } } ?? false
            isEnough = try suffices(said)
        }
        #expect(said.end == .exited(0), "\(said.err)")
        #expect(isInOrder, "\(said.out)\(said.err)")
        return said
    }

    /// Rides to a stop: the hospital, unless another is named.
    ///
    /// - Returns: how long before the arrival the alert to get ready came, in seconds; if possible,
    ///   it is one of those that are wanted.
    private func lead(
        _ line: String, to stop: String = "4131", wanted: ClosedRange<Int> = 180...480
    ) throws -> Int {
        var lead = 0
        try ride(line + " --to \(stop)") { _ in
            let milliseconds = try user.rows("transit journeys --all").first?["lead"] as? Int
            lead = (milliseconds ?? 0) / 1_000
            return wanted.contains(lead)
        }
        return lead
    }

    @Test func `T3 a ride has an alarm with a timetable without shapes`() throws {
        let bare = try town.edition("bare")
        try FileManager.default.removeItem(atPath: bare + "/shapes.txt")

        let imported = try user.say("transit import '\(bare)'")

        #expect(imported.end == .exited(0), "\(imported.err)")
        #expect(imported.err.contains("the line is straight from stop to stop"))
        #expect(try lead("'\(Self.recording)'", wanted: 180...3_600) >= 180)
        let told = try kinds()
        #expect(told["transit.wrongDirection"] == nil && told["transit.offRoute"] == nil, "\(told)")
    }

    @Test func `T3 the stop to get off at may be a station`() throws {
        let folder = try town.edition("station")
        let path = folder + "/stops.txt"
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let stops = lines.dropFirst().map { line -> String in
            let isOfStation = line.hasPrefix("4131,") || line.hasPrefix("4132,")
            return line + (isOfStation ? ",GH" : ",")
        }
        let station = "GH,,Hospital Station,,54.896000,-0.272700,1,"
        try (["\(lines[0]),parent_station"] + stops + [station]).joined(separator: "\n")
            .write(toFile: path, atomically: true, encoding: .utf8)
        try user.run("transit import '\(folder)'")

        let said = try ride("'\(Self.recording)' --to GH")

        #expect(said.out.contains("Hospital"), "\(said.out)")
        let journey = try #require(try user.rows("transit journeys --all").first)
        #expect((journey["stop"] as? [String: Any])?["id"] as? String == "GH")
        #expect(journey["route"] as? String == "7")
    }

    @Test func `T3 an express that leaves out stops is alerted in time`() throws {
        let folder = try town.edition("express")
        for (file, rows) in [
            ("routes.txt", "X7,KT,X7,Harbour Express,3,0B6E99,FFFFFF\n"),
            ("trips.txt", "X7,weekday,X7-1,Hill Road,0,HL-out\n"),
            (
                "stop_times.txt",
                """
                X7-1,07:33:00,07:33:00,4101,1,30.0
                X7-1,07:35:20,07:35:50,4107,2,1308.3
                X7-1,07:39:10,07:39:30,4115,3,2835.7
                X7-1,07:46:30,07:47:00,4131,4,6567.0
                X7-1,07:53:00,07:53:00,4151,5,10610.0

                """
            ),
        ] {
            let path = "\(folder)/\(file)"
            try (String(contentsOfFile: path, encoding: .utf8) + rows)
                .write(toFile: path, atomically: true, encoding: .utf8)
        }
        try user.run("transit import '\(folder)'")

        let lead = try lead("'\(write(ride(slowerBy: 2.0 / 3)))'")

        #expect((180...480).contains(lead), "\(lead)")
        let told = try kinds()
        #expect(told["transit.wrongDirection"] == nil && told["transit.offRoute"] == nil, "\(told)")
    }

    /// Writes the timetable of a ring of 6 km with twelve stops, whose trip begins and ends at R0,
    /// and a ride on it from R1 to R0.
    ///
    /// - Returns: the folder of the timetable, and the path of the ride.
    private func ring() throws -> (feed: String, ride: String) {
        func place(_ metres: Double) -> String {
            let (angle, radius) = (metres / 6_000 * 2 * .pi, 6_000 / (2 * Double.pi))
            let north = 54.86 + radius * sin(angle) / 111_132
            let scale = cos(54.86 * Double.pi / 180)
            return "\(north),\(-0.25 + radius * cos(angle) / (111_320 * scale))"
        }
        func clock(_ minute: Int) -> String { "07:\(minute):00,07:\(minute):00" }
        let folder = town.system.path("ring")
        try town.system.makeFolder("ring")
        for file in ["agency.txt", "calendar.txt"] {
            try FileManager.default.copyItem(
                atPath: "\(Town.feed)/\(file)", toPath: "\(folder)/\(file)")
        }
        let stops = (0..<12).map { "R\($0),R\($0),Ring \($0),\(place(500 * Double($0)))" }
        let calls = (0...12).map { "R-1,\(clock(34 + $0)),R\($0 % 12),\($0 + 1)" }
        let points = (0...240).map { "ring,\(place(25 * Double($0))),\($0 + 1)" }
        for (file, rows) in [
            ("routes.txt", ["route_id,agency_id,route_short_name,route_type", "R,KT,9,3"]),
            ("trips.txt", ["route_id,service_id,trip_id,shape_id", "R,weekday,R-1,ring"]),
            ("stops.txt", ["stop_id,stop_code,stop_name,stop_lat,stop_lon"] + stops),
            (
                "stop_times.txt",
                ["trip_id,arrival_time,departure_time,stop_id,stop_sequence"] + calls
            ),
            ("shapes.txt", ["shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence"] + points),
        ] as [(String, [String])] {
            try (rows.joined(separator: "\n") + "\n")
                .write(toFile: "\(folder)/\(file)", atomically: true, encoding: .utf8)
        }
        let begin = try Date("2026-05-12T06:35:00Z", strategy: .iso8601)
        let ride = (0...690).map { second -> String in
            let metres = min(6_000, 500 + 25.0 / 3 * Double(second))
            let time = begin.addingTimeInterval(Double(second)).formatted(.iso8601)
            return "\(time),\(place(metres)),8,\(metres < 6_000 ? 8.3 : 0)"
        }
        return (folder, try write(ride))
    }

    @Test func `T3 a ride on a loop to where it begins is alerted at its end, not at its start`()
        throws
    {
        let (feed, ride) = try ring()
        try user.run("transit import '\(feed)'")

        let lead = try lead("'\(ride)'", to: "R0")

        #expect((180...480).contains(lead), "\(lead)")
        let told = try kinds()
        #expect(told["transit.passed"] == nil && told["transit.wrongDirection"] == nil, "\(told)")
    }

    @Test func `T4 a vehicle ahead of its timetable, or far behind it, is alerted by how it runs`()
        throws
    {
        try town.load()

        // By the timetable of the trip the first alert would come after 500 seconds: 130 before the
        // fast vehicle is at the stop, and 1,000 before the slow one.
        let (fast, slow) = (try ride(slowerBy: 2.0 / 3), try ride(slowerBy: 1.6))
        let early = try lead("'\(write(fast))' --trip HL-wd-0-005", wanted: 180...3_600)
        let late = try lead("'\(write(slow))' --trip HL-wd-0-005", wanted: 180...900)

        #expect(early >= 180)
        #expect((180...900).contains(late), "\(late)")
    }

    @Test func `T4 a ride that begins within the notice of its stop is alerted at its start`()
        throws
    {
        try town.load()
        let some = try rows()[(Self.arrived - 140)..<(Self.arrived + 30)]
        let path = try write(Array(some))
        let arrival = try Date(
            String(some[Self.arrived].prefix { $0 != "," }), strategy: .iso8601)
        // When the newest ride was told to get ready, by its own clock.
        func lead() throws -> Int {
            let told = try town.system.published(by: .transitAlert)
                .filter { $0.type == JourneyAdvanced.protobufName }
                .map { try JourneyAdvanced(unpacking: $0.data) }
            let ready = told.first { $0.journey.id == told.last?.journey.id }?.at ?? .max
            return Int(arrival.timeIntervalSince1970) - Int(ready / 1_000)
        }

        try ride("'\(path)' --to 4131", speeds: [20, 5]) { _ in try lead() >= 90 }

        #expect(try lead() >= 90)
        let newest = try #require(try user.rows("transit journeys --all").first?["id"] as? String)
        try eventually("each alert came once") {
            let told = try town.alerts().compactMap(\.raised).filter { $0.subject == newest }
            return told.count { $0.kind == "transit.getReady" } == 1
                && told.count { $0.kind == "transit.now" } == 1
        }
    }

    @Test func `T5 a ride with a position every two minutes is alerted in time`() throws {
        try town.load()
        let rows = try rows()
        let path = try write(
            stride(from: Self.nearest % 120, to: rows.count, by: 120).map { rows[$0] })

        var minutes = 0
        try ride("'\(path)' --to 4131") { said in
            let ready = said.err.firstMatch(of: /get ready: ([0-9]+) min/)
            minutes = ready.flatMap { Int($0.1) } ?? 0
            return minutes >= 3
        }

        #expect(minutes >= 3)
        let told = try kinds()
        for kind in ["transit.offRoute", "transit.wrongDirection", "transit.standing"] {
            #expect(told[kind] == nil, "\(kind)")
        }
    }
}
