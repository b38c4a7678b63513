/// A network in arrays, as its search reads it: the activities are numbered in topological order.
///
/// Demands are four resources to a word, 16 bits each, of which the highest is free. Where the
/// words of what is left and of what is needed are subtracted, that bit tells which is short.
struct FlatNetwork {
    /// How many activities there are.
    let count: Int
    /// How many words the demands of an activity take, at least 1.
    let width: Int
    let durations: [Int32]
    let demands: [UInt64]
    let capacities: [UInt64]
    /// For each new number the place in the network that it was made from.
    let places: [Int]
    /// The predecessors and successors of activity i are in `before` and `after` from
    /// `firstBefore[i]` or `firstAfter[i]` up to those of the next.
    let before: [Int32]
    let firstBefore: [Int32]
    let after: [Int32]
    let firstAfter: [Int32]
    /// The longest way to the beginning of each activity.
    let heads: [Int32]
    /// The longest way from the end of each activity to the end of all.
    let tails: [Int32]
    /// The sum of all durations.
    let time: Int

    /// The bits that are free.
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

    /// The demand of an activity for a resource.
    func demand(_ activity: Int, _ resource: Int) -> Int {
        Int(demands[activity * width + resource / 4] >> UInt64(resource % 4 * 16) & 0x7fff)
    }

    /// The longest way through the network.
    var criticalPath: Int32 {
        (0..<count).reduce(0) { max($0, heads[$1] + durations[$1] + tails[$1]) }
    }
}
