import DayPlan
import DayTrials
import Testing

/// Plans compared with optima that an exact solver proved for the same days.
struct OptimaTests {
    @Test func `each family of days has thirty with a proven optimum`() {
        for family in DayFamily.allCases {
            let proved = Optimum.all.filter { $0.family == family && $0.worth != nil }
            #expect(proved.count >= 30, "\(family)")
            #expect(Set(proved.map(\.seed)).count == proved.count)
        }
    }

    @Test(arguments: DayFamily.allCases)
    func `no plan is worth more than the proven optimum, and few are worth less`(family: DayFamily)
        throws
    {
        var ratios: [Double] = []
        for optimum in Optimum.all where optimum.family == family && ratios.count < 6 {
            guard let worth = optimum.worth else { continue }
            let day = TrialDay(family, seed: optimum.seed).problem
            let plan = try day.plan()
            #expect(DayChecker.faults(of: plan, in: day) == [])
            #expect(plan.worth <= worth, "\(family) \(optimum.seed)")
            if plan.isProvenBest {
                #expect(plan.worth == worth, "\(family) \(optimum.seed)")
                if let cost = optimum.cost { #expect(plan.cost == cost) }
            }
            ratios.append(Double(plan.worth) / Double(worth))
        }
        #expect(ratios.reduce(0, +) >= 0.99 * Double(ratios.count))
        #expect(ratios.allSatisfy { $0 >= 0.95 })
    }
}

/// Days with one unexpected change after another.
struct RunningDayTests {
    @Test(arguments: DayFamily.allCases)
    func `after each of twenty changes the plan keeps the rules and moves as little as possible`(
        family: DayFamily
    ) throws {
        let trial = TrialDay(family, seed: 3)
        var day = RunningDay(trial, plan: try trial.problem.plan())
        var tooMany = 0
        var done = 0
        for _ in 0..<20 {
            day.change()
            let plan = try day.problem.plan()
            #expect(DayChecker.faults(of: plan, in: day.problem) == [])
            if !plan.isProvenBest {
                let best = try day.problem.plan(PlanningEffort(steps: 20_000_000))
                tooMany += max(0, plan.moves - best.moves)
            }
            day.keep(plan)
            done = plan.actions.count { $0.span.until <= day.problem.now ?? 0 }
        }
        #expect(tooMany <= 20)
        #expect(done >= 5)
    }

    @Test(arguments: DayFamily.allCases)
    func `a plan is never worth less than the best of six greedy ones`(family: DayFamily) throws {
        for seed in UInt64(0)..<5 {
            let day = TrialDay(family, seed: seed).problem
            #expect(try day.plan().worth >= GreedyDay.bestWorth(of: day))
        }
    }
}
