import DayPlan
import RideEvaluation

/// A day with one unexpected change after another: an action takes longer, an appointment comes up
/// or is cancelled.
package struct RunningDay: Sendable {
    /// The day after the latest change.
    package private(set) var problem: DayProblem
    private var random: Seeded
    private var changes = 0

    /// The day with its first plan in force, before it begins.
    package init(_ day: TrialDay, plan: PlannedDay) {
        problem = day.problem
        problem.now = problem.wake
        problem.keep(plan)
        random = Seeded(day.seed &+ 1 << 32)
    }

    /// Makes the next change; for some of them time passes.
    package mutating func change() {
        changes += 1
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1: if !takeLonger() { addAppointment() }
        case 2: addAppointment()
        default: if !cancelAppointment() { addAppointment() }
        }
    }

    /// Puts a plan of the day in force.
    package mutating func keep(_ plan: PlannedDay) {
        problem.keep(plan)
    }

    /// The next action begins, and has not ended when it should have.
    private mutating func takeLonger() -> Bool {
        var next: (routine: Int, action: Int, start: Int)?
        for (number, routine) in problem.routines.enumerated() {
            for (index, action) in routine.actions.enumerated() where action.state == .open {
                guard let start = action.earlierStart, start < next?.start ?? .max else { continue }
                next = (number, index, start)
            }
        }
        guard let next else { return false }
        for number in problem.routines.indices {
            for index in problem.routines[number].actions.indices {
                let state = problem.routines[number].actions[index].state
                guard case .running(let span) = state else { continue }
                problem.routines[number].actions[index].state = .done(span)
            }
        }
        let minutes = problem.routines[next.routine].actions[next.action].minutes
        let late = Int.random(in: 1...5, using: &random) * 5
        problem.routines[next.routine].actions[next.action].state = .running(
            MinuteSpan(from: next.start, until: next.start + minutes + late))
        problem.now = max(problem.now ?? 0, next.start + minutes)
        return true
    }

    private mutating func addAppointment() {
        let now = problem.now ?? problem.wake
        let from = now + Int.random(in: 2...60, using: &random) * 5
        problem.appointments.append(
            DayAppointment(
                id: "new-\(changes)",
                span: MinuteSpan(
                    from: from, until: from + Int.random(in: 3...12, using: &random) * 5),
                preparation: Int.random(in: 0...3, using: &random) * 5))
    }

    private mutating func cancelAppointment() -> Bool {
        let now = problem.now ?? problem.wake
        let ahead = problem.appointments.indices.filter {
            problem.appointments[$0].span.from > now
        }
        guard let one = ahead.randomElement(using: &random) else { return false }
        problem.appointments.remove(at: one)
        return true
    }
}
