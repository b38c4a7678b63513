import Foundation
import TestSupport
import Testing

/// Tests what a person does with their week, at the command line against running services. The
/// tests are named after the requirements for days.
struct WeekAcceptanceTests {
    @Test func `V10: the week proposes each day, and one key accepts it`() throws {
        let home = try Household()
        try home.makeRoutines()
        try home.run("day plan --tag morning")
        try home.run("day save-template School")
        try home.run("day rhythm mon-fri school")
        #expect(try home.run("day rhythm").contains("School"))
        try home.setClock(to: "07:01", on: "2027-02-02")
        try eventually("Tuesday is proposed") {
            try home.alerts().contains { $0.contains("Is this your day? School") }
        }
        let proposal = try home.run("day show")
        #expect(proposal.contains("2027-02-02  proposal") && proposal.contains("Brush your teeth"))

        try home.run("day add Out")
        let view = try home.terminal("day view", columns: 80, rows: 24)
        try view.waitFor("Press y for yes")
        try view.type("y")
        try eventually("it is the person's day") {
            try !home.run("day show").contains("proposal")
        }
        try view.type("q")
        #expect(try view.waitForEnd() == 0)
        try eventually("nothing is asked any more") {
            try !home.alerts().contains { $0.contains("Is this your day?") }
        }
        try home.setClock(to: "07:01", on: "2027-02-03")
        try eventually("Wednesday follows the week, without Tuesday's additions") {
            let said = try home.say("day show")
            return said.out.contains("Brush your teeth") && !said.out.contains("Go for a walk")
        }
    }

    @Test func `V10: holidays are left out, and a machine that was off proposes later`() throws {
        let home = try Household()
        try home.makeRoutines()
        try home.run("day plan --tag morning")
        try home.run("day save-template School")
        try home.run("day rhythm all School")
        try home.run("day holiday 2027-02-03 2027-02-05 Break")
        #expect(
            try home.refusal(of: "day forget-template School").contains("in the weekly rhythm"))
        home.killService()
        try home.setClock(to: "12:00", on: "2027-02-04")
        try home.startService()
        #expect(try home.refusal(of: "day plan").contains("needs at least one routine"))
        home.killService()
        try home.setClock(to: "09:30", on: "2027-02-06")
        try home.startService()
        try eventually("Saturday is proposed") {
            try home.say("day show").out.contains("2027-02-06  proposal")
        }
        for date in ["2027-02-04", "2027-02-05"] {
            #expect(try home.refusal(of: "day show --date \(date)").contains("no plan"))
        }
        try home.run("day rhythm --evening 18:00")
        try home.setClock(to: "18:01", on: "2027-02-06")
        try eventually("Sunday is proposed on Saturday evening") {
            try home.say("day show --date tomorrow").out.contains("2027-02-07  proposal")
        }
    }

    @Test func `V16 and V8: a duration measured five times is offered, and statistics are calm`()
        throws
    {
        let home = try Household()
        try home.makeRoutines()
        #expect(try home.say("action measured").err.contains("nothing is measured yet"))
        var last = ""
        for day in 1...5 {
            let date = "2027-02-0\(day)"
            try home.setClock(to: "06:50", on: date)
            try home.run("day plan --tag morning")
            try home.run("day confirm")
            #expect(try !home.run("action measured").contains("can be adopted"))
            try home.setClock(to: "07:08", on: date)
            try home.run("day done")
            try home.setClock(to: "07:28", on: date)
            last = try home.say("day done").err
        }
        #expect(last.contains("“Brush your teeth” takes you 8 minutes as a rule, not 5"))
        let measured = try home.rows("action measured")
        #expect(measured.first?["minutes"] as? Int == 8 && measured.count == 2)
        #expect(try home.run("action adopt 'brush your teeth'").contains("8 minutes from now on"))
        #expect(try home.rows("action measured").allSatisfy { $0["isOffered"] as? Bool == false })
        let actions = try home.rows("routine show Morning").first?["actions"] as? [[String: Any]]
        #expect(actions?.first?["minutes"] as? Int == 8)

        let statistics = try home.rows("routine statistics")
        #expect(statistics.count == 1)
        #expect(statistics.first?["days"] as? Int == 5)
        #expect(statistics.first?["actions"] as? Int == 10)
        #expect(statistics.first?["minutes"] as? Int == 28)
        try home.run("day undo")
        #expect(try home.rows("routine statistics").first?["actions"] as? Int == 9)
    }

    @Test func `V4: items with a fixed time come from a calendar, each once`() throws {
        let home = try Household()
        try home.makeRoutines()
        let file = home.system.path("family.ics")
        let events = [
            ("20270201T120000", "20270201T130000", "Doctor", ""),
            ("20270104T150000", "20270104T160000", "Choir", "RRULE:FREQ=WEEKLY\r\n"),
            ("20270201T123000", "20270201T124500", "Call", ""),
            ("20270202T090000", "20270202T100000", "Another day", ""),
            // Some programs write this for what is private.
            ("20270201T180000", "20270201T181500", " ", ""),
            ("20270201T181000", "20270201T182000", " ", ""),
        ]
        let text = events.enumerated().map { number, event in
            "BEGIN:VEVENT\r\nUID:\(number)\r\nDTSTART;TZID=Europe/Oslo:\(event.0)\r\n"
                + "DTEND;TZID=Europe/Oslo:\(event.1)\r\nSUMMARY:\(event.2)\r\n\(event.3)"
                + "END:VEVENT\r\n"
        }.joined()
        try "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(text)END:VCALENDAR\r\n"
            .write(toFile: file, atomically: true, encoding: .utf8)
        let said = try home.say("day plan --tag afternoon --calendar '\(file)'")
        #expect(said.out.contains("Doctor") && said.out.contains("Choir"))
        #expect(said.out.contains("18:00"))
        #expect(!said.out.contains("Call") && !said.out.contains("Another day"))
        #expect(said.err.contains("“Call” is left out: it overlaps “Doctor”"))
        #expect(said.err.contains("an event without a title is left out: it overlaps"))
        let again = try home.say("day calendar '\(file)'")
        #expect(again.err.contains("nothing was added"), "\(again.err)")
        try home.run("day remove Choir")
        #expect(try home.run("day calendar '\(file)'").contains("Choir"))
        try "no calendar".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(
            try home.refusal(of: "day calendar '\(file)'").contains("can't be read as a calendar"))
    }

    @Test func `a calendar's event is added at its own instant to a day planned in another zone`()
        throws
    {
        let home = try Household()
        try home.makeRoutines()
        let file = home.system.path("doctor.ics")
        try
            ("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\n"
            + "DTSTART;TZID=Europe/Oslo:20270201T120000\r\n"
            + "DTEND;TZID=Europe/Oslo:20270201T130000\r\nSUMMARY:Doctor\r\n"
            + "END:VEVENT\r\nEND:VCALENDAR\r\n")
            .write(toFile: file, atomically: true, encoding: .utf8)
        try home.run("day plan --tag afternoon")
        try home.run("day settings --zone America/New_York")

        let shown = try home.run("day calendar '\(file)'").split(separator: "\n")

        #expect(shown.contains { $0.contains("12:00") && $0.contains("Doctor") })
    }

    @Test func `nothing of a calendar is added if the day has no room for all of it`() throws {
        let home = try Household()
        try home.makeRoutines()
        let file = home.system.path("full.ics")
        let events = (0...30).map { number in
            let time = String(format: "%02d%02d00", 6 + number / 3, 20 * (number % 3))
            return "BEGIN:VEVENT\r\nUID:\(number)\r\nDTSTART;TZID=Europe/Oslo:20270201T\(time)\r\n"
                + "DURATION:PT5M\r\nSUMMARY:Call \(number)\r\nEND:VEVENT\r\n"
        }
        try "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(events.joined())END:VCALENDAR\r\n"
            .write(toFile: file, atomically: true, encoding: .utf8)
        let before = try home.run("day plan --tag afternoon")

        let refusal = try home.refusal(of: "day calendar '\(file)'")

        #expect(refusal.contains("at most 30 appointments; nothing was added"))
        #expect(try home.run("day show") == before)
    }

    @Test func `everything of today is on one screen, and a service that is down is named`()
        throws
    {
        let home = try Household()
        try home.makeRoutines()
        // A busy service may answer this command too late, and is named then.
        try eventually("no plan is shown") {
            try home.run("today").contains("No plan for today")
        }
        try home.run("day plan --tag morning")
        try home.run("day confirm")
        try home.setClock(to: "07:02")
        try eventually("everything is shown that can be") {
            let today = try home.run("today")
            return today.contains("Now") && today.contains("Brush your teeth")
                && today.contains("Next") && today.contains("Eat breakfast")
                && today.contains("checklist-service can't be asked just now")
                && !today.contains("notifier can't")
        }
        let checklist = try home.launch("checklist-service")
        try eventually("the service of shifts is asked too") {
            try !home.run("today").contains("checklist-service can't")
        }
        // A service that hangs is named, and the rest is shown nevertheless.
        checklist.signal(SIGSTOP)
        try eventually("it is named, and the rest is shown") {
            let hanging = try home.run("today")
            return hanging.contains("Brush your teeth")
                && hanging.contains("checklist-service can't be asked just now")
        }
        checklist.signal(SIGCONT)
    }

    @Test func `today's meetings and the issues that are due are on the screen of today`() throws {
        let home = try Household(hasAccounts: true)
        let project = try home.launch("project-service")
        for line in [
            "project create House", "project person add Ada --zone Europe/Oslo",
            "project person change Ada --me", "issue create Dig --assignee Ada --due 2027-01-29",
            "issue create Build --assignee Ada --due 2027-02-01",
            "issue create Paint --assignee Ada --due 2027-02-02", "issue create Mow",
        ] { try home.run(line) }
        #expect(try !home.run("today").contains("Meeting"))
        let book =
            "meet book Ada --organizer Ada --mail Ada=ada@example.org --anyway --place Barn"
        try home.run("\(book) --at '2027-02-01 12:00' --title Kick-off")
        try home.run("\(book) --at '2027-02-02 12:00' --title Review")
        var today = ""
        try eventually("the meeting is shown: \(today)") {
            today = try home.run("today")
            return today.contains("Meeting       12:00–13:00 Kick-off, Barn")
                && today.contains("\nTo do")
        }
        #expect(!today.contains("Review"))
        let todos = today.split(separator: "\n").filter { $0.hasPrefix("To do") }
        #expect(todos.count == 2)
        #expect(todos.first?.contains("#1 Dig, house, 2027-01-29") == true)
        #expect(todos.last?.contains("#2 Build") == true)

        let told = try home.answer("today")
        let meetings = told["meetings"] as? [[String: Any]] ?? []
        #expect(meetings.map { $0["title"] as? String } == ["Kick-off"])
        #expect((told["issues"] as? [Any])?.count == 2)
        project.signal(SIGSTOP)
        try eventually("it is named, and the rest is shown") {
            let hanging = try home.run("today")
            return hanging.contains("project-service can't be asked just now")
                && !hanging.contains("Kick-off") && hanging.contains("No plan for today")
        }
        project.signal(SIGCONT)
    }

    @Test func `V9 and V17: a carer sees days side by side, and gets the alerts that are allowed`()
        throws
    {
        let home = try Household(hasAccounts: true)
        try home.person("ada")
        try home.person("kari")
        try home.makeRoutines(device: "ada")
        try home.run("day plan --tag morning", device: "ada")
        try home.run("day confirm", device: "ada")
        let alone = try home.run("day together", device: "kari")
        #expect(!alone.contains("ada"))
        try home.run("carer add kari ada", device: "ada")
        try home.setClock(to: "07:01")
        try eventually("kari sees ada's day besides her own") {
            let both = try home.run("day together", device: "kari")
            return both.contains("kari") && both.contains("ada")
                && both.contains("Brush your teeth")
        }
        #expect(try home.alerts(device: "kari") == [])
        try home.run("day settings --carer-told kari", device: "ada")
        try eventually("kari is told what ada is told") {
            try home.alerts(device: "kari").contains { $0.contains("ada, now: Brush your teeth") }
        }
        #expect(
            try home.alerts(device: "ada").contains { $0.contains("Now: Brush your teeth") })
        try home.run("carer remove kari ada", device: "ada")
        try eventually("former carers are told nothing") {
            try home.alerts(device: "kari").isEmpty
        }
        #expect(try !home.run("day settings", device: "ada").contains("copy"))
    }
}
