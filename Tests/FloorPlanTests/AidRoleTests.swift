import Messages
import Testing

@testable import FloorPlan

/// What aids do in a plan, depending on their classes of ISO 9999.
struct AidRoleTests {
    private static func aid(_ code: String, at y: Int32 = 300, height: UInt32 = 40) -> Element {
        Element(
            id: "aid-\(y)", kind: .aid, centre: PlanPoint(x: 1_450, y: y), width: 900, depth: 500,
            height: height, aidClass: code)
    }

    /// A door with a threshold of 40 mm between two rooms, and some aids.
    private static func home(_ aids: [Element], entrance: Bool = false) -> FloorPlan {
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
        let wall = Wall(
            id: "wall", start: PlanPoint(x: 0, y: -50), end: PlanPoint(x: 3_000, y: -50),
            thickness: 100)
        let door = Opening(
            id: "door", wall: "wall", kind: .door, offset: 1_000, width: 900, clearWidth: 820,
            threshold: 40, entrance: entrance)
        return FloorPlan(
            [
                room("inner", 0), room("outer", -3_100), PlanItem(item: .wall(wall)),
                PlanItem(item: .opening(door)),
            ] + aids.map { PlanItem(item: .element($0)) })
    }

    private static func step(_ plan: FloorPlan) throws -> UInt32 {
        plan.step(at: try #require(plan.openings["door"]))
    }

    @Test func `an aid's class determines its role`() {
        let roles = ["18301505", "183018", "123603", "09120301", "093307", "181806", "181811"]
            .map { Self.aid($0).aidRole }
        #expect(roles == [.ramp, .ramp, .hoist, .movable, .movable, .grabRail, .movable])
        #expect(Self.aid("2203").aidRole == nil && Self.aid("").aidRole == nil)
    }

    @Test func `a chair can drive over a ramp`() {
        #expect(!Self.aid("183015", height: 150).isSolid)
        #expect(Self.aid("123603").isSolid)
    }

    @Test func `ramps on both sides of a door lower its threshold by the lower of the two`() throws
    {
        #expect(try Self.step(Self.home([])) == 40)
        let inner = Self.aid("183015", at: 250)
        #expect(try Self.step(Self.home([inner])) == 40)
        let outer = Self.aid("183015", at: -350, height: 25)
        #expect(try Self.step(Self.home([inner, outer])) == 15)
    }

    @Test func `a ramp away from the door lowers nothing`() throws {
        let (inner, outer) = (Self.aid("183015", at: 700), Self.aid("183015", at: -350))
        #expect(try Self.step(Self.home([inner, outer])) == 40)
    }

    @Test func `a chair gets in over ramps, and not over a threshold of 40 mm`() throws {
        let chair = Chair(width: 650, length: 1_100)
        func reached(_ plan: FloorPlan) throws -> Certainty? {
            var plan = plan
            let door = Opening(
                id: "front", wall: "facade", kind: .door, offset: 1_000, width: 1_000,
                clearWidth: 900, entrance: true)
            let wall = Wall(
                id: "facade", start: PlanPoint(x: 0, y: -3_150),
                end: PlanPoint(x: 3_000, y: -3_150),
                thickness: 100)
            plan.apply(ItemChange(after: PlanItem(item: .wall(wall))))
            plan.apply(ItemChange(after: PlanItem(item: .opening(door))))
            return try Dwelling(plan).access(for: chair).first { $0.room == "inner" }?.reached
        }
        #expect(try reached(Self.home([])) == .no)
        let ramps = [Self.aid("183015", at: 250), Self.aid("183015", at: -350)]
        #expect(try reached(Self.home(ramps)) == .yes)
    }

    @Test func `the lower edge of a door counts as its threshold where it is higher`() throws {
        var plan = Self.home([])
        var door = try #require(plan.openings["door"])
        (door.threshold, door.sill) = (10, 30)
        plan.apply(ItemChange(after: PlanItem(item: .opening(door))))

        #expect(try Self.step(plan) == 30)
        #expect(Dwelling(plan).step(at: door) == 30)
    }

    @Test func `movable aids can be left out of a plan`() {
        let plan = Self.home([Self.aid("093307", at: 900), Self.aid("183015", at: 2_000)])
        #expect(plan.withoutMovable.elements.keys.sorted() == ["aid-2000"])
    }
}
