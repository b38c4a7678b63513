import DayPlan
import DayTrials
import TestSupport
import Testing

/// Properties of every plan of every day.
struct PlanPropertyTests {
    @Test(arguments: Seed.some(400))
    func `the plan of a tiny day is optimal`(seed: Seed) throws {
        var seed = seed
        let day = DayProblem.tiny(&seed)
        let plan = try day.plan()
        #expect(DayChecker.faults(of: plan, in: day) == [])
        #expect(plan.isProvenBest)
        let found = DayJudge.Figures(worth: plan.worth, moves: plan.moves, cost: plan.cost)
        #expect(found == DayJudge(day).best)
    }

    @Test(arguments: Seed.some(60))
    func `a plan of any day keeps the rules, whatever the effort`(seed: Seed) throws {
        var seed = seed
        let day = DayProblem.any(&seed)
        for steps in [0, 1_000, 50_000] {
            let plan = try day.plan(PlanningEffort(steps: steps))
            #expect(DayChecker.faults(of: plan, in: day) == [])
        }
    }

    @Test(arguments: Seed.some(20))
    func `a day is planned the same way each time`(seed: Seed) throws {
        var seed = seed
        let day = DayProblem.any(&seed)
        let effort = PlanningEffort(steps: 50_000)
        #expect(try day.plan(effort) == day.plan(effort))
    }

    @Test(arguments: Seed.some(20))
    func `more effort never gives a worse plan`(seed: Seed) throws {
        let day = TrialDay(.overload, seed: seed.start).problem
        let little = try day.plan(PlanningEffort(steps: 30_000))
        let much = try day.plan(PlanningEffort(steps: 400_000))
        #expect((much.worth, -much.cost) >= (little.worth, -little.cost))
        #expect(much.steps <= 600_000)
    }

    @Test(arguments: Seed.some(30))
    func `nothing that fits is left out`(seed: Seed) throws {
        var seed = seed
        let day = DayProblem.any(&seed)
        let plan = try day.plan(PlanningEffort(steps: 20_000))
        for leftOut in plan.leftOut where leftOut.reason.key != .skipped {
            #expect(leftOut.reason.left < leftOut.reason.takes)
        }
    }

    @Test func `the largest allowed day is planned within its effort limit`() throws {
        let day = DayProblem(
            wake: 0, sleep: DayLimits.lastMinute, pause: 0,
            routines: (0..<DayLimits.routines).map { number in
                DayRoutine(
                    id: "r\(number)", window: MinuteSpan(from: 0, until: DayLimits.lastMinute),
                    preferred: number * 70,
                    actions: (0..<10).map {
                        DayAction(id: "\(number)-\($0)", minutes: 3 + $0, priority: 1 + $0 % 5)
                    })
            })
        let effort = PlanningEffort(steps: 300_000)
        let plan = try day.plan(effort)
        #expect(DayChecker.faults(of: plan, in: day) == [])
        #expect(plan.steps < 2 * effort.steps)
        #expect(!plan.isProvenBest)
        #expect(plan.worth > 0)
    }
}
