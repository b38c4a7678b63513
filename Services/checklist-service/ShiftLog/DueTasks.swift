import Messages

/// A task with a time at which it is due. Times are in milliseconds since 1970.
package struct DueTask: Hashable, Sendable {
    /// The key of the task.
    package let key: TaskKey
    /// When it is due.
    package let due: Int64
    /// When it becomes overdue: at its time, or at the beginning of a shift that began later, plus
    /// the grace.
    package let overdue: Int64
    /// When the shift manager's superiors are alerted; nil when it isn't time-critical.
    package let escalation: Int64?
}

extension ShiftState {
    /// Every task with a time, ordered by it. A task without one has that of its parent. A time of
    /// day means its first occurrence not earlier than six hours before the shift began.
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

    /// How long before the beginning of the shift a task may be due, in milliseconds: 6 hours. A
    /// shift may begin hours late, and the tasks that it should have begun with are then late too.
    /// The rest of the 24 hours holds the longest shift, 16 hours.
    private static let earliestDue: Int64 = 6 * 3_600_000

    /// The tasks that are overdue at a time and not done, ordered by their time; none when the
    /// shift has ended.
    package func overdue(at now: Int64) -> [DueTask] {
        guard isOpen else { return [] }
        return dueTimes.filter { $0.overdue <= now && isUnchecked($0.key) }
    }

    /// The next time at which a task or a to-do that isn't done becomes overdue or has to be
    /// escalated; nil when there is none.
    ///
    /// - Returns: milliseconds since 1970.
    package func nextOverdue(after now: Int64) -> Int64? {
        guard isOpen else { return nil }
        let tasks = dueTimes.filter { isUnchecked($0.key) }
            .flatMap { [$0.overdue, $0.escalation ?? .min] }
        let todos = dueTodos.flatMap { [$0.overdue, $0.escalation] }
        return (tasks + todos).filter { $0 > now }.min()
    }

    /// The tasks that were not done when they became overdue, whether they were done later or
    /// never.
    package func wereOverdue(at end: Int64) -> [DueTask] {
        dueTimes.filter { due in
            guard due.overdue <= end, let position = lists.position(of: due.key) else {
                return false
            }
            let last = tasks[position].marks.last { $0.stamp.time <= due.overdue }
            return (last?.state ?? .unchecked) == .unchecked
        }
    }

    /// The place in the log at which a task was last marked; 0 if nobody has marked it. If the task
    /// isn't done, that mark opened it again.
    package func reopening(of key: TaskKey) -> Int64 {
        let mark = lists.position(of: key).flatMap { tasks[$0].marks.last }
        return Int64(clamping: mark?.stamp.sequence ?? 0)
    }

    private func isUnchecked(_ key: TaskKey) -> Bool {
        lists.position(of: key).map { tasks[$0].state == .unchecked } ?? false
    }

    /// The task itself or its nearest ancestor that has a time.
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
