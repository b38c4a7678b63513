import FloorPlan
import Foundation
import Messages
import Papers

/// Walls and their openings.
extension Sketch {
    static let wallColour = Colour(red: 0.2, green: 0.2, blue: 0.22)

    mutating func drawWalls() {
        for wall in plan.walls.values.sorted(by: { $0.id < $1.id }) where !WorkLimit.isOver {
            guard let outline = measures.outlines.outlines[wall.id] else { continue }
            let line = wall.line
            if wall.thickness == 0 {
                add(
                    sheet.path(from: line.start, to: line.end),
                    Drawing.Pen(stroke: Self.wallColour, width: 0.25, dash: [2, 1]), to: .walls,
                    item: wall.id)
                taken.take(
                    from: sheet.point(line.start), to: sheet.point(line.end), Occupancy.Cost.line)
                continue
            }
            var path = Drawing.Path()
            for piece in wall.pieces(outline, plan.openings(in: wall.id)) {
                path = path + sheet.path(piece, isClosed: true)
                taken.take(piece.map(sheet.point), Occupancy.Cost.wall)
            }
            add(path, Drawing.Pen(fill: Self.wallColour), to: .walls, item: wall.id)
            drawJoints(wall, outline)
            // Thin walls fall between the squares.
            taken.take(from: sheet.point(line.start), to: sheet.point(line.end), 60)
        }
        guard options.corners else { return }
        let places = Set(plan.walls.values.flatMap { [$0.from, $0.to] })
        let pen = Drawing.Pen(
            stroke: Colour(red: 0.1, green: 0.3, blue: 0.6), width: 0.15, fill: .white)
        for place in places.sorted(by: { ($0.x, $0.y) < ($1.x, $1.y) }) {
            add(sheet.circle(place.vector, radius: 0.55 * sheet.scale), pen, to: .corners)
        }
    }

    /// Covers the hairlines that screens show where two areas meet. The areas themselves have no
    /// outline, which would make them larger.
    private mutating func drawJoints(_ wall: Wall, _ outline: Polygon) {
        let corners = outline.corners
        var path = Drawing.Path()
        if measures.outlines.isJoined(wall.id, at: wall.from) {
            path = path + sheet.path([corners[5], corners[0], corners[1]])
        }
        if measures.outlines.isJoined(wall.id, at: wall.to) {
            path = path + sheet.path([corners[2], corners[3], corners[4]])
        }
        guard !path.steps.isEmpty else { return }
        add(path, Drawing.Pen(stroke: Self.wallColour, width: 0.08), to: .walls, item: wall.id)
    }

    mutating func drawOpenings(tooNarrow: [String: TightDoor]) {
        for opening in plan.openings.values.sorted(by: { $0.id < $1.id })
        where !WorkLimit.isOver {
            guard let wall = plan.walls[opening.wall], wall.from != wall.to else { continue }
            let hole = HoleFrame(wall, opening)
            switch opening.kind {
            case .door: drawDoor(hole)
            case .slidingDoor: drawSlidingDoor(hole)
            case .window: drawWindow(hole)
            case .passage, .unspecified, .unrecognized: drawPassage(hole)
            }
            if let door = tooNarrow[opening.id] { markNarrow(hole, door) }
            if opening.entrance { markEntrance(hole) }
        }
    }

    private static let thin = Drawing.Pen(stroke: .black, width: 0.13)
    static let guessed = Drawing.Pen(stroke: .black, width: 0.13, dash: [0.8, 0.6])
    static let narrow = Drawing.Pen(stroke: .red, width: 0.7)
    /// It is dashed, so that nobody needs to see the colour.
    static let perhapsNarrow = Drawing.Pen(stroke: .darkOrange, width: 0.7, dash: [0.9, 0.7])

    /// Draws the leaf, and the arc of its end: dashed if nobody said how the door is hung.
    private mutating func drawDoor(_ hole: HoleFrame) {
        let opening = hole.opening
        guard let leaf = DoorLeaf(of: opening, in: hole.wall) else { return }
        let (pivot, closed, length) = (leaf.hinges, leaf.shut, leaf.width)
        // A door is drawn as far open as nearby things allow.
        let angle = measures.clearWidths[opening.id]?.stop?.angle ?? .pi / 2
        let (along, away) = (Vector(angle: angle), Vector(angle: angle - .pi / 2))
        let open = closed * along.x + leaf.open * along.y
        let back = closed * away.x + leaf.open * away.y
        let thickness = min(45, length / 4)
        add(
            sheet.path(
                [
                    pivot, pivot + open * length, pivot + open * length + back * thickness,
                    pivot + back * thickness,
                ], isClosed: true),
            Drawing.Pen(stroke: .black, width: 0.2, fill: .white), to: .openings,
            item: opening.id)
        let turn = closed.cross(leaf.open) > 0 ? angle : -angle
        let arc = sheet.arc(pivot, radius: length, from: closed.angle, by: turn)
        add(
            arc, opening.isUnhung ? Self.guessed : Self.thin, to: .openings, item: opening.id)
        if opening.isUnhung, sheet.shows(leaf.swept.polygon) { signs.insert(.unhungDoor) }
        drawThreshold(hole)
        taken.take(leaf.swept.corners.map(sheet.point), Occupancy.Cost.line)
    }

    /// Draws lines along both surfaces if there is a threshold, or a lower edge above the floor,
    /// which a check counts as one; dashed lines if nobody measured whether there is one.
    private mutating func drawThreshold(_ hole: HoleFrame) {
        let isUnknown = hole.opening.isRiseUnknown
        guard hole.opening.rise > 0 || isUnknown else { return }
        let pen = isUnknown ? Self.guessed : Self.thin
        for side in [-hole.half, hole.half] {
            let line = Segment(hole.place(hole.start, side), hole.place(hole.end, side))
            add(
                sheet.path(from: line.start, to: line.end), pen, to: .openings,
                item: hole.opening.id)
            if isUnknown, sheet.shows(line) { signs.insert(.unmeasuredThreshold) }
        }
    }

    private mutating func drawSlidingDoor(_ hole: HoleFrame) {
        let opening = hole.opening
        let way: Double = opening.hingesAtEnd ? 1 : -1
        let length = hole.end - hole.start
        let half = min(25, max(hole.half, 8))
        func leaf(_ shift: Double) -> [Vector] {
            [(0.0, -half), (length, -half), (length, half), (0, half)].map {
                hole.place(hole.start + shift + $0.0, $0.1)
            }
        }
        add(
            sheet.path(leaf(way * length), isClosed: true),
            Drawing.Pen(stroke: .black, width: 0.13, dash: [0.8, 0.6], fill: .white), to: .openings,
            item: opening.id)
        add(
            sheet.path(leaf(way * length * 0.25), isClosed: true),
            Drawing.Pen(stroke: .black, width: 0.2, fill: .white), to: .openings, item: opening.id)
        // An arrow next to the leaf shows where it slides to.
        let aside = hole.half + 1.6 * sheet.scale
        let (tail, tip) = (
            hole.place(hole.middle - way * length * 0.25, aside),
            hole.place(hole.middle + way * length * 0.25, aside)
        )
        let back = hole.along * (-way * 1.2 * sheet.scale)
        let wide = hole.along.left * (0.5 * sheet.scale)
        add(
            sheet.path(from: tail, to: tip)
                + sheet.path([tip + back + wide, tip, tip + back - wide]),
            Self.thin, to: .openings, item: opening.id)
        taken.take(from: sheet.point(tail), to: sheet.point(tip), 60)
        drawThreshold(hole)
    }

    private mutating func drawWindow(_ hole: HoleFrame) {
        var path = sheet.path(
            [
                hole.place(hole.start, -hole.half), hole.place(hole.end, -hole.half),
                hole.place(hole.end, hole.half), hole.place(hole.start, hole.half),
            ], isClosed: true)
        for side in [-0.2, 0.2] {
            path =
                path
                + sheet.path(
                    from: hole.place(hole.start, side * hole.half),
                    to: hole.place(hole.end, side * hole.half))
        }
        add(
            path, Drawing.Pen(stroke: .black, width: 0.15, fill: .white), to: .openings,
            item: hole.opening.id)
        taken.take(
            from: sheet.point(hole.place(hole.start, 0)), to: sheet.point(hole.place(hole.end, 0)),
            Occupancy.Cost.wall)
    }

    private mutating func drawPassage(_ hole: HoleFrame) {
        var path = Drawing.Path()
        for side in [-hole.half, hole.half] {
            path =
                path
                + sheet.path(from: hole.place(hole.start, side), to: hole.place(hole.end, side))
        }
        add(
            path, Drawing.Pen(stroke: .black, width: 0.15, dash: [1, 0.8]), to: .openings,
            item: hole.opening.id)
        if hole.opening.isPassable { drawThreshold(hole) }
    }

    private mutating func markNarrow(_ hole: HoleFrame, _ door: TightDoor) {
        let out = hole.half + 0.8 * sheet.scale
        let lines =
            [hole.start, hole.end].map { Segment(hole.place($0, -out), hole.place($0, out)) }
            + [Segment(hole.place(hole.start, 0), hole.place(hole.end, 0))]
        var path = Drawing.Path()
        for line in lines { path = path + sheet.path(from: line.start, to: line.end) }
        let pen = door.isCertain ? Self.narrow : Self.perhapsNarrow
        add(path, pen, to: .openings, item: hole.opening.id)
        if lines.contains(where: { sheet.shows($0) }) {
            signs.insert(door.isCertain ? .tightDoor : .perhapsTightDoor)
        }
    }

    /// Draws a triangle outside that points at the door, and the word.
    private mutating func markEntrance(_ hole: HoleFrame) {
        let side = Self.outside(of: hole, in: plan, measures)
        let out = hole.along.left * side
        let swingsOut = hole.opening.kind == .door && (side > 0) != hole.opening.swingsRight
        let leaf = swingsOut ? Double(hole.opening.leafWidth ?? hole.opening.width) : 0
        let tip = hole.place(hole.middle, side * hole.half) + out * (leaf + 0.8 * sheet.scale)
        let base = tip + out * (3 * sheet.scale)
        // It is slim, so that its direction is clear even at an angle.
        let wide = hole.along * (1.2 * sheet.scale)
        add(
            sheet.path([tip, base + wide, base - wide], isClosed: true),
            Drawing.Pen(stroke: .black, width: 0.1, fill: .black), to: .openings,
            item: hole.opening.id)
        taken.take(
            [tip, base + wide, base - wide].map(sheet.point), Occupancy.Cost.forbidden)
        let place = sheet.point(base)
        let size = TextSize.label
        let text: Drawing.Text
        if abs(out.y) > 0.7 {
            let down = out.y > 0 ? -0.8 : size * Drawing.Text.capital + 0.8
            text = Drawing.Text(
                words.say(.entrance), at: place + Vector(0, down), size: size, anchor: .middle,
                isBold: true)
        } else {
            // Next to a wall that runs up, the word is upright, so that it takes little room.
            let across = out.x > 0 ? size * Drawing.Text.capital + 0.8 : -0.8
            text = Drawing.Text(
                words.say(.entrance), at: place + Vector(across, 0), size: size, anchor: .middle,
                isBold: true, turn: -90)
        }
        add(text, to: .openings, item: hole.opening.id, onWhite: false)
    }

    /// The side of the wall that has no room: 1 for the left, −1 for the right.
    static func outside(
        of hole: HoleFrame, in plan: FloorPlan, _ measures: PlanMeasures
    ) -> Double {
        let sides = [1.0, -1].filter { side in
            let place = hole.place(hole.middle, side * (hole.half + 150))
            return !plan.rooms.values.contains { $0.polygon.contains(place) }
        }
        if sides.count == 1 { return sides[0] }
        let away = hole.place(hole.middle, 0) - measures.home.centre
        return away.dot(hole.along.left) >= 0 ? 1 : -1
    }
}

/// An opening in its wall. Places are given by how far they are along the wall and to its left.
struct HoleFrame {
    let wall: Wall
    let opening: Opening
    /// The direction of the wall.
    let along: Vector
    /// The hole begins and ends this far from the wall's start.
    let start: Double
    let end: Double
    /// Half the thickness of the wall.
    let half: Double

    init(_ wall: Wall, _ opening: Opening) {
        self.wall = wall
        self.opening = opening
        along = wall.line.along.unit
        start = Double(opening.offset)
        end = Double(opening.endOffset)
        half = Double(wall.thickness) / 2
    }

    var middle: Double { (start + end) / 2 }

    func place(_ distance: Double, _ left: Double) -> Vector {
        wall.line.start + along * distance + along.left * left
    }
}

extension Wall {
    /// The parts of the wall's outline between its openings.
    func pieces(_ outline: Polygon, _ openings: [Opening]) -> [[Vector]] {
        var kept: [(from: Double, to: Double)] = []
        var from = -Double.infinity
        for opening in openings.sorted(by: { $0.offset < $1.offset }) {
            if Double(opening.offset) > from { kept.append((from, Double(opening.offset))) }
            from = max(from, Double(opening.endOffset))
        }
        kept.append((from, .infinity))
        let along = line.along.unit
        return kept.compactMap { range in
            let left = Self.cut(outline.corners) { range.to - ($0 - line.start).dot(along) }
            let rest = Self.cut(left) { ($0 - line.start).dot(along) - range.from }
            return rest.count > 2 ? rest : nil
        }
    }

    /// The part of an outline where a height isn't negative (I. E. Sutherland and G. W. Hodgman,
    /// 1974).
    private static func cut(_ corners: [Vector], _ height: (Vector) -> Double) -> [Vector] {
        let heights = corners.map(height)
        guard heights.contains(where: { $0 < 0 }) else { return corners }
        var kept: [Vector] = []
        for (index, corner) in corners.enumerated() {
            let before = (index + corners.count - 1) % corners.count
            if (heights[before] < 0) != (heights[index] < 0) {
                let share = heights[before] / (heights[before] - heights[index])
                kept.append(corners[before] + (corner - corners[before]) * share)
            }
            if heights[index] >= 0 { kept.append(corner) }
        }
        return kept
    }
}
