import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// The system tests of plans, and the requirements that no other test is named for.
@Suite(.serialized, .waiting) struct PlanSystemTests {
    /// A hall, as a therapist would measure it.
    static let home = """
        # Storgata 1
        room Hall --at 0,0 --size 4000x1500 --walls 100 --use hall --height 2400
        door room-1-wall-1 --offset 400 --width 1000 --clear 900 --threshold 0 --entrance
        window room-1-wall-2 --offset 300 --width 900 --sill 90cm
        passage room-1-wall-4 --offset 300 --width 900 --threshold 0
        add cupboard --at 3600,300 --size 60x40cm
        add other --at 3600,1200 --size 30x30cm --label Plant
        wheelchair --at 2000,750 --size 650x1100 --turning 1500
        """

    @Test func `SYST-1 a plan with all its details is made and kept`() throws {
        let office = try PlanOffice(plan: nil)

        let said = try office.run(
            "plan create 'Storgata 1' --address 'Storgata 1, 0155 Oslo' --client K-4711 "
                + "--author 'A. Berg' --description 'New bathroom' --tolerance 5 --standard tek17")
        try office.restart()

        #expect(said == "“Storgata 1” is created, and in use\n")
        let plan = try #require(try office.contents().plan)
        #expect(
            plan.details
                == PlanDetails(
                    name: "Storgata 1", description: "New bathroom",
                    address: "Storgata 1, 0155 Oslo", client: "K-4711", author: "A. Berg",
                    tolerance: 5, standards: ["tek17"]))
        #expect(try office.refusal(of: "plan create 'Storgata 1'").contains("Storgata 1"))
    }

    @Test func `what several people change of a plan's details at one moment is all kept`() throws {
        let office = try PlanOffice()
        for round in 1...5 {
            let commands = try ["client", "author", "address"].map {
                try office.begin("plan details --\($0) \($0)-\(round)")
            }
            for command in commands {
                #expect(try command.waitForEnd() == .exited(0), "\(command.err)")
            }
            let details = try office.contents().plan?.details
            #expect(
                [details?.client, details?.author, details?.address]
                    == ["client-\(round)", "author-\(round)", "address-\(round)"])
        }
    }

    @Test func `the times of a plan are those of the site in use`() throws {
        let office = try PlanOffice()
        try office.draw("add bed --at 1000,1200 --size 900x2000", "library keep bed-1 Bed")
        let accounts = try office.system.start("account-service")
        try office.run("site add Harbour --zone Asia/Kathmandu")

        for (line, title) in [
            ("list", "CHANGED"), ("history", "WHEN"), ("library list", "KEPT"),
        ] {
            let zoned = "\(title) (Asia/Kathmandu)"
            #expect(try office.run("plan \(line)").contains(zoned), "\(line)")
        }
        for line in ["show", "use 'Storgata 1'"] {
            #expect(try office.run("plan \(line)").contains(" Asia/Kathmandu by "), "\(line)")
        }
        accounts.kill()
        #expect(try !office.run("plan list").contains("Kathmandu"))
    }

    @Test func `SYST-2 a plan is filled with something of every kind`() throws {
        let office = try PlanOffice()

        let said = try office.script(Self.home)
        try office.draw("view zoom 1.5", "view pan --east 20cm")
        let view = try office.view()
        try office.restart()

        #expect(said.end == .exited(0), "\(said.err)")
        #expect(try office.view() == view && view.width > 0)
        #expect(
            try office.items().keys.sorted() == [
                "cupboard-1", "door-1", "element-1", "passage-1", "room-1", "room-1-wall-1",
                "room-1-wall-2", "room-1-wall-3", "room-1-wall-4", "wheelchair-1", "window-1",
            ])
        #expect(try office.run("plan history").contains("room “Hall”"))
        // All of that was one step.
        try office.draw("add bed --at 1000,1200 --size 900x2000 --force")
        #expect(try office.say("plan history --limit 1").err.contains("older ones: --before "))
        #expect(try !office.say("plan history --limit 500").err.contains("older"))
    }

    @Test func `SYST-3 things in a plan are moved, turned, resized and removed`() throws {
        let office = try PlanOffice()
        try office.script(Self.home)

        try office.draw(
            "move plant --west 50cm", "rotate cupboard-1 --by 90", "resize cupboard-1 --width 50cm",
            "remove passage-1", "copy-item plant --by 0,-500", "label element-2 'Second plant'")
        try office.restart()

        #expect(try office.element("element-1").centre == PlanPoint(3100, 1200))
        #expect(try office.element("cupboard-1").angle == 90_000)
        #expect(try office.element("cupboard-1").width == 500)
        #expect(try office.items()["passage-1"] == nil)
        #expect(try office.element("element-2").label == "Second plant")
        try office.draw("undo 7")
        #expect(try office.items().isEmpty)
        try office.draw("redo 7")
        #expect(try office.element("element-2").label == "Second plant")
    }

    @Test func `SYST-4 a plan is sent, deleted, and still gone later`() throws {
        let office = try PlanOffice(hasMail: true)
        try office.script(Self.home)
        try office.run("plan send kari@example.org --format nav")
        let server = try #require(office.mails)
        try eventually("the mail server has the mail") {
            try !server.mails().isEmpty
        }

        try office.run("plan delete 'Storgata 1' --yes")
        try office.restart()

        #expect(try office.rows("plan list").isEmpty)
        #expect(try office.say("plan list").err.contains("there are none"))
    }

    @Test func `whoever sends a plan without a mail server is told that the mail waits`() throws {
        let office = try PlanOffice()
        try office.script(Self.home)
        try office.system.start("notifier")
        let sent = try office.say("plan send kari@example.org --format nav")
        #expect(sent.end == .exited(0))
        #expect(sent.err.contains("the mails wait: no mail server is set"))
    }

    @Test func `FR6 a product from the catalogue is placed with its real size, also in a script`()
        throws
    {
        let office = try PlanOffice()
        let path = office.system.path("products.json")
        try """
        {"id":"p1","title":"Stol","hmsArtNr":"91","status":"ACTIVE","supplier":{"name":"Hjul AS"},\
        "isoCategory":"12220302","updated":"2025-01-01T00:00:00",\
        "data":[{"key":"Totalbredde","value":"66,5","unit":"cm"},\
        {"key":"Totallengde","value":"107","unit":"cm"}]}
        """.write(toFile: path, atomically: true, encoding: .utf8)
        try office.run("catalogue import '\(path)'")

        try office.draw("product 91 --at 1000,1500 --angle 90")
        let said = try office.script("product 91 --at 5000,1500\nmove wheelchair-2 --north 1m")

        #expect(said.end == .exited(0), "\(said.err)")
        let chair = try office.element("wheelchair-1")
        #expect((chair.width, chair.depth, chair.angle) == (665, 1070, 90_000))
        #expect(chair.product?.number == "91" && chair.product?.maker == "Hjul AS")
        #expect(try office.element("wheelchair-2").centre == PlanPoint(5000, 2500))
        #expect(try office.refusal(of: "plan product 92 --at 1,1").contains("92"))
    }

    @Test func `FR11 the real dimensions of a plan and its things are shown, and can be hidden`()
        throws
    {
        let office = try PlanOffice()
        try office.draw(
            "room Bath --at 0,0 --size 2130x3040 --walls 100",
            "add toilet --at 1000,2600 --size 37x65cm")

        let shown = try office.run("plan show")

        #expect(shown.contains("2130 x 3040 mm, 6.48 m²") && shown.contains("370 x 650 mm"))
        #expect(try office.text("svg").contains(">213<"))
        #expect(try !office.text("svg", "--no-dimensions").contains(">213<"))
        let drawn = try office.run("plan draw --columns 100 --rows 40")
        #expect(drawn.contains("Bath"))
    }

    @Test func `FR13 walls are made from corners marked in a panorama`() throws {
        let office = try PlanOffice(plan: nil)
        let path = office.system.path("panorama.json")
        // A room of 4 by 3 metres around a camera at a height of 1.5 m; the corners are on the
        // floor.
        let corners = [(-2.0, -1.5), (2.0, -1.5), (2.0, 1.5), (-2.0, 1.5)].map { east, north in
            let u = (0.5 + atan2(east, north) / (2 * .pi)) * 4096 - 0.5
            let down = atan2(1.5, (east * east + north * north).squareRoot())
            return "{\"u\": \(u), \"v\": \((0.5 + down / .pi) * 2048 - 0.5)}"
        }
        try """
        {"panorama": 1, "name": "Hall", "image": {"width": 4096, "height": 2048},
         "cameraHeight": 1500, "corners": [\(corners.joined(separator: ","))]}
        """.write(toFile: path, atomically: true, encoding: .utf8)

        try office.run("plan import '\(path)' --name Scanned")

        let walls = try office.items().values.compactMap { item -> Wall? in
            if case .wall(let wall) = item { wall } else { nil }
        }
        #expect(walls.count == 4)
        #expect(try office.run("plan show").contains("4000 x 3000 mm"))
    }

    @Test func `NFR3 with a thousand things in a plan every command still works`() throws {
        let office = try PlanOffice()
        for quarter in 0..<4 {
            let lines = (0..<250).map { number in
                let place = quarter * 250 + number
                return "add table --at \(place % 40 * 1000),\(place / 40 * 1000) --size 800x800"
            }
            let said = try office.script(lines.joined(separator: "\n"))
            #expect(said.end == .exited(0), "\(said.err)")
        }

        try office.draw("move table-500 --north 10cm", "rotate table-7 --to 45")
        #expect(try office.element("table-7").angle == 45_000)
        try office.draw("undo")

        #expect(try office.items().count == 1_000)
        #expect(try office.element("table-500").centre == PlanPoint(19_000, 12_100))
        #expect(try office.element("table-7").angle == 0)
        #expect(try office.refusal(of: "plan move table-1 --east 90cm").contains("table-2"))
        #expect(try office.text("svg").contains("data-item=\"table-1000\""))
    }

    @Test func `NFR1 a mistyped command says what was wrong and what to type`() throws {
        let office = try PlanOffice()
        try office.draw("add bed --at 1000,1200 --size 900x2000 --label 'Guest bed'")

        #expect(try office.refusal(of: "plan move bad-1 --east 1m").contains("nearest is bed-1"))
        #expect(try office.refusal(of: "plan move bed-1").contains("--to X,Y"))
        #expect(try office.refusal(of: "plan move bed-1 --east 1mile").contains("90cm, 2.4m"))
        #expect(try office.refusal(of: "plan add sofabed --at 0,0 --size 1x1").contains("seat"))
        try office.draw("move 'guest bed' --east 1m")
        #expect(try office.element("bed-1").centre == PlanPoint(2000, 1200))
    }
}
