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

    @Test func `T2 to choose from, favourites come first, then the most recent, with their signs`()
        throws
    {
        let town = try Town()
        try town.load()
        for stop in ["4131", "4111", "4115"] {
            let journey = try town.client.ask(
                StartJourney(feed: "town", stopId: stop), for: Journey.self)
            _ = try town.client.ask(FinishJourney(journeyId: journey.id), for: Journey.self)
        }
        _ = try town.client.ask(
            MarkFavourite(feed: "town", stopId: "4131", favourite: true), for: Destinations.self)
        func choices(_ most: UInt32) throws -> [Destination] {
            try town.client.ask(ListDestinations(choices: most), for: Destinations.self)
                .destinations
        }

        #expect(try choices(20).map(\.stopId) == ["4131", "4115", "4111"])
        #expect(try choices(2).map(\.stopId) == ["4131", "4115"])
        let stop = try #require(try choices(1).first?.stop)
        #expect(stop.id == "4131" && stop.code == "4131" && stop.headsigns == ["Hill Road"])
        let all = try town.client.ask(ListDestinations(), for: Destinations.self).destinations
        #expect(all.map(\.stopId) == ["4115", "4111", "4131"])
        #expect(all.allSatisfy { $0.stop == nil })
        // A stop that no timetable has can't be ridden to.
        _ = try town.client.ask(RemoveFeed(feed: "town"), for: FeedRemoved.self)
        #expect(try choices(20).isEmpty)
    }
}
