import Messages

/// What a person does to a plan in one gesture, and takes back in one.
///
/// Where a wall goes, the rooms along it go: a room's sides that lie on the surface of a wall stay
/// on it, and its other sides on their lines. So a wall that moves by some millimetres makes its
/// rooms longer or shorter by exactly as many, whatever its thickness. An edit that would turn a
/// room inside out is refused.
package enum PlanEdit: Hashable, Sendable {
    /// Adds things. A door or window stands in a wall that is there or is added before it.
    case add([PlanItem])
    /// Adds a room by the lengths of its sides, with walls around it.
    case addRoom(RoomSketch)
    /// Moves things by an offset. Walls that share a corner with a moved one follow with it; an
    /// opening moves along its wall. A room takes the walls along it with it, also those that it
    /// shares; what stands in it stays, unless it is named too.
    case move([String], by: PlanPoint)
    /// Puts an opening into a wall, at an offset from its start.
    case dock(String, wall: String, offset: UInt32)
    /// Gives an element or opening another size; what is absent stays. An opening has no depth. A
    /// room with four right angles has a width, the length of the sides that run rather from west
    /// to east, and a depth: its eastern or northern side moves, with the walls along it.
    case resize(String, width: UInt32?, depth: UInt32?, height: UInt32?)
    /// Gives a wall another length; one end stays, and what is joined to the other follows.
    case setLength(String, UInt32, keeping: WallEnd)
    /// Turns an element to an angle in thousandths of a degree.
    case rotate(String, to: UInt32)
    /// Turns a wall about one of its ends by thousandths of a degree, counter-clockwise; what is
    /// joined to its other end follows.
    case turnWall(String, about: WallEnd, by: Int32)
    /// Turns a wall about the corner that it shares with another, until there is an angle between
    /// them, in thousandths of a degree up to 180,000. `opposite` brings it to the other side.
    case setAngle(of: String, with: String, to: UInt32, opposite: Bool)
    /// Moves a corner with all the walls that are joined there.
    case moveCorner(PlanPoint, to: PlanPoint)
    /// Adds a copy with another id at an offset. A wall is copied with its openings, whose ids are
    /// the wall's with a number.
    case copy(String, as: String, by: PlanPoint)
    /// Changes a thing in any other way, e.g. its label; it keeps its id. A room that is given
    /// other corners leaves its walls where they are.
    case replace(PlanItem)
    /// Removes things. A wall takes its openings along.
    case remove([String])
}

/// One of the two ends of a wall.
package enum WallEnd: Hashable, Sendable {
    case start
    case end
}

/// How a wall is drawn from its start.
package enum WallCourse: Hashable, Sendable {
    /// To another corner.
    case free(PlanPoint)
    /// East by millimetres, west when negative.
    case horizontal(Int32)
    /// North by millimetres, south when negative.
    case vertical(Int32)
    /// By a length, at an angle in thousandths of a degree counter-clockwise from east.
    case directed(length: UInt32, angle: UInt32)

    /// Where it ends.
    package func end(from start: PlanPoint) -> PlanPoint {
        switch self {
        case .free(let end): end
        case .horizontal(let length): start.moved(by: PlanPoint(x: length, y: 0))
        case .vertical(let length): start.moved(by: PlanPoint(x: 0, y: length))
        case .directed(let length, let angle):
            PlanPoint(start.vector + Vector(degrees: angle) * Double(length))
        }
    }
}

/// A room drawn by its dimensions from a start point, wall surface to wall surface.
package struct RoomSketch: Hashable, Sendable {
    /// The room as it is to be, without corners.
    package var room: Room
    package var start: PlanPoint
    /// The direction of the first side, in thousandths of a degree.
    package var angle: UInt32
    /// True when the corners run clockwise.
    package var isClockwise: Bool
    /// The sides one after another, each at a right angle to the one before. The last one leads
    /// back to the start and is left out.
    package var sides: [Side]
    /// The thickness of the walls around it; nil for none.
    package var wallThickness: UInt32?

    package init(
        room: Room, start: PlanPoint, angle: UInt32 = 0, isClockwise: Bool, sides: [Side],
        wallThickness: UInt32? = nil
    ) {
        self.room = room
        self.start = start
        self.angle = angle
        self.isClockwise = isClockwise
        self.sides = sides
        self.wallThickness = wallThickness
    }

    /// A side of a room.
    package struct Side: Hashable, Sendable {
        /// Millimetres.
        package var length: UInt32
        /// True when the room turns outwards after it, as at the inner corner of an L.
        package var turnsOutwards: Bool

        package init(_ length: UInt32, turnsOutwards: Bool = false) {
            self.length = length
            self.turnsOutwards = turnsOutwards
        }
    }

    /// A rectangle: the first side, then the next.
    package static func rectangle(_ first: UInt32, _ second: UInt32) -> [Side] {
        [Side(first), Side(second), Side(first)]
    }

    /// The room's corners, from the start on.
    var corners: [Vector] {
        var corners = [start.vector]
        var direction = Vector(degrees: angle)
        for side in sides {
            corners.append(corners[corners.count - 1] + direction * Double(side.length))
            direction = isClockwise == side.turnsOutwards ? direction.left : -direction.left
        }
        return corners
    }

    /// What is drawn: the room, and its walls with their inner surface along its sides.
    var items: [PlanItem] {
        var room = room
        room.corners = corners.map { PlanPoint($0) }
        let drawn = PlanItem(item: .room(room))
        guard let wallThickness else { return [drawn] }
        let centres = room.polygon.counterClockwise.offset(by: Double(wallThickness) / 2)
            .map { PlanPoint($0) }
        let walls = centres.indices.map { index in
            Wall(
                id: "\(room.id)-wall-\(index + 1)", start: centres[index],
                end: centres[(index + 1) % centres.count], thickness: wallThickness,
                height: room.height)
        }
        return walls.map { PlanItem(item: .wall($0)) } + [drawn]
    }
}

extension Polygon {
    /// The corners of the outline with each side moved outwards; it must run counter-clockwise.
    func offset(by distance: Double) -> [Vector] {
        corners.indices.map { index in
            let before = corners[(index + corners.count - 1) % corners.count]
            let after = corners[(index + 1) % corners.count]
            let (a, b) = ((corners[index] - before).unit, (after - corners[index]).unit)
            // Where the two moved sides meet; at a spike they don't, and it is cut off.
            let reach = distance / max(1 + a.dot(b), 0.1)
            return corners[index] - (a.left + b.left) * reach
        }
    }
}

extension Vector {
    /// The direction at an angle in thousandths of a degree; the axes are exact.
    init(degrees angle: UInt32) {
        switch angle % 360_000 {
        case 0: self.init(1, 0)
        case 90_000: self.init(0, 1)
        case 180_000: self.init(-1, 0)
        case 270_000: self.init(0, -1)
        default: self.init(angle: Double(angle) / 180_000 * .pi)
        }
    }
}

extension PlanPoint {
    /// A place beyond what can be kept becomes the farthest, which a plan refuses.
    func moved(by offset: PlanPoint) -> PlanPoint {
        PlanPoint(
            x: Int32(clamping: Int64(x) + Int64(offset.x)),
            y: Int32(clamping: Int64(y) + Int64(offset.y)))
    }
}
