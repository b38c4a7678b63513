import FloorPlan
import Messages
import TestSupport

extension PlanAction.Action {
    /// Anything that a person may do to a plan, most of it sensible.
    static func any(in plan: FloorPlan, _ seed: inout Seed) -> Self {
        func length(_ most: Int) -> UInt32 { UInt32(seed.below(most)) }
        func offset(_ most: Int = 1_000) -> PlanPoint {
            PlanPoint(
                x: Int32(seed.below(2 * most + 1) - most),
                y: Int32(seed.below(2 * most + 1) - most))
        }
        func some(_ ids: some Collection<String>) -> String {
            seed.oneIn(40) || ids.isEmpty ? "nothing" : seed.pick(ids.sorted())
        }
        let wall = some(plan.walls.keys)
        switch seed.below(14) {
        case 0: return .move(MoveItems(ids: [some(plan.order), some(plan.order)], by: offset()))
        case 1:
            let corner = plan.walls[wall]?.end ?? PlanPoint()
            return .moveCorner(MoveCorner(from: corner, to: offset(5_000)))
        case 2:
            return .dock(
                DockOpening(opening: some(plan.openings.keys), wall: wall, offset: length(4_000)))
        case 3: return .resize(ResizeItem(id: some(plan.order), width: length(1_500)))
        case 4:
            return .setLength(
                SetWallLength(wall: wall, length: length(6_000), keepEnd: seed.oneIn(2)))
        case 5:
            return .rotate(RotateElement(element: some(plan.elements.keys), angle: length(400_000)))
        case 6:
            return .turnWall(
                TurnWall(
                    wall: wall, aboutEnd: seed.oneIn(2), by: Int32(length(360_000)) - 180_000))
        case 7:
            return .setAngle(
                SetWallAngle(
                    wall: wall, with: some(plan.walls.keys), angle: length(180_001),
                    opposite: seed.oneIn(2)))
        case 8: return .copy(CopyItem(id: some(plan.order), by: offset(3_000)))
        case 9: return .remove(RemoveItems(ids: [some(plan.order)]))
        case 10: return .add(.door("", in: wall, at: length(4_000)))
        case 11: return .add(.element("", seed.pick([.bed, .table]), at: (offset().x, offset().y)))
        case 12:
            let (start, end) = (offset(3_000), offset(3_000))
            return .add(.wall("", (start.x, start.y), (end.x, end.y)))
        default:
            return .drawRoom(
                DrawRoom(
                    start: offset(9_000), angle: length(360_000), clockwise: seed.oneIn(2),
                    sides: Array(repeating: RoomSide(length: 500 + length(4_000)), count: 3),
                    wallThickness: seed.oneIn(3) ? nil : 120))
        }
    }
}

extension FloorPlan {
    /// The pairs of walls that share a corner.
    var joins: Set<[String]> {
        var joins: Set<[String]> = []
        for wall in walls.values {
            for corner in [wall.from, wall.to] {
                for other in walls(at: corner) where other.id > wall.id {
                    joins.insert([wall.id, other.id])
                }
            }
        }
        return joins
    }

    /// The doors and windows that are not within their walls.
    var lostOpenings: [String] {
        openings.values.filter { opening in
            guard let wall = walls[opening.wall] else { return true }
            return Double(opening.endOffset) > wall.length + FloorPlan.rounding
        }.map(\.id)
    }
}
