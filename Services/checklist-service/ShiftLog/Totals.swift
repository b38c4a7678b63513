import Messages

extension ShiftState {
    /// The totals of the shift at a time. What came after its end has no effect.
    ///
    /// - Parameter now: the time in milliseconds since 1970.
    package func totals(at now: Int64) -> ShiftTotals {
        let until = isOpen ? now : min(now, shift.ended)
        let progress = progress
        let todos = todos
        let done = todos.filter { $0.done != nil }
        let slots = slots(at: until).filter { $0.due < until }
        let pace = pace
        let count = { (state: TravelPathSlot.State) in
            UInt32(slots.filter { $0.state == state }.count)
        }
        return ShiftTotals(
            tasks: UInt32(progress.tasks), ok: UInt32(progress.ok),
            notOk: UInt32(progress.notOk), notApplicable: UInt32(progress.notApplicable),
            overdue: UInt32(wereOverdue(at: until).count), todos: UInt32(todos.count),
            todosDone: UInt32(done.count),
            todoLead: done.reduce(0) { $0 + max(0, ($1.done?.time ?? 0) - $1.made.time) },
            travelPathsDue: count(.done) + count(.late) + count(.missed),
            travelPathsDone: count(.done), travelPathsLate: count(.late),
            travelPathsMissed: count(.missed), fillTime: fillTime,
            tooFast: UInt32(pace.tooFast), hardlyWalked: pace.hardlyWalked)
    }
}
