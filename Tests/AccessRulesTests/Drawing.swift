import FloorPlan
import Messages

@testable import AccessRules

/// Plans for the tests, each drawn in one line.
enum Drawing {
    /// A closed rectangle of floor.
    static func room(
        _ width: Int32, _ depth: Int32, use: RoomUse, id: String = "room", at x: Int32 = 0,
        _ y: Int32 = 0, height: UInt32 = 0
    ) -> PlanItem {
        PlanItem(
            item: .room(
                Room(
                    id: id, name: id, use: use,
                    corners: [
                        PlanPoint(x: x, y: y), PlanPoint(x: x + width, y: y),
                        PlanPoint(x: x + width, y: y + depth), PlanPoint(x: x, y: y + depth),
                    ], height: height)))
    }

    /// An element by its centre and size.
    static func element(
        _ id: String, _ kind: ElementKind, _ x: Int32, _ y: Int32, _ width: UInt32,
        _ depth: UInt32, angle: UInt32 = 0, height: UInt32 = 0, elevation: UInt32 = 0,
        label: String = ""
    ) -> PlanItem {
        PlanItem(
            item: .element(
                Element(
                    id: id, kind: kind, label: label, centre: PlanPoint(x: x, y: y), width: width,
                    depth: depth, height: height, elevation: elevation, angle: angle * 1_000)))
    }

    /// A wall of 100 mm.
    static func wall(
        _ id: String, _ x: Int32, _ y: Int32, to endX: Int32, _ endY: Int32,
        thickness: UInt32 = 100
    ) -> PlanItem {
        PlanItem(
            item: .wall(
                Wall(
                    id: id, start: PlanPoint(x: x, y: y), end: PlanPoint(x: endX, y: endY),
                    thickness: thickness)))
    }

    /// A door in a wall.
    static func door(
        _ id: String, in wall: String, at offset: UInt32, hole: UInt32 = 1_000,
        clear: UInt32? = nil, leaf: UInt32? = nil, height: UInt32 = 0, threshold: UInt32 = 0,
        right: Bool = false, atEnd: Bool = false, entrance: Bool = false
    ) -> PlanItem {
        PlanItem(
            item: .opening(
                Opening(
                    id: id, wall: wall, kind: .door, offset: offset, width: hole, height: height,
                    clearWidth: clear, leafWidth: leaf, threshold: threshold, hingesAtEnd: atEnd,
                    swingsRight: right, entrance: entrance)))
    }

    static func inspection(
        _ items: [PlanItem], _ standards: [String] = ["tek17"], tolerance: UInt32 = 0,
        chair: PersonChair? = nil, language: String = ""
    ) throws -> PlanInspection {
        try PlanInspection(
            FloorPlan(items), details: PlanDetails(tolerance: tolerance), standards: standards,
            chair: chair, language: language)
    }
}

extension PlanInspection {
    /// The finding with an id.
    func finding(_ id: String) -> PlanFinding? { findings().first { $0.id == id } }
}
