import ProjectInstances
import Scheduling
import TestSupport

extension ActivityNetwork {
    /// Any network with this number of activities and resources.
    static func any(
        _ seed: inout Seed, activities count: Int, resources: Int
    ) throws -> ActivityNetwork {
        let capacities = (0..<resources).map { _ in 1 + seed.below(8) }
        // Here an activity comes after those it follows, but in the network it can have any place.
        let places = (0..<count).shuffled(using: &seed)
        var activities = (0..<count).map { _ in
            Activity(
                duration: seed.oneIn(8) ? 0 : 1 + seed.below(5),
                demands: capacities.map { seed.oneIn(3) ? 0 : seed.below($0 + 1) })
        }
        for later in 0..<count {
            for earlier in 0..<later where seed.oneIn(4) {
                activities[places[later]].predecessors.append(places[earlier])
            }
        }
        return try ActivityNetwork(activities: activities, capacities: capacities)
    }
}

extension TeamProject {
    /// Any project of a few people with hours, skills and paces of their own; the paces of each
    /// differ from slot to slot unless they are steady.
    static func any(_ seed: inout Seed, isSteady: Bool = false) throws -> TeamProject {
        let horizon = 2_000
        var people: [Person] = []
        for number in 0..<1 + seed.below(4) {
            let (working, pace) = (hours(&seed, until: horizon), 4 + seed.below(5))
            // The first can do everything, so that each task has someone who can do it.
            let skills = Set((0..<4).filter { number == 0 || $0 == 0 || seed.oneIn(2) })
            let paces = working.joined().map { _ in isSteady ? pace : 4 + seed.below(5) }
            people.append(Person(working: working, skills: skills, paces: paces))
        }
        var tasks: [Task] = []
        for index in 0..<1 + seed.below(14) {
            var task = Task(
                work: seed.oneIn(8) ? 0 : 1 + seed.below(20),
                skills: Set((0..<4).filter { _ in seed.oneIn(4) }),
                release: seed.oneIn(3) ? seed.below(60) : 0,
                due: seed.oneIn(3) ? seed.below(200) : nil, weight: 1 + seed.below(3))
            if seed.oneIn(2) { task.amount = seed.below(120) }
            for earlier in 0..<index where seed.oneIn(5) {
                task.predecessors.append(Link(earlier, lag: seed.oneIn(3) ? seed.below(20) - 8 : 0))
            }
            let start = seed.below(200)
            let somewhere = Assignment(
                person: seed.below(people.count), start: start, end: start + 1 + seed.below(15))
            if seed.oneIn(2) { task.today = somewhere }
            if seed.oneIn(8) {
                task.state = .fixed(somewhere)
            } else if seed.oneIn(8) {
                task.state = .running(person: seed.below(people.count))
            } else if seed.oneIn(6) {
                task.people = [0, seed.below(people.count)]
            }
            tasks.append(task)
        }
        return try TeamProject(people: people, tasks: tasks, horizon: horizon)
    }

    private static func hours(_ seed: inout Seed, until horizon: Int) -> [Range<Int>] {
        var stretches: [Range<Int>] = []
        var slot = seed.below(20)
        while slot < horizon {
            let end = min(horizon, slot + 1 + seed.below(16))
            stretches.append(slot..<end)
            slot = end + 1 + seed.below(seed.oneIn(6) ? 60 : 12)
        }
        return stretches
    }
}
