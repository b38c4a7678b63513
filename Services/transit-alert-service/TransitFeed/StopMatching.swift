import Foundation

/// Finds the position of each stop of a pattern along a line.
///
/// A line may pass a stop twice (loops, out and back), so the nearest point of the line is not
/// always the right one. Each stop has candidates, the places where the line is locally nearest; a
/// dynamic program chooses one for each so that they do not go backwards and the sum of the squared
/// distances is minimal.
struct StopMatching {
    private let points: [Feed.Position]
    private let distances: [Double]
    private let blocks: [Block]

    /// A run of segments and its bounding box, to skip what is far away.
    private struct Block {
        var segments: Range<Int>
        var south: Int64
        var north: Int64
        var west: Int64
        var east: Int64
    }

    private struct Candidate {
        /// Metres along the line.
        var along: Double
        /// The squared distance from the stop, in square metres.
        var squared: Double
        var cost = Double.infinity
        var previous = -1
    }

    /// How far in metres a stop may be behind the previous one: positions of stops are not exact.
    private static let slack = 50.0

    init(_ line: Feed.Polyline) {
        points = line.points
        distances = line.distances
        let segments = max(0, points.count - 1)
        blocks = stride(from: 0, to: segments, by: 16).map { [points] first in
            let last = min(first + 16, segments)
            let part = points[first...last]
            let latitudes = part.map { Int64($0.latitude) }
            let eastward = part.map { points[first].eastward(to: $0) }
            let west = Int64(points[first].longitude)
            return Block(
                segments: first..<last, south: latitudes.min() ?? 0, north: latitudes.max() ?? 0,
                west: west + (eastward.min() ?? 0), east: west + (eastward.max() ?? 0))
        }
    }

    /// The distances along the line in metres, one for each stop, never decreasing; and the
    /// greatest distance of a stop from its place on the line.
    func match(_ stops: [Feed.Position]) -> (along: [Double], farthest: Double) {
        guard distances.count > 1 else { return (stops.map { _ in 0 }, .infinity) }
        for reach in [150.0, .infinity] {
            let candidates = stops.enumerated().map { index, stop in
                var found = self.candidates(stop, within: reach)
                // Where the line passes a terminal stop twice, prefer its end.
                let length = distances[distances.count - 1]
                for place in found.indices where index == 0 || index == stops.count - 1 {
                    let off = index == 0 ? found[place].along : length - found[place].along
                    found[place].squared += off * 1e-3
                }
                return found
            }
            if let along = best(candidates) { return (along, farthest(stops, along)) }
        }
        let along = ordered(stops)
        return (along, farthest(stops, along))
    }

    /// The distances stated by the feed, if they are plausible: one for each stop, in metres.
    ///
    /// They are plausible when none decreases and each gives a place near its stop.
    func match(
        _ stops: [Feed.Position], stated: [Double], on line: [Double]
    ) -> [Double]? {
        guard stated.count == stops.count, line.count == distances.count, line.count > 1,
            zip(stated, stated.dropFirst()).allSatisfy({ $0 <= $1 }),
            zip(line, line.dropFirst()).allSatisfy({ $0 <= $1 })
        else { return nil }
        var segment = 0
        var along: [Double] = []
        for (stop, value) in zip(stops, stated) {
            while segment < line.count - 2, line[segment + 1] < value { segment += 1 }
            let span = line[segment + 1] - line[segment]
            let part = span > 0 ? min(max(0, (value - line[segment]) / span), 1) : 0
            let place =
                distances[segment] + part * (distances[segment + 1] - distances[segment])
            guard squared(stop, at: place) < 100 * 100 else { return nil }
            along.append(place)
        }
        return along
    }

    /// The places where the line is locally nearest to a stop.
    private func candidates(_ stop: Feed.Position, within reach: Double) -> [Candidate] {
        let scale = cos(stop.latitudeDegrees * .pi / 180)
        var found: [Candidate] = []
        var last = Candidate(along: 0, squared: .infinity)
        var isFalling = false
        func settle() {
            guard isFalling, last.squared <= reach * reach else { return }
            if let before = found.last, last.along - before.along < 40 {
                if last.squared < before.squared { found[found.count - 1] = last }
            } else {
                found.append(last)
            }
        }
        for block in blocks {
            guard !isBeyond(reach, block, stop, scale) else {
                settle()
                (last.squared, isFalling) = (.infinity, false)
                continue
            }
            for segment in block.segments {
                let next = nearest(on: segment, to: stop, scale)
                if next.squared > last.squared {
                    settle()
                    isFalling = false
                } else {
                    isFalling = true
                }
                last = next
            }
        }
        settle()
        guard found.count > 32 else { return found }
        return found.sorted { $0.squared < $1.squared }.prefix(32).sorted { $0.along < $1.along }
    }

    private func isBeyond(
        _ reach: Double, _ block: Block, _ stop: Feed.Position, _ scale: Double
    ) -> Bool {
        guard reach < .infinity else { return false }
        let latitude = Int64(stop.latitude)
        var longitude = Int64(stop.longitude)
        if longitude - block.east > 1_800_000_000 { longitude -= 3_600_000_000 }
        if block.west - longitude > 1_800_000_000 { longitude += 3_600_000_000 }
        let north = Double(max(0, block.south - latitude, latitude - block.north))
        let east = Double(max(0, block.west - longitude, longitude - block.east))
        return north * metresPerUnit > reach || east * metresPerUnit * scale > reach
    }

    /// The foot of the perpendicular on a segment, or the nearer of its ends.
    private func nearest(
        on segment: Int, to stop: Feed.Position, _ scale: Double
    ) -> Candidate {
        let from = points[segment]
        let to = points[segment + 1]
        let east = metresPerUnit * scale
        let x0 = Double(stop.eastward(to: from)) * east
        let y0 = Double(Int64(from.latitude) - Int64(stop.latitude)) * metresPerUnit
        let dx = Double(from.eastward(to: to)) * east
        let dy = Double(Int64(to.latitude) - Int64(from.latitude)) * metresPerUnit
        let square = dx * dx + dy * dy
        let part = square > 0 ? min(max(0, -(x0 * dx + y0 * dy) / square), 1) : 0
        let x = x0 + part * dx
        let y = y0 + part * dy
        let length = distances[segment + 1] - distances[segment]
        return Candidate(along: distances[segment] + part * length, squared: x * x + y * y)
    }

    /// The cheapest choice of one candidate for each stop; `nil` when all go backwards.
    private func best(_ stops: [[Candidate]]) -> [Double]? {
        var stops = stops
        for place in stops[0].indices { stops[0][place].cost = stops[0][place].squared }
        for index in 1..<max(1, stops.count) {
            for place in stops[index].indices {
                for earlier in stops[index - 1].indices {
                    let before = stops[index - 1][earlier]
                    let back = max(0, before.along - stops[index][place].along)
                    guard back <= Self.slack else { continue }
                    let cost = before.cost + stops[index][place].squared + back * back
                    if cost < stops[index][place].cost {
                        stops[index][place].cost = cost
                        stops[index][place].previous = earlier
                    }
                }
            }
        }
        guard let last = stops.last,
            var place = last.indices.min(by: { last[$0].cost < last[$1].cost }),
            last[place].cost < .infinity
        else { return nil }
        var along = [Double](repeating: 0, count: stops.count)
        for index in stops.indices.reversed() {
            along[index] = stops[index][place].along
            place = stops[index][place].previous
        }
        for index in along.indices.dropFirst() where along[index] < along[index - 1] {
            along[index] = along[index - 1]
        }
        return along
    }

    /// Puts each stop at the nearest place not before the previous stop, which always succeeds.
    private func ordered(_ stops: [Feed.Position]) -> [Double] {
        var from = 0.0
        return stops.map { stop in
            let scale = cos(stop.latitudeDegrees * .pi / 180)
            var best = Candidate(along: from, squared: .infinity)
            for segment in 0..<(points.count - 1) where distances[segment + 1] >= from {
                var next = nearest(on: segment, to: stop, scale)
                if next.along < from {
                    next = Candidate(along: from, squared: squared(stop, at: from))
                }
                if next.squared < best.squared { best = next }
            }
            from = best.along
            return best.along
        }
    }

    private func farthest(_ stops: [Feed.Position], _ along: [Double]) -> Double {
        zip(stops, along).map { squared($0, at: $1) }.max().map { $0.squareRoot() } ?? 0
    }

    /// The squared distance of a stop from the place `along` metres along the line.
    private func squared(_ stop: Feed.Position, at along: Double) -> Double {
        var low = 0
        var high = distances.count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if distances[middle] <= along { low = middle } else { high = middle }
        }
        let length = distances[high] - distances[low]
        let part = length > 0 ? (along - distances[low]) / length : 0
        let north = Double(points[high].latitude) - Double(points[low].latitude)
        let east = Double(points[low].eastward(to: points[high]))
        let x =
            (Double(stop.eastward(to: points[low])) + part * east) * metresPerUnit
            * cos(stop.latitudeDegrees * .pi / 180)
        let y =
            (Double(points[low].latitude) - Double(stop.latitude) + part * north)
            * metresPerUnit
        return x * x + y * y
    }
}
