import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests that an agency's predictions for a trip reach the passenger, over HTTP.
@Suite(.serialized, .waiting) struct TripUpdateTests {
    private let town: Town
    private let user: CommandLineUser
    private let folder: String
    private let port: Int
    private let server: Program

    init() throws {
        town = try Town()
        try town.load()
        user = CommandLineUser(of: town.system, device: "phone")
        folder = town.system.path("agency")
        port = Loopback.port()
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        server = try town.system.spawn(
            [
                "/usr/bin/python3", "-m", "http.server", "\(port)", "--bind", "127.0.0.1",
                "--directory", folder,
            ], environment: ["PATH": "/usr/bin:/bin"])
    }

    private var url: String { "http://127.0.0.1:\(port)/updates.pb" }

    /// Publishes a prediction for a stop of the trip, in whole seconds since 1970.
    private func publish(_ stop: String, arrival: Int64? = nil, skipped: Bool = false) throws {
        let now = UInt64(Date().timeIntervalSince1970)
        let feed = VehicleFeed(
            header: FeedHeader(timestamp: now),
            entity: [
                FeedEntity(
                    tripUpdate: TripUpdate(
                        trip: VehicleTrip(tripId: "HL-wd-0-005"),
                        stopTimeUpdate: [
                            StopTimeUpdate(
                                arrival: arrival.map { StopTimeEvent(time: $0) }, stopId: stop,
                                scheduleRelationship: skipped ? 1 : 0)
                        ], timestamp: now))
            ])
        try Data(feed.packed()).write(
            to: URL(filePath: folder + "/updates.pb"), options: .atomic)
    }

    private func journey() throws -> [String: Any] {
        try #require(try user.rows("transit journeys --all").first)
    }

    @Test func `T3 an agency's trip updates are reported immediately and improve the alarm`() throws
    {
        defer { server.kill() }
        try publish("4131", skipped: true)
        let ride = try user.begin(
            "transit follow --to 4131 --trip HL-wd-0-005 --from nmea://127.0.0.1:9 "
                + "--updates \(url)")
        defer { ride.kill() }

        try eventually("it is told that the stop is left out") {
            ride.out.contains("The vehicle will not stop at General Hospital")
        }
        #expect(try journey()["skipped"] as? Bool == true)

        let arrival = Int64(Date().timeIntervalSince1970) + 150
        try publish("4131", arrival: arrival)
        try eventually("it is told to get ready") {
            ride.out.contains("Get ready")
        }
        #expect(try journey()["skipped"] as? Bool != true)
        #expect(try journey()["foreseen"] != nil)
        try eventually("the other alert is withdrawn") {
            try town.alerts().first { $0.raised?.kind == "transit.skipped" }?.state == .withdrawn
        }

        try Data("no feed".utf8).write(
            to: URL(filePath: folder + "/updates.pb"), options: .atomic)
        try eventually("what is wrong is said") {
            ride.err.contains("there is no forecast from")
        }
        #expect(ride.isRunning)
    }

    @Test func `updates without a trip are refused`() throws {
        defer { server.kill() }
        let told = try user.say(
            "transit follow --to 4131 --from nmea://127.0.0.1:9 --updates \(url)")

        #expect(told.end == .exited(64))
        #expect(told.err.contains("--trip"))
    }

    @Test func `libcurl is loaded to ask an agency, and not before`() throws {
        defer { server.kill() }
        try publish("4131", skipped: true)
        let watched = CommandLineUser(
            of: town.system, device: "phone", adding: ["LD_DEBUG": "libs"])

        let listed = try watched.say("transit journeys --all")
        #expect(listed.end == .exited(0))
        #expect(listed.err.contains("libzmq"))
        #expect(!listed.err.contains("libcurl"))

        let ride = try watched.begin(
            "transit follow --to 4131 --trip HL-wd-0-005 --from nmea://127.0.0.1:9 "
                + "--updates \(url)")
        defer { ride.kill() }
        try eventually("it is loaded") { ride.err.contains("libcurl") }
    }

    @Test func `a forecast with only a delay counts too`() throws {
        defer { server.kill() }
        let begin = try #require(try Town.ride().first).time
        let journey = try town.client.ask(
            StartJourney(
                feed: "town", stopId: "4131", tripId: "HL-wd-0-005",
                clock: JourneyClock(origin: begin, speed: 1)), for: Journey.self)
        func foresee(_ calls: [ForecastCall], delay: Int64? = nil) throws -> Journey {
            try town.client.ask(
                RecordForecast(
                    journeyId: journey.id, tripId: "HL-wd-0-005", made: begin, calls: calls,
                    delay: delay), for: Journey.self)
        }

        let late = try foresee([ForecastCall(stopId: "4105", delay: 120_000)])
        let onTime = try foresee([], delay: 0)
        let unknown = try foresee([ForecastCall(stopId: "4105", unknown: true)], delay: 60_000)

        #expect(try #require(late.foreseen) - #require(onTime.foreseen) == 120_000)
        #expect(unknown.foreseen == nil)
        let refused = try town.refusal {
            _ = try town.client.ask(
                RecordForecast(journeyId: journey.id, tripId: "HL-wd-0-005"), for: Journey.self)
        }
        #expect(refused.contains("from 1970 to 9999"))
    }
}
