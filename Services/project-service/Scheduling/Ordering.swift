/// Orders items that must follow one another.
package enum Ordering {
    /// Returns the indices so that each comes after its predecessors. Those without predecessors
    /// come first, in ascending order; those in or behind a cycle are missing.
    package static func topological(_ predecessors: [[Int]]) -> [Int] {
        var open = predecessors.map(\.count)
        var successors: [[Int]] = Array(repeating: [], count: predecessors.count)
        for (index, list) in predecessors.enumerated() {
            for predecessor in list { successors[predecessor].append(index) }
        }
        var order = open.indices.filter { open[$0] == 0 }
        order.reserveCapacity(open.count)
        var next = 0
        while next < order.count {
            for successor in successors[order[next]] {
                open[successor] -= 1
                if open[successor] == 0 { order.append(successor) }
            }
            next += 1
        }
        return order
    }

    /// Returns a cycle, starting with its lowest member, each followed by the next; nil when there
    /// is none.
    package static func cycle(_ predecessors: [[Int]]) -> [Int]? {
        let order = topological(predecessors)
        guard order.count < predecessors.count else { return nil }
        var isOrdered = Array(repeating: false, count: predecessors.count)
        for index in order { isOrdered[index] = true }
        guard var current = isOrdered.firstIndex(of: false) else { return nil }
        // Each of these has a predecessor that isn't ordered either, so walking back ends in a
        // cycle.
        var place: [Int: Int] = [:]
        var path: [Int] = []
        while place[current] == nil {
            place[current] = path.count
            path.append(current)
            guard let previous = predecessors[current].first(where: { !isOrdered[$0] }) else {
                return nil
            }
            current = previous
        }
        let cycle = Array(path[(place[current] ?? 0)...].reversed())
        let lowest = cycle.indices.min { cycle[$0] < cycle[$1] } ?? 0
        return Array(cycle[lowest...] + cycle[..<lowest])
    }
}
