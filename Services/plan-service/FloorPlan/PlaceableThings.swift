import Foundation
import Messages

/// Items that can be placed in a plan by name, kept with their centres at the origin.
extension PlanItem {
    /// The same with its centre at a place, rotated by thousandths of a degree.
    package func placed(at place: PlanPoint, turned angle: UInt32) -> PlanItem {
        let angle = angle % 360_000
        func moved(_ point: PlanPoint?) -> PlanPoint {
            let turned = (point ?? PlanPoint()).turned(by: angle)
            return PlanPoint(
                x: Int32(clamping: Int64(turned.x) + Int64(place.x)),
                y: Int32(clamping: Int64(turned.y) + Int64(place.y)))
        }
        switch item {
        case .wall(var wall):
            (wall.start, wall.end) = (moved(wall.start), moved(wall.end))
            return PlanItem(item: .wall(wall))
        case .room(var room):
            room.corners = room.corners.map(moved)
            return PlanItem(item: .room(room))
        case .element(var element):
            element.centre = moved(element.centre)
            element.angle = (element.angle % 360_000 + angle) % 360_000
            return PlanItem(item: .element(element))
        case .opening, nil: return self
        }
    }
}

extension Element {
    /// The same with a label that a plan may hold: the name of a product may be longer.
    package var withShortLabel: Element {
        var element = self
        // A character may have any number of bytes.
        element.label = String(label.prefix(PlanItem.longestLabel)).prefix(bytes: 800)
        return element
    }
}

extension PlanPoint {
    /// The point rotated about the origin; quarter turns are exact.
    func turned(by angle: UInt32) -> PlanPoint {
        switch angle % 360_000 {
        case 0: return self
        case 90_000: return PlanPoint(x: 0 &- y, y: x)
        case 180_000: return PlanPoint(x: 0 &- x, y: 0 &- y)
        case 270_000: return PlanPoint(x: y, y: 0 &- x)
        default:
            let radians = Double(angle) / 180_000 * .pi
            let (sine, cosine) = (sin(radians), cos(radians))
            let (east, north) = (Double(x), Double(y))
            return PlanPoint(
                x: Int32(clamping: Int64((east * cosine - north * sine).rounded())),
                y: Int32(clamping: Int64((east * sine + north * cosine).rounded())))
        }
    }
}
