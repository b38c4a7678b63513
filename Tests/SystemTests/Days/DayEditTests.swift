import Foundation
import TestSupport
import TestThreads
import Testing

/// Changes to routines and to a day that is under way, at the command line.
@Suite(.serialized, .waiting) struct DayEditTests {
    /// A home at 07:02 on a day that is confirmed: a morning and a walk.
    private func home() throws -> Household {
        let home = try Household()
        try home.makeRoutines()
        try home.run("day plan --tag morning --tag afternoon")
        try home.run("day confirm")
        try home.setClock(to: "07:02")
        return home
    }

    /// When the first action of a routine begins, according to what a command printed.
    private func start(of name: String, in day: String) throws -> String {
        let line = try #require(day.split(separator: "\n").first { $0.contains(name) })
        return try String(#require(line.firstMatch(of: /\d\d:\d\d/)).0)
    }

    @Test func `V3: an emoji may be a name, and the rest of a routine can be changed`()
        throws
    {
        let home = try Household()
        try home.run(
            "routine create 🌙 --tag night --tag hygiene --about 'So that I sleep well' "
                + "--action 'Brush your teeth' --action 'Read a book'")
        let made = try home.answer("routine show 🌙")
        #expect(made["name"] as? String == "🌙" || made["emoji"] as? String == "🌙")
        #expect(made["tags"] as? [String] == ["night", "hygiene"])
        #expect(made["description"] as? String == "So that I sleep well")
        #expect(
            try home.refusal(of: "routine create 🌙 --action Shave")
                .contains("there is a routine “🌙” already"))

        try home.run("routine change 🌙 --rename Night --move 2:1 --about 'Calm'")
        let changed = try home.answer("routine show night")
        #expect(changed["description"] as? String == "Calm")
        let actions = changed["actions"] as? [[String: Any]] ?? []
        #expect(actions.last?["library"] as? String == "hygiene.brushTeeth")
        #expect(try home.run("day plan --tag hygiene").contains("Brush your teeth"))
        try home.run("routine change Night --remove 1")
        #expect(
            try home.refusal(of: "routine change Night --remove 1").contains("no action"))
        #expect((try home.answer("routine show Night")["actions"] as? [Any])?.count == 1)
    }

    @Test func `what several people change of a routine at one moment is all kept`() throws {
        let home = try Household()
        try home.run("routine create Long --action Zig --action Zag")
        for round in 1...5 {
            let commands = try [
                "--add Zog-\(round)", "--about about-\(round)", "--from 7:0\(round)",
            ].map { try home.begin("routine change Long \($0)") }
            for command in commands {
                #expect(try command.waitForEnd() == .exited(0), "\(command.err)")
            }
            // The number refers to the list as it was read, so this isn't tried again.
            try home.run("routine change Long --move 2:1")
            let long = try home.answer("routine show Long")
            #expect(long["description"] as? String == "about-\(round)")
            // Minutes after midnight.
            #expect(long["from"] as? Int == 420 + round)
            let actions = long["actions"] as? [[String: Any]] ?? []
            let names = actions.compactMap { $0["name"] as? String }
            #expect(names.count == round + 2 && names.last == "Zog-\(round)")
            #expect(names.first == (round % 2 == 1 ? "Zag" : "Zig"))
        }
    }

    @Test func `V4: two routines swap places, and one step undoes it`() throws {
        let home = try Household()
        try home.makeRoutines()
        try home.run("routine create Read --tag forenoon --action 'Read a book:60'")
        try home.run("routine create Wash --tag forenoon --action 'Take a shower:15'")
        try home.run("day plan --tag forenoon --tag afternoon --appointment '15:00-16:00 Doctor'")
        try home.run("day move Read 9:00")
        try home.run("day move Wash 10:05")
        let swapped = try home.run("day swap Read wash")
        #expect(try start(of: "Wash", in: swapped) == "09:00")
        #expect(try start(of: "Read", in: swapped) == "10:05")
        let back = try home.run("day swap Wash Read")
        #expect(try start(of: "Read", in: back) == "09:00")
        #expect(try start(of: "Wash", in: back) == "10:05")
        try home.run("day move Wash 9:30 --json")
        try home.run("day undo")
        #expect(try start(of: "Wash", in: home.run("day show")) == "10:05")

        // If the longer one comes first, the other waits for it.
        try home.run("day move Wash 8:40")
        let pushed = try home.run("day swap Wash Read")
        #expect(try start(of: "Read", in: pushed) == "08:40")
        #expect(try start(of: "Wash", in: pushed) == "09:45")

        for (line, reason) in [
            ("day swap Read Doctor", "has a fixed time"), ("day swap Read read", "two different"),
            ("day swap Read Nothing", "there is no “Nothing” in this day"),
        ] {
            #expect(try home.refusal(of: line).contains(reason))
        }
        #expect(try home.run("day show") == pushed)
        // Nobody confirms a proposal that was changed after this device has shown it.
        try home.run("day move Wash 10:05", device: "phone")
        try home.run("day undo", device: "phone")
        for line in ["day confirm", "day confirm --revision 1"] {
            #expect(
                try home.refusal(of: line)
                    .contains("someone else has changed the day since you looked"))
        }
        #expect(try start(of: "Read", in: home.run("day show")) == "08:40")
        try home.run("day confirm")
        try home.setClock(to: "08:41")
        #expect(try home.refusal(of: "day swap Read Wash").contains("has begun already"))
    }

    @Test func `V6 and V13: five more minutes and a pause move the rest, which says why`() throws {
        let home = try home()
        let more = try home.run("day more 10")
        #expect(try start(of: "Eat breakfast", in: more) == "07:15")
        #expect(more.contains("Moved: Brush your teeth took longer."))
        try home.run("day undo")
        #expect(try start(of: "Eat breakfast", in: home.run("day show")) == "07:05")

        try home.setClock(to: "07:04")
        #expect(try home.say("day pause").err.contains("Paused"))
        #expect(try home.refusal(of: "day pause").contains("paused already"))
        try home.setClock(to: "07:14")
        let resumed = try home.run("day resume")
        // It was paused for ten minutes, give or take the seconds of one command.
        #expect(
            try ["07:14", "07:15", "07:16"].contains(start(of: "Eat breakfast", in: resumed)))
        #expect(try home.refusal(of: "day resume").contains("not paused"))
        #expect(try home.refusal(of: "day more 121").contains("1 to 120 minutes"))
        // The reason is kept with the day, and survives a restart of the service.
        home.killService()
        try home.startService()
        #expect(try home.run("day show").contains("Moved: Brush your teeth took longer."))
    }

    @Test func `V5: each thing needs one key, and other keys do nothing`() throws {
        let home = try home()
        let view = try home.terminal("day view", columns: 80, rows: 24)
        try view.waitFor("Brush your teeth")
        try view.type("m")
        try eventually("there is more time") {
            try start(of: "Eat breakfast", in: home.run("day show")) == "07:10"
        }
        try view.type("p")
        try view.waitFor("Paused")
        try view.type("p")
        try view.waitFor("minutes left")
        try view.type("s")
        try eventually("it is skipped") { home.states(try home.day()).first == "1.1 skipped" }
        try view.type("u")
        try eventually("it is back") { home.states(try home.day()).first == "1.1 unspecified" }
        try view.waitFor("Brush your teeth")
        let before = home.states(try home.day())
        #expect(before.count == 3)
        try view.type("xy?")
        try view.type(" ")
        try eventually("it is done") { home.states(try home.day()).first == "1.1 done" }
        #expect(home.states(try home.day()) == ["1.1 done"] + before.dropFirst())
        try view.type("f")
        try view.waitFor("First")
        try view.type("q")
        #expect(try view.waitForEnd() == 0 && view.isSane)
    }

    @Test func `V5: the view says when a key can't do what it is for`() throws {
        let home = try Household()
        try home.makeRoutines()
        try home.run("day plan --tag morning")
        let view = try home.terminal("day view", columns: 80, rows: 24)
        try view.waitFor("Is this day right?")
        try view.type("u")
        try view.waitFor("That isn't possible just now.")
        try view.type("q")
        #expect(try view.waitForEnd() == 0 && view.isSane)
    }

    @Test func `V7: the person chooses how early they are told, or never`() throws {
        let home = try Household()
        try home.makeRoutines()
        try home.run("day settings --warning 20")
        try home.run("day plan --tag morning")
        try home.run("day confirm")
        try home.setClock(to: "06:41")
        try eventually("it is told 20 minutes ahead") {
            try home.alerts().contains { $0.contains("Soon, at 07:00: Morning") }
        }
        try home.run("day settings --warning 0")
        try home.run("day plan --tag morning --anew --date tomorrow")
        try home.run("day confirm --date tomorrow")
        try home.setClock(to: "06:59", on: "2027-02-02")
        try home.run("day show")
        try home.setClock(to: "07:00", on: "2027-02-02")
        try eventually("it is due") {
            try home.alerts().contains { $0.contains("Now: Brush your teeth") }
        }
        let told = try home.rows("alerts list --all")
            .compactMap { ($0["raised"] as? [String: Any])?["title"] as? String }
        #expect(told.count { $0.hasPrefix("Soon") } == 1, "\(told)")
        #expect(
            try home.refusal(of: "day settings --warning 9999").contains("minutes"))
    }

    @Test func `whoever makes something calm that wasn't urgent is told`() throws {
        let home = try Household()
        try home.run("day settings --urgent medicine")
        let calm = "day settings --calm"
        #expect(
            try home.say("\(calm) medicin").err.contains("nothing called “medicin” was urgent"))
        #expect(try !home.say("\(calm) Medicine").err.contains("was urgent"))
    }

    @Test func `whoever names an unknown carer is told how to make one`() throws {
        let home = try Household(hasAccounts: true)
        try home.person("ada")
        let refusal = try home.refusal(of: "day settings --carer-changes nobody", device: "ada")
        #expect(refusal.contains("steward carer add") && !refusal.contains("whoami"))
    }

    @Test func `V9: a former carer sees nothing, and changes nothing`() throws {
        let home = try Household(hasAccounts: true)
        for name in ["ada", "kari"] { try home.person(name) }
        try home.makeRoutines(device: "ada")
        try home.run("day plan --tag morning", device: "ada")
        try home.run("carer add kari ada", device: "ada")
        try home.run("day settings --carer-changes kari", device: "ada")
        try home.run("day appoint '12:00-13:00 Doctor' --for ada", device: "kari")
        try home.run("carer remove kari ada", device: "ada")
        try eventually("kari may not look any more") {
            try home.say("day show --for ada", device: "kari").end == .exited(1)
        }
        for line in [
            "day remove Doctor --for ada", "routine list --for ada", "day settings --for ada",
            "day swap Morning Doctor --for ada",
        ] { #expect(try home.say(line, device: "kari").end == .exited(1), "\(line)") }
        #expect(try home.run("day show", device: "ada").contains("Doctor"))
    }
}
