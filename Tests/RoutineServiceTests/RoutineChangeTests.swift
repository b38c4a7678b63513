import Bus
import Messages
import TestSupport
import TestThreads
import Testing

/// What becomes of a routine that several people change.
@Suite(.waiting) struct RoutineChangeTests {
    private let system: System
    private let client: Client

    init() throws {
        system = try System()
        try system.start("routine-service")
        client = try system.client(of: .routine)
    }

    private func keep(_ routine: Routine) throws -> Routine {
        try client.ask(KeepRoutine(routine: routine), for: Routine.self, deadline: .seconds(60))
    }

    private func listed() throws -> [Routine] {
        try client.ask(ListRoutines(), for: Routines.self, deadline: .seconds(60)).routines
    }

    @Test func `a routine that someone else has changed since it was read isn't replaced`() throws {
        let action = RoutineAction(name: "Shave", minutes: 5, priority: 3)
        let seen = try keep(Routine(name: "Long", actions: [action], until: 1_440))
        var (theirs, mine) = (seen, seen)
        theirs.description = "Calm"
        mine.tags = ["hygiene"]
        let unaware = mine

        let kept = try keep(theirs)
        let refusal = #expect(throws: ClientError.self) { try keep(unaware) }

        #expect(refusal?.description.contains("since you looked") == true)
        #expect(try listed() == [kept])
        #expect(kept.description == "Calm" && kept.changed > seen.changed)
        // Someone who has read it, or doesn't say what they have read, may replace it.
        mine.changed = kept.changed
        #expect(try keep(mine).tags == ["hygiene"])
        theirs.changed = 0
        #expect(try keep(theirs).tags.isEmpty)
    }

    @Test func `each change of a routine has a different time, even within a millisecond`() throws {
        let action = RoutineAction(name: "Shave", minutes: 5, priority: 3)
        var routine = try keep(Routine(name: "Long", actions: [action], until: 1_440))
        var times = [routine.changed]
        for _ in 1...20 {
            routine = try keep(routine)
            times.append(routine.changed)
        }
        #expect(times == times.sorted() && Set(times).count == times.count)
    }
}
