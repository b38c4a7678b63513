import Bus
import Messages
import TestSupport
import TestThreads
import Testing

/// What a device sends that could not reach the service for a while.
@Suite(.serialized, .waiting) struct RecordingTests {
    private let system: System
    private let client: Client
    private let date: String

    /// Starts the service, and plans and confirms a day.
    init() throws {
        system = try System()
        try system.start("routine-service")
        client = try system.client(of: .routine)
        let tea = Appointment(name: "Tea", from: 600, until: 660)
        let day = try client.ask(
            PlanDay(date: "tomorrow", appointments: [tea]), for: Day.self, deadline: .seconds(60))
        date = day.date
        _ = try change(.confirm(true))
    }

    private func change(_ change: ChangeDay.Change) throws -> Day {
        try client.ask(
            ChangeDay(date: date, change: change), for: Day.self, deadline: .seconds(60))
    }

    private func record(_ operations: [DayOperation]) throws -> Day {
        try client.ask(
            RecordDay(date: date, operations: operations), for: Day.self, deadline: .seconds(60))
    }

    /// Walks that were taken; each is added to the day.
    private func walks(_ numbers: ClosedRange<UInt8>) -> [DayOperation] {
        numbers.map { number in
            DayOperation(
                id: [UInt8](repeating: number, count: 16), time: 1,
                action: RoutineAction(name: "Walk \(number)", minutes: 10), what: .done(true))
        }
    }

    @Test func `a device sends at most 200 operations at once, so that nobody waits for it`() throws
    {
        let refusal = #expect(throws: ClientError.self) {
            try record(walks(1...201))
        }
        #expect(refusal?.description.contains("at most 200 operations at once") == true)
        // Nothing of it was kept.
        #expect(try record(walks(1...200)).items.count == 201)
    }

    @Test func `the last 50 of many recorded operations can be undone`() throws {
        #expect(try record(walks(1...60)).items.count == 61)
        for left in (10..<60).reversed() {
            #expect(try change(.undo(true)).items.count == left + 1)
        }
        #expect(throws: ClientError.self) { try change(.undo(true)) }
    }

    @Test func `what a device has sent isn't lost when the confirmation is undone`() throws {
        #expect(try change(.undo(true)).state == .proposed)
        #expect(try record(walks(1...1)).items.count == 1)
        #expect(try change(.confirm(true)).items.count == 2)
        let undone = try change(.undo(true))
        #expect(undone.state == .proposed && undone.items.count == 1)

        let confirmed = try change(.confirm(true))

        let walk = try #require(confirmed.items.first { $0.name != "Tea" })
        #expect(walk.steps.map(\.state) == [.done])
        // Sent once more, it is known.
        #expect(try record(walks(1...1)).items.count == 2)
    }

    @Test(arguments: [true, false])
    func `what was recorded before or after a day is replanned counts when it is confirmed`(
        isBefore: Bool
    ) throws {
        if isBefore { #expect(try record(walks(1...1)).items.count == 2) }
        let tea = Appointment(name: "Tea", from: 600, until: 660)
        let planned = try client.ask(
            PlanDay(date: date, appointments: [tea], anew: true), for: Day.self,
            deadline: .seconds(60))
        #expect(planned.state == .proposed)
        if !isBefore { _ = try record(walks(1...1)) }

        let confirmed = try change(.confirm(true))

        let walk = try #require(confirmed.items.first { $0.name != "Tea" })
        #expect(walk.steps.map(\.state) == [.done])
        // Sent once more, it is known.
        #expect(try record(walks(1...1)).items.count == 2)
    }

    @Test func `what a device sends about an action is limited like what people type`() throws {
        for (action, said) in [
            (RoutineAction(name: String(repeating: "x", count: 81)), "the name of an action"),
            (RoutineAction(emoji: "🪥🪥🪥🪥🪥"), "the emoji of an action"),
            (RoutineAction(library: String(repeating: "x", count: 101)), "the key of an action"),
        ] {
            var walk = try #require(walks(1...1).first)
            walk.action = action
            let refusal = #expect(throws: ClientError.self) { try record([walk]) }
            #expect(refusal?.description.contains(said) == true)
        }
        // Nothing of it was kept, and what is short enough is.
        #expect(try record(walks(1...1)).items.count == 2)
    }
}
