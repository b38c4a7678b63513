import FloorPlan
import Foundation
import Messages
import Papers

/// Lengths inside rooms, from wall surface to wall surface, and the free widths of doors.
extension Sketch {
    /// Sides shorter than this have no dimension. Millimetres of the plan.
    private static let shortest = 300.0

    mutating func drawInnerLengths() {
        for room in plan.rooms.values.sorted(by: { $0.id < $1.id })
        where sees(room.polygon.bounds) && !WorkLimit.isOver {
            let sides = room.polygon.counterClockwise.sides.filter { $0.length >= Self.shortest }
            var groups: [(direction: Vector, length: Double, sides: [Segment])] = []
            // Opposite sides of the same length are measured only once.
            for side in sides {
                let direction = side.along.unit
                if let index = groups.firstIndex(where: {
                    abs($0.direction.cross(direction)) < 0.0175
                        && abs($0.length - side.length) < 5
                }) {
                    groups[index].sides.append(side)
                } else {
                    groups.append((direction, side.length, [side]))
                }
            }
            for group in groups { drawLength(of: group.sides, in: room) }
        }
    }

    /// A place for a dimension inside a room.
    private struct InnerLength {
        let cost: Double
        let line: Segment
        /// The parts of the line that are drawn, as fractions of its length.
        let pieces: [ClosedRange<Double>]
        let text: Drawing.Text
    }

    /// How far from its wall a line may lie on paper, in millimetres: where it hides least.
    private static let distances = [2.6, 4.2, 6.5, 9, 13, 18, 24, 31, 39, 48]

    /// Draws the length of one of these sides, where the least is in its way. The line is
    /// interrupted where it would cross something.
    private mutating func drawLength(of sides: [Segment], in room: Room) {
        guard let best = place(for: sides, in: room) else { return }
        let line = best.line
        for piece in best.pieces {
            let from = line.start + line.along * piece.lowerBound
            let to = line.start + line.along * piece.upperBound
            add(
                sheet.path(from: from, to: to),
                Drawing.Pen(stroke: Self.dimensionColour, width: 0.1), to: .dimensions,
                item: room.id)
            taken.take(from: sheet.point(from), to: sheet.point(to), Occupancy.Cost.dimension)
        }
        drawTicks([line.start, line.end], along: line.along.unit)
        add(best.text, to: .dimensions, item: room.id)
    }

    private func place(for sides: [Segment], in room: Room) -> InnerLength? {
        let polygon = room.polygon
        let bounds = polygon.bounds
        var best: InnerLength?
        for side in sides where !WorkLimit.isOver {
            let along = side.along.unit
            let turn = Self.reading(along)
            let up = Vector(angle: turn / 180 * .pi - .pi / 2)
            // Measure the text only once, then move it.
            var text = Drawing.Text(
                words.inside(side.length, options.unit), at: sheet.point(side.start),
                size: TextSize.small, anchor: .middle, colour: Self.dimensionColour, turn: turn)
            for (order, inward) in Self.distances.enumerated() {
                // No place this far from its wall costs less.
                let far = Double(order) * 6
                guard far < best?.cost ?? .infinity else { break }
                let shift = along.left * (inward * sheet.scale)
                let line = Segment(side.start + shift, side.end + shift)
                guard
                    [0.02, 0.5, 0.98].allSatisfy({
                        polygon.contains(line.start + line.along * $0)
                    })
                else { break }
                let things = things(near: line, within: bounds)
                let pieces = pieces(
                    from: sheet.point(line.start), to: sheet.point(line.end), among: things)
                let drawn = pieces.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
                // Less than this couldn't be recognised as a line.
                guard drawn > 0.3 else { continue }
                let hidden = (1 - drawn) * sheet.length(side.length)
                text.size = order < 4 ? TextSize.dimension : TextSize.small
                for share in [0.5, 0.35, 0.65, 0.2, 0.8] {
                    text.place = sheet.point(line.start + line.along * share) + up * 0.6
                    let room = sheet.length(side.length) * (0.5 - abs(share - 0.5)) * 2
                    guard text.length + 0.8 <= room, let cost = taken.cost(of: text.box) else {
                        continue
                    }
                    let total = Double(cost) + hidden * 25 + far + abs(share - 0.5) * 20
                    guard total < best?.cost ?? .infinity, !Self.lies(text, onOneOf: things) else {
                        continue
                    }
                    best = InnerLength(cost: total, line: line, pieces: pieces, text: text)
                }
            }
        }
        return best
    }

    /// Writes how wide a passage a door leaves, which is the only measure of a door that matters:
    /// never more than a check finds. `~` precedes a width that follows from the leaf or the hole
    /// and was not measured, and degrees precede what is left if something keeps the door from
    /// opening further. Behind it is what a chair lacks, or `?` if that is uncertain.
    mutating func writeFreeWidths(tooNarrow: [String: TightDoor]) {
        for opening in plan.openings.values.sorted(by: { $0.id < $1.id })
        where opening.isPassable && !WorkLimit.isOver {
            guard let wall = plan.walls[opening.wall], wall.from != wall.to,
                let clear = measures.clearWidths[opening.id]
            else { continue }
            let (passage, width) = (opening.passage, clear.millimetres)
            var words =
                passage.isMeasured
                ? self.words.exact(width, options.unit)
                : "~" + self.words.roundedDown(width, options.unit)
            if let stop = clear.stop { words = "\(stop.degrees)°: \(words)" }
            let door = tooNarrow[opening.id]
            let isDoubtful = door.map { !$0.isCertain } ?? false
            if isDoubtful {
                words += " (?)"
            } else if let door {
                words += " (−\(self.words.exact(door.missing, options.unit)))"
            }
            let isNarrow = door != nil || width < passage.width
            write(
                words, at: HoleFrame(wall, opening), isNarrow: isNarrow,
                isDoubtful ? .darkOrange : isNarrow ? .red : Self.dimensionColour)
        }
    }

    private mutating func write(
        _ words: String, at hole: HoleFrame, isNarrow: Bool, _ colour: Colour
    ) {
        let turn = Self.reading(hole.along)
        let rotation = Vector(angle: turn / 180 * .pi)
        let size = TextSize.small + (isNarrow ? 0.3 : 0)
        let sides: [Double] = hole.opening.swingsRight ? [1, -1] : [-1, 1]
        let edges = [hole.place(hole.start, 0), hole.place(hole.end, 0)]
        let things = things(near: Bounds(edges).grown(by: 12 * sheet.scale))
        var best: (cost: Int, text: Drawing.Text)?
        for (order, away) in [1.6, 3.4, 5.2].enumerated() {
            // Try the side away from the leaf first.
            for (later, side) in sides.enumerated() {
                for shift in [0.0, -0.25, 0.25] {
                    let place = sheet.point(
                        hole.place(
                            hole.middle + shift * (hole.end - hole.start),
                            side * (hole.half + away * sheet.scale)))
                    let down = Vector(0, size * Drawing.Text.capital / 2).turned(by: rotation)
                    let text = Drawing.Text(
                        words, at: place + down, size: size, anchor: .middle, isBold: true,
                        colour: colour, turn: turn)
                    guard let cost = taken.cost(of: text.box) else { continue }
                    var total = cost + order * 20 + later * 15
                    guard total < best?.cost ?? .max else { continue }
                    // In a narrow place it may lie on something, but only if there is no other
                    // place.
                    if Self.lies(text, onOneOf: things) { total += 1_000 }
                    if total < best?.cost ?? .max { best = (total, text) }
                }
            }
        }
        guard let text = best?.text else { return }
        signs.insert(.freeWidth)
        add(text, to: .dimensions, item: hole.opening.id)
    }
}
