import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests of answers other than ok and not ok, and of crew members who take part, at the command
/// line against the running services.
@Suite(.serialized, .waiting) struct ShiftAnswerTests {
    private static let temperatures = """
        checklist: Temperatures
        kind: during
        crew: tick
        sections:
          - section: Cold store
            area: kitchen
            tasks:
              - task: Fridge 1
                id: fridge-1
                answer: number
                unit: °C
                least: 0
                most: 5
              - task: Frying oil
                id: oil
                answer: choice
                choices: [golden, brown]
                not-ok: [black]
              - task: Batch
                id: batch
                answer: text
              - task: Signed off
                id: signed-off
                area: manager
                answer: signature
        """

    /// A restaurant with a shift that has such a list.
    private func restaurant() throws -> Restaurant {
        let restaurant = try Restaurant(at: "12:00")
        let path = restaurant.system.path("temperatures.yaml")
        try Self.temperatures.write(toFile: path, atomically: true, encoding: .utf8)
        try restaurant.run("template import '\(path)'")
        #expect(
            try restaurant.run("template show Temperatures").contains(
                "asks for a number from 0 to 5 °C"))
        try restaurant.run("shift start day")
        return restaurant
    }

    private func task(_ id: String, _ restaurant: Restaurant) throws -> [String: Any] {
        let all = try restaurant.rows("checklist show Temperatures")
        return try #require(all.first { $0["task"] as? String == id })
    }

    @Test func `answers from two devices are merged, and are in every form of the archive`()
        throws
    {
        let restaurant = try restaurant()
        for name in ["ann", "bob"] {
            try restaurant.person(name, .shiftManager)
            try restaurant.run("shift prepare", device: name)
        }
        restaurant.killService()
        let warm = try restaurant.say("checklist tick fridge-1 --answer 7,5", device: "ann")
        #expect(warm.out.contains("Fridge 1: 7.5 °C, not ok"), "\(warm.out)\(warm.err)")
        #expect(warm.err.contains("what is done about it?"))
        try restaurant.run("checklist note fridge-1 'moved the milk, called Bo'", device: "ann")
        try restaurant.run("checklist tick oil --answer GOLD", device: "bob")
        try restaurant.run("checklist tick batch --answer 'L 4711'", device: "bob")
        let cold = try restaurant.say("checklist tick fridge-1 --answer -0.5", device: "bob")
        #expect(cold.out.contains("-0.5 °C, not ok"), "\(cold.out)\(cold.err)")
        for (line, reason) in [
            ("checklist tick fridge-1", "asks for a number from 0 to 5 °C"),
            ("checklist tick fridge-1 --answer warm", "asks for a number from 0 to 5 °C"),
            ("checklist tick oil --answer b", "asks for one of golden, brown, black"),
            ("checklist tick 1 --answer 5", "asks for no answer"),
        ] {
            let said = try restaurant.say(line, device: "bob")
            #expect(said.end == .exited(1) && said.err.contains(reason), "\(line): \(said.err)")
        }
        try restaurant.startService()
        for device in ["ann", "bob"] { try restaurant.run("shift status", device: device) }
        try restaurant.run("checklist tick signed-off --answer 'Ann Berg'")

        #expect(try task("fridge-1", restaurant)["answer"] as? String == "-0.5 °C")
        #expect(try task("oil", restaurant)["answer"] as? String == "golden")
        let todo = try #require(try restaurant.rows("todo list").first)
        #expect(todo["title"] as? String == "Fridge 1")
        #expect(todo["taskNotes"] as? [String] == ["moved the milk, called Bo"])
        restaurant.killService()
        try restaurant.startService()
        try restaurant.run("checklist tick fridge-1 --answer 4.5")
        #expect(try restaurant.rows("todo list").isEmpty)

        try restaurant.run("shift end --despite-open")
        let id = try restaurant.endedShift()
        #expect(try restaurant.run("archive verify").contains("is whole"))
        #expect(try restaurant.run("archive show \(id)").contains("4.5 °C"))
        let text = try restaurant.run("archive export \(id)")
        for wanted in ["4.5 °C · ok", "golden · ok", "L 4711", "signed by Ann Berg"] {
            #expect(text.contains(wanted), "\(wanted)")
        }
        #expect(try restaurant.run("archive export \(id) --html").contains("signed by Ann Berg"))
        let table = try restaurant.run("archive export \(id) --csv")
        #expect(table.split(separator: "\r\n").contains { $0.hasSuffix(",4.5 °C") })
        let shown = try restaurant.run("archive export \(id) --json")
        for wanted in ["7.5 °C", "-0.5 °C", "4.5 °C", "golden", "L 4711", "Ann Berg"] {
            #expect(shown.contains("\"answer\" : \"\(wanted)\""), "\(wanted)")
        }
    }

    @Test func `the walk asks for the answer, and for a remedy if it is not ok`() throws {
        let restaurant = try restaurant()
        let walk = try restaurant.terminal("checklist walk Temperatures")
        try walk.waitFor("0 of 4")
        try walk.type(" ")
        try walk.waitFor("Answer 0–5 °C:")
        try walk.type("cold\r")
        try walk.waitFor("that is not what is asked for. Answer 0–5 °C:")
        try walk.type("8\r")
        try walk.waitFor("What is done about it:")
        try walk.type("moved the milk\r")
        try walk.waitFor("1 of 4")
        try walk.type(" bl\r")
        try walk.waitFor("What is done about it:")
        try walk.type("\u{1B}")
        try walk.waitFor("2 of 4")
        try walk.type(" L 4711\r")
        try walk.waitFor("3 of 4")
        try walk.type(" Ann Berg\r")
        try walk.waitFor("Every task of this list was looked at.")
        try walk.type("q")
        #expect(try walk.waitForEnd() == 0)

        #expect(try task("fridge-1", restaurant)["answer"] as? String == "8 °C")
        #expect(try task("fridge-1", restaurant)["notes"] as? [String] == ["moved the milk"])
        #expect(try task("oil", restaurant)["state"] as? String == "notOk")
        #expect(try task("signed-off", restaurant)["answer"] as? String == "Ann Berg")
        #expect(try restaurant.rows("todo list").count == 2)
    }

    @Test func `crew members tick what the shift manager allows, and report issues`() throws {
        let restaurant = try restaurant()
        try restaurant.run("site change Harbour --add-area kitchen")
        try restaurant.signUp("cleo", .crew, at: "Harbour", area: "kitchen")

        try restaurant.run(
            "todo add 'Smell of gas' --area kitchen --priority immediate --note 'at the grill'",
            device: "cleo")
        #expect(
            try restaurant.say("todo add 'Stairs' --area service", device: "cleo").end
                == .exited(1))
        let cold = try restaurant.run("checklist tick fridge-1 --answer 4", device: "cleo")
        #expect(cold.contains("4 °C, ok"))
        let other = try restaurant.say("checklist tick signed-off --answer Cleo", device: "cleo")
        #expect(other.end == .exited(1))
        let notOk = try restaurant.say("checklist tick batch --not-ok", device: "cleo")
        #expect(notOk.end == .exited(1))
        let others = Set(try restaurant.tasks(of: "Pre-shift, day"))
        let kitchen = try #require(
            try restaurant.rows("checklist show 'Pre-shift, day'").first {
                $0["area"] as? String == "kitchen"
                    && ($0["number"] as? Int).map(others.contains) ?? false
            }?["number"] as? Int)
        let early = try restaurant.say("checklist tick \(kitchen)", device: "cleo")
        #expect(early.end == .exited(1) && early.err.contains("is for the shift manager"))

        try restaurant.run("shift let-crew Temperatures nothing")
        let refused = try restaurant.say("checklist tick oil --answer golden", device: "cleo")
        #expect(refused.end == .exited(1) && refused.err.contains("is for the shift manager"))
        try restaurant.run("shift let-crew Temperatures inspect --account cleo")
        try restaurant.run("checklist tick oil --answer golden", device: "cleo")
        let nobody = try restaurant.say("shift let-crew Temperatures tick --account nobody")
        #expect(nobody.end == .exited(1) && nobody.err.contains("no account “nobody”"))
        let asked = try restaurant.say("shift let-crew Temperatures tick", device: "cleo")
        #expect(asked.end == .exited(1))

        let todo = try #require(try restaurant.rows("todo list").first)
        #expect(todo["title"] as? String == "Smell of gas" && todo["madeBy"] as? String == "Cleo")
        #expect(todo["notes"] as? [String] == ["at the grill"])
        #expect(try task("fridge-1", restaurant)["by"] as? String == "Cleo")
        #expect(try task("signed-off", restaurant)["state"] as? String == "unchecked")
    }

    @Test func `what crew members may do is set in a template, from the next shift on`()
        throws
    {
        let restaurant = try Restaurant()
        let list = "'Pre-shift, evening'"
        let version = try restaurant.answer("template let-crew \(list) inspect")["version"] as? Int
        #expect(version == 2)
        #expect(try restaurant.run("template export \(list)").contains("crew: inspect"))
        // The same template again makes no new version.
        #expect(
            try restaurant.answer("template let-crew \(list) inspect")["version"] as? Int == 2)
        #expect(try restaurant.say("template let-crew \(list) all").end == .exited(64))
        let shift = try restaurant.answer("shift start evening --until 23:30")
        let lists = try #require(shift["lists"] as? [[String: Any]])
        #expect(
            lists.first { $0["name"] as? String == "Pre-shift, evening" }?["crewMay"] as? String
                == "inspect")
    }
}
