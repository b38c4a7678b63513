import Messages

extension ShiftState {
    /// The result of a task; nil when no list has it.
    package func result(of key: TaskKey) -> TaskResult? {
        lists.position(of: key).map(result)
    }

    /// The results of every task of a list, in its order.
    package func results(of list: String) -> [TaskResult] {
        lists.tasks.indices.filter { lists.tasks[$0].key.list == list }.map(result)
    }

    /// The tasks whose independent marks contradict each other, in order.
    package var reviews: [TaskResult] {
        lists.tasks.indices.filter { tasks[$0].isInReview }.map(result)
    }

    /// The results of the daily security round of a list: the tasks that are part of it.
    package func securityRound(of list: String) -> [TaskResult] {
        results(of: list).filter { $0.listed.task.securityRound }
    }

    func result(at position: Int) -> TaskResult {
        let listed = lists.tasks[position]
        let record = tasks[position]
        return TaskResult(
            listed: listed, state: state(at: position), shown: record.shown,
            standing: record.standing.map { record.marks[$0] }, marks: record.marks,
            notes: record.notes, isInReview: record.isInReview)
    }

    /// The state of a task. A parent is not ok when a child is, else unchecked when a child is,
    /// else ok.
    func state(at position: Int) -> TaskState {
        let children = lists.tasks[position].children
        if children.isEmpty { return tasks[position].state }
        let states = children.map(state)
        if states.contains(.notOk) { return .notOk }
        return states.contains(.unchecked) ? .unchecked : .ok
    }
}
