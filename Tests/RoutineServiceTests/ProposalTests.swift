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

    /// A person with a template and a weekly rhythm for Saturdays.
    private func keep(_ account: String, zone: String, in transaction: Transaction) throws {
        var person = PersonRow(
            account: account, organisation: "local", settings: .usual(of: account))
        person.settings.timeZone = zone
        try person.save(transaction.db)
        let tea = Appointment(name: "Tea", from: 600, until: 660)
        try DayTemplate(name: "Free", appointments: [tea]).save(of: account, transaction.db)
        try WeekRhythm(person: account, days: [RhythmDay(weekday: 6, template: "Free")])
            .save(transaction.db)
        try Rhythms.settle(person, in: transaction)
    }

    @Test func `without the person's zone, the machine tries again until it has it`() throws {
        let store = try MemoryStore(of: .routine, RoutineStore.migrator)
        let due = try store.run(at: Self.now) { transaction in
            try keep("ada", zone: "Mars/Olympus", in: transaction)
            return try transaction.timerDue(Rhythms.proposal, subject: "ada")
        }
        #expect(due == Self.now)
        // A timer that fails is tried again and reported.
        #expect(throws: Refusal.self) {
            try store.run(at: Self.now) {
                try Rhythms.propose("ada", due: Self.now, in: $0)
            }
        }

        // The zone is known now, and Saturday has come.
        let saturday = Self.now + 86_400_000
        let day = try store.run(at: saturday) { transaction -> Day? in
            var person = try #require(try PersonRow.ofAccount("ada", transaction.db))
            person.settings.timeZone = "UTC"
            try person.save(transaction.db)
            try Rhythms.propose("ada", due: Self.now, in: transaction)
            return try Day.of("ada", "2027-01-16", transaction.db)
        }
        #expect(day?.rhythm == "Free")
    }

    @Test func `when a person plans a day and so gets a zone, proposals follow its clock`() throws {
        let store = try MemoryStore(of: .routine, RoutineStore.migrator)
        let (before, after) = try store.run(at: Self.now) { transaction -> (Int64?, Int64?) in
            let account = transaction.principal.account
            try keep(account, zone: "", in: transaction)
            let before = try transaction.timerDue(Rhythms.proposal, subject: account)
            let tea = Appointment(name: "Tea", from: 600, until: 660)
            _ = try Days.plan(
                PlanDay(
                    date: "2027-01-18", appointments: [tea], timeZone: "Pacific/Auckland"),
                in: transaction)
            return (before, try transaction.timerDue(Rhythms.proposal, subject: account))
        }
        // Saturday at seven, first by UTC and then thirteen hours earlier.
        #expect(before == Self.now + 23 * 3_600_000)
        #expect(after == Self.now + 10 * 3_600_000)
    }

    private static let date = "2027-01-15"

    /// The routines One and Two, of two actions of ten minutes each, planned for the morning.
    private func plan(in store: MemoryStore) throws -> Day {
        try store.run(at: Self.now) { transaction in
            for name in ["One", "Two"] {
                let actions = ["a", "b"].map {
                    RoutineAction(name: "\(name) \($0)", minutes: 10, priority: 3)
                }
                try Routine(id: name, name: name, actions: actions, from: 480, until: 720)
                    .save(of: transaction.principal.account, transaction.db)
            }
            return try Days.plan(
                PlanDay(date: Self.date, routines: ["One", "Two"], timeZone: "UTC"),
                in: transaction)
        }
    }

    private func read(_ store: MemoryStore, at now: Int64) throws -> Day {
        try store.run(at: now) { try Days.read(ReadDay(date: Self.date), in: $0) }
    }

    private func change(
        _ change: ChangeDay.Change, in store: MemoryStore, at now: Int64
    ) throws -> Day {
        try store.run(at: now) {
            try DayChanges.change(ChangeDay(date: Self.date, change: change), in: $0)
        }
    }

    @Test func `a proposal that is read late shows times to come, and is confirmed with them`()
        throws
    {
        let store = try MemoryStore(of: .routine, RoutineStore.migrator)
        let planned = try plan(in: store)
        #expect(planned.items.flatMap(\.steps).map(\.start).min() == Self.now)
        #expect(try read(store, at: Self.now + 30_000) == planned)

        let late = Self.now + 2 * 3_600_000 + 30_000
        let shown = try read(store, at: late)

        let starts = shown.items.flatMap(\.steps).map(\.start)
        #expect(starts.count == 4 && starts.allSatisfy { $0 >= late })
        #expect(shown.state == .proposed && shown.revision == planned.revision)
        let confirmed = try change(.confirm(true), in: store, at: late)
        #expect(confirmed.items.flatMap(\.steps).map(\.start) == starts)
    }

    @Test func `a proposal that is read when its time is over says what can no longer be done`()
        throws
    {
        let store = try MemoryStore(of: .routine, RoutineStore.migrator)
        let planned = try plan(in: store)

        let noon = try read(store, at: Self.now + 4 * 3_600_000)

        let steps = noon.items.flatMap(\.steps)
        #expect(steps.allSatisfy { $0.start == 0 && $0.state == .skipped && $0.reason != nil })
        // A day that is over stays as it was planned.
        #expect(try read(store, at: Self.now + 86_400_000) == planned)
    }

    @Test func `routines of a proposal that is read late swap the times that are shown`() throws {
        let store = try MemoryStore(of: .routine, RoutineStore.migrator)
        _ = try plan(in: store)
        let late = Self.now + 2 * 3_600_000
        let shown = try read(store, at: late)
        let names = shown.items.map(\.name)
        let first = try #require(shown.items.first?.steps.first?.start)

        let swapped = try change(
            .swap(SwapItems(one: "One", other: "Two")), in: store, at: late)

        let minutes = UInt32((first - Self.now) / 60_000) + 480
        #expect(swapped.items.first { $0.name == names[1] }?.wanted == minutes)
        #expect(swapped.items.map(\.name) == Array(names.reversed()))
    }

    @Test func `what can't be read of one day keeps no other day from being proposed`() throws {
        let store = try MemoryStore(of: .routine, RoutineStore.migrator)
        try store.run(at: Self.now) { transaction in
            try keep("ada", zone: "UTC", in: transaction)
            try transaction.db.execute(sql: "UPDATE dayTemplate SET template = x'FF'")
        }
        let saturday = Self.now + 86_400_000
        let next = try store.run(at: saturday) { transaction in
            try Rhythms.propose("ada", due: saturday, in: transaction)
            return try transaction.timerDue(Rhythms.proposal, subject: "ada")
        }
        #expect(next == Self.now + (8 * 24 - 1) * 3_600_000)
    }
}
