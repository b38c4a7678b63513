import Messages

/// The floor around the leaf of a door. The leaf turns no farther than to its edge: the sides of
/// rooms beyond which there is neither another room nor a passage without a leaf.
///
/// The surfaces of walls don't count, because walls overlap, stand one behind the other, and may be
/// drawn over the door. Where no wall is drawn along the side of a room, one is assumed.
package struct LeafFloor {
    /// How far beyond the floor that a leaf sweeps to search for rooms and walls, in millimetres:
    /// an outline may be drawn that far from the face of its wall.
    package static let around = 100.0

    private let plan: FloorPlan
    private let rooms: [String]
    private let walls: [String]

    /// - Parameters:
    ///   - rooms: the ids of the rooms around the floor that a leaf sweeps, and any others.
    ///   - walls: those of the walls there.
    package init(_ plan: FloorPlan, rooms: [String], walls: [String]) {
        (self.plan, self.rooms, self.walls) = (plan, rooms, walls)
    }

    /// The walls that are wholly or partly inside one of the rooms, or stand in the doorway.
    package func standing(about opening: Opening, in wall: Wall) -> [Wall] {
        let outlines = rooms.compactMap { plan.rooms[$0]?.polygon }
        return walls.compactMap { plan.walls[$0] }.filter { other in
            outlines.contains { other.reaches(into: $0) }
                || !plan.pieces(of: other, in: opening, of: wall).isEmpty
        }
    }

    /// A side of a room that a leaf meets, unless there is more floor beyond it.
    private struct Edge {
        let angle: Double
        /// The place of its room in the list.
        let area: Int
        let side: Segment
        let limit: DoorLeaf.Limit
    }

    /// A room, and its outline with the corners counter-clockwise.
    private typealias Area = (room: Room, outline: Polygon)

    /// What a leaf meets first at the edge of the floor before it is open by a right angle: the id
    /// of the wall there, or else of the room, and the angle from shut in radians. Nil if it meets
    /// nothing, or opens where no room is drawn.
    func stop(
        of leaf: DoorLeaf, _ opening: Opening, in wall: Wall
    ) -> (id: String, angle: Double)? {
        let areas = rooms.compactMap { plan.rooms[$0] }
            .map { (room: $0, outline: $0.polygon.counterClockwise) }
        let door = RampPlace(opening, in: wall, isLeft: !opening.swingsRight)
        // A room's outline is at the surface of a wall, or slightly away from it.
        let isInRoom = [60.0, 150].contains { distance in
            areas.contains { $0.outline.contains(door.face + door.out * distance) }
        }
        guard isInRoom else { return nil }
        // The far end of the clear width, from the hinges.
        let clear = (leaf.width + Double(opening.passage.width)) / 2 - FloorPlan.rounding
        var edges: [Edge] = []
        for (number, area) in areas.enumerated() {
            for side in area.outline.sides where side.start != side.end {
                guard let limit = leaf.limit(by: side, clear: clear),
                    let angle = leaf.stop(at: side, limit)
                else { continue }
                edges.append(Edge(angle: angle, area: number, side: side, limit: limit))
            }
        }
        return edges.isEmpty ? nil : first(of: edges, areas, stopping: leaf, in: wall)
    }

    private func first(
        of edges: [Edge], _ areas: [Area], stopping leaf: DoorLeaf, in wall: Wall
    ) -> (id: String, angle: Double)? {
        let passages = walls.flatMap { plan.openings(in: $0) }
            .compactMap { plan.floor(in: $0) }
        var first: (angle: Double, piece: Segment, room: Room)?
        let sorted = edges.sorted { ($0.angle, $0.area) < ($1.angle, $1.area) }
        for edge in sorted where edge.angle < first?.angle ?? .infinity {
            if WorkLimit.isOver { break }
            let place = edge.side.bounds.grown(by: 1)
            var others = passages
            for (number, area) in areas.enumerated() where number != edge.area {
                others.append(area.outline)
            }
            let near = others.filter { $0.bounds.meets(place) }
            for piece in edge.side.pieces(outside: near) {
                // Rounded corners leave crumbs between rooms without a wall between them.
                guard piece.length >= min(RoomOutline.shortest, edge.side.length / 2),
                    let angle = leaf.stop(at: piece, edge.limit),
                    angle < first?.angle ?? .infinity
                else { continue }
                first = (angle, piece, areas[edge.area].room)
            }
        }
        guard let first else { return nil }
        let tip = leaf.hinges + leaf.direction(at: first.angle) * leaf.width
        let found = self.wall(
            along: first.piece, at: first.piece.nearest(to: tip), besides: wall)
        return (found?.id ?? first.room.id, first.angle)
    }

    /// The wall along a side of a room at a place: the nearest one.
    private func wall(along side: Segment, at place: Vector, besides own: Wall) -> Wall? {
        let along = side.along.unit
        var nearest: (distance: Double, wall: Wall)?
        for wall in walls.compactMap({ plan.walls[$0] }) where wall.id != own.id {
            let distance = wall.line.distance(to: place) - Double(wall.thickness) / 2
            guard abs(wall.line.along.unit.cross(along)) < 0.1, distance <= Self.around,
                distance < nearest?.distance ?? .infinity
            else { continue }
            nearest = (distance, wall)
        }
        return nearest?.wall
    }
}

extension DoorLeaf {
    /// How a side of a room limits a leaf.
    fileprivate struct Limit {
        /// How far outwards the side is moved first, in millimetres: by what may touch it, or until
        /// the hinges are inside.
        let shift: Double
        /// The maximum width of the leaf.
        let width: Double
    }

    /// The cosine of the angle up to which a side of a room is along the door's own wall: 15
    /// degrees.
    private static let alongside = 0.966
    /// How far off the side of a room may be drawn, in millimetres, as in a scan.
    private static let imprecise = 20.0
    /// How far from the face of the door's wall a side that bounds the doorway may begin, in
    /// millimetres: a room may be that far from its wall.
    private static let jamb = 200.0

    /// How a counter-clockwise side of a room limits it; nil if it doesn't.
    ///
    /// Outlines and doors are drawn imprecisely. A side along the door's own wall is its face. One
    /// that begins behind the hinges is that of a wall beside them: it counts as if it began at the
    /// hinges, and so stops the leaf only if it leans over the doorway. One that begins at the end
    /// of the shut leaf, but hardly in the clear width, is that of a wall there: it takes part of
    /// the frame, whose width is rarely known, and the leaf is narrower. A measured clear width
    /// ends at that wall.
    ///
    /// - Parameter clear: the far end of the clear width, from the hinges.
    fileprivate func limit(by side: Segment, clear: Double) -> Limit? {
        let inwards = side.along.unit.left
        guard inwards.dot(open) < Self.alongside else { return nil }
        let ends = (local(side.start), local(side.end))
        let (near, far) = ends.0.y < ends.1.y ? ends : (ends.1, ends.0)
        // A side that ends in the wall belongs to a reveal.
        guard far.y > Overlap.tolerance else { return nil }
        let touching = Overlap.tolerance / 2
        let depth = inwards.dot(hinges - side.start)
        let isFaced = depth > -touching
        guard near.y <= Self.jamb, far.y > near.y else {
            return isFaced ? Limit(shift: touching, width: width) : nil
        }
        // Where it would begin at the face of the wall.
        let foot = near.x - near.y * (far.x - near.x) / (far.y - near.y)
        guard isFaced else {
            let leansOver = inwards.dot(open) < 0 && foot > 0 && foot <= width
            return leansOver ? Limit(shift: touching - depth, width: width) : nil
        }
        let isInFrame = foot >= clear - Self.imprecise && foot <= width + touching
        return Limit(
            shift: touching, width: isInFrame ? min(width, foot - touching) : width)
    }

    /// The angle from shut at which it meets a side of a room, or a piece of it, in radians; nil if
    /// it opens by a right angle before that.
    fileprivate func stop(at side: Segment, _ limit: Limit) -> Double? {
        let way = -side.along.unit.left * limit.shift
        return stop(at: Segment(side.start + way, side.end + way), width: limit.width)
    }
}

extension FloorPlan {
    /// The floor in a passage without a leaf, as far as it overlaps the rooms on both sides; nil
    /// for any other opening.
    fileprivate func floor(in opening: Opening) -> Polygon? {
        guard opening.kind == .passage, opening.sill == 0, let wall = walls[opening.wall] else {
            return nil
        }
        return wall.hole(opening, width: Double(opening.passage.width), beyond: 20)
    }
}

/// Finds the floor around each leaf of a plan.
struct LeafFloors {
    private let plan: FloorPlan
    private let rooms: [String]
    private let walls: [String]
    private var roomIndex = SpatialIndex(cell: 4_000)
    private var wallIndex = SpatialIndex(cell: 4_000)

    init(_ plan: FloorPlan) {
        self.plan = plan
        rooms = plan.rooms.keys.sorted()
        walls = plan.walls.keys.sorted()
        for (number, id) in rooms.enumerated() {
            if let room = plan.rooms[id] { roomIndex.put(number, at: room.polygon.bounds) }
        }
        for (number, id) in walls.enumerated() {
            if let wall = plan.walls[id] { wallIndex.put(number, at: wall.rectangle.bounds) }
        }
    }

    /// The floor around a leaf that sweeps a place.
    func floor(around place: Bounds) -> LeafFloor {
        let place = place.grown(by: LeafFloor.around)
        var (nearRooms, nearWalls): ([Int], [Int]) = ([], [])
        roomIndex.forEach(meeting: place) { nearRooms.append($0) }
        wallIndex.forEach(meeting: place) { nearWalls.append($0) }
        return LeafFloor(
            plan, rooms: nearRooms.sorted().map { rooms[$0] },
            walls: nearWalls.sorted().map { walls[$0] })
    }
}
