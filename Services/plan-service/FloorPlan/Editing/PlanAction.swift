import Messages

/// What a person does to a plan in one gesture, and undoes in one.
///
/// Rooms follow their walls: a room's sides that lie on the surface of a wall stay on it, and its
/// other sides stay on their lines. So a wall that moves by some millimetres makes its rooms longer
/// or shorter by exactly as many, whatever its thickness. An action that would turn a room inside
/// out is refused.
extension PlanAction {
    /// Adds things. The wall of a door or window must exist or be added before it.
    package static func add(_ items: [PlanItem]) -> Self {
        Self(action: .add(AddItems(items: items)))
    }

    /// Adds a room by the lengths of its sides, with walls around it.
    package static func drawRoom(_ drawing: DrawRoom) -> Self { Self(action: .drawRoom(drawing)) }

    /// Moves things by an offset. Walls that share a corner with a moved one follow with it; an
    /// opening moves along its wall. A room takes the walls along it with it, including shared
    /// ones; things in it stay, unless they are named too.
    package static func move(_ ids: [String], by offset: PlanPoint) -> Self {
        Self(action: .move(MoveItems(ids: ids, by: offset)))
    }

    /// Puts an opening into a wall, at an offset from its start.
    package static func dock(_ opening: String, wall: String, offset: UInt32) -> Self {
        Self(action: .dock(DockOpening(opening: opening, wall: wall, offset: offset)))
    }

    /// Changes the size of an element or opening; absent values stay. An opening has no depth. A
    /// room with four right angles has a width, the length of the sides that run more from west to
    /// east, and a depth: its eastern or northern side moves, with the walls along it.
    package static func resize(
        _ id: String, width: UInt32?, depth: UInt32?, height: UInt32?
    ) -> Self {
        Self(action: .resize(ResizeItem(id: id, width: width, depth: depth, height: height)))
    }

    /// Changes the length of a wall; one end stays, and everything joined to the other follows.
    package static func setLength(_ wall: String, _ length: UInt32, keeping end: WallEnd) -> Self {
        Self(
            action: .setLength(SetWallLength(wall: wall, length: length, keepEnd: end == .end)))
    }

    /// Turns an element to an angle in thousandths of a degree.
    package static func rotate(_ element: String, to angle: UInt32) -> Self {
        Self(action: .rotate(RotateElement(element: element, angle: angle)))
    }

    /// Turns a wall about one of its ends by thousandths of a degree, counter-clockwise; everything
    /// joined to its other end follows.
    package static func turnWall(_ wall: String, about end: WallEnd, by angle: Int32) -> Self {
        Self(action: .turnWall(TurnWall(wall: wall, aboutEnd: end == .end, by: angle)))
    }

    /// Turns a wall about the corner that it shares with another, to an angle between them in
    /// thousandths of a degree, up to 180,000. `opposite` puts it on the other side.
    package static func setAngle(
        of wall: String, with other: String, to angle: UInt32, opposite: Bool
    ) -> Self {
        Self(
            action: .setAngle(
                SetWallAngle(wall: wall, with: other, angle: angle, opposite: opposite)))
    }

    /// Moves a corner with all the walls that are joined there.
    package static func moveCorner(_ corner: PlanPoint, to place: PlanPoint) -> Self {
        Self(action: .moveCorner(MoveCorner(from: corner, to: place)))
    }

    /// Adds a copy with a new id at an offset. A wall is copied with its openings, whose ids are
    /// the wall's with a number.
    package static func copy(_ id: String, as newID: String, by offset: PlanPoint) -> Self {
        Self(action: .copy(CopyItem(id: id, newId: newID, by: offset)))
    }

    /// Changes a thing in any other way, e.g. its label; it keeps its id. A room that gets other
    /// corners leaves its walls where they are.
    package static func replace(_ item: PlanItem) -> Self { Self(action: .replace(item)) }

    /// Removes things. A wall is removed with its openings.
    package static func remove(_ ids: [String]) -> Self {
        Self(action: .remove(RemoveItems(ids: ids)))
    }
}

/// One of the two ends of a wall.
package enum WallEnd: Hashable, Sendable {
    case start
    case end
}
