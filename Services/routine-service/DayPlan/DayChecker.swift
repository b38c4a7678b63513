/// A rule that a plan breaks, and the ids of the parts that break it.
package enum DayFault: Hashable, Sendable {
    /// An action that the day doesn't have in the routine that the plan names.
    case unknown(String)
    /// An action that is in the plan twice, both planned and left out, or left out twice.
    case twice(String)
    /// An action that is neither planned nor left out.
    case missing(String)
    /// An action that is done or running but isn't where it was.
    case changed(String)
    /// A planned action that the person skipped.
    case unwanted(String)
    /// An action that is planned for longer or shorter than it takes.
    case wrongLength(String)
    case outsideDay(String)
    case outsideWindow(String)
    /// An open action planned for a time that has passed.
    case beforeNow(String)
    /// An action during an appointment or its preparation, by their ids.
    case duringAppointment(String, String)
    /// Two actions of one routine that are out of order or overlap.
    case wrongOrder(String, String)
    /// Two routines that are closer than the pause or overlap.
    case tooClose(String, String)
    /// A routine that begins before the current one has continued.
    case interrupted(String, by: String)
    /// A routine that doesn't begin at its fixed start.
    case notAtFixedStart(String)
    case wrongWorth(Int)
    case wrongMoves(Int)
    case wrongCost(Int)
    /// An action whose reported move is wrong, or whose move isn't reported.
    case wrongMove(String)
    /// A left-out action whose reason doesn't fit: the room would suffice, the duration is wrong,
    /// or it is wrongly reported as skipped.
    case wrongReason(String)
}

/// Checks a plan against the rules, one by one. It shares no code with the planner, so that a fault
/// in one isn't hidden by the other.
package struct DayChecker {
    private let problem: DayProblem
    private let plan: PlannedDay
    private var faults: [DayFault] = []

    /// Returns all faults of a plan of a valid day; empty when the plan is valid. It may still not
    /// be the best.
    package static func faults(of plan: PlannedDay, in problem: DayProblem) -> [DayFault] {
        var checker = DayChecker(problem: problem, plan: plan)
        checker.checkNames()
        // The remaining checks rely on each action being there once.
        guard checker.faults.isEmpty else { return checker.faults }
        checker.checkFacts()
        checker.checkTimes()
        checker.checkOrder()
        checker.checkRoutines()
        checker.checkFigures()
        checker.checkReasons()
        return checker.faults
    }

    private init(problem: DayProblem, plan: PlannedDay) {
        self.problem = problem
        self.plan = plan
    }

    /// Returns the routine and the action with an id.
    private func find(_ id: String, in routine: String) -> (DayRoutine, DayAction)? {
        guard let home = problem.routines.first(where: { $0.id == routine }),
            let action = home.actions.first(where: { $0.id == id })
        else { return nil }
        return (home, action)
    }

    /// Returns the time that the plan gives to an action.
    private func time(of id: String) -> MinuteSpan? {
        plan.actions.first { $0.id == id }?.span
    }

    private mutating func checkNames() {
        let named =
            plan.actions.map { ($0.id, $0.routine) } + plan.leftOut.map { ($0.id, $0.routine) }
        var seen: Set<String> = []
        for (id, routine) in named {
            if find(id, in: routine) == nil { faults.append(.unknown(id)) }
            if !seen.insert(id).inserted { faults.append(.twice(id)) }
        }
        for action in problem.routines.flatMap(\.actions) where !seen.contains(action.id) {
            faults.append(.missing(action.id))
        }
        let minutes = 0...DayLimits.lastMinute
        for planned in plan.actions
        where !minutes.contains(planned.span.from) || !minutes.contains(planned.span.until) {
            faults.append(.outsideDay(planned.id))
        }
    }

    private mutating func checkFacts() {
        for action in problem.routines.flatMap(\.actions) {
            switch action.state {
            case .open: break
            case .skipped:
                if time(of: action.id) != nil { faults.append(.unwanted(action.id)) }
            case .done(let span):
                if time(of: action.id) != span { faults.append(.changed(action.id)) }
            case .running(var span):
                if let now = problem.now, span.until < now { span.until = now }
                if time(of: action.id) != span { faults.append(.changed(action.id)) }
            }
        }
    }

    private mutating func checkTimes() {
        for planned in plan.actions {
            guard let (routine, action) = find(planned.id, in: planned.routine),
                action.state == .open
            else { continue }
            let span = planned.span
            if span.until - span.from != action.minutes { faults.append(.wrongLength(action.id)) }
            if span.from < problem.wake || span.until > problem.sleep {
                faults.append(.outsideDay(action.id))
            }
            if span.from < routine.window.from || span.until > routine.window.until {
                faults.append(.outsideWindow(action.id))
            }
            if let now = problem.now, span.from < now { faults.append(.beforeNow(action.id)) }
            for appointment in problem.appointments {
                let blocked = (appointment.span.from - appointment.preparation)
                if span.until > blocked && span.from < appointment.span.until {
                    faults.append(.duringAppointment(action.id, appointment.id))
                }
            }
        }
    }

    private mutating func checkOrder() {
        for routine in problem.routines {
            var before: (id: String, until: Int)?
            // What is done or running comes before what is open, whatever the order was.
            for action in routine.actions {
                guard let span = time(of: action.id), action.state != .open else { continue }
                if span.until > before?.until ?? -1 { before = (action.id, span.until) }
            }
            for action in routine.actions where action.state == .open {
                guard let span = time(of: action.id) else { continue }
                if let before, span.from < before.until {
                    faults.append(.wrongOrder(before.id, action.id))
                }
                before = (action.id, span.until)
            }
        }
    }

    /// Returns the time from the first to the last planned action of a routine, counting either the
    /// open actions or those that have begun.
    private func extent(of routine: DayRoutine, open: Bool) -> MinuteSpan? {
        let spans = routine.actions.filter { ($0.state == .open) == open }
            .compactMap { time(of: $0.id) }
        guard let first = spans.map(\.from).min(), let last = spans.map(\.until).max() else {
            return nil
        }
        return MinuteSpan(from: first, until: last)
    }

    private mutating func checkRoutines() {
        let routines = problem.routines
        for one in routines.indices {
            guard let open = extent(of: routines[one], open: true) else { continue }
            let begun = extent(of: routines[one], open: false)
            if begun == nil, let fixed = routines[one].fixedStart, open.from != fixed {
                faults.append(.notAtFixedStart(routines[one].id))
            }
            for other in routines.indices where other != one {
                if let facts = extent(of: routines[other], open: false),
                    open.from < facts.until + problem.pause
                {
                    faults.append(.tooClose(routines[other].id, routines[one].id))
                }
                if other > one, let next = extent(of: routines[other], open: true),
                    open.from < next.until + problem.pause, next.from < open.until + problem.pause
                {
                    faults.append(.tooClose(routines[one].id, routines[other].id))
                }
            }
        }
        guard let current = whereThePersonIs(),
            let goesOn = extent(of: current, open: true)
        else { return }
        for routine in routines where routine.id != current.id {
            if let open = extent(of: routine, open: true), open.from < goesOn.from {
                faults.append(.interrupted(current.id, by: routine.id))
            }
        }
    }

    /// Returns the routine of the running action, or of the one that ended last.
    private func whereThePersonIs() -> DayRoutine? {
        var last: (routine: DayRoutine, until: Int)?
        for routine in problem.routines {
            for action in routine.actions {
                if case .running = action.state { return routine }
                if case .done(let span) = action.state, span.until >= last?.until ?? 0 {
                    last = (routine, span.until)
                }
            }
        }
        return last?.routine
    }

    private mutating func checkFigures() {
        var worth = 0
        var moves = 0
        var cost = 0
        var moved: [String: Int] = [:]
        for routine in problem.routines {
            var busy = 0
            for action in routine.actions where action.state == .open {
                let span = time(of: action.id)
                if let span {
                    worth += [1, 2, 4, 8, 16][action.priority - 1]
                    busy += span.minutes
                }
                if let earlier = action.earlierStart, span?.from != earlier {
                    moves += 1
                    if let span { moved[action.id] = span.from }
                }
            }
            guard let open = extent(of: routine, open: true) else { continue }
            if let begun = extent(of: routine, open: false) {
                cost += 2 * (open.until - begun.until - busy)
            } else {
                cost += 2 * (open.minutes - busy) + abs(open.from - routine.preferred)
            }
        }
        if worth != plan.worth { faults.append(.wrongWorth(worth)) }
        if moves != plan.moves { faults.append(.wrongMoves(moves)) }
        if cost != plan.cost { faults.append(.wrongCost(cost)) }
        for said in plan.moved {
            if moved.removeValue(forKey: said.id) != said.to
                || find(said.id, in: said.routine)?.1.earlierStart != said.from
            {
                faults.append(.wrongMove(said.id))
            }
        }
        faults += moved.keys.sorted().map { .wrongMove($0) }
    }

    private mutating func checkReasons() {
        for leftOut in plan.leftOut {
            guard let (_, action) = find(leftOut.id, in: leftOut.routine) else { continue }
            let reason = leftOut.reason
            if reason.takes != action.minutes || !(0..<action.minutes).contains(reason.left)
                || (action.state == .skipped) != (reason.key == .skipped)
            {
                faults.append(.wrongReason(action.id))
            }
        }
    }
}
