import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests that devices can work offline without anything being lost or duplicated.
@Suite(.serialized, .waiting) struct ShiftOfflineTests {
    /// The number of rounds for which two devices work apart: `ROUNDS`, or 6 by default.
    static let rounds = ProcessInfo.processInfo.environment["ROUNDS"].flatMap { Int($0) } ?? 6

    @Test func `without the service work goes on, and is sent once when it is back`() throws {
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

    @Test func `two devices that mark one task independently say so, and the safe mark is shown`()
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

    @Test func `what a device sends after the shift has ended is kept in the appendix`() throws {
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
        let shown = try restaurant.run("archive show \(try restaurant.endedShift())")
        #expect(shown.contains("after the end") && shown.contains("seen too late"))
    }

    @Test func `a device that begins the next shift sends what waits from the previous one`() throws
    {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        let task = try #require(try restaurant.tasks(of: "Pre-shift, day").first)
        try restaurant.run("shift status", device: "tablet")
        restaurant.killService()
        try restaurant.run("checklist note \(task) 'seen too late'", device: "tablet")
        try restaurant.startService()
        try restaurant.run("shift end --despite-open")

        try restaurant.run("shift start evening", device: "tablet")

        let shown = try restaurant.run("archive show \(try restaurant.endedShift())")
        #expect(shown.contains("after the end") && shown.contains("seen too late"))
    }

    @Test
    func `a device that may not read the archive still learns of the end, and sends what waits`()
        throws
    {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        try restaurant.run("todo add Salt --area kitchen")
        try restaurant.person("cook", .crew)
        #expect(try restaurant.rows("todo list", device: "cook").count == 1)
        restaurant.killService()
        try restaurant.run("todo done Salt", device: "cook")
        try restaurant.startService()
        try restaurant.run("shift end --despite-open")

        let said = try restaurant.say("todo list", device: "cook")
        #expect(said.err.contains("no shift is open"))
        let shown = try restaurant.run("archive show \(try restaurant.endedShift())")
        #expect(shown.contains("after the end"))

        try restaurant.run("shift start evening")
        #expect(try restaurant.rows("todo list", device: "cook").isEmpty)
    }

    @Test func `a wall display keeps running after the end of a shift`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        try restaurant.person("wall", .display)
        let board = try restaurant.terminal("board", device: "wall")
        try board.waitFor("day shift")
        try restaurant.run("shift end --despite-open")

        try board.waitFor("no shift is open")
        try restaurant.run("shift start evening")
        try board.waitFor("evening shift")
    }

    @Test func `after restoring a backup, devices send again what it lacks`() throws {
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

    @Test func `what was sent after a backup comes back, whichever device continues first`() throws
    {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        try restaurant.run("todo add One")
        try restaurant.system.backUp(.checklist, to: "backup.sqlite")
        try restaurant.run("todo add Two")
        try restaurant.run("todo add Three")
        restaurant.killService()
        try restaurant.system.restore(.checklist, from: "backup.sqlite")
        try restaurant.startService()
        for title in ["Four", "Five", "Six"] {
            try restaurant.run("todo add \(title)", device: "tablet")
        }

        let said = try restaurant.say("shift status")

        #expect(said.err.contains("the service has forgotten something"))
        for device in ["till", "tablet"] {
            let titles = try restaurant.rows("todo list", device: device)
                .compactMap { $0["title"] as? String }
            #expect(titles == ["Five", "Four", "One", "Six", "Three", "Two"])
        }
    }

    @Test func `a shift unknown to a restored backup doesn't keep a device from the next`()
        throws
    {
        let restaurant = try Restaurant()
        try restaurant.system.backUp(.checklist, to: "backup.sqlite")
        try restaurant.run("shift start day")
        try restaurant.run("todo add Lost", device: "tablet")
        restaurant.killService()
        try restaurant.system.restore(.checklist, from: "backup.sqlite")
        try restaurant.startService()
        try restaurant.run("shift start day")

        let said = try restaurant.say("todo add Found", device: "tablet")

        #expect(said.end == .exited(0) && said.err.contains("stays on this device"))
        #expect(try restaurant.rows("todo list").compactMap { $0["title"] as? String } == ["Found"])
    }

    @Test(arguments: Seed.some(2))
    func `with two devices apart and kills at both ends, everything is there once`(seed: Seed)
        throws
    {
        var seed = seed
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        let devices = ["till", "tablet"]
        for device in devices { try restaurant.run("shift status", device: device) }
        var kept: Set<String> = []
        var tried: Set<String> = []
        for round in 0..<Self.rounds {
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

    @Test func `u undoes the latest mark, and says so`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        let walk = try restaurant.terminal("checklist walk 1")
        try walk.waitFor("0 of")
        try walk.type("u")
        try walk.waitFor("there is no mark to take back")
        try walk.type("x")
        try walk.waitFor("1 not ok")

        try walk.type("u")

        try walk.waitFor("taken back: ")
        try walk.type("q")
        try walk.waitFor(" tasks looked at")
        #expect(try walk.waitForEnd() == 0)
        let list = try #require(try restaurant.rows("checklist list").first)
        #expect(list["notOk"] as? Int == 0)
    }

    @Test func `a walk continues without the service, and losing the terminal loses no mark`()
        throws
    {
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
