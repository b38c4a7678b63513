import DayPlan
import DayTrials

/// Plans of trial days, compared with proven optima and with the best of six greedy plans in the
/// same run. The search was tuned on the days below 1,000; the others are held out.
enum DayBench {
    static func run(_ figures: inout Figures) throws {
        for (name, isHeldOut) in [("tuned", false), ("held out", true)] {
            for family in DayFamily.allCases {
                let optima = Optimum.all.filter {
                    $0.family == family && ($0.seed >= 1_000) == isHeldOut
                }
                try plans("day: \(family.rawValue), \(name)", optima, &figures)
            }
            for family in DayFamily.allCases {
                let first: UInt64 = isHeldOut ? 1_000 : 0
                try refits("day: \(family.rawValue), \(name)", family, first, &figures)
            }
        }
    }

    private static func plans(
        _ name: String, _ optima: [Optimum], _ figures: inout Figures
    ) throws {
        var ratios: [Double] = []
        var greedy: [Double] = []
        var costs: [Double] = []
        var times: [Double] = []
        var faults = 0
        for optimum in optima {
            let day = TrialDay(optimum.family, seed: optimum.seed).problem
            var plan: PlannedDay?
            let time = try leastTime { plan = try day.plan() }
            times.append(time / .milliseconds(1))
            guard let plan else { continue }
            faults += DayChecker.faults(of: plan, in: day).count
            guard let worth = optimum.worth else { continue }
            ratios.append(Double(plan.worth) / Double(worth))
            greedy.append(Double(GreedyDay.bestWorth(of: day)) / Double(worth))
            if plan.worth == worth, let cost = optimum.cost {
                costs.append(Double(plan.cost + 1) / Double(cost + 1))
            }
        }
        guard !ratios.isEmpty else { return }
        figures.add("\(name): days proved, of \(optima.count)", Double(ratios.count), "")
        figures.add(
            "\(name): worth by proved worth, mean", mean(ratios), "", goal: .atLeast(0.99),
            reference: ("best of six greedy", mean(greedy)))
        figures.add(
            "\(name): worth by proved worth, least", ratios.min() ?? 0, "", goal: .atLeast(0.95),
            reference: ("best of six greedy", greedy.min() ?? 0))
        if !costs.isEmpty {
            figures.add(
                "\(name): cost by proved cost, mean of \(costs.count)", mean(costs), "",
                goal: .atMost(1.1))
        }
        figures.add("\(name): broken rules", Double(faults), "", goal: .atMost(0))
        figures.add("\(name): processor time, mean", mean(times), "ms")
        figures.add("\(name): processor time, most", times.max() ?? 0, "ms", goal: .atMost(100))
    }

    /// Days with 20 changes each. The minimum number of moves is known if a plan is proven optimal;
    /// otherwise it comes from a plan with fifty times the effort.
    private static func refits(
        _ name: String, _ family: DayFamily, _ first: UInt64, _ figures: inout Figures
    ) throws {
        var times: [Double] = []
        var tooMany = 0
        var moves = 0
        var faults = 0
        var isLess = 0
        for seed in first..<first + 20 {
            let trial = TrialDay(family, seed: seed)
            var day = RunningDay(trial, plan: try trial.problem.plan())
            for _ in 0..<20 {
                day.change()
                var plan: PlannedDay?
                let time = try leastTime { plan = try day.problem.plan() }
                times.append(time / .milliseconds(1))
                guard let plan else { continue }
                moves += plan.moves
                faults += DayChecker.faults(of: plan, in: day.problem).count
                if !plan.isProvenBest {
                    let most = PlanningEffort(steps: 50 * PlanningEffort.refit.steps)
                    let best = try day.problem.plan(most)
                    isLess += plan.worth < best.worth ? 1 : 0
                    tooMany += max(0, plan.moves - best.moves)
                }
                day.keep(plan)
            }
        }
        let count = Double(times.count)
        figures.add(
            "\(name): moves beyond the least, mean of \(times.count) refits",
            Double(tooMany) / count, "", goal: .atMost(1),
            reference: ("moves", Double(moves) / count))
        figures.add("\(name): refits of less worth", Double(isLess), "")
        figures.add("\(name): broken rules after changes", Double(faults), "", goal: .atMost(0))
        figures.add(
            "\(name): processor time of a refit, most", times.max() ?? 0, "ms", goal: .atMost(30))
    }

    /// The least processor time of three runs of the same work: other programs on the machine only
    /// make it longer.
    private static func leastTime(_ body: () throws -> Void) throws -> Duration {
        var least = try processorTime(body)
        for _ in 0..<2 { least = min(least, try processorTime(body)) }
        return least
    }

    private static func mean(_ values: [Double]) -> Double {
        values.reduce(0, +) / Double(max(1, values.count))
    }
}
