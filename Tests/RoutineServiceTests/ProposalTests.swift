import Messages
import RoutineDay
import ServiceRuntime
import TestStore
import Testing

@testable import RoutineService

/// Days that the weekly rhythm proposes, in a real store.
struct ProposalTests {
    /// The morning of 2027-01-15, a Friday.
    private static let now: Int64 = 1_800_000_000_000

    @Test func `a routine that has no room, or is named twice, doesn't prevent a proposal`()
        throws
    {
        let store = try MemoryStore(of: .routine, RoutineStore.migrator)
        let action = RoutineAction(name: "Step", minutes: 1, priority: 3)
        let names = (0...5).map { "r\($0)" }
        let day = try store.run(at: Self.now) { transaction -> Day? in
            let person = PersonRow(
                account: "ada", organisation: "local", settings: .usual(of: "ada"))
            try person.save(transaction.db)
            // Five of them have as many actions as a day may have.
            for (number, name) in names.enumerated() {
                let from = UInt32(480 + 120 * number)
                try Routine(
                    id: name, name: name,
                    actions: Array(repeating: action, count: RoutineLimits.steps), from: from,
                    until: from + 60
                ).save(of: "ada", transaction.db)
            }
            try DayTemplate(name: "Long", routines: ["r0"] + names)
                .save(of: "ada", transaction.db)
            try WeekRhythm(person: "ada", days: [RhythmDay(weekday: 5, template: "Long")])
                .save(transaction.db)

            try Rhythms.settle(person, in: transaction)

            return try Day.of("ada", "2027-01-15", transaction.db)
        }
        #expect(day.map { Set($0.items.map(\.routine)) } == Set(names.prefix(5)))
        #expect(day?.items.count == 5)
    }
}
