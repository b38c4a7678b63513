import Bus
import Foundation
import TestSupport
import Testing

extension JSONFormTests {
    static func planDay(_ user: JSONUser) throws {
        // Where it is ten in the morning now, so that the day is neither over nor yet to begin.
        let hour = Int(WallClock.milliseconds() / 3_600_000 % 24)
        let away = (10 - hour + 36) % 24 - 12
        let zone = "Etc/GMT" + (away > 0 ? "-\(away)" : "+\(-away)")
        let all = "--from 0:00 --until 24:00"
        for line in [
            "action list tooth", "action add Wait --minutes 400", "action remove Wait",
            "action add Sit --minutes 60",
            "routine create Long \(all) --action Sit --action Sit --action 'Go for a walk'",
            "routine change Long --add Rest", "routine copy Long Other", "routine list",
            "routine show Long", "routine delete Other", "routine restore Other",
            "day settings --zone \(zone) --wake 0:00 --sleep 24:00 --warning 0",
            "day plan --routine Long", "day show", "day add Other",
            "day appoint '23:50-23:55 Call'", "day remove Call", "day undo",
            "day move Other 18:00", "day save-template Usual", "day templates",
            "day forget-template Usual", "day repeat --date tomorrow", "day confirm",
            "day pause", "day resume", "day done", "day skip",
        ] { #expect(try !user.show(line).isEmpty, "\(line)") }
        // Whether something is being done depends on the second.
        try user.attempt("day more 5")
        let view = try user.terminal("day view --json", rows: 40)
        try view.waitFor("q close")
        try view.type("q")
        #expect(try view.waitForEnd() == 0)
        let start = try #require(view.text.firstIndex(of: "{"))
        let end = try #require(view.text.lastIndex(of: "}"))
        #expect(try user.judge("day view", String(view.text[start...end])).count == 1)
    }
}
