import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests that nothing vanishes when devices that were apart come together again, at the command
/// line against the running services.
@Suite(.serialized, .waiting) struct ShiftSyncTests {
    /// A shift on the devices of two people, after the service was killed.
    private func apart() throws -> Restaurant {
        let restaurant = try Restaurant(at: "12:00")
        try restaurant.person("ann", .shiftManager)
        try restaurant.person("bob", .shiftManager)
        try restaurant.run("shift start day")
        try restaurant.run("todo add Ice")
        for device in ["ann", "bob"] { try restaurant.run("shift prepare", device: device) }
        restaurant.killService()
        return restaurant
    }

    /// Starts the service again, has both devices send what they have, and returns what each
    /// reported.
    private func together(_ restaurant: Restaurant) throws -> [String] {
        try restaurant.startService()
        try restaurant.run("shift status", device: "ann")
        let bob = try restaurant.say("shift status", device: "bob").err
        return [try restaurant.say("shift status", device: "ann").err, bob]
    }

    private func record(_ restaurant: Restaurant) throws -> [String: Any] {
        try restaurant.run("shift end --despite-open")
        let text = try restaurant.run("archive export \(try restaurant.endedShift()) --json")
        let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return try #require((json?["shifts"] as? [[String: Any]])?.first)
    }

    @Test func `different figures from two devices are a contradiction, with who and when`() throws
    {
        let restaurant = try apart()
        try restaurant.run("sales enter 11 --sales 100.50", device: "ann")
        try restaurant.run("sales enter 11 --sales 200", device: "bob")

        for told in try together(restaurant) {
            #expect(told.contains("contradictory: sales at 11:00, 100.50 by Ann at 12:"), "\(told)")
            #expect(told.contains("200.00 by Bob at 12:") && told.contains("the later one counts"))
        }
        for device in ["till", "ann"] {
            let status = try restaurant.answer("shift status", device: device)
            #expect((status["contradictions"] as? [String])?.count == 1)
            let undecided = status["undecided"] as? [[String: Any]]
            #expect(undecided?.map { $0["kind"] as? String } == ["figure"])
            let sides = undecided?.first?["statements"] as? [[String: Any]]
            #expect(sides?.map { $0["by"] as? String } == ["Ann", "Bob"])
        }
        try restaurant.run("sales enter 11 --sales 150", device: "ann")
        let status = try restaurant.answer("shift status")
        #expect((status["contradictions"] as? [String])?.isEmpty == true)
        #expect((status["undecided"] as? [Any])?.isEmpty == true)

        let record = try record(restaurant)
        let found = try #require((record["contradictions"] as? [[String: Any]])?.first)
        #expect(found["kind"] as? String == "figure" && found["isDecided"] as? Bool == true)
        let sides = try #require(found["statements"] as? [[String: Any]])
        #expect(sides.map { $0["by"] as? String } == ["Ann", "Bob"])
        let sale = try #require((record["sales"] as? [[String: Any]])?.first)
        #expect((sale["entered"] as? [String: Any])?["value"] as? Int == 15_000)
        #expect(
            (sale["replaced"] as? [[String: Any]])?.map { $0["value"] as? Int } == [10_050, 20_000])
        let text = try restaurant.run("archive export \(try restaurant.endedShift())")
        #expect(text.contains("100.50") && text.contains("Bob"))
    }

    @Test func `a to-do that one device does and another deletes is a contradiction`() throws {
        let restaurant = try apart()
        try restaurant.run("todo done Ice", device: "ann")
        try restaurant.run("todo delete Ice", device: "bob")

        for told in try together(restaurant) {
            #expect(told.contains("contradictory: to-do “Ice”, done by Ann at 12:"), "\(told)")
            #expect(told.contains("deleted by Bob at 12:"))
        }

        let record = try record(restaurant)
        let found = try #require((record["contradictions"] as? [[String: Any]])?.first)
        #expect(found["title"] as? String == "Ice" && found["isDecided"] as? Bool == false)
        let shown = try restaurant.run("archive show \(try restaurant.endedShift())")
        #expect(shown.contains("done by Ann") && shown.contains("deleted by Bob"))
    }

    @Test func `operations after the end are reported on their device and in the archive`() throws {
        let restaurant = try apart()
        let task = try #require(try restaurant.tasks(of: "Pre-shift, day", device: "ann").first)
        try restaurant.run("checklist tick \(task) --not-ok", device: "ann")
        try restaurant.run("sales enter 11 --sales 100", device: "ann")
        try restaurant.run("todo done Ice", device: "ann")
        try restaurant.startService()
        let record = try record(restaurant)
        #expect((record["late"] as? [Any])?.isEmpty == true)

        let told = try restaurant.say("shift status", device: "ann").err

        #expect(told.contains("the shift had ended before this came"), "\(told)")
        #expect(told.contains("sales at 11:00: 100.00") && told.contains("“Ice”: done"))
        let id = try restaurant.endedShift()
        let text = try restaurant.run("archive export \(id)")
        #expect(text.contains("After the end") && text.contains("Sales actual · 11:00"))
        let exported = try restaurant.run("archive export \(id) --json")
        #expect(exported.contains("\"late\" : [") && exported.contains("\"by\" : \"Ann\""))
        let shown = try restaurant.run("archive show \(id) --json")
        let json = try JSONSerialization.jsonObject(with: Data(shown.utf8)) as? [String: Any]
        let remarks = try #require(json?["remarks"] as? [String: Any])
        #expect((remarks["late"] as? [Any])?.count == 3)
        #expect(try restaurant.run("todo list --open").isEmpty)
    }

    @Test func `a prepared device works although it was never used, and shows the age of its data`()
        throws
    {
        let restaurant = try Restaurant(at: "12:00")
        let early = try restaurant.say("shift prepare", device: "tablet")
        #expect(early.end == .exited(1) && early.err.contains("no shift is open"))
        try restaurant.run("shift start day")
        #expect(try restaurant.run("shift prepare", device: "tablet").contains("on this device"))
        restaurant.killService()
        try restaurant.setClock(to: "12:30")

        for command in [
            "todo list", "checklist list", "checklist show 1", "shift status", "tp list",
        ] {
            let said = try restaurant.say(command, device: "tablet")
            #expect(said.end == .exited(0))
            #expect(said.err.contains("as of 12:0"), "\(command): \(said.err)")
            #expect(said.err.contains(" min") && said.err.contains("is not running"))
        }
        let task = try #require(try restaurant.tasks(of: "Pre-shift, day", device: "tablet").first)
        try restaurant.run("checklist tick \(task)", device: "tablet")
        let again = try restaurant.say("shift prepare", device: "tablet")
        #expect(again.end == .exited(69) && again.err.contains("can't be fetched now"))
        try restaurant.startService()
        #expect(try restaurant.say("todo list", device: "tablet").err.contains("as of") == false)
        let list = try #require(try restaurant.rows("checklist list").first)
        #expect(list["ok"] as? Int == 1)
    }

    @Test func `the board shows which equipment is faulty`() throws {
        let restaurant = try Restaurant()
        try restaurant.person("wall", .display)
        let board = try restaurant.terminal("board --site Harbour", device: "wall")
        try restaurant.run("equipment report 'Fryer 2' out-of-order 'smells of gas'")
        try board.waitFor("out of order: Fryer 2: smells of gas")
        try restaurant.run("shift start day")
        try restaurant.run("equipment report 'Grill' faulty 'one side is cold'")
        try board.waitFor("faulty: Grill: one side is cold")

        try restaurant.run("equipment report 'Fryer 2' working 'new hose'")

        try board.waitFor("faulty: Grill")
        try eventually("the fryer is gone") { !board.text.contains("Fryer 2") }
    }
}
