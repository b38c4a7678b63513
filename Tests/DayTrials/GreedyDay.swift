import DayPlan

/// A day planned by a simple rule, as a reference for the search: one routine after another, each
/// where most of it fits around the earlier ones.
package struct GreedyDay {
    private let problem: DayProblem
    private let blocked: [MinuteSpan]
    /// The times taken by routines so far, with the pause on both sides.
    private var taken: [MinuteSpan] = []

    /// The worth of the best of six plans: the routines by their worth, by the ends of their
    /// windows, shortest first, by their worth per minute, by the beginnings of their windows, and
    /// by their preferred beginnings.
    package static func bestWorth(of problem: DayProblem) -> Int {
        let keys: [(DayRoutine) -> Double] = [
            { -Double(worth(of: $0)) }, { Double($0.window.until) }, { Double(minutes(of: $0)) },
            { -Double(worth(of: $0)) / Double(minutes(of: $0)) }, { Double($0.window.from) },
            { Double($0.preferred) },
        ]
        return keys.map { key in
            var day = GreedyDay(problem)
            let order = problem.routines.indices.sorted {
                (key(problem.routines[$0]), $0) < (key(problem.routines[$1]), $1)
            }
            return order.reduce(0) { $0 + day.place(problem.routines[$1]) }
        }.max() ?? 0
    }

    private static func worth(of routine: DayRoutine) -> Int {
        routine.actions.reduce(0) { $0 + $1.worth }
    }

    private static func minutes(of routine: DayRoutine) -> Int {
        routine.actions.reduce(0) { $0 + $1.minutes }
    }

    private init(_ problem: DayProblem) {
        self.problem = problem
        blocked = problem.appointments.map {
            MinuteSpan(from: $0.span.from - $0.preparation, until: $0.span.until)
        }
    }

    /// Places a routine where most of it fits, as near as possible to its preferred beginning, and
    /// returns its worth.
    private mutating func place(_ routine: DayRoutine) -> Int {
        var best: (worth: Int, start: Int, end: Int) = (0, 0, 0)
        let from = max(problem.wake, routine.window.from)
        let until = min(problem.sleep, routine.window.until)
        for start in from..<max(from, until) {
            let found = fill(routine, from: start, until: until)
            let isNearer =
                abs(start - routine.preferred) < abs(best.start - routine.preferred)
            if found.worth > best.worth || found.worth == best.worth && isNearer {
                best = (found.worth, start, found.end)
            }
        }
        if best.worth > 0 {
            taken.append(
                MinuteSpan(from: best.start - problem.pause, until: best.end + problem.pause))
        }
        return best.worth
    }

    /// Places each action of a routine as early as possible, leaving out those that don't fit.
    private func fill(_ routine: DayRoutine, from start: Int, until end: Int) -> (
        worth: Int, end: Int
    ) {
        guard !taken.contains(where: { $0.from < start && start < $0.until }) else { return (0, 0) }
        let limit = taken.map(\.from).filter { $0 >= start }.min() ?? end
        var minute = start
        var worth = 0
        for action in routine.actions {
            var begin = minute
            while let block = blocked.first(where: {
                $0.from < begin + action.minutes && begin < $0.until
            }) {
                begin = block.until
            }
            guard begin + action.minutes <= min(end, limit) else { continue }
            worth += action.worth
            minute = begin + action.minutes
        }
        return (worth, minute)
    }
}
