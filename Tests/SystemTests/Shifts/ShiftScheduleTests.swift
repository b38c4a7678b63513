import Foundation
import TestSupport
import TestThreads
import Testing

/// Tests that shifts begin by themselves, at the command line against the running services.
@Suite(.serialized, .waiting) struct ShiftScheduleTests {
    /// The shifts as `shift list` prints them, newest first.
    private func shifts(_ restaurant: Restaurant) throws -> [[String: Any]] {
        try restaurant.rows("shift list")
    }

    @Test func `shifts begin by themselves, wait for one another, and are missed with a reason`()
        throws
    {
        let restaurant = try Restaurant(at: "09:00")
        let added = try restaurant.run(
            "shift schedule add day --on mon-sat --at 10:00 --until 16:00")
        #expect(added.contains("mon-sat at 10:00") && added.contains("next on 2026-11-21 10:00"))
        try restaurant.run("shift schedule add evening --on sat,sun --at 16:00")
        try restaurant.run("shift schedule add day --on sat --at 21:00")
        let list = try restaurant.run("shift schedule list")
        #expect(list.contains("mon-sat") && list.contains("2026-11-21 16:00"))

        restaurant.killService()
        try restaurant.setClock(to: "10:20")
        try restaurant.startService()
        restaurant.killService()
        try restaurant.startService()
        try eventually("the day shift has begun") { try shifts(restaurant).count == 1 }
        let status = try restaurant.run("shift status")
        #expect(status.contains("the day shift of 2026-11-21"))
        #expect(try restaurant.rows("checklist list").isEmpty == false)

        try restaurant.setClock(to: "16:05")
        try eventually("the evening shift waits") {
            try restaurant.run("shift list").contains("waits until 18:00")
        }
        try eventually("it is told") {
            try restaurant.run("alerts list").contains("The shift of 2026-11-21 16:00 waits")
        }
        try restaurant.run("shift end --despite-open")
        try eventually("the evening shift has begun") {
            try restaurant.say("shift status").out.contains("the evening shift of 2026-11-21")
        }

        try restaurant.setClock(to: "23:05")
        try eventually("the last one is missed") {
            try restaurant.run("shift list").contains("was still open")
        }
        let rows = try shifts(restaurant)
        #expect(rows.count == 3)
        let missed = rows.compactMap { $0["missed"] as? [String: Any] }
        #expect(missed.count == 1 && missed[0]["reason"] as? String == "open")

        try restaurant.run("shift end --despite-open")
        let table = try restaurant.run("stats --by site-week")
        #expect(table.contains("2026-W47") && table.contains("Harbour"))
        let csv = try restaurant.run("stats --by site-week --csv").split(separator: "\n")
        #expect(csv.count == 2 && csv[1].hasPrefix("2026-W47 Harbour,2,"))
        #expect(csv[1].hasSuffix(",Harbour,2026-W47,1"))
        let figures = try #require(try restaurant.rows("stats --by site-week").first)
        #expect(figures["missed"] as? Int == 1 && figures["shifts"] as? Int == 2)
    }

    @Test func `whoever has something mailed without a mail server is told that it waits`() throws {
        let restaurant = try Restaurant(at: "09:00")
        try restaurant.run("shift start day")
        try restaurant.run("todo add 'Salt the stairs' --area service")

        for line in [
            "site report add --on mon --at 07:00 --to boss@example.org", "site report list",
            "todo mail --to boss@example.org",
        ] {
            let said = try restaurant.say(line)
            #expect(said.end == .exited(0) && said.out.contains("boss@example.org"), "\(line)")
            #expect(said.err.contains("the mails wait: no mail server is set"), "\(line)")
        }
    }
}
