import Foundation

/// Searches for the cheapest path through a ``ChairSpace``: A* (P. Hart, N. Nilsson, B. Raphael,
/// 1968) over the moves that are certainly free, with a queue of buckets (R. Dial, 1969) because
/// all costs are small whole numbers.
///
/// A square ahead costs least; sideways costs more, because it takes moves to and fro, and so do
/// going back and turning. No path is cheaper than going the same number of squares ahead, so the
/// number of squares to the goal, whatever the heading, is a lower bound.
struct RouteSearch {
    /// The cost of a square ahead.
    static let ahead = 4
    /// The additional cost of a square sideways.
    static let aside = 8.0
    /// The additional cost of a square backwards.
    static let back = 3.0
    /// The cost of a turn of five degrees: a right angle costs as much as 34 cm ahead.
    static let turn = 3.0

    /// The maximum number of places, which take three bytes each.
    static let mostPlaces = 32_000_000

    private static let unseen: UInt8 = 0
    private static let first: UInt8 = 7
    private static let closed: UInt8 = 0x80
    private static let farthest = Int32.max

    private let space: ChairSpace
    private let rows: Int
    private let columns: Int
    private let costs: [[Int]]
    private let turnCost: Int
    /// For each place, the move by which it was reached, and whether nothing cheaper is possible.
    private var entered: [UInt8]
    private var cost: [UInt16]
    private var toGoal: [Int32] = []
    private var buckets: [[Int32]]

    /// Nil if the space has too many places.
    init?(_ space: ChairSpace) {
        (rows, columns) = (space.frame.rows, space.frame.columns)
        let (places, overflow) = (rows * columns).multipliedReportingOverflow(by: space.headings)
        guard !overflow, places <= Self.mostPlaces, space.bound == .surely else { return nil }
        self.space = space
        let step = 2 * Double.pi / Double(space.headings)
        costs = (0..<space.headings).map { heading in
            let ahead = Vector(angle: Double(heading) * step)
            return [ahead.x, -ahead.x, ahead.y, -ahead.y].map { share in
                Self.ahead + Int((Self.aside * (1 - abs(share))).rounded())
                    + (share < -1e-9 ? Int((Self.back * -share).rounded(.up)) : 0)
            }
        }
        turnCost = max(Int((Self.turn * step / (.pi / 36)).rounded()), 1)
        entered = Array(repeating: Self.unseen, count: places)
        cost = Array(repeating: .max, count: places)
        // A move changes the estimate by at most its cost and a square.
        let most = (costs.joined().max() ?? 0) + turnCost + Self.ahead
        buckets = Array(repeating: [], count: most + 1)
    }

    /// The places of the cheapest path, each one move from the previous one; nil if there is none.
    mutating func way(
        from start: ChairSpace.Reach, to goal: ChairSpace.Reach
    ) -> [(row: Int, column: Int, heading: Int)]? {
        measure(to: goal)
        for heading in 0..<space.headings {
            start.layers[heading].forEach { row, column in
                let distance = toGoal[row * columns + column]
                guard distance != Self.farthest else { return }
                let place = (heading * rows + row) * columns + column
                entered[place] = Self.first
                cost[place] = 0
                starts.append((place, Int(distance)))
            }
        }
        return search(goal)
    }

    private var starts: [(place: Int, distance: Int)] = []

    /// The starting places enter the queue when their turn comes, the nearest first.
    private mutating func search(
        _ goal: ChairSpace.Reach
    ) -> [(row: Int, column: Int, heading: Int)]? {
        starts.sort { $0.distance > $1.distance }
        guard var now = starts.last?.distance else { return nil }
        var waiting = 0
        while waiting > 0 || !starts.isEmpty {
            if now & 63 == 0, WorkLimit.isOver { return nil }
            if waiting == 0, let next = starts.last { now = max(now, next.distance) }
            while let next = starts.last, next.distance <= now {
                starts.removeLast()
                buckets[now % buckets.count].append(Int32(next.place))
                waiting += 1
            }
            while let place = buckets[now % buckets.count].popLast() {
                waiting -= 1
                let place = Int(place)
                guard entered[place] & Self.closed == 0 else { continue }
                entered[place] |= Self.closed
                let (square, heading) = (place % (rows * columns), place / (rows * columns))
                let (row, column) = (square / columns, square % columns)
                if goal.layers[heading].contains(row, column) { return way(to: place) }
                waiting += spread(from: place, row, column, heading)
            }
            now += 1
        }
        return nil
    }

    /// Tries the six moves from a place, and returns how many were improvements.
    private mutating func spread(
        from place: Int, _ row: Int, _ column: Int, _ heading: Int
    ) -> Int {
        let (layers, area) = (space.steps.count, rows * columns)
        let steps = space.steps[heading % layers]
        let price = costs[heading]
        var added = 0
        if column + 1 < columns, steps.right.contains(row, column) {
            added += enter(place + 1, by: 1, from: place, price[0])
        }
        if column > 0, steps.right.contains(row, column - 1) {
            added += enter(place - 1, by: 2, from: place, price[1])
        }
        if row + 1 < rows, steps.up.contains(row, column) {
            added += enter(place + columns, by: 3, from: place, price[2])
        }
        if row > 0, steps.up.contains(row - 1, column) {
            added += enter(place - columns, by: 4, from: place, price[3])
        }
        guard space.headings > 1 else { return added }
        if steps.turn.contains(row, column) {
            let left = heading + 1 == space.headings ? place - heading * area : place + area
            added += enter(left, by: 5, from: place, turnCost)
        }
        let before = (heading + space.headings - 1) % space.headings
        if space.steps[before % layers].turn.contains(row, column) {
            added += enter(
                place + (before - heading) * area, by: 6, from: place, turnCost)
        }
        return added
    }

    private mutating func enter(
        _ place: Int, by move: UInt8, from other: Int, _ price: Int
    ) -> Int {
        guard entered[place] & Self.closed == 0 else { return 0 }
        let sum = Int(cost[other]) + price
        let distance = toGoal[place % (rows * columns)]
        guard sum < Int(cost[place]), distance != Self.farthest else { return 0 }
        cost[place] = UInt16(sum)
        entered[place] = move
        buckets[(sum + Int(distance)) % buckets.count].append(Int32(place))
        return 1
    }

    /// The path to a place, traced back to where it began.
    private func way(to place: Int) -> [(row: Int, column: Int, heading: Int)] {
        let area = rows * columns
        var way: [(row: Int, column: Int, heading: Int)] = []
        var place = place
        while true {
            let (square, heading) = (place % area, place / area)
            way.append((square / columns, square % columns, heading))
            switch entered[place] & ~Self.closed {
            case 1: place -= 1
            case 2: place += 1
            case 3: place -= columns
            case 4: place += columns
            case 5: place += ((heading + space.headings - 1) % space.headings - heading) * area
            case 6: place += ((heading + 1) % space.headings - heading) * area
            default: return way.reversed()
            }
        }
    }

    /// Computes for each square a lower bound of the cost of a path from there to the goal.
    private mutating func measure(to goal: ChairSpace.Reach) {
        var open = space.frame.empty()
        for step in space.steps { open.formUnion(step.places) }
        var distances = Array(repeating: Self.farthest, count: rows * columns)
        var edge: [(row: Int, column: Int)] = []
        for layer in goal.layers {
            layer.forEach { row, column in
                guard distances[row * columns + column] != 0 else { return }
                distances[row * columns + column] = 0
                edge.append((row, column))
            }
        }
        var distance: Int32 = 0
        while !edge.isEmpty {
            distance += Int32(Self.ahead)
            var next: [(row: Int, column: Int)] = []
            for (row, column) in edge {
                for (row, column) in [
                    (row, column + 1), (row, column - 1), (row + 1, column), (row - 1, column),
                ] {
                    guard row >= 0, row < rows, column >= 0, column < columns,
                        distances[row * columns + column] == Self.farthest,
                        open.contains(row, column)
                    else { continue }
                    distances[row * columns + column] = distance
                    next.append((row, column))
                }
            }
            edge = next
        }
        toGoal = distances
    }
}
