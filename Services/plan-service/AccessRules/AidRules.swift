import FloorPlan
import Messages
import Phrases

/// The rules about aids.
extension Judge {
    /// The room to turn a hoist on the spot: the largest circle on the floor without it, and the
    /// diagonal of its size.
    func aidTurning(_ terms: FloorTerms, _ element: Element, in floor: RoomFloor) -> Assessment {
        let obstacles = floor.obstacles(terms, for: .staying) { $0.id == element.id }
        let space = FreeSpace(areas: [floor.outline], obstacles: obstacles.map(\.polygon))
        let circle = space.largestCircle()
        let needed = Chair(width: Double(element.width), length: Double(element.depth)).spinSquare
            .rounded(.up)
        var found = length(
            .turningSpace, 2 * (circle?.radius ?? 0), atLeast: needed,
            at: circle?.centre ?? element.place)
        found.required = "Ø \(Int(needed)) mm"
        return found
    }

    /// How far a rail is from the nearest toilet: from its centre line sideways, or from its front
    /// or rear if that is more, as for a rail on the wall opposite. Nil if the room has none.
    func railReach(_ rule: Rule, _ rail: Element, in floor: RoomFloor) -> Assessment? {
        let toilets = floor.elements.filter {
            $0.kind == .toilet && floor.outline.contains($0.place)
        }
        let nearest = toilets.min {
            ($0.place.distance(to: rail.place), $0.id) < ($1.place.distance(to: rail.place), $1.id)
        }
        guard let nearest else { return nil }
        let corners = rail.outline.corners.map { $0 - nearest.place }
        func gap(_ direction: Vector, beyond half: Double) -> Double {
            let ways = corners.map { $0.dot(direction) }
            return max((ways.min() ?? 0) - half, -half - (ways.max() ?? 0), 0)
        }
        let across = Vector(angle: nearest.turn)
        let reach = max(
            gap(across, beyond: 0), gap(across.left, beyond: Double(nearest.depth) / 2))
        return length(.railReach, reach, atMost: rule.atMost ?? 0, at: rail.place)
    }
}
