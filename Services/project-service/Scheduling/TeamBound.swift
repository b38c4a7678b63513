/// A lower bound of the end of any schedule of a team.
struct TeamBound {
    /// The slot before which no schedule can end.
    let makespan: Int

    init(_ project: TeamProject) {
        let people = project.people.map { PersonTimes($0, fixed: []) }
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
                people[$0].free(for: task, from: start)?.upperBound
            }.min()
            (starts[index], ends[index]) = (start, earliest ?? start)
        }
        makespan = max(ends.max() ?? 0, Self.work(project, people, starts))
    }

    /// Returns the best bound over groups of people: each group that alone may do certain tasks
    /// can't finish their work sooner than if all of it worked from the first moment. Both the
    /// slots and the amounts of work are counted; whoever does a task, it takes the least of each.
    private static func work(
        _ project: TeamProject, _ people: [PersonTimes], _ starts: [Int]
    ) -> Int {
        let open = project.tasks.indices.filter { !project.candidates[$0].isEmpty }
        var groups = Set(open.map { project.candidates[$0] })
        groups.insert(Array(Set(open.flatMap { project.candidates[$0] })).sorted())
        let least = least(of: project)
        var bound = 0
        for group in groups.sorted(by: { $0.lexicographicallyPrecedes($1) }).prefix(200) {
            let members = Set(group)
            let tasks = open.filter { members.isSuperset(of: project.candidates[$0]) }
            guard let first = tasks.map({ starts[$0] }).min() else { continue }
            let slots = tasks.reduce(0) { $0 + least[$1].slots }
            let amount = tasks.reduce(0) { $0 + least[$1].amount }
            bound = max(
                bound,
                Self.slot(after: slots, from: first, project.horizon) { slot in
                    group.reduce(0) { $0 + people[$1].work(before: slot) }
                },
                Self.slot(after: amount, from: first, project.horizon) { slot in
                    group.reduce(0) { $0 + people[$1].amount(before: slot) }
                })
        }
        return bound
    }

    /// Returns the least numbers of slots and of work that each task takes of those who may do it
    /// and have time.
    private static func least(of project: TeamProject) -> [(slots: Int, amount: Int)] {
        let paces = project.people.map { (lowest: $0.paces.min(), highest: $0.paces.max()) }
        return zip(project.tasks, project.candidates).map { task, candidates in
            var least: (slots: Int, amount: Int)?
            for person in candidates {
                guard let lowest = paces[person].lowest, let highest = paces[person].highest
                else { continue }
                let slots = task.slots(atPace: highest)
                let amount = max(task.amount ?? 0, slots * lowest)
                least = (min(least?.slots ?? slots, slots), min(least?.amount ?? amount, amount))
            }
            return least ?? (0, 0)
        }
    }

    /// Returns the first slot before which a sum has grown by `need` since the slot `first`; the
    /// one after the horizon if it never does, and 0 if nothing is needed.
    private static func slot(
        after need: Int, from first: Int, _ horizon: Int, _ sum: (Int) -> Int
    ) -> Int {
        guard need > 0 else { return 0 }
        let done = sum(first)
        var (low, high) = (first, horizon + 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if sum(middle) - done >= need { high = middle } else { low = middle }
        }
        return high
    }
}
