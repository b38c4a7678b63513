import TestSupport
import Testing

/// Tests the language, the wording and the times that people see in a shift.
struct ShiftSpeechTests {
    @Test func `the walk and the board use the language that the account prefers`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        try restaurant.run("alerts prefer --language nb")

        let walk = try restaurant.terminal("checklist walk 1")
        try walk.waitFor("0 ")
        try walk.type("u")
        try walk.waitFor("det er ingen avkrysning å angre")
        try walk.type("q")
        #expect(try walk.waitForEnd() == 0)
        let board = try restaurant.terminal("board", columns: 120, rows: 40)
        try board.waitFor("Ingen åpne gjøremål.")
        board.kill()
        // Without a preference, the terminal decides again.
        try restaurant.run("alerts prefer --no-language")
        let other = try restaurant.terminal("board", columns: 120, rows: 40)
        try other.waitFor("No to-do is open.")
    }

    @Test func `without the service the walk and the board say so in the account's language`()
        throws
    {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        try restaurant.run("alerts prefer --language nb")
        let board = try restaurant.terminal("board", columns: 120, rows: 40)
        try board.waitFor("Ingen åpne gjøremål.")
        let walk = try restaurant.terminal("checklist walk 1", columns: 120)
        try walk.waitFor("0 av")
        restaurant.killService()

        try walk.type(" ")

        try walk.waitFor("lagret her, 1 venter: checklist-service kjører ikke")
        try board.waitFor(": checklist-service kjører ikke")
        try walk.type("q")
        #expect(try walk.waitForEnd() == 0)
    }

    @Test func `a refusal of the service is reported once`() throws {
        let restaurant = try Restaurant()
        try restaurant.person("cleo", .crew)
        try restaurant.run("shift start day")

        let refused = try restaurant.say("tp begin", device: "cleo")

        #expect(refused.end == .exited(1))
        let sentences = refused.err.split(separator: "\n").filter { !$0.hasPrefix("  ") }
        #expect(sentences.count == 1, "\(refused.err)")
    }

    @Test func `times are in the site's zone, which is named if it differs`() throws {
        let restaurant = try Restaurant(at: "11:16")
        // No machine that runs this test is in this zone.
        let zone = "Asia/Kathmandu"
        try restaurant.run("site change Harbour --zone \(zone)")
        try eventually("the service knows the zone") {
            try restaurant.system.query(
                .checklist, "SELECT sequence FROM cursor WHERE producer = 'account-service'")
                == restaurant.system.query(.account, "SELECT max(sequence) FROM outbox")
        }
        try restaurant.setClock(to: "11:20")
        try restaurant.run("shift start evening")
        // No mail server is configured, so the mail waits.
        _ = try restaurant.say("mail test crew@harbour.example")

        // 11:20 in Berlin, and what the machine took to begin the shift.
        let status = try restaurant.run("shift status")
        #expect(status.contains(#/begun at 16:0[5-9] Asia/Kathmandu by /#), "\(status)")
        try restaurant.setClock(to: "12:50")
        let table = try restaurant.run("tp list").split(separator: "\n")
        #expect(table.first?.hasPrefix("DUE (\(zone))") == true, "\(table)")
        let due = table.dropFirst().compactMap { $0.split(separator: " ").first }
        #expect(!due.isEmpty && due.allSatisfy { ("16:05"..."17:35").contains($0) }, "\(table)")
        let audit = try restaurant.run("user audit")
        #expect(audit.contains("TIME (\(zone))") && audit.contains("2026-11-21 16:0"))
        #expect(try restaurant.run("mail list").contains("REQUESTED (\(zone))"))
        let invited = try restaurant.say("user invite")
        #expect(invited.err.contains(zone), "\(invited.err)")
    }

    @Test func `what a display may not do is reported once`() throws {
        let restaurant = try Restaurant()
        try restaurant.run("shift start day")
        try restaurant.run("todo add 'Sweep' --area kitchen")
        try restaurant.person("wall", .display)

        let refused = try restaurant.say("todo done 1001", device: "wall")

        #expect(refused.end == .exited(1))
        #expect(refused.err.components(separatedBy: "this needs the role crew").count == 2)
    }
}
