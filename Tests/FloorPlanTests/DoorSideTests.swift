import Messages
import Testing

@testable import FloorPlan

/// The two sides of a door with a threshold, and the ramps there.
struct DoorSideTests {
    /// A ramp north of a wall whose northern surface is at y = 0, before the middle of the door.
    private static func ramp(
        _ width: UInt32 = 900, _ depth: UInt32 = 480, height: UInt32 = 40, x: Int32 = 1_450,
        gap: Int32 = 0, angle: UInt32 = 0, product: PlacedProduct? = nil
    ) -> Element {
        Element(
            id: "ramp", kind: .aid, centre: PlanPoint(x: x, y: Int32(depth / 2) + gap),
            width: width, depth: depth, height: height, angle: angle * 1_000, product: product,
            aidClass: "183015")
    }

    /// A product of the catalogue.
    private static func product(isGuessed: Bool = false) -> PlacedProduct {
        PlacedProduct(id: "p", name: "Wedge", isoCode: "18301505", sizeEstimated: isGuessed)
    }

    /// The northern side of a door of 820 mm in a wall of 100 mm, with one ramp.
    private static func side(
        _ ramp: Element?, threshold: UInt32 = 40, clear: UInt32? = 820, entrance: Bool = false,
        isInside: Bool = true, _ limits: RampLimits = .driven, depth: Int32 = 3_000,
        among others: [PlanItem] = []
    ) throws -> DoorSide {
        let wall = Wall(
            id: "wall", start: PlanPoint(x: 0, y: -50), end: PlanPoint(x: 3_000, y: -50),
            thickness: 100)
        let door = Opening(
            id: "door", wall: "wall", kind: .door, offset: 1_000, width: 900, clearWidth: clear,
            threshold: threshold, entrance: entrance)
        let (low, high): (Int32, Int32) = isInside ? (0, depth) : (-3_100, -100)
        let room = Room(
            id: "room",
            corners: [
                PlanPoint(x: 0, y: low), PlanPoint(x: 3_000, y: low),
                PlanPoint(x: 3_000, y: high), PlanPoint(x: 0, y: high),
            ])
        let plan = FloorPlan(
            [
                PlanItem(item: .wall(wall)), PlanItem(item: .opening(door)),
                PlanItem(item: .room(room)),
            ] + [ramp].compactMap { $0 }.map { PlanItem(item: .element($0)) } + others)
        return try #require(
            plan.sides(of: door, limits, among: plan.ramps).first { $0.isLeft })
    }

    @Test func `a ramp of 1 in 12 counts, and one a millimetre shorter doesn't`() throws {
        let gentle = try Self.side(Self.ramp(900, 480))
        #expect(gentle.step == 0 && gentle.faults.isEmpty)
        let steep = try Self.side(Self.ramp(900, 478))
        #expect(steep.step == 40)
        #expect(steep.faults == [.steep(rise: 40, length: 478, needed: 480)])
        // It is an obstacle as high as it is, or as the threshold.
        #expect(try Self.side(Self.ramp(900, 100, height: 200)).step == 200)
    }

    @Test func `a ramp of 3 m or more has to be 1 in 15, and none climbs more than a metre`() {
        let limits = RampLimits.usual
        #expect(limits.allow(249, over: 2_988) && !limits.allow(250, over: 3_000))
        #expect(limits.length(for: 250) == 3_750 && limits.length(for: 240, from: 3_100) == 3_600)
        #expect(limits.length(for: 1_000) == 15_000 && limits.length(for: 1_001) == nil)
        #expect(!limits.allow(1, over: 0) && !limits.allow(.max, over: 15_000))
        #expect(limits.length(for: .max, from: 1e12) == nil)
    }

    @Test func `a ramp has to be as wide as its door`() throws {
        #expect(try Self.side(Self.ramp(820)).faults.isEmpty)
        #expect(try Self.side(Self.ramp(816)).faults == [.narrow(width: 816, needed: 820)])
        // As wide, but half beside the door.
        #expect(
            try Self.side(Self.ramp(820, x: 1_650)).faults == [.narrow(width: 420, needed: 820)])
        #expect(
            try Self.side(Self.ramp(820), RampLimits.usual).faults
                == [.narrow(width: 820, needed: 900)])
        // The clear width isn't measured: it could be nearly that of the opening.
        #expect(
            try Self.side(Self.ramp(820), clear: nil).faults
                == [.narrow(width: 820, needed: 900)])
    }

    @Test func `a ramp has to lead to its door`() throws {
        #expect(try Self.side(Self.ramp(480, 900, gap: -210, angle: 90)).faults == [.askew])
        #expect(try Self.side(Self.ramp(900, 600, angle: 180)).step == 0)
        #expect(try Self.side(Self.ramp(900, 600, gap: 90)).step == 0)
        #expect(try Self.side(Self.ramp(900, 600, gap: 110)).ramp == nil)
        #expect(try Self.side(Self.ramp(1_200, 600, gap: 40, angle: 20)).faults == [.askew])
    }

    @Test func `the part of a ramp beyond the middle of the wall serves the other side`() throws {
        // Half of 700 mm on either side: the middle of the wall is at y = -50.
        let bridge = try Self.side(Self.ramp(900, 700, gap: -400))
        #expect(bridge.faults == [.steep(rise: 40, length: 350, needed: 480)])
    }

    private static func wall(
        _ x: Int32, _ y: Int32, to endX: Int32, _ endY: Int32, thickness: UInt32 = 100
    ) -> PlanItem {
        PlanItem(
            item: .wall(
                Wall(
                    id: "other", start: PlanPoint(x: x, y: y), end: PlanPoint(x: endX, y: endY),
                    thickness: thickness)))
    }

    @Test func `a ramp ends at the wall that it is drawn through`() throws {
        #expect(try Self.side(Self.ramp(), depth: 480).faults.isEmpty)
        // No wall is drawn along the side of this room.
        let shallow = try Self.side(Self.ramp(), depth: 400)
        #expect(shallow.faults == [.steep(rise: 40, length: 400, needed: 480)])
        #expect(shallow.step == 40)
        let partition = Self.wall(0, 350, to: 3_000, 350)
        #expect(
            try Self.side(Self.ramp(), among: [partition]).faults
                == [.steep(rise: 40, length: 300, needed: 480)])
        let outside = try Self.side(
            Self.ramp(), entrance: true, isInside: false, among: [partition])
        #expect(outside.faults == [.steep(rise: 40, length: 300, needed: 480)])
    }

    @Test func `a ramp leads through a passage in a wall`() throws {
        func faults(_ kind: OpeningKind) throws -> [RampFault] {
            let hole = PlanItem(
                item: .opening(
                    Opening(id: "hole", wall: "other", kind: kind, offset: 850, width: 1_200)))
            return try Self.side(
                Self.ramp(), among: [Self.wall(0, 350, to: 3_000, 350), hole]
            ).faults
        }
        #expect(try faults(.passage).isEmpty)
        #expect(try !faults(.window).isEmpty)
    }

    @Test func `a ramp is only as wide as the floor between the walls beside it`() throws {
        func faults(_ thickness: UInt32, _ limits: RampLimits) throws -> [RampFault] {
            let beside = Self.wall(1_950, 0, to: 1_950, 3_000, thickness: thickness)
            return try Self.side(Self.ramp(), limits, among: [beside]).faults
        }
        // The ramp ends at x = 1900, and the wall begins 30 mm before that.
        #expect(try faults(160, .usual) == [.narrow(width: 870, needed: 900)])
        #expect(try faults(160, .driven).isEmpty)
        #expect(try faults(200, .driven) == [.narrow(width: 800, needed: 820)])
        // Walls are drawn imprecisely.
        #expect(try faults(130, .usual).isEmpty)
    }

    @Test func `a ramp that is higher than its threshold leaves a step down`() throws {
        #expect(try Self.side(Self.ramp(900, 720, height: 60)).step == 20)
        #expect(try Self.side(Self.ramp(900, 480), threshold: 0).step == 40)
        let entrance = try Self.side(Self.ramp(900, 720, height: 60), entrance: true)
        #expect(entrance.step == 20 && entrance.doubt == nil)
    }

    @Test func `the height of a ramp from the catalogue is unknown if it can be too high`() throws {
        let high = try Self.side(Self.ramp(900, 720, height: 60, product: Self.product()))
        #expect(high.doubt == .height && high.step == 0 && high.surely == .max)
        // Long enough for the threshold, and too short for all that it could climb.
        let short = try Self.side(Self.ramp(900, 500, height: 60, product: Self.product()))
        #expect(short.doubt == .height)
        let steep = try Self.side(Self.ramp(900, 470, height: 60, product: Self.product()))
        #expect(steep.faults == [.steep(rise: 40, length: 470, needed: 480)])
        let exact = try Self.side(Self.ramp(900, 480, product: Self.product()))
        #expect(exact.doubt == nil && exact.surely == 0)
        let guessed = try Self.side(Self.ramp(product: Self.product(isGuessed: true)))
        #expect(guessed.doubt == .size && guessed.surely == .max)
    }

    @Test func `a ramp outside an entrance may come up from lower ground`() throws {
        func outside(_ depth: UInt32, _ product: PlacedProduct? = nil) throws -> DoorSide {
            try Self.side(
                Self.ramp(900, depth, height: 150, product: product), entrance: true,
                isInside: false)
        }
        let ramp = try outside(1_800)
        #expect(ramp.doubt == .ground && ramp.surely == 0)
        #expect(try outside(1_798).faults == [.steep(rise: 150, length: 1_798, needed: 1_800)])
        // If it is set lower, it isn't too steep.
        #expect(try outside(1_000, Self.product()).doubt == .height)
        #expect(
            try Self.side(nil, entrance: true, isInside: false).step == 40)
    }

    @Test func `a chair may get in over a ramp whose height isn't known`() throws {
        func reached(_ ramp: Element) throws -> Certainty? {
            func room(_ id: String, _ y: Int32) -> PlanItem {
                PlanItem(
                    item: .room(
                        Room(
                            id: id,
                            corners: [
                                PlanPoint(x: 0, y: y), PlanPoint(x: 3_000, y: y),
                                PlanPoint(x: 3_000, y: y + 3_000), PlanPoint(x: 0, y: y + 3_000),
                            ])))
            }
            func wall(_ id: String, _ y: Int32) -> PlanItem {
                PlanItem(
                    item: .wall(
                        Wall(
                            id: id, start: PlanPoint(x: 0, y: y), end: PlanPoint(x: 3_000, y: y),
                            thickness: 100)))
            }
            func door(_ id: String, _ wall: String, threshold: UInt32) -> PlanItem {
                PlanItem(
                    item: .opening(
                        Opening(
                            id: id, wall: wall, kind: .door, offset: 1_000, width: 900,
                            clearWidth: 820, threshold: threshold, entrance: id == "front")))
            }
            var lower = Self.ramp(900, 480)
            (lower.id, lower.centre) = ("lower", PlanPoint(x: 1_450, y: -340))
            let plan = FloorPlan([
                room("inner", 0), room("outer", -3_100), wall("wall", -50),
                wall("facade", -3_150), door("door", "wall", threshold: 40),
                door("front", "facade", threshold: 0), PlanItem(item: .element(lower)),
                PlanItem(item: .element(ramp)),
            ])
            return try Dwelling(plan).access(for: Chair(width: 650, length: 1_100))
                .first { $0.room == "inner" }?.reached
        }
        #expect(try reached(Self.ramp(900, 480)) == .yes)
        #expect(try reached(Self.ramp(900, 300)) == .no)
        let high = Self.ramp(900, 720, height: 60, product: Self.product())
        #expect(try reached(high) == .uncertain)
    }
}
