import Messages
import TestSupport
import Testing

/// Tests whether a home is accessible, at the command line: two verdicts, repairs, and alerts.
struct PlanCheckTests {
    @Test func `A2 a repair that a check offers is made by its number, and undone`() throws {
        let office = try PlanOffice()
        try office.draw(
            "details --standard tek17",
            "room Bedroom --at 0,0 --size 3000x3000 --walls 100 --use bedroom",
            "door room-1-wall-1 --offset 400 --width 1000 --clear 900 --swing right --entrance",
            "add bed --at 1600,1500 --size 900x2000")
        let finding = "tek17/turning-living/room-1"
        let before = try office.run("plan check --repairs --failing")
        #expect(before.contains(finding) && before.contains("repair 1: move the bed"))

        let made = try office.run("plan repair \(finding)")

        #expect(made.contains("done: move the bed"))
        #expect(try !office.run("plan check --failing").contains(finding))
        try office.draw("undo")
        #expect(try office.element("bed-1").centre == PlanPoint(1600, 1500))
        #expect(try office.run("plan check --failing").contains(finding))
        #expect(try office.refusal(of: "plan repair \(finding) 99").contains("repairs"))
        #expect(try office.refusal(of: "plan repair tek17/none/room-1").contains("nothing fails"))
    }

    @Test func `A2 a closed box passes the clause and fails the chair, in one check`() throws {
        let office = try PlanOffice()
        try office.draw(
            "room Bath --at 0,0 --size 1300x1800 --walls 100 --use bathroom",
            "door room-1-wall-1 --offset 250 --width 1000 --clear 900 --swing right --entrance",
            "wheelchair --at 650,900 --size 700x1200 --force",
            "details --standard tek17 --chair wheelchair-1")

        let lines = try office.run("plan check").split(separator: "\n")

        let place = try #require(lines.firstIndex { $0.contains("tek17/turning-bathroom/room-1") })
        #expect(lines[place - 1].hasPrefix("ok"))
        #expect(lines[place + 1].contains("FAILS"))
    }

    @Test func `a room of unknown use doesn't look as if it passed`() throws {
        let office = try PlanOffice()
        #expect(try office.say("plan draw").err.contains("nothing is drawn yet"))
        try office.draw("room Bath --at 0,0 --size 2100x3000 --walls 100")

        let silent = try office.say("plan check")
        #expect(silent.err.contains("Passed over") && silent.err.contains("“Bath”"))
        #expect(silent.err.contains("steward plan change room-1 --use bathroom"))

        try office.draw("change room-1 --use bathroom")
        #expect(try !office.say("plan check").err.contains("Passed over"))
    }

    @Test func `a plan without rooms is said not to have been checked`() throws {
        let office = try PlanOffice()
        try office.draw("wall --from 0,0 --to 3000,0", "add toilet --at 1000,500 --size 400x700")

        let silent = try office.say("plan check")
        #expect(silent.err.contains("No room is drawn"))
        #expect(silent.err.contains("In no room, and so not checked: toilet-1."))

        try office.draw("room Bath --at 0,50 --size 2100x3000 --use bathroom")
        let said = try office.say("plan check").err
        #expect(!said.contains("No room is drawn") && !said.contains("In no room"))
    }

    @Test func `N5 an alert that its service raises again under the same key stays one`() throws {
        let office = try PlanOffice(hasMail: true)
        func told() throws -> [[String: Any]] {
            try office.rows("alerts list --all").compactMap { $0["raised"] as? [String: Any] }
        }
        try office.draw(
            "details --standard tek17",
            "room Bath --at 0,0 --size 2400x2400 --walls 100 --use bathroom",
            "door room-1-wall-1 --offset 400 --width 900 --clear 700 --swing right --label Narrow")
        try eventually("the alert is there") { try told().count == 1 }

        try office.draw(
            "door room-1-wall-3 --offset 400 --width 900 --clear 700 --swing right --label Small")

        try eventually("it names the new failure, too") {
            let body = try told().first?["body"] as? String
            return body?.contains("failed before and still fail") == true
        }
        #expect(try told().count == 1)
    }

    @Test func `a new failure in a saved plan raises an alert, until it is fixed`() throws {
        let office = try PlanOffice(hasMail: true)
        try office.draw(
            "details --standard tek17",
            "room Bath --at 0,0 --size 2400x2400 --walls 100 --use bathroom",
            "door room-1-wall-1 --offset 400 --width 900 --clear 700 --swing right --label Narrow")
        try eventually("the alert is there") {
            try office.run("alerts list").contains("Storgata 1")
        }

        try office.draw("change door-1 --clear 780")

        try eventually("the alert is taken back") {
            try !office.run("alerts list").contains("Storgata 1")
        }
    }
}
