import FloorPlan
import Foundation
import Messages
import Papers
import Phrases

/// A plan drawn with characters, each twice as high as it is wide: walls as heavy lines, elements
/// as light boxes with their names, and a legend below.
struct CharacterPlan {
    private typealias Place = CharacterCanvas.Place
    private typealias Ink = CharacterCanvas.Ink

    private let picture: PlanPicture
    private let words: Words<DrawingPhrase>
    /// The width of a character in millimetres; its height is twice that.
    private let cell: Double
    /// The place of the plan at the middle of the upper left character.
    private let origin: Vector
    private var canvas: CharacterCanvas
    /// The names that letters stand for, where there is no room for the name itself.
    private var keys: [(letter: String, name: String)] = []
    private let columns: Int

    init(_ picture: PlanPicture, columns: Int, rows: Int) {
        self.picture = picture
        self.columns = columns
        words = Words<DrawingPhrase>(.of(picture.options.language))
        // The name above the plan, and three lines of legend below.
        canvas = CharacterCanvas(columns: columns, rows: max(4, rows - 4))
        let (across, down) = (Double(canvas.columns - 1), Double(canvas.rows - 1))
        let bounds: Bounds
        if let region = picture.options.region {
            cell = max(region.width, 1) / max(across, 1)
            let half = Vector(region.width / 2, cell * down)
            bounds = Bounds(low: region.centre - half, high: region.centre + half)
        } else {
            // Up to the middles of walls, which are drawn as lines, and room for the sign of an
            // entrance.
            let extent = picture.measures.home
            cell = max(extent.size.x / max(across - 2, 1), extent.size.y / 2 / max(down - 1, 1), 1)
            bounds = extent
        }
        origin = bounds.centre + Vector(-across / 2 * cell, down / 2 * 2 * cell)
    }

    /// The lines of the plan: its name, the plan, the legend.
    func text(coloured: Bool) -> String {
        var drawn = self
        drawn.draw()
        let title = String(heading.prefix(columns))
        var lines = [coloured ? "\u{1B}[1m\(title)\u{1B}[0m" : title]
        var plan = drawn.canvas.lines(coloured: coloured)
        while plan.count > 1, plan.last?.isEmpty == true { plan.removeLast() }
        while plan.count > 1, plan.first?.isEmpty == true { plan.removeFirst() }
        lines += plan + drawn.legend
        return lines.joined(separator: "\n") + "\n"
    }

    private var heading: String {
        let measured = picture.measures.measured
        let size = (measured.isEmpty ? picture.measures.home : measured).size
        let metres = [size.x, size.y].map { words.number($0 / 1_000, decimals: 2) }
        let name = picture.details.name.written
        let begin = name.isEmpty ? "" : "\(name.prefix(max(10, columns - 30))), "
        return "\(begin)\(metres.joined(separator: " × ")) m"
    }

    private func spot(_ at: Vector) -> Vector {
        Vector((at.x - origin.x) / cell, (origin.y - at.y) / (2 * cell))
    }

    private func place(_ at: Vector) -> CharacterCanvas.Place { CharacterCanvas.place(spot(at)) }

    private func steps(from start: Vector, to end: Vector) -> [CharacterCanvas.Place] {
        canvas.steps(from: spot(start), to: spot(end))
    }

    private mutating func draw() {
        drawWalls()
        drawOpenings()
        for id in picture.plan.order.reversed() {
            // What hangs above the floor would hide what stands on it.
            if let element = picture.plan.elements[id], element.elevation < Sketch.cut {
                draw(element)
            }
        }
        drawFindings()
        for room in picture.plan.rooms.values.sorted(by: { $0.polygon.area < $1.polygon.area }) {
            if picture.options.labels { name(room) }
        }
        for element in picture.plan.elements.values.sorted(by: { $0.id < $1.id })
        where element.kind == .wheelchair {
            drawCircle(of: element)
        }
        let route = picture.reach?.route.compactMap { $0.at?.vector } ?? []
        for (from, to) in zip(route, route.dropFirst()) {
            for step in steps(from: from, to: to) {
                if canvas.ink(step) == CharacterCanvas.Ink.none { canvas.put("•", step, .route) }
            }
        }
    }

    private mutating func drawWalls() {
        for wall in picture.plan.walls.values {
            canvas.join(steps(from: wall.line.start, to: wall.line.end))
        }
    }

    private mutating func drawOpenings() {
        let tight = Dictionary((picture.reach?.doors ?? []).map { ($0.door, $0) }) { first, _ in
            first
        }
        let plan = picture.plan
        for opening in plan.openings.values.sorted(by: { $0.id < $1.id }) {
            guard let wall = plan.walls[opening.wall], wall.from != wall.to else { continue }
            let hole = HoleFrame(wall, opening)
            // Half a character in, so that the wall is seen on both sides.
            let inset = min(cell / 2, (hole.end - hole.start) / 4)
            let places = steps(
                from: hole.place(hole.start + inset, 0), to: hole.place(hole.end - inset, 0))
            let isUpright = abs(hole.along.y) > abs(hole.along.x)
            let sign =
                switch opening.kind {
                case .window: isUpright ? "║" : "═"
                case .passage, .unspecified, .unrecognized: isUpright ? "┊" : "┄"
                case .door, .slidingDoor: "░"
                }
            let ink: Ink =
                tight[opening.id].map { $0.isCertain ? Ink.tooNarrow : .perhapsNarrow } ?? .opening
            for place in places {
                canvas.clear(place)
                canvas.put(sign, place, ink)
            }
            guard opening.entrance else { continue }
            let side = Sketch.outside(of: hole, in: plan, picture.measures)
            let out = hole.along.left * side
            let arrow =
                abs(out.x) > abs(out.y) ? (out.x > 0 ? "◀" : "▶") : out.y > 0 ? "▼" : "▲"
            let step = abs(out.x) > abs(out.y) ? cell * 1.2 : cell * 2.2
            canvas.put(arrow, place(hole.place(hole.middle, 0) + out * step), .entrance)
        }
    }

    private func name(of element: Element) -> String {
        let name = element.label.written
        return name.isEmpty ? words.name(of: element.kind) : name
    }

    private mutating func draw(_ element: Element) {
        let isAid = element.kind == .wheelchair || element.kind == .aid
        let ink: Ink = isAid ? .aid : .element
        let outline = element.outline
        let bounds = outline.bounds
        let (low, high) = (place(bounds.low), place(bounds.high))
        let isUpright = outline.corners.allSatisfy {
            min(abs($0.x - bounds.low.x), abs($0.x - bounds.high.x)) < cell
                || min(abs($0.y - bounds.low.y), abs($0.y - bounds.high.y)) < cell
        }
        let (left, right) = (low.column, max(high.column, low.column))
        let (top, bottom) = (high.row, max(low.row, high.row))
        guard right - left < 2_000, bottom - top < 2_000 else { return }
        if right - left < 2 || bottom == top {
            fill(element, ink, left...max(right, left + 1), (top + bottom) / 2)
            return
        }
        if isUpright, element.angle % 90_000 < 6_000 || element.angle % 90_000 > 84_000 {
            box(left...right, top...bottom, ink)
        } else {
            for side in outline.polygon.sides {
                for step in steps(from: side.start, to: side.end) {
                    canvas.put("·", step, ink)
                }
            }
        }
        guard picture.options.labels else { return }
        let room = right - left - 1
        let inside = max(1, bottom - top - 1)
        let lines = lines(name(of: element), room, rows: inside)
        let first =
            bottom - top > 1 ? top + 1 + (inside - lines.count) / 2 : freeRow(left, top, bottom)
        for (index, line) in lines.enumerated() {
            let column = left + 1 + (room - CharacterCanvas.width(line)) / 2
            let place = Place(column: column, row: first + index)
            canvas.write(line, place, isAid ? .aid : .elementName)
        }
    }

    /// The first of two rows that no wall is in.
    private func freeRow(_ column: Int, _ top: Int, _ bottom: Int) -> Int {
        let isWall = canvas.ink(Place(column: column + 1, row: top)) == .wall
        return isWall ? bottom : top
    }

    /// A name in this many columns and rows: whole, broken between words, cut, or a letter.
    private mutating func lines(_ name: String, _ room: Int, rows: Int) -> [String] {
        guard CharacterCanvas.width(name) > room, rows > 1,
            name.split(separator: " ").allSatisfy({ CharacterCanvas.width(String($0)) <= room })
        else { return [fitting(name, room)] }
        let lines = PlainPaper.broken(name[...], room)
        return lines.count <= rows ? lines : [fitting(name, room)]
    }

    private mutating func box(_ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>, _ ink: Ink) {
        for column in columns {
            for row in [rows.lowerBound, rows.upperBound] {
                canvas.put("─", Place(column: column, row: row), ink)
            }
        }
        for row in rows {
            for column in [columns.lowerBound, columns.upperBound] {
                canvas.put("│", Place(column: column, row: row), ink)
            }
        }
        let corners = [
            ("┌", columns.lowerBound, rows.lowerBound), ("┐", columns.upperBound, rows.lowerBound),
            ("└", columns.lowerBound, rows.upperBound), ("┘", columns.upperBound, rows.upperBound),
        ]
        for (sign, column, row) in corners {
            canvas.put(sign, Place(column: column, row: row), ink)
        }
    }

    /// Draws a thing that is too small for a box: its letters in brackets.
    private mutating func fill(
        _ element: Element, _ ink: Ink, _ columns: ClosedRange<Int>, _ row: Int
    ) {
        let room = columns.count - 2
        let name = picture.options.labels ? fitting(name(of: element), max(room, 1)) : "▪"
        let text = room > 0 ? "[" + name : name
        canvas.write(text, Place(column: columns.lowerBound, row: row), ink)
        if room > 0 {
            let blanks = room - CharacterCanvas.width(name)
            let end = Place(column: columns.upperBound - max(0, blanks), row: row)
            canvas.write("]" + String(repeating: " ", count: max(0, blanks)), end, ink)
        }
    }

    /// A name that fits into this many columns: whole, its beginning, or a letter that the legend
    /// explains.
    private mutating func fitting(_ name: String, _ room: Int) -> String {
        if CharacterCanvas.width(name) <= room { return name }
        if room >= 4 {
            var kept = ""
            for character in name {
                if CharacterCanvas.width(kept) + CharacterCanvas.width(String(character)) > room - 1
                {
                    break
                }
                kept.append(character)
            }
            return kept + "…"
        }
        if let key = keys.first(where: { $0.name == name }) {
            return key.letter.count <= room ? key.letter : String(key.letter.suffix(max(room, 1)))
        }
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        let letter =
            keys.count < letters.count
            ? String(letters[keys.count]) : room > 1 ? "\(keys.count - letters.count + 1)" : "*"
        guard letter.count <= max(room, 1) else { return "*" }
        if letter != "*" { keys.append((letter, name)) }
        return letter
    }

    private mutating func drawFindings() {
        let findings = picture.findings.filter { !$0.passes }
        for (number, finding) in findings.enumerated() {
            guard let at = finding.at?.vector else { continue }
            let sign =
                switch finding.sign {
                case .failure: "✗"
                case .chairFailure: "!"
                default: "?"
                }
            let text = "\(sign)\(number + 1)"
            let ink: Ink = finding.fails ? .failure : .doubt
            let home = place(at)
            let width = CharacterCanvas.width(text)
            let near = [
                (0, 0), (0, 1), (0, -1), (2, 0), (-2, 0), (3, 1), (-3, -1), (0, 2), (0, -2),
            ]
            let free = near.map { Place(column: home.column + $0.0, row: home.row + $0.1) }
                .first { canvas.isFree(width, $0) }
            canvas.write(text, free ?? home, ink)
        }
    }

    private mutating func drawCircle(of chair: Element) {
        let circle = chair.turningCircle
        let steps = max(8, min(400, Int(circle.diameter / cell * 2)))
        for step in 0..<steps {
            let angle = Double(step) / Double(steps) * 2 * .pi
            let edge = circle.centre + Vector(angle: angle) * (circle.diameter / 2)
            let at = place(edge)
            if !chair.outline.polygon.contains(edge), canvas.ink(at) == CharacterCanvas.Ink.none {
                canvas.put("·", at, .circle)
            }
        }
    }

    /// Writes name, area and size where they hide nothing, as near to the middle of the room as
    /// possible.
    private mutating func name(_ room: Room) {
        let polygon = room.polygon
        let name = room.name.written.isEmpty ? words.name(of: room.use) : room.name.written
        let area = words.area(room.squareMetres)
        let size = polygon.bounds.size
        let lengths =
            "\(words.inside(size.x, picture.options.unit)) × "
            + words.inside(size.y, picture.options.unit)
        let isBox = abs(polygon.area - size.x * size.y) < size.x * size.y / 500
        let verdict = picture.reach?.rooms.first { $0.room == room.id }?.reached
        let sign =
            switch verdict {
            case .pass: " ✓"
            case .fail: " ✗"
            case .uncertain, .unknown: " ?"
            default: ""
            }
        let wanted = isBox && picture.options.dimensions ? [lengths] : []
        for lines in [
            [name + sign, area] + wanted, [name + sign, area], ["\(name)\(sign) \(area)"],
            [name + sign], [String(name.prefix(6)) + sign], [String(name.prefix(3))],
        ]
        where write(lines, in: polygon) { return }
    }

    private mutating func write(_ lines: [String], in polygon: Polygon) -> Bool {
        let width = lines.map(CharacterCanvas.width).max() ?? 0
        let (low, high) = (place(polygon.bounds.low), place(polygon.bounds.high))
        let (left, right) = (max(0, low.column), min(canvas.columns, high.column))
        let (top, bottom) = (max(0, high.row), min(canvas.rows, low.row))
        // A region of a plan needn't have all of its rooms.
        guard left <= right, top <= bottom else { return false }
        let middle = Place(column: (left + right) / 2, row: (top + bottom) / 2)
        var best: (distance: Int, place: Place)?
        for row in top...bottom {
            for column in left...right {
                let centre = Place(column: column + width / 2, row: row + lines.count / 2)
                let distance =
                    abs(centre.column - middle.column) + 2 * abs(centre.row - middle.row)
                guard distance < best?.distance ?? .max,
                    lines.indices.allSatisfy({
                        canvas.isFree(width, Place(column: column, row: row + $0))
                    }),
                    [column, column + width - 1].allSatisfy({ column in
                        lines.indices.allSatisfy { polygon.contains(at(column, row + $0)) }
                    })
                else { continue }
                best = (distance, Place(column: column, row: row))
            }
        }
        guard let best else { return false }
        for (index, line) in lines.enumerated() {
            let indent = (width - CharacterCanvas.width(line)) / 2
            canvas.write(
                line, Place(column: best.place.column + indent, row: best.place.row + index),
                index == 0 ? .room : .elementName)
        }
        return true
    }

    private func at(_ column: Int, _ row: Int) -> Vector {
        Vector(origin.x + Double(column) * cell, origin.y - Double(row) * 2 * cell)
    }

    /// The meaning of the signs on the screen, in at most three lines.
    private var legend: [String] {
        let openings: Set<Ink> = [.opening, .perhapsNarrow, .tooNarrow]
        let known: [(sign: String, others: Set<String>, inks: Set<Ink>, meaning: DrawingPhrase)] = [
            ("░", [], openings, .door), ("═", ["║"], openings, .window),
            ("┄", ["┊"], openings, .passage), ("▶", ["◀", "▲", "▼"], [.entrance], .entrance),
            ("·", [], [.circle], .turningCircle), ("✗", [], [.failure], .fails),
            ("!", [], [.failure], .chairAlone), ("?", [], [.doubt], .undecided),
            ("•", [], [.route], .route),
        ]
        var entries = known.filter { canvas.shows($0.others.union([$0.sign]), in: $0.inks) }
            .map { "\($0.sign) \(words.say($0.meaning))" }
        entries += keys.map { "\($0.letter) \($0.name)" }
        var lines: [String] = []
        for entry in entries {
            let room = max(8, columns - 1)
            let entry = entry.count > room ? String(entry.prefix(room - 1)) + "…" : entry
            if let last = lines.last,
                CharacterCanvas.width(last) + 3 + CharacterCanvas.width(entry) <= columns
            {
                lines[lines.count - 1] = last + "   " + entry
            } else {
                lines.append(entry)
            }
        }
        return Array(lines.prefix(3))
    }
}
