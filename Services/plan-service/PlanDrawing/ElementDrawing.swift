import FloorPlan
import Foundation
import Messages
import Papers

/// Elements, their names, and the circles in which wheelchairs turn.
extension Sketch {
    /// Elements at this height or above are drawn as hanging: plans are cut at 1.2 m.
    static let cut: UInt32 = 1_200
    static let aidColour = Colour(red: 0.02, green: 0.3, blue: 0.55)

    mutating func drawElements() {
        for id in plan.order where !WorkLimit.isOver {
            guard let element = plan.elements[id] else { continue }
            let symbol = Symbol(element, sheet)
            let isAid = element.kind == .aid || element.kind == .wheelchair
            let colour: Colour = isAid ? Self.aidColour : .black
            let hangs = element.elevation >= Self.cut
            add(
                symbol.outline,
                Drawing.Pen(
                    stroke: colour, width: isAid ? 0.3 : 0.2, dash: hangs ? [1, 0.7] : [],
                    fill: hangs ? nil : .white), to: .elements, item: id)
            if !symbol.lines.steps.isEmpty {
                add(
                    symbol.lines, Drawing.Pen(stroke: colour, width: 0.11), to: .elements, item: id)
            }
            if !symbol.solid.steps.isEmpty {
                add(symbol.solid, Drawing.Pen(fill: colour), to: .elements, item: id)
            }
            taken.take(element.outline.corners.map(sheet.point), Occupancy.Cost.element)
        }
    }

    mutating func drawTurningCircles() {
        let chairs = plan.elements.values.filter { $0.kind == .wheelchair }
        for chair in chairs.sorted(by: { $0.id < $1.id }) {
            let circle = chair.turningCircle
            if sheet.showsCircle(about: circle.centre, radius: circle.diameter / 2) {
                signs.insert(.turningCircle)
            }
            add(
                sheet.circle(circle.centre, radius: circle.diameter / 2),
                Drawing.Pen(stroke: Self.aidColour, width: 0.25, dash: [1.6, 0.9]), to: .circles,
                item: chair.id)
            guard options.dimensions else { continue }
            // Rounded up, as in a check, because the chair needs all of it.
            let needed = UInt32(min(circle.diameter.rounded(.up), 1e9))
            let text = "Ø " + words.exact(needed, options.unit)
            var best: (cost: Int, label: Drawing.Text)?
            for angle in stride(from: 0.0, to: 2, by: 0.125) {
                let edge = circle.centre + Vector(angle: angle * .pi) * (circle.diameter / 2)
                let label = Drawing.Text(
                    text, at: sheet.point(edge) + Vector(0, 0.8), size: TextSize.small,
                    anchor: .middle, colour: Self.aidColour)
                guard let cost = taken.cost(of: label.box) else { continue }
                if cost < best?.cost ?? .max { best = (cost, label) }
            }
            if let label = best?.label { add(label, to: .circles, item: chair.id) }
        }
    }

    /// The name of an element in the drawing.
    func name(of element: Element) -> String { words.name(of: element) }

    private func size(of element: Element) -> String {
        words.exact(element.width, options.unit) + " × "
            + words.exact(element.depth, options.unit)
    }

    mutating func labelElements() {
        // The large ones first, because people look for their names.
        let order = plan.elements.values
            .map { (area: UInt64($0.width) * UInt64($0.depth), id: $0.id) }
            .sorted { ($0.area, $1.id) > ($1.area, $0.id) }
        for (_, id) in order where !WorkLimit.isOver {
            guard let element = plan.elements[id], sees(element.outline.bounds) else { continue }
            let name = name(of: element)
            let size = options.dimensions ? size(of: element) : nil
            let isNamed =
                hidesUnderText(element)
                ? labelBeside(element, name, size) || labelInside(element, name, size)
                : labelInside(element, name, size) || labelBeside(element, name, size)
            if !isNamed { key(element, name) }
        }
    }

    /// True for a small symbol that can't be recognised with a name on it.
    private func hidesUnderText(_ element: Element) -> Bool {
        let smaller = sheet.length(Double(min(element.width, element.depth)))
        return switch element.kind {
        case .toilet, .washbasin, .wheelchair, .aid: smaller < 20
        default: false
        }
    }

    /// True if it is in the window.
    func sees(_ bounds: Bounds) -> Bool { sheet.shows(bounds) }

    /// Writes the name into the outline, and the size below it if there is room.
    private mutating func labelInside(
        _ element: Element, _ name: String, _ size: String?
    ) -> Bool {
        let corners = element.outline.corners.map(sheet.point)
        let middle = sheet.point(element.place)
        // Inside, no text is longer than from corner to corner.
        let longest = sheet.length(hypot(Double(element.width), Double(element.depth)))
        let length = Drawing.Text(name, at: middle, size: 1).length
        let stacks = size.map { [[name, $0], [name]] } ?? [[name]]
        for size in [TextSize.label, TextSize.small] where length * size <= longest {
            for turn in [0.0, -90] {
                for texts in stacks {
                    let placed = stack(texts, size, turn, about: middle)
                    guard
                        placed.allSatisfy({ text in
                            let box = text.box
                            return Self.isInside(box, corners) && taken.cost(of: box) != nil
                        })
                    else { continue }
                    for text in placed {
                        if isCrossed(element) {
                            let ground = Drawing.Path(text.box.corners, isClosed: true)
                            add(ground, Drawing.Pen(fill: .white), to: .labels, item: element.id)
                        }
                        add(text, to: .labels, item: element.id)
                    }
                    return true
                }
            }
        }
        return false
    }

    /// True for a symbol whose lines cross its middle, where the name would be.
    private func isCrossed(_ element: Element) -> Bool {
        [.cupboard, .shower].contains(element.kind) && element.elevation < Self.cut
    }

    /// Lines of text, one below the other, about a point.
    private func stack(
        _ lines: [String], _ size: Double, _ turn: Double, about middle: Drawing.Point
    ) -> [Drawing.Text] {
        let leading = size * 1.2
        let rotation = Vector(angle: turn / 180 * .pi)
        return lines.indices.map { index in
            let down =
                size * Drawing.Text.capital / 2
                + leading * (Double(index) - Double(lines.count - 1) / 2)
            return Drawing.Text(
                lines[index], at: middle + Vector(0, down).turned(by: rotation),
                size: index == 0 ? size : max(size * 0.9, TextSize.small), anchor: .middle,
                turn: turn)
        }
    }

    /// True if a whole box is inside a convex outline.
    private static func isInside(_ box: Drawing.Box, _ outline: [Drawing.Point]) -> Bool {
        guard let last = outline.last else { return false }
        return box.allCorners { corner in
            var (side, a) = (0.0, last)
            for b in outline {
                let turn = (b.x - a.x) * (corner.y - a.y) - (b.y - a.y) * (corner.x - a.x)
                if turn * side < 0 { return false }
                if turn != 0 { side = turn }
                a = b
            }
            return true
        }
    }

    /// Writes the name next to the outline, with a line that leads to it.
    private mutating func labelBeside(
        _ element: Element, _ name: String, _ measures: String?
    ) -> Bool {
        let bounds = element.outline.bounds
        let (low, high) = (sheet.point(bounds.low), sheet.point(bounds.high))
        let middle = sheet.point(element.place)
        let size = TextSize.small
        // A small thing without a kind is labelled with its name alone.
        let isSized = element.kind != .unspecified || max(element.width, element.depth) >= 400
        // The mark between them keeps the size from being reversed after a name in a right-to-left
        // script.
        var texts = [name]
        if isSized, let measures {
            let sized = "\(name)\u{200E} \(measures)"
            let length = Drawing.Text(sized, at: middle, size: size).length
            if length <= Self.longestName { texts = [sized, name] }
        }
        let isSame = sameSide(as: element)
        var best: (cost: Int, text: Drawing.Text)?
        for text in texts {
            let shortened = Drawing.Text.shortened(text, to: Self.longestName, size: size)
            func label(at place: Drawing.Point, _ anchor: Drawing.Text.Anchor) -> Drawing.Text {
                Drawing.Text(shortened, at: place, size: size, anchor: anchor)
            }
            // Measure the text only once, then move it.
            let origin = Drawing.Point(0, 0)
            let (atStart, atMiddle, atEnd) = (
                label(at: origin, .start).box, label(at: origin, .middle).box,
                label(at: origin, .end).box
            )
            for away in [1.2, 3.5, 7] {
                let candidates: [(Drawing.Point, Drawing.Text.Anchor, Drawing.Box)] = [
                    (Drawing.Point(high.x + away, middle.y + 0.6), .start, atStart),
                    (Drawing.Point(low.x - away, middle.y + 0.6), .end, atEnd),
                    (Drawing.Point(middle.x, high.y - away), .middle, atMiddle),
                    (Drawing.Point(middle.x, low.y + away + 1.4), .middle, atMiddle),
                    (Drawing.Point(high.x + away, high.y - away), .start, atStart),
                    (Drawing.Point(low.x - away, low.y + away + 1), .end, atEnd),
                ]
                for (place, anchor, measured) in candidates {
                    let box = measured.moved(by: place)
                    guard let cost = taken.cost(of: box),
                        cost < (best?.cost ?? Int(box.width * box.height * 2)), isSame(box)
                    else { continue }
                    best = (cost, label(at: place, anchor))
                }
                if best?.cost == 0 { break }
            }
            if best != nil { break }
        }
        guard let label = best?.text else { return false }
        let box = label.box
        let from = Drawing.Point(
            min(max(middle.x, box.x), box.x + box.width),
            min(max(middle.y, box.y), box.y + box.height))
        let to = end(ofLineFrom: from, to: element)
        add(
            Drawing.Path([from, to], isClosed: false), Drawing.Pen(stroke: .grey, width: 0.12),
            to: .labels, item: element.id)
        var dot = Drawing.Path()
        dot.addEllipse(to, Vector(0.3, 0), Vector(0, 0.3))
        add(dot, Drawing.Pen(fill: .grey), to: .labels, item: element.id)
        add(label, to: .labels, item: element.id)
        return true
    }

    /// Names next to elements are cut at this length on paper.
    private static let longestName = 34.0

    /// The end of a line to an element: straight across or down if that meets the element,
    /// otherwise on the way to its middle, slightly inside its outline.
    private func end(ofLineFrom start: Drawing.Point, to element: Element) -> Drawing.Point {
        let outline = element.outline.corners.map(sheet.point)
        let (xs, ys) = (outline.map(\.x), outline.map(\.y))
        let straight = Drawing.Point(
            min(max(start.x, (xs.min() ?? 0) + 0.6), (xs.max() ?? 0) - 0.6),
            min(max(start.y, (ys.min() ?? 0) + 0.6), (ys.max() ?? 0) - 0.6))
        if Self.isInside(Drawing.Box(middle: straight, width: 0, height: 0), outline) {
            return straight
        }
        // Bisect between the outside and the middle.
        let middle = sheet.point(element.place)
        var (outer, inner) = (0.0, 1.0)
        while inner - outer > 0.01 {
            let share = (outer + inner) / 2
            let place = start + (middle - start) * share
            let box = Drawing.Box(middle: place, width: 0.6, height: 0.6)
            if Self.isInside(box, outline) { inner = share } else { outer = share }
        }
        return start + (middle - start) * inner
    }

    /// Whether a label is in the same room as its element, or both are outside of all rooms. Beyond
    /// a wall it would name something else.
    private func sameSide(as element: Element) -> (Drawing.Box) -> Bool {
        // Not the whole sketch, which would be copied at the next mark.
        let (rooms, index, sheet) = (self.rooms, roomIndex, self.sheet)
        func around(_ place: Vector) -> [Polygon] {
            var found: [Polygon] = []
            index.forEach(meeting: Bounds([place]).grown(by: 1)) { number in
                if rooms[number].contains(place) { found.append(rooms[number]) }
            }
            return found
        }
        let own = around(element.place)
        return { box in
            let place = sheet.place(box.middle)
            return own.isEmpty ? around(place).isEmpty : own.contains { $0.contains(place) }
        }
    }

    /// Writes a letter in place of a name that has no room.
    private mutating func key(_ element: Element, _ name: String) {
        let known = keys.first { $0.name == name }?.letter
        let letter = known ?? nextLetter
        let middle = sheet.point(element.place)
        let size = TextSize.small
        for down in [0.0, -1.5, 1.5, -3, 3] {
            for across in [0.0, -1.5, 1.5, -3, 3] {
                let label = Drawing.Text(
                    letter,
                    at: middle + Vector(across, down + size * Drawing.Text.capital / 2),
                    size: size, anchor: .middle, isBold: true, colour: .grey)
                guard taken.cost(of: label.box) != nil else { continue }
                add(label, to: .labels, item: element.id)
                if known == nil { keys.append((letter, name)) }
                return
            }
        }
    }
}

extension Element {
    /// The circle in which a wheelchair turns with the extra space that the person needs, as in a
    /// check, in millimetres.
    var turningCircle: (centre: Vector, diameter: Double) {
        let circle = TurningCircle(
            width: width, length: depth, build: wheelchair ?? Wheelchair())
        let rear = Vector(angle: turn).left
        return (place + rear * circle.offset, circle.diameter)
    }
}
