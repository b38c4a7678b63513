import Scheduling

/// A network as arrays, in the form that the search reads: its activities are numbered in
/// topological order.
///
/// A word holds the demands for four resources in 16 bits each, of which the highest is free. After
/// the demands are subtracted from the free amounts, that bit shows which resource is short.
struct FlatNetwork {
    /// The number of activities.
    let count: Int
    /// The number of words that hold the demands of an activity; at least 1.
    let width: Int
    let durations: [Int32]
    let demands: [UInt64]
    let capacities: [UInt64]
    /// The index in the original network, for each new number.
    let places: [Int]
    /// The predecessors and successors of activity i begin in `before` and `after` at
    /// `firstBefore[i]` and `firstAfter[i]`, and end where those of activity i + 1 begin.
    let before: [Int32]
    let firstBefore: [Int32]
    let after: [Int32]
    let firstAfter: [Int32]
    /// The length of the longest path to the beginning of each activity.
    let heads: [Int32]
    /// The length of the longest path from the end of each activity to the end of the project.
    let tails: [Int32]
    /// The sum of all durations.
    let time: Int

    /// The free bits of a word.
    static let guards: UInt64 = 0x8000_8000_8000_8000

    init(_ network: ActivityNetwork) {
        let activities = network.activities
        let order = Ordering.topological(activities.map(\.predecessors))
        var number = Array(repeating: 0, count: order.count)
        for (index, place) in order.enumerated() { number[place] = index }
        places = order
        count = order.count
        width = max(1, (network.capacities.count + 3) / 4)
        durations = order.map { Int32(activities[$0].duration) }
        let words = width
        capacities = Self.words(network.capacities, words)
        demands = order.flatMap { Self.words(activities[$0].demands, words) }
        let predecessors = order.map { place in
            Set(activities[place].predecessors).map { number[$0] }.sorted()
        }
        var successors: [[Int]] = Array(repeating: [], count: order.count)
        for (index, list) in predecessors.enumerated() {
            for predecessor in list { successors[predecessor].append(index) }
        }
        (before, firstBefore) = Self.joined(predecessors)
        (after, firstAfter) = Self.joined(successors)
        var heads = Array(repeating: Int32(0), count: order.count)
        var tails = heads
        for index in heads.indices {
            for predecessor in predecessors[index] {
                heads[index] = max(heads[index], heads[predecessor] + durations[predecessor])
            }
        }
        for index in heads.indices.reversed() {
            for successor in successors[index] {
                tails[index] = max(tails[index], tails[successor] + durations[successor])
            }
        }
        (self.heads, self.tails) = (heads, tails)
        time = activities.reduce(0) { $0 + $1.duration }
    }

    private static func words(_ amounts: [Int], _ count: Int) -> [UInt64] {
        var words = Array(repeating: UInt64(0), count: count)
        for (index, amount) in amounts.enumerated() {
            words[index / 4] |= UInt64(amount) << UInt64(index % 4 * 16)
        }
        return words
    }

    private static func joined(_ lists: [[Int]]) -> ([Int32], [Int32]) {
        var first: [Int32] = [0]
        for list in lists { first.append(first[first.count - 1] + Int32(list.count)) }
        return (lists.joined().map(Int32.init), first)
    }

    /// Returns the demand of an activity for a resource.
    func demand(_ activity: Int, _ resource: Int) -> Int {
        Int(demands[activity * width + resource / 4] >> UInt64(resource % 4 * 16) & 0x7fff)
    }

    /// The length of the longest path through the network.
    var criticalPath: Int32 {
        (0..<count).reduce(0) { max($0, heads[$1] + durations[$1] + tails[$1]) }
    }
}
