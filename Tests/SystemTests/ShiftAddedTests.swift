import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests what was added to the user stories after their acceptance tests, and what they left for
/// the future, at the command line against the running services.
@Suite(.serialized, .waiting) struct ShiftAddedTests {
    /// Returns the number of the first task in a listing whose line contains a text.
    private func number(_ text: String, in listing: String) throws -> Int {
        let line = try #require(listing.split(separator: "\n").first { $0.contains(text) })
        return try #require(line.split(separator: " ").first.flatMap { Int($0) })
    }

    // MARK: US1

    @Test func `US1 added: a mark takes one key that can be found without looking`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start evening")
        let walk = try restaurant.terminal("checklist walk 1")
        try walk.waitFor("0 of")

        try walk.type("\r")

        try walk.waitFor("1 of")
        try walk.waitFor("space ok  x not ok")
    }

    @Test func `US1 added: a task with subtasks leads to them`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        let listing = try restaurant.run("checklist show 1")
        let parent = try number("( )", in: listing)
        let title = try #require(
            try restaurant.rows("checklist show 1").first { $0["number"] as? Int == parent }?[
                "title"] as? String)

        let refused = try restaurant.say("checklist tick \(parent)")
        #expect(refused.end == .exited(1))
        #expect(refused.err.contains("tick those: \(parent + 1) "))
        let walk = try restaurant.terminal("checklist walk 1")
        try walk.waitFor("0 of")
        try walk.type("/\(title)")
        try walk.waitFor("Search: \(title)")
        try walk.type("\r q")
        #expect(try walk.waitForEnd() == 0)
        let marked = try restaurant.rows("checklist show 1").filter { $0["by"] as? String != "" }
        #expect(marked.compactMap { $0["number"] as? Int } == [parent + 1])
    }

    @Test func `US1 added: not ok is different from not checked`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        let numbers = try restaurant.tasks(of: "Pre-shift, day")
        try restaurant.run("checklist tick \(numbers[0]) --not-ok")
        try restaurant.run("checklist tick \(numbers[1])")

        let boxes = {
            let lines = try restaurant.run("checklist show 1").split(separator: "\n")
            return try numbers.prefix(3).map { number in
                let line = try #require(lines.first { $0.split(separator: " ")[0] == "\(number)" })
                return try #require(["[✗]", "[✓]", "[ ]"].first { line.contains($0) })
            }
        }
        #expect(try boxes() == ["[✗]", "[✓]", "[ ]"])
        try restaurant.run("checklist tick \(numbers[0]) --clear")
        #expect(try boxes() == ["[ ]", "[✓]", "[ ]"])
    }

    @Test func `US1 added: general tasks stand out, in orange and in words`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")

        #expect(try restaurant.run("checklist show 1").contains("(general)"))
        let tasks = try restaurant.rows("checklist show 1")
            .map { ($0["title"] as? String ?? "", $0["general"] as? Bool == true) }
        let walk = try restaurant.terminal("checklist walk 1", columns: 120, rows: 60)
        try walk.waitFor("  general")
        // This is the last line of the window.
        try walk.waitFor("space ok  x not ok")
        let orange = "38;5;208"
        #expect(walk.styles(of: "  general").allSatisfy { $0.contains(orange) })
        let titles = tasks.filter { walk.text.contains($0.0) }
        let general = titles.filter(\.1).map(\.0)
        let others = titles.map(\.0).filter { title in !general.contains { $0.contains(title) } }
        #expect(!general.isEmpty && !others.isEmpty)
        for title in general {
            #expect(walk.styles(of: title).allSatisfy { $0.contains(orange) }, "\(title)")
        }
        for title in others {
            #expect(walk.styles(of: title).allSatisfy { !$0.contains(orange) }, "\(title)")
        }
    }

    @Test(arguments: [(80, 24), (160, 50)])
    func `US1 added: the checklist and its notes use the available width`(
        columns: Int, rows: Int
    ) throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        let walk = try restaurant.terminal("checklist walk 1", columns: columns, rows: rows)
        try walk.waitFor("Parking and outside")
        try walk.type("n")
        try walk.waitFor("Note:")
        try walk.type(String(repeating: "word ", count: columns / 5))
        try walk.type("end\r")
        try walk.waitFor("noted")
        // The note is longer than a line: it continues below, and its lines are nearly as wide as
        // the window.
        try eventually("all of it is shown: \(walk.text)") {
            let note = walk.text.split(separator: "\n").filter { $0.contains("word") }
            return note.count > 1 && note.last?.contains("end") == true
                && (note.map(\.count).max() ?? 0) > columns - 12
        }
    }

    @Test func `US1 and US5 added: day and evening have lists of their own`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        let day = try restaurant.rows("checklist list")
        try restaurant.run("shift end --despite-open")
        try restaurant.run("shift start evening")
        let evening = try restaurant.rows("checklist list")

        let tasks = { (lists: [[String: Any]]) in lists.first?["tasks"] as? Int ?? 0 }
        #expect(tasks(evening) > 0 && tasks(evening) < tasks(day))
        let names = evening.compactMap { $0["name"] as? String }
        #expect(names.contains("Before the rush, evening") && !names.contains("Pre-shift, day"))
    }

    // MARK: US2 and US3

    @Test func `US2 added: to-dos of one section are sorted by title too`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        for title in ["Wipe", "Air", "Mop"] {
            try restaurant.run("todo add \(title) --section Bar --priority immediate")
        }

        let titles = try restaurant.rows("todo list").compactMap { $0["title"] as? String }

        #expect(titles == ["Air", "Mop", "Wipe"])
    }

    @Test func `US2 and US3 added: added notes are printed on lines of their own`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        try restaurant.run("todo add 'Mop the bar' --area service --note 'first note'")
        try restaurant.run("todo note 1001 'second note'")

        let lines = try restaurant.run("todo print --area service").split(separator: "\n")

        let first = try #require(lines.firstIndex { $0.contains("first note") })
        let second = try #require(lines.firstIndex { $0.contains("second note") })
        #expect(first < second && !lines[first].contains("Mop the bar"))
    }

    // MARK: US5 and US6

    @Test func `US5 added: ticking the task of the pre-shift checklist opens that list`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        let linked = try #require(
            try restaurant.rows("checklist list").first { $0["kind"] as? String == "before" })
        let template = try restaurant.run("template export 'Before the rush, day'")
        #expect(template.contains("opens: Pre-shift, day"))
        let walk = try restaurant.terminal("checklist walk '\(linked["name"] as? String ?? "")'")
        try walk.waitFor("Before the rush, day")
        try walk.type("/pre-shift")
        try walk.waitFor("Search: pre-shift")
        try walk.type("\r ")

        try walk.waitFor("this list was opened by the task; q goes back")

        try walk.waitFor("Pre-shift, day")
        try walk.type("q")
        try walk.waitFor(" Before the rush, day")
        try walk.type("q")
        #expect(try walk.waitForEnd() == 0)
    }

    @Test func `US6 added: the reminder is repeated until someone acknowledges it`() throws {
        let restaurant = try Restaurant(at: "10:05")
        try restaurant.run("shift start day")
        let watch = try restaurant.begin("alerts watch --json")
        try restaurant.waitForTravelPath(at: "10:15", repeated: 2, told: watch)
        let id = try #require(try restaurant.notices(watch).first?.alert?.id)

        #expect(try restaurant.run("alerts ack \(id)").hasPrefix("acknowledged"))

        try restaurant.expectNoRepetition(until: "10:45", told: watch)
        let states = try restaurant.notices(watch).map(\.alert?.state)
        #expect(states == [.open, .open, .open, .acknowledged, .open])
    }

    // MARK: The future

    @Test func `a shift that was renamed or deleted behind the service's back is named`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        try restaurant.run("shift end --despite-open")
        #expect(try restaurant.run("archive verify").contains("is whole"))
        for edit in [
            "UPDATE operation SET shift = 'x' WHERE sequence = 2",
            "UPDATE shift SET shift = CAST(replace(shift, 'Harbour', 'Harvest') AS BLOB)",
            "DELETE FROM shift",
        ] {
            restaurant.killService()
            try restaurant.system.edit(.checklist, edit)
            try restaurant.startService()

            let said = try restaurant.say("archive verify")

            #expect(said.end == .exited(1), "\(edit)")
            #expect(said.err.contains("record 1 began the shift"), "\(edit)")
        }
    }

    @Test func `future: the board on the wall warns of the travel path until it is walked`() throws
    {
        let restaurant = try Restaurant(at: "10:00")
        try restaurant.person("wall", .display)
        try restaurant.run("shift start day")
        let board = try restaurant.terminal("board --site Harbour", device: "wall")
        try board.waitFor("until the travel path at 10:15")
        #expect(board.bells == 0)
        try restaurant.setClock(to: "10:15")
        try board.waitFor("WALK THE TRAVEL PATH NOW")
        try eventually("it rings") { board.bells > 0 }
        try restaurant.setClock(to: "10:26")
        try board.waitFor("TRAVEL PATH LATE")
        let before = board.bells
        try eventually("it rings again and again") { board.bells > before + 1 }

        try restaurant.run("tp log")

        try board.waitFor("until the travel path at 10:45")
    }

    @Test func `future: the board shows immediately what needs attention, and updates by itself`()
        throws
    {
        let restaurant = try Restaurant(at: "09:00")
        try restaurant.run("shift start day")
        let board = try restaurant.terminal("board", columns: 120, rows: 40)
        try board.waitFor("No to-do is open.")
        try restaurant.run("todo add 'Salt on the stairs' --area service --priority immediate")
        try board.waitFor("Salt on the stairs")
        try restaurant.setClock(to: "15:30")
        try board.waitFor("overdue since")
        restaurant.killService()
        try board.waitFor("checklist-service is not running")
        for part in [" as of ", "Salt on the stairs"] { try board.waitFor(part) }
        try restaurant.startService()
        try restaurant.run("todo done 1001")
        try board.waitFor("No to-do is open.")
        try board.resize(columns: 80, rows: 24)
        try board.waitFor("to-dos done")
        try board.type("q")
        #expect(try board.waitForEnd() == 0)
        #expect(board.isSane)
    }

    @Test func `future: a crew member does to-dos, but leads no shift`() throws {
        let restaurant = try Restaurant()
        try restaurant.person("cleo", .crew)
        try restaurant.run("shift start day")
        try restaurant.run("todo add 'Wipe the fryer' --area kitchen")

        #expect(try restaurant.run("todo list", device: "cleo").contains("Wipe the fryer"))
        try restaurant.run("todo done 1001", device: "cleo")

        let todo = try #require(try restaurant.rows("todo list").first)
        #expect(todo["state"] as? String == "done" && todo["doneBy"] as? String == "Cleo")
        let refused = try restaurant.say("tp begin", device: "cleo")
        #expect(refused.end == .exited(1))
        #expect(
            try restaurant.run("shift refused", device: "cleo").contains("travel path begun"))
        try restaurant.run("shift dismiss all", device: "cleo")
        #expect(try restaurant.run("todo list", device: "cleo").contains("Wipe the fryer"))
    }

    @Test func `future: a travel path lists the to-dos done since the last one`() throws {
        let restaurant = try Restaurant(at: "10:16")
        try restaurant.run("shift start day")
        try restaurant.run("todo add One")
        try restaurant.run("todo add Two")
        try restaurant.run("todo done 1001")
        try restaurant.run("tp begin")
        try restaurant.run("todo add 'Found on the way'")
        try restaurant.run("tp log")
        try restaurant.run("todo done 1002")

        let second = try restaurant.run("tp begin")

        #expect(second.contains("Two") && !second.contains("One"))
    }

    @Test func `future: superiors are alerted to a time-critical task that is not done`() throws {
        let restaurant = try Restaurant(at: "09:00")
        try restaurant.person("sue", .supervisor)
        try restaurant.run(
            "template add-task 'Before the rush, day' 'Fire doors are free' "
                + "--section 'Taking over' --at 09:30 --time-critical")
        try restaurant.run("shift start day")
        try restaurant.setClock(to: "09:41")
        try eventually("the shift manager is told") {
            try restaurant.run("alerts list").contains("Fire doors are free")
        }
        try restaurant.setClock(to: "09:51")

        try eventually("the supervisor is told") {
            try restaurant.run("alerts list", device: "sue").contains("Fire doors are free")
        }
    }

    @Test func `future: faults of equipment are reported, and spare parts are found`() throws {
        let restaurant = try Restaurant()
        try restaurant.person("cleo", .crew)
        try restaurant.run(
            "equipment report 'Fryer 2' faulty 'does not heat' --area kitchen", device: "cleo")
        let repaired = try restaurant.say("equipment report 'fryer 2' working 'new element'")
        #expect(!repaired.err.contains("new here"))
        // A mistyped name is another piece of equipment.
        let mistyped = try restaurant.say("equipment report 'Fryr 2' working")
        #expect(mistyped.err.contains("it is new here"))
        try restaurant.run(
            "part put 'Heating element' --in 'Store, shelf 3' --number HE-7 --count 2 "
                + "--fits 'Fryer 2'")

        let equipment = try restaurant.run("equipment list --history")
        #expect(equipment.contains("does not heat") && equipment.contains("new element"))
        #expect(try restaurant.rows("equipment list --faulty").isEmpty)
        #expect(try restaurant.run("part find fryer").contains("Store, shelf 3"))
        try restaurant.run("part put 'Heating element' --in 'Shelf 4' --number HE-7")
        let part = try #require(try restaurant.rows("part find fryer").first)
        #expect(part["place"] as? String == "Shelf 4" && part["count"] as? Int == 2)
        try restaurant.run("part remove HE-7")
        #expect(!(try restaurant.run("part find").contains("Heating")))
    }

    @Test func `future: statistics, sales and settings are kept`() throws {
        let restaurant = try Restaurant(at: "12:05")
        try restaurant.run("site settings --currency EUR --interval 20m")
        try restaurant.run("shift start day")
        let numbers = try restaurant.tasks(of: "Pre-shift, day")
        try restaurant.run("checklist tick \(numbers[0]) \(numbers[1])")
        try restaurant.run("checklist tick \(numbers[2]) --not-ok")
        try restaurant.run(
            "sales enter 12 --sales 2345.50 --crew 14.5 --service 'seconds per order=94'")
        let sales = try restaurant.run("sales show")
        #expect(sales.contains("SALES EUR") && sales.contains("2345.50"))
        #expect(sales.contains("14 h 30 min") && sales.contains("seconds per order 94"))
        restaurant.killService()
        try restaurant.startService()
        #expect(try restaurant.run("sales show") == sales)
        try restaurant.run("shift end --despite-open")

        let language = try restaurant.say("site settings --language de").err
        #expect(language.contains("some in en, nb, sv") && language.contains("is in English"))
        #expect(!(try restaurant.say("site settings --language nb").err.contains("English")))
        let settings = try restaurant.answer("site settings")
        #expect(settings["currency"] as? String == "EUR")
        #expect(settings["travelPathInterval"] as? Int == 20)
        let archived = try restaurant.run("archive export \(try restaurant.endedShift())")
        #expect(archived.contains("2\u{A0}345.50"))
        let head = try restaurant.run("stats --csv").split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        #expect(head.count == 2)
        let row = Dictionary(zip(head[0], head[1])) { first, _ in first }
        #expect([row["shifts"], row["ok"], row["not_ok"], row["todos"]] == ["1", "2", "1", "1"])
        #expect(Int(row["tasks"] ?? "") ?? 0 >= 150)
        let managers = try restaurant.rows("stats --by manager")
        #expect(managers.map { $0["shifts"] as? Int } == [1])
        let title = try #require(
            try restaurant.rows("archive show \(try restaurant.endedShift())")
                .last { $0["state"] as? String == "notOk" }?["title"] as? String)
        let line = try #require(
            try restaurant.run("stats --by task").split(separator: "\n")
                .first { $0.contains(title) })
        #expect(line.contains("100 %"))
        #expect(
            try restaurant.run("stats --by task").split(separator: "\n").count {
                $0.contains("100 %")
            } == 1)
    }
}
