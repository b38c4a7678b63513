import Foundation

/// The route of a line, as straight segments in a plane, each with its distance from the start.
struct Path: Hashable, Sendable {
    /// A place on the path that a position may correspond to.
    struct Foot: Hashable, Sendable {
        /// Metres from the start of the path.
        var along: Double
        /// Metres between the position and the path at this place.
        var offset: Double
        /// How far from the path the vehicle's street may be here, in metres.
        var slack: Double
    }

    /// The rectangle around some consecutive segments.
    private struct Box: Hashable, Sendable {
        var west = Double.infinity
        var east = -Double.infinity
        var south = Double.infinity
        var north = -Double.infinity

        mutating func add(_ x: Double, _ y: Double) {
            (west, east) = (min(west, x), max(east, x))
            (south, north) = (min(south, y), max(north, y))
        }

        func isWithin(_ metres: Double, of point: Projection.Point) -> Bool {
            let x = max(west - point.x, point.x - east, 0)
            let y = max(south - point.y, point.y - north, 0)
            return x * x + y * y <= metres * metres
        }
    }

    /// The number of segments in a box.
    private static let boxed = 64

    let projection: Projection
    private let boxes: [Box]
    private let x: [Double]
    private let y: [Double]
    private let along: [Double]
    private let isStraight: Bool

    /// Nil when fewer than two different points remain after repeated ones are dropped.
    /// `isStraight` says that its segments only join the stops, so that the streets between them
    /// are unknown.
    init?(_ positions: [Position], isStraight: Bool = false) {
        guard let first = positions.first, positions.allSatisfy(\.isOnEarth) else { return nil }
        let latitudes = positions.map(\.latitude)
        let middle = ((latitudes.min() ?? 0) + (latitudes.max() ?? 0)) / 2
        let projection = Projection(
            around: Position(latitude: middle, longitude: first.longitude))
        var x: [Double] = []
        var y: [Double] = []
        var along: [Double] = []
        for position in positions {
            let point = projection.point(position)
            guard let lastX = x.last, let lastY = y.last, let travelled = along.last else {
                (x, y, along) = ([point.x], [point.y], [0])
                continue
            }
            let step = Self.length(point.x - lastX, point.y - lastY)
            guard step > 0.01 else { continue }
            x.append(point.x)
            y.append(point.y)
            along.append(travelled + step)
        }
        guard x.count >= 2 else { return nil }
        (self.projection, self.x, self.y, self.along) = (projection, x, y, along)
        self.isStraight = isStraight
        boxes = stride(from: 0, to: x.count - 1, by: Self.boxed).map { first in
            var box = Box()
            let last = min(first + Self.boxed, x.count - 1)
            for index in first...last { box.add(x[index], y[index]) }
            return box
        }
    }

    /// The number of its points.
    var count: Int { along.count }

    /// The length in metres.
    var length: Double { along[along.count - 1] }

    /// The point at a distance from the start, in the plane.
    func point(at distance: Double) -> Projection.Point {
        let piece = self.piece(at: distance)
        let share = (distance - along[piece]) / (along[piece + 1] - along[piece])
        let bounded = min(max(share, 0), 1)
        return Projection.Point(
            x: x[piece] + bounded * (x[piece + 1] - x[piece]),
            y: y[piece] + bounded * (y[piece + 1] - y[piece]))
    }

    /// Every place within `radius` of the point (or within the slack there, if that is more) where
    /// the distance to the path is a local minimum, among the segments that touch `range`; places
    /// less than `separation` apart along the path count as one. The nearest come first.
    func feet(
        of point: Projection.Point, in range: ClosedRange<Double>, radius: Double,
        separation: Double
    ) -> [Foot] {
        let first = piece(at: range.lowerBound)
        let last = piece(at: range.upperBound)
        var minima: [Foot] = []
        // Between two runs there is nothing near, not even the corners at which they end.
        for run in runs(near: point, among: first...last, radius: radius) {
            var isPastEnd = true
            for piece in run {
                let (foot, share) = foot(of: point, on: piece)
                // A foot inside a segment is a minimum. One at a corner is a minimum if it is the
                // foot on both segments.
                let isMinimum = share > 0 ? share < 1 || piece == last : isPastEnd
                if isMinimum, foot.offset <= max(radius, foot.slack) { minima.append(foot) }
                isPastEnd = share >= 1
            }
        }
        return Self.apart(minima, by: separation)
    }

    /// The runs of segments that may come within `radius` of a point, or within the slack there.
    private func runs(
        near point: Projection.Point, among pieces: ClosedRange<Int>, radius: Double
    ) -> [ClosedRange<Int>] {
        // A metre more than enough, for rounding.
        let reach = (isStraight ? max(radius, Rules.mostSlack) : radius) + 1
        var runs: [ClosedRange<Int>] = []
        for box in pieces.lowerBound / Self.boxed...pieces.upperBound / Self.boxed
        where boxes[box].isWithin(reach, of: point) {
            let start = max(pieces.lowerBound, box * Self.boxed)
            let end = min(pieces.upperBound, (box + 1) * Self.boxed - 1)
            if let run = runs.last, run.upperBound == start - 1 {
                runs[runs.count - 1] = run.lowerBound...end
            } else {
                runs.append(start...end)
            }
        }
        return runs
    }

    /// The number of comparisons that it takes to find all feet of a point: with boxes, and with
    /// segments in those that are near.
    func comparisons(of point: Projection.Point, radius: Double) -> Int {
        runs(near: point, among: 0...(count - 2), radius: radius)
            .reduce(boxes.count) { $0 + $1.count }
    }

    private static func apart(_ minima: [Foot], by separation: Double) -> [Foot] {
        guard minima.count > 1 else { return minima }
        var kept: [Foot] = []
        for foot in minima.sorted(by: { $0.offset < $1.offset }) {
            guard kept.allSatisfy({ abs($0.along - foot.along) > separation }) else { continue }
            kept.append(foot)
        }
        return kept
    }

    /// The nearest place on a segment, and the share of the segment before it: below 0 or above 1
    /// when the nearest place is one of its ends.
    private func foot(of point: Projection.Point, on piece: Int) -> (foot: Foot, share: Double) {
        let fromX = x[piece]
        let fromY = y[piece]
        let stepX = x[piece + 1] - fromX
        let stepY = y[piece + 1] - fromY
        let length = along[piece + 1] - along[piece]
        let projected = (point.x - fromX) * stepX + (point.y - fromY) * stepY
        let share = projected / (length * length)
        let bounded = min(max(share, 0), 1)
        let missX = point.x - fromX - bounded * stepX
        let missY = point.y - fromY - bounded * stepY
        let foot = Foot(
            along: along[piece] + bounded * length, offset: Self.length(missX, missY),
            slack: slack(of: piece))
        return (foot, share)
    }

    /// How far a street between the ends of a segment may be from it: two streets at right angles
    /// meet at most half its length away from it (Thales' circle).
    private func slack(of piece: Int) -> Double {
        guard isStraight else { return 0 }
        return min((along[piece + 1] - along[piece]) / 2, Rules.mostSlack)
    }

    /// The segment that covers a distance; the first or last one for a distance off the path.
    private func piece(at distance: Double) -> Int {
        var low = 0
        var high = along.count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if along[middle] <= distance { low = middle } else { high = middle }
        }
        return low
    }

    private static func length(_ x: Double, _ y: Double) -> Double {
        (x * x + y * y).squareRoot()
    }
}
