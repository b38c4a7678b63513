import Messages
import TestSupport
import Testing

@testable import RoutineDay

/// What devices report about a day, in any order and any number of times.
struct DayJournalTests {
    /// A confirmed day with two routines of three actions each, from eight in the morning.
    private static func day() throws -> Day {
        let time = try #require(DayTime(date: "2027-02-01", zone: "Europe/Oslo"))
        let items = (1...2).map { item in
            DayItem(
                id: "\(item)", routine: "routine \(item)", name: "Routine \(item)",
                steps: (1...3).map { step in
                    let number = (item - 1) * 3 + step - 1
                    return DayStep(
                        id: "\(item).\(step)",
                        action: RoutineAction(
                            name: "action \(item).\(step)", minutes: 10, priority: 3),
                        start: time.instant(elapsed: 480 + 10 * number),
                        end: time.instant(elapsed: 490 + 10 * number))
                }, until: 1_440)
        }
        return Day(
            person: "ada", date: "2027-02-01", timeZone: "Europe/Oslo", state: .confirmed,
            wake: 420, sleep: 1_320, items: items)
    }

    /// A device: what it has kept, and how much of it the service has acknowledged.
    private struct Device {
        let number: UInt8
        var made: [DayOperation] = []
        var acknowledged = 0

        /// Does something in the day as this device sees it.
        mutating func act(_ day: Day, at time: Int64, _ seed: inout Seed) {
            let id = [number, UInt8(made.count)] + [UInt8](repeating: 0, count: 14)
            let places = day.places
            let place = places[seed.below(places.count)]
            let step = day[place]
            let own = made.filter { $0.state != nil }
            var what: DayOperation.What = seed.below(3) == 0 ? .skipped(true) : .done(true)
            var subject = (step.id, day.items[place.item].routine, step.action)
            if seed.below(4) == 0, !own.isEmpty {
                let undone = own[seed.below(own.count)]
                what = .undone(undone.id)
                subject = (undone.step, undone.routine, undone.action)
            }
            made.append(
                DayOperation(
                    id: id, step: subject.0, time: time, routine: subject.1, name: "Routine",
                    action: subject.2, what: what))
        }
    }

    /// What each action has to be in the end, by what was reported and not undone.
    private static func truth(_ operations: [DayOperation]) -> [String: StepState] {
        let undone = Set(
            operations.compactMap { operation -> [UInt8]? in
                if case .undone(let id) = operation.what { id } else { nil }
            })
        var truth: [String: StepState] = [:]
        for operation in operations where !undone.contains(operation.id) {
            guard let state = operation.state, truth[operation.step] != .done else { continue }
            truth[operation.step] = state
        }
        return truth
    }

    private static func states(_ day: Day) -> [String: StepState] {
        Dictionary(
            day.places.map { (day[$0].id, day[$0].state) }.filter { $0.1 != .unspecified },
            uniquingKeysWith: { first, _ in first })
    }

    @Test func `no finished action is lost in 10,000 random histories of two devices`() throws {
        var seed = Seed(18)
        let day = try Self.day()
        let begin = try #require(DayTime(of: day)).instant(480)
        for _ in 0..<10_000 {
            var service = DayJournal(day)
            var devices = [Device(number: 1), Device(number: 2)]
            var now = begin
            for _ in 0..<seed.below(16) {
                now += Int64(seed.below(600_000))
                let index = seed.below(2)
                if seed.below(3) > 0 {
                    devices[index].act(day, at: now, &seed)
                } else {
                    // Sends what is waiting. The answer may be lost, and then it is sent again.
                    let waiting = devices[index].made[devices[index].acknowledged...]
                    for operation in waiting.prefix(seed.below(waiting.count + 1)) {
                        service.apply(operation)
                    }
                    if seed.below(2) == 0 {
                        for operation in waiting { service.apply(operation) }
                        devices[index].acknowledged = devices[index].made.count
                    }
                }
            }
            // In the end the operations of both arrive, in either order.
            var other = DayJournal(day)
            let order = seed.below(2) == 0 ? [0, 1] : [1, 0]
            for index in order { for one in devices[index].made { service.apply(one) } }
            for index in order.reversed() { for one in devices[index].made { other.apply(one) } }
            let truth = Self.truth(devices[0].made + devices[1].made)
            try #require(Self.states(service.day) == truth)
            try #require(Self.states(other.day) == truth)
        }
    }

    @Test func `an operation that is sent twice counts once`() throws {
        var journal = DayJournal(try Self.day())
        var device = Device(number: 1)
        var seed = Seed(3)
        for _ in 0..<5 { device.act(journal.day, at: 1_801_468_000_000, &seed) }
        for operation in device.made { journal.apply(operation) }
        let once = journal
        for operation in device.made { journal.apply(operation) }
        #expect(journal == once)
    }

    @Test func `finished actions count in a replanned day, even if it doesn't contain them`()
        throws
    {
        var day = try Self.day()
        let step = day.items[0].steps[1]
        let done = DayOperation(
            id: [UInt8](repeating: 7, count: 16), step: step.id, time: step.start,
            routine: "routine 1", name: "Routine 1", action: step.action, what: .done(true))
        // The same action has another number now.
        day.items[0].steps.swapAt(0, 1)
        (day.items[0].steps[0].id, day.items[0].steps[1].id) = ("1.1", "1.2")
        var moved = DayJournal(day)
        moved.apply(done)
        #expect(moved.day.items[0].steps[0].state == .done)
        #expect(moved.day.items[0].steps[1].state == .unspecified)

        day.items.removeFirst()
        var gone = DayJournal(day)
        gone.apply(done)
        let added = try #require(gone.day.items.last)
        #expect(added.name == "Routine 1" && added.steps.map(\.state) == [.done])
        #expect(added.steps[0].ended == step.start && !added.isAppointment)
    }

    @Test func `what was done in a routine that is gone marks no action of another routine`() throws
    {
        var day = try Self.day()
        let medicine = RoutineAction(name: "Take medicine", minutes: 5, priority: 4)
        for item in 0...1 { day.items[item].steps[1].action = medicine }
        let step = day.items[0].steps[1]
        let done = DayOperation(
            id: [UInt8](repeating: 7, count: 16), step: step.id, time: step.start,
            routine: "routine 1", name: "Routine 1", action: medicine, what: .done(true))
        day.items.removeFirst()
        var journal = DayJournal(day)

        journal.apply(done)

        #expect(journal.day.items.first?.steps.map(\.state) == day.items[0].steps.map(\.state))
        let added = try #require(journal.day.items.last)
        #expect(added.routine == "routine 1" && added.steps.map(\.state) == [.done])
        // Undone, it is open where it was added, and nowhere else.
        journal.apply(
            DayOperation(
                id: [UInt8](repeating: 8, count: 16), step: step.id, time: step.start + 1,
                what: .undone(done.id)))
        #expect(Self.states(journal.day).isEmpty)

        // A device that doesn't name the routine means the first action with the name.
        var unnamed = done
        unnamed.routine = ""
        var other = DayJournal(day)
        other.apply(unnamed)
        #expect(Self.states(other.day) == ["2.2": .done])

        // The other routine may have got the number of the one that is gone.
        day.items[0].id = "1"
        for index in 0...2 { day.items[0].steps[index].id = "1.\(index + 1)" }
        var renumbered = DayJournal(day)
        renumbered.apply(done)
        #expect(renumbered.day.items[0].steps.allSatisfy { $0.state == .unspecified })
        #expect(renumbered.day.items.last?.steps.map(\.state) == [.done])
    }

    /// A day with a medicine in the morning, 1.1, and one in the evening, 2.1; and the same day
    /// planned again with an appointment before them, by which they are 2.1 and 3.1.
    private static func medicines() throws -> (before: Day, after: Day) {
        let time = try #require(DayTime(date: "2027-02-01", zone: "Europe/Oslo"))
        func item(_ number: Int, _ name: String, _ hour: UInt32) -> DayItem {
            let medicine = RoutineAction(name: "Take medicine", minutes: 5, priority: 4)
            return DayItem(
                id: "\(number)", routine: name.lowercased(), name: name,
                steps: [
                    DayStep(
                        id: "\(number).1", action: medicine, start: time.instant(hour * 60),
                        end: time.instant(hour * 60 + 5))
                ], until: 1_440)
        }
        var before = try day()
        before.items = [item(1, "Morning", 8), item(2, "Evening", 20)]
        var after = before
        let doctor = RoutineAction(name: "Doctor", minutes: 60, priority: 5)
        let visit = DayStep(
            id: "1.1", action: doctor, start: time.instant(600), end: time.instant(660))
        after.items = [
            item(2, "Morning", 8),
            DayItem(id: "1", name: "Doctor", steps: [visit], from: 600, until: 660),
            item(3, "Evening", 20),
        ]
        return (before, after)
    }

    @Test(arguments: [true, false])
    func `a renumbered day still marks the evening's medicine`(isMorningDone: Bool) throws {
        let (before, after) = try Self.medicines()
        let evening = before.items[1].steps[0]
        var journal = DayJournal(after)
        if isMorningDone {
            let morning = after.items[0].steps[0]
            try journal.day.mark(.init(item: 0, step: 0), .done, at: morning.start)
        }

        journal.apply(
            DayOperation(
                id: [UInt8](repeating: 7, count: 16), step: evening.id, time: evening.start,
                routine: "evening", name: "Evening", action: evening.action, what: .done(true)))

        #expect(journal.day.items.map(\.name) == ["Morning", "Doctor", "Evening"])
        #expect(journal.day.items[2].steps[0].state == .done)
        #expect(journal.day.items[0].steps[0].state == (isMorningDone ? .done : .unspecified))
        #expect(journal.entries.map(\.effect) == [.counts])
    }

    @Test func `what two devices send for two routines under one number counts for both`() throws {
        let (before, after) = try Self.medicines()
        var journal = DayJournal(after)
        for (number, step, routine) in [
            (UInt8(1), before.items[1].steps[0], "evening"),
            (UInt8(2), after.items[0].steps[0], "morning"),
        ] {
            journal.apply(
                DayOperation(
                    id: [UInt8](repeating: number, count: 16), step: step.id, time: step.start,
                    routine: routine, action: step.action, what: .done(true)))
        }
        #expect(Self.states(journal.day) == ["2.1": .done, "3.1": .done])
        #expect(journal.entries.map(\.effect) == [.counts, .counts])
    }

    @Test func `finished actions wait until the proposal is confirmed`() throws {
        var day = try Self.day()
        day.state = .proposed
        let step = day.items[0].steps[0]
        var journal = DayJournal(day)
        journal.apply(
            DayOperation(
                id: [UInt8](repeating: 7, count: 16), step: step.id, time: step.start,
                action: step.action, what: .done(true)))
        #expect(Self.states(journal.day).isEmpty)
        journal.day.state = .confirmed
        journal.confirmed()
        #expect(Self.states(journal.day) == ["1.1": .done])
    }

    /// What a device has sent about an action.
    private static func done(_ number: UInt8, _ step: DayStep) -> DayOperation {
        DayOperation(
            id: [UInt8](repeating: number, count: 16), step: step.id, time: step.start,
            action: step.action, what: .done(true))
    }

    @Test func `finished actions wait again when the confirmation is undone`() throws {
        var proposal = try Self.day()
        proposal.state = .proposed
        let steps = proposal.items[0].steps
        var journal = DayJournal(proposal)
        // Two devices have sent the same.
        for number in UInt8(1)...2 { journal.apply(Self.done(number, steps[0])) }
        journal.day.state = .confirmed
        journal.confirmed()
        let running = journal.day
        // The person undoes what comes next, and then the confirmation.
        journal.apply(Self.done(3, steps[1]))
        let later = journal.day
        #expect(Self.states(later) == ["1.1": .done, "1.2": .done])
        journal.day = running
        journal.wentBack(from: later)
        #expect(Self.states(journal.day) == ["1.1": .done])
        journal.day = proposal
        journal.wentBack(from: running)
        #expect(journal.entries.map(\.effect) == [.waits, .waits, .counts])

        // One of the devices undoes it meanwhile; the other one still says that it is done.
        journal.apply(
            DayOperation(
                id: [UInt8](repeating: 4, count: 16), step: "1.1", time: steps[0].start,
                what: .undone(Self.done(1, steps[0]).id)))
        journal.day.state = .confirmed
        journal.confirmed()
        #expect(Self.states(journal.day) == ["1.1": .done])
    }

    @Test func `what waits for a proposal counts when its plan is undone`() throws {
        let confirmed = try Self.day()
        var proposal = confirmed
        proposal.state = .proposed
        var journal = DayJournal(proposal)
        journal.apply(Self.done(1, proposal.items[0].steps[0]))
        journal.day = confirmed
        journal.wentBack(from: proposal)
        #expect(Self.states(journal.day) == ["1.1": .done])
    }

    @Test(arguments: [true, false])
    func `what a device sends counts in a replanned day, sent before or after`(isBefore: Bool)
        throws
    {
        let (before, after) = try Self.medicines()
        let morning = before.items[0].steps[0]
        let done = DayOperation(
            id: [UInt8](repeating: 7, count: 16), step: morning.id, time: morning.start,
            routine: "morning", name: "Morning", action: morning.action, what: .done(true))
        var journal = DayJournal(before)
        if isBefore { journal.apply(done) }
        let replaced = journal.day
        journal.day = after
        journal.day.state = .proposed
        journal.replanned(from: replaced) { [UInt8](repeating: 1, count: 16) }
        if !isBefore { journal.apply(done) }
        #expect(journal.entries.map(\.effect) == [.waits])

        journal.day.state = .confirmed
        journal.confirmed()

        #expect(Self.states(journal.day) == ["2.1": .done])
        #expect(journal.day.items[0].steps[0].ended == morning.start)
    }

    @Test func `what a person marked as done counts in a replanned day, once`() throws {
        let (before, after) = try Self.medicines()
        let done = before.items[0].steps[0].start + DayTime.minute
        var journal = DayJournal(before)
        try journal.day.mark(.init(item: 0, step: 0), .done, at: done)
        let marked = journal.day
        var ids: UInt8 = 0
        // The last plan doesn't contain it any more.
        for (plan, expected) in [(after, "2.1"), (after, "2.1"), (before, "3.1")] {
            let replaced = journal.day
            journal.day = plan
            if expected == "3.1" { journal.day.items.removeFirst() }
            journal.day.state = .proposed
            journal.replanned(from: replaced) {
                ids += 1
                return [UInt8](repeating: ids, count: 16)
            }
            #expect(journal.entries.map(\.effect) == [.waits])
            journal.day.state = .confirmed
            journal.confirmed()
            #expect(Self.states(journal.day) == [expected: .done])
        }
        #expect(journal.day.items.last?.name == "Morning")
        #expect(journal.day.items.last?.steps[0].ended == done)

        // When the plan is undone, the day is as it was.
        let later = journal.day
        journal.day = marked
        journal.wentBack(from: later)
        #expect(journal.day == marked && ids == 1)
    }

    @Test func `what waited for a plan begins none of its actions`() throws {
        var proposal = try Self.day()
        proposal.state = .proposed
        var journal = DayJournal(proposal)
        journal.apply(Self.done(1, proposal.items[0].steps[0]))

        journal.day.state = .confirmed
        journal.confirmed()

        #expect(Self.states(journal.day) == ["1.1": .done])
        #expect(journal.day.items[0].steps[1].began == 0)
    }
}
