import Bus
import Messages
import TestSupport
import Testing

/// Tests that transit-alert-service answers every message, whatever numbers it contains.
@Suite struct ExtremeRideTests {
    /// Returns messages with a value in each field.
    private func messages(_ journey: String) throws -> [any ProtobufMessage] {
        let fix = try #require(try Town.ride().first)
        var precise = fix
        (precise.accuracy, precise.speed) = (80, 500)
        let clock = JourneyClock(origin: fix.time, speed: 60)
        return [
            StartJourney(feed: "town", stopId: "4131", notice: 180_000, clock: clock),
            StartJourney(feed: "town", stopId: "4131", tripId: "none", clock: clock),
            StartJourney(feed: "town", stopId: "4131", notice: 180_000),
            RecordPositions(journeyId: journey, fixes: [precise]),
            ReadJourney(journeyId: journey), ListJourneys(), ListFeeds(),
            FindStops(text: "gen", near: fix.place, limit: 5),
            ImportFeed(feed: "x", path: "/none"), RemoveFeed(feed: "none"),
            ReadJob(jobId: "none"), ListJobs(), CancelJob(jobId: "none"),
            FinishJourney(journeyId: "none-such"),
        ]
    }

    @Test func `no number in a message about rides stops the service`() throws {
        let town = try Town()
        try town.load()
        let start = StartJourney(
            feed: "town", stopId: "4131", clock: JourneyClock(origin: 1, speed: 1))
        var journey = try town.client.ask(start, for: Journey.self)

        let wrong = try town.client.answersToExtremes(
            of: try messages(journey.id), from: { town.transit },
            prepare: { message in
                // Each position is for a ride that has none yet.
                guard var positions = message as? RecordPositions else { return message }
                _ = try town.client.ask(FinishJourney(journeyId: journey.id), for: Journey.self)
                journey = try town.client.ask(start, for: Journey.self)
                positions.journeyId = journey.id
                return positions
            })

        #expect(wrong == [])
        try town.restartTransit()
        let journeys = try town.client.ask(ListJourneys(), for: Journeys.self)
        #expect(!journeys.journeys.isEmpty)
        let again = try town.client.ask(start, for: Journey.self)
        _ = try town.client.ask(
            RecordPositions(journeyId: again.id, fixes: Array(try Town.ride().prefix(500))),
            for: Journey.self)
        #expect(town.transit.isRunning)
    }

    @Test func `a journey is deleted a month after its end`() throws {
        let town = try Town()
        try town.load()
        // One journey is under way; the others ended this many days ago.
        let ages: [Int64] = [0, 29, 31]
        let journeys = try ages.map { _ in
            try town.client.ask(StartJourney(feed: "town", stopId: "4131"), for: Journey.self).id
        }
        for id in journeys.dropFirst() {
            _ = try town.client.ask(FinishJourney(journeyId: id), for: Journey.self)
        }
        let kept = { try town.system.query(.transitAlert, "SELECT id FROM journey ORDER BY id") }
        #expect(try kept().count == 3)

        town.transit.kill()
        for (age, id) in zip(ages, journeys).dropFirst() {
            let ended = WallClock.milliseconds() - age * 24 * 3600 * 1000
            try town.system.edit(
                .transitAlert, "UPDATE journey SET ended = \(ended) WHERE id = '\(id)'")
        }
        try town.restartTransit()

        // Everything too old is deleted in one turn.
        try eventually("the oldest is deleted") { try kept().count < 3 }
        #expect(try kept() == journeys.prefix(2).sorted().map { [$0] })
    }

    @Test func `all journeys are listed, however many answers they take`() throws {
        let town = try Town()
        try town.load()
        var ids: [String] = []
        for _ in 0..<60 {
            let journey = try town.client.ask(
                StartJourney(feed: "town", stopId: "4131"), for: Journey.self)
            _ = try town.client.ask(FinishJourney(journeyId: journey.id), for: Journey.self)
            ids.append(journey.id)
        }

        let list = try town.system.run("steward", "transit", "journeys", "--all", "--json")

        #expect(list.end == .exited(0), "\(list.err)")
        #expect(ids.filter { !list.out.contains($0) } == [])
    }

    @Test func `a position has a time from 1970 to 9999`() throws {
        let town = try Town()
        try town.load()
        let journey = try town.client.ask(
            StartJourney(feed: "town", stopId: "4131"), for: Journey.self)
        var fix = try #require(try Town.ride().first)

        for time in [Int64.max, .max - 1, 253_402_300_800_000, 0, -1, .min] {
            fix.time = time
            let told = try town.refusal {
                _ = try town.client.ask(
                    RecordPositions(journeyId: journey.id, fixes: [fix]), for: Journey.self)
            }

            // 0 stands for a missing time; the others are out of range.
            let sentence =
                time == 0
                ? "position 1 has no time from 1970 to 9999"
                : "the transit.RecordPositions can't be read: transit.Fix.time is \(time); it has "
                    + "to be 0 to 253402300799999"
            #expect(told == sentence)
        }
    }
}
