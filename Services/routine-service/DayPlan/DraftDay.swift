/// A plan in the making: the times that the open actions have so far.
struct DraftDay {
    let problem: DayProblem
    let day: OpenDay
    /// The beginning of each action, for each routine of the problem.
    private(set) var starts: [[Int?]]

    init(_ problem: DayProblem, _ day: OpenDay) {
        self.problem = problem
        self.day = day
        starts = problem.routines.map { $0.actions.map { _ in nil } }
    }

    mutating func place(_ action: Int, of routine: Int, at minute: Int) {
        starts[routine][action] = minute
    }

    /// Returns the time from the first to the last placed open action of a routine; nil when none
    /// is placed.
    func span(of routine: Int) -> MinuteSpan? {
        var span: MinuteSpan?
        for (index, action) in problem.routines[routine].actions.enumerated() {
            guard let start = starts[routine][index] else { continue }
            span = MinuteSpan(
                from: min(start, span?.from ?? start),
                until: max(start + action.minutes, span?.until ?? 0))
        }
        return span
    }

    /// Returns the stretches in which an open action without a time could be done, with all others
    /// where they are.
    func room(for action: Int, of routine: OpenRoutine) -> [MinuteSpan] {
        var from = routine.from
        var until = routine.until
        for (index, other) in problem.routines[routine.number].actions.enumerated() {
            guard let start = starts[routine.number][index] else { continue }
            if index < action { from = max(from, start + other.minutes) }
            if index > action { until = min(until, start) }
        }
        let own = span(of: routine.number)
        if own == nil, let fixed = routine.fixedStart {
            from = max(from, fixed)
        }
        var others: [MinuteSpan] = []
        let current = day.current.map { day.routines[$0].number }
        for other in day.routines where other.number != routine.number {
            guard let span = span(of: other.number) else { continue }
            let padded = MinuteSpan(from: span.from - day.pause, until: span.until + day.pause)
            // A routine is not interrupted by another, and the current one comes first.
            if let own {
                if span.from < own.from {
                    from = max(from, padded.until)
                } else {
                    until = min(until, padded.from)
                }
            } else if routine.number == current {
                until = min(until, padded.from)
            } else if other.number == current {
                from = max(from, padded.until)
            } else {
                others.append(padded)
            }
        }
        guard from < until else { return [] }
        others.sort { $0.from < $1.from }
        var found: [MinuteSpan] = []
        for other in others where other.until > from {
            let end = min(until, other.from)
            if from < end {
                found += day.time.stretches(of: MinuteSpan(from: from, until: end))
            }
            from = other.until
        }
        if from < until { found += day.time.stretches(of: MinuteSpan(from: from, until: until)) }
        return found
    }

    /// Places the open actions that still have room, the worthiest first.
    mutating func fill() {
        let open = day.routines.flatMap { routine in routine.actions.map { (routine, $0) } }
            .sorted { $0.1.worth > $1.1.worth }
        for (routine, action) in open where starts[routine.number][action.number] == nil {
            let room = room(for: action.number, of: routine)
            guard let stretch = room.first(where: { $0.minutes >= action.minutes }) else {
                continue
            }
            let begins = span(of: routine.number)?.from
            if let fixed = routine.fixedStart,
                begins ?? fixed != fixed || stretch.from < fixed
                    || begins == nil && stretch.from != fixed
            {
                continue
            }
            place(action.number, of: routine.number, at: stretch.from)
        }
    }

    /// Returns the whole plan.
    func planned(isProvenBest: Bool, steps: Int) -> PlannedDay {
        var plan = PlannedDay(
            actions: [], leftOut: [], moved: [], worth: 0, moves: 0, cost: 0,
            isProvenBest: isProvenBest, steps: steps)
        let reasons = Reasons(self)
        for (number, routine) in problem.routines.enumerated() {
            for (index, action) in routine.actions.enumerated() {
                switch action.state {
                case .done(let span), .running(let span):
                    plan.actions.append(
                        PlannedAction(id: action.id, routine: routine.id, span: span))
                case .skipped:
                    plan.leftOut.append(reasons.leftOut(index, of: number))
                case .open:
                    add(index, of: number, to: &plan, reasons)
                }
            }
        }
        for routine in day.routines { plan.cost += cost(of: routine) }
        plan.actions.sort { ($0.span.from, $0.span.until) < ($1.span.from, $1.span.until) }
        return plan
    }

    private func add(
        _ index: Int, of number: Int, to plan: inout PlannedDay, _ reasons: Reasons
    ) {
        let routine = problem.routines[number]
        let action = routine.actions[index]
        guard let start = starts[number][index] else {
            plan.leftOut.append(reasons.leftOut(index, of: number))
            plan.moves += action.earlierStart == nil ? 0 : 1
            return
        }
        plan.worth += action.worth
        plan.actions.append(
            PlannedAction(
                id: action.id, routine: routine.id,
                span: MinuteSpan(from: start, until: start + action.minutes)))
        if let earlier = action.earlierStart, earlier != start {
            plan.moves += 1
            plan.moved.append(reasons.moved(index, of: number, from: earlier, to: start))
        }
    }

    private func cost(of routine: OpenRoutine) -> Int {
        guard let span = span(of: routine.number) else { return 0 }
        let busy = routine.actions.reduce(0) { sum, action in
            sum + (starts[routine.number][action.number] == nil ? 0 : action.minutes)
        }
        return routine.cost(ofStart: span.from) + 2 * (span.minutes - busy)
    }
}
