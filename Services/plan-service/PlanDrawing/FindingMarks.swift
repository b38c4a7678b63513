import FloorPlan
import Foundation
import Messages
import Papers

extension PlanFinding {
    /// True if neither the clause nor the person's chair objects to the place.
    package var passes: Bool {
        verdict == .pass
            && (person.map { $0.verdict == .pass || $0.verdict == .unspecified } ?? true)
    }

    /// True if the clause or the person's chair certainly fails.
    package var fails: Bool { verdict == .fail || person?.verdict == .fail }

    /// True if the clause is met, but the person's chair doesn't fit nevertheless.
    package var failsForChairAlone: Bool { verdict == .pass && person?.verdict == .fail }

    /// True if the clause isn't decided, but the person's chair certainly doesn't fit.
    package var failsForChairUndecided: Bool {
        verdict != .pass && verdict != .fail && person?.verdict == .fail
    }

    /// The mark of a finding that doesn't pass.
    var sign: Sketch.Sign {
        verdict == .fail ? .failure : person?.verdict == .fail ? .chairFailure : .doubt
    }
}

extension TightDoor {
    /// True if the door is certainly too narrow. A service of an earlier version says nothing.
    package var isCertain: Bool { verdict != .uncertain }
}

/// Findings at their places.
extension Sketch {
    /// A full square fails, an empty one fails only for the chair, and a circle is uncertain, so
    /// that nobody needs to see the colours.
    mutating func drawFindings(_ findings: [PlanFinding]) {
        var placed: [(number: Int, finding: PlanFinding, at: Drawing.Point, middle: Drawing.Point)]
        placed = []
        let numbered = findings.filter { !$0.passes }.enumerated().map { ($0 + 1, $1) }
        for (number, finding) in numbered where !WorkLimit.isOver {
            guard let place = finding.at?.vector else { continue }
            let point = sheet.point(place)
            let window = sheet.window
            guard point.x > window.x, point.x < window.x + window.width, point.y > window.y,
                point.y < window.y + window.height
            else { continue }
            signs.insert(finding.sign)
            let width = Self.markWidth(number)
            let middle = middleOfMark(width, at: point)
            taken.take(Drawing.Box(middle: middle, width: width, height: 4.2))
            placed.append((number, finding, point, middle))
        }
        // No line to a place may cover the number of another.
        for mark in placed { lead(from: mark.middle, to: mark.at, mark.finding) }
        for (number, finding, _, middle) in placed {
            let mark = Self.findingMark(
                "\(number)", finding.sign, at: middle, width: Self.markWidth(number),
                item: finding.item)
            add(mark, to: .findings)
        }
    }

    private static func markWidth(_ number: Int) -> Double { number < 100 ? 4.2 : 5.6 }

    /// Where the mark of a place hides least, including the line to it.
    private func middleOfMark(_ width: Double, at point: Drawing.Point) -> Drawing.Point {
        var best: (cost: Double, middle: Drawing.Point)?
        for away in [0.0, 3.6, 5.5, 8, 11, 15] {
            for step in 0..<(away == 0 ? 1 : 12) {
                let middle = point + Vector(angle: Double(step) / 6 * .pi) * away
                let box = Drawing.Box(middle: middle, width: width + 0.4, height: 4.6)
                guard let cost = taken.cost(of: box) else { continue }
                let crossed = taken.crossings(from: middle, to: point)
                let total = Double(cost) * 0.4 + away * 2 + Double(crossed) * 3
                if total < best?.cost ?? .infinity { best = (total, middle) }
            }
        }
        return best?.middle ?? point
    }

    /// Draws the line from a mark to its place. No name is written over it.
    private mutating func lead(
        from middle: Drawing.Point, to point: Drawing.Point, _ finding: PlanFinding
    ) {
        guard hypot(middle.x - point.x, middle.y - point.y) > 1 else { return }
        let colour: Colour = finding.fails ? .red : .darkOrange
        add(
            Drawing.Path([middle, point], isClosed: false),
            Drawing.Pen(stroke: colour, width: 0.2), to: .findings, item: finding.item)
        var dot = Drawing.Path()
        dot.addEllipse(point, Vector(0.5, 0), Vector(0, 0.5))
        add(dot, Drawing.Pen(fill: colour), to: .findings, item: finding.item)
        taken.take(from: middle, to: point, Occupancy.Cost.forbidden)
    }

    /// The mark of a finding with its number.
    static func findingMark(
        _ number: String, _ sign: Sign, at middle: Drawing.Point, width: Double = 4.2,
        item: String = ""
    ) -> [Drawing.Mark] {
        var path = Drawing.Path()
        let pen: Drawing.Pen
        let square = Drawing.Path(
            Drawing.Box(middle: middle, width: width, height: 4.2).corners, isClosed: true)
        switch sign {
        case .failure:
            path = square
            pen = Drawing.Pen(stroke: .white, width: 0.25, fill: .red)
        case .chairFailure:
            path = square
            pen = Drawing.Pen(stroke: .red, width: 0.5, fill: .white)
        default:
            path.addEllipse(middle, Vector(width / 2, 0), Vector(0, 2.1))
            pen = Drawing.Pen(stroke: .darkOrange, width: 0.5, fill: .white)
        }
        let text = Drawing.Text(
            number, at: middle + Vector(0, 0.85), size: 2.3, anchor: .middle, isBold: true,
            colour: sign == .failure ? .white : sign == .chairFailure ? .red : .darkOrange)
        return [
            Drawing.Mark(.path(path, pen), item: item), Drawing.Mark(.text(text), item: item),
        ]
    }
}
