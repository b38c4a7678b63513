import Bus
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests how long the destinations of a passenger are kept.
@Suite(.serialized, .waiting) struct DestinationTests {
    @Test func `T10 where somebody rode to is deleted after 30 days, except favourites`() throws {
        let town = try Town()
        try town.load()
        for stop in ["4131", "4111", "4115"] {
            let journey = try town.client.ask(
                StartJourney(feed: "town", stopId: stop), for: Journey.self)
            _ = try town.client.ask(FinishJourney(journeyId: journey.id), for: Journey.self)
        }
        _ = try town.client.ask(
            MarkFavourite(feed: "town", stopId: "4111", favourite: true), for: Destinations.self)
        town.transit.kill()
        // One of them was ridden to 29 days ago, the others two days earlier.
        try town.system.edit(
            .transitAlert,
            """
            UPDATE destination
            SET used = used - CASE stop WHEN '4115' THEN 29 ELSE 31 END * 24 * 3600 * 1000
            """)

        try town.restartTransit()

        var left: [Destination] = []
        try eventually("one of them is deleted") {
            left = try town.client.ask(ListDestinations(), for: Destinations.self).destinations
            return left.count < 3
        }
        left.sort { $0.stopId < $1.stopId }
        #expect(left.map(\.stopId) == ["4111", "4115"])
        #expect(left.map(\.journeys) == [0, 1])
        #expect(left.map { $0.used > 0 } == [false, true])
    }
}
