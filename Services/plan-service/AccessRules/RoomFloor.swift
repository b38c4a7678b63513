import FloorPlan
import Messages

/// The floor of a room, with everything on it and the doors that open over it.
struct RoomFloor: Sendable {
    let room: Room
    let outline: Polygon
    /// The elements except wheelchairs, which move.
    let elements: [Element]
    /// Those that one may pass under.
    private let hanging: [Element]
    /// The outlines of all, in the same order.
    private let outlines: [ConvexPolygon]
    /// The floor swept by doors that open into the room, with the ids of these.
    private let swings: [(door: String, floor: ConvexPolygon)]
    /// The pieces of walls inside the room, without the openings of their doors.
    let walls: [ConvexPolygon]
    let doorways: [Doorway]
    /// The ids of the ramps that lead to no door: one of their ends is a step.
    private let freeRamps: Set<String>

    init(_ room: Room, in layout: PlanLayout) {
        self.room = room
        let outline = room.polygon
        self.outline = outline
        let bounds = outline.bounds
        elements = layout.elements(meeting: bounds).compactMap { layout.plan.elements[$0] }
            .filter { $0.kind != .wheelchair && $0.reaches(into: outline) }
        hanging = elements.filter { $0.isSolid && $0.elevation > 0 }
        outlines = elements.map(\.outline)
        walls = layout.walls(meeting: bounds).compactMap { layout.plan.walls[$0] }
            .filter { $0.reaches(into: outline) }
            .flatMap { layout.plan.pieces(of: $0) }
        doorways = layout.doorways(of: room)
        freeRamps = Set(
            elements.filter { !$0.rampEnds.isEmpty && layout.isFree($0) }.map(\.id))
        let ways = doorways.flatMap(layout.ways(of:)).filter { $0.sweptRoom == room.id }
        swings = ways.compactMap { doorway in
            DoorLeaf(of: doorway.opening, in: doorway.wall).map {
                (door: doorway.opening.id, floor: $0.swept)
            }
        }
    }

    /// What the floor is used for, which decides whether a ramp on it counts.
    enum Purpose {
        /// To turn or to stand on, for which it must be level: a ramp is an obstacle.
        case staying
        /// To go over: the sides of a ramp are obstacles, and the ends of one that leads to no
        /// door.
        case going
        /// To reach something from it: a ramp doesn't count.
        case reaching
    }

    /// The obstacles under some terms, each convex.
    /// - Parameters:
    ///   - closed: the id of a door that stays closed; nil for none.
    ///   - isAway: returns true for elements to ignore.
    func obstacles(
        _ terms: FloorTerms, for purpose: Purpose, closed: String? = nil,
        without isAway: (Element) -> Bool = { _ in false }
    ) -> [ConvexPolygon] {
        var obstacles = walls
        for (element, outline) in zip(elements, outlines) where !isAway(element) {
            if let rest = rest(of: element, outline, terms) { obstacles.append(rest) }
            guard purpose != .reaching, element.aidRole == .ramp else { continue }
            obstacles += purpose == .staying ? [outline] : element.rampEdges
            if purpose == .going, freeRamps.contains(element.id) { obstacles += element.rampEnds }
        }
        guard terms.swings else { return obstacles }
        return obstacles + swings.filter { $0.door != closed }.map(\.floor)
    }

    /// True if a door opens into the room; if not surely, also one whose hanging is a guess.
    func isSwept(surely: Bool) -> Bool {
        doorways.contains { doorway in
            surely && doorway.opening.isUnhung
                ? false : doorway.hangings.contains { $0.sweptRoom == room.id }
        }
    }

    /// True if there is a ramp that leads to no door.
    var hasFreeRamp: Bool { !freeRamps.isEmpty }

    /// The things for which a few millimetres decide whether one passes under them, with the
    /// knees, the head in a chair, or upright.
    func things(atHeightsOf terms: FloorTerms, off error: Int) -> [Element] {
        guard !hanging.isEmpty else { return [] }
        let heights = [
            terms.kneeHeight, terms.upright.kneeHeight, FloorTerms.person.kneeHeight,
            Element.seatedHead,
        ].map { Int($0) }
        return hanging.filter { element in
            heights.contains { abs(Int(element.elevation) - $0) < error }
        }
    }

    /// The free floor under some terms.
    func free(_ terms: FloorTerms, for purpose: Purpose) -> FreeSpace {
        FreeSpace(
            areas: [outline], obstacles: obstacles(terms, for: purpose).map(\.polygon))
    }

    /// The part of an element that is an obstacle.
    private func rest(
        of element: Element, _ outline: ConvexPolygon, _ terms: FloorTerms
    ) -> ConvexPolygon? {
        if element.kind == .shower, !element.isSolid, let over = terms.overShower {
            return shower(element, over: over)
        }
        guard element.isSolid else { return nil }
        guard terms.leaveKnees(under: element) else { return outline }
        // Higher than the knees: one can go under it from its front, as far as allowed.
        let depth = Double(element.depth)
        guard let under = terms.underDepth, under < depth else { return nil }
        let rear = Vector(angle: element.turn).left * (under / 2)
        return ConvexPolygon(
            centre: element.place + rear, width: Double(element.width), depth: depth - under,
            angle: element.turn)
    }

    /// The part of a shower that is farther from its open sides than one may go over it. A side
    /// along the room's outline isn't open.
    private func shower(_ element: Element, over: Double) -> ConvexPolygon? {
        let (x, y) = (Vector(angle: element.turn), Vector(angle: element.turn).left)
        let (width, depth) = (Double(element.width) / 2, Double(element.depth) / 2)
        func open(_ side: Vector, _ half: Double) -> Double {
            let edge = element.place + side * half
            return outline.distanceToOutline(from: edge) > Self.along ? over : 0
        }
        let (east, west) = (open(x, width), open(-x, width))
        let (north, south) = (open(y, depth), open(-y, depth))
        let size = (2 * width - east - west, 2 * depth - north - south)
        guard size.0 > 0, size.1 > 0 else { return nil }
        return ConvexPolygon(
            centre: element.place + x * ((west - east) / 2) + y * ((south - north) / 2),
            width: size.0, depth: size.1, angle: element.turn)
    }

    /// The distance from an outline below which a side is along it, in millimetres.
    private static let along = 50.0
}

extension Doorway {
    /// True if the leaf swings to the left; nil if there is no leaf.
    var swingsLeft: Bool? { opening.kind == .door ? !opening.swingsRight : nil }

    /// The id of the room into which the leaf opens. Both sides of a wall may be in one room.
    var sweptRoom: String? { swingsLeft.flatMap { $0 ? rooms.left : rooms.right } }
}
