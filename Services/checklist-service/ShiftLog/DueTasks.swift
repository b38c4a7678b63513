import Messages

/// A task that has a time at which it is to be done. Times are in milliseconds since 1970.
package struct DueTask: Hashable, Sendable {
    /// The task.
    package let key: TaskKey
    /// When it is to be done.
    package let due: Int64
    /// From when on it is overdue: its time, or the beginning of a shift that began later, plus the
    /// grace.
    package let overdue: Int64
    /// From when on those above the shift manager are told; nil when it isn't time-critical.
    package let escalation: Int64?
}

extension ShiftState {
    /// Every task with a time, by that time. A task without one has that of the task that it
    /// belongs to. A time of day is the first one not earlier than three hours before the shift
    /// began.
    package var dueTimes: [DueTask] {
        let grace = Int64(settings.grace) * 60_000
        let after = Int64(settings.escalateAfter) * 60_000
        return lists.tasks.indices.filter { lists.tasks[$0].isLeaf }.compactMap { position in
            guard let timed = timed(position), let minutes = timed.carryOut else { return nil }
            let due = localTime.first(
                minutes: Int(minutes), notBefore: shift.started - Self.earliestDue)
            // No one is late before the shift has begun.
            let overdue = max(due, shift.started) + grace
            return DueTask(
                key: lists.tasks[position].key, due: due, overdue: overdue,
                escalation: timed.timeCritical ? overdue + after : nil)
        }.sorted { ($0.due, $0.key.todo) < ($1.due, $1.key.todo) }
    }

    /// How long before the beginning of the shift a task's time may lie.
    private static let earliestDue: Int64 = 3 * 3_600_000

    /// The tasks that are overdue at a time and not done, by their time. None when the shift has
    /// ended.
    package func overdue(at now: Int64) -> [DueTask] {
        guard isOpen else { return [] }
        return dueTimes.filter { $0.overdue <= now && isUnchecked($0.key) }
    }

    /// The next instant at which a task that isn't done becomes overdue or has to be told to those
    /// above; nil when there is none.
    ///
    /// - Returns: milliseconds since 1970.
    package func nextOverdue(after now: Int64) -> Int64? {
        guard isOpen else { return nil }
        return dueTimes.filter { isUnchecked($0.key) }
            .flatMap { [$0.overdue, $0.escalation ?? .min] }.filter { $0 > now }.min()
    }

    /// The tasks that weren't done when they became overdue, whether they were done later or never.
    package func wereOverdue(at end: Int64) -> [DueTask] {
        dueTimes.filter { due in
            guard due.overdue <= end, let position = lists.position(of: due.key) else {
                return false
            }
            let last = tasks[position].marks.last { $0.stamp.time <= due.overdue }
            return (last?.state ?? .unchecked) == .unchecked
        }
    }

    private func isUnchecked(_ key: TaskKey) -> Bool {
        lists.position(of: key).map { tasks[$0].state == .unchecked } ?? false
    }

    /// The task itself, or the nearest above it, that has a time.
    private func timed(_ position: Int) -> ChecklistTask? {
        var next: Int? = position
        while let current = next {
            let listed = lists.tasks[current]
            if listed.task.carryOut != nil { return listed.task }
            next = listed.parent
        }
        return nil
    }
}
