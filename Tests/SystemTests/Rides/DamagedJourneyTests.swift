import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests that a journey or a timetable that can't be read holds up no other.
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

    /// Damages a page of a timetable, and restarts the service.
    private func damage(_ table: String, of feed: String, _ town: Town) throws {
        town.transit.kill()
        let file = try #require(
            try town.system.query(
                .transitAlert, "SELECT file FROM feed WHERE name = '\(feed)'"
            ).first?.first)
        let path = town.system.path("data/feeds/\(file)")
        let root = try town.system.spawn(
            [
                "/usr/bin/sqlite3", path,
                "SELECT (rootpage - 1) * 4096 FROM sqlite_schema WHERE name = '\(table)'",
            ], environment: [:])
        try #require(try root.waitForEnd() == .exited(0), "\(root.err)")
        let offset = try #require(
            UInt64(root.out.trimmingCharacters(in: .whitespacesAndNewlines)))
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        try handle.seek(toOffset: offset)
        try handle.write(contentsOf: Data(repeating: 0xFF, count: 4_096))
        try handle.close()
        try town.restartTransit()
    }

    @Test func `a damaged timetable is named to those who need it, and nobody else notices`() throws
    {
        let town = try Town()
        try town.load()
        try town.load(as: "other")
        func start(in feed: String) throws -> Journey {
            try town.client.ask(StartJourney(feed: feed, stopId: "4131"), for: Journey.self)
        }
        try damage("pattern", of: "town", town)

        let refused = [
            try town.refusal { _ = try start(in: "town") },
            try town.refusal {
                _ = try town.client.ask(FindStops(text: "hosp", feed: "town"), for: Stops.self)
            },
        ]

        let sentence =
            "the file of the timetable town is missing or damaged; import it again with steward "
            + "transit import, and begin rides under way again"
        #expect(refused == [sentence, sentence])
        let found = try town.client.ask(FindStops(text: "hosp"), for: Stops.self)
        #expect(Set(found.stops.map(\.feed)) == ["other"])
        #expect(found.damaged == ["town"])
        let said = try town.system.run("steward", "transit", "stops", "hosp")
        #expect(said.out.contains("General Hospital"))
        #expect(said.err.contains("not searched, because the file is missing or damaged: town;"))
        let lines = town.transit.err.split(separator: "\n")
            .filter { $0.contains("event=left out") && $0.contains("-town.sqlite cannot be read") }
        #expect(lines.count == 1)
        #expect(try start(in: "other").stage == .riding)
        #expect(town.transit.isRunning)
        try town.load()
        #expect(try start(in: "town").stage == .riding)
    }

    @Test func `a ride whose timetable is damaged is still alerted, and can be ended`() throws {
        let town = try Town()
        try town.load()
        _ = try town.client.ask(ChangeTraveller(teaches: true), for: Traveller.self)
        let ride = try Town.ride()
        let journey = try town.client.ask(
            StartJourney(
                feed: "town", stopId: "4131",
                clock: JourneyClock(origin: ride[0].time, speed: 100)),
            for: Journey.self)
        func send(_ fixes: ArraySlice<Fix>) throws {
            _ = try town.client.ask(
                RecordPositions(journeyId: journey.id, fixes: Array(fixes)), for: Journey.self)
        }
        try send(ride[..<300])

        try damage("pattern", of: "town", town)

        let refused = try town.refusal { try send(ride[300..<301]) }
        #expect(refused.contains("the timetable town is missing or damaged"))
        try eventually("both alarms have come") {
            let kinds = try town.alerts().compactMap { $0.raised?.kind }
            return Set(kinds).isSuperset(of: ["transit.getReady", "transit.now"])
        }
        let ended = try town.client.ask(FinishJourney(journeyId: journey.id), for: Journey.self)
        #expect(ended.stage == .finished)
        #expect(try town.system.query(.transitAlert, "SELECT ride FROM journey") == [["NULL"]])
        let aside = try town.system.published(by: .transitAlert)
            .filter { $0.type == SetAside.protobufName }
            .map { try SetAside(unpacking: $0.data) }
        #expect(aside.count >= 2 && aside.allSatisfy { $0.type == "timetable" })
        #expect(aside.last?.reason.contains("-town.sqlite cannot be read") == true)
        #expect(town.transit.isRunning)
    }
}
