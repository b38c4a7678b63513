import DayPlan
import Testing

/// The checker finds each way in which a plan can be wrong.
struct DayCheckerTests {
    /// Two routines around an appointment, on a day that has begun: the first is running, and one
    /// action was skipped.
    static let day = DayProblem(
        wake: 400, sleep: 700,
        appointments: [
            DayAppointment(id: "doctor", span: MinuteSpan(from: 520, until: 560), preparation: 10)
        ],
        routines: [
            DayRoutine(
                id: "morning", window: MinuteSpan(from: 400, until: 520), preferred: 420,
                actions: [
                    DayAction(
                        id: "wash", minutes: 10, priority: 4,
                        state: .done(MinuteSpan(from: 420, until: 432))),
                    DayAction(
                        id: "dress", minutes: 10, priority: 3,
                        state: .running(MinuteSpan(from: 432, until: 442))),
                    DayAction(id: "eat", minutes: 20, priority: 5, earlierStart: 440),
                    DayAction(id: "sing", minutes: 5, priority: 1, state: .skipped),
                ]),
            DayRoutine(
                id: "home", window: MinuteSpan(from: 420, until: 690), preferred: 480,
                fixedStart: 480,
                actions: [
                    DayAction(id: "dishes", minutes: 15, priority: 2, earlierStart: 480),
                    DayAction(id: "laundry", minutes: 30, priority: 2),
                    DayAction(id: "oven", minutes: 120, priority: 5),
                ]),
        ], now: 440)

    static func good() throws -> PlannedDay { try day.plan() }

    @Test func `a good plan has no fault`() throws {
        let plan = try Self.good()
        #expect(DayChecker.faults(of: plan, in: Self.day) == [])
        let times = plan.actions.map { "\($0.id) \($0.span.from)" }
        #expect(
            times == ["wash 420", "dress 432", "eat 442", "dishes 480", "oven 560"])
    }

    /// Changes of the good plan, each with a fault that must be among those found.
    static let broken: [(fault: DayFault, change: @Sendable (inout PlannedDay) -> Void)] = [
        (.unknown("fly"), { $0.actions[2].id = "fly" }),
        (.unknown("eat"), { $0.actions[2].routine = "home" }),
        (.unknown("eat"), { $0.actions[2].routine = "nowhere" }),
        (.twice("eat"), { $0.actions.append($0.actions[2]) }),
        (.twice("laundry"), { $0.leftOut.append($0.leftOut[1]) }),
        (
            .twice("eat"),
            {
                $0.leftOut[0].id = "eat"
                $0.leftOut[0].routine = "morning"
            }
        ),
        (.missing("eat"), { $0.actions.remove(at: 2) }),
        (.missing("laundry"), { $0.leftOut.removeAll { $0.id == "laundry" } }),
        (.changed("wash"), { $0.actions[0].span.from += 1 }),
        (.changed("dress"), { $0.actions[1].span.until += 1 }),
        (
            .changed("wash"),
            {
                let wash = $0.actions.removeFirst()
                $0.leftOut.append(
                    LeftOutAction(
                        id: wash.id, routine: wash.routine, reason: $0.leftOut[0].reason))
            }
        ),
        (
            .unwanted("sing"),
            {
                $0.leftOut.removeAll { $0.id == "sing" }
                $0.actions.append(
                    PlannedAction(
                        id: "sing", routine: "morning", span: MinuteSpan(from: 462, until: 467)))
            }
        ),
        (.wrongLength("eat"), { $0.actions[2].span.until += 1 }),
        (.outsideDay("oven"), { $0.actions[4].span = MinuteSpan(from: 581, until: 701) }),
        (.outsideDay("eat"), { $0.actions[2].span = MinuteSpan(from: 379, until: 399) }),
        (.outsideDay("eat"), { $0.actions[2].span = MinuteSpan(from: .min, until: .max) }),
        (.outsideWindow("oven"), { $0.actions[4].span = MinuteSpan(from: 571, until: 691) }),
        (.outsideWindow("dishes"), { $0.actions[3].span = MinuteSpan(from: 419, until: 434) }),
        (.beforeNow("eat"), { $0.actions[2].span = MinuteSpan(from: 439, until: 459) }),
        (
            .duringAppointment("oven", "doctor"),
            { $0.actions[4].span = MinuteSpan(from: 559, until: 679) }
        ),
        (
            .duringAppointment("dishes", "doctor"),
            { $0.actions[3].span = MinuteSpan(from: 496, until: 511) }
        ),
        (.wrongOrder("dress", "eat"), { $0.actions[2].span = MinuteSpan(from: 441, until: 461) }),
        (.wrongOrder("dishes", "oven"), { $0.actions[4].span = MinuteSpan(from: 494, until: 614) }),
        (.wrongOrder("dishes", "oven"), { $0.actions[3].span = MinuteSpan(from: 680, until: 695) }),
        (.tooClose("morning", "home"), { $0.actions[2].span = MinuteSpan(from: 456, until: 476) }),
        (.tooClose("morning", "home"), { $0.actions[3].span = MinuteSpan(from: 446, until: 461) }),
        // One routine within the other.
        (.tooClose("morning", "home"), { $0.actions[2].span = MinuteSpan(from: 500, until: 520) }),
        (
            .interrupted("morning", by: "home"),
            { $0.actions[2].span = MinuteSpan(from: 500, until: 520) }
        ),
        (.notAtFixedStart("home"), { $0.actions[3].span = MinuteSpan(from: 481, until: 496) }),
        (.wrongWorth(34), { $0.worth += 1 }),
        (.wrongMoves(1), { $0.moves = 0 }),
        (.wrongCost(130), { $0.cost -= 1 }),
        (.wrongMove("eat"), { $0.moved = [] }),
        (.wrongMove("eat"), { $0.moved[0].to += 1 }),
        (.wrongMove("eat"), { $0.moved[0].from += 1 }),
        (.wrongMove("eat"), { $0.moved.append($0.moved[0]) }),
        (.wrongReason("laundry"), { $0.leftOut[1].reason.left = 30 }),
        (.wrongReason("laundry"), { $0.leftOut[1].reason.left = -1 }),
        (.wrongReason("laundry"), { $0.leftOut[1].reason.takes = 31 }),
        (.wrongReason("laundry"), { $0.leftOut[1].reason.key = .skipped }),
        (.wrongReason("sing"), { $0.leftOut[0].reason.key = .windowPassed }),
    ]

    @Test(arguments: broken.indices)
    func `the fault that was put into a plan is found`(number: Int) throws {
        var plan = try Self.good()
        Self.broken[number].change(&plan)
        #expect(DayChecker.faults(of: plan, in: Self.day).contains(Self.broken[number].fault))
    }
}
