/// A lower bound of the end of any schedule of a team.
struct TeamBound {
    /// The slot before which no schedule can end.
    let makespan: Int

    init(_ project: TeamProject) {
        let people = project.people.map { PersonTimes($0.working, fixed: []) }
        var ends = Array(repeating: 0, count: project.tasks.count)
        var starts = ends
        for index in Ordering.topological(project.tasks.map { $0.predecessors.map(\.task) }) {
            let task = project.tasks[index]
            if case .fixed(let place) = task.state {
                (starts[index], ends[index]) = (place.start, place.end)
                continue
            }
            var start = task.release
            for link in task.predecessors { start = max(start, ends[link.task] + link.lag) }
            let earliest = project.candidates[index].compactMap {
                people[$0].free(task.work, from: start)?.upperBound
            }.min()
            (starts[index], ends[index]) = (start, earliest ?? start)
        }
        makespan = max(ends.max() ?? 0, Self.work(project, people, starts))
    }

    /// Returns the best bound over groups of people: each group that alone may do certain tasks
    /// can't finish their work sooner than if all of it worked from the first moment.
    private static func work(
        _ project: TeamProject, _ people: [PersonTimes], _ starts: [Int]
    ) -> Int {
        let open = project.tasks.indices.filter { !project.candidates[$0].isEmpty }
        var groups = Set(open.map { project.candidates[$0] })
        groups.insert(Array(Set(open.flatMap { project.candidates[$0] })).sorted())
        var bound = 0
        for group in groups.sorted(by: { $0.lexicographicallyPrecedes($1) }).prefix(200) {
            let members = Set(group)
            let tasks = open.filter { members.isSuperset(of: project.candidates[$0]) }
            let work = tasks.reduce(0) { $0 + project.tasks[$1].work }
            guard let first = tasks.map({ starts[$0] }).min(), work > 0 else { continue }
            let done = group.reduce(0) { $0 + people[$1].work(before: first) }
            var (low, high) = (first, project.horizon + 1)
            while high - low > 1 {
                let middle = (low + high) / 2
                let sum = group.reduce(0) { $0 + people[$1].work(before: middle) }
                if sum - done >= work { high = middle } else { low = middle }
            }
            bound = max(bound, high)
        }
        return bound
    }
}
