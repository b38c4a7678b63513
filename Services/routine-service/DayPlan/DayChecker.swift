/// A rule that a plan breaks, and what breaks it.
package enum DayFault: Hashable, Sendable {
    /// The plan names an action that the day does not have in that routine.
    case unknown(String)
    /// An action that is in the plan twice, or both planned and left out, or left out twice.
    case twice(String)
    /// An action that is neither planned nor left out.
    case missing(String)
    /// An action that is done or runs, and is not where it was.
    case changed(String)
    /// An action that the person skipped, and that is planned.
    case unwanted(String)
    /// An action that is not as long as it takes.
    case wrongLength(String)
    case outsideDay(String)
    case outsideWindow(String)
    /// An open action that is planned for a time that has passed.
    case beforeNow(String)
    /// An action during an appointment, by their ids, or its preparation.
    case duringAppointment(String, String)
    /// Two actions of one routine out of order or at once.
    case wrongOrder(String, String)
    /// Two routines closer than the pause, at once or one within the other.
    case tooClose(String, String)
    /// Another routine begins before the one goes on that a person is in.
    case interrupted(String, by: String)
    /// A routine that does not begin when it has to.
    case notAtFixedStart(String)
    case wrongWorth(Int)
    case wrongMoves(Int)
    case wrongCost(Int)
    /// An action that is said to have moved and has not, or moved and is not said to have.
    case wrongMove(String)
    /// An action that is left out though it has more minutes than it takes, or another duration.
    case wrongReason(String)
}

/// Tests a plan against the rules, one after another. It has nothing in common with the planning,
/// so that a fault in one does not hide in the other.
package struct DayChecker {
    private let problem: DayProblem
    private let plan: PlannedDay
    private var faults: [DayFault] = []

    /// All that is wrong with a plan of a valid day; nothing when it is good. It may still not be
    /// the best.
    package static func faults(of plan: PlannedDay, in problem: DayProblem) -> [DayFault] {
        var checker = DayChecker(problem: problem, plan: plan)
        checker.checkNames()
        // What follows takes each action to be there once.
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

    /// The routine and the action of an id.
    private func find(_ id: String, in routine: String) -> (DayRoutine, DayAction)? {
        guard let home = problem.routines.first(where: { $0.id == routine }),
            let action = home.actions.first(where: { $0.id == id })
        else { return nil }
        return (home, action)
    }

    /// The time that the plan gives to an action.
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
            // What is done or runs comes before what is open, whatever the order was.
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

    /// The beginnings and ends of the planned actions of a routine: those that are open or those
    /// that have begun.
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

    /// The routine of the action that runs, or of the one that ended last.
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
