import Messages

/// How far a list, or a part of it, has come. Tasks with children don't count.
package struct ListProgress: Hashable, Sendable {
    /// Tasks that can be marked.
    package var tasks = 0
    /// Tasks found ok or done.
    package var ok = 0
    /// Tasks found not ok.
    package var notOk = 0
    /// Tasks that don't apply.
    package var notApplicable = 0

    /// Tasks that someone has looked at.
    package var lookedAt: Int { ok + notOk + notApplicable }
    /// Tasks that no one has looked at.
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
    /// How far a list has come, or one section of it.
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

    /// How far all lists have come.
    package var progress: ListProgress {
        var progress = ListProgress()
        for (position, listed) in lists.tasks.enumerated() where listed.isLeaf {
            progress.count(tasks[position].state)
        }
        return progress
    }
}
