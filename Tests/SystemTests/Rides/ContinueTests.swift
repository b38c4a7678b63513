import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests rides that go on after their stop, and rides from which the alarm learns.
@Suite(.serialized, .waiting) struct ContinueTests {
    private let town: Town
    private let user: CommandLineUser

    init() throws {
        town = try Town()
        try town.load()
        user = CommandLineUser(of: town.system, device: "phone")
    }

    private func start(to stop: String) throws -> (Journey, [Fix]) {
        let ride = try Town.ride()
        let journey = try town.client.ask(
            StartJourney(
                feed: "town", stopId: stop,
                clock: JourneyClock(origin: ride[0].time, speed: 1)), for: Journey.self)
        return (journey, ride)
    }

    @discardableResult
    private func send(_ fixes: ArraySlice<Fix>, _ journey: Journey) throws -> Journey {
        var last = journey
        for begin in stride(from: fixes.startIndex, to: fixes.endIndex, by: 20) {
            let some = Array(fixes[begin..<min(begin + 20, fixes.endIndex)])
            last = try town.client.ask(
                RecordPositions(journeyId: journey.id, fixes: some), for: Journey.self)
        }
        return last
    }

    @Test func `T7 a ride that has passed its stop continues to the next, with a new alarm`() throws
    {
        let (journey, ride) = try start(to: "4125")
        #expect(try user.say("transit continue").err.contains("no journey"))
        #expect(
            try user.say("transit continue \(journey.id)").err.contains("has not been passed"))
        var sent = 0
        while sent < ride.count {
            let end = min(sent + 20, ride.count)
            let now = try send(ride[sent..<end], journey)
            sent = end
            if now.stage == .passed { break }
        }
        try eventually("it is told") {
            try town.alerts().contains { $0.raised?.kind == "transit.passed" }
        }

        #expect(try user.say("transit continue --to 4101").err.contains("not ahead"))
        // Its namesake on the other side of the road isn't on the line.
        let next = try user.answer("transit continue --to 'general hospital'")

        #expect((next["stop"] as? [String: Any])?["id"] as? String == "4131")
        #expect(next["stage"] as? String == "riding")
        try eventually("the alert is withdrawn") {
            try town.alerts().allSatisfy { $0.state != .open }
        }
        let end = try send(ride[sent...], journey)
        #expect(end.stage == .passed || end.stage == .now)
        try eventually("it is told to get off again") {
            try town.alerts().count { $0.raised?.kind == "transit.now" } == 2
        }
        #expect(try user.run("transit continue").contains("going on to"))
    }

    @Test func `T7 a ride that has passed its stop names the next one, and no event does`() throws {
        let (journey, ride) = try start(to: "4125")
        var (sent, now) = (0, journey)
        while sent < ride.count, now.stage != .passed {
            #expect(now.next == nil && now.back == nil)
            let end = min(sent + 20, ride.count)
            now = try send(ride[sent..<end], journey)
            sent = end
        }

        let next = try #require(now.next)
        #expect(next.id != "4125" && next.code == next.id && next.headsigns == ["Hill Road"])
        #expect((now.back ?? 0) > 100)
        let told = try town.system.published(by: .transitAlert)
            .filter { $0.type == JourneyAdvanced.protobufName }
            .map { try JourneyAdvanced(unpacking: $0.data).journey }
        #expect(told.last?.stage == .passed)
        #expect(told.allSatisfy { $0.next == nil && $0.back == nil })

        let onward = try town.client.ask(
            ContinueJourney(journeyId: journey.id, stopId: next.id), for: Journey.self)
        #expect(onward.stop == next)
        #expect(onward.next == nil && onward.back == nil)
    }

    @Test func `T7 a passenger who is done hears nothing more, and is asked for the next stop`()
        throws
    {
        let recording = Town.root + "/deploy/demo/ride.csv"
        try user.run("transit ride '\(recording)' --to 4131 --speed 400 --get-off --no-finish")
        try eventually("it is told") {
            try town.alerts().contains { $0.raised?.kind == "transit.now" }
        }
        let id = try #require(try user.rows("transit journeys").first?["id"] as? String)

        let done = try user.run("transit finish \(id)")

        #expect(done == "finished the journey to General Hospital\n")
        #expect(try user.rows("transit journeys").isEmpty)
        try eventually("no alert is open") { try user.rows("alerts list").isEmpty }
        let next = try user.terminal("transit ride '\(recording)'")
        try next.waitFor("Where do you get off?")
        try next.waitFor("> General Hospital")
        try next.type("\u{1B}")
        #expect(try next.waitForEnd() == 130)
    }

    @Test func `T7 a passenger who rides on is followed without further alerts, if they want that`()
        throws
    {
        let silent = "transit continue --without-alerts"
        let (journey, ride) = try start(to: "4131")
        #expect(try user.say(silent).err.contains("no journey under way has told you to get off"))
        #expect(
            try user.say("\(silent) \(journey.id)").err.contains("it is not time to get off yet"))
        #expect(try user.say("\(silent) --to 4133").end == .exited(64))
        var (sent, now) = (0, journey)
        while sent < ride.count, now.stage != .now {
            let end = min(sent + 20, ride.count)
            now = try send(ride[sent..<end], journey)
            sent = end
        }
        try eventually("it is told") {
            try town.alerts().contains { $0.raised?.kind == "transit.now" }
        }

        #expect(try user.answer(silent)["id"] as? String == journey.id)

        try eventually("no alert is open") { try user.rows("alerts list").isEmpty }
        try town.restartTransit()
        let end = try send(ride[sent...], journey)
        #expect(end.fixes == UInt64(ride.count) && end.stage == .now)
        #expect(end.remaining == nil && end.metres == nil && end.due == 0 && end.silent)
        let raised = try town.system.published(by: .transitAlert)
            .filter { $0.type == AlertRaised.protobufName }
            .map { try AlertRaised(unpacking: $0.data).kind }
        #expect(raised == ["transit.getReady", "transit.now"])
        #expect(try user.run("transit journeys").contains("General Hospital"))
        // The alarm is back, in case the passenger wants to get off after all.
        #expect(try user.run("transit continue").contains("going on to "))
        #expect(
            try !town.client.ask(ReadJourney(journeyId: journey.id), for: Journey.self).silent)
        #expect(try user.run("transit finish \(journey.id)").contains("finished the journey to"))
    }

    @Test func `a ride that goes on no longer says that its vehicle leaves out the stop`() throws {
        let (journey, ride) = try start(to: "4125")
        try send(ride[..<20], journey)
        var now = try town.client.ask(
            RecordForecast(journeyId: journey.id, made: ride[0].time, cancelled: true),
            for: Journey.self)
        #expect(now.skipped)
        var sent = 20
        while sent < ride.count, now.stage != .passed {
            let end = min(sent + 20, ride.count)
            now = try send(ride[sent..<end], journey)
            sent = end
        }
        #expect(now.stage == .passed && now.skipped)

        let next = try town.client.ask(
            ContinueJourney(journeyId: journey.id, stopId: "4131"), for: Journey.self)

        #expect(next.stage == .riding && !next.skipped)
    }

    @Test func `T4 the alarm learns from rides only by choice, and without a trace of who rode`()
        throws
    {
        func learned() throws -> Int {
            try user.rows("transit feeds").first?["learned"] as? Int ?? 0
        }
        let (first, ride) = try start(to: "4131")
        try send(ride[...], first)
        try user.run("transit finish \(first.id)")
        #expect(try learned() == 0)

        #expect(try user.answer("transit settings --teach")["teaches"] as? Bool == true)
        let (second, _) = try start(to: "4131")
        #expect(try send(ride[...], second).learned == false)
        try user.run("transit finish \(second.id)")

        #expect(try learned() > 10)
        let columns = try town.system.query(
            .transitAlert, "SELECT name FROM pragma_table_info('travelTime') ORDER BY cid")
        #expect(
            columns == [
                ["feed"], ["route"], ["origin"], ["destination"], ["band"], ["rides"], ["seconds"],
                ["dwells"], ["dwell"], ["taught"],
            ])
        try eventually("no file has a place") { try town.traces(of: ride.map(\.place)).isEmpty }
        #expect(
            try town.system.query(
                .transitAlert,
                "SELECT 1 FROM travelTime WHERE seconds / rides NOT BETWEEN 5 AND 1800"
            ).isEmpty)

        try town.restartTransit()
        let (third, _) = try start(to: "4131")
        let state = try send(ride[..<700], third)
        #expect(state.learned)
        try user.run("transit finish \(third.id)")
        try user.run("transit remove town")
        #expect(
            try town.system.query(.transitAlert, "SELECT 1 FROM travelTime").isEmpty)
    }
}
