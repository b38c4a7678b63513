import Scheduling

/// Searches for a short schedule of a network; a larger budget gives a better one.
///
/// It is a genetic algorithm with two populations (D. Debels and M. Vanhoucke, "A bi-population
/// based genetic algorithm for the resource-constrained project scheduling problem", ICCSA 2005):
/// one of forward schedules, one of backward ones. Parents in one have children in the other, so
/// each child is also justified (V. Valls, F. Ballestín and S. Quintanilla, "Justification and
/// RCPSP: a technique that pays", 2005) and costs a single schedule.
///
/// It counts schedules, reads no clock, and finds the same result for the same seed.
package final class ScheduleSearch {
    /// The parameters of the search.
    struct Shape {
        /// The number of schedules in each of the two populations.
        var population: Int
        /// How many of a thousand children take the busiest stretch of the father's schedule.
        var peaks = 500
        /// How many of a thousand children have some keys changed at random.
        var mutations = 0
        /// How many of a thousand keys are changed in those children.
        var mutated = 0
        /// The number of candidates from which the best is chosen as a mate.
        var tournament = 2
        /// How far the keys of the first schedules deviate from the latest start times, in
        /// hundredths of the longest path.
        var noise = 100
        /// The minimum and maximum length of the stretch, in thousandths of the father's schedule.
        var shortest = 250
        var longest = 750
    }

    private let network: ActivityNetwork
    private let flat: FlatNetwork
    private let shape: Shape
    private let scheduler: SerialScheduler
    private var chance: Chance
    private var pools: [SchedulePool]
    private let keys: UnsafeMutablePointer<Int32>
    private let child: UnsafeMutablePointer<Int32>
    private let load: UnsafeMutablePointer<Int64>
    private let weights: [Int64]
    /// The best schedule and whether it was made backward.
    private var best: (starts: [Int32], end: Int32, isBackward: Bool)
    private var source = 0
    private var row = 0

    /// The length that no schedule is shorter than.
    package private(set) var lowerBound: Int
    /// The number of schedules made so far.
    package var made: Int { scheduler.made }
    /// The length of the best schedule.
    package var makespan: Int { Int(best.end) }
    /// Whether the best schedule is known to be the shortest of all.
    package var isProvedOptimal: Bool { makespan == lowerBound }

    /// Creates a search that hasn't begun.
    ///
    /// - Parameters:
    ///   - network: the network to schedule.
    ///   - budget: about how many schedules it will make; it sets the size of the populations.
    ///   - seed: the seed of the random choices.
    package convenience init(_ network: ActivityNetwork, budget: Int, seed: UInt64) {
        self.init(network, shape: Self.shape(network, budget), seed: seed)
    }

    /// Returns the parameters that worked best on half of the instances of PSPLIB. Small networks
    /// need more randomness, or all schedules become alike; large ones need more selection
    /// pressure, or the budget is spent before they are short.
    static func shape(_ network: ActivityNetwork, _ budget: Int) -> Shape {
        let width = Int(Double(min(max(budget, 50), 1_000_000) * 2).squareRoot())
        var shape = Shape(population: width)
        switch network.activities.count {
        case ..<48:
            shape.population = width * 6 / 5
            shape.mutations = 500
            shape.mutated = 50
        case ..<92:
            shape.mutations = 300
            shape.mutated = 20
        default:
            shape.noise = 80
            shape.tournament = 3
            shape.peaks = 800
        }
        return shape
    }

    init(_ network: ActivityNetwork, shape: Shape, seed: UInt64) {
        self.network = network
        self.shape = shape
        let flat = FlatNetwork(network)
        self.flat = flat
        scheduler = SerialScheduler(flat)
        chance = Chance(seed: seed)
        pools = [
            SchedulePool(shape.population, flat.count), SchedulePool(shape.population, flat.count),
        ]
        keys = .allocate(capacity: max(1, flat.count))
        child = .allocate(capacity: max(1, flat.count))
        load = .allocate(capacity: flat.time + 2)
        weights = Self.weights(network, flat)
        lowerBound = LowerBound.of(network, flat)
        best = ([], .max, false)
    }

    deinit {
        keys.deallocate()
        child.deallocate()
        load.deallocate()
    }

    /// Returns the length of the schedule made by the usual rule alone: the activity that must
    /// finish first comes first.
    package static func makespanByRule(_ network: ActivityNetwork) -> Int {
        let search = ScheduleSearch(network, shape: Shape(population: 1), seed: 0)
        search.seedRow(0)
        return Int(search.pools[0].ends[0])
    }

    /// Continues until `total` schedules have been made in all, or the best is proved optimal.
    package func run(until total: Int) {
        while made < total || made == 0, !isProvedOptimal {
            if row < shape.population, !pools[0].isFull || !pools[1].isFull {
                seedRow(row)
                row += 1
                continue
            }
            if row >= shape.population {
                row = 0
                if pools[1].isFull { source = 1 - source }
            }
            breed(row)
            row += 1
        }
    }

    /// Tries to prove that no schedule is shorter than the best, or finds a shorter one. It does
    /// nothing for networks of more than 64 activities.
    ///
    /// - Parameter steps: the number of states to visit before giving up.
    package func prove(steps: Int) {
        guard made > 0, !isProvedOptimal, let search = ExactSearch(network, flat) else { return }
        let result = search.run(below: makespan, steps: steps)
        if let starts = result.starts {
            let end = starts.indices.reduce(0) { max($0, starts[$1] + flat.durations[$1]) }
            best = (starts, end, false)
        }
        if result.isProved { lowerBound = makespan }
    }

    /// The time at which each activity of the best schedule begins, in the order of the network;
    /// the schedule begins at 0.
    package var starts: [Int] {
        var starts = Array(repeating: 0, count: flat.count)
        for (index, start) in best.starts.enumerated() {
            starts[flat.places[index]] = Int(
                best.isBackward ? best.end - start - flat.durations[index] : start)
        }
        return starts
    }

    /// Returns the weight of a unit of time of each activity in the search for the busiest stretch:
    /// the sum of its shares of all resources.
    private static func weights(_ network: ActivityNetwork, _ flat: FlatNetwork) -> [Int64] {
        flat.places.map { place in
            zip(network.activities[place].demands, network.capacities).reduce(0) {
                $1.1 > 0 ? $0 + Int64($1.0 * 1000 / $1.1) : $0
            }
        }
    }

    /// Makes a schedule from latest finish times with noise, and its justified counterpart.
    private func seedRow(_ row: Int) {
        let critical = flat.criticalPath
        let noise = row == 0 ? 0 : Int(critical) * shape.noise / 100
        for activity in 0..<flat.count {
            keys[activity] = critical - flat.tails[activity]
            if noise > 0 { keys[activity] += Int32(chance.below(noise + 1)) }
        }
        keep(row, in: 0)
        mirror(row, of: 0, pools[0].ends[row])
        keep(row, in: 1)
    }

    /// Sets the keys to the start times of the activities in a schedule with time reversed.
    private func mirror(_ row: Int, of pool: Int, _ end: Int32) {
        let starts = pools[pool].row(row)
        for activity in 0..<flat.count {
            keys[activity] = end - starts[activity] - flat.durations[activity]
        }
    }

    /// Makes a schedule from the keys, and keeps it if it isn't worse.
    private func keep(_ row: Int, in pool: Int) {
        let end = scheduler.schedule(backward: pool == 1, keys: keys, starts: child)
        if end < best.end {
            best = (Array(UnsafeBufferPointer(start: child, count: flat.count)), end, pool == 1)
        }
        let present = pools[pool].ends[row]
        if !pools[pool].isKept(row) || end <= present {
            pools[pool].set(row, child, end)
        }
    }

    private func breed(_ row: Int) {
        let pool = pools[source]
        var mate = chance.below(shape.population)
        for _ in 1..<shape.tournament {
            let other = chance.below(shape.population)
            if pool.ends[other] < pool.ends[mate] { mate = other }
        }
        if mate == row { mate = (row + 1) % shape.population }
        let (father, mother) = chance.permille(500) ? (row, mate) : (mate, row)
        cross(father, mother)
        if chance.permille(shape.mutations) { mutate() }
        keep(row, in: 1 - source)
    }

    /// Sets the keys to those of a child of two schedules, for the opposite direction of time.
    private func cross(_ father: Int, _ mother: Int) {
        let pool = pools[source]
        let (own, other) = (pool.row(father), pool.row(mother))
        let (end, otherEnd) = (pool.ends[father], pool.ends[mother])
        let span =
            Int(end) * (shape.shortest + chance.below(shape.longest - shape.shortest + 1))
            / 1000
        let length = Int32(max(1, span))
        let begin = stretch(own, end, length)
        let stop = begin + length
        let shift = max(end, otherEnd) + 1
        for activity in 0..<flat.count {
            let time = end - own[activity] - flat.durations[activity]
            let otherTime = otherEnd - other[activity] - flat.durations[activity]
            keys[activity] = Int32(
                Crossing.key(
                    own: Int(time), other: Int(otherTime), begin: Int(begin), end: Int(stop),
                    shift: Int(shift)))
        }
    }

    /// Returns the beginning of the stretch that a child takes: random, or where the schedule uses
    /// most of the resources.
    private func stretch(
        _ starts: UnsafeMutablePointer<Int32>, _ end: Int32, _ length: Int32
    ) -> Int32 {
        let room = Int(end - length)
        guard room > 0 else { return 0 }
        guard chance.permille(shape.peaks) else { return Int32(chance.below(room + 1)) }
        load.update(repeating: 0, count: Int(end) + 2)
        for activity in 0..<flat.count {
            let stop = Int(end - starts[activity])
            let start = stop - Int(flat.durations[activity])
            load[start] += weights[activity]
            load[stop] -= weights[activity]
        }
        for time in 1...Int(end) { load[time] += load[time - 1] }
        var sum: Int64 = 0
        for time in 0..<Int(length) { sum += load[time] }
        var (most, place) = (sum, 0)
        for time in 0..<room {
            sum += load[time + Int(length)] - load[time]
            if sum > most { (most, place) = (sum, time + 1) }
        }
        return Int32(place)
    }

    /// Swaps the keys of some activities.
    private func mutate() {
        for activity in 0..<flat.count where chance.permille(shape.mutated) {
            let other = chance.below(flat.count)
            swap(&keys[activity], &keys[other])
        }
    }
}

/// The schedules made in one direction.
final class SchedulePool {
    private let starts: UnsafeMutablePointer<Int32>
    private let count: Int
    private var kept = 0
    private(set) var ends: [Int32]

    init(_ size: Int, _ count: Int) {
        self.count = count
        starts = .allocate(capacity: max(1, size * count))
        ends = Array(repeating: .max, count: size)
    }

    deinit { starts.deallocate() }

    /// Whether every row has a schedule; rows are filled in order.
    var isFull: Bool { kept == ends.count }

    func isKept(_ row: Int) -> Bool { row < kept }

    /// Returns the start times of the activities in a schedule.
    func row(_ row: Int) -> UnsafeMutablePointer<Int32> { starts + row * count }

    func set(_ row: Int, _ values: UnsafeMutablePointer<Int32>, _ end: Int32) {
        (starts + row * count).update(from: values, count: count)
        if row == kept { kept += 1 }
        ends[row] = end
    }
}
