/// Searches for a schedule of a team in which nothing is late, everything ends soon, and little
/// changes.
///
/// It is a genetic algorithm with the crossover of `ScheduleSearch`, the search for networks in
/// `Tests/ProjectInstances`. It counts schedules, reads no clock, and finds the same result for the
/// same seed.
package final class TeamSearch {
    private let project: TeamProject
    private let scheduler: TeamScheduler
    private let lowerBound: Int
    private let population: Int
    private var chance: Chance
    private var pool: [(places: [TeamProject.Assignment], cost: TeamSchedule.Cost)] = []
    private var best: (keys: [Int], places: [TeamProject.Assignment], cost: TeamSchedule.Cost)?
    private var tried = 0
    private var row = 0

    /// The number of schedules made so far.
    package var made: Int { scheduler.made }

    /// Creates a search that hasn't begun.
    ///
    /// - Parameters:
    ///   - project: the tasks and the people.
    ///   - budget: about how many schedules it will make; it sets the size of the population.
    ///   - seed: the seed of the random choices.
    package init(_ project: TeamProject, budget: Int, seed: UInt64) {
        self.project = project
        scheduler = TeamScheduler(project)
        lowerBound = TeamBound(project).makespan
        population = min(max(8, budget / 50), 100)
        chance = Chance(seed: seed)
    }

    /// Continues until `total` schedules have been made in all. A fifth of them is spent on keeping
    /// tasks where they are in the present plan.
    ///
    /// - Parameter total: the total number of schedules to make.
    /// - Returns: the best schedule known.
    /// - Throws: ``SchedulingError/beyondHorizon(task:)`` when none ends before the horizon.
    package func run(until total: Int) throws(SchedulingError) -> TeamSchedule {
        let search = max(1, total - total / 5)
        while made < search, tried == 0 || !isSettled {
            if tried < population {
                keep(firstKeys(tried), at: tried)
                tried += 1
            } else {
                keep(pool.count > 1 ? cross() : firstKeys(tried), at: row)
                row = (row + 1) % population
            }
        }
        guard let best else { throw .beyondHorizon(task: scheduler.stranded ?? 0) }
        let held = hold(best, until: total)
        return TeamSchedule(
            assignments: held.places, cost: held.cost, lowerBound: lowerBound)
    }

    private var isSettled: Bool {
        guard let cost = best?.cost else { return false }
        return cost == TeamSchedule.Cost(lateness: 0, makespan: lowerBound, change: 0)
    }

    /// Returns the keys of a first schedule: by latest start, by the present plan, by due date, and
    /// then with random changes.
    private func firstKeys(_ number: Int) -> [Int] {
        let latest = latestStarts
        switch number {
        case 0: return latest
        case 1: return zip(project.tasks, latest).map { $0.today?.start ?? $1 }
        case 2: return zip(project.tasks, latest).map { min($0.due ?? project.horizon, $1) }
        default:
            let span = (latest.max() ?? 0) - (latest.min() ?? 0) + 1
            return latest.map { $0 + chance.below(span) }
        }
    }

    /// The latest slot at which each task can begin for none to be late and all to end by the lower
    /// bound, assuming that someone always works; shifted so that none is negative.
    private lazy var latestStarts: [Int] = {
        let tasks = project.tasks
        var ends = tasks.map { min($0.due ?? lowerBound, max(lowerBound, 1)) }
        for task in Ordering.topological(tasks.map { $0.predecessors.map(\.task) }).reversed() {
            for link in tasks[task].predecessors {
                ends[link.task] = min(ends[link.task], ends[task] - tasks[task].work - link.lag)
            }
        }
        let starts = zip(ends, tasks).map { $0 - $1.work }
        let lowest = starts.min() ?? 0
        return starts.map { $0 - lowest }
    }()

    private func keep(_ keys: [Int], at row: Int) {
        guard let made = scheduler.schedule(keys) else { return }
        if best.map({ made.cost < $0.cost }) ?? true { best = (keys, made.places, made.cost) }
        if pool.count < population {
            pool.append(made)
        } else if made.cost <= pool[row].cost {
            pool[row] = made
        }
    }

    /// Returns the keys of a child: first the tasks that the mother begins first, then a stretch in
    /// the father's order, then the rest in the mother's.
    private func cross() -> [Int] {
        let first = row % pool.count
        var mate = chance.below(pool.count)
        for _ in 0..<2 {
            let other = chance.below(pool.count)
            if pool[other].cost < pool[mate].cost { mate = other }
        }
        if mate == first { mate = (first + 1) % pool.count }
        let (father, mother) = chance.permille(500) ? (first, mate) : (mate, first)
        let end = max(1, pool[father].cost.makespan)
        let length = max(1, end * (250 + chance.below(500)) / 1000)
        let begin = chance.below(max(1, end - length + 1))
        let shift = max(end, pool[mother].cost.makespan) + 1
        var keys = zip(pool[father].places, pool[mother].places).map { own, other in
            Crossing.key(
                own: own.start, other: other.start, begin: begin, end: begin + length,
                shift: shift)
        }
        if chance.permille(500) {
            for task in keys.indices where chance.permille(50) {
                keys.swapAt(task, chance.below(keys.count))
            }
        }
        return keys
    }

    /// Moves tasks back towards their places in the present plan, as long as the cost doesn't grow.
    private func hold(
        _ best: (keys: [Int], places: [TeamProject.Assignment], cost: TeamSchedule.Cost),
        until total: Int
    ) -> (places: [TeamProject.Assignment], cost: TeamSchedule.Cost) {
        var (places, cost) = (best.places, best.cost)
        let moved = project.tasks.indices.filter { task in
            project.tasks[task].today.map { $0 != places[task] } ?? false
        }.sorted { places[$0].start > places[$1].start }
        for task in moved {
            guard made < total, let today = project.tasks[task].today else { break }
            let held = scheduler.holds[task]
            var person = today.person
            if let wanted = person, !project.candidates[task].contains(wanted) { person = nil }
            scheduler.holds[task] = (max(project.tasks[task].release, today.start), person)
            if let made = scheduler.schedule(best.keys), made.cost < cost {
                (places, cost) = made
            } else {
                scheduler.holds[task] = held
            }
        }
        scheduler.holds = project.tasks.map { ($0.release, nil) }
        return (places, cost)
    }
}

/// The crossover of two schedules.
package enum Crossing {
    /// Returns the key of an activity in a child: first come those that the mother begins before a
    /// stretch of time, then those that the father begins before its end, then the rest in the
    /// mother's order (the two-point crossover of S. Hartmann, "A competitive genetic algorithm for
    /// resource-constrained project scheduling", 1998, with points in time).
    package static func key(own: Int, other: Int, begin: Int, end: Int, shift: Int) -> Int {
        other < begin ? other : own < end ? own + shift : other + 2 * shift
    }
}
