import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests what other services bring into a day: meetings and shifts.
@Suite(.serialized, .waiting) struct OutsideEventTests {
    /// A home at six on a day that is confirmed, with routines in the morning and in the afternoon.
    /// Its person, Ada, works for a project.
    private func home() throws -> Household {
        let home = try Household(hasAccounts: true)
        _ = try home.launch("project-service")
        for line in [
            "project create House", "project person add Ada --zone Europe/Oslo",
            "project person change Ada --me", "project person add Eva --zone Europe/Oslo",
        ] { try home.run(line) }
        try home.makeRoutines()
        try home.run("day plan --tag morning --tag afternoon")
        try home.run("day confirm")
        return home
    }

    /// Books an hour with Ada, and returns the id of the meeting.
    private func book(_ title: String, at time: String, _ home: Household) throws -> String {
        let booked = try home.answer(
            "meet book Ada Eva --at '2027-02-01 \(time)' --title '\(title)' --organizer Eva "
                + "--mail Ada=ada@example.org --mail Eva=eva@example.org --anyway")
        return try #require(booked["id"] as? String)
    }

    /// When the items of a name begin today, as minutes after midnight.
    private func begins(of name: String, _ home: Household) throws -> [Int] {
        try (home.day()["items"] as? [[String: Any]] ?? []).filter { $0["name"] as? String == name }
            .compactMap { $0["from"] as? Int }
    }

    /// When the first action of an item begins, as `12:00`.
    private func start(of name: String, _ home: Household) throws -> String {
        let lines = try home.run("day show").split(separator: "\n")
        let found = try #require(lines.first { $0.contains(name) })
        return try String(#require(found.firstMatch(of: /\d\d:\d\d/)).0)
    }

    @Test func `V4: a meeting is in the day if its person allows it, and moves and ends with it`()
        throws
    {
        let home = try home()
        let id = try book("Kick-off", at: "12:00", home)
        #expect(try start(of: "Go for a walk", home) == "12:00")
        try eventually("it is known") {
            try home.run("day settings --with meetings").contains("your meetings are in your days")
                && begins(of: "Kick-off", home) == [720]
        }
        #expect(try start(of: "Go for a walk", home) == "13:00")

        try home.run("meet move \(id) --at '2027-02-01 13:00'")
        try eventually("it has moved") { try begins(of: "Kick-off", home) == [780] }
        try home.run("meet move \(id) --at '2027-02-02 12:00'")
        try eventually("it is on another day") { try begins(of: "Kick-off", home) == [] }
        let planned = try home.run("day plan --tag morning --date tomorrow")
        #expect(planned.contains("Kick-off"))

        try home.run("meet move \(id) --at '2027-02-01 15:00'")
        try eventually("it is back") { try begins(of: "Kick-off", home) == [900] }
        try home.run("meet cancel \(id)")
        try eventually("it is cancelled") { try begins(of: "Kick-off", home) == [] }
        // Undo reverses what the person did. It doesn't bring back a meeting that was cancelled.
        try home.run("day skip 2.1")
        try home.run("day undo")
        #expect(try begins(of: "Kick-off", home) == [])
    }

    @Test func `V4: the person takes a meeting out of a day, back into it, and out of all days`()
        throws
    {
        let home = try home()
        try home.run("day settings --with meetings")
        let id = try book("Kick-off", at: "15:00", home)
        try eventually("it is there") { try begins(of: "Kick-off", home) == [900] }
        try home.run("day remove Kick-off")
        try home.run("meet move \(id) --at '2027-02-01 16:00'")
        _ = try book("Review", at: "16:30", home)
        try eventually("the other one is there") { try begins(of: "Review", home) == [990] }
        #expect(try begins(of: "Kick-off", home) == [])

        // Undo reverses what the person did; the meeting stays where it is now.
        try home.run("day undo")
        #expect(try begins(of: "Kick-off", home) == [960])
        #expect(try begins(of: "Review", home) == [990])
        // A day that is saved for reuse has only the person's own appointments.
        try home.run("day save-template Usual")
        #expect(try home.run("day templates").contains("2 routines, 0 appointments"))
        #expect(
            try !home.run("day settings --without meetings").contains("are in your days"))
        #expect(try begins(of: "Kick-off", home) == [] && begins(of: "Review", home) == [])
        #expect(
            try home.refusal(of: "day settings --with shifts --without shifts")
                .contains("not both"))
    }

    @Test func `V4: meetings are in the day once, however often the service is killed`() throws {
        let home = try home()
        try home.run("day settings --with meetings")
        var names: [String] = []
        for hour in 12...16 {
            home.killService()
            names.append("Meeting \(hour)")
            _ = try book("Meeting \(hour)", at: "\(hour):00", home)
            try home.startService()
        }
        try eventually("all are there") {
            try names.allSatisfy { try !begins(of: $0, home).isEmpty }
        }
        #expect(try names.map { try begins(of: $0, home).count } == [1, 1, 1, 1, 1])
        try home.run("project delete House --yes")
        try eventually("none is held any more") {
            try names.allSatisfy { try begins(of: $0, home).isEmpty }
        }
        #expect(try home.run("day show").contains("Go for a walk"))
    }

    @Test func `V4: a shift is in its manager's day until it ends`() throws {
        let home = try Household(at: "07:00", hasAccounts: true)
        _ = try home.launch("checklist-service")
        try home.run("site add Harbour --zone Europe/Oslo")
        try eventually("the service knows the site") {
            try home.say("site settings").end == .exited(0)
        }
        try home.run("template restaurant")
        try home.run("routine create Out --tag afternoon --action 'Go for a walk:30:2'")
        try home.run("day settings --with shifts")
        try home.run("day plan --tag afternoon")
        try home.run("day confirm")
        let late = try home.refusal(of: "shift start day --until 7:00")
        #expect(late.contains("at most 16 hours later"))
        try home.setClock(to: "08:00")
        #expect(
            try home.run("shift start day --until 17:00").contains("it is meant to end at 17:00"))
        try eventually("it is in the day") { try begins(of: "Harbour", home) == [480] }
        #expect(try start(of: "Go for a walk", home) == "17:00")
        try eventually("it is on the screen") { try home.run("today").contains("Harbour") }

        try home.setClock(to: "14:00")
        try home.run("shift end --despite-open")
        try eventually("it is over") {
            let items = try home.day()["items"] as? [[String: Any]] ?? []
            let steps = items.first { $0["name"] as? String == "Harbour" }?["steps"]
            return (steps as? [[String: Any]])?.first?["state"] as? String == "done"
        }
        // The rest of its time is free.
        try eventually("it is shown") { try home.run("today").contains("Free time") }
        try home.run("day move Out 15:00")
        #expect(try start(of: "Go for a walk", home) == "15:00")
        // A shift without a planned end leaves the day as it is.
        try home.run("shift start evening")
        #expect(try begins(of: "Harbour", home) == [480])
    }
}
