import Foundation
import Messages
import TestSupport
import Testing

@testable import FloorPlan

/// The floor that a door sweeps, and what keeps it from opening fully.
struct DoorLeafTests {
    private static let wall = Wall(
        id: "wall", start: PlanPoint(), end: PlanPoint(x: 4_000, y: 0), thickness: 100)
    /// A leaf of 900 about (1000, 50), which opens to the north.
    private static let door = Opening(
        id: "door", wall: "wall", kind: .door, offset: 1_000, width: 900, height: 2_100,
        clearWidth: 800)

    private static func cupboard(
        _ x: Int32, _ y: Int32, _ width: UInt32 = 400, _ depth: UInt32 = 400,
        elevation: UInt32 = 0, kind: ElementKind = .cupboard, angle: UInt32 = 0
    ) -> Element {
        Element(
            id: "cupboard", kind: kind, centre: PlanPoint(x: x, y: y), width: width, depth: depth,
            height: 500, elevation: elevation, angle: angle)
    }

    private static func stop(_ element: Element, _ door: Opening = door) -> DoorStop? {
        DoorStop.all(of: door, in: wall, elements: [element], walls: []).first
    }

    @Test func `the outline of the swept floor covers the whole quarter circle`() throws {
        var seed = Seed(48)
        for _ in 0..<200 {
            var door = Self.door
            (door.hingesAtEnd, door.swingsRight) = (seed.oneIn(2), seed.oneIn(2))
            let leaf = try #require(DoorLeaf(of: door, in: Self.wall))
            let swept = leaf.swept
            for step in 0...2_000 {
                let turn = Vector(angle: Double(step) / 2_000 * .pi / 2)
                let place = leaf.hinges + leaf.shut * (900 * turn.x) + leaf.open * (900 * turn.y)
                #expect(swept.depth(of: place) >= -1e-6)
            }
            let farthest = swept.corners.map { $0.distance(to: leaf.hinges) }.max() ?? 0
            #expect(farthest < 900.13)
            // Shut and open, it ends exactly where the leaf does.
            #expect(swept.bounds.size.x == 900 && swept.bounds.size.y == 900)
        }
    }

    @Test func `the frame is equally wide on both sides of a leaf narrower than the hole`() throws {
        var door = Self.door
        door.leafWidth = 820
        #expect(DoorLeaf(of: door, in: Self.wall)?.hinges == Vector(1_040, 50))
        door.hingesAtEnd = true
        #expect(DoorLeaf(of: door, in: Self.wall)?.hinges == Vector(1_860, 50))
    }

    @Test func `a door stopped by an obstacle loses the cosine of its angle in clear width`() throws
    {
        // Its nearest corner is at (1500, 650), less half a millimetre: 500 east and 600 north of
        // the hinges.
        let stop = try #require(Self.stop(Self.cupboard(1_300, 850)))
        let angle = atan2(600.5, 499.5)
        #expect(abs(stop.angle - angle) < 1e-9)
        #expect(stop.degrees == 50)
        #expect(stop.passage == UInt32(800 - 900 * cos(angle)))
    }

    @Test(arguments: [false, true])
    func `a leaf that opens only partly leaves a gap at the end without hinges`(
        atEnd: Bool
    ) throws {
        var door = Self.door
        door.hingesAtEnd = atEnd
        // Mirrored about x = 1450.
        let cupboard = Self.cupboard(atEnd ? 1_600 : 1_300, 850)
        let dwelling = Dwelling(
            FloorPlan([
                PlanItem(item: .wall(Self.wall)), PlanItem(item: .opening(door)),
                PlanItem(item: .element(cupboard)),
            ]))
        let left = Double(try #require(Self.stop(cupboard, door)).passage)
        #expect(left > 200 && left < 300)
        let hole = try #require(dwelling.hole(door)).bounds
        #expect(abs(hole.low.x - (atEnd ? 1_050 : 1_850 - left)) < 1e-6)
        #expect(abs(hole.high.x - (atEnd ? 1_050 + left : 1_850)) < 1e-6)
    }

    @Test func `a door opens fully if its leaf meets nothing`() {
        #expect(Self.stop(Self.cupboard(800, 850)) == nil)
        #expect(Self.stop(Self.cupboard(1_300, 1_151)) == nil)
        #expect(Self.stop(Self.cupboard(2_101, 500)) == nil)
        #expect(Self.stop(Self.cupboard(1_300, -500)) == nil)
        // A wall cupboard above the door, and a chair, which moves.
        #expect(Self.stop(Self.cupboard(1_300, 850, elevation: 2_100)) == nil)
        #expect(Self.stop(Self.cupboard(1_300, 850, elevation: 2_099)) != nil)
        #expect(Self.stop(Self.cupboard(1_300, 850, kind: .wheelchair)) == nil)
        var sliding = Self.door
        sliding.kind = .slidingDoor
        #expect(Self.stop(Self.cupboard(1_300, 850), sliding) == nil)
    }

    @Test func `the stop of a door is the first angle at which its leaf meets something`() {
        var seed = Seed(7)
        for _ in 0..<200 {
            var door = Self.door
            (door.hingesAtEnd, door.swingsRight) = (seed.oneIn(2), seed.oneIn(2))
            let element = Self.cupboard(
                Int32(seed.below(3_000)), Int32(seed.below(2_400)) - 1_200,
                UInt32(50 + seed.below(900)), UInt32(50 + seed.below(900)),
                angle: UInt32(seed.below(360_000)))
            guard let leaf = DoorLeaf(of: door, in: Self.wall) else { continue }
            let core = ConvexPolygon(
                centre: element.place, width: Double(element.width) - 1,
                depth: Double(element.depth) - 1, angle: element.turn)
            // The expected angle, found in steps of a quarter of a degree along the leaf.
            let met = (0...360).first { step in
                let turn = Vector(angle: Double(step) / 360 * .pi / 2)
                let along = leaf.shut * turn.x + leaf.open * turn.y
                return (0...60).contains {
                    core.depth(of: leaf.hinges + along * Double($0 * 15)) > 0
                }
            }
            let stop = Self.stop(element, door)
            if let met {
                #expect((stop?.angle ?? 9) <= Double(met) / 360 * .pi / 2 + 1e-9)
            }
            if let stop {
                let reached = leaf.shut * cos(stop.angle) + leaf.open * sin(stop.angle)
                let gap =
                    (0...9_000).map {
                        core.depth(of: leaf.hinges + reached * (Double($0) / 10))
                    }.max() ?? -1
                #expect(gap > -0.1, "\(stop)")
            }
        }
    }

    @Test func `a partition that ends in a doorway stops its door, though it is in no room`() {
        func stoppedBy(_ x: Int32) -> [String?] {
            let partition = Wall(
                id: "partition", start: PlanPoint(x: x, y: 0), end: PlanPoint(x: x, y: 4_000),
                thickness: 100)
            let sides: [(Int32, Int32)] = [(0, x - 50), (x + 50, 4_000)]
            let rooms = sides.map { west, east in
                Room(
                    id: "room-\(west)",
                    corners: [
                        PlanPoint(x: west, y: 50), PlanPoint(x: east, y: 50),
                        PlanPoint(x: east, y: 4_000), PlanPoint(x: west, y: 4_000),
                    ])
            }
            let items =
                [
                    PlanItem(item: .wall(Self.wall)), PlanItem(item: .opening(Self.door)),
                    PlanItem(item: .wall(partition)),
                ] + rooms.map { PlanItem(item: .room($0)) }
            return Dwelling(FloorPlan(items)).doors(tooNarrowFor: 700).map(\.stoppedBy)
        }
        #expect(stoppedBy(1_450) == ["partition"])
        // Beside the opening.
        #expect(stoppedBy(1_950) == [])
    }

    @Test func `a door in which something stands is too narrow for what doesn't pass beside it`() {
        func narrow(_ things: [Element], for width: UInt32) -> [Dwelling.NarrowDoor] {
            let items =
                [PlanItem(item: .wall(Self.wall)), PlanItem(item: .opening(Self.door))]
                + things.map { PlanItem(item: .element($0)) }
            return Dwelling(FloorPlan(items)).doors(tooNarrowFor: width)
        }
        // South of the door, which opens to the north: it covers the first 100 mm of 800.
        let cupboard = Self.cupboard(950, -250)
        #expect(narrow([], for: 750) == [] && narrow([cupboard], for: 700) == [])
        #expect(
            narrow([cupboard], for: 750) == [
                .init(
                    id: "door", passage: 700, isMeasured: true, missing: 50, stoppedBy: "cupboard")
            ])
    }

    /// Two doors in a corner: one opens over the ramp of 1200 mm that leads to the other.
    private static func corner(
        height: UInt32, threshold: UInt32 = 0, isLed: Bool = true, product: PlacedProduct? = nil
    ) -> FloorPlan {
        let side = Wall(
            id: "side", start: PlanPoint(x: 500, y: 50), end: PlanPoint(x: 500, y: 3_000),
            thickness: 100)
        let other = Opening(
            id: "other", wall: "side", kind: .door, offset: 200, width: 900, clearWidth: 800,
            threshold: 100, swingsRight: true)
        var door = Self.door
        door.threshold = threshold
        // Its high end is at x = 550.
        let ramp = Element(
            id: "ramp", kind: .aid, centre: PlanPoint(x: 1_150, y: 700), width: 900, depth: 1_200,
            height: height, angle: 90_000, product: product, aidClass: "183015")
        return FloorPlan(
            [
                PlanItem(item: .wall(Self.wall)), PlanItem(item: .opening(door)),
                PlanItem(item: .wall(side)), PlanItem(item: .element(ramp)),
            ] + (isLed ? [PlanItem(item: .opening(other))] : []))
    }

    @Test func `a door doesn't open over the high part of a ramp that leads to another door`() {
        let stops = Self.corner(height: 100).doorStops()
        #expect(stops["door"]?.map(\.id) == ["ramp"])
        // It is 20 mm high 960 mm from the other door, less half a millimetre.
        let angle = atan2(200.5, 509.5)
        #expect(abs((stops["door"]?.first?.angle ?? 0) - angle) < 1e-9)
        // The other door opens over it too, but the ramp begins at its threshold.
        #expect(stops["other"] == nil)
    }

    @Test func `a door opens over a ramp that is no higher than its threshold or the floor`() {
        #expect(Self.corner(height: 20).doorStops()["door"] == nil)
        #expect(Self.corner(height: 100, threshold: 100).doorStops()["door"] == nil)
        #expect(Self.corner(height: 100, threshold: 50).doorStops()["door"] != nil)
    }

    @Test func `any part of a ramp may be high if it isn't known where its high end is`() {
        let expected = atan2(200.5, 749.5)
        for plan in [Self.corner(height: 100, isLed: false), Self.corner(height: 0)] {
            let stop = plan.doorStops()["door"]?.first
            #expect(abs((stop?.angle ?? 0) - expected) < 1e-9)
        }
    }

    @Test func `a product in the way of a door is as high as the threshold that it leads to`() {
        let product = PlacedProduct(id: "p", name: "Wedge", isoCode: "18301505")
        func stops(_ height: UInt32, threshold: UInt32) -> [DoorStop]? {
            Self.corner(height: height, threshold: threshold, product: product)
                .doorStops()["door"]
        }
        #expect(stops(300, threshold: 100) == nil)
        #expect(stops(100, threshold: 0)?.count == 1)
        #expect(stops(300, threshold: 0) == stops(100, threshold: 0))
    }

    @Test func `a chair doesn't get through a door that something keeps shut`() throws {
        func plan(_ things: [Element]) -> FloorPlan {
            var door = Self.door
            door.entrance = true
            let room = Room(
                id: "room",
                corners: [
                    PlanPoint(x: 0, y: 50), PlanPoint(x: 4_000, y: 50),
                    PlanPoint(x: 4_000, y: 4_000), PlanPoint(x: 0, y: 4_000),
                ])
            return FloorPlan(
                [
                    PlanItem(item: .wall(Self.wall)), PlanItem(item: .opening(door)),
                    PlanItem(item: .room(room)),
                ] + things.map { PlanItem(item: .element($0)) })
        }
        let chair = Chair(width: 700, length: 1_200)
        let free = Dwelling(plan([]))
        #expect(try free.access(for: chair).map(\.reached) == [.yes])
        // Far from the chair's path, but behind the leaf.
        let shut = Dwelling(plan([Self.cupboard(1_100, 650, 200, 1_000)]))
        #expect(try shut.access(for: chair).map(\.reached) == [.no])
        #expect(shut.doors(tooNarrowFor: 700).map(\.stoppedBy) == ["cupboard"])
        #expect(try shut.obstruction(of: "room", for: chair)?.ids == ["cupboard"])
    }
}
