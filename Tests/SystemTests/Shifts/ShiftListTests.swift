import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests of the lists of shifts, at the command line against the running services.
@Suite(.serialized, .waiting) struct ShiftListTests {
    @Test func `an imported list has as many tasks as its shift shows`() throws {
        let restaurant = try Restaurant()
        let imported = try restaurant.run("template restaurant").split(separator: "\n")

        try restaurant.run("shift start day")

        let lists = try restaurant.rows("checklist list")
        #expect(!lists.isEmpty)
        for list in lists {
            let name = try #require(list["name"] as? String)
            let tasks = try #require(list["tasks"] as? Int)
            let line = imported.first { $0.hasPrefix("\(name): version") }
            #expect(line?.hasSuffix(", \(tasks) tasks") == true, "\(name)")
        }
    }

    @Test func `a list of shifts that was cut says so`() throws {
        let restaurant = try Restaurant()
        for _ in 1...2 {
            try restaurant.run("shift start day")
            try restaurant.run("shift end --despite-open")
        }

        for command in ["archive find", "shift list"] {
            for (limit, isCut) in [(1, true), (2, false)] {
                let said = try restaurant.say("\(command) --limit \(limit)")
                #expect(said.end == .exited(0))
                #expect(said.err.contains("there are older ones") == isCut, "\(said.err)")
                let text = try restaurant.run("\(command) --limit \(limit) --json")
                let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
                let whole = try #require(json as? [String: Any])
                #expect(whole["more"] as? Bool == isCut)
                #expect((whole["shifts"] as? [Any])?.count == limit)
            }
        }
    }
}
