/// Makes schedules of a team by placing one task at a time, in the order of keys; each task goes to
/// the person who ends it first.
final class TeamScheduler {
    private let project: TeamProject
    private let order: [Int]
    private let links: [[TeamProject.Link]]
    private var people: [PersonTimes]
    private var finish: [Int]
    /// The number of schedules made so far.
    private(set) var made = 0
    /// The task that didn't fit before the horizon, if the last schedule failed.
    private(set) var stranded: Int?
    /// For each task, the earliest slot and, if set, the only person allowed; used to stay close to
    /// the present plan.
    var holds: [(slot: Int, person: Int?)]

    init(_ project: TeamProject) {
        self.project = project
        order = Ordering.topological(project.tasks.map { $0.predecessors.map(\.task) })
        links = project.tasks.map(\.predecessors)
        finish = Array(repeating: 0, count: project.tasks.count)
        holds = project.tasks.map { ($0.release, nil) }
        var fixed: [[Range<Int>]] = Array(repeating: [], count: project.people.count)
        for task in project.tasks {
            if case .fixed(let place) = task.state, let person = place.person {
                fixed[person].append(place.start..<place.end)
            }
        }
        people = zip(project.people, fixed).map { PersonTimes($0, fixed: $1) }
    }

    /// Makes a schedule in the order of the keys, lowest first, each task after those that it
    /// follows; nil when a task doesn't fit before the horizon.
    func schedule(_ keys: [Int]) -> (places: [TeamProject.Assignment], cost: TeamSchedule.Cost)? {
        made += 1
        stranded = nil
        for person in people.indices { people[person].clear() }
        var places = project.tasks.map { task in
            if case .fixed(let place) = task.state { return place }
            return TeamProject.Assignment(person: nil, start: 0, end: 0)
        }
        for task in sorted(keys) {
            if case .fixed = project.tasks[task].state { continue }
            guard let place = place(task, places) else {
                stranded = task
                return nil
            }
            places[task] = place
            if let person = place.person { people[person].take(place.start..<place.end) }
        }
        return (places, cost(of: places))
    }

    /// Returns the tasks in order: the running ones first, with everything that they follow.
    private func sorted(_ keys: [Int]) -> [Int] {
        var keys = keys
        for task in order.reversed() {
            if case .running = project.tasks[task].state { keys[task] = -1 }
            // The predecessors of a running task come before it.
            if keys[task] < 0 {
                for link in links[task] { keys[link.task] = -1 }
            }
        }
        for task in order {
            for link in links[task] { keys[task] = max(keys[task], keys[link.task]) }
        }
        var rank = Array(repeating: 0, count: order.count)
        for (place, task) in order.enumerated() { rank[task] = place }
        return order.sorted { (keys[$0], rank[$0]) < (keys[$1], rank[$1]) }
    }

    private func place(
        _ task: Int, _ places: [TeamProject.Assignment]
    ) -> TeamProject.Assignment? {
        var earliest = holds[task].slot
        for link in links[task] { earliest = max(earliest, places[link.task].end + link.lag) }
        guard earliest <= project.horizon else { return nil }
        let wanted = project.tasks[task]
        if wanted.work == 0 { return .init(person: nil, start: earliest, end: earliest) }
        let usual = wanted.today?.person
        var best: (range: Range<Int>, person: Int)?
        for person in project.candidates[task] {
            if let only = holds[task].person, only != person { continue }
            guard let range = people[person].free(for: wanted, from: earliest) else { continue }
            if let known = best {
                let isSooner =
                    range.upperBound != known.range.upperBound
                    ? range.upperBound < known.range.upperBound
                    : person == usual && known.person != usual
                if !isSooner { continue }
            }
            best = (range, person)
        }
        return best.map {
            .init(person: $0.person, start: $0.range.lowerBound, end: $0.range.upperBound)
        }
    }

    private func cost(of places: [TeamProject.Assignment]) -> TeamSchedule.Cost {
        var cost = TeamSchedule.Cost(lateness: 0, makespan: 0, change: 0)
        for (task, place) in zip(project.tasks, places) {
            cost.makespan = max(cost.makespan, place.end)
            if let due = task.due { cost.lateness += max(0, place.end - due) * task.weight }
            if let today = task.today {
                cost.change += abs(place.start - today.start)
                if place.person != today.person { cost.change += task.work }
            }
        }
        return cost
    }
}
