import FloorPlan
import Messages
import Speech

/// The corner of a wall from which an offset was measured: its start or end, or the wall that meets
/// it there.
package enum WallCorner: Hashable, Sendable {
    case start
    case end
    case wall(String)

    /// The corner as it is typed; nil for nothing.
    package init?(_ text: String) {
        switch text {
        case "": return nil
        case "start": self = .start
        case "end": self = .end
        default: self = .wall(text)
        }
    }
}

/// A place along the face of a wall.
package struct PlaceAlongWall {
    package let wall: Wall
    package let face: WallFace
    /// True if measures are from the end of the face.
    let isFromEnd: Bool

    /// - Parameters:
    ///   - room: the room in which the offset was measured: its id or name.
    ///   - needsOne: true if the room must be named for a wall with rooms on both sides.
    /// - Throws: ``Failure`` that names the rooms along the wall.
    package init(
        _ wall: Wall, from corner: WallCorner, in room: String?, _ plan: PlanAtHand,
        needsOne: Bool = false
    ) throws {
        self.wall = wall
        let drawing = try plan.drawing()
        let faces = drawing.faces(of: wall)
        if let room {
            let item = try plan.item(room)
            guard let face = faces.first(where: { $0.room == item.id }) else {
                throw Failure(
                    .refused, "\(wall.id.printable) isn't a wall of “\(room.printable)”",
                    advice: Self.rooms(faces, drawing))
            }
            self.face = face
        } else {
            guard !needsOne || faces.count < 2 else {
                throw Failure(
                    .refused, "there are rooms on both sides of \(wall.id.printable)",
                    advice: "say in which: --in; " + Self.rooms(faces, drawing))
            }
            face = faces.first ?? drawing.bareFace(of: wall)
        }
        switch corner {
        case .start: isFromEnd = false
        case .end: isFromEnd = true
        case .wall(let typed):
            let other = try plan.wall(typed)
            let ends = [wall.from, wall.to].map { other.line.distance(to: $0.vector) }
            isFromEnd = ends[1] < ends[0]
            guard min(ends[0], ends[1]) <= Double(other.thickness) / 2 + 100 else {
                throw Failure(
                    .refused, "\(other.id.printable) doesn't meet an end of \(wall.id.printable)",
                    advice: "say --from start or --from end")
            }
        }
    }

    private static func rooms(_ faces: [WallFace], _ plan: FloorPlan) -> String {
        let names = faces.compactMap { $0.room.flatMap { plan.rooms[$0] } }
            .map { $0.name.isEmpty ? $0.id : "“\($0.name.printable)”" }
        return names.isEmpty
            ? "no room is drawn along it"
            : "along it: " + names.joined(separator: ", ")
    }

    /// The distance from the wall's start to the nearer edge of something, as a plan keeps it.
    ///
    /// - Parameters:
    ///   - offset: the distance from the face of the wall in the corner to its nearer edge.
    ///   - width: its width along the wall.
    /// - Throws: ``Failure`` if it doesn't fit in the wall.
    package func offset(_ offset: UInt32, width: UInt32) throws -> UInt32 {
        let place =
            isFromEnd
            ? face.stretch.upperBound - Double(offset) - Double(width)
            : face.stretch.lowerBound + Double(offset)
        let free = Int((face.stretch.upperBound - face.stretch.lowerBound).rounded())
        guard let kept = UInt32(exactly: place.rounded()), Int(offset) + Int(width) <= free else {
            throw Failure(
                .refused,
                "\(wall.id.printable) is \(free) mm long from corner to corner inside; \(width) mm "
                    + "wide and \(offset) mm from its \(isFromEnd ? "end" : "start") don't fit "
                    + "in it; the largest offset is \(max(free - Int(width), 0)) mm")
        }
        return kept
    }

    /// The centre and the angle of a thing that stands with its rear against the wall.
    package func stand(_ offset: UInt32, width: UInt32, depth: UInt32) -> (PlanPoint, angle: UInt32)
    {
        let along = wall.line.along.unit
        let out = face.isLeft ? along.left : -along.left
        let way = Double(offset) + Double(width) / 2
        let place =
            wall.line.start
            + along * (isFromEnd ? face.stretch.upperBound - way : face.stretch.lowerBound + way)
            + out * (face.distance + Double(depth) / 2)
        // At an angle of 0 the rear is to the north, and across is east, to the right of the rear.
        let turn = (out.left.angle / .pi * 180_000).rounded()
        let angle = turn.truncatingRemainder(dividingBy: 360_000)
        return (PlanPoint(place), UInt32(angle < 0 ? angle + 360_000 : angle) % 360_000)
    }
}
