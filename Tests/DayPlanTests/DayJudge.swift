import DayPlan

/// Finds the best plan of a tiny day by exhaustive search: each action at each minute, in each
/// order.
struct DayJudge {
    /// The measures of a plan.
    struct Figures: Equatable {
        var worth = 0
        var moves = 0
        var cost = 0

        func isBetter(than other: Figures) -> Bool {
            (worth, -moves, -cost) > (other.worth, -other.moves, -other.cost)
        }
    }

    private let problem: DayProblem
    private let blocked: Set<Int>
    /// For each routine, when its last finished or running action ended.
    private let begun: [Int?]
    private let current: Int?
    private let first: Int
    private(set) var best = Figures()

    /// The plan so far.
    private struct Stand {
        var figures = Figures()
        var minute: Int
        var routine: Int?
        var nextAction = 0
        var closed: Set<Int> = []
    }

    init(_ problem: DayProblem) {
        self.problem = problem
        blocked = Set(
            problem.appointments.flatMap { ($0.span.from - $0.preparation)..<$0.span.until })
        let now = problem.now ?? 0
        var latest: (routine: Int, end: Int)?
        var running: Int?
        begun = problem.routines.enumerated().map { number, routine in
            routine.actions.compactMap { action -> Int? in
                switch action.state {
                case .open, .skipped: return nil
                case .running(let span):
                    running = number
                    return max(now, span.until)
                case .done(let span):
                    if span.until >= latest?.end ?? 0 { latest = (number, span.until) }
                    return span.until
                }
            }.max()
        }
        current = running ?? latest?.routine
        first = max(problem.wake, now)
        for action in problem.routines.flatMap(\.actions)
        where action.state == .open && action.earlierStart != nil {
            best.moves += 1
        }
        look(Stand(figures: best, minute: first))
    }

    /// Tries every possible next action, at every minute.
    private mutating func look(_ stand: Stand) {
        if stand.figures.isBetter(than: best) { best = stand.figures }
        for number in problem.routines.indices where !stand.closed.contains(number) {
            let actions = problem.routines[number].actions
            let same = stand.routine == number
            for index in actions.indices.dropFirst(same ? stand.nextAction : 0)
            where actions[index].state == .open {
                for minute in earliest(number, stand)..<max(earliest(number, stand), problem.sleep)
                {
                    if let next = place(index, of: number, at: minute, stand) { look(next) }
                }
            }
        }
    }

    private func earliest(_ number: Int, _ stand: Stand) -> Int {
        if stand.routine == number { return stand.minute }
        var earliest = stand.routine == nil ? first : stand.minute + problem.pause
        for (other, end) in begun.enumerated() {
            if let end { earliest = max(earliest, other == number ? end : end + problem.pause) }
        }
        return earliest
    }

    private func place(_ index: Int, of number: Int, at minute: Int, _ stand: Stand) -> Stand? {
        let routine = problem.routines[number]
        let action = routine.actions[index]
        let span = minute..<(minute + action.minutes)
        guard span.lowerBound >= routine.window.from, span.upperBound <= routine.window.until,
            span.upperBound <= problem.sleep, blocked.isDisjoint(with: span)
        else { return nil }
        var next = stand
        next.figures.worth += [1, 2, 4, 8, 16][action.priority - 1]
        if action.earlierStart == minute { next.figures.moves -= 1 }
        if stand.routine == number {
            next.figures.cost += 2 * (minute - stand.minute)
        } else {
            if let end = begun[number] {
                next.figures.cost += 2 * (minute - end)
            } else {
                if let fixed = routine.fixedStart, fixed != minute { return nil }
                next.figures.cost += abs(minute - routine.preferred)
            }
            if let routine = stand.routine { next.closed.insert(routine) }
            // The routine that is under way can't begin after another one.
            if let current, current != number { next.closed.insert(current) }
        }
        next.minute = span.upperBound
        next.routine = number
        next.nextAction = index + 1
        return next
    }
}
