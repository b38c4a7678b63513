import Messages

/// The progress of a list, or a part of it. Tasks with children are not counted.
package struct ListProgress: Hashable, Sendable {
    /// The number of tasks that can be marked.
    package var tasks = 0
    /// The number of tasks found ok or done.
    package var ok = 0
    /// The number of tasks found not ok.
    package var notOk = 0
    /// The number of tasks that don't apply.
    package var notApplicable = 0

    /// The number of tasks that were marked.
    package var lookedAt: Int { ok + notOk + notApplicable }
    /// The number of tasks that were not marked.
    package var unchecked: Int { tasks - lookedAt }
    /// True when no task is left.
    package var isComplete: Bool { unchecked == 0 }

    mutating func count(_ state: TaskState) {
        tasks += 1
        switch state {
        case .unchecked: break
        case .ok: ok += 1
        case .notOk: notOk += 1
        case .notApplicable: notApplicable += 1
        }
    }
}

extension ShiftState {
    /// The progress of a list, or of one section of it.
    ///
    /// - Parameters:
    ///   - list: the id of the template.
    ///   - section: the id of the section; nil for the whole list.
    package func progress(of list: String, section: String? = nil) -> ListProgress {
        var progress = ListProgress()
        for (position, listed) in lists.tasks.enumerated()
        where listed.isLeaf && listed.key.list == list {
            if let section, lists.section(of: listed).id != section { continue }
            progress.count(tasks[position].state)
        }
        return progress
    }

    /// The progress of all lists together.
    package var progress: ListProgress {
        var progress = ListProgress()
        for (position, listed) in lists.tasks.enumerated() where listed.isLeaf {
            progress.count(tasks[position].state)
        }
        return progress
    }
}
