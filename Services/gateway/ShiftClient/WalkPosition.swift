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
    /// The crew member who walks; nil for somebody who may mark every task.
    package let crew: CrewMember?

    /// The start of a walk: the first unmarked task after the last mark of the list, or from the
    /// top if all after it are marked. A crew member begins with one that they may mark, if there
    /// is one.
    package init(_ list: ChecklistTemplate, _ state: ShiftState, _ crew: CrewMember? = nil) {
        self.list = list.id
        self.crew = crew
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

    /// True if the person may mark a task of the list that is unmarked.
    package func hasOpen(_ state: ShiftState) -> Bool {
        stops.indices.contains { isOpen($0, state) }
    }

    /// The next unmarked task that the person may mark, starting again from the top if none
    /// follows; nil if there is none.
    private func nextOpen(after index: Int, _ state: ShiftState) -> Int? {
        let order = Array(stops.indices.dropFirst(index + 1)) + stops.indices.prefix(index + 1)
        return order.first { isOpen($0, state) }
    }

    private func isOpen(_ index: Int, _ state: ShiftState) -> Bool {
        state.result(of: stops[index])?.state == .unchecked
            && crew?.mayMark(stops[index], in: state) ?? true
    }

    /// Moves on after a mark.
    ///
    /// - Returns: false if no task is left that the person may mark; then the position doesn't
    ///   change.
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

    /// Goes to a section: to its first unmarked task that the person may mark, or else its first
    /// task.
    package mutating func go(toSection section: String, _ state: ShiftState) {
        let here = stops.indices.filter { position in
            state.lists.task(stops[position]).map { state.lists.section(of: $0).id } == section
        }
        let open = here.first { isOpen($0, state) }
        index = open ?? here.first ?? index
    }
}

/// Someone who leads no shifts at a site: what they may mark depends on their areas, and on what
/// the shift manager lets them do.
package struct CrewMember: Hashable, Sendable {
    private let name: String
    /// The areas of their roles; nil for all areas.
    private let areas: Set<String>?

    private static let leaders: [Role] = [
        .shiftManager, .siteManager, .supervisor, .administrator, .owner,
    ]

    /// The person with an account.
    ///
    /// - Parameters:
    ///   - account: the account, with its roles.
    ///   - site: the id of the site.
    /// - Returns: nil for an account that leads shifts at the site.
    package init?(_ account: Account, at site: String) {
        let grants = account.grants.filter {
            [site, ""].contains($0.site) && ($0.role == .crew || Self.leaders.contains($0.role))
        }
        let leads = grants.contains { $0.area.isEmpty && Self.leaders.contains($0.role) }
        guard !leads else { return nil }
        name = account.name
        areas = grants.contains { $0.area.isEmpty } ? nil : Set(grants.map(\.area))
    }

    /// The area of a to-do that they add without naming one: the manager's, or else the first of
    /// their own.
    package var usualArea: String {
        guard let areas, !areas.contains("manager") else { return "manager" }
        return areas.filter { !$0.isEmpty }.min() ?? "manager"
    }

    /// True if they may mark a task.
    package func mayMark(_ key: TaskKey, in state: ShiftState) -> Bool {
        let area = state.lists.task(key)?.task.area ?? ""
        guard areas.map({ !area.isEmpty && $0.contains(area) }) ?? true else { return false }
        return state.crewMay(key.list, account: name) != .unspecified
    }
}
