import ProjectInstances
import TestSupport
import Testing

struct ScheduleSearchTests {
    @Test(arguments: Seed.some(60))
    func `a schedule is valid and not below its bound`(seed: Seed) throws {
        var seed = seed
        let network = try ActivityNetwork.any(
            &seed, activities: 1 + seed.below(40), resources: seed.below(7))
        let search = ScheduleSearch(network, budget: 200, seed: seed.next())
        search.run(until: 200)

        #expect(
            ScheduleCheck.faults(in: search.starts, makespan: search.makespan, of: network) == [])
        #expect(search.makespan >= search.lowerBound)
        #expect(search.made <= 201)
    }

    @Test(arguments: Seed.some(150))
    func `schedules proven shortest equal those of an exhaustive search`(seed: Seed) throws {
        var seed = seed
        let network = try ActivityNetwork.any(
            &seed, activities: 1 + seed.below(7), resources: 1 + seed.below(3))
        // Try a single schedule, so that the proof has to find the shortest.
        let search = ScheduleSearch(network, budget: 1, seed: seed.next())
        search.run(until: 1)
        search.prove(steps: 1_000_000)

        #expect(search.isProvedOptimal)
        #expect(search.makespan == Self.shortest(network))
        #expect(
            ScheduleCheck.faults(in: search.starts, makespan: search.makespan, of: network) == [])
    }

    @Test(arguments: Seed.some(10))
    func `the same seed finds the same schedule, in one go or in many`(seed: Seed) throws {
        var seed = seed
        let network = try ActivityNetwork.any(&seed, activities: 40, resources: 2)
        let once = ScheduleSearch(network, budget: 300, seed: 7)
        once.run(until: 300)
        let often = ScheduleSearch(network, budget: 300, seed: 7)
        for total in stride(from: 20, through: 300, by: 20) { often.run(until: total) }

        #expect(once.starts == often.starts)
    }

    @Test func `a longer search never gives a longer schedule`() throws {
        var seed = Seed(3)
        let network = try ActivityNetwork.any(&seed, activities: 60, resources: 2)
        let search = ScheduleSearch(network, budget: 1_000, seed: 1)
        var before = Int.max
        for total in [1, 10, 100, 1_000] {
            search.run(until: total)
            #expect(search.makespan <= before)
            before = search.makespan
        }
    }

    @Test(arguments: Seed.some(60))
    func `the check finds tasks that begin too soon, too late or at the same time`(seed: Seed)
        throws
    {
        var seed = seed
        let network = try ActivityNetwork.any(&seed, activities: 12, resources: 2)
        let search = ScheduleSearch(network, budget: 50, seed: 1)
        search.run(until: 50)
        let (starts, makespan) = (search.starts, search.makespan)
        for activity in starts.indices where network.activities[activity].duration > 0 {
            var wrong = starts
            wrong[activity] = -1
            #expect(ScheduleCheck.faults(in: wrong, makespan: makespan, of: network) != [])
            wrong[activity] = makespan
            #expect(ScheduleCheck.faults(in: wrong, makespan: makespan, of: network) != [])
            for other in network.activities[activity].predecessors
            where network.activities[other].duration > 0 {
                wrong[activity] = starts[other]
                #expect(ScheduleCheck.faults(in: wrong, makespan: makespan, of: network) != [])
            }
        }
        let together = Array(repeating: 0, count: starts.count)
        let needs = (0..<2).contains { resource in
            network.activities.reduce(0) { $0 + ($1.duration > 0 ? $1.demands[resource] : 0) }
                > network.capacities[resource]
        }
        if needs {
            let end = network.activities.map(\.duration).max() ?? 0
            #expect(ScheduleCheck.faults(in: together, makespan: end, of: network) != [])
        }
    }

    /// The end of the shortest schedule: the best of all orders, each scheduled as early as
    /// possible.
    private static func shortest(_ network: ActivityNetwork) -> Int {
        var best = Int.max
        var used: [[Int]] = Array(
            repeating: Array(repeating: 0, count: network.capacities.count), count: 64)
        var ends: [Int?] = Array(repeating: nil, count: network.activities.count)
        func place(_ left: Int, _ end: Int) {
            if left == 0 { best = min(best, end) }
            for (index, activity) in network.activities.enumerated()
            where ends[index] == nil && activity.predecessors.allSatisfy({ ends[$0] != nil }) {
                var start = activity.predecessors.reduce(0) { max($0, ends[$1] ?? 0) }
                while (start..<start + activity.duration).contains(where: { time in
                    activity.demands.indices.contains {
                        used[time][$0] + activity.demands[$0] > network.capacities[$0]
                    }
                }) { start += 1 }
                let times = start..<start + activity.duration
                for time in times {
                    for (resource, demand) in activity.demands.enumerated() {
                        used[time][resource] += demand
                    }
                }
                ends[index] = times.upperBound
                place(left - 1, max(end, times.upperBound))
                ends[index] = nil
                for time in times {
                    for (resource, demand) in activity.demands.enumerated() {
                        used[time][resource] -= demand
                    }
                }
            }
        }
        place(network.activities.count, 0)
        return best
    }
}

/// Instances of PSPLIB, a few of each set; the benchmark uses them all.
struct KnownInstanceTests {
    static let folder = Recordings.folder("project/psplib")
    static let missing: Comment = "\(Recordings.variable) names no folder with instances"

    @Test(.enabled(if: folder != nil, missing), arguments: ["j30", "j60", "j120"])
    func `schedules are valid, near the best known, and not below the proven bound`(
        set: String
    ) throws {
        let all = try ProjectInstance.all(of: set, in: try #require(Self.folder))
        let some = stride(from: 0, to: all.count, by: 24).map { all[$0] }
        #expect(some.count >= 10)
        var above = 0
        var known = 0
        for instance in some {
            let search = ScheduleSearch(instance.network, budget: 300, seed: 1)
            search.run(until: 300)
            let (starts, makespan) = (search.starts, search.makespan)
            #expect(
                ScheduleCheck.faults(in: starts, makespan: makespan, of: instance.network) == [])
            #expect(makespan >= instance.bound, "\(instance.name)")
            #expect(search.lowerBound <= instance.bestKnown, "\(instance.name)")
            #expect(search.lowerBound >= instance.criticalPath, "\(instance.name)")
            above += makespan - instance.bestKnown
            known += instance.bestKnown
        }
        // In per cent: about twice what the search achieved.
        #expect(above * 100 <= known * (set == "j120" ? 8 : 3), "\(above) of \(known)")
    }

    @Test(.enabled(if: folder != nil, missing))
    func `small projects get schedules that are proven shortest`() throws {
        let all = try ProjectInstance.all(of: "j30", in: try #require(Self.folder))
        let some = stride(from: 0, to: all.count, by: 17).map { all[$0] }
        var proved = 0
        for instance in some {
            let search = ScheduleSearch(instance.network, budget: 200, seed: 1)
            search.run(until: 200)
            search.prove(steps: 6_000)
            guard search.isProvedOptimal else { continue }
            proved += 1
            #expect(search.makespan == instance.bestKnown, "\(instance.name)")
        }
        #expect(proved * 10 >= some.count * 7, "\(proved) of \(some.count)")
    }
}
