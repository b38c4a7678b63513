import FloorPlan
import Foundation

/// An arc of a circle that a curved wall follows, and the straight pieces that approximate it.
struct Arc: Hashable {
    let start: Vector
    let end: Vector
    private let centre: Vector
    /// The angle by which it turns left from start to end, in radians; negative to the right.
    private let extent: Double

    /// How far a straight piece may be from the arc, in millimetres.
    private static let sagitta = 5.0
    /// The maximum number of straight pieces of an arc without openings.
    private static let mostPieces = 64.0

    /// The arc over a chord; nil if it is nearly straight or nearly a full circle.
    ///
    /// With the chord's length L and the extent e the centre is L/2 · cot(e/2) to the left of the
    /// chord's middle, seen from its start to its end.
    init?(from start: Vector, to end: Vector, extent: Double) {
        let chord = end - start
        guard abs(extent) > 0.01, abs(extent) < 2 * .pi - 0.01, chord.length > 0 else { return nil }
        self.start = start
        self.end = end
        self.extent = extent
        centre =
            (start + end) * 0.5 + chord.unit.left * (chord.length / 2 / tan(extent / 2))
    }

    private var radius: Double { centre.distance(to: start) }

    /// The angle of a piece, in radians: with the radius r and the sagitta s it is 2·acos(1 - s/r).
    private var step: Double {
        let exact = radius > Self.sagitta ? 2 * acos(1 - Self.sagitta / radius) : .pi / 2
        return max(exact, abs(extent) / Self.mostPieces)
    }

    /// How far a piece without an opening may be from the arc, in whole millimetres.
    var deviation: Int { Int((radius * (1 - cos(step / 2)) - 1e-6).rounded(.up)) }

    /// The corners from start to end. Each opening is given by the angles at which it begins and
    /// ends, in radians from the start; it is in one piece, because it is straight itself.
    func corners(openings: [ClosedRange<Double>] = []) -> [Vector] {
        let whole = 0...abs(extent)
        var turns = [0.0]
        func follow(to turn: Double) {
            let from = turns[turns.count - 1]
            let count = ((turn - from) / step).rounded(.up)
            turns += (0..<Int(count)).map { from + (turn - from) * Double($0 + 1) / count }
        }
        for opening in Self.united(openings.map { $0.clamped(to: whole) }) {
            follow(to: opening.lowerBound)
            if opening.upperBound > opening.lowerBound { turns.append(opening.upperBound) }
        }
        follow(to: whole.upperBound)
        let between = turns.dropFirst().dropLast().map { turn in
            centre + (start - centre).turned(by: Vector(angle: extent < 0 ? -turn : turn))
        }
        return [start] + between + [end]
    }

    /// The angle at which a place is seen from the centre, in radians from the start.
    private func turn(to place: Vector) -> Double {
        let turned = (place - centre).angle - (start - centre).angle
        // Measure from the middle of the arc, so that the angle doesn't wrap around at its ends.
        let half = abs(extent) / 2
        return half + remainder((extent < 0 ? -turned : turned) - half, 2 * .pi)
    }

    /// How far a place is from the arc, in millimetres.
    func distance(to place: Vector) -> Double {
        (0...abs(extent)).contains(turn(to: place))
            ? abs(centre.distance(to: place) - radius)
            : min(start.distance(to: place), end.distance(to: place))
    }

    /// The distance of the arc from the middle of a piece with this length, in millimetres.
    func sagitta(of piece: Double) -> Double {
        let half = min(piece / 2, radius)
        return radius - (radius * radius - half * half).squareRoot()
    }

    /// The angles at which an opening begins and ends.
    /// - Parameter inside: How far inside the arc the opening must still have its full width, in
    ///   millimetres.
    func angles(of width: Double, at middle: Vector, inside: Double) -> ClosedRange<Double> {
        let turn = turn(to: middle)
        let half = asin(min(width / 2 / max(radius - inside, 1), 1))
        return turn - half...turn + half
    }

    /// The ranges in order, with overlapping ones united.
    private static func united(_ ranges: [ClosedRange<Double>]) -> [ClosedRange<Double>] {
        ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { united, range in
            if let last = united.last, range.lowerBound < last.upperBound {
                united[united.count - 1] =
                    last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                united.append(range)
            }
        }
    }
}
