import FloorPlan
import Messages

/// Homes to draw.
enum Homes {
    static func wall(
        _ id: String, _ from: (Int32, Int32), _ to: (Int32, Int32), thickness: UInt32 = 100
    ) -> PlanItem {
        PlanItem(
            item: .wall(
                Wall(
                    id: id, start: PlanPoint(x: from.0, y: from.1),
                    end: PlanPoint(x: to.0, y: to.1), thickness: thickness, height: 2_400)))
    }

    static func room(
        _ id: String, _ name: String, _ use: RoomUse, _ corners: [(Int32, Int32)]
    ) -> PlanItem {
        PlanItem(
            item: .room(
                Room(
                    id: id, name: name, use: use,
                    corners: corners.map { PlanPoint(x: $0.0, y: $0.1) }, height: 2_400)))
    }

    static func element(
        _ id: String, _ kind: ElementKind, _ label: String, at centre: (Int32, Int32),
        _ width: UInt32, _ depth: UInt32, angle: UInt32 = 0
    ) -> PlanItem {
        PlanItem(
            item: .element(
                Element(
                    id: id, kind: kind, label: label,
                    centre: PlanPoint(x: centre.0, y: centre.1), width: width, depth: depth,
                    angle: angle)))
    }

    /// A home turned counter-clockwise about the origin, to whole millimetres.
    static func turned(_ items: [PlanItem], by degrees: Double) -> [PlanItem] {
        func turned(_ place: PlanPoint) -> PlanPoint {
            let place = place.vector.turned(by: Vector(angle: degrees / 180 * .pi))
            return PlanPoint(x: Int32(place.x.rounded()), y: Int32(place.y.rounded()))
        }
        return items.map { item in
            switch item.item {
            case .wall(var wall):
                (wall.start, wall.end) = (turned(wall.from), turned(wall.to))
                return PlanItem(item: .wall(wall))
            case .room(var room):
                room.corners = room.corners.map(turned)
                return PlanItem(item: .room(room))
            case .element(var element):
                element.centre = turned(element.centre ?? PlanPoint())
                let angle = Int(element.angle) + Int(degrees * 1_000) + 360_000
                element.angle = UInt32(angle % 360_000)
                return PlanItem(item: .element(element))
            default: return item
            }
        }
    }

    /// A bathroom of 2200 by 2400 mm with a wheelchair in it.
    static var bathroom: [PlanItem] {
        var chair = Element(
            id: "chair-1", kind: .wheelchair, label: "Chair of Kari",
            centre: PlanPoint(x: 1_000, y: 850), width: 680, depth: 1_100, angle: 0)
        chair.wheelchair = Wheelchair(turningDiameter: 1_500, axleFromRear: 300)
        return [
            wall("south", (-50, -50), (2_250, -50)), wall("east", (2_250, -50), (2_250, 2_450)),
            wall("north", (2_250, 2_450), (-50, 2_450)), wall("west", (-50, 2_450), (-50, -50)),
            room("bath", "Bad", .bathroom, [(0, 0), (2_200, 0), (2_200, 2_400), (0, 2_400)]),
            element("wc", .toilet, "", at: (500, 2_050), 370, 700),
            element("basin", .washbasin, "", at: (1_950, 950), 600, 500, angle: 270_000),
            element("shower", .shower, "", at: (1_750, 1_950), 900, 900),
            element("rail", .aid, "Rail", at: (100, 1_900), 100, 600),
            PlanItem(
                item: .opening(
                    Opening(
                        id: "door", wall: "south", kind: .door, offset: 150, width: 900,
                        height: 2_100, clearWidth: 790, leafWidth: 825, threshold: 20,
                        swingsRight: true, entrance: true))),
            PlanItem(
                item: .opening(
                    Opening(
                        id: "window", wall: "north", kind: .window, offset: 700, width: 600,
                        height: 600, sill: 1_400))),
            PlanItem(item: .element(chair)),
        ]
    }

    /// A wall of four metres, from axis to axis.
    static var fourMetres: [PlanItem] {
        [
            wall("a", (0, 0), (4_000, 0)), wall("b", (4_000, 0), (4_000, 3_000)),
            wall("c", (4_000, 3_000), (0, 3_000)), wall("d", (0, 3_000), (0, 0)),
            room("r", "Stue", .living, [(50, 50), (3_950, 50), (3_950, 2_950), (50, 2_950)]),
        ]
    }

    /// A flat of four rooms around a hall, with something of every kind in it.
    static var flat: [PlanItem] { shell + furniture + openings }

    private static var shell: [PlanItem] {
        [
            wall("s1", (0, 0), (9_000, 0), thickness: 200),
            wall("e1", (9_000, 0), (9_000, 7_000), thickness: 200),
            wall("n1", (9_000, 7_000), (3_000, 7_000), thickness: 200),
            wall("n2", (3_000, 7_000), (3_000, 8_000), thickness: 200),
            wall("n3", (3_000, 8_000), (0, 8_000), thickness: 200),
            wall("w1", (0, 8_000), (0, 0), thickness: 200),
            wall("i1", (4_500, 0), (4_500, 4_000)), wall("i2", (0, 4_000), (4_500, 4_000)),
            wall("i3", (4_500, 4_000), (9_000, 4_000)), wall("i4", (6_500, 4_000), (6_500, 7_000)),
            wall("i5", (3_000, 5_500), (3_000, 7_000)), wall("i6", (0, 5_500), (3_000, 5_500)),
            room(
                "living", "Living room", .living,
                [(100, 100), (4_450, 100), (4_450, 3_950), (100, 3_950)]),
            room(
                "bed", "Bedroom", .bedroom,
                [(4_550, 100), (8_900, 100), (8_900, 3_950), (4_550, 3_950)]),
            room(
                "hall", "Hall", .hall,
                [
                    (100, 4_050), (6_450, 4_050), (6_450, 6_900), (3_050, 6_900), (3_050, 5_450),
                    (100, 5_450),
                ]),
            room(
                "bath", "Bathroom", .bathroom,
                [(6_550, 4_050), (8_900, 4_050), (8_900, 6_900), (6_550, 6_900)]),
            room(
                "kitchen", "Kitchen", .kitchen,
                [(100, 5_550), (2_950, 5_550), (2_950, 7_900), (100, 7_900)]),
        ]
    }

    private static var furniture: [PlanItem] {
        [
            element("sofa", .seat, "Sofa", at: (700, 2_000), 2_000, 900, angle: 90_000),
            element("table", .table, "Coffee table", at: (2_000, 2_000), 1_200, 600, angle: 90_000),
            element("shelf", .cupboard, "Book shelf", at: (2_500, 3_750), 1_800, 350),
            element("bed-1", .bed, "Bed", at: (7_800, 1_400), 1_500, 2_000, angle: 270_000),
            element(
                "wardrobe", .cupboard, "Wardrobe", at: (5_000, 2_800), 1_800, 600, angle: 90_000),
            element("lift", .aid, "Mobile lift", at: (5_600, 700), 600, 1_100),
            element("wc", .toilet, "Toilet", at: (8_500, 6_000), 380, 700, angle: 270_000),
            element("basin", .washbasin, "Washbasin", at: (7_700, 6_650), 600, 480),
            element("tub", .bath, "Bath", at: (8_500, 4_900), 700, 1_600),
            element("shower", .shower, "Shower", at: (7_000, 6_450), 900, 900),
            element("bench", .kitchenBench, "Kitchen bench", at: (1_500, 7_600), 2_700, 600),
            element("stove", .appliance, "Stove", at: (400, 6_800), 600, 600, angle: 90_000),
            element("stairs", .stairs, "Stairs", at: (5_500, 6_300), 900, 1_100),
            element("column", .structure, "Chimney", at: (300, 4_250), 400, 400),
            element(
                "chair-1", .wheelchair, "Wheelchair", at: (2_600, 4_750), 680, 1_150,
                angle: 90_000),
            element("stool", .seat, "Stool", at: (3_300, 1_000), 350, 350),
            element("thing", .unspecified, "", at: (3_900, 3_000), 400, 500, angle: 20_000),
        ]
    }

    private static var openings: [PlanItem] {
        var items: [PlanItem] = []
        func opening(
            _ id: String, _ wall: String, _ kind: OpeningKind, _ offset: UInt32, _ width: UInt32,
            hingesAtEnd: Bool = false, swingsRight: Bool = false, entrance: Bool = false
        ) {
            items.append(
                PlanItem(
                    item: .opening(
                        Opening(
                            id: id, wall: wall, kind: kind, offset: offset, width: width,
                            height: 1_200, sill: kind == .window ? 900 : 0,
                            hingesAtEnd: hingesAtEnd, swingsRight: swingsRight,
                            entrance: entrance))))
        }
        opening("w-living", "s1", .window, 1_200, 2_000)
        opening("w-bed", "s1", .window, 6_000, 1_500)
        opening("w-bed2", "e1", .window, 1_200, 1_200)
        opening("d-living", "i2", .passage, 1_500, 1_200)
        opening("d-bed", "i3", .door, 300, 900, hingesAtEnd: true, swingsRight: true)
        opening("d-bath", "i4", .slidingDoor, 400, 800, hingesAtEnd: true)
        opening("d-kitchen", "i6", .door, 1_700, 800, swingsRight: false)
        opening("d-front", "w1", .door, 3_100, 1_000, swingsRight: true, entrance: true)
        opening("w-kitchen", "n3", .window, 900, 1_400)
        return items
    }
}
