import Messages

/// Rooms follow the walls that they lie along.
extension PlanEditor {
    mutating func outline(of room: Room) throws(Refusal) -> RoomOutline {
        let near = collisions.walls(
            near: room.polygon.bounds.grown(by: RoomOutline.reach))
        try spend(near.count * room.corners.count)
        let plan = plan
        return RoomOutline(room, walls: near.compactMap { plan.walls[$0] }) {
            plan.walls(at: $0).count == 1
        }
    }

    /// The outlines of the rooms that lie along one of some walls.
    mutating func outlines(along walls: Set<String>) throws(Refusal) -> [RoomOutline] {
        let place = walls.compactMap { plan.walls[$0]?.rectangle.bounds }
            .reduce(Bounds([])) { $0.union($1) }.grown(by: RoomOutline.reach)
        guard !place.isEmpty else { return [] }
        try spend(4 * plan.rooms.count)
        let near = plan.rooms.values.filter {
            Bounds($0.corners.lazy.map(\.vector)).meets(place)
        }
        var outlines: [RoomOutline] = []
        for room in near { outlines.append(try outline(of: room)) }
        return outlines.filter { !$0.walls.isDisjoint(with: walls) }
            .sorted { $0.room.id < $1.room.id }
    }

    mutating func follow(_ outlines: [RoomOutline]) throws(Refusal) {
        let walls = plan.walls
        for outline in outlines {
            // Whether it crosses itself is found by comparing each side with each.
            try spend(outline.pieces.count * outline.pieces.count / 2)
            do {
                put(PlanItem(item: .room(try outline.following { walls[$0] })))
            } catch {
                // Problems with the walls themselves are reported first.
                try validateGesture()
                throw error
            }
        }
    }
    /// Changes the length of the sides of a rectangular room that run more eastwards, or
    /// northwards: the side at their eastern, or northern, end moves with the walls along it.
    mutating func setSide(
        of id: String, eastwards: Bool, to length: UInt32
    ) throws(Refusal) {
        guard let room = plan.rooms[id] else { return }
        let sides = room.polygon.sides
        // In a room that is turned by 45 degrees the first side is the width.
        let isFirstEastward =
            abs(sides[0].along.unit.x) >= abs(sides[1].along.unit.x) - 0.01
        let number = isFirstEastward == eastwards ? 0 : 1
        let side = sides[number]
        let isForwards = eastwards ? side.along.x > 0 : side.along.y > 0
        let direction = isForwards ? side.along.unit : -side.along.unit
        let longer = Double(min(length, FloorPlan.largest)) - side.length
        let offset = PlanPoint(direction * longer)
        // The side at its far end, and the corners that move.
        let far = (number + (isForwards ? 1 : 3)) % 4
        let outline = try outline(of: room)
        let walls = outline.pieces.filter { $0.line == sides[far] }.compactMap(\.surface?.wall)
        var corners: [PlanPoint: PlanPoint] = [:]
        for corner in walls.flatMap({ [$0.from, $0.to] }) {
            corners[corner] = corner.moved(by: offset)
        }
        try move(corners: corners, except: [id])
        var changed = room
        for corner in [far, (far + 1) % 4] {
            changed.corners[corner] = room.corners[corner].moved(by: offset)
        }
        put(PlanItem(item: .room(changed)))
    }
}

extension Room {
    /// True for four corners with right angles, within rounding.
    var isRectangle: Bool {
        let sides = polygon.sides
        guard sides.count == 4, sides.allSatisfy({ $0.length >= 1 }) else { return false }
        return sides.indices.allSatisfy { number in
            let (side, next) = (sides[number], sides[(number + 1) % 4])
            let error = 4 / min(side.length, next.length)
            return abs(side.along.unit.dot(next.along.unit)) <= error
        }
    }
}
