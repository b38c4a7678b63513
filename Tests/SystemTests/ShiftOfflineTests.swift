import Foundation
import Messages
import TestSupport
import Testing

/// Devices that work apart: nothing of what was kept is lost, and nothing is there twice.
@Suite(.serialized) struct ShiftOfflineTests {
    @Test func `without the service everything goes on, and is sent once when it is back`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        let numbers = try restaurant.tasks(of: "Pre-shift, day")
        restaurant.killService()

        let said = try restaurant.say("checklist tick \(numbers[0]) \(numbers[1])")
        #expect(said.end == .exited(0))
        #expect(said.err.contains("kept here, 2 waiting: checklist-service is not running"))
        try restaurant.run("todo add 'Bought apart' --area kitchen")
        #expect(try restaurant.run("todo list").contains("Bought apart"))
        #expect(try restaurant.answer("shift status")["waiting"] as? Int == 3)
        let ended = try restaurant.say("shift end --despite-open")
        #expect(ended.end == .exited(69))
        try restaurant.startService()

        #expect(try restaurant.answer("shift status")["waiting"] as? Int == 0)
        let other = try restaurant.rows("todo list", device: "tablet")
        #expect(other.compactMap { $0["title"] as? String } == ["Bought apart"])
        let marked = try restaurant.rows("checklist show 1", device: "tablet")
            .filter { $0["state"] as? String == "ok" && $0["by"] as? String != "" }
        #expect(marked.count == 2)
    }

    @Test func `two devices that marked one task apart are told, and the safe side is shown`()
        throws
    {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        let task = try #require(try restaurant.tasks(of: "Pre-shift, day").first)
        try restaurant.run("shift status", device: "tablet")
        restaurant.killService()
        try restaurant.run("checklist tick \(task) --not-ok")
        try restaurant.run("checklist tick \(task)", device: "tablet")
        try restaurant.startService()
        try restaurant.run("shift status")

        let told = try restaurant.say("shift status", device: "tablet")

        #expect(told.err.contains("someone else had marked"))
        for device in ["till", "tablet"] {
            let status = try restaurant.answer("shift status", device: device)
            #expect((status["reviews"] as? [[String: Any]])?.first?["number"] as? Int == task)
            #expect(try restaurant.rows("todo list", device: device).count == 1)
        }
        try restaurant.run("checklist tick \(task)")
        let status = try restaurant.answer("shift status")
        #expect((status["reviews"] as? [Any])?.isEmpty == true)
    }

    @Test func `what a device did and the shift has ended is kept in the appendix`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        let task = try #require(try restaurant.tasks(of: "Pre-shift, day").first)
        try restaurant.run("shift status", device: "tablet")
        restaurant.killService()
        try restaurant.run("checklist note \(task) 'seen too late'", device: "tablet")
        try restaurant.startService()
        try restaurant.run("shift end --despite-open")

        let said = try restaurant.say("shift status", device: "tablet")

        #expect(said.err.contains("no shift is open"))
        let found = try restaurant.answer("archive find")["shifts"] as? [[String: Any]]
        let shift = try #require(found?.first?["shift"] as? [String: Any])
        let shown = try restaurant.run("archive show \(shift["id"] as? String ?? "")")
        #expect(shown.contains("after the end") && shown.contains("seen too late"))
    }

    @Test func `a restored backup gets again what devices have sent since`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        try restaurant.run("todo add One")
        try restaurant.system.backUp(.checklist, to: "backup.sqlite")
        try restaurant.run("todo add Two")
        try restaurant.run("todo add Three")
        restaurant.killService()
        try restaurant.system.restore(.checklist, from: "backup.sqlite")
        try restaurant.startService()

        try restaurant.run("todo add Four")

        let titles = try restaurant.rows("todo list", device: "tablet")
            .compactMap { $0["title"] as? String }
        #expect(titles == ["Four", "One", "Three", "Two"])
    }

    @Test(arguments: Seed.some(2))
    func `two devices apart, and kills of both ends: everything is there once`(seed: Seed) throws {
        var seed = seed
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        let devices = ["till", "tablet"]
        for device in devices { try restaurant.run("shift status", device: device) }
        var kept: Set<String> = []
        var tried: Set<String> = []
        for round in 0..<6 {
            if round % 2 == 0 { restaurant.killService() }
            for device in devices {
                for number in 0..<3 {
                    let title = "\(device)-\(round)-\(number)"
                    tried.insert(title)
                    let program = try restaurant.begin("todo add \(title)", device: device)
                    if seed.oneIn(3) {
                        let patience = seed.below(200)
                        let end = ContinuousClock.now + .milliseconds(patience)
                        try eventually("it is time") { ContinuousClock.now > end }
                        program.kill()
                    }
                    _ = try program.waitForEnd()
                    if program.out.contains("added:") { kept.insert(title) }
                }
            }
            if round % 2 == 0 { try restaurant.startService() }
        }
        for device in devices { try restaurant.run("shift status", device: device) }

        let shown = try devices.map { device in
            try restaurant.rows("todo list", device: device).compactMap { $0["title"] as? String }
        }

        #expect(shown[0] == shown[1])
        #expect(shown[0].count == Set(shown[0]).count)
        #expect(kept.isSubset(of: shown[0]) && tried.isSuperset(of: shown[0]))
        #expect(kept.count > 10)
        #expect(try restaurant.run("archive verify").contains("is whole"))
    }

    @Test func `one device works on a shift in one process at a time`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        let walk = try restaurant.terminal("checklist walk 1")
        try walk.waitFor("0 of")

        let said = try restaurant.say("todo add Salt")

        #expect(said.end == .exited(70))
        #expect(said.err.contains("is open in another steward (process \(walk.pid))"))
    }

    @Test func `a walk goes on without the service, and a lost terminal loses no mark`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        let walk = try restaurant.terminal("checklist walk 1")
        try walk.waitFor("0 of")
        restaurant.killService()
        try walk.type("   ")
        try walk.waitFor("kept here, 3 waiting")
        walk.signal(SIGHUP)
        _ = try walk.waitForEnd()

        try restaurant.startService()

        let list = try #require(try restaurant.rows("checklist list").first)
        #expect(list["ok"] as? Int == 3)
    }
}
