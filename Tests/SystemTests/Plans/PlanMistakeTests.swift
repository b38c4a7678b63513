import Foundation
import TestSupport
import Testing

/// Tests the messages for mistyped commands, and the output for programs.
struct PlanMistakeTests {
    @Test func `an unknown command is reported with the one that may be meant`() throws {
        let office = try PlanOffice(plan: nil)

        let said = try office.say("plan lsit")

        #expect(said.end == .exited(64))
        #expect(said.err.contains("“lsit” is not a command of steward plan"))
        #expect(said.err.contains("did you mean list? all: steward plan --help"))
    }

    @Test func `a negative length is reported as such, on the command line and in a script`() throws
    {
        let office = try PlanOffice()

        let typed = try office.refusal(of: "plan create X --tolerance -5")
        let script = try office.script("room X --size -2x3m")

        #expect(typed.contains("'--tolerance <tolerance>': a length isn't negative"))
        #expect(typed.contains("this is -5 mm"))
        #expect(script.err.contains("standard input:1:8: "))
        #expect(script.err.contains("a size isn't negative"))
    }

    @Test func `only similar names are suggested for an unknown name`() throws {
        let office = try PlanOffice()
        try office.draw("add bed --at 1000,1200 --size 900x2000")

        #expect(try office.refusal(of: "plan show bde-1").contains("the nearest is bed-1;"))
        let far = try office.refusal(of: "plan show aquarium")
        #expect(far.contains("see what is in it: steward plan show") && !far.contains("bed-1"))
    }

    @Test func `an unknown plan or finding leads to the list`() throws {
        let office = try PlanOffice()

        for line in ["plan use nope", "plan show -p nope", "plan undo -p nope"] {
            #expect(try office.refusal(of: line).contains("there is: steward plan list"), "\(line)")
        }
        let finding = try office.refusal(of: "plan repair nope")
        #expect(finding.contains("isn't the id of a finding"))
        #expect(finding.contains("steward plan check --repairs"))
    }

    @Test func `a part of a plan's name leads to it, and a standard may be in capitals`() throws {
        let office = try PlanOffice(plan: nil)
        try office.run("plan create 'Storgata 1'")

        let said = try office.refusal(of: "plan use storgata")

        #expect(said.contains("did you mean “Storgata 1”? all: steward plan list"))
        #expect(try office.run("plan details --standard TEK17").contains("tek17"))
    }

    @Test func `a wheelchair that isn't chosen is mentioned`() throws {
        let office = try PlanOffice()
        try office.draw("room Hall --at 0,0 --size 3000x3000 --walls 100 --use hall")
        #expect(try office.refusal(of: "plan reach").contains("steward plan wheelchair --help"))
        try office.draw("wheelchair --at 1500,1500 --size 650x1100")
        let choose = "choose it: steward plan details --chair wheelchair-1"

        #expect(try office.say("plan check").err.contains(choose))
        #expect(try office.refusal(of: "plan reach").contains(choose))
        #expect(try office.refusal(of: "plan reach --size 0x0").contains("100 mm to 5 m"))

        try office.draw("details --chair wheelchair-1")
        #expect(try !office.say("plan check").err.contains(choose))
        #expect(try office.run("plan reach").contains("650 x 1100 mm"))
    }

    @Test func `a check names a chair as edits do, and an unknown room leads to those there are`()
        throws
    {
        let office = try PlanOffice()
        try office.draw(
            "room Hall --at 0,0 --size 3000x3000 --walls 100 --use hall",
            "wheelchair --at 1500,1500 --size 650x1100 --label 'Outdoor chair'")

        #expect(try office.run("plan reach --chair 'outdoor chair'").contains("650 x 1100 mm"))
        #expect(try office.say("plan check --chair 'outdoor chair'").end == .exited(0))
        let chair = try office.refusal(of: "plan check --chair wheelchair-2")
        #expect(chair.contains("the nearest is wheelchair-1"))
        for line in ["plan check --chair ''", "plan reach --chair ' '"] {
            let said = try office.refusal(of: line)
            #expect(said.contains("nothing in the plan was named"), "\(line)")
        }
        let room = try office.refusal(of: "plan reach --chair wheelchair-1 --to Kitchen")
        #expect(room.contains("it has “Hall”"))
    }

    @Test func `a file that can't be read or written is reported with the reason`() throws {
        let office = try PlanOffice()
        try office.draw("room Hall --at 0,0 --size 3000x3000")
        let missing = office.system.path("none/flat")

        for line in ["plan import \(missing).nav", "plan run \(missing).plan"] {
            let said = try office.say(line)
            #expect(said.end == .exited(66))
            #expect(said.err.contains("can't be read: No such file or directory"), "\(line)")
        }
        let folder = try office.say("plan import \(office.system.directory)")
        #expect(folder.err.contains("can't be read: Is a directory"))
        let refused = try office.refusal(of: "plan export \(missing).nav")
        #expect(refused.contains("can't be written: No such file or directory"))
        let flat = office.system.path("flat.nav")
        try office.draw("export '\(flat)'")
        let twice = try office.refusal(of: "plan import '\(flat)'")
        #expect(twice.contains("steward plan import \(flat) --name NAME"))
    }

    @Test func `a script with --json prints JSON for each of its commands`() throws {
        let office = try PlanOffice()

        let tried = try office.script("room Hall --size 3x3m", "--check --json")
        let shown = try office.script("show", "--json")

        #expect(try tried.objects as? [[String: Int]] == [["commands": 1]])
        #expect(try shown.objects.first?["plan"] != nil)
    }

    @Test func `a wrong word in a script is reported on one line, with the right ones`() throws {
        let office = try PlanOffice()

        let said = try office.script("add tabel --at 0,0 --size 1x1m")

        #expect(said.err.contains("standard input:1:5: "))
        #expect(said.err.contains("one of the following: bed, toilet, washbasin"))
    }

    /// What each command prints with `--json` about the plan that the test below draws: a part of
    /// its objects, with sorted keys.
    private static let answers = [
        ("plan list", #""items":7"#), ("plan history", #""text":"drew room “Hall”"#),
        ("plan standards", #""id":"tek17""#), ("plan library list", #""label":"Mine""#),
        ("plan show", #""id":"room-1-wall-4""#), ("plan show hall", #""name":"Hall""#),
        ("plan view", #""locked":false"#), ("plan check", #""id":"tek17/door-height/door-1""#),
        ("plan check --all", #""verdict":"pass""#), ("plan reach", #""reached":"pass""#),
        ("plan reach --to Hall", #""route":[{"at":{"x":"#),
        ("plan use 'Storgata 1'", #""name":"Storgata 1""#),
        ("plan copy Second", #""name":"Second""#), ("plan label hall Gang", #""name":"Gang""#),
        ("plan undo", #""after":{"item":{"room":{"corners""#), ("plan redo", #""name":"Gang""#),
        ("plan view zoom in", #""width":2310"#), ("plan details --client K-1", #""client":"K-1""#),
        ("plan library remove Mine", #""label":"Mine""#),
        ("plan delete Second --yes", #""name":"Second""#),
    ]

    @Test func `what a command says about a plan is in its JSON too`() throws {
        let office = try PlanOffice()
        #expect(try office.rows("plan list words").isEmpty)
        try office.draw(
            "room Hall --at 0,0 --size 4000x3000 --walls 100 --use hall",
            "door room-1-wall-1 --offset 400 --width 1000 --clear 900 --threshold 0 --entrance",
            "wheelchair --at 2000,1500 --size 650x1100", "details --chair wheelchair-1",
            "library keep wheelchair-1 Mine")
        for (line, part) in Self.answers {
            let json = try JSONSerialization.data(
                withJSONObject: office.rows(line), options: [.sortedKeys, .withoutEscapingSlashes])
            #expect(String(decoding: json, as: UTF8.self).contains(part), "\(line)")
        }
        #expect(try office.rows("catalogue find bed").isEmpty)
    }

    @Test func `closing the pipe early isn't an error`() throws {
        let office = try PlanOffice()
        // The pipe has no reader when the command begins: the loop before it runs until a write
        // fails.
        let closed = "trap '' PIPE; while echo; do :; done 2>/dev/null; trap - PIPE"
        let program = try office.system.spawn(
            [
                "/bin/bash", "-c",
                "(\(closed); exec '\(System.executables)/steward' plan --help) | true; "
                    + "exit ${PIPESTATUS[0]}",
            ], environment: office.environment())

        #expect(try program.waitForEnd() == .exited(0), "\(program.err)")
        #expect(program.err.isEmpty)
    }

    @Test func `COLUMNS sets the width of a drawing if there is no window`() throws {
        let office = try PlanOffice()
        try office.draw("room Hall --at 0,0 --size 8000x2000 --walls 100")
        let narrow = try office.system.spawn(
            ["\(System.executables)/steward", "plan", "draw"],
            environment: office.environment().merging(["COLUMNS": "40"]) { $1 })
        #expect(try narrow.waitForEnd() == .exited(0))

        let widest = { (text: String) in text.split(separator: "\n").map(\.count).max() ?? 0 }
        #expect(widest(narrow.out) <= 40)
        #expect(try widest(office.run("plan draw")) > 40)
    }
}
