import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// The first three sprints of the integration tests of plans, at the command line against the
/// running service. Each touch is replaced by a command.
@Suite(.serialized, .waiting) struct PlanAcceptanceTests {
    // MARK: Sprint 1

    @Test func `INTG-11 the commands lead to one another, and giving up changes nothing`() throws {
        let office = try PlanOffice(plan: nil)
        let menu = try office.run("plan --help")
        #expect(menu.contains("create") && menu.contains("use") && menu.contains("list"))
        let empty = try office.say("plan list")
        #expect(empty.end == .exited(0) && empty.err.contains("steward plan create NAME"))
        #expect(try office.refusal(of: "plan show").contains("steward plan create NAME"))
        #expect(try office.refusal(of: "plan create").contains("name"))
        #expect(try office.rows("plan list").isEmpty)

        try office.run("plan create 'Storgata 1'")
        #expect(try office.refusal(of: "plan use 'Storgata 7'").contains("Storgata 7"))

        #expect(try office.contents().plan?.details?.name == "Storgata 1")
        #expect(try office.run("plan list").contains("in use"))
    }

    @Test func `INTG-12 a plan chosen from the list is opened and shown`() throws {
        let office = try PlanOffice()
        try office.draw(
            "add bed --at 1000,1200 --size 900x2000 --label 'Guest bed'", "create Havnegata",
            "add table --at 500,500 --size 800x800")
        let names = try office.rows("plan list").compactMap { row in
            (row["details"] as? [String: Any])?["name"] as? String
        }
        #expect(Set(names) == ["Storgata 1", "Havnegata"])

        try office.run("plan use 'Storgata 1'")

        #expect(try office.items().keys.sorted() == ["bed-1"])
        #expect(try office.run("plan show").contains("Guest bed"))
        #expect(try office.text("svg").contains("data-item=\"bed-1\""))
        #expect(try office.items("Havnegata").keys.sorted() == ["table-1"])
    }

    @Test func `INTG-13 a thing that is added is shown in the plan`() throws {
        let office = try PlanOffice()

        let said = try office.run("plan add bed --at 1000,1200 --size 900x2000")

        #expect(said == "bed-1: 900 x 2000 mm at (1000, 1200)\n")
        #expect(try office.run("plan show").contains("bed-1"))
        #expect(try office.text("svg").contains("data-item=\"bed-1\""))
    }

    // MARK: Sprint 2

    @Test func `INTG-21 FR7 a thing is moved to where it is wanted`() throws {
        let office = try PlanOffice()
        try office.draw(
            "add bed --at 1000,1200 --size 900x2000", "move bed-1 --to 3000,2500")
        #expect(try office.element("bed-1").centre == PlanPoint(3000, 2500))

        try office.draw("move bed-1 --west 50cm --north 10cm")

        #expect(try office.element("bed-1").centre == PlanPoint(2500, 2600))
        #expect(try office.element("bed-1").width == 900)
    }

    @Test func `INTG-22 FR12 a thing that would overlap another is refused, and named`() throws {
        let office = try PlanOffice()
        try office.draw(
            "add bed --at 1000,1200 --size 900x2000",
            "add table --at 3000,1200 --size 800x800 --label Desk")

        let refused = try office.refusal(of: "plan move bed-1 --to 2500,1200")

        #expect(refused.contains("bed-1") && refused.contains("Desk"))
        #expect(try office.element("bed-1").centre == PlanPoint(1000, 1200))
        // Rotated by 45 degrees, its corners are elsewhere, and the check is exact.
        try office.draw("move bed-1 --to 2150,1200")
        #expect(try office.refusal(of: "plan rotate bed-1 --to 45").contains("Desk"))
        try office.draw("move bed-1 --to 2500,1200 --force")
        #expect(try office.element("bed-1").centre == PlanPoint(2500, 1200))
    }

    @Test func `INTG-23 FR12 a thing that is dropped on a wall stays where it was`() throws {
        let office = try PlanOffice()
        try office.draw(
            "wall --from 0,0 --to 4000,0", "add bed --at 1000,1200 --size 900x2000",
            "move bed-1 --to 2000,1500")

        let refused = try office.refusal(of: "plan move bed-1 --to 2000,900")

        #expect(refused.contains("wall-1") && refused.contains("150 mm"))
        #expect(try office.element("bed-1").centre == PlanPoint(2000, 1500))
        try office.restart()
        #expect(try office.element("bed-1").centre == PlanPoint(2000, 1500))
    }

    @Test func `INTG-24 FR8 a thing gets larger and smaller about its middle`() throws {
        let office = try PlanOffice()
        try office.draw("add table --at 1000,1000 --size 800x800")
        try office.draw("resize table-1 --size 120x90cm")
        var table = try office.element("table-1")
        #expect((table.width, table.depth) == (1200, 900))

        try office.draw("resize table-1 --width 600")

        table = try office.element("table-1")
        #expect((table.width, table.depth) == (600, 900))
        #expect(table.centre == PlanPoint(1000, 1000))
        try office.draw("add bed --at 2000,1000 --size 900x2000")
        #expect(try office.refusal(of: "plan resize table-1 --width 1300").contains("bed-1"))
        #expect(try office.refusal(of: "plan resize table-1 --width 0").contains("1 mm"))
        #expect(try office.element("table-1").width == 600)
    }

    @Test func `INTG-25 FR9 a thing is turned in either direction`() throws {
        let office = try PlanOffice()
        try office.draw("add bed --at 1000,1200 --size 900x2000", "rotate bed-1 --by 30")
        #expect(try office.element("bed-1").angle == 30_000)

        try office.draw("rotate bed-1 --by -45")

        #expect(try office.element("bed-1").angle == 345_000)
        try office.draw("rotate bed-1 --to 90")
        #expect(try office.run("plan show bed-1").contains("turned 90°"))
        #expect(try office.element("bed-1").centre == PlanPoint(1000, 1200))
    }

    @Test func `INTG-26 FR10 a thing that is removed is gone, until that is undone`() throws {
        let office = try PlanOffice()
        try office.draw(
            "add bed --at 1000,1200 --size 900x2000", "wall --from 0,0 --to 4000,0",
            "door wall-1 --offset 300 --width 900", "remove bed-1")
        #expect(try office.items().keys.sorted() == ["door-1", "wall-1"])

        try office.draw("remove wall-1")

        #expect(try office.items().isEmpty)
        try office.draw("undo 2")
        #expect(try office.items().keys.sorted() == ["bed-1", "door-1", "wall-1"])
        try office.draw("redo")
        #expect(try office.items().keys.sorted() == ["door-1", "wall-1"])
        #expect(try office.refusal(of: "plan remove bed-1").contains("bed-1"))
    }

    // MARK: Sprint 3

    @Test func `INTG-31 the help leads through everything that can be added`() throws {
        let office = try PlanOffice(plan: nil)
        let menu = try office.run("plan --help")
        for command in ["wall", "door", "window", "passage", "room", "add", "wheelchair"] {
            #expect(menu.contains("  \(command) "))
            let help = try office.run("plan \(command) --help")
            #expect(help.contains("USAGE: steward plan \(command)"))
        }
        let kinds = try office.run("plan add --help")
        #expect(kinds.contains("bed, toilet") && kinds.contains("other"))
        #expect(try office.run("plan wall --help").contains("steward plan wall --from 0,0"))
    }

    @Test func `INTG-32 FR4 a wall goes from where it starts to where it ends`() throws {
        let office = try PlanOffice()

        try office.draw("wall --from 500,700 --to 4200,2900 --thickness 120")

        let wall = try office.wall("wall-1")
        #expect(wall.start == PlanPoint(500, 700) && wall.end == PlanPoint(4200, 2900))
        #expect(wall.thickness == 120)
        #expect(try office.text("svg").contains("data-item=\"wall-1\""))
        // A shared corner joins two walls: it moves with both.
        try office.draw("wall --from wall-1:end --to 4200,6000", "corner 4200,2900 --to 4300,3000")
        #expect(try office.wall("wall-1").end == PlanPoint(4300, 3000))
        #expect(try office.wall("wall-2").start == PlanPoint(4300, 3000))
    }

    @Test func `INTG-33 FR4 a door is in its wall, moves with it, and never leaves it`() throws {
        let office = try PlanOffice()
        try office.draw(
            "wall --from 0,0 --to 4000,0", "wall --from 0,3000 --to 4000,3000",
            "door wall-1 --offset 300 --width 900 --clear 824")
        #expect(try office.opening("door-1").wall == "wall-1")
        #expect(try office.text("svg").contains("data-item=\"door-1\""))

        try office.draw("move wall-1 --south 1m", "move door-1 --east 50cm")
        #expect(try office.opening("door-1").offset == 800)
        #expect(try office.opening("door-1").wall == "wall-1")

        let outside = try office.refusal(of: "plan dock door-1 --offset 3200")
        #expect(outside.contains("the largest offset is 3100 mm"))
        try office.draw("window wall-1 --offset 2000 --width 1200 --sill 90cm")
        #expect(try office.refusal(of: "plan dock door-1 --offset 1500").contains("window-1"))
        #expect(try office.refusal(of: "plan length wall-1 1m").contains("door-1"))
        #expect(try office.opening("door-1").offset == 800)
        try office.draw("dock door-1 --wall wall-2 --offset 100")
        #expect(try office.opening("door-1").wall == "wall-2")
    }

    @Test func `INTG-34 FR4 a thing is where it was put`() throws {
        let office = try PlanOffice()

        try office.draw("add toilet --at 300,2600 --size 40x70cm --angle 180 --height 42cm")

        let toilet = try office.element("toilet-1")
        #expect(toilet.centre == PlanPoint(300, 2600))
        #expect((toilet.width, toilet.depth, toilet.height) == (400, 700, 420))
        #expect((toilet.kind, toilet.angle) == (.toilet, 180_000))
    }

    @Test func `INTG-35 FR2 FR3 a plan is unchanged after a power cut`() throws {
        let office = try PlanOffice()
        try office.draw(
            "room Bath --at 0,0 --size 2100x3000 --walls 100 --use bathroom",
            "door room-1-wall-1 --offset 400 --width 900",
            "add toilet --at 400,2600 --size 40x70cm --angle 90", "create Other")
        let before = try office.items("Storgata 1")
        #expect(before.count == 7)

        try office.restart()

        #expect(try office.run("plan list").contains("Storgata 1"))
        try office.run("plan use 'Storgata 1'")
        #expect(try office.items() == before)
        try office.draw("undo")
        #expect(try office.items().count == 6)
    }

    @Test func `an undo that names the revision it was typed for undoes no later edit`() throws {
        let office = try PlanOffice()
        try office.draw("add toilet --at 400,2600 --size 40x70cm")
        let seen = try #require(try office.contents().plan?.revision)
        #expect(try office.run("plan show").contains("revision  \(seen)\n"))
        try office.draw("move toilet-1 --east 10cm")

        let refused = try office.refusal(of: "plan undo --revision \(seen)")

        #expect(refused.contains("steward plan history"))
        #expect(try office.element("toilet-1").centre == PlanPoint(500, 2600))
        try office.draw("undo --revision \(seen + 1)")
        #expect(try office.element("toilet-1").centre == PlanPoint(400, 2600))
    }

    @Test func `INTG-36 FR1 the details of a plan are kept and shown`() throws {
        let office = try PlanOffice(plan: nil)
        try office.run(
            "plan create 'Storgata 1' --address 'Storgata 1, 0155 Oslo' --client K-4711 "
                + "--author 'A. Berg' --description 'New bathroom' --tolerance 5 --standard tek17")
        try office.restart()

        let shown = try office.run("plan show")

        for text in [
            "Storgata 1, 0155 Oslo", "K-4711", "A. Berg", "New bathroom", "± 5 mm", "tek17",
        ] { #expect(shown.contains(text)) }
        #expect(try office.run("plan list 4711").contains("Storgata 1"))
        try office.draw("details --client K-4712 --description ''")
        let details = try #require(try office.contents().plan?.details)
        #expect((details.client, details.description) == ("K-4712", ""))
        #expect((details.author, details.tolerance) == ("A. Berg", 5))
    }

    @Test func `INTG-37 FR14 zooming in shows less of the plan, zooming out more`() throws {
        let office = try PlanOffice()
        try office.draw("room Hall --at 0,0 --size 8000x6000 --walls 100", "view zoom in")
        let near = try office.view().width
        #expect(near > 0)

        try office.draw("view zoom 2")
        #expect(try office.view().width == near / 2)
        try office.draw("view zoom out")

        #expect(try office.view().width == near)
        #expect(try office.text("svg", "--view") != office.text("svg"))
        try office.draw("view fit")
        #expect(try office.view().width == 0)
        #expect(try office.refusal(of: "plan view zoom 0").contains("from 0.01 to 100"))
    }

    @Test func `INTG-38 FR15 the view moves in the direction of the pan`() throws {
        let office = try PlanOffice()
        try office.draw("room Hall --at 0,0 --size 8000x6000 --walls 100", "view zoom in")
        let before = try #require(try office.view().centre)

        try office.draw("view pan --east 1m --south 50cm")

        #expect(try office.view().centre == PlanPoint(before.x + 1000, before.y - 500))
        try office.draw("view pan --by -1000,500")
        #expect(try office.view().centre == before)
    }
}
