import Foundation
import TestSupport
import TestThreads
import Testing

/// V18: days while the service is away.
@Suite(.serialized, .waiting) struct DayOfflineTests {
    /// A home at 07:02 on a day that is confirmed, and that the tablet has shown once.
    private func home() throws -> Household {
        let home = try Household()
        try home.makeRoutines()
        try home.run("day plan --tag morning --tag afternoon")
        try home.run("day confirm")
        try home.setClock(to: "07:02")
        try home.run("day show")
        return home
    }

    @Test func `V18: a day is shown and its actions done, skipped and undone without the service`()
        throws
    {
        let home = try home()
        home.killService()
        let shown = try home.say("day show")
        #expect(shown.end == .exited(0) && shown.out.contains("Brush your teeth"))
        #expect(shown.err.contains("as this device has it"))

        let done = try home.say("day done")
        #expect(done.end == .exited(0) && done.err.contains("kept here, 1 waiting"))
        #expect(home.states(try home.day()).first == "1.1 done")
        #expect(try home.refusal(of: "day done 1.1").contains("marked so already"))
        try home.run("day skip 2.1")
        try home.run("day undo")
        #expect(home.states(try home.day()) == ["1.1 done", "1.2 unspecified", "2.1 unspecified"])
        // A command that needs the service says so, and nothing of it is kept.
        #expect(try home.say("day more").end == .exited(69))

        try home.startService()
        let synced = try home.say("day show --json")
        #expect(synced.err.isEmpty)
        #expect(
            home.states(try #require(try synced.objects.first))
                == ["1.1 done", "1.2 unspecified", "2.1 unspecified"])
        #expect(
            home.states(try home.day("day show", device: "phone"))
                == ["1.1 done", "1.2 unspecified", "2.1 unspecified"])
    }

    @Test func `V18: a command waits once for a service that hangs, and the view goes on`() throws {
        let home = try home()
        home.service.signal(SIGSTOP)
        defer { home.service.signal(SIGCONT) }
        var said: [CommandLineUser.Said] = []

        // What is done already is refused after as long a wait.
        let wait = try shortestTime(under: .seconds(9)) {
            let begun = ContinuousClock.now
            said.append(try home.say("day done 1.1"))
            return ContinuousClock.now - begun
        }

        #expect(wait < .seconds(9))
        let done = try #require(said.first)
        #expect(done.end == .exited(0) && done.err.contains("kept here, 1 waiting"))
        #expect(done.err.contains("does not answer"))
        let view = try home.terminal("day view", columns: 100, rows: 24)
        try view.waitFor("Eat breakfast")
        try view.waitFor("No contact just now")
        try view.type("s")
        try view.waitFor("Free time")
        try view.type("q")
        #expect(try view.waitForEnd() == 0 && view.isSane)
        home.service.signal(SIGCONT)
        #expect(
            home.states(try home.day()) == ["1.1 done", "1.2 skipped", "2.1 unspecified"])
    }

    @Test func `V18: what only the service can do is worth a longer wait`() throws {
        let home = try home()
        home.service.signal(SIGSTOP)
        defer { home.service.signal(SIGCONT) }
        let begun = ContinuousClock.now

        let pausing = try home.system.spawn(
            ["\(System.executables)/steward", "day", "pause"], environment: home.environment())
        try eventually("five seconds have passed") { ContinuousClock.now - begun > .seconds(5) }
        home.service.signal(SIGCONT)

        #expect(try pausing.waitForEnd() == .exited(0), "\(pausing.err)")
    }

    @Test func `V18: today's day stays on a device that shows one far ahead`() throws {
        let home = try home()
        try home.run("day plan --tag morning --date 2027-04-01")
        try home.run("day show --date 2027-04-01")
        home.killService()

        let done = try home.say("day done")

        #expect(done.end == .exited(0) && done.err.contains("kept here, 1 waiting"))
    }

    @Test func `V18: what is kept for one installation is neither shown nor sent to another`()
        throws
    {
        let home = try home()
        home.killService()
        try home.run("day done")
        let days = home.system.path("tablet/.local/state/steward/days")
        let kept = try #require(try FileManager.default.contentsOfDirectory(atPath: days).first)
        #expect(kept.hasPrefix("owner@"))
        func showElsewhere() throws -> Program {
            try home.system.spawn(
                ["\(System.executables)/steward", "day", "show"],
                environment: home.environment().merging(
                    ["STEWARD_BUS": "ipc://\(home.system.path("elsewhere"))"]) { $1 })
        }
        let unanswered = try showElsewhere()
        #expect(try unanswered.waitForEnd() == .exited(69))
        let service = try home.system.launch(
            "routine-service", data: "other", bus: "elsewhere",
            adding: [
                "LD_PRELOAD": "\(System.executables)/libShiftedClock.so",
                "SHIFTED_CLOCK": home.system.path("clock"), "TZ": "Europe/Oslo",
            ])
        try service.waitUntilReady()
        let answered = try showElsewhere()
        _ = try answered.waitForEnd()
        #expect(answered.err.contains("there is no plan"), "\(answered.err)")
        for other in [unanswered, answered] { #expect(!other.out.contains("Brush your teeth")) }
        #expect(try home.system.query(.routine, data: "other", "SELECT 1 FROM inbox").isEmpty)

        // A former release had one folder for all installations.
        let former = "\(days)/owner"
        func goBack() throws {
            try FileManager.default.moveItem(atPath: "\(days)/\(kept)", toPath: former)
        }
        try goBack()
        #expect(home.states(try home.day()).first == "1.1 done")
        #expect(!FileManager.default.fileExists(atPath: former))

        // If the person has a log-in elsewhere, nobody knows to which installation it belongs.
        try goBack()
        let logIn = #"{"name":"ada","session":"1","refreshToken":"","tokens":{},"expires":0}"#
        try home.system.makeFolder("tablet/.config/steward")
        try #"{"ipc:///elsewhere":\#(logIn)}"#.write(
            toFile: home.system.path("tablet/.config/steward/session"), atomically: true,
            encoding: .utf8)
        let unclear = try home.refusal(of: "day done 1.2")
        #expect(unclear.contains("mv \(former) '\(days)/\(kept)'"), "\(unclear)")
        try FileManager.default.moveItem(atPath: former, toPath: "\(days)/\(kept)")
        try home.startService()
        #expect(home.states(try home.day()).first == "1.1 done")
    }

    @Test func `V18: two devices agree, and nothing done on either is lost`() throws {
        let home = try home()
        try home.run("day show", device: "phone")
        home.killService()
        try home.run("day done 1.1")
        try home.run("day skip 1.2")
        try home.run("day done 1.2", device: "phone")
        try home.run("day skip 1.1", device: "phone")
        try home.startService()
        try home.run("day show", device: "phone")
        let tablet = home.states(try home.day())
        #expect(tablet.prefix(2) == ["1.1 done", "1.2 done"])
        #expect(home.states(try home.day("day show", device: "phone")) == tablet)
    }

    @Test func `V4: a proposal is not confirmed unseen because something waited on the device`()
        throws
    {
        let home = try home()
        home.killService()
        try home.run("day done 1.1")
        try home.startService()
        // It is a proposal again.
        try home.run("day undo", device: "phone")
        #expect(
            try home.refusal(of: "day confirm")
                .contains("someone else has changed the day since you looked"))
        try home.run("day show")
        try home.run("day confirm")
    }

    @Test func `V18: actions done before midnight count when the service is back after it`()
        throws
    {
        let home = try home()
        home.killService()
        try home.run("day done 1.1")
        try home.setClock(to: "09:00", on: "2027-02-02")
        try home.startService()
        try eventually("the day is over") {
            home.states(try home.day("day show --date 2027-02-01", device: "phone")).last
                == "2.1 skipped"
        }
        #expect(home.states(try home.day("day show --date 2027-02-01")).first == "1.1 done")
    }

    @Test func `V18: what a command acknowledged is there after 20 kills`() throws {
        // Every second command is killed.
        let home = try home()
        home.killService()
        var seed = Seed(7)
        var isDone = false
        for number in 0..<40 {
            let line = isDone ? "day undo" : "day done 1.1"
            let program = try home.begin(line)
            if number.isMultiple(of: 2) {
                let end = ContinuousClock.now + .milliseconds(seed.below(60))
                while ContinuousClock.now < end {}
                program.kill()
            } else if try program.waitForEnd() == .exited(0) {
                isDone.toggle()
            }
            let first = home.states(try home.day()).first
            if number.isMultiple(of: 2) {
                // The command was killed before or after the mark was kept.
                isDone = first == "1.1 done"
            } else {
                #expect(first == (isDone ? "1.1 done" : "1.1 unspecified"))
            }
        }
        try home.startService()
        #expect(
            home.states(try home.day()).first == (isDone ? "1.1 done" : "1.1 unspecified"))
    }

    @Test func `V18: the view continues without the service`() throws {
        let home = try home()
        let view = try home.terminal("day view", columns: 100, rows: 24)
        try view.waitFor("Brush your teeth")
        home.killService()
        try view.waitFor("No contact just now")
        // A pause needs the service, and the view says so until the next key.
        try view.type("p")
        try view.waitFor("Try that again when there is contact.")
        try view.type(" ")
        try view.waitFor("Eat breakfast")
        try view.type("q")
        #expect(try view.waitForEnd() == 0 && view.isSane)
        try home.startService()
        #expect(home.states(try home.day()).first == "1.1 done")
    }

    @Test func `V15: medicine raises urgent alerts if the person wants that`() throws {
        let home = try Household()
        try home.run("routine create Pills --tag morning --action medicine.morning")
        let misspelt = try home.say("day settings --urgent medecine")
        #expect(misspelt.err.contains("no action and no area is called “medecine”"))
        let settings = try home.say("day settings --urgent medicine")
        #expect(settings.out.contains("“medicine” is urgent"))
        #expect(!settings.err.contains("no action"))
        try home.run("day plan --tag morning")
        try home.run("day confirm")
        try home.setClock(to: "07:01")
        try eventually("it is told urgently") {
            try home.alerts().contains { $0.contains("Now: ") && $0.contains("urgent") }
        }
        try home.run("day settings --calm Medicine")
        try eventually("it is told calmly") {
            try home.alerts().contains { $0.contains("Now: ") && $0.contains("info") }
        }
    }

    @Test func `V3: a name that is nearly one of Steward's gives a hint`() throws {
        let home = try Household()
        let made = try home.run("routine create Morning --tag morning --action 'Brush teeth'")
        #expect(made.contains("Brush your teeth") && made.contains("🪥"))
        let near = try home.say("routine create Other --action 'Brush yuor teeth'")
        #expect(near.err.contains("“Brush your teeth” comes with Steward"))
    }
}
