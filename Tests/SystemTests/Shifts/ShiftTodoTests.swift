import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests that to-dos keep their numbers and outlast the shift, at the command line against the
/// running services.
@Suite(.serialized, .waiting) struct ShiftTodoTests {
    private func numbers(_ restaurant: Restaurant, device: String? = nil) throws -> [String: Int] {
        Dictionary(
            try restaurant.rows("todo list", device: device).compactMap { row in
                guard let title = row["title"] as? String, let number = row["number"] as? Int
                else { return nil }
                return (title, number)
            }, uniquingKeysWith: { first, _ in first })
    }

    private func state(of title: String, _ restaurant: Restaurant) throws -> String? {
        try restaurant.rows("todo list").first { $0["title"] as? String == title }?["state"]
            as? String
    }

    @Test func `a number that a device has shown means the same to-do after a sync`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        try restaurant.run("shift status", device: "tablet")
        restaurant.killService()
        for title in ["Ice", "Salt", "Cups", "Mop"] {
            try restaurant.run("todo add \(title)", device: "tablet")
            try restaurant.run("todo add Till-\(title)")
        }
        let till = try numbers(restaurant)
        let tablet = try numbers(restaurant, device: "tablet")
        #expect(Set(till.values).isDisjoint(with: tablet.values))

        try restaurant.startService()
        for _ in 1...2 {
            for device in ["till", "tablet"] { try restaurant.run("shift status", device: device) }
        }

        for device in ["till", "tablet"] {
            let now = try numbers(restaurant, device: device)
            #expect(now == till.merging(tablet) { first, _ in first })
        }
        try restaurant.run("todo done \(try #require(tablet["Mop"]))", device: "tablet")
        #expect(try state(of: "Mop", restaurant) == "done")
        let open = try restaurant.rows("todo list --open").compactMap { $0["title"] as? String }
        #expect(open.count == 7)
    }

    @Test func `open to-dos are handed over, and keep their number, person and time`() throws {
        let restaurant = try Restaurant(at: "09:00")
        try restaurant.run("shift start day")
        let task = try #require(try restaurant.tasks(of: "Pre-shift, day").first)
        try restaurant.run("checklist tick \(task) --not-ok --note 'since noon'")
        try restaurant.run("todo add Ice --area kitchen --assignee Cleo --due 22:30")
        try restaurant.run("todo add Done")
        try restaurant.run("todo done Done")
        try restaurant.run("todo change Ice --priority immediate")
        let said = try restaurant.say("shift end --despite-open")
        #expect(said.err.contains("takes over 2 to-dos"))
        let sheet = try restaurant.run("shift handover \(try restaurant.endedShift())")
        let between = try numbers(restaurant)
        #expect(between.count == 2 && between["Ice"] == 1_001)
        for (title, number) in between {
            #expect(sheet.contains("\(number)") && sheet.contains(title))
        }
        #expect(sheet.contains("for Cleo") && sheet.contains("22:30"))
        #expect(sheet.contains("since noon") && !sheet.contains("Done"))

        try restaurant.run("shift start evening")

        #expect(try numbers(restaurant) == between)
        let ice = try #require(
            try restaurant.rows("todo list").first { $0["title"] as? String == "Ice" })
        #expect(ice["assignee"] as? String == "Cleo" && ice["priority"] as? String == "immediate")
        #expect(ice["due"] as? String == "2026-11-21T21:30:00.000Z")
        #expect(ice["handovers"] as? Int == 1)
        for number in between.values { try restaurant.run("todo done \(number)") }
        try restaurant.run("shift end --despite-open")
        #expect(try numbers(restaurant).isEmpty)
        #expect(try restaurant.run("archive verify").contains("is whole"))
    }

    @Test func `to-dos are added and done between shifts, and nothing is lost`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("todo add Salt --area service --note 'for the stairs'")
        try restaurant.run("todo add Ice --area kitchen --assignee Cleo")
        let numbers = try numbers(restaurant)
        let ice = try #require(numbers["Ice"])
        let refused = try restaurant.say("todo add Rest --area cellar")
        #expect(refused.end == .exited(1) && refused.err.contains("“cellar” isn't one of"))
        #expect(try restaurant.say("todo add ' '").end == .exited(1))
        let none = try restaurant.say("todo list --area cellar")
        #expect(none.end == .exited(1) && none.err.contains("it has kitchen, manager, service"))
        restaurant.killService()
        #expect(try restaurant.say("todo add Cups").end == .exited(69))
        try restaurant.startService()
        try restaurant.run("todo done \(ice)")
        try restaurant.run("todo note Salt 'a sack'")
        #expect(try restaurant.run("todo list").contains("a sack"))

        try restaurant.run("shift start day")

        #expect(try self.numbers(restaurant) == numbers)
        #expect(try state(of: "Ice", restaurant) == "done")
        #expect(try state(of: "Salt", restaurant) == "open")
        for line in ["todo list --area cellar", "todo print --area cellar"] {
            #expect(try restaurant.say(line).err.contains("has no area “cellar”"), "\(line)")
        }
        #expect(try restaurant.run("todo list").contains("for the stairs · a sack"))
        #expect(try restaurant.say("todo list").err.isEmpty)
    }

    @Test func `work done before the end and sent after it reaches the next shift`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        try restaurant.run("todo add Ice")
        try restaurant.run("todo add Salt")
        let task = try #require(try restaurant.tasks(of: "Pre-shift, day").first)
        try restaurant.run("checklist tick \(task) --not-ok")
        try restaurant.run("shift status", device: "tablet")
        restaurant.killService()
        try restaurant.run("todo done Ice \(task)", device: "tablet")
        try restaurant.run("todo note Salt 'out of stock'", device: "tablet")
        try restaurant.run("todo add 'Smell of gas'", device: "tablet")
        let given = try numbers(restaurant, device: "tablet")
        try restaurant.startService()
        try restaurant.run("shift end --despite-open")
        try restaurant.run("shift start evening")

        try restaurant.run("todo list", device: "tablet")

        let now = try numbers(restaurant)
        for title in ["Ice", "Salt", "Smell of gas"] { #expect(now[title] == given[title]) }
        let open = try restaurant.rows("todo list --open").compactMap { $0["title"] as? String }
        #expect(Set(open) == ["Salt", "Smell of gas"])
        #expect(try restaurant.run("todo list").contains("out of stock"))
        #expect(try numbers(restaurant, device: "tablet") == now)
        #expect(try restaurant.run("archive verify").contains("is whole"))
    }

    @Test func `a to-do that nobody does alerts its person, and then superiors`() throws {
        let restaurant = try Restaurant(at: "09:00")
        try restaurant.person("sue", .supervisor)
        try restaurant.person("cleo", .crew)
        try restaurant.run("shift start day")
        try restaurant.run("todo add Ice --area kitchen --assignee cleo --due 09:30")
        try restaurant.setClock(to: "09:41")
        for device in ["till", "cleo"] {
            try eventually("\(device) is told") {
                try restaurant.run("alerts list", device: device).contains("Ice")
            }
        }
        #expect(!(try restaurant.run("alerts list", device: "sue").contains("Ice")))
        try restaurant.setClock(to: "09:51")
        try eventually("the supervisor is told") {
            try restaurant.run("alerts list", device: "sue").contains("Ice")
        }

        try restaurant.run("todo done Ice")

        for device in ["till", "cleo", "sue"] {
            try eventually("\(device) sees that it is done") {
                try !restaurant.rows("alerts list", device: device).contains {
                    ($0["state"] as? String) == "open" && "\($0)".contains("Ice")
                }
            }
        }
    }
}
