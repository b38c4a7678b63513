import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// What the users' study measures of a ride besides its alerts: how soon they come, and how many
/// bytes they take.
@Suite(.serialized, .waiting) struct RideMeasureTests {
    private let town: Town
    private let user: CommandLineUser

    init() throws {
        town = try Town()
        try town.load()
        user = CommandLineUser(of: town.system, device: "phone")
    }

    /// Starts a journey, and sends the first positions of the ride.
    private func start(_ fixes: ArraySlice<Fix>) throws -> Journey {
        let origin = try #require(try Town.ride().first).time
        let journey = try town.client.ask(
            StartJourney(
                feed: "town", stopId: "4131", clock: JourneyClock(origin: origin, speed: 1)),
            for: Journey.self)
        for begin in stride(from: fixes.startIndex, to: fixes.endIndex, by: 400) {
            try send(fixes[begin..<min(begin + 400, fixes.endIndex)], journey)
        }
        return journey
    }

    @discardableResult
    private func send(_ fixes: ArraySlice<Fix>, _ journey: Journey) throws -> Journey {
        try town.client.ask(
            RecordPositions(journeyId: journey.id, fixes: Array(fixes)), for: Journey.self)
    }

    @Test func `D an alert is shown within a second of the position that causes it`() throws {
        let ride = try Town.ride()
        let watch = try user.begin("alerts watch --json")
        defer { watch.kill() }
        let probe = try start(ride[..<1])
        var cause = 0
        repeat {
            cause += 1
        } while try cause < ride.count - 1
            && send(ride[cause...cause], probe).stage == .riding
        try eventually("the first alert is shown") { watch.out.contains(probe.id) }

        let delay = try shortestTime(under: .seconds(1)) {
            let journey = try start(ride[..<cause])
            #expect(!watch.out.contains(journey.id))
            return try ContinuousClock().measure {
                try send(ride[cause...cause], journey)
                try eventually("it is shown") { watch.out.contains(journey.id) }
            }
        }

        #expect(delay < .seconds(1))
    }

    /// A well-known navigation app promises less than 100 kB for 20 minutes.
    @Test func `E a ride takes at most one and a half times the bytes of a navigation app`() throws
    {
        let port = try Receiver(in: town.system, speed: 30).port
        let ride = try user.begin(
            "transit follow --to 4131 --from nmea://127.0.0.1:\(port) --speed 30 --get-off")

        #expect(try ride.waitForEnd() == .exited(0), "\(ride.err)")

        #expect(ride.out.contains("Get ready") && ride.out.contains("Get off at the next stop"))
        let said = try #require(ride.err.firstMatch(of: /([0-9]+) kB over the network/))
        let journey = try #require(try user.rows("transit journeys --all").first)
        let reports = Double(try #require(journey["fixes"] as? Int))
        // The ride lasts 16 minutes to the stop, and the alert comes up to two earlier.
        let share = 20.0 / 14
        // ZeroMQ and TCP add about 70 bytes to each message and to each answer.
        let sent = try #require(Double(said.1)) * 1_000 + 140 * reports
        // At normal speed, news of alerts is requested every 15 seconds, with 350 bytes each time.
        let asked = 80.0 * 350
        #expect(share * sent + asked <= 150_000, "\(sent) bytes, \(reports) positions")
        #expect(reports >= 30)
    }
}
