import FloorPlan
import Messages
import XMLText

/// Reads a home of Sweet Home 3D: its walls, doors and windows, rooms and furniture of one storey.
///
/// A home uses centimetres, with y to the south and angles clockwise in radians. The width of a
/// door includes its frame; handles or an open leaf make a door deeper than its wall, so its centre
/// isn't the wall's.
struct HomeReader {
    private var draft: PlanDraft
    /// The height of walls without one of their own; 0 if the home doesn't say.
    private let wallHeight: UInt32
    private var levels: [(id: String, name: String)] = []
    private var walls: [(wall: HomeWall, level: String?)] = []
    private var rooms: [(room: Room, level: String?, place: FilePlace)] = []
    private var elements: [(element: Element, level: String?, place: FilePlace)] = []
    private var openings: [HomeOpening] = []
    private var invisible = 0
    private var others: [String: Int] = [:]

    /// The maximum number of items on all storeys together.
    private static let mostThings = 4 * PlanFile.mostItems
    /// Drawings in a home that are not items of a plan.
    private static let drawings = [
        "dimensionLine": "dimension line", "label": "label", "polyline": "line",
    ]

    init(_ root: XMLNode, _ draft: PlanDraft) throws(Refusal) {
        self.draft = draft
        let values = HomeAttributes(node: root, file: draft.file)
        wallHeight = try values.size("wallHeight")
        if let name = root["name"], !name.isEmpty {
            self.draft.details.name = PlanFile.name(of: name)
        }
    }

    mutating func take(_ child: XMLNode) throws(Refusal) {
        try validateCount(at: child.place)
        switch child.name {
        case "level":
            let values = HomeAttributes(node: child, file: draft.file)
            guard levels.count < 100 else {
                throw draft.refusal(child.place, "is one storey too many", "give at most 100")
            }
            levels.append((try values.text("id"), try values.text("name")))
        case "wall": try readWall(child)
        case "room": try readRoom(child)
        default:
            if let word = Self.drawings[child.name] { others[word, default: 0] += 1 }
            try readPiece(child, level: nil)
        }
    }

    /// Refuses more things than a home may have. A group has any number of them.
    private func validateCount(at place: FilePlace) throws(Refusal) {
        let count = walls.count + rooms.count + elements.count + openings.count
        guard count < Self.mostThings else {
            throw draft.refusal(
                place, "is one thing too many for a home", "split it into several homes")
        }
    }

    private mutating func readWall(_ node: XMLNode) throws(Refusal) {
        let values = HomeAttributes(node: node, file: draft.file)
        let height = try values.size("height", wallHeight)
        let atEnd = try values.size("heightAtEnd", height)
        let wall = HomeWall(
            start: try values.point("xStart", "yStart"), end: try values.point("xEnd", "yEnd"),
            extent: try values.angle("arcExtent"), thickness: try values.size("thickness", 75),
            height: max(height, atEnd), lowest: min(height, atEnd), place: node.place)
        walls.append((wall, node["level"]))
    }

    private mutating func readRoom(_ node: XMLNode) throws(Refusal) {
        let values = HomeAttributes(node: node, file: draft.file)
        var room = Room(id: draft.newID("room"), name: try values.text("name"))
        room.use = ElementGuess.use(of: room.name)
        for point in node.children where point.name == "point" {
            let corner = PlanPoint(
                try HomeAttributes(node: point, file: draft.file).point())
            if room.corners.last != corner { room.corners.append(corner) }
        }
        if room.corners.count > 1, room.corners.first == room.corners.last {
            room.corners.removeLast()
        }
        rooms.append((room, node["level"], node.place))
    }

    /// A piece of furniture, a door, or a group of them.
    private mutating func readPiece(_ node: XMLNode, level: String?) throws(Refusal) {
        let isGroup = node.name == "furnitureGroup"
        guard isGroup || Self.pieces.contains(node.name) else { return }
        guard node["visible"] != "false" else {
            invisible += 1
            return
        }
        let level = node["level"] ?? level
        if isGroup {
            for child in node.children { try readPiece(child, level: level) }
            return
        }
        try validateCount(at: node.place)
        let values = HomeAttributes(node: node, file: draft.file)
        guard node.name != "doorOrWindow" else {
            openings.append(try HomeOpening(values, id: "", level: level))
            return
        }
        var element = Element(label: try values.text("name"))
        element.kind = ElementGuess.kind(of: node["catalogId"] ?? "", element.label)
        element.centre = PlanPoint(try values.point())
        // A piece that lies on its side also states its size seen from above.
        element.width = try values.extent(node["widthInPlan"] == nil ? "width" : "widthInPlan")
        element.depth = try values.extent(node["depthInPlan"] == nil ? "depth" : "depthInPlan")
        element.height = try values.size(node["heightInPlan"] == nil ? "height" : "heightInPlan")
        element.elevation = try values.size("elevation")
        element.angle = .angle(thousandths: try values.angle() * 180_000 / .pi)
        element.id = draft.newID(
            element.kind == .unspecified ? "element" : element.kind.description)
        if element.kind == .shower, element.isSolid {
            draft.warn(
                node.place,
                "“\(element.label)” is \(element.height) mm high, so it is in the way; if its "
                    + "floor can be driven over, say so with steward plan change "
                    + "\(element.id) --height 0")
        }
        elements.append((element, level, node.place))
    }

    private static let pieces: Set<String> = [
        "pieceOfFurniture", "doorOrWindow", "light", "shelfUnit",
    ]

    func finished() throws(Refusal) -> ImportedPlan {
        let level = try chosenLevel()
        func isHere(_ other: String?) -> Bool { level == nil || other == nil || other == level }
        var draft = draft
        let openings = openings.filter { isHere($0.level) }
        // Each opening is compared with each wall.
        let count =
            openings.count + walls.count { isHere($0.level) } + rooms.count { isHere($0.level) }
            + elements.count { isHere($0.level) }
        guard count <= PlanFile.mostItems else {
            throw .invalid(
                "\(draft.file): the storey has \(count) things, and a plan has at most "
                    + "\(PlanFile.mostItems); split it into several homes")
        }
        var built = try straight(
            walls.filter { isHere($0.level) }.map(\.wall), for: openings, &draft)
        let (floors, fillings) = mended(rooms.filter { isHere($0.level) }, &draft)
        let gaps = HomeGaps(built.map(\.wall), rooms: floors.map(\.room.polygon))
            .walls { draft.newID("wall") }
        // A gap has no height.
        let heights = HomeHeights(built.map { ($0.wall, $0.isSloped) })
        for gap in gaps { built.append((gap, .path(""), 0, false)) }
        let docking = DockingWalls(built.map(\.wall), bulges: built.map(\.bulge))
        var dock = OpeningDock()
        var filled: Set<String> = []
        for opening in openings { put(opening, into: docking, &dock, &draft) }
        for (wall, place, _, _) in built {
            try draft.add(PlanItem(item: .wall(wall)), at: place)
            for (opening, place) in dock.openings(of: wall, &draft) {
                var opening = opening
                opening.id = draft.newID(opening.kind == .window ? "window" : "door")
                if opening.hungUnknown { draft.unhung.append(opening.id) }
                try draft.add(PlanItem(item: .opening(opening)), at: place)
                filled.insert(wall.id)
            }
        }
        for gap in gaps where !filled.contains(gap.id) {
            let width = UInt32(gap.length.rounded(.down))
            let passage = Opening(
                id: draft.newID("door"), wall: gap.id, kind: .passage, width: width,
                thresholdUnknown: true)
            try draft.add(PlanItem(item: .opening(passage)), at: .path(""))
            draft.warn("a gap of \(width) mm between walls became a passage")
        }
        for (room, place) in measured(floors, heights, &draft) {
            try draft.add(PlanItem(item: .room(room)), at: place)
        }
        for (filling, place) in fillings {
            try draft.add(PlanItem(item: .element(filling)), at: place)
        }
        for (element, level, place) in elements where isHere(level) {
            try draft.add(PlanItem(item: .element(element)), at: place)
        }
        if invisible > 0 {
            let pieces = invisible == 1 ? "piece was" : "pieces were"
            draft.warn("\(invisible) invisible \(pieces) left out")
        }
        for (word, count) in others.sorted(by: { $0.key < $1.key }) {
            let words = count == 1 ? "\(word) was" : "\(word)s were"
            draft.warn("\(count) \(words) left out; a plan has none of its own")
        }
        return try draft.finished()
    }

    /// The maximum number of outlines that are mended.
    private static let mostMended = 200

    /// The rooms with simple outlines, and what fills the holes in them.
    private func mended(
        _ rooms: [(room: Room, level: String?, place: FilePlace)], _ draft: inout PlanDraft
    ) -> (rooms: [(room: Room, place: FilePlace)], fillings: [(Element, FilePlace)]) {
        var found: [(room: Room, place: FilePlace)] = []
        var fillings: [(Element, FilePlace)] = []
        var tried = 0
        for (room, _, place) in rooms {
            guard let reason = room.whyNot else {
                found.append((room, place))
                continue
            }
            tried += 1
            guard tried <= Self.mostMended, let repair = OutlineRepair(room.corners) else {
                draft.warn(
                    place,
                    "“\(room.name)” \(reason) and was left out: no way leads through it to other "
                        + "rooms")
                continue
            }
            for (number, corners) in repair.rooms.enumerated() {
                var part = room
                part.corners = corners
                if number > 0 {
                    part.id = draft.newID("room")
                    part.name += " \(number + 1)"
                }
                found.append((part, place))
            }
            for hole in repair.holes {
                fillings.append(
                    (
                        Element(
                            fillingHole: hole, id: draft.newID("structure"), height: room.height),
                        place
                    ))
            }
            let parts = repair.rooms.count > 1 ? "; it became \(repair.rooms.count) rooms" : ""
            let holes = repair.holes.isEmpty ? "" : "; a hole in it is filled"
            draft.warn(place, "“\(room.name)” \(reason) and was mended\(parts)\(holes)")
        }
        return (found, fillings)
    }

    /// The rooms with the heights that follow from their walls, and a warning about the others.
    private func measured(
        _ rooms: [(room: Room, place: FilePlace)], _ heights: HomeHeights,
        _ draft: inout PlanDraft
    ) -> [(room: Room, place: FilePlace)] {
        var heights = heights
        var unknown: [Room] = []
        let measured = rooms.map { room, place in
            var room = room
            room.height = heights.height(of: room)
            if room.height == 0 { unknown.append(room) }
            return (room: room, place: place)
        }
        if let first = unknown.first {
            let names = unknown.map { $0.name.isEmpty ? $0.id : "“\($0.name)”" }
            draft.warn(
                "the walls don't say how high it is in \(PlanDraft.list(names)), or slope, or "
                    + "differ; measure it, and say it with steward plan change \(first.id) "
                    + "--height MM")
        }
        return measured
    }

    private func chosenLevel() throws(Refusal) -> String? {
        let names = levels.map { "“\($0.name.isEmpty ? $0.id : $0.name)”" }.joined(separator: ", ")
        guard let wanted = draft.options.level else {
            guard levels.count < 2 else {
                throw .invalid(
                    "\(draft.file): the home has \(levels.count) storeys, and a plan is one; say "
                        + "one with --level: \(names)")
            }
            return nil
        }
        guard let level = levels.first(where: { $0.name == wanted || $0.id == wanted }) else {
            throw .invalid(
                "\(draft.file): the home has no storey “\(wanted.shown())”; "
                    + (levels.isEmpty ? "it has only one, so name none" : "it has: \(names)"))
        }
        return level.id
    }

    /// A straight wall, and its greatest distance from the centre line of the file's.
    private typealias Built = (wall: Wall, place: FilePlace, bulge: Double, isSloped: Bool)

    /// Straight walls for those of the file, each with its greatest distance from the wall's centre
    /// line.
    private func straight(
        _ walls: [HomeWall], for openings: [HomeOpening], _ draft: inout PlanDraft
    ) throws(Refusal) -> [Built] {
        var built: [Built] = []
        for wall in walls {
            if wall.isSloped {
                draft.warn(
                    wall.place,
                    "slopes from \(wall.lowest) to \(wall.height) mm; its greatest height is taken")
            }
            let arc = wall.arc
            let holes = arc.map { arc in
                openings.filter {
                    arc.distance(to: $0.centre) <= Double(wall.thickness) / 2 + Self.aside
                }.map {
                    arc.angles(of: Double($0.opening.width), at: $0.centre, inside: 0)
                }
            }
            let corners = (arc?.corners(openings: holes ?? []) ?? [wall.start, wall.end])
                .map { PlanPoint($0) }
            try draft.validateCount(built.count + corners.count - 1, at: wall.place)
            if let arc, corners.count > 2 {
                draft.straighten(arc, to: corners.count - 1, at: wall.place)
            }
            for (start, end) in zip(corners, corners.dropFirst()) {
                guard start != end else {
                    draft.warn(wall.place, "has no length and was left out")
                    continue
                }
                let straight = Wall(
                    id: draft.newID("wall"), start: start, end: end, thickness: wall.thickness,
                    height: wall.height)
                built.append(
                    (
                        straight, wall.place, arc?.sagitta(of: straight.length) ?? 0,
                        wall.isSloped
                    ))
            }
        }
        return built
    }

    /// How far a door's centre may be outside the wall that it is put into, in millimetres.
    private static let aside = 20.0

    /// Walls, with the properties that every door is compared with.
    private struct DockingWalls {
        let walls: [Wall]
        let lines: [(line: Segment, along: Vector, reach: Double)]

        init(_ walls: [Wall], bulges: [Double]) {
            self.walls = walls
            lines = zip(walls, bulges).map { wall, bulge in
                let reach = Double(wall.thickness) / 2 + HomeReader.aside + bulge
                return (wall.line, wall.line.along.unit, reach)
            }
        }
    }

    /// Puts an opening into the nearest wall with the same direction, within 15 degrees.
    private func put(
        _ opening: HomeOpening, into walls: DockingWalls, _ dock: inout OpeningDock,
        _ draft: inout PlanDraft
    ) {
        var best: (number: Int, distance: Double)?
        for (number, wall) in walls.lines.enumerated() {
            guard abs(wall.along.cross(opening.across)) < 0.26 else { continue }
            let distance = wall.line.distance(to: opening.centre)
            guard distance <= wall.reach, distance < best?.distance ?? .infinity else { continue }
            best = (number, distance)
        }
        guard let best = best.map({ walls.walls[$0.number] }) else {
            return draft.warn(
                opening.place, "“\(opening.opening.label)” stands in no wall and was left out")
        }
        if opening.leaves > 1 {
            draft.warn(
                opening.place,
                "“\(opening.opening.label)” has \(opening.leaves) leaves, and only the widest "
                    + "counts; if all are opened, measure the clear width, and say it with steward "
                    + "plan change ID --clear MM")
        }
        var docked = opening.docked(in: best)
        let top = docked.sill + docked.height
        if best.height > 0, top > best.height {
            draft.warn(
                opening.place,
                "“\(docked.label)” is \(top - best.height) mm higher than its "
                    + "wall and was cut")
            docked.sill = min(docked.sill, best.height)
            docked.height = best.height - docked.sill
        }
        dock.dock(
            docked, named: docked.label, centre: opening.centre, in: best, at: opening.place,
            &draft)
    }
}

extension Room {
    /// Why its outline isn't valid; nil if it is, or if it is so long that the plan refuses it.
    var whyNot: String? {
        guard corners.count <= 200 else { return nil }
        if corners.count < 3 || polygon.area < 10_000 { return "is smaller than 0.01 m²" }
        return polygon.crossesItself ? "has an outline that crosses itself" : nil
    }
}
