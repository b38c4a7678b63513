import Foundation

/// Finds where along a path each stop of a line lies.
///
/// A feed gives stops as points beside the road and the road as a shape that may pass the same
/// place twice, so the nearest place is not always the right one. The places are chosen together:
/// in the order of the stops, never backwards, with the least sum of squared offsets (a shortest
/// path over the candidates of each stop).
enum StopPlacement {
    /// Stops further off the path than this have no candidate but the nearest place.
    private static let reach = 150.0
    private static let separation = 30.0
    /// A step backwards costs as much as an offset of 1 km: taken only if nothing else is there.
    private static let backwards = 1_000_000.0

    static func alongs(of stops: [Position], on path: Path) -> [Double] {
        var choices: [[Path.Foot]] = []
        var costs: [[Double]] = []
        var origins: [[Int]] = []
        for stop in stops {
            let feet = candidates(for: stop, on: path)
            var cost: [Double] = []
            var origin: [Int] = []
            for foot in feet {
                let own = foot.offset * foot.offset
                guard let before = choices.last, let sums = costs.last else {
                    cost.append(own)
                    origin.append(0)
                    continue
                }
                var best = (cost: Double.infinity, origin: 0)
                for (index, earlier) in before.enumerated() {
                    let penalty = earlier.along > foot.along + 1 ? backwards : 0
                    let sum = sums[index] + penalty + own
                    if sum < best.cost { best = (sum, index) }
                }
                cost.append(best.cost)
                origin.append(best.origin)
            }
            choices.append(feet)
            costs.append(cost)
            origins.append(origin)
        }
        return monotone(walkBack(choices, costs, origins))
    }

    private static func candidates(for stop: Position, on path: Path) -> [Path.Foot] {
        let point = path.projection.point(stop)
        let near = path.feet(
            of: point, in: 0...path.length, radius: reach, separation: separation)
        // Of places that fit alike, the first: the others are for the stops that follow.
        guard near.isEmpty else { return near.sorted { $0.along < $1.along } }
        let all = path.feet(
            of: point, in: 0...path.length, radius: .infinity, separation: separation)
        return Array(all.prefix(1))
    }

    private static func walkBack(
        _ choices: [[Path.Foot]], _ costs: [[Double]], _ origins: [[Int]]
    ) -> [Double] {
        var alongs: [Double] = []
        var choice: Int?
        for stop in choices.indices.reversed() {
            let index = choice ?? costs[stop].indices.min { costs[stop][$0] < costs[stop][$1] } ?? 0
            alongs.append(choices[stop][index].along)
            choice = origins[stop][index]
        }
        return alongs.reversed()
    }

    private static func monotone(_ alongs: [Double]) -> [Double] {
        var furthest = 0.0
        return alongs.map { along in
            furthest = max(furthest, along)
            return furthest
        }
    }
}
