/// Lengths that no schedule of a network can be below.
enum LowerBound {
    /// The best of the quick bounds: the longest way, and the work of each resource between the
    /// earliest begin and the shortest rest of those that share it.
    static func of(_ network: ActivityNetwork, _ flat: FlatNetwork) -> Int {
        network.capacities.indices.reduce(Int(flat.criticalPath)) { bound, resource in
            max(bound, energy(flat, resource, network.capacities[resource]))
        }
    }

    /// For each pair of a head h and a tail q: h, the work of all that have at least both, and q.
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
