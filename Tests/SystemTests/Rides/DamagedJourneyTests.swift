import Bus
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests that a journey that can't be read holds up no other.
@Suite(.serialized, .waiting) struct DamagedJourneyTests {
    @Test func `a journey that can't be read keeps no other out of a snapshot or a list`() throws {
        let town = try Town()
        try town.load()
        let ids = try (0..<3).map { _ in
            try town.client.ask(StartJourney(feed: "town", stopId: "4131"), for: Journey.self).id
        }
        town.transit.kill()
        try town.system.edit(
            .transitAlert, "UPDATE journey SET journey = x'FF' WHERE id = '\(ids[1])'")
        try town.restartTransit()

        let page = try town.client.replay(Replay(epoch: 1, limit: 500))
        let listed = try town.client.ask(ListJourneys(), for: Journeys.self).journeys

        #expect(page.snapshot)
        let told = try page.events.map { try Envelope(unpacking: $0) }
            .filter { $0.type == JourneyStarted.protobufName }.map(\.subject)
        #expect(told == [ids[0], ids[2]])
        #expect(listed.map(\.id) == [ids[2], ids[0]])
        let refused = try town.refusal {
            _ = try town.client.ask(RemoveFeed(feed: "town"), for: FeedRemoved.self)
        }
        #expect(refused.contains("a journey uses feed town"))
    }

    @Test func `a journey that can't be read is ended and reported when its time is over`() throws {
        let town = try Town()
        try town.load()
        let id = try town.client.ask(
            StartJourney(feed: "town", stopId: "4131"), for: Journey.self
        ).id
        town.transit.kill()
        try town.system.edit(
            .transitAlert,
            """
            UPDATE journey SET journey = x'FF' WHERE id = '\(id)';
            UPDATE timer SET due = 1 WHERE kind = 'end' AND subject = '\(id)'
            """)
        try town.restartTransit()

        try eventually("the feed can be removed") {
            try town.system.query(.transitAlert, "SELECT isActive FROM journey") == [["0"]]
        }
        _ = try town.client.ask(RemoveFeed(feed: "town"), for: FeedRemoved.self)
        let aside = try town.system.published(by: .transitAlert)
            .filter { $0.type == SetAside.protobufName }
        #expect(try aside.map { try SetAside(unpacking: $0.data).type } == ["journey"])
    }
}
