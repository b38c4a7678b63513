import Messages

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
extension DrawRoom {
    /// The sides of a rectangle except the last: the first side, then the next.
    package static func rectangle(_ first: UInt32, _ second: UInt32) -> [RoomSide] {
        [RoomSide(length: first), RoomSide(length: second), RoomSide(length: first)]
    }

    /// The room's corners, beginning at the start.
    var corners: [Vector] {
        var corners = [start.vector]
        var direction = Vector(degrees: angle)
        for side in sides {
            corners.append(corners[corners.count - 1] + direction * Double(side.length))
            direction = clockwise == side.turnsOutwards ? direction.left : -direction.left
        }
        return corners
    }

    /// The drawn things: the room, and its walls with their inner surfaces along its sides.
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
    /// A place beyond the representable range becomes the farthest one, which a plan refuses.
    func moved(by offset: PlanPoint) -> PlanPoint {
        PlanPoint(
            x: Int32(clamping: Int64(x) + Int64(offset.x)),
            y: Int32(clamping: Int64(y) + Int64(offset.y)))
    }
}
