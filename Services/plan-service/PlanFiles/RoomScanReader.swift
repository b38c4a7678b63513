import FloorPlan
import Messages

/// Makes a plan of a scan: rooms where walls close, walls of a thickness outside of them, and what
/// the scan found in them.
struct RoomScanReader {
    private let scan: RoomScan
    private var draft: PlanDraft
    private let thickness: UInt32
    /// What a scan of this kind is off by, in millimetres: two centimetres a wall.
    private static let tolerance: UInt32 = 20
    /// The thickness of walls when none is given.
    static let standardThickness: UInt32 = 100
    /// How far the ends of two walls may be apart that meet in a corner, in millimetres.
    private static let gap = 50.0

    init(_ scan: RoomScan, _ draft: PlanDraft) {
        self.scan = scan
        self.draft = draft
        self.draft.details.tolerance = Self.tolerance
        thickness = draft.options.wallThickness ?? Self.standardThickness
    }

    mutating func plan() throws(Refusal) -> ImportedPlan {
        guard !scan.walls.isEmpty else {
            throw draft.refusal(.path("walls"), "has none", "scan the room again")
        }
        guard scan.walls.count + scan.holes.count + scan.things.count <= PlanFile.mostItems else {
            throw draft.refusal(
                .path("walls"), "has with the rest over \(PlanFile.mostItems) things",
                "split the scan")
        }
        for wall in scan.walls {
            if wall.isCurved {
                draft.warn(.path(wall.path), "is curved and became straight between its ends")
            }
            if wall.isSloped {
                draft.warn(.path(wall.path), "isn't a rectangle; its greatest height is taken")
            }
        }
        var walls: [String: (wall: Wall, path: String)] = [:]
        var order: [String] = []
        var rooms: [(Room, String)] = []
        for loop in loops() { try build(loop, &walls, &order, &rooms) }
        if rooms.isEmpty, scan.floor.count >= 3 {
            rooms.append((named(scan.floor, height: 0), "floors[0]"))
        }
        if rooms.isEmpty { draft.warn("the walls don't close around a room; draw it by hand") }
        try add(walls, order)
        for (room, path) in rooms {
            try draft.add(PlanItem(item: .room(room)), at: .path(path))
        }
        for thing in scan.things { try add(thing) }
        return try draft.finished()
    }

    /// Walls one after another, and whether each runs from its start to its end.
    private typealias Chain = [(index: Int, isForward: Bool)]

    /// Chains of walls whose ends meet: those that close, and each other wall by itself.
    private func loops() -> [(chain: Chain, isClosed: Bool)] {
        var isFree = scan.walls.map { _ in true }
        let ends = scan.walls.map { [(point: $0.start, isForward: true), ($0.end, false)] }
        var found: [(Chain, Bool)] = []
        for first in scan.walls.indices where isFree[first] {
            isFree[first] = false
            var chain: Chain = [(first, true)]
            let start = scan.walls[first].start
            var end = scan.walls[first].end
            while chain.count < 3 || end.distance(to: start) > Self.gap {
                var best: (index: Int, isForward: Bool, distance: Double)?
                for index in ends.indices where isFree[index] {
                    for (point, isForward) in ends[index] {
                        let distance = point.distance(to: end)
                        guard distance <= Self.gap, distance < best?.distance ?? .infinity else {
                            continue
                        }
                        best = (index, isForward, distance)
                    }
                }
                guard let best else { break }
                isFree[best.index] = false
                chain.append((best.index, best.isForward))
                let wall = scan.walls[best.index]
                end = best.isForward ? wall.end : wall.start
            }
            let isClosed = chain.count >= 3 && end.distance(to: start) <= Self.gap
            if isClosed {
                found.append((chain, true))
            } else {
                found += chain.map { ([($0.index, true)], false) }
            }
        }
        return found
    }

    private mutating func build(
        _ loop: (chain: Chain, isClosed: Bool),
        _ walls: inout [String: (wall: Wall, path: String)], _ order: inout [String],
        _ rooms: inout [(Room, String)]
    ) throws(Refusal) {
        func ends(_ link: (index: Int, isForward: Bool)) -> (Vector, Vector) {
            let wall = scan.walls[link.index]
            return link.isForward ? (wall.start, wall.end) : (wall.end, wall.start)
        }
        var raw: [Wall] = []
        for link in loop.chain {
            let surface = scan.walls[link.index]
            raw.append(
                Wall(
                    id: "\(link.index)", start: PlanPoint(surface.start),
                    end: PlanPoint(surface.end), thickness: thickness,
                    height: UInt32(surface.height.rounded())))
        }
        var built = raw
        let corners = loop.chain.indices.map { place -> Vector in
            let before = loop.chain[(place + loop.chain.count - 1) % loop.chain.count]
            return (ends(before).1 + ends(loop.chain[place]).0) * 0.5
        }
        if loop.isClosed, let room = MeasuredRoom(corners, walls: raw) {
            built = room.walls
            let height = raw.map(\.height).max() ?? 0
            rooms.append((named(room.outline.corners, height: height), "walls"))
        } else if loop.isClosed || thickness > 0 {
            draft.warn(
                .path(scan.walls[loop.chain[0].index].path),
                "closes no room; the surface that was scanned is its centre line")
        }
        for wall in built {
            let path = scan.walls[Int(wall.id) ?? 0].path
            guard wall.start != wall.end else {
                draft.warn(.path(path), "has no length and was left out")
                continue
            }
            var named = wall
            named.id = draft.newID("wall")
            let identifier = scan.walls[Int(wall.id) ?? 0].identifier
            let key = walls[identifier] == nil && !identifier.isEmpty ? identifier : named.id
            walls[key] = (named, path)
            order.append(key)
        }
    }

    /// A room with the name of the part of the scan whose middle is in it.
    private mutating func named(_ corners: [Vector], height: UInt32) -> Room {
        let outline = Polygon(corners)
        let label = scan.sections.first { outline.contains($0.centre) }?.label ?? ""
        return Room(
            id: draft.newID("room"), name: label, use: ElementGuess.use(of: label),
            corners: corners.map { PlanPoint($0) }, height: height)
    }

    private mutating func add(
        _ walls: [String: (wall: Wall, path: String)], _ order: [String]
    ) throws(Refusal) {
        var dock = OpeningDock()
        let built = order.compactMap { walls[$0] }
        for hole in scan.holes {
            let place = FilePlace.path(hole.path)
            let name = hole.kind == .window ? "window" : hole.kind == .door ? "door" : "passage"
            guard let wall = hole.wall.flatMap({ walls[$0] }) ?? nearest(hole.centre, built) else {
                draft.warn(place, "is in no wall and was left out")
                continue
            }
            var opening = Opening(
                kind: hole.kind, width: UInt32(max(hole.width.rounded(), 1)),
                height: UInt32(hole.height.rounded()),
                sill: UInt32(min(max(hole.sill.rounded(), 0), Double(FloorPlan.largest))))
            // What one walks through begins at the floor, whatever a scan sees of its foot.
            if hole.kind != .window { opening.sill = 0 }
            if wall.wall.height > 0, opening.sill + opening.height > wall.wall.height {
                opening.sill = min(opening.sill, wall.wall.height)
                opening.height = wall.wall.height - opening.sill
                draft.warn(place, "is higher than its wall and was cut")
            }
            opening.label = ""
            dock.dock(
                opening, named: name, centre: hole.centre, in: wall.wall, at: place, &draft)
        }
        for (wall, path) in built {
            try draft.add(PlanItem(item: .wall(wall)), at: .path(path))
            for (opening, place) in dock.openings(of: wall, &draft) {
                var opening = opening
                opening.id = draft.newID(opening.kind == .window ? "window" : "door")
                try draft.add(PlanItem(item: .opening(opening)), at: place)
            }
        }
    }

    /// The wall that a place is in or next to; nil when it is in none.
    private func nearest(
        _ place: Vector, _ walls: [(wall: Wall, path: String)]
    ) -> (wall: Wall, path: String)? {
        var best: (number: Int, distance: Double)?
        for (number, entry) in walls.enumerated() {
            let distance = entry.wall.line.distance(to: place)
            if distance < best?.distance ?? Double(thickness) + 300 { best = (number, distance) }
        }
        return best.map { walls[$0.number] }
    }

    private mutating func add(_ thing: RoomScan.Thing) throws(Refusal) {
        var element = Element(label: thing.category)
        element.kind = Self.kinds[thing.category] ?? ElementGuess.kind(of: thing.category)
        element.centre = PlanPoint(thing.centre)
        element.width = UInt32(max(thing.width.rounded(), 1))
        element.depth = UInt32(max(thing.depth.rounded(), 1))
        element.height = UInt32(thing.height.rounded())
        // A few centimetres are what the scan is off by.
        let elevation = thing.elevation.rounded()
        element.elevation =
            elevation <= 50 ? 0 : UInt32(min(elevation, Double(FloorPlan.largest)))
        element.angle = .angle(thousandths: thing.angle * 1_000)
        element.id = draft.newID(
            element.kind == .unspecified ? "element" : element.kind.description)
        try draft.add(PlanItem(item: .element(element)), at: .path(thing.path))
    }

    /// RoomPlan's `CapturedRoom.Object.Category`.
    private static let kinds: [String: ElementKind] = [
        "bed": .bed, "toilet": .toilet, "sink": .washbasin, "bathtub": .bath,
        "stove": .appliance, "oven": .appliance, "refrigerator": .appliance,
        "dishwasher": .appliance, "washerDryer": .appliance, "storage": .cupboard,
        "table": .table, "chair": .seat, "sofa": .seat, "fireplace": .structure,
        "stairs": .stairs,
    ]
}
