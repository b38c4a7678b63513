import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// The fourth sprint of the integration tests of plans: own elements, rooms, files, mail,
/// deletion, the lock of the view, and wheelchairs.
@Suite(.serialized, .waiting) struct PlanElementTests {
    @Test func `INTG-41 FR5 a thing of custom size has the given place and size`()
        throws
    {
        let office = try PlanOffice()

        try office.draw("add other --at 2000,1000 --size 60x45cm --height 130cm --label Aquarium")

        let own = try office.element("element-1")
        #expect((own.width, own.depth, own.height, own.label) == (600, 450, 1300, "Aquarium"))
        #expect(own.centre == PlanPoint(2000, 1000))
        #expect(try office.text("svg").contains("Aquarium"))
        let refused = try office.refusal(of: "plan add other --at 2000,1000 --size 9x9")
        #expect(refused.contains("Aquarium"))
    }

    @Test func `INTG-42 FR5 a thing saved in the library is placed again by its name`() throws {
        let office = try PlanOffice()
        try office.draw(
            "add other --at 2000,1000 --size 60x45cm --label Aquarium --angle 30",
            "library keep aquarium", "wall --from 0,0 --to 3000,0 --label Partition",
            "library keep wall-1 Partition",
            "room Booth --at 9000,9000 --size 1000x1200", "library keep booth")
        #expect(
            try office.rows("plan library list").compactMap { $0["label"] as? String }
                == ["Aquarium", "Booth", "Partition"])

        try office.draw(
            "create Havnegata", "place Aquarium --at 500,600 --angle 90",
            "place Partition --at 5000,5000 --angle 90", "place Booth --at 8000,2000")

        let placed = try office.element("element-1")
        #expect(placed.centre == PlanPoint(500, 600) && placed.angle == 90_000)
        #expect((placed.width, placed.depth, placed.custom) == (600, 450, "Aquarium"))
        let wall = try office.wall("wall-1")
        #expect(Set([wall.start, wall.end]) == [PlanPoint(5000, 3500), PlanPoint(5000, 6500)])
        #expect(try office.room("room-1").corners.contains(PlanPoint(7500, 1400)))
        try office.draw("library remove Aquarium")
        #expect(try office.refusal(of: "plan place Aquarium --at 0,0").contains("Aquarium"))
        #expect(try office.element("element-1").label == "Aquarium")
    }

    @Test func `INTG-43 FR7 a copy is where it was put, and the original stays`() throws {
        let office = try PlanOffice()
        try office.draw(
            "add bed --at 1000,1200 --size 900x2000 --angle 90", "copy-item bed-1 --to 1000,5000")

        let (bed, copy) = (try office.element("bed-1"), try office.element("bed-2"))

        #expect(copy.centre == PlanPoint(1000, 5000) && bed.centre == PlanPoint(1000, 1200))
        #expect((copy.width, copy.depth, copy.angle) == (bed.width, bed.depth, bed.angle))
        #expect(try office.refusal(of: "plan copy-item bed-1 --by 100,0").contains("bed-1"))
        try office.draw(
            "wall --from 0,9000 --to 4000,9000", "door wall-1 --offset 300 --width 900",
            "copy-item wall-1 --by 0,2000")
        #expect(
            try office.items().keys.sorted() == [
                "bed-1", "bed-2", "door-1", "wall-1", "wall-2", "wall-2-1",
            ])
    }

    @Test func `INTG-44 FR4 walls are horizontal, vertical or at an angle, with the given length`()
        throws
    {
        let office = try PlanOffice()

        try office.draw(
            "wall --from 0,0 --east 4m", "wall --from 0,0 --north 3000",
            "wall --from wall-1:end --length 2000 --angle 30")

        #expect(try office.wall("wall-1").end == PlanPoint(4000, 0))
        #expect(try office.wall("wall-2").end == PlanPoint(0, 3000))
        #expect(try office.wall("wall-3").end == PlanPoint(5732, 1000))
        try office.draw("length wall-1 5m")
        #expect(try office.wall("wall-1").end == PlanPoint(5000, 0))
        #expect(try office.wall("wall-3").start == PlanPoint(5000, 0))
        try office.draw("angle wall-2 wall-1 --to 45")
        #expect(try office.wall("wall-2").end == PlanPoint(2121, 2121))
        try office.draw("angle wall-2 wall-1 --to 45 --opposite")
        #expect(try office.wall("wall-2").end == PlanPoint(2121, -2121))
        try office.draw("turn wall-2 --by -45")
        let south = try #require(try office.wall("wall-2").end)
        #expect(abs(south.x) <= 1 && abs(south.y + 3000) <= 1)
    }

    @Test func `INTG-45 FR4 a room is drawn by its dimensions in either direction`() throws {
        let office = try PlanOffice()

        try office.draw(
            "room Bath --at 0,0 --size 2100x3000 --walls 100 --use bathroom",
            "room Store --at 5000,0 --size 2000x1000 --clockwise",
            "room Hall --at 0,5000 --sides 4000,2000,2000,out:1000,2000")

        #expect(
            try office.room("room-1").corners == [
                PlanPoint(0, 0), PlanPoint(2100, 0), PlanPoint(2100, 3000), PlanPoint(0, 3000),
            ])
        #expect(try office.room("room-2").corners.contains(PlanPoint(7000, -1000)))
        #expect(
            try office.room("room-3").corners == [
                PlanPoint(0, 5000), PlanPoint(4000, 5000), PlanPoint(4000, 7000),
                PlanPoint(2000, 7000), PlanPoint(2000, 8000), PlanPoint(0, 8000),
            ])
        let shown = try office.run("plan show room-1 room-3")
        #expect(shown.contains("6.30 m²") && shown.contains("10.00 m²"))
        // The walls are around the room, so the inside has the given dimensions.
        #expect(try office.wall("room-1-wall-1").start == PlanPoint(-50, -50))
        #expect(try office.text("svg").contains("Bath"))
    }

    @Test func `INTG-46 FR16 a plan is exported as a picture in every format`() throws {
        let office = try PlanOffice()
        try office.draw(
            "room Bath --at 0,0 --size 2100x3000 --walls 100 --use bathroom",
            "add toilet --at 300,2600 --size 40x70cm --label Closomat",
            "details --address 'Storgata 1, 0155 Oslo'")

        let drawing = try office.text("svg")

        #expect(drawing.contains("Closomat") && drawing.contains("data-item=\"toilet-1\""))
        #expect(drawing.contains("Storgata 1, 0155 Oslo"))
        // The dimensions are 210 and 300 centimetres.
        #expect(drawing.contains(">210<") && drawing.contains(">300<"))
        #expect(try !office.text("svg", "--no-labels").contains(">Closomat<"))
        #expect(try !office.text("svg", "--no-dimensions").contains(">300<"))
        #expect(try office.text("svg", "--unit mm").contains(">3000<"))
        #expect(drawing.contains("Scale 1:50"))
        #expect(try office.text("svg", "--scale 100").contains("Scale 1:100"))
        #expect(try office.exported("pdf", "--scale 50").starts(with: Data("%PDF-".utf8)))
        #expect(try office.exported("png").starts(with: [0x89, 0x50, 0x4E, 0x47]))
        let docx = try office.refusal(of: "plan export plan.docx")
        #expect(docx.contains(".pdf, .svg, .png, .nav, .xml"))
    }

    @Test func `INTG-47 FR16 a mailed plan opens for its recipient as it was sent`() throws {
        let office = try PlanOffice(hasMail: true)
        try office.draw(
            "room Bad --at 0,0 --size 2100x3000 --walls 100 --use bathroom",
            "door room-1-wall-1 --offset 400 --width 900 --clear 824 --threshold 15 --entrance",
            "add toilet --at 400,2600 --size 40x70cm --angle 90 --label 'Åses «WC» & bidet'",
            "wheelchair --at 1000,1000 --size 650x1100 --turning 1500 --axle 300",
            "details --client K-4711 --tolerance 5 --standard tek17 --chair wheelchair-1")
        try office.run(
            "plan send kari@example.org --format nav,pdf --text 'As we measured it.'")
        let server = try #require(office.mails)
        try eventually("the mail server has the mail") {
            try !server.mails().isEmpty
        }
        let mail = try ParsedMail(try #require(try server.mails().first).bytes)
        #expect(mail.defects.isEmpty)
        #expect(mail.parts.contains { $0.text.contains("As we measured it.") })
        let pdf = try #require(mail.parts.first { $0.name.hasSuffix(".pdf") })
        #expect(pdf.bytes.starts(with: Data("%PDF-".utf8)))

        // The recipient is another organisation, on another machine.
        let receiver = try PlanOffice(plan: nil)
        let native = try #require(mail.parts.first { $0.name.hasSuffix(".nav") })
        let path = receiver.system.path("received.nav")
        try native.bytes.write(to: URL(filePath: path))
        try receiver.run("plan import '\(path)'")

        #expect(try receiver.items() == office.items())
        #expect(try receiver.contents().plan?.details == office.contents().plan?.details)
    }

    @Test func `INTG-48 a deleted plan is gone everywhere, also after a restart`() throws {
        let office = try PlanOffice()
        try office.draw(
            "add bed --at 1000,1200 --size 900x2000", "view zoom in", "details --standard tek17")
        let id = try #require(try office.contents().plan?.id)
        let unasked = try office.refusal(of: "plan delete 'Storgata 1'")
        #expect(unasked.contains("--yes"))
        #expect(try office.rows("plan list").count == 1)

        try office.run("plan delete 'Storgata 1' --yes")
        try office.restart()

        #expect(try office.rows("plan list").isEmpty)
        #expect(try office.refusal(of: "plan show -p \(id)").contains("there is no plan"))
        #expect(try office.refusal(of: "plan show").contains("steward plan create"))
        let tables = try office.system.query(
            .plan, "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%plan%'")
        var searched = 0
        for table in tables.map({ $0[0] }) {
            let columns = try office.system.query(.plan, "PRAGMA table_info(\(table))")
            guard columns.contains(where: { $0[1] == "plan" }) else { continue }
            searched += 1
            let rows = try office.system.query(.plan, "SELECT 1 FROM \(table) WHERE plan = '\(id)'")
            #expect(rows.isEmpty, "\(table) has something of the plan")
        }
        #expect(searched > 0)
        try office.run("plan create 'Storgata 1'")
        #expect(try office.items().isEmpty)
    }

    @Test func `INTG-48 at a terminal the person is asked before a plan is deleted`() throws {
        let office = try PlanOffice()
        let doubt = try office.terminal("plan delete 'Storgata 1'")
        try doubt.waitFor("(y/n)")
        try doubt.type("n\r")
        #expect(try doubt.waitForEnd() == 1)
        #expect(try office.rows("plan list").count == 1)

        let sure = try office.terminal("plan delete 'Storgata 1'")
        try sure.waitFor("(y/n)")
        try sure.type("y\r")

        #expect(try sure.waitForEnd() == 0)
        #expect(try office.rows("plan list").isEmpty)
    }

    @Test func `INTG-49 a locked view neither zooms nor pans`() throws {
        let office = try PlanOffice()
        try office.draw(
            "room Hall --at 0,0 --size 8000x6000 --walls 100", "view zoom in", "view lock")
        let locked = try office.view()
        #expect(locked.locked)

        for change in ["zoom in", "zoom out", "pan --east 1m", "fit"] {
            #expect(try office.refusal(of: "plan view \(change)").contains("locked"))
        }

        #expect(try office.view() == locked)
        try office.draw("view unlock", "view zoom in")
        #expect(try office.view().width < locked.width)
    }

    @Test func `INTG-410 FR14 zooming out and in again gives the same view`() throws {
        let office = try PlanOffice()
        try office.draw("room Hall --at 0,0 --size 8000x6000 --walls 100", "view zoom in")
        let before = try office.view()

        try office.draw("view zoom out")
        #expect(try office.view().width == before.width * 2)
        try office.draw("view zoom in")

        #expect(try office.view() == before)
    }

    @Test func `a script places whatever a command of its own places`() throws {
        let office = try PlanOffice()
        let path = office.system.path("products.json")
        let name = String(repeating: "Stol-", count: 30) + "XL"
        try """
        {"id":"p1","title":"Stol","articleName":"\(name)","hmsArtNr":"91","status":"ACTIVE",\
        "supplier":{"name":"Hjul AS"},"isoCategory":"12220302","updated":"2025-01-01T00:00:00",\
        "data":[{"key":"Totalbredde","value":"66,5","unit":"cm"},\
        {"key":"Totallengde","value":"107","unit":"cm"}]}
        """.write(toFile: path, atomically: true, encoding: .utf8)
        try office.run("catalogue import '\(path)'")
        try office.draw(
            "add other --at 2000,1000 --size 60x45cm --label 'Ward 3'", "library keep element-1")

        try office.draw("place 'ward 3' --at 500,6000", "product 91 --at 500,9000")
        let said = try office.script("place 'ward 3' --at 3000,6000\nproduct 91 --at 3000,9000")

        #expect(said.end == .exited(0), "\(said.err)")
        #expect(try office.element("element-3").custom == office.element("element-2").custom)
        let chair = try office.element("wheelchair-1")
        #expect(chair.label.count == 100 && chair.product?.name == name)
        #expect(try office.element("wheelchair-2").label == chair.label)
    }

    @Test func `INTG-411 a wheelchair of a person's own size can be placed`() throws {
        let office = try PlanOffice()

        try office.draw(
            "wheelchair --at 1000,1500 --size 66x112cm --turning 1600 --axle 31cm --label Permobil")

        let chair = try office.element("wheelchair-1")
        #expect((chair.kind, chair.width, chair.depth) == (.wheelchair, 660, 1120))
        #expect(chair.wheelchair == Wheelchair(turningDiameter: 1600, axleFromRear: 310))
        #expect(chair.centre == PlanPoint(1000, 1500))
        try office.draw("change permobil --turning 1550")
        #expect(try office.element("wheelchair-1").wheelchair?.turningDiameter == 1550)
        #expect(try office.refusal(of: "plan wheelchair --at 0,0").contains("--size"))
    }

    @Test func `INTG-412 the doors too narrow for a wheelchair are named, and red in its plan`()
        throws
    {
        let office = try PlanOffice()
        try office.draw(
            "room Hall --at 0,0 --size 4000x3000 --walls 100",
            "door room-1-wall-1 --offset 400 --width 1000 --clear 900 --threshold 0 --entrance "
                + "--label Front",
            "door room-1-wall-2 --offset 1000 --width 750 --clear 640 --threshold 0 --label Closet",
            "wheelchair --at 2000,1700 --size 700x1200 --turning 1500")

        let reach = try office.run("plan reach --chair wheelchair-1")

        #expect(reach.contains("door-2 (Closet): 640 mm are free, 60 mm are missing"))
        #expect(!reach.contains("door-1"))
        let doors: Set = ["door-1", "door-2"]
        let marked = Self.red(in: try office.text("svg", "--reach --chair wheelchair-1"))
        #expect(marked.intersection(doors) == ["door-2"])
        #expect(Self.red(in: try office.text("svg")).isDisjoint(with: doors))
        #expect(try office.run("plan reach --size 600x1000").contains("no door is too narrow"))
    }

    /// Returns the ids of the items in an SVG picture that have a line drawn in red.
    private static func red(in picture: String) -> Set<String> {
        var found: Set<String> = []
        var item = ""
        for line in picture.split(separator: "\n") {
            if let group = line.wholeMatch(of: /<g data-item="([^"]*)">/) {
                item = String(group.1)
            } else if line == "</g>" {
                item = ""
            } else if let stroke = line.firstMatch(of: /\ stroke="#(..)(..)(..)"/) {
                let parts = [stroke.1, stroke.2, stroke.3].compactMap { Int($0, radix: 16) }
                if parts[0] > 150, parts[1] < 60, parts[2] < 60 { found.insert(item) }
            }
        }
        return found
    }
}
