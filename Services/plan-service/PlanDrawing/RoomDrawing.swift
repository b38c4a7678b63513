import FloorPlan
import Foundation
import Messages
import Papers

/// Rooms, their names, and where a chair can go.
extension Sketch {
    mutating func drawRooms(reach: PlanReach?) {
        var verdicts: [String: RoomReach] = [:]
        for room in reach?.rooms ?? [] { verdicts[room.room] = room }
        for room in plan.rooms.values.sorted(by: {
            ($1.polygon.area, $0.id) < ($0.polygon.area, $1.id)
        })
        where !WorkLimit.isOver {
            let path = sheet.path(room.corners.map(\.vector), isClosed: true)
            let line = Drawing.Pen(
                stroke: Colour(red: 0.55, green: 0.55, blue: 0.55), width: 0.1, fill: .white)
            add(path, line, to: .rooms, item: room.id)
            guard let found = verdicts[room.id] else { continue }
            let sign: Sign
            switch found.reached {
            case .pass:
                sign = .reached
                add(path, Self.reachedPen, to: .rooms, item: room.id)
            case .fail:
                sign = .notReached
                hatch(room, .red, [.pi / 4, -.pi / 4], 2.6)
            case .uncertain, .unknown, .unspecified, .unrecognized:
                sign = .perhapsReached
                hatch(room, .orange, [.pi / 4], 3.2)
            }
            if sheet.shows(room.polygon) { signs.insert(sign) }
        }
    }

    static let reachedPen = Drawing.Pen(
        fill: Colour(red: 0.1, green: 0.6, blue: 0.3), opacity: 0.16)

    private mutating func hatch(_ room: Room, _ colour: Colour, _ angles: [Double], _ gap: Double) {
        guard sees(room.polygon.bounds) else { return }
        for angle in angles {
            let path = sheet.hatching(room.corners.map(\.vector), angle: angle, spacing: gap)
            add(path, Drawing.Pen(stroke: colour, width: 0.14), to: .rooms, item: room.id)
        }
    }

    mutating func labelRooms() {
        for room in plan.rooms.values.sorted(by: {
            ($0.polygon.area, $0.id) < ($1.polygon.area, $1.id)
        })
        where sees(room.polygon.bounds) && !WorkLimit.isOver {
            label(room)
        }
    }

    /// The name of a room in the drawing.
    func name(of room: Room) -> String {
        let name = room.name.written
        return name.isEmpty ? words.name(of: room.use) : name
    }

    /// Writes name and area where they hide least, smaller or shorter if there is no room.
    private mutating func label(_ room: Room) {
        let name = name(of: room)
        let area = words.area(room.squareMetres)
        let sizes = [(TextSize.room, TextSize.area), (2.4, 2.1), (TextSize.small, TextSize.small)]
        func texts(_ names: [String], _ size: Double, _ small: Double) -> [Drawing.Text] {
            (names + [area]).enumerated().map { index, line in
                let isName = index < names.count
                return Drawing.Text(
                    line, at: Drawing.Point(0, 0), size: isName ? size : small, anchor: .middle,
                    isBold: isName)
            }
        }
        for (size, small) in sizes {
            let whole = [[name], Self.halves(name)].filter { !$0.isEmpty }
                .map { texts($0, size, small) }
            let spots = whole.map { spot(for: $0, in: room) }
            let costs = spots.map { $0?.cost ?? .infinity }
            if let best = costs.indices.min(by: { costs[$0] < costs[$1] }), let spot = spots[best] {
                return write(whole[best], about: spot.middle, in: room)
            }
        }
        for length in [48.0, 32, 16] {
            for (size, small) in sizes {
                let short = Drawing.Text.shortened(name, to: length, size: size, isBold: true)
                if place(texts([short], size, small), in: room) { return }
            }
        }
        func alone(_ words: String) -> [Drawing.Text] {
            [
                Drawing.Text(
                    words, at: Drawing.Point(0, 0), size: TextSize.small, anchor: .middle,
                    isBold: true)
            ]
        }
        let short = Drawing.Text.shortened(name, to: 12, size: TextSize.small, isBold: true)
        if place(alone(short), in: room) { return }
        let letter = nextLetter
        if place(alone(letter), in: room) { keys.append((letter, "\(name) \(area)")) }
    }

    /// A long name in two lines of about the same length; none if it is short or a single word.
    private static func halves(_ name: String) -> [String] {
        let words = name.split(separator: " ")
        guard name.count > 12, words.count > 1 else { return [] }
        let pairs = (1..<words.count).map { count in
            [words.prefix(count), words.dropFirst(count)].map { $0.joined(separator: " ") }
        }
        return pairs.min { a, b in
            max(a[0].count, a[1].count) < max(b[0].count, b[1].count)
        } ?? []
    }

    private mutating func place(_ texts: [Drawing.Text], in room: Room) -> Bool {
        guard let spot = spot(for: texts, in: room) else { return false }
        write(texts, about: spot.middle, in: room)
        return true
    }

    /// The place where lines of text fit into a room and hide least, near its middle.
    private func spot(
        for texts: [Drawing.Text], in room: Room
    ) -> (cost: Double, middle: Drawing.Point)? {
        let polygon = room.polygon
        let bounds = polygon.bounds
        let height = texts.reduce(0) { $0 + $1.size * 1.25 }
        let width = (texts.map(\.length).max() ?? 0) + 1
        let (low, high) = (sheet.point(bounds.low), sheet.point(bounds.high))
        let window = sheet.window
        let left = max(low.x, window.x) + width / 2
        let right = min(high.x, window.x + window.width) - width / 2
        let top = max(high.y, window.y) + height / 2
        let bottom = min(low.y, window.y + window.height) - height / 2
        guard left <= right, top <= bottom else { return nil }
        let step = max(1.5, ((right - left) * (bottom - top) / 500).squareRoot())
        let centre = Drawing.Point((left + right) / 2, (top + bottom) / 2)
        var best: (cost: Double, middle: Drawing.Point)?
        // Outwards from the middle, so that the middle itself is tried.
        let (columns, rows) = (Int((right - left) / 2 / step), Int((bottom - top) / 2 / step))
        for column in -columns...columns where !WorkLimit.isOver {
            for row in -rows...rows {
                let (across, down) = (Double(column) * step, Double(row) * step)
                let away = hypot(across, down) * 0.6
                guard away < best?.cost ?? .infinity else { continue }
                let middle = Drawing.Point(centre.x + across, centre.y + down)
                let box = Drawing.Box(middle: middle, width: width, height: height)
                guard let cost = taken.cost(of: box), isInside(box, polygon) else { continue }
                let total = Double(cost) + away
                if total < best?.cost ?? .infinity { best = (total, middle) }
            }
        }
        return best
    }

    /// Writes lines of text one below the other.
    private mutating func write(
        _ texts: [Drawing.Text], about middle: Drawing.Point, in room: Room
    ) {
        var y = middle.y - texts.reduce(0) { $0 + $1.size * 1.25 } / 2
        for var text in texts {
            text.place = Drawing.Point(middle.x, y + text.size)
            y += text.size * 1.25
            add(text, to: .labels, item: room.id)
        }
    }

    private func isInside(_ box: Drawing.Box, _ polygon: Polygon) -> Bool {
        box.allCorners { polygon.contains(sheet.place($0)) }
            && polygon.contains(sheet.place(box.middle))
    }

    mutating func drawRoute(_ reach: PlanReach) {
        let places = reach.route.compactMap { $0.at?.vector }
        guard places.count > 1 else { return }
        var isSeen = zip(places, places.dropFirst()).contains { sheet.shows(Segment($0, $1)) }
        let colour = Self.routeColour
        add(sheet.path(places), Drawing.Pen(stroke: colour, width: 0.5), to: .route)
        var last: Vector?
        for (index, pose) in reach.route.enumerated() {
            guard let place = pose.at?.vector else { continue }
            let isEnd = index == 0 || index == reach.route.count - 1
            if let last, !isEnd, place.distance(to: last) < 900 { continue }
            last = place
            // The chair faces its heading, along which its length lies.
            let angle = Double(pose.heading) / 180_000 * .pi
            let outline = ConvexPolygon(
                centre: place, width: Double(reach.length), depth: Double(reach.width),
                angle: angle)
            isSeen = isSeen || sheet.shows(outline.polygon)
            add(
                sheet.path(outline.corners, isClosed: true),
                Drawing.Pen(
                    stroke: colour, width: 0.18, dash: isEnd ? [] : [0.9, 0.6], fill: colour,
                    opacity: isEnd ? 0.18 : 0.05), to: .route)
            let ahead = Vector(angle: angle)
            let tip = place + ahead * (1.3 * sheet.scale)
            let wide = ahead.left * (0.8 * sheet.scale)
            let base = place - ahead * (0.6 * sheet.scale)
            add(
                sheet.path([tip, base + wide, base - wide], isClosed: true),
                Drawing.Pen(fill: colour), to: .route)
        }
        if isSeen { signs.insert(.route) }
        for (from, to) in zip(places, places.dropFirst()) {
            taken.take(from: sheet.point(from), to: sheet.point(to), Occupancy.Cost.line)
        }
    }

    static let routeColour = Colour(red: 0.05, green: 0.25, blue: 0.75)
}
