import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests that a passenger is alerted in time, with the built services as a person would use them.
@Suite(.serialized, .waiting) struct JourneyTests {
    /// Starts a journey to the stop of the demo's ride, with a clock that runs `speed` times as
    /// fast.
    private func start(_ town: Town, speed: UInt32 = 1) throws -> (Journey, [Fix]) {
        try town.load()
        let ride = try Town.ride()
        let journey = try town.client.ask(
            StartJourney(
                feed: "town", stopId: "4131",
                clock: JourneyClock(origin: ride[0].time, speed: speed)),
            for: Journey.self)
        return (journey, ride)
    }

    private func send(_ fixes: ArraySlice<Fix>, _ journey: Journey, _ town: Town) throws {
        for begin in stride(from: fixes.startIndex, to: fixes.endIndex, by: 20) {
            let some = Array(fixes[begin..<min(begin + 20, fixes.endIndex)])
            _ = try town.client.ask(
                RecordPositions(journeyId: journey.id, fixes: some), for: Journey.self)
        }
    }

    @Test func `a ride gets alerts to get ready, to get off, and that it passed, each once`() throws
    {
        let town = try Town()
        let (journey, ride) = try start(town)

        try send(ride[...], journey, town)

        try eventually("the notifier has all") { try town.alerts().count >= 3 }
        let alerts = try town.alerts()
        #expect(
            alerts.map { $0.raised?.kind } == ["transit.getReady", "transit.now", "transit.passed"])
        try eventually("only the last is open") {
            try town.alerts().map(\.state) == [.withdrawn, .withdrawn, .open]
        }
        let body = try #require(alerts.last?.raised?.body)
        #expect(body.contains("Get off at the next stop, "), "\(body)")
        #expect(body.contains("from there it is"), "\(body)")
    }

    @Test func `a first position from the future silences no ride`() throws {
        let town = try Town()
        var (journey, ride) = try start(town)
        ride[0].time = 253_402_300_799_000
        // The first batch has nothing but that position, and the second has it again.
        try send(ride[..<1], journey, town)

        try send(ride[...], journey, town)

        try eventually("the notifier has all") { try town.alerts().count >= 3 }
        #expect(
            try town.alerts().map { $0.raised?.kind } == [
                "transit.getReady", "transit.now", "transit.passed",
            ])
        journey = try town.client.ask(FinishJourney(journeyId: journey.id), for: Journey.self)
        #expect(journey.fixes == UInt64(ride.count))
    }

    @Test func `whatever is killed on the way, each alert comes once`() throws {
        let town = try Town()
        let (journey, ride) = try start(town)

        for (number, begin) in stride(from: 0, to: ride.count, by: 120).enumerated() {
            try send(ride[begin..<min(begin + 120, ride.count)], journey, town)
            if number % 2 == 0 { try town.restartTransit() } else { try town.restartNotifier() }
        }

        try eventually("the notifier has all") { try town.alerts().count >= 3 }
        #expect(
            try town.alerts().map { $0.raised?.kind } == [
                "transit.getReady", "transit.now", "transit.passed",
            ])
    }

    @Test func `losing the signal doesn't silence the alarm`() throws {
        let town = try Town()
        let (journey, ride) = try start(town, speed: 200)

        try send(ride[..<200], journey, town)

        var alerts: [Alert] = []
        try eventually("both alarms have come") {
            alerts = try town.alerts()
            return alerts.count >= 2
        }
        // At this speed the stop may have been passed by now.
        #expect(alerts.prefix(2).map { $0.raised?.kind } == ["transit.getReady", "transit.now"])
        #expect(alerts[1].raised?.body.contains("estimated") == true)
    }

    @Test func `an alarm that is due while the service is down comes when it is back`() throws {
        let town = try Town()
        let (journey, ride) = try start(town, speed: 200)
        try send(ride[..<200], journey, town)
        let due = try town.client.ask(ReadJourney(journeyId: journey.id), for: Journey.self).due
        town.transit.kill()
        try eventually("the alarm is due") { WallClock.milliseconds() > due }

        try town.restartTransit()

        try eventually("it has come") {
            try town.alerts().first?.raised?.kind == "transit.getReady"
        }
    }

    @Test func `the alert that a vehicle left its line is withdrawn when it is back`() throws {
        let town = try Town()
        var (journey, ride) = try start(town)
        // For three minutes it is half a kilometre away from its line.
        let away: Range<Int64> = 300_000..<480_000
        for index in ride.indices where away.contains(ride[index].time - ride[0].time) {
            ride[index].place.latitudeE7 += 45_000
        }

        try send(ride[...], journey, town)

        try eventually("the notifier has all") { try town.alerts().count >= 4 }
        let alerts = try town.alerts()
        #expect(
            alerts.map { $0.raised?.kind } == [
                "transit.offRoute", "transit.getReady", "transit.now", "transit.passed",
            ])
        try eventually("only the last is open") {
            try town.alerts().map(\.state) == [.withdrawn, .withdrawn, .withdrawn, .open]
        }
        journey = try town.client.ask(FinishJourney(journeyId: journey.id), for: Journey.self)
        try eventually("nothing is left open") {
            try town.alerts().allSatisfy { $0.state == .withdrawn }
        }
    }

    @Test func `a vehicle that stands for long raises an alert, withdrawn when it moves`() throws {
        let town = try Town()
        let (journey, ride) = try start(town)
        // For nearly seven minutes it stands between two stops.
        let last = ride[280]
        let wait = stride(from: Int64(5_000), to: 400_000, by: 5_000).map {
            Fix(time: last.time + $0, place: last.place, accuracy: 80)
        }
        let rest = ride[281...].map { fix -> Fix in
            var later = fix
            later.time += 400_000
            return later
        }

        let fixes: [Fix] = Array(ride[...280]) + wait + rest
        try send(fixes[...], journey, town)

        try eventually("the notifier has all") { try town.alerts().count >= 4 }
        let alerts = try town.alerts()
        #expect(
            alerts.map { $0.raised?.kind } == [
                "transit.standing", "transit.getReady", "transit.now", "transit.passed",
            ])
        #expect(alerts[0].severity == .info)
        try eventually("only the last is open") {
            try town.alerts().map(\.state) == [.withdrawn, .withdrawn, .withdrawn, .open]
        }
    }

    @Test func `the passenger's positions are deleted with the journey`() throws {
        let town = try Town()
        let (journey, ride) = try start(town)
        try send(ride[..<300], journey, town)
        let ridden = try town.system.query(.transitAlert, "SELECT ride FROM journey")
        let places = ride[..<300].map(\.place)
        #expect(ridden[0][0] != "NULL")
        #expect(try !town.traces(of: places).isEmpty)

        let ended = try town.client.ask(FinishJourney(journeyId: journey.id), for: Journey.self)

        #expect(ended.stage == .finished)
        #expect(try town.system.query(.transitAlert, "SELECT ride FROM journey") == [["NULL"]])
        try eventually("no file has a place any longer") { try town.traces(of: places).isEmpty }
        let refusal = try town.refusal { try send(ride[300..<301], journey, town) }
        #expect(refusal == "journey \(journey.id) has ended; start another one")
    }

    @Test func `no event and no kept reply says how far a ride had come`() throws {
        let town = try Town()
        let (journey, ride) = try start(town)
        try send(ride[...], journey, town)
        let read = ReadJourney(journeyId: journey.id)
        #expect(try town.client.ask(read, for: Journey.self).metres != nil)

        _ = try town.client.ask(FinishJourney(journeyId: journey.id), for: Journey.self)

        let replies = try town.system.replies(keptBy: .transitAlert)
            .filter { $0.type == Journey.protobufName }
            .map { try Journey(unpacking: $0.data) }
        // The start, the positions, and the end.
        #expect(replies.count == 2 + (ride.count + 19) / 20)
        let events = try town.system.published(by: .transitAlert)
        let told = try events.compactMap { event -> Journey? in
            switch event.type {
            case JourneyStarted.protobufName: try JourneyStarted(unpacking: event.data).journey
            case JourneyAdvanced.protobufName: try JourneyAdvanced(unpacking: event.data).journey
            case JourneyFinished.protobufName: try JourneyFinished(unpacking: event.data).journey
            default: nil
            }
        }
        #expect(told.map(\.stage).contains(.passed) && told.last?.stage == .finished)
        for kept in replies + told {
            #expect(kept.id == journey.id)
            #expect(kept.metres == nil && kept.remaining == nil && kept.foreseen == nil)
            #expect(kept.due == 0 && !kept.estimated)
        }
    }

    @Test func `positions that are sent again are answered with the journey as it is then`() throws
    {
        let town = try Town()
        let (journey, ride) = try start(town)
        try send(ride[..<180], journey, town)
        let command = RecordPositions(journeyId: journey.id, fixes: Array(ride[180..<200]))
        let id = town.client.makeID()
        let first = try town.client.ask(command, for: Journey.self, id: id)

        try town.restartTransit()
        let again = try town.client.ask(command, for: Journey.self, id: id)

        #expect(first.metres != nil && first.due > 0)
        #expect(again.metres == first.metres && again.due == first.due)
        #expect(again.fixes == 200)
        _ = try town.client.ask(FinishJourney(journeyId: journey.id), for: Journey.self)
        let last = try town.client.ask(command, for: Journey.self, id: id)
        #expect(last.stage == .finished && last.metres == nil && last.due == 0)
    }

    @Test func `a ride that ended before a crash is deleted after it`() throws {
        let town = try Town()
        let (journey, ride) = try start(town)
        try send(ride[..<300], journey, town)
        let places = ride[..<300].map(\.place)
        town.transit.kill()
        // This is the state after a crash directly following the commit.
        let crash = try town.system.spawn(
            [
                "/usr/bin/sqlite3", town.system.store(.transitAlert),
                ".dbconfig no_ckpt_on_close on",
                "UPDATE journey SET ride = NULL, isActive = 0",
            ], environment: [:])
        try #require(try crash.waitForEnd() == .exited(0), "\(crash.err)")
        #expect(try !town.traces(of: places).isEmpty)

        try town.restartTransit()

        try eventually("no file has a place any longer") { try town.traces(of: places).isEmpty }
    }

    @Test func `no position is in a log`() throws {
        let town = try Town()
        let (journey, ride) = try start(town)
        try send(ride[...], journey, town)

        let log = town.transit.err + town.notifier.err

        #expect(log.contains("transit.RecordPositions"))
        for fix in ride {
            // Six digits identify a place within a few metres, however the decimal point is
            // written.
            let digits = String(fix.place.latitudeE7).prefix(6)
            #expect(
                !log.contains(digits) && !log.contains(digits.prefix(2) + "." + digits.dropFirst(2))
            )
        }
    }

    @Test func `a timetable is replaced while a ride is under way`() throws {
        let town = try Town()
        let (journey, ride) = try start(town)
        try send(ride[..<300], journey, town)

        try town.load()
        try town.restartTransit()
        try send(ride[300...], journey, town)

        try eventually("the ride was alerted") { try town.alerts().count >= 3 }
        _ = try town.client.ask(FinishJourney(journeyId: journey.id), for: Journey.self)
        try eventually("the old file is gone") {
            try FileManager.default.contentsOfDirectory(atPath: town.system.path("data/feeds"))
                .count == 1
        }
    }

    @Test func `a bad timetable is refused with its place, and the old one stays`() throws {
        let town = try Town()
        try town.load()
        let bad = town.system.path("bad")
        try FileManager.default.copyItem(atPath: Town.feed, toPath: bad)
        let stops = bad + "/stops.txt"
        let text = try String(contentsOfFile: stops, encoding: .utf8)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        lines[5] = lines[5].replacing("54.", with: "north", maxReplacements: 1)
        try lines.joined(separator: "\n").write(toFile: stops, atomically: true, encoding: .utf8)

        let job = try town.load(bad)

        #expect(job.state == .failed)
        #expect(job.message.hasPrefix("stops.txt, line 6"))
        let feeds = try town.client.ask(ListFeeds(), for: Feeds.self)
        #expect(feeds.feeds.map(\.name) == ["town"])
        let found = try town.client.ask(FindStops(text: "general hos"), for: Stops.self)
        #expect(found.stops.map(\.id).sorted() == ["4131", "4132"])
    }

    @Test func `one timetable too many is refused, but a new edition isn't`()
        throws
    {
        let town = try Town()
        try town.load()
        town.transit.kill()
        let copies = try town.system.spawn(
            [
                "/usr/bin/sqlite3", town.system.store(.transitAlert),
                """
                WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number LIMIT 99)
                INSERT INTO feed (name, file, feed)
                SELECT 'copy' || n, feed.file, feed.feed FROM number, feed
                """,
            ], environment: [:])
        try #require(try copies.waitForEnd() == .exited(0), "\(copies.err)")
        try town.restartTransit()

        let refusal = try town.refusal { try town.load(as: "one-more") }
        let edition = try town.load()

        #expect(refusal == "there are 100 timetables, and at most 100 are kept; remove one first")
        #expect(edition.state == .succeeded)
        #expect(try town.client.ask(ListFeeds(), for: Feeds.self).feeds.count == 100)
    }

    @Test func `a ride that isn't possible is refused in a sentence`() throws {
        let town = try Town()
        func refusal(_ command: StartJourney) throws -> String {
            try town.refusal { _ = try town.client.ask(command, for: Journey.self) }
        }

        #expect(
            try refusal(StartJourney(feed: "town", stopId: "4131")).hasPrefix(
                "there is no feed yet"))
        try town.load()

        #expect(
            try refusal(StartJourney(feed: "twon", stopId: "4131"))
                == "there is no feed “twon”; the known ones are town")
        #expect(try refusal(StartJourney(feed: "town", stopId: "1")).contains("has no stop 1"))
        #expect(
            try refusal(StartJourney(feed: "town", stopId: "4131", route: "99"))
                == "route 99 does not call at 4131; these do: 7")
        #expect(
            try refusal(StartJourney(feed: "town", stopId: "4131", notice: 1000)).contains("notice")
        )
        #expect(
            try town.refusal {
                _ = try town.client.ask(RemoveFeed(feed: "x"), for: FeedRemoved.self)
            }
                == "there is no feed “x”; the known ones are town")
    }
}
