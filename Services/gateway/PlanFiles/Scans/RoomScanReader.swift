import FloorPlan
import Messages
import XMLText

/// Makes a plan from a scan: rooms where walls close, walls with a thickness outside them, and the
/// objects found in them.
struct RoomScanReader {
    private let scan: RoomScan
    private var draft: PlanDraft
    private let thickness: UInt32
    /// The tolerance of a scan, in millimetres: two centimetres per wall.
    private static let tolerance: UInt32 = 20
    /// The thickness of walls when none is given.
    static let standardThickness: UInt32 = 100
    /// How far above the floor something may be recorded that is on it, in millimetres: a few
    /// centimetres are within the scan's tolerance.
    private static let noise = 50.0
    /// How far apart the ends of two walls that meet in a corner may be, in millimetres.
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
            if wall.isCurved, wall.arc == nil {
                draft.warn(
                    .path(wall.path),
                    "is curved, but the file has no curve that fits the wall's "
                        + "ends; it became straight between them")
            }
            if wall.isSloped {
                draft.warn(.path(wall.path), "isn't a rectangle; its greatest height is taken")
            }
        }
        let bends = try self.bends()
        var walls: [Built] = []
        var rooms: [(Room, String)] = []
        for loop in loops() { build(loop, bends, &walls, &rooms) }
        if rooms.isEmpty, scan.floor.count >= 3 {
            rooms.append((named(scan.floor, height: 0), "floors[0]"))
        }
        if rooms.isEmpty { draft.warn("the walls don't close around a room; draw it by hand") }
        try add(walls)
        for (room, path) in rooms {
            try draft.add(PlanItem(item: .room(room)), at: .path(path))
        }
        for thing in scan.things { try add(thing) }
        return try draft.finished()
    }

    /// A sequence of walls, and whether each runs from its start to its end.
    private typealias Chain = [(index: Int, isForward: Bool)]

    /// Chains of walls whose ends meet: those that close, and each remaining wall separately.
    private func loops() -> [(chain: Chain, isClosed: Bool)] {
        var isFree = scan.walls.map { _ in true }
        let ends = scan.walls.map { [(point: $0.start, isForward: true), ($0.end, false)] }
        var found: [(Chain, Bool)] = []
        for first in scan.walls.indices where isFree[first] {
            isFree[first] = false
            var chain: Chain = [(first, true)]
            let start = scan.walls[first].start
            var end = scan.walls[first].end
            while !isClosed(chain, start, end) {
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
            if isClosed(chain, start, end) {
                found.append((chain, true))
            } else {
                found += chain.map { ([($0.index, true)], false) }
            }
        }
        return found
    }

    /// True if a chain returns to its beginning: two walls are enough if one is an arc.
    private func isClosed(_ chain: Chain, _ start: Vector, _ end: Vector) -> Bool {
        let hasArc = chain.contains { scan.walls[$0.index].arc != nil }
        return chain.count >= (hasArc ? 2 : 3) && end.distance(to: start) <= Self.gap
    }

    /// A wall of the plan, and the index of the surface that it comes from.
    private struct Built {
        var wall: Wall
        let surface: Int
    }

    /// The corners of each surface between its start and its end.
    private mutating func bends() throws(Refusal) -> [[Vector]] {
        var holes: [String: [RoomScan.Hole]] = [:]
        for hole in scan.holes where hole.wall != nil {
            holes[hole.wall ?? "", default: []].append(hole)
        }
        var bends: [[Vector]] = []
        var count = 0
        for surface in scan.walls {
            var corners = [surface.start, surface.end]
            if let arc = surface.arc {
                corners = arc.corners(
                    openings: (holes[surface.identifier] ?? []).map {
                        arc.angles(of: $0.width, at: $0.centre, inside: Double(thickness) / 2)
                    })
                draft.straighten(
                    arc, to: corners.count - 1, at: .path(surface.path), tolerance: Self.tolerance)
            }
            count += corners.count - 1
            try draft.validateCount(count, at: .path(surface.path))
            bends.append(Array(corners.dropFirst().dropLast()))
        }
        return bends
    }

    private mutating func build(
        _ loop: (chain: Chain, isClosed: Bool), _ bends: [[Vector]], _ walls: inout [Built],
        _ rooms: inout [(Room, String)]
    ) {
        func ends(_ link: (index: Int, isForward: Bool)) -> (Vector, Vector) {
            let wall = scan.walls[link.index]
            return link.isForward ? (wall.start, wall.end) : (wall.end, wall.start)
        }
        var raw: [Wall] = []
        var corners: [Vector] = []
        for (place, link) in loop.chain.enumerated() {
            let before = loop.chain[(place + loop.chain.count - 1) % loop.chain.count]
            let (start, end) = ends(link)
            let between = link.isForward ? bends[link.index] : bends[link.index].reversed()
            corners += [(ends(before).1 + start) * 0.5] + between
            let points = [start] + between + [end]
            raw += zip(points, points.dropFirst()).map { start, end in
                Wall(
                    id: "\(link.index)", start: PlanPoint(start), end: PlanPoint(end),
                    thickness: thickness, height: UInt32(scan.walls[link.index].height.rounded()))
            }
        }
        var built = raw
        if loop.isClosed, let room = MeasuredRoom(corners, walls: raw) {
            built = room.walls
            let isSloped = loop.chain.contains { scan.walls[$0.index].isSloped }
            let (least, most) = (raw.map(\.height).min() ?? 0, raw.map(\.height).max() ?? 0)
            // A ceiling that isn't level has no single height: the lowest wall shows only a part of
            // it.
            let isLevel = !isSloped && Double(most - least) <= Self.noise
            let found = named(room.outline.corners, height: isLevel ? least : 0)
            rooms.append((found, "walls"))
            if !isLevel {
                draft.warn(
                    .path("walls"),
                    "are up to \(most) mm high, but not all of them, so the height of "
                        + "\(found.name.isEmpty ? found.id : "“\(found.name)”") is unknown; "
                        + "measure it, and say it with steward plan change \(found.id) --height MM")
            }
        } else if loop.isClosed || thickness > 0 {
            draft.warn(
                .path(scan.walls[loop.chain[0].index].path),
                "closes no room; the surface that was scanned is its centre line")
        }
        for wall in built {
            let surface = Int(wall.id) ?? 0
            guard wall.start != wall.end else {
                draft.warn(.path(scan.walls[surface].path), "has no length and was left out")
                continue
            }
            walls.append(Built(wall: wall, surface: surface))
            walls[walls.count - 1].wall.id = draft.newID("wall")
        }
    }

    /// A room with the name of the part of the scan whose centre is in it.
    private mutating func named(_ corners: [Vector], height: UInt32) -> Room {
        let outline = Polygon(corners)
        let label = scan.sections.first { outline.contains($0.centre) }?.label ?? ""
        return Room(
            id: draft.newID("room"), name: label, use: ElementGuess.use(of: label),
            corners: corners.map { PlanPoint($0) }, height: height)
    }

    private mutating func add(_ walls: [Built]) throws(Refusal) {
        var dock = OpeningDock()
        let pieces = Dictionary(grouping: walls) { scan.walls[$0.surface].identifier }
        for hole in scan.holes {
            let place = FilePlace.path(hole.path)
            let name = hole.kind == .window ? "window" : hole.kind == .door ? "door" : "passage"
            let own = hole.wall.flatMap { pieces[$0] } ?? []
            guard
                let wall = nearest(hole.centre, own, within: .infinity)
                    ?? nearest(hole.centre, walls, within: Double(thickness) + 300)
            else {
                draft.warn(place, "is in no wall and was left out")
                continue
            }
            var opening = Opening(
                kind: hole.kind, width: UInt32(max(hole.width.rounded(), 1)),
                height: UInt32(hole.height.rounded()),
                sill: UInt32(min(max(hole.sill.rounded(), 0), Double(FloorPlan.largest))))
            if opening.isPassable, Double(opening.sill) <= Self.noise {
                // The opening begins at the floor, and a scan has no thresholds.
                (opening.sill, opening.thresholdUnknown) = (0, true)
            }
            if wall.height > 0, opening.sill + opening.height > wall.height {
                opening.sill = min(opening.sill, wall.height)
                opening.height = wall.height - opening.sill
                draft.warn(place, "is higher than its wall and was cut")
            }
            dock.dock(
                opening, named: name, centre: hole.centre, in: wall, at: place, &draft)
        }
        for built in walls {
            let path = scan.walls[built.surface].path
            try draft.add(PlanItem(item: .wall(built.wall)), at: .path(path))
            for (opening, place) in dock.openings(of: built.wall, &draft) {
                var opening = opening
                opening.id = draft.newID(opening.kind == .window ? "window" : "door")
                opening.hungUnknown = opening.kind == .door
                if opening.hungUnknown { draft.unhung.append(opening.id) }
                try draft.add(PlanItem(item: .opening(opening)), at: place)
            }
        }
    }

    /// The wall nearest to a place; nil if none is near enough.
    private func nearest(_ place: Vector, _ walls: [Built], within most: Double) -> Wall? {
        var best: (wall: Wall, distance: Double)?
        for built in walls {
            let distance = built.wall.line.distance(to: place)
            if distance < best?.distance ?? most { best = (built.wall, distance) }
        }
        return best?.wall
    }

    private mutating func add(_ thing: RoomScan.Thing) throws(Refusal) {
        var element = Element(label: thing.category)
        element.kind = Self.kinds[thing.category] ?? ElementGuess.kind(of: thing.category)
        element.centre = PlanPoint(thing.centre)
        element.width = UInt32(max(thing.width.rounded(), 1))
        element.depth = UInt32(max(thing.depth.rounded(), 1))
        element.height = UInt32(thing.height.rounded())
        let elevation = thing.elevation.rounded()
        element.elevation =
            elevation <= Self.noise ? 0 : UInt32(min(elevation, Double(FloorPlan.largest)))
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
