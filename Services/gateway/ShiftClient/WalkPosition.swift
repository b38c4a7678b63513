import Messages
import ShiftLog

/// The position of a walk in a list. Only tasks that can be marked are stops: a task with others
/// under it is a heading, and going to it means going to the first task under it.
package struct WalkPosition: Hashable {
    /// The list.
    package let list: String
    /// The tasks that can be marked, in order.
    package let stops: [TaskKey]
    /// The index of the present stop; nil if the list has none.
    package private(set) var index: Int?

    /// The start of a walk: the first unmarked task after the last mark of the list, or from the
    /// top if all after it are marked.
    package init(_ list: ChecklistTemplate, _ state: ShiftState) {
        self.list = list.id
        let results = state.results(of: list.id).filter(\.listed.isLeaf)
        stops = results.map(\.listed.key)
        let marked = results.indices.max { Self.time(results[$0]) < Self.time(results[$1]) }
        let last = marked.flatMap { Self.time(results[$0]) > 0 ? $0 : nil } ?? -1
        index = nextOpen(after: last, state) ?? stops.indices.first
    }

    private static func time(_ result: TaskResult) -> Int64 {
        result.marks.map(\.stamp.time).max() ?? 0
    }

    /// The present task.
    package var key: TaskKey? { index.map { stops[$0] } }

    /// The next unmarked task, starting again from the top if none follows; nil if all are marked.
    private func nextOpen(after index: Int, _ state: ShiftState) -> Int? {
        let order = Array(stops.indices.dropFirst(index + 1)) + stops.indices.prefix(index + 1)
        return order.first { state.result(of: stops[$0])?.state == .unchecked }
    }

    /// Moves on after a mark.
    ///
    /// - Returns: false if every task is marked; then the position doesn't change.
    package mutating func goOn(_ state: ShiftState) -> Bool {
        guard let present = index, let next = nextOpen(after: present, state) else { return false }
        index = next
        return true
    }

    /// Moves back or forth, to marked and unmarked tasks alike.
    package mutating func step(_ count: Int) {
        guard let present = index else { return }
        index = min(max(present + count, 0), stops.count - 1)
    }

    /// Goes to a task, or to the first that can be marked under it.
    package mutating func go(to key: TaskKey, _ state: ShiftState) {
        var key = key
        while let task = state.lists.task(key), let child = task.children.first {
            key = state.lists.tasks[child].key
        }
        if let found = stops.firstIndex(of: key) { index = found }
    }

    /// Goes to a section: to its first unmarked task, or else its first task.
    package mutating func go(toSection section: String, _ state: ShiftState) {
        let here = stops.indices.filter { position in
            state.lists.task(stops[position]).map { state.lists.section(of: $0).id } == section
        }
        let open = here.first { state.result(of: stops[$0])?.state == .unchecked }
        index = open ?? here.first ?? index
    }
}
