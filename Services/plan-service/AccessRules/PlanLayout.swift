import FloorPlan
import Messages

/// A plan with an index of its items by place, updated with each change.
struct PlanLayout: Sendable {
    private(set) var plan: FloorPlan
    /// Which of all that is guessed is supposed here: that it leaves most room, or least; nil for
    /// what is drawn.
    private let supposed: GuessedSize?
    private var rooms = Places()
    private var elements = Places()
    private var openings = Places()
    private var walls = Places()

    init(_ plan: FloorPlan, supposing supposed: GuessedSize? = nil) {
        self.plan = supposed.map { plan.sized($0) } ?? plan
        self.supposed = supposed
        for item in self.plan.items { index(item) }
    }

    /// Applies a change.
    mutating func apply(_ change: ItemChange) {
        if let before = change.before { forget(before) }
        plan.apply(change)
        if let after = change.after { index(after) }
    }

    /// The bounds of an item and its reach, such as the floor that a door sweeps; nil for an item
    /// without a place.
    func bounds(of item: PlanItem) -> Bounds? {
        switch item.item {
        case .wall(let wall): return wall.rectangle.bounds
        case .room(let room): return room.polygon.bounds
        case .element(let element): return element.outline.bounds
        case .opening(let opening):
            guard let wall = plan.walls[opening.wall] else { return nil }
            let hole = wall.hole(opening).bounds
            guard !opening.isUnhung else { return hole.grown(by: Double(opening.width)) }
            return wall.swing(of: opening).map { hole.union($0.bounds) } ?? hole
        case nil: return nil
        }
    }

    private mutating func index(_ item: PlanItem) {
        guard let bounds = bounds(of: item) else { return }
        switch item.item {
        case .wall(let wall):
            walls.put(wall.id, bounds)
            for opening in plan.openings(in: wall.id) {
                index(PlanItem(item: .opening(opening)))
            }
        case .room: rooms.put(item.id, bounds)
        case .element: elements.put(item.id, bounds)
        case .opening: openings.put(item.id, bounds)
        case nil: break
        }
    }

    private mutating func forget(_ item: PlanItem) {
        switch item.item {
        case .wall: walls.remove(item.id)
        case .room: rooms.remove(item.id)
        case .element: elements.remove(item.id)
        case .opening: openings.remove(item.id)
        case nil: break
        }
    }

    /// The ids of the rooms whose bounds meet these, sorted.
    func rooms(meeting place: Bounds) -> [String] { rooms.meeting(place) }

    /// The ids of the doors and windows whose bounds meet these, sorted.
    func openings(meeting place: Bounds) -> [String] { openings.meeting(place) }

    /// The ids of the elements whose bounds meet these, sorted.
    func elements(meeting place: Bounds) -> [String] { elements.meeting(place) }

    /// The ids of the walls whose bounds meet these, sorted.
    func walls(meeting place: Bounds) -> [String] { walls.meeting(place) }

    /// The room that contains a place; the first by id if there are several.
    func room(at place: Vector) -> Room? {
        rooms.meeting(Bounds([place])).lazy.compactMap { plan.rooms[$0] }
            .first { $0.polygon.contains(place) }
    }

    /// True if no part of an element is in a room.
    func isOutside(_ element: Element) -> Bool {
        // The bounds of a room may include what it leads around.
        !rooms.meeting(element.outline.bounds).compactMap { plan.rooms[$0] }
            .contains { element.reaches(into: $0.polygon) }
    }

    /// The doors and windows of a room, by id.
    func doorways(of room: Room) -> [Doorway] {
        // A room's outline is at the surface of a wall, or slightly away from it.
        openings.meeting(room.polygon.bounds.grown(by: 200)).compactMap { doorway($0) }
            .filter { $0.rooms.left == room.id || $0.rooms.right == room.id }
    }

    /// What keeps a door from opening fully, in the order in which the door meets it.
    func stops(of doorway: Doorway) -> [DoorStop] {
        guard let leaf = DoorLeaf(of: doorway.opening, in: doorway.wall) else { return [] }
        let swept = leaf.swept.bounds
        let around = swept.grown(by: LeafFloor.around)
        let floor = LeafFloor(
            plan, rooms: rooms.meeting(around), walls: walls.meeting(around))
        let things = elements.meeting(swept).compactMap { plan.elements[$0] }
        var ramps: [String: TurnedRectangle] = [:]
        for ramp in things where ramp.aidRole == .ramp {
            ramps[ramp.id] = plan.raised(
                ramp, under: doorway.opening,
                among: openings(near: ramp).compactMap { plan.openings[$0] })
        }
        return DoorStop.all(
            of: doorway.opening, in: doorway.wall, elements: things, ramps: ramps,
            walls: floor.standing(about: doorway.opening, in: doorway.wall), floor: floor)
    }

    /// The clear width of a door.
    func clearWidth(of doorway: Doorway) -> ClearWidth {
        let near = doorway.wall.doorway(doorway.opening).bounds
        return plan.clearWidth(
            of: doorway.opening, in: doorway.wall, stop: stops(of: doorway).first,
            elements: elements.meeting(near).compactMap { plan.elements[$0] },
            among: walls.meeting(near).compactMap { plan.walls[$0] })
    }

    /// What a room knows of the gap in one of its doors. What reaches into the next room, and what
    /// keeps a door from opening there, is a matter of that room.
    /// - Parameter terms: what the chair passes under.
    func gap(in doorway: Doorway, for room: Room, _ terms: FloorTerms = .person) -> DoorGap {
        let opening = doorway.opening
        let whole = Double(min(opening.passage.width, opening.width))
        let range = clear(of: doorway, whole, for: room)
        let floor = doorway.wall.doorway(opening)
        let (near, bounds) = (floor.bounds, room.polygon.bounds)
        guard whole > 0 else { return DoorGap(range: range, isWhole: true, standing: []) }
        let things = elements.meeting(near).compactMap { plan.elements[$0] }.filter { element in
            let outline = element.outline
            return element.kind != .wheelchair && Overlap(outline, floor) != nil
                && (outline.bounds.meets(bounds) || isOutside(element))
        }
        let solid = things.filter { $0.isSolid && !terms.leaveKnees(under: $0) }
        var standing: [ConvexPolygon] = solid.map(\.outline)
        standing += things.flatMap(\.rampEdges).filter { Overlap($0, floor) != nil }
        for wall in walls.meeting(near).compactMap({ plan.walls[$0] }) {
            standing += plan.pieces(of: wall, in: opening, of: doorway.wall)
        }
        return DoorGap(
            range: range, isWhole: range == -whole / 2...whole / 2 && standing.isEmpty,
            standing: standing)
    }

    /// The part of the clear width of a door that its leaf leaves, as far as a room knows.
    private func clear(
        of doorway: Doorway, _ whole: Double, for room: Room
    ) -> ClosedRange<Double> {
        var (low, high) = (-whole / 2, whole / 2)
        for way in ways(of: doorway) where way.sweptRoom == room.id {
            guard let stop = stops(of: way).first else { continue }
            let open = min(Double(stop.passage), whole)
            // The leaf stands in the opening at its hinges.
            if way.opening.hingesAtEnd {
                high = min(high, open - whole / 2)
            } else {
                low = max(low, whole / 2 - open)
            }
        }
        return low...max(low, high)
    }

    /// The ways in which a door opens: none, or all four, if how it is hung is a guess that is
    /// supposed to leave most room, or least.
    func ways(of doorway: Doorway) -> [Doorway] {
        guard let supposed, doorway.opening.isUnhung else { return [doorway] }
        return supposed == .least ? [] : doorway.hangings
    }

    /// How far from its wall a door may open over a room, in millimetres.
    func reach(of doorway: Doorway, over room: Room) -> Double {
        ways(of: doorway).filter { $0.sweptRoom == room.id }.map { way in
            Double(min(way.opening.leafWidth ?? way.opening.width, way.opening.width))
        }.max() ?? 0
    }

    /// The two sides of a door, with the ramps that lie there.
    func sides(of opening: Opening, _ limits: RampLimits) -> [DoorSide] {
        guard let wall = plan.walls[opening.wall] else { return [] }
        let near = wall.hole(opening).bounds.grown(by: FloorPlan.rampGap + 10)
        let ramps = elements.meeting(near).compactMap { plan.elements[$0] }
            .filter { $0.aidRole == .ramp }
        return plan.sides(of: opening, limits, among: ramps)
    }

    /// True if a ramp leads to no door.
    func isFree(_ ramp: Element) -> Bool {
        !openings(near: ramp).compactMap { plan.openings[$0] }
            .contains { plan.leads(ramp, to: $0) }
    }

    /// The ids of the doors and windows in which an element may stand, to which it may lead if it
    /// is a ramp, or that may open over it; sorted.
    func openings(near element: Element) -> [String] {
        openings.meeting(element.outline.bounds.grown(by: FloorPlan.rampGap + 10))
    }

    /// A door or window with the rooms on its two sides.
    func doorway(_ id: String) -> Doorway? {
        guard let opening = plan.openings[id], let wall = plan.walls[opening.wall] else {
            return nil
        }
        var doorway = Doorway(opening, in: wall)
        for distance in [60.0, 150] {
            if doorway.rooms.left == nil {
                doorway.rooms.left = room(at: doorway.place(beyond: distance, left: true))?.id
            }
            if doorway.rooms.right == nil {
                doorway.rooms.right = room(at: doorway.place(beyond: distance, left: false))?.id
            }
        }
        return doorway
    }
}

/// The way through a door for a chair.
struct DoorGap: Sendable {
    /// The clear width beside the leaf, which may not open fully: from the middle of the opening,
    /// along its wall.
    let range: ClosedRange<Double>
    /// True if the leaf opens fully and nothing stands in the opening.
    let isWhole: Bool
    /// What stands in the opening, each convex.
    let standing: [ConvexPolygon]
}

/// A door, window or passage in its wall.
struct Doorway: Sendable {
    let opening: Opening
    let wall: Wall
    /// The direction of the wall from its start to its end, one millimetre long.
    let along: Vector
    /// The centre of the opening, in the middle of the wall.
    let middle: Vector
    /// The ids of the rooms to its left and right, seen from the wall's start to its end.
    var rooms: (left: String?, right: String?) = (nil, nil)

    init(_ opening: Opening, in wall: Wall) {
        self.opening = opening
        self.wall = wall
        along = wall.line.along.unit
        middle =
            wall.line.start + along * (Double(opening.offset) + Double(opening.width) / 2)
    }

    /// The direction from the wall to one of its sides.
    func out(left: Bool) -> Vector { left ? along.left : -along.left }

    /// A place before the centre of the opening, at a distance from the wall's surface.
    func place(beyond distance: Double, left: Bool) -> Vector {
        middle + out(left: left) * (Double(wall.thickness) / 2 + distance)
    }

    /// True if the leaf swings to a side.
    func swings(left: Bool) -> Bool { opening.kind == .door && opening.swingsRight != left }

    /// The same for each way in which it may be hung.
    var hangings: [Doorway] {
        opening.hangings.map { hung in
            var doorway = Doorway(hung, in: wall)
            doorway.rooms = rooms
            return doorway
        }
    }

    /// True if a room is on the left; nil if it is on neither side.
    func isLeft(_ room: String) -> Bool? {
        rooms.left == room ? true : rooms.right == room ? false : nil
    }
}

/// An index of the items of one kind by place.
private struct Places: Sendable {
    private var ids: [String?] = []
    private var numbers: [String: Int] = [:]
    private var index = SpatialIndex(cell: 2_000)

    mutating func put(_ id: String, _ bounds: Bounds) {
        let number = numbers[id] ?? ids.count
        if number == ids.count { ids.append(nil) }
        numbers[id] = number
        ids[number] = id
        index.put(number, at: bounds)
    }

    mutating func remove(_ id: String) {
        guard let number = numbers[id] else { return }
        ids[number] = nil
        index.remove(number)
    }

    func meeting(_ place: Bounds) -> [String] {
        var found: [String] = []
        index.forEach(meeting: place) { number in
            if let id = ids[number] { found.append(id) }
        }
        return found.sorted()
    }
}
