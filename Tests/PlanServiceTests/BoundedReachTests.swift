import FloorPlan
import Messages
import Testing

@testable import PlanService

/// The answer about where a chair can go fits into a message.
@Suite struct BoundedReachTests {
    private static func room(
        _ number: Int, _ reached: Verdict, obstruction: Int = 0, name: Int = 10
    ) -> RoomReach {
        RoomReach(
            room: "room-\(number)", name: String(repeating: "n", count: name), reached: reached,
            obstruction: String(repeating: "o", count: obstruction))
    }

    @Test func `what fits into an answer stays as it is`() throws {
        let reach = PlanReach(
            width: 700, length: 1_100,
            rooms: (0..<500).map { Self.room($0, .fail, obstruction: 1_000) },
            doors: [TightDoor(door: "d", passage: 700, missing: 10)])

        #expect(try reach.bounded() == reach)
    }

    @Test func `words that don't fit are left out, and the verdict on each room stays`() throws {
        let reach = PlanReach(
            width: 700, length: 1_100,
            rooms: (0..<200).map { Self.room($0, .fail, obstruction: 20_000) },
            doors: (0..<10_000).map {
                TightDoor(
                    door: "door-\($0)", name: String(repeating: "d", count: 100),
                    passage: UInt32($0), missing: 10)
            })

        let bounded = try reach.bounded()

        #expect(bounded.packed().count <= PlanReach.mostBytes)
        #expect(bounded.rooms.map(\.room) == reach.rooms.map(\.room))
        #expect(bounded.rooms.allSatisfy { $0.reached == .fail })
        #expect(bounded.rooms[0] == reach.rooms[0] && bounded.rooms[199].obstruction.isEmpty)
        #expect(bounded.doors.first == reach.doors.first && bounded.doors.count > 500)
    }

    @Test func `a room that isn't reached stays when reached ones are left out`() throws {
        var rooms = (0..<9_998).map { Self.room($0, .pass, name: 200) }
        rooms.append(Self.room(9_998, .uncertain, name: 200))
        rooms.append(Self.room(9_999, .fail, name: 200))

        let bounded = try PlanReach(width: 700, length: 1_100, rooms: rooms).bounded()

        #expect(bounded.rooms == Array(rooms.suffix(2)))
    }

    @Test func `names are left out before a room that isn't reached`() throws {
        let rooms = (0..<9_999).map { Self.room($0, .fail, name: 200) }

        let bounded = try PlanReach(width: 700, length: 1_100, rooms: rooms).bounded()

        #expect(bounded.rooms.map(\.room) == rooms.map(\.room))
    }

    @Test func `an answer is as uncertain as the measures of the plan, and then shows no way`()
        throws
    {
        func reached(_ tolerance: UInt32) throws -> PlanReach {
            let details = PlanDetails(name: "Home", tolerance: tolerance, chair: "chair")
            // The chair is 650 mm wide.
            let home = FloorPlan(Processes.CheckTests.home(clear: 700))
            return try PlanSurvey(plan: Plan(details: details), drawing: home)
                .reached(ReachPlan(to: "Stue"))
        }
        // The same plan in between must not be taken for what was examined before.
        for _ in 0..<2 {
            let exact = try reached(0)
            #expect(exact.rooms.map(\.reached) == [.pass] && !exact.route.isEmpty)
            let loose = try reached(80)
            #expect(loose.rooms.map(\.reached) == [.uncertain] && loose.route.isEmpty)
        }
    }
}
