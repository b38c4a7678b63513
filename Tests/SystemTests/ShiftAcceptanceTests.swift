import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// Tests the user stories of shift managers and their acceptance criteria, at the command line
/// against the running services.
@Suite(.serialized, .waiting) struct ShiftAcceptanceTests {
    @Test func `US1 a shift manager carries out a pre-shift checklist with notes`() throws {
        let restaurant = try Restaurant()
        let begun = try restaurant.run("shift start day")
        #expect(begun.contains("the first travel path is due at 10:15"))

        let walk = try restaurant.terminal("checklist walk 1")
        try walk.waitFor("Parking and outside")
        try walk.type(" x")
        try walk.waitFor("1 not ok  2 of")
        try walk.type("n")
        try walk.waitFor("Note:")
        try walk.type("glass by the door\r")
        try walk.waitFor("noted")
        try walk.type("ano terrace today\r")
        try walk.waitFor("3 of")
        try walk.type("q")

        #expect(try walk.waitForEnd() == 0)
        let tasks = try restaurant.rows("checklist show 1")
        let states = tasks.compactMap { $0["state"] as? String }
        #expect(states.filter { $0 == "ok" }.count == 1)
        #expect(states.contains("notOk") && states.contains("notApplicable"))
        #expect(tasks.contains { $0["notes"] as? [String] == ["glass by the door"] })
        #expect(tasks.contains { $0["reason"] as? String == "no terrace today" })
    }

    @Test func `US1A1 the whole pre-shift checklist is filled out with one key per task`()
        throws
    {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")

        let keys = try restaurant.walk("Pre-shift, day")

        let list = try #require(try restaurant.rows("checklist list").first)
        #expect(list["unchecked"] as? Int == 0)
        let done = try #require(list["ok"] as? Int)
        #expect(done >= 150)
        #expect(Double(keys) / Double(done) <= 1.05)
        let walked = try restaurant.run("checklist walk --help")
        #expect(walked.contains("one key for each task"))
    }

    @Test func `US1A2 a walk is interrupted, continues where it was, and is corrected`()
        throws
    {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        let first = try restaurant.terminal("checklist walk")
        try first.waitFor("0 of")
        try first.type("     ")
        try first.waitFor("5 of")
        first.kill()

        let again = try restaurant.terminal("checklist walk")
        try again.waitFor("5 of")
        try again.type("bx")
        try again.waitFor("1 not ok  5 of")
        try again.type("u")
        try again.waitFor("4 of")
        // Ctrl-C drops unread input and restores the terminal.
        try again.type("\u{3}")

        #expect(try again.waitForEnd() == 0)
        #expect(again.isSane)
        let marked = try restaurant.rows("checklist show 1").filter {
            $0["state"] as? String != "unchecked" && $0["by"] as? String != ""
        }
        #expect(marked.count == 4)
        #expect(marked.allSatisfy { $0["state"] as? String == "ok" })
    }

    @Test
    func `US2 to-dos come from tasks that are not ok, and are ticked, added, noted and deleted`()
        throws
    {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        let numbers = try restaurant.tasks(of: "Pre-shift, day")
        try restaurant.run("checklist tick \(numbers[0]) \(numbers[1]) --not-ok --note 'see there'")
        try restaurant.run("todo add 'Call the plumber' --area manager --priority immediate")

        #expect(try restaurant.rows("todo list").count == 3)
        try restaurant.run("todo done \(numbers[0])")
        try restaurant.run("todo note 1001 'he comes at noon'")
        try restaurant.run("todo delete \(numbers[1])")
        let left = try restaurant.rows("todo list")
        #expect(left.compactMap { $0["number"] as? Int } == [1001, numbers[0]])
        #expect(left[0]["notes"] as? [String] == ["he comes at noon"])
        #expect(left[1]["state"] as? String == "done")
        try restaurant.run("todo undone \(numbers[0]) \(numbers[1])")
        #expect(try restaurant.rows("todo list --open").count == 3)
        let unknown = try restaurant.say("todo done 4711")
        #expect(unknown.end == .exited(1) && unknown.err.contains("the nearest is 1001"))
    }

    @Test func `US2A1 the generated to-do list is sorted by priority, then by section`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        let numbers = try restaurant.tasks(of: "Pre-shift, day")
        let some = stride(from: 0, to: numbers.count, by: 7).map { String(numbers[$0]) }
        try restaurant.run("checklist tick \(some.joined(separator: " ")) --not-ok")

        let shown = try restaurant.shownTasks(of: "1").filter { some.contains("\($0.number)") }
        let expected = shown.sorted(by: ShownTask.isBefore).map(\.number)
        // Priority, section and title each affect the order here.
        #expect(Set(shown.map(\.priority)).count == 4)
        #expect(expected != shown.sorted { $0.byTitle < $1.byTitle }.map(\.number))
        #expect(expected != shown.sorted { $0.byNumber < $1.byNumber }.map(\.number))

        let todos = try restaurant.rows("todo list").compactMap { $0["number"] as? Int }
        let table = try restaurant.run("todo list").split(separator: "\n")
            .compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }

        #expect(expected.count == some.count)
        #expect(todos == expected)
        #expect(table == expected)
    }

    @Test func `US2A2 the list is used during the shift, and own to-dos are offered again`()
        throws
    {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        try restaurant.run("todo add 'Descale the coffee machine' --area kitchen --section Bar")
        // Otherwise it is handed over.
        try restaurant.run("todo done descale")
        try restaurant.run("shift end --despite-open")
        try restaurant.run("shift start evening")

        let added = try restaurant.run("todo add --again descale")

        #expect(added.contains("Descale the coffee machine"))
        let todo = try #require(try restaurant.rows("todo list").first)
        #expect(todo["area"] as? String == "kitchen" && todo["section"] as? String == "Bar")
        let offered = try restaurant.terminal("todo add")
        try offered.waitFor("1  Descale the coffee machine")
        try offered.type("1\r")
        #expect(try offered.waitForEnd() == 0)
        #expect(try restaurant.rows("todo list").count == 2)
    }

    @Test func `US3 to-do lists are presented by area as table, text, HTML and PDF`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        try restaurant.run("todo add 'Wipe the fryer' --area kitchen")
        try restaurant.run("todo add 'Fill the napkins' --area service")

        let kitchen = try restaurant.rows("todo list --area kitchen")
        #expect(kitchen.compactMap { $0["title"] as? String } == ["Wipe the fryer"])
        let text = try restaurant.run("todo print")
        #expect(text.contains("Wipe the fryer") && text.contains("Fill the napkins"))
        let page = try restaurant.run("todo print --html --area service")
        #expect(page.contains("<html") && page.contains("Fill the napkins"))
        #expect(!page.contains("Wipe the fryer"))
        let file = restaurant.system.path("list.pdf")
        try restaurant.run("todo print --pdf -o \(file)")
        let bytes = try #require(FileManager.default.contents(atPath: file))
        #expect(bytes.starts(with: Data("%PDF-".utf8)))
    }

    @Test func `US3A1 the printed to-do list has every to-do in the same order as the screen`()
        throws
    {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        let numbers = try restaurant.tasks(of: "Pre-shift, day")
        try restaurant.run("checklist tick \(numbers[3]) \(numbers[40]) \(numbers[90]) --not-ok")

        try restaurant.run("todo add 'Air the cellar' --area kitchen --priority next-shift")
        try restaurant.run("todo add 'Call the plumber' --area kitchen --priority immediate")

        var printed = 0
        for area in ["manager", "kitchen", "service"] {
            let titles = try restaurant.rows("todo list --area \(area)")
                .compactMap { $0["title"] as? String }
            guard !titles.isEmpty else { continue }
            let text = try restaurant.run("todo print --area \(area)")
            let places = titles.compactMap { text.range(of: $0.prefix(20))?.lowerBound }
            #expect(places.count == titles.count && places == places.sorted())
            printed += places.count
        }
        #expect(printed == 5)
    }

    @Test func `US3A2 mailed lists go to the site's addresses, one for each area`()
        throws
    {
        let restaurant = try Restaurant()
        try restaurant.run("site settings --mail-to crew@harbour.example")
        try restaurant.run("shift start day")
        try restaurant.run("todo add 'Wipe the fryer' --area kitchen --note 'with care'")
        try restaurant.run("todo add 'Fill the napkins' --area service")

        let mailed = try restaurant.answer("todo mail")

        #expect(mailed["to"] as? [String] == ["crew@harbour.example"])
        let keys = try #require(mailed["keys"] as? [String])
        #expect(Set(keys).count == 2)
        try eventually("the mail channel has both") {
            let to = try restaurant.rows("mail list").compactMap { $0["to"] as? String }
            return to == ["crew@harbour.example", "crew@harbour.example"]
        }
    }

    @Test func `US4 a filled checklist is found and shown with name, date, version and times`()
        throws
    {
        let restaurant = try Restaurant(at: "09:00")
        try restaurant.run("shift start day")
        let numbers = try restaurant.tasks(of: "Pre-shift, day")
        try restaurant.run("checklist tick \(numbers[0])")
        try restaurant.run("checklist tick \(numbers[1]) --not-ok --note 'ice on the ramp'")
        try restaurant.run("shift end --despite-open")

        let shifts = try restaurant.rows("archive find ramp --from 2026-11-21 --to 2026-11-21")
        let shift = try #require(shifts.first?["shift"] as? [String: Any])
        let id = try #require(shift["id"] as? String)
        let shown = try restaurant.run("archive show \(id)")

        #expect(shifts.count == 1)
        #expect(shown.contains("the day shift of 2026-11-21 at Harbour"))
        #expect(shown.contains("Pre-shift, day, version 1"))
        #expect(shown.contains("09:0") && shown.contains("ice on the ramp"))
        let all = try restaurant.rows("archive show \(id)")
        let round = all.filter { $0["securityRound"] as? Bool == true }
        let titles = { (rows: [[String: Any]]) in rows.compactMap { $0["title"] as? String } }
        let daily = try restaurant.rows("archive show \(id) --security")
        #expect(!round.isEmpty && round.count < all.count)
        #expect(titles(daily) == titles(round))
        let paper = try restaurant.run("archive show \(id) --security")
        #expect(paper.contains("ice on the ramp") && !paper.contains("fingerprints"))
        for form in ["--html", "--json", "--csv"] {
            #expect(try restaurant.run("archive export \(id) \(form)").contains("ice on the ramp"))
        }
        #expect(try restaurant.run("archive verify").contains("is whole"))
    }

    @Test func `US4A1 a manager finds a specific checklist, and a crew member may not`()
        throws
    {
        let restaurant = try Restaurant()
        try restaurant.person("sia", .siteManager)
        try restaurant.person("cleo", .crew)
        for (part, note) in [("day", "ice on the ramp"), ("evening", "the lamp flickers")] {
            try restaurant.run("shift start \(part)")
            let task = try #require(
                try restaurant.rows("checklist list").first?["name"] as? String)
            let number = try #require(try restaurant.tasks(of: task).first)
            try restaurant.run("checklist tick \(number) --not-ok --note '\(note)'")
            try restaurant.run("shift end --despite-open")
        }

        #expect(try restaurant.rows("archive find", device: "sia").count == 2)
        let found = try restaurant.rows("archive find lamp", device: "sia")
        #expect(found.count == 1)
        let shift = try #require(found.first?["shift"] as? [String: Any])
        let id = try #require(shift["id"] as? String)
        #expect(try restaurant.run("archive show \(id)", device: "sia").contains("evening shift"))
        let crew = try restaurant.say("archive find", device: "cleo")
        #expect(crew.end == .exited(1) && crew.err.contains("this needs the role"))
        #expect(try restaurant.say("archive show \(id)", device: "cleo").end == .exited(1))
    }

    @Test func `US5 the lists before, during and after are ticked, with times and overdue tasks`()
        throws
    {
        let restaurant = try Restaurant(at: "09:00")
        try restaurant.run("shift start day")
        for list in ["before", "during", "after"] {
            let task = try #require(
                try restaurant.tasks(of: try name(of: list, restaurant)).first)
            try restaurant.run("checklist tick \(task)")
            try restaurant.run("checklist note \(task) 'done early'")
            try restaurant.run("checklist tick \(task) --clear")
            let refused = try restaurant.say("checklist tick \(task) --not-ok")
            #expect(refused.end == .exited(1))
        }
        let timed = try restaurant.rows("checklist show").filter { $0["due"] != nil }
        #expect(!timed.isEmpty)
        try restaurant.setClock(to: "23:30")
        let status = try restaurant.answer("shift status")
        #expect((status["overdue"] as? [Any])?.isEmpty == false)
    }

    private func name(of kind: String, _ restaurant: Restaurant) throws -> String {
        let lists = try restaurant.rows("checklist list")
        return try #require(
            lists.first { $0["kind"] as? String == kind }?["name"] as? String)
    }

    @Test func `US5A1 the contents of the three checklists are shown with their numbers`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")

        for kind in ["before", "during", "after"] {
            let list = try name(of: kind, restaurant)
            let text = try restaurant.run("checklist show '\(list)'")
            let count = try restaurant.tasks(of: list).count
            #expect(text.contains("\(list)  0 of \(count)"))
            #expect(text.components(separatedBy: "[ ]").count == count + 1)
        }
    }

    @Test func `US5A2 a shift is carried out with the lists before, during and after`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        for kind in ["preShift", "before", "during", "after"] {
            try restaurant.walk(name(of: kind, restaurant))
        }

        let ended = try restaurant.run("shift end")

        #expect(ended.contains("has ended"))
        #expect(try restaurant.say("checklist list").err.contains("no shift is open"))
    }

    @Test func `US6 a travel path is due every 30 minutes, by day from 10:15`() throws {
        let restaurant = try Restaurant(at: "10:10")
        try restaurant.run("shift start day")

        try restaurant.setClock(to: "10:16")
        try restaurant.run("tp begin")
        #expect(try restaurant.run("tp log").contains("for 10:15; the next is due at 10:45"))
        try restaurant.setClock(to: "11:20")
        let slots = try restaurant.rows("tp list").compactMap { $0["state"] as? String }
        #expect(slots == ["done", "missed", "open"])
        #expect(try restaurant.run("sales show").contains("missed"))
    }

    @Test func `US6A1 a reminder repeats until the travel path is logged, then stops`() throws {
        let restaurant = try Restaurant(at: "10:05")
        try restaurant.run("shift start day")
        let watch = try restaurant.begin("alerts watch --json")
        try restaurant.waitForTravelPath(at: "10:15", repeated: 2, told: watch)

        try restaurant.run("tp log 'all is well'")

        try restaurant.expectNoRepetition(until: "10:45", told: watch)
        let states = try restaurant.notices(watch).map(\.alert?.state)
        #expect(states == [.open, .open, .open, .withdrawn, .open])
    }

    @Test func `US7 templates are exported, changed and imported again, and shifts keep theirs`()
        throws
    {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        let file = restaurant.system.path("list.yaml")
        let text = try restaurant.run("template export 'Pre-shift, day'")
            .replacing("Door glass has no fingerprints", with: "Door glass is spotless")
        try text.write(toFile: file, atomically: true, encoding: .utf8)

        #expect(try restaurant.run("template import \(file)").contains("version 2"))

        #expect(!(try restaurant.run("checklist show 1").contains("spotless")))
        try restaurant.run("shift end --despite-open")
        try restaurant.run("shift start day")
        #expect(try restaurant.run("checklist show 1").contains("Door glass is spotless"))
        try "sections: [".write(toFile: file, atomically: true, encoding: .utf8)
        let bad = try restaurant.say("template import \(file)")
        #expect(bad.end == .exited(1) && bad.err.contains("line "))
    }

    @Test func `US7A1 a restaurant manager updates, moves, adds and deletes a task`() throws {
        let restaurant = try Restaurant()
        try restaurant.person("sia", .siteManager)
        try restaurant.person("mia", .shiftManager)
        let list = "'Pre-shift, evening'"

        try restaurant.run(
            "template add-task \(list) 'Candles are lit' --section 'Dining room' --general",
            device: "sia")
        #expect(try restaurant.section(of: "candles-are-lit", in: list) == "Dining room")
        try restaurant.run(
            "template change-task \(list) candles-are-lit --title 'Candles burn' --at 18:00",
            device: "sia")
        try restaurant.run(
            "template move-task \(list) candles-are-lit --section 'Toilets'", device: "sia")
        #expect(try restaurant.run("template show \(list)").contains("Candles burn"))
        #expect(try restaurant.section(of: "candles-are-lit", in: list) == "Toilets")
        #expect(try restaurant.run("template show \(list)").contains("version 4"))
        try restaurant.run("template remove-task \(list) candles-are-lit", device: "sia")

        #expect(!(try restaurant.run("template show \(list)").contains("Candles")))
        #expect(try restaurant.section(of: "candles-are-lit", in: list) == nil)
        let refused = try restaurant.say("template rename \(list) Night", device: "mia")
        #expect(refused.end == .exited(1) && refused.err.contains("this needs the role"))
    }
}
