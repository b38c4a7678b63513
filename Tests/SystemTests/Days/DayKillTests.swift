import Bus
import Foundation
import Messages
import TestSupport
import Testing

/// Kills routine-service again and again while somebody goes through a day.
struct DayKillTests {
    /// The number of kills: `DAY_KILLS`, or 30 by default.
    private static let kills =
        ProcessInfo.processInfo.environment["DAY_KILLS"].flatMap { Int($0) } ?? 30

    @Test func `acknowledged data is there exactly once, however often the service is killed`()
        throws
    {
        let system = try System()
        var service = try system.launch("routine-service")
        try service.waitUntilReady()
        let client = try system.client(of: .routine)
        var seed = Seed(2_027)
        var kept: Set<String> = []
        for number in 0..<Self.kills {
            // A few commands are pending when it is killed; those without an answer are sent again.
            var sent: [MessageID: String] = [:]
            for index in 0..<5 {
                let name = "action \(number).\(index)"
                let id = try client.send(
                    KeepAction(action: RoutineAction(name: name, minutes: 5)),
                    deadline: .seconds(60))
                sent[id] = name
            }
            let end = ContinuousClock.now + .microseconds(seed.below(20_000))
            func take(_ answers: [Client.Answer]) throws {
                for answer in answers {
                    let own = try Client.unpack(answer.result.get(), as: OwnAction.self)
                    #expect(own.id == "\(answer.id)")
                    if let name = sent.removeValue(forKey: answer.id) { kept.insert(name) }
                }
            }
            while ContinuousClock.now < end { try take(client.receive(within: .milliseconds(1))) }
            service.kill()
            service = try system.launch("routine-service")
            try service.waitUntilReady()
            while client.inFlight > 0 { try take(client.receive(within: .milliseconds(50))) }
            #expect(sent.isEmpty)
            // A person may have only a limited number of own actions.
            if kept.count > 400 {
                for name in kept {
                    _ = try client.ask(
                        ForgetAction(action: name), for: OwnAction.self, deadline: .seconds(60))
                }
                kept = []
            }
            let listed = try client.ask(
                ListOwnActions(), for: OwnActions.self, deadline: .seconds(60)
            ).actions.compactMap { $0.action?.name }
            #expect(listed.count == kept.count && Set(listed) == kept)
        }
    }

    @Test func `a new follower gets the days and their alerts`() throws {
        let system = try System()
        try system.launch("routine-service").waitUntilReady()
        let client = try system.client(of: .routine)
        // Use a zone where it is noon, so that an action still fits into the day.
        let east = 12 - Int(WallClock.milliseconds() / 3_600_000 % 24)
        let zone = "Etc/GMT\(east < 0 ? "+" : "-")\(abs(east))"
        let routine = try client.ask(
            KeepRoutine(
                routine: Routine(
                    name: "Walk", actions: [RoutineAction(name: "Walk", minutes: 60)],
                    until: 1_440)), for: Routine.self, deadline: .seconds(60))
        _ = try client.ask(
            PlanDay(routines: [routine.id], timeZone: zone), for: Day.self, deadline: .seconds(60))
        let day = try client.ask(
            ChangeDay(change: .confirm(true)), for: Day.self, deadline: .seconds(60))
        try eventually("it is told what is to be done now") {
            try system.published(by: .routine).contains { $0.type == AlertRaised.protobufName }
        }

        let page = try client.replay(Replay(epoch: 1, limit: 500))
        #expect(page.snapshot)
        let told = try page.events.map { try Envelope(unpacking: $0) }
        let days = try told.filter { $0.type == DayChanged.protobufName }
            .map { try DayChanged(unpacking: $0.data).day }
        #expect(days.map(\.?.date) == [day.date])
        #expect(told.contains { $0.type == AlertRaised.protobufName })
    }

    @Test func `what is done in a day counts once, and no alert comes twice, despite kills`()
        throws
    {
        let home = try Household()
        // Four actions of five minutes and a pause: 25 minutes per routine.
        for number in 0...(Self.kills / 25 + 1) {
            let from = 420 + 25 * number
            let actions = (1...4).map { "--action 'Thing \(number).\($0):5'" }
            try home.run(
                "routine create 'Part \(number)' --tag part --from \(Self.clock(from)) "
                    + "--until \(Self.clock(from + 60)) \(actions.joined(separator: " "))")
        }
        try home.run("day plan --tag part")
        try home.run("day confirm")
        var seed = Seed(2_028)
        var acknowledged: Set<String> = []
        var successes = 0
        for number in 0..<Self.kills {
            // As the clock advances, actions begin and end; sometimes one is marked done, but not
            // so often that a routine is done before it begins, without an alert.
            try home.setClock(to: Self.clock(420 + number))
            let command = try number % 6 == 2 ? home.begin("day done --json") : nil
            let end = ContinuousClock.now + .milliseconds(seed.below(150))
            while ContinuousClock.now < end {}
            home.killService()
            try home.startService()
            if number % 6 == 5 { try Self.waitUntilTold(home) }
            guard let command else { continue }
            let way = try command.waitForEnd()
            // Between two routines there is nothing to mark.
            guard way != .exited(1) else { continue }
            #expect(way == .exited(0), "\(command.err)")
            let said = CommandLineUser.Said(end: way, out: command.out, err: "")
            acknowledged.formUnion(Self.done(try #require(try said.objects.first), home))
            successes += 1
        }
        let done = Self.done(try home.day(), home)
        #expect(done.isSuperset(of: acknowledged))
        #expect(done.count == successes && successes >= Self.kills / 6)

        let told = try Self.told(home)
        #expect(told.count == Set(told).count, "\(told)")
        #expect(told.count >= Self.kills / 7, "\(told)")
    }

    /// Waits until the alert for what it is time for was raised: on a busy machine, the service may
    /// not get to it before the next kill.
    private static func waitUntilTold(_ home: Household) throws {
        let items = try home.day()["items"] as? [[String: Any]] ?? []
        let current = items.flatMap { $0["steps"] as? [[String: Any]] ?? [] }.first {
            $0["state"] as? String == "unspecified" && $0["began"] is String
        }
        guard let action = current?["action"] as? [String: Any] else { return }
        let title = "Now: \(try #require(action["name"] as? String))"
        try eventually(title) { try told(home).contains(title) }
    }

    /// The titles of the alerts that were raised, in order.
    private static func told(_ home: Household) throws -> [String] {
        try home.system.published(by: .routine)
            .filter { $0.type == AlertRaised.protobufName }
            .map { try AlertRaised(unpacking: $0.data).title }
    }

    private static func clock(_ minutes: Int) -> String {
        String(format: "%02d:%02d", minutes / 60, minutes % 60)
    }

    /// The ids of a day's actions that are done.
    private static func done(_ day: [String: Any], _ home: Household) -> Set<String> {
        Set(home.states(day).filter { $0.hasSuffix(" done") })
    }
}
