extension DayProblem {
    /// Returns the best plan of the day that can be found with that effort; it is the same every
    /// time.
    ///
    /// Of all plans that keep the rules, it is the one with the most worth; of those, the one that
    /// moves the fewest actions of the current plan; of those, the one with the lowest cost. The
    /// rules: each action lies in the window of its routine and in the day, outside the
    /// appointments and their preparation; the actions of a routine keep their order; the pause
    /// lies between the end of a routine and the beginning of the next, so that none is within
    /// another; an appointment may interrupt a routine; the routine that has begun continues before
    /// another begins.
    ///
    /// - Parameter effort: the maximum effort; nil for the usual one.
    /// - Throws: ``InvalidDay`` if the day is invalid.
    package func plan(_ effort: PlanningEffort? = nil) throws(InvalidDay) -> PlannedDay {
        try validate()
        let problem = settled
        let day = OpenDay(problem)
        let limit = max(0, (effort ?? (now == nil ? .plan : .refit)).steps)
        let tables = Self.tables(day, limit: limit)
        var search = DaySearch(day, tables, limit: limit)
        search.run()
        var draft = DraftDay(problem, day)
        for step in search.best {
            let routine = tables[step.routine].routine
            var maker = ChoiceMaker(routine, day.time)
            guard
                let choice = maker.choices(from: step.start).choices.first(where: {
                    $0.end == step.end
                })
            else { continue }
            for (action, minute) in maker.starts(of: choice, from: step.start) {
                draft.place(routine.actions[action].number, of: routine.number, at: minute)
            }
        }
        if !search.isProven { draft.fill() }
        return draft.planned(isProvenBest: search.isProven, steps: search.steps)
    }

    /// Makes the choices of each routine, with fewer beginnings if all of them would take too much
    /// work.
    private static func tables(_ day: OpenDay, limit: Int) -> [ChoiceTable] {
        let work = day.routines.reduce(0) { sum, routine in
            let most = min(ChoiceTable.widest, 1 << min(routine.actions.count, 8))
            return sum + max(0, routine.until - routine.from) * routine.actions.count * most
        }
        var stride = 1
        while work / stride > limit, stride < 60 { stride *= 2 }
        return day.routines.map { ChoiceTable($0, day.time, stride: stride) }
    }
}

extension DayProblem {
    /// Makes a plan the current one, so that the next plan moves as few of its actions as it can.
    package mutating func keep(_ plan: PlannedDay) {
        let starts = Dictionary(
            plan.actions.map { ($0.id, $0.span.from) }, uniquingKeysWith: { first, _ in first })
        for routine in routines.indices {
            for action in routines[routine].actions.indices {
                routines[routine].actions[action].earlierStart =
                    starts[routines[routine].actions[action].id]
            }
        }
    }
}
