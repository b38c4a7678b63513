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

    @Test func `what was acknowledged is there, once, however often the service is killed`() throws
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

    @Test func `a new follower is told the days and their alerts`() throws {
        let system = try System()
        try system.launch("routine-service").waitUntilReady()
        let client = try system.client(of: .routine)
        // It is noon there, so that the day has room for an action now.
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

    @Test func `no alert of a day is told twice, however often the service is killed`() throws {
        let home = try Household()
        try home.makeRoutines()
        try home.run("day plan --tag morning --tag afternoon")
        try home.run("day confirm")
        for minute in [0, 1, 2] {
            try home.setClock(to: "07:0\(minute)")
            home.killService()
            try home.startService()
        }
        try eventually("it is told what is to be done now") {
            try home.alerts().contains { $0.contains("Now: Brush your teeth") }
        }
        try home.run("day done")
        home.killService()
        try home.startService()
        try eventually("it is told what comes then") {
            try home.alerts().contains { $0.contains("Now: Eat breakfast") }
        }
        let raised = try home.rows("alerts list --all")
            .compactMap { ($0["raised"] as? [String: Any])?["title"] as? String }
        #expect(raised.count == Set(raised).count, "\(raised)")
        let told = try home.system.published(by: .routine)
            .filter { $0.type == AlertRaised.protobufName }
            .map { try AlertRaised(unpacking: $0.data).title }
        #expect(told.count == Set(told).count, "\(told)")
    }
}
