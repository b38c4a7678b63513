/// Lower bounds of the length of any schedule of a network.
enum LowerBound {
    /// Returns the best of the quick bounds: the longest path, and for each resource the work
    /// between the earliest start and the shortest tail of the activities that share it.
    static func of(_ network: ActivityNetwork, _ flat: FlatNetwork) -> Int {
        network.capacities.indices.reduce(Int(flat.criticalPath)) { bound, resource in
            max(bound, energy(flat, resource, network.capacities[resource]))
        }
    }

    /// Returns the maximum, over all pairs of a head h and a tail q, of h + q + the time for the
    /// work of all activities with at least both.
    private static func energy(_ flat: FlatNetwork, _ resource: Int, _ capacity: Int) -> Int {
        guard capacity > 0 else { return 0 }
        let members = (0..<flat.count).filter {
            flat.demand($0, resource) > 0 && flat.durations[$0] > 0
        }.sorted { flat.tails[$0] > flat.tails[$1] }
        var bound = 0
        for head in Set(members.map { flat.heads[$0] }) {
            var work = 0
            for member in members where flat.heads[member] >= head {
                work += Int(flat.durations[member]) * flat.demand(member, resource)
                let time = (work + capacity - 1) / capacity
                bound = max(bound, Int(head) + time + Int(flat.tails[member]))
            }
        }
        return bound
    }
}
