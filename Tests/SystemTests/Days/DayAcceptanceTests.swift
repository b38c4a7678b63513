import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests the requirements for visual days, one by one, at the command line.
@Suite(.serialized, .waiting) struct DayAcceptanceTests {
    @Test func `V1: a person signs up, logs in and out; a failed log-in doesn't say why`()
        throws
    {
        let home = try Household(hasAccounts: true)
        try home.person("ada")
        try home.makeRoutines(device: "ada")
        #expect(try home.run("whoami", device: "ada").contains("ada"))

        let password = try home.feed("login ada", "not the password\n", device: "other")
        let name = try home.feed("login adam", "not the password\n", device: "other")
        #expect(password.end == .exited(1) && name.end == .exited(1))
        #expect(password.err == name.err && !password.err.isEmpty)

        // Someone who isn't logged in and works at the machine itself is the machine's own person.
        #expect(try home.run("routine list", device: "ada").contains("Morning"))
        #expect(!(try home.run("routine list", device: "other")).contains("Morning"))
        try home.run("logout", device: "ada")
        #expect(!(try home.run("routine list", device: "ada")).contains("Morning"))

        // An e-mail address works as well as the name.
        let code = try home.run("user invite --role crew").trimmingCharacters(in: .newlines)
        let secret = "correct horse battery"
        for (line, typed) in [
            ("user sign-up eva --email eva@example.org", "\(code)\n\(secret)\n"),
            ("login eva@example.org", "\(secret)\n"),
        ] { #expect(try home.feed(line, typed, device: "eva").end == .exited(0), "\(line)") }
        #expect(try home.run("whoami", device: "eva").contains("eva"))
    }

    @Test func `V2: actions come with Steward, and a person adds their own`() throws {
        let home = try Household()
        #expect(try home.run("action list --area hygiene").contains("Brush your teeth"))
        #expect(try home.run("action list walk").contains("Go for a walk"))

        try home.run("action add 'Feed Alfred' --emoji 🐢 --minutes 7 --priority 5")
        try home.run("action add 🧸")
        let own = try home.run("action list --area own")
        #expect(own.contains("Feed Alfred") && own.contains("🐢") && own.contains("🧸"))
        try home.run("action remove 'feed alfred'")
        #expect(!(try home.run("action list --area own")).contains("Feed Alfred"))
    }

    @Test func `V3: a routine is made, changed, copied, deleted and brought back`() throws {
        let home = try Household()
        try home.makeRoutines()
        #expect(try home.run("routine show morning").contains("🪥"))

        try home.run("routine change Morning --add 'Comb your hair' --move 3:1")
        let shown = try home.run("routine show Morning").split(separator: "\n")
        #expect(shown.contains { $0.contains("Comb your hair") && $0.contains("1") })
        let comb = shown.firstIndex { $0.contains("Comb") } ?? .max
        let teeth = shown.firstIndex { $0.contains("teeth") } ?? .min
        #expect(comb < teeth)

        try home.run("routine copy Morning 'Slow morning'")
        try home.run("routine delete Morning")
        #expect(!(try home.run("routine list")).contains(" Morning "))
        try home.run("routine restore")
        let names = try home.run("routine list")
        #expect(names.contains("Morning") && names.contains("Slow morning"))
    }

    @Test func `V3: a duplicate name, no name and no action are refused with that reason`() throws {
        let home = try Household()
        try home.makeRoutines()
        let twice = try home.refusal(of: "routine create MORNING --action Shave")
        #expect(twice.contains("there is a routine “MORNING” already; choose another name"))
        let empty = try home.refusal(of: "routine create Empty")
        #expect(empty.contains("the routine has no action; give it at least one"))
        let nameless = try home.refusal(of: "routine create '' --action Shave")
        #expect(nameless.contains("the routine needs a name"))
    }

    @Test func `V4: a day is proposed around fixed items, changed by hand, and confirmed`()
        throws
    {
        let home = try Household()
        try home.makeRoutines()
        let plan =
            "day plan --tag morning --tag afternoon "
            + "--appointment '12:00-13:00 +30 Doctor'"
        let proposed = try home.run(plan)
        #expect(proposed.contains("proposal") && proposed.contains("Doctor"))

        try home.run("day appoint '15:00-16:00 Ada calls'")
        try home.run("day move Out 14:00")
        let moved = try home.run("day show")
        #expect(
            moved.split(separator: "\n").contains { $0.contains("14:00") && $0.contains("Out") })
        try home.run("day remove 'Ada calls'")
        try home.run("day undo")
        #expect(try home.run("day show").contains("Ada calls"))

        #expect(!(try home.run("day confirm")).contains("proposal"))
        #expect(
            try home.refusal(of: plan).contains("is planned and confirmed already"))
    }

    @Test func `V4: a day with nothing in it is refused, also by removing things`() throws {
        let home = try Household()
        #expect(try home.refusal(of: "day plan").contains("needs at least one routine"))
        try home.makeRoutines()
        try home.run("day plan --routine Out")
        #expect(try home.refusal(of: "day remove Out").contains("the day would be empty"))
        #expect(try home.run("day show").contains("Go for a walk"))
    }

    @Test func `V4 and V8: a day is repeated, and kept as a template`() throws {
        let home = try Household()
        try home.makeRoutines()
        try home.run("day plan --tag morning --appointment '12:00-13:00 Doctor'")
        try home.run("day save-template School")
        #expect(try home.run("day templates").contains("1 routine, 1 appointment"))

        let repeated = try home.run("day repeat 2027-02-01 --date tomorrow")
        #expect(repeated.contains("2027-02-02") && repeated.contains("Doctor"))
        let kept = try home.run("day plan --template school --date 2027-02-03")
        #expect(kept.contains("Brush your teeth") && kept.contains("Doctor"))
        try home.setClock(to: "06:00", on: "2027-02-04")
        #expect(try home.run("day repeat").contains("2027-02-04"))
    }

    @Test func `V5 and V6: now, next, done, skipped, undone, and done for today`() throws {
        let home = try Household()
        #expect(try home.refusal(of: "day show").contains("there is no plan for 2027-02-01"))
        try home.makeRoutines()
        try home.run("day plan --tag morning")
        try home.run("day confirm")
        try home.setClock(to: "07:02")
        #expect(home.states(try home.day("day done")) == ["1.1 done", "1.2 unspecified"])
        try home.run("day undo")
        try home.run("day skip")
        #expect(home.states(try home.day()).first == "1.1 skipped")
        let last = try home.say("day done")
        #expect(last.end == .exited(0) && last.err.contains("Done for today"))
    }

    @Test func `V6: actions that passed while the machine was off are skipped, others go on`()
        throws
    {
        let home = try Household()
        try home.makeRoutines()
        try home.run("day plan --tag morning --tag afternoon")
        try home.run("day confirm")
        home.killService()
        try home.setClock(to: "13:00")
        try home.startService()
        try eventually("the morning is over") {
            home.states(try home.day()) == ["1.1 skipped", "1.2 skipped", "2.1 unspecified"]
        }
        #expect(try home.run("day show").contains("Its time was over at 11:00."))
        #expect(home.states(try home.day("day done")).last == "2.1 done")
    }

    @Test func `V7 and V15: alerts come calmly ahead, when due, and when the day is done`() throws {
        let home = try Household()
        try home.makeRoutines()
        try home.run("day plan --tag morning")
        try home.run("day confirm")
        try home.setClock(to: "06:56")
        try eventually("it is told ahead") {
            try home.alerts().contains { $0.contains("Soon, at 07:00: Morning") }
        }
        try home.setClock(to: "07:01")
        try eventually("it is told when it is due") {
            let alerts = try home.alerts()
            return alerts.count == 1 && alerts[0].contains("Now: Brush your teeth")
                && alerts[0].contains("info")
        }
        try home.run("day done")
        try home.run("day done")
        try eventually("the day is done") {
            let alerts = try home.alerts()
            return alerts.count == 1 && alerts[0].contains("Done for today")
        }
    }

    @Test func `V9 and V17: a carer looks, changes if allowed, and the person undoes it`()
        throws
    {
        let home = try Household(hasAccounts: true)
        try home.person("ada")
        try home.person("kari")
        try home.person("stranger")
        try home.makeRoutines(device: "ada")
        try home.run("day plan --tag morning", device: "ada")
        #expect(try home.say("day show --for ada", device: "stranger").end == .exited(1))
        #expect(try home.say("day show --for ada", device: "kari").end == .exited(1))

        try home.run("carer add kari ada", device: "ada")
        #expect(
            try home.run("day show --for ada", device: "kari").contains("Brush your teeth"))
        let add = "day appoint '12:00-13:00 Doctor' --for ada"
        #expect(
            try home.refusal(of: add, device: "kari").contains("look at this person's days"))

        try home.run("day settings --carer-changes kari", device: "ada")
        try home.run(add, device: "kari")
        let seen = try home.say("day show", device: "ada")
        #expect(seen.err.contains("kari changed this day: added: Doctor"))
        try home.run("day undo", device: "ada")
        #expect(!(try home.run("day show", device: "ada")).contains("Doctor"))
        #expect(try home.say("day show", device: "kari").err.contains("no plan"))
    }

    @Test func `V13: a routine that doesn't fit says why in one sentence`() throws {
        let home = try Household()
        try home.makeRoutines()
        let day = try home.run("day plan --tag morning --appointment '07:10-11:00 School'")
        #expect(day.contains("not today") && day.contains("No room before"))
    }

    @Test func `V14: what comes next, first-then, and a bar that needs no numbers`()
        throws
    {
        let home = try Household()
        try home.makeRoutines()
        try home.run("day plan --tag morning")
        try home.run("day confirm")
        try home.setClock(to: "06:45")
        let view = try home.terminal("day view", columns: 80, rows: 24)
        try view.waitFor("Waiting for")
        // A window may be shown in several parts.
        for part in ["█", "Brush your teeth"] { try view.waitFor(part) }
        try home.setClock(to: "07:01")
        try view.waitFor("Next:")
        for part in ["█", "Brush your teeth"] { try view.waitFor(part) }
        try view.type("f")
        try view.waitFor("Then")
        try view.waitFor("Eat breakfast")
        try eventually("the bar is gone") { !view.text.contains("█") }
        try view.type(" ")
        try eventually("it is done") { home.states(try home.day()).first == "1.1 done" }
        try view.type("q")
        #expect(try view.waitForEnd() == 0 && view.isSane)
    }

    @Test func `bad input is refused with the reason, and changes nothing`() throws {
        let home = try Household()
        try home.makeRoutines()
        for (line, reason) in [
            ("day plan --appointment '11:00-10:00 Doctor'", "before it begins at 11:00"),
            ("day plan --routine Out --wake 7:00 --wake 8:00", "one time to get up"),
            ("day plan --routine Out --wake 23:00 --sleep 7:00", "before you go to sleep"),
            ("day plan --tag nothing", "no routine has the tag “nothing”"),
            ("day plan --routine Out --date 2026-12-01", "from today on"),
            ("day plan --routine Out --date 2028-12-01", "up to a year ahead"),
            (
                "day plan --appointment '10:00-11:00 A' --appointment '10:30-12:00 B'",
                "“B” overlaps “A”"
            ),
            ("day settings --zone Europe/Nowhere", "no time zone"),
            ("day confirm", "no plan"), ("action add x --minutes 0x", "minutes"),
            ("action add x --minutes 481", "1 to 480 minutes"),
        ] {
            let refusal = try home.refusal(of: line)
            #expect(refusal.contains(reason), "\(line): \(refusal)")
            #expect(try home.say("day show").err.contains("there is no plan"), "\(line)")
            #expect(try home.run("day settings").contains("from 07:00 to 22:00"), "\(line)")
        }
    }
}
