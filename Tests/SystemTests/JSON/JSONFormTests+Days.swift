import Foundation
import TestSupport
import Testing

extension JSONFormTests {
    static func planDay(_ user: JSONUser) throws {
        let zone = zoneInTheMorning()
        let picture = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../PicturesTests/Fixtures/rgb.png").standardized.path
        let all = "--from 0:00 --until 24:00"
        for line in [
            "action list --area hygiene",
            "action add Wait --minutes 400 --picture \(picture) --licence mine",
            "action picture Wait", "action remove Wait",
            "action add Sit --minutes 60",
            "routine create Long \(all) --action Sit --action Sit --action 'Go for a walk'",
            "routine change Long --add Rest", "routine copy Long Other", "routine list",
            "routine show Long", "routine delete Other", "routine restore Other",
            "day settings --zone \(zone) --wake 0:00 --sleep 24:00 --warning 0",
            "day plan --routine Long", "day show", "day add Other",
            "day appoint '23:50-23:55 Call'", "day remove Call", "day undo",
            "day move Other 18:00", "day swap Long Other", "day undo",
            "day save-template Usual", "day templates",
            "day rhythm mon-fri Usual --evening 18:00", "day holiday 2027-12-24 2027-12-31 Yule",
            "day holiday 2027-12-24 --remove", "day rhythm all none", "day rhythm --morning",
            "day forget-template Usual", "day repeat --date tomorrow", "day confirm",
            "day print \(user.system.path("day.pdf"))", "day cards \(user.system.path("day.svg"))",
            "day pause", "day resume", "day done", "day skip", "day together",
            "routine statistics", "today",
        ] { #expect(try !user.show(line).isEmpty, "\(line)") }
        try user.show("action measured")
        try user.attempt("action adopt Sit")
        let calendar = user.system.path("calendar.ics")
        try """
        BEGIN:VCALENDAR\r
        VERSION:2.0\r
        BEGIN:VEVENT\r
        UID:1\r
        DTSTART:20260101T231000\r
        DTEND:20260101T232000\r
        RRULE:FREQ=DAILY\r
        SUMMARY:Tea\r
        END:VEVENT\r
        END:VCALENDAR\r

        """.write(toFile: calendar, atomically: true, encoding: .utf8)
        #expect(try user.show("day calendar '\(calendar)'").count == 1)
        // Whether an action is in progress depends on the exact second.
        try user.attempt("day more 5")
        // The window is large enough to show the whole day afterwards.
        let view = try user.terminal("day view --json", columns: 200, rows: 600)
        // The owner prefers Norwegian here.
        try view.waitFor("q lukk")
        try view.type("q")
        #expect(try view.waitForEnd() == 0)
        let start = try #require(view.text.firstIndex(of: "{"))
        let end = try #require(view.text.lastIndex(of: "}"))
        #expect(try user.judge("day view", String(view.text[start...end])).count == 1)
    }
}
