/// Explains why an action is left out or moved. The explanation follows from the day and the final
/// plan alone, no matter how the plan was found.
struct Reasons {
    private let draft: DraftDay
    private var problem: DayProblem { draft.problem }
    private var day: OpenDay { draft.day }

    init(_ draft: DraftDay) {
        self.draft = draft
    }

    /// Returns an action that has no time in the plan, with the reason.
    func leftOut(_ index: Int, of number: Int) -> LeftOutAction {
        let routine = problem.routines[number]
        let action = routine.actions[index]
        return LeftOutAction(
            id: action.id, routine: routine.id, reason: reason(action, index, number))
    }

    private func reason(_ action: DayAction, _ index: Int, _ number: Int) -> LeftOutReason {
        let window = problem.routines[number].window
        let until = min(window.until, problem.sleep)
        var reason = LeftOutReason(
            key: .skipped, takes: action.minutes, left: 0, before: nil, until: until)
        guard action.state == .open,
            let routine = day.routines.first(where: { $0.number == number })
        else { return reason }
        let end: LeftOutReason.Limit = window.until <= problem.sleep ? .window : .sleep
        let whole = until - max(window.from, problem.wake)
        let remaining = until - routine.from
        if whole < action.minutes || remaining < action.minutes {
            reason.key = whole < action.minutes ? .windowTooShort : .windowPassed
            reason.left = max(0, min(whole, remaining))
            reason.before = reason.left > 0 ? end : nil
            return reason
        }
        let free = day.time.stretches(of: MinuteSpan(from: routine.from, until: until))
        var room = free
        reason.key = .noRoomBesideAppointments
        if free.contains(where: { $0.minutes >= action.minutes }) {
            room = draft.room(for: index, of: routine)
            reason.key = .noRoomBesideOthers
            if let fixed = routine.fixedStart, draft.span(of: number) == nil {
                room = room.filter { $0.from <= fixed && fixed < $0.until }.map {
                    MinuteSpan(from: fixed, until: $0.until)
                }
                reason.key = .fixedStartTaken
            } else if let fixed = routine.fixedStart {
                room = room.filter { $0.from >= fixed }
            }
        }
        guard let most = room.max(by: { $0.minutes < $1.minutes }) else { return reason }
        reason.left = most.minutes
        reason.before = limit(at: most.until, index, number) ?? end
        return reason
    }

    /// Returns what begins where a free stretch ends.
    private func limit(at minute: Int, _ index: Int, _ number: Int) -> LeftOutReason.Limit? {
        if let appointment = problem.appointments.first(where: {
            max(0, $0.span.from - $0.preparation) == minute && $0.span.until > minute
        }) {
            return .appointment(appointment.id)
        }
        let own = problem.routines[number]
        for next in own.actions.indices.dropFirst(index + 1)
        where draft.starts[number][next] == minute {
            return .action(own.actions[next].id)
        }
        for other in day.routines
        where other.number != number && draft.span(of: other.number)?.from == minute + day.pause {
            return .routine(problem.routines[other.number].id)
        }
        return nil
    }

    /// Returns an action that the current plan had at another time, with the reason.
    func moved(_ index: Int, of number: Int, from: Int, to: Int) -> MovedAction {
        let routine = problem.routines[number]
        return MovedAction(
            id: routine.actions[index].id, routine: routine.id, from: from, to: to,
            reason: reason(
                index, number, MinuteSpan(from: from, until: from + routine.actions[index].minutes))
        )
    }

    private func reason(_ index: Int, _ number: Int, _ span: MinuteSpan) -> MovedAction.Reason {
        if let late = late(number, span) { return .late(late) }
        if span.from < day.from { return .timePassed }
        if let appointment = problem.appointments.first(where: {
            $0.span.from - $0.preparation < span.until && span.from < $0.span.until
        }) {
            return .appointment(appointment.id)
        }
        let own = problem.routines[number]
        for (other, action) in own.actions.enumerated() where other != index {
            guard let start = draft.starts[number][other] else { continue }
            if start < span.until, span.from < start + action.minutes { return .action(action.id) }
        }
        for other in day.routines where other.number != number {
            guard let there = draft.span(of: other.number) else { continue }
            if there.from - day.pause < span.until, span.from < there.until + day.pause {
                return .routine(problem.routines[other.number].id)
            }
        }
        return .toFit
    }

    /// Returns the action that is running or has just ended, if it leaves no room for a time.
    private func late(_ number: Int, _ span: MinuteSpan) -> String? {
        var latest: (id: String, end: Int)?
        for (other, routine) in problem.routines.enumerated() {
            for action in routine.actions {
                let done: MinuteSpan
                switch action.state {
                case .open, .skipped: continue
                case .done(let span), .running(let span): done = span
                }
                let end = done.until + (other == number ? 0 : day.pause)
                if done.from <= span.from, span.from < end, end >= day.from,
                    end > latest?.end ?? 0
                {
                    latest = (action.id, end)
                }
            }
        }
        return latest?.id
    }
}
