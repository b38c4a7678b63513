import Foundation
import Messages
import TestSupport
import Testing

/// Measures are typed as people take them: inside a room, from the wall in the corner.
struct PlanFaceTests {
    /// A hall with a bathroom behind its north wall, which goes from east to west.
    private static func home(_ office: PlanOffice) throws {
        try office.draw(
            "room Hall --at 0,0 --size 4000x1500 --walls 100 --use hall",
            "room Bath --at 0,1600 --size 2100x2400 --use bathroom",
            "wall --from room-1-wall-3:end --to -50,4050 --to 2150,4050 --to 2150,1550")
    }

    @Test func `a door's offset is measured from the wall's face in the room's corner`() throws {
        let office = try PlanOffice()
        try Self.home(office)

        // The centre line of the wall begins 50 mm outside the room.
        try office.draw("door room-1-wall-1 --offset 400 --width 900 --clear 800")
        #expect(try office.opening("door-1").offset == 450)
        try office.draw("door room-1-wall-1 --from-end 300 --width 900 --clear 800")
        #expect(try office.opening("door-2").offset == 50 + 4_000 - 300 - 900)
        // The first is measured from the hall's west wall, the second inside the bathroom, from its
        // own corner at that end.
        try office.draw(
            "door room-1-wall-3 --offset 100 --from room-1-wall-4 --width 800 --clear 700",
            "door room-1-wall-3 --offset 1100 --from end --in Bath --opens-into Bath --width 900 "
                + "--clear 800")
        #expect(try office.opening("door-3").offset == 4_050 - 100 - 800)
        let door = try office.opening("door-4")
        #expect(door.offset == 4_050 - 1_100 - 900 && door.swingsRight)
        try office.draw("dock door-4 --offset 200 --in Bath")
        #expect(try office.opening("door-4").offset == 1_950 + 200)
    }

    @Test func `the side to which a door opens is given by the room`() throws {
        let office = try PlanOffice()
        try Self.home(office)
        try office.draw("door room-1-wall-3 --offset 300 --width 900 --opens-into Hall")
        #expect(try !office.opening("door-1").swingsRight)
        let wrong = try office.refusal(
            of: "plan door room-1-wall-1 --offset 300 --width 900 --opens-into Bath")
        #expect(wrong.contains("isn't a wall of “Bath”") && wrong.contains("“Hall”"))
        #expect(
            try office.refusal(of: "plan door room-1-wall-3 --offset 3200 --width 900")
                .contains("the largest offset is 3100 mm"))
    }

    @Test func `a thing stands against a wall with its back to it`() throws {
        let office = try PlanOffice()
        try Self.home(office)

        // wall-2 is the bathroom's north wall, from west to east.
        try office.draw("add toilet --against wall-2 --from end --offset 250 --size 400x700")
        let toilet = try office.element("toilet-1")
        #expect(toilet.centre == PlanPoint(2_100 - 250 - 200, 4_000 - 350) && toilet.angle == 0)
        try office.draw("add cupboard --against wall-1 --from wall-2 --offset 100 --size 600x300")
        let shelf = try office.element("cupboard-1")
        #expect(shelf.centre == PlanPoint(150, 4_000 - 100 - 300))
        // Its rear is to the west, so its front faces east.
        #expect(shelf.angle == 90_000)
        try office.draw("move cupboard-1 --against room-1-wall-3 --in Bath --offset 50")
        let moved = try office.element("cupboard-1")
        #expect(moved.centre == PlanPoint(2_100 - 50 - 300, 1_600 + 150))
        #expect(moved.angle == 180_000)
        let unclear = try office.refusal(of: "plan move cupboard-1 --against room-1-wall-3")
        #expect(unclear.contains("rooms on both sides") && unclear.contains("--in"))
    }

    @Test func `a wall without a room is measured from the walls that meet it`() throws {
        let office = try PlanOffice()
        try office.draw(
            "wall --from 0,0 --east 4m", "wall --north 3m", "door wall-1 --offset 300 --width 900",
            "door wall-1 --from-end 300 --width 900")
        #expect(try office.opening("door-1").offset == 300)
        #expect(try office.opening("door-2").offset == 4_000 - 50 - 300 - 900)
    }
}
