import Foundation
import TestSupport
import TestThreads
import Testing

/// The requirements for projects, one by one, at the command line.
@Suite(.serialized, .waiting) struct ProjectAcceptanceTests {
    @Test func `P2: projects and issues live in the service's own store, also after a kill`()
        throws
    {
        let user = try ProjectUser()
        try user.makeChain()
        let before = try user.run("issue list --json")
        try user.restart()
        #expect(try user.run("issue list --json") == before)
    }

    @Test func `P3, REQ 2.3.4, 2.3.5, tests 7, 9, 11: projects are made, listed and viewed`()
        throws
    {
        let user = try ProjectUser(hasProject: false)
        #expect(try user.refusal(of: "issue list").contains("there is no project yet"))
        try user.run("project create 'New kitchen' --description 'At Storgata 1'")
        try user.run("project create Übersicht")
        let list = try user.run("project list")
        #expect(list.contains("new-kitchen") && list.contains("ubersicht"))
        let shown = try user.run("project show -p 'new kitchen'")
        #expect(shown.contains("“New kitchen” (new-kitchen)") && shown.contains("At Storgata 1"))
        // The project that was made last is in use.
        #expect(try user.run("project show").contains("ubersicht"))
        #expect(try user.run("project use new-kitchen").contains("is in use: 0 issues"))
        try user.run("project change --name Kitchen --status Open --status Done!")
        let changed = try user.answer("project show")
        #expect(changed["name"] as? String == "Kitchen")
        #expect((changed["statuses"] as? [Any])?.count == 2)
        try user.run("project delete ubersicht --yes")
        #expect(try user.rows("project list").count == 1)
    }

    @Test func `P3, tests 8, 13: each mandatory field that is missing is named`() throws {
        let user = try ProjectUser(hasProject: false)
        let both = try user.refusal(of: "project create ''")
        #expect(both.contains("the project needs a name and an identifier"))
        let identifier = try user.refusal(of: "project create 123")
        #expect(identifier.contains("the project needs an identifier"))
        #expect(try user.rows("project list").isEmpty)
        try user.run("project create House")
        #expect(try user.refusal(of: "issue create ''").contains("the issue needs a subject"))
        #expect(try user.rows("issue list").isEmpty)
    }

    @Test func `P4, REQ 2.3.6, 2.3.7, tests 12, 15: issues are made, viewed and changed`() throws {
        let user = try ProjectUser()
        try user.run("project person add Kari --skill roofs")
        try user.run("project version add One --due 2027-06-01")
        try user.run(
            "issue create Roof --tracker Feature --priority high --assignee kari "
                + "--start 2027-03-01 --due 2027-03-05 --estimate 16:30 --version one "
                + "--skill roofs --description 'Slate, not tin'")
        try user.run("issue create Tiles --parent 1 --start 2027-03-02 --due 2027-03-03")
        try user.run("issue change 2 --done 40 --status 'In progress'")
        try user.run("issue note 1 'Ask the neighbour'")
        let shown = try user.run("issue show 1")
        for text in [
            "tracker: Feature", "priority: high", "assignee: Kari", "estimated: 16:30 h",
            "version: One", "Slate, not tin", "part: #2 Tiles", "Ask the neighbour",
            // The dates of an issue with parts are those of its parts.
            "start: 2027-03-02", "due: 2027-03-03",
        ] { #expect(shown.contains(text), "\(text) in \(shown)") }
        let part = try user.run("issue show 2")
        #expect(part.contains("done: 0 % → 40 %") && part.contains("status: New → In progress"))
        try user.run("issue remove 2")
        #expect(try user.rows("issue list --state all").count == 1)
        try user.run("project undo")
        #expect(try user.rows("issue list --state all").count == 2)
    }

    @Test func `P4, REQ 4.3.2: an unknown end is left open, and shown as open`() throws {
        let user = try ProjectUser()
        try user.run("issue create Watch --start 2027-03-01")
        #expect(try user.run("issue show 1").contains("due: open"))
        let row = try user.run("issue list").split(separator: "\n").last ?? ""
        #expect(row.contains("Watch") && row.contains("2027-03-01  open"))
        #expect(try user.run("gantt --columns 80").contains("►"))
        try user.run("issue change 1 --due 2027-03-02")
        try user.run("issue change 1 --due none")
        #expect(try user.issue(1)["due"] as? String ?? "" == "")
    }

    @Test func `P4: issues precede, follow, block and relate to others`() throws {
        let user = try ProjectUser()
        for name in ["One", "Two", "Three"] { try user.run("issue create \(name)") }
        try user.run("issue relate 2 follows 1 --delay 2")
        try user.run("issue relate 3 blocked-by 1")
        try user.run("issue relate 2 relates 3")
        let shown = try user.run("issue show 1")
        #expect(shown.contains("precedes: #2 Two, 2 days in between"))
        #expect(shown.contains("blocks: #3 Three"))
        #expect(
            try user.refusal(of: "issue change 3 --status Closed")
                .contains("#3 is blocked by #1 “One”, which is open; close that first"))
        try user.run("issue change 1 --status Closed")
        try user.run("issue change 3 --status Closed")
        #expect(
            try user.refusal(of: "issue relate 2 precedes 1").contains("wait for each other"))
        try user.run("issue unrelate 1 2")
        #expect(!(try user.run("issue show 1")).contains("precedes"))
    }

    @Test func `P6, REQ 2.3.8: a chart is drawn in the terminal, as SVG, PNG and PDF`() throws {
        let user = try ProjectUser()
        try user.makeChain()
        let chart = try user.run("gantt --columns 100")
        #expect(chart.contains("#1 Dig") && chart.contains("#3 Paint") && chart.contains("▓"))
        for (ending, start) in [("svg", "<svg"), ("png", "\u{89}PNG"), ("pdf", "%PDF")] {
            let path = user.system.path("chart.\(ending)")
            try user.run("gantt -o '\(path)' --scale week --portrait")
            let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)).prefix(400))
            let text = String(decoding: bytes.map { $0 == 0x89 ? 0x20 : $0 }, as: UTF8.self)
            #expect(
                text.contains(start == "\u{89}PNG" ? "PNG" : start), "\(ending): \(text.prefix(20))"
            )
        }
        #expect(try user.refusal(of: "gantt -o chart.gif").contains(".svg, .png, .pdf"))
        try user.run("project create Other")
        try user.run("issue create Elsewhere --start 2027-03-01 --due 2027-03-02")
        let all = try user.run("gantt --all --columns 100")
        #expect(all.contains("Elsewhere") && all.contains("Paint") && all.contains("House"))
        #expect(
            try user.refusal(of: "gantt --from 2027-04-01 --until 2027-03-01").contains("2027"))
    }

    @Test func `P11: what would move and why is shown before a change, in two modes`() throws {
        let user = try ProjectUser()
        try user.makeChain()
        try user.run("project holiday 2027-03-08 'Town day'")
        let preview = try user.say("issue change 1 --due 2027-03-03 --preview")
        #expect(preview.end == .exited(0))
        #expect(
            preview.out.contains(
                "#2 “Build” would move from 2027-03-03 – 2027-03-04 to 2027-03-04 – 2027-03-05: "
                    + "it follows #1"))
        #expect(preview.out.contains("to 2027-03-09 – 2027-03-09: it follows #2"))
        #expect(preview.out.contains("Town day"))
        #expect(preview.err.contains("nothing was changed"))
        #expect(try user.issue(3)["start"] as? String == "2027-03-05")
        // The same as a length.
        #expect(try user.say("issue change 1 --days 3 --preview").out == preview.out)
        #expect(
            try user.refusal(of: "issue change 1 --start none --days 3").contains("--start DAY"))

        // A gap of a day is kept, or closed as Redmine does.
        try user.run("issue change 3 --start 2027-03-09")
        let kept = try user.say("issue change 1 --due 2027-03-01 --preview").out
        let pulled = try user.say("issue change 1 --due 2027-03-01 --preview --like-redmine")
        #expect(kept != pulled.out && pulled.err.contains("a Redmine that has your days off"))

        try user.run("issue change 1 --due 2027-03-03")
        #expect(try user.issue(2)["start"] as? String == "2027-03-04")
        try user.run("project undo")
        #expect(try user.issue(2)["start"] as? String == "2027-03-03")
        try user.run("project redo")
        #expect(try user.issue(2)["start"] as? String == "2027-03-04")
        #expect(try user.run("project history").contains("changed #1 “Dig”"))
    }

    @Test func `P11: what an absence would move is shown before, and undone in one step`() throws {
        let user = try ProjectUser()
        try user.makeChain()
        try user.run("project person add Kari")
        try user.run("issue change 1 --assignee Kari")
        try user.run(
            "issue create Call --assignee Kari --start 2027-03-02 --due 2027-03-02 --fixed")
        let before = try user.run("issue list --json")
        let away = "project person away Kari 2027-03-02 2027-03-03 --reason Course"

        let preview = try user.say("\(away) --preview")
        for line in [
            "Kari would be changed",
            "#1 “Dig” would move from 2027-03-01 – 2027-03-02 to 2027-03-01 – 2027-03-04: "
                + "Kari works on other days; not on 2027-03-02 Course",
            "#2 “Build” would move from 2027-03-03 – 2027-03-04 to 2027-03-05 – 2027-03-08: "
                + "it follows #1",
        ] { #expect(preview.out.contains(line), "\(preview.out)") }
        #expect(preview.err.contains("#4 “Call” is fixed, and stays"))
        #expect(preview.err.contains("nothing was changed"))
        #expect(try user.run("issue list --json") == before)
        #expect(!(try user.run("\(away) --keep-dates --preview")).contains("would move"))
        #expect(try user.run("\(away) --like-redmine --preview").contains("#1 “Dig” would move"))

        try user.run(away)
        #expect(try user.issue(1)["due"] as? String == "2027-03-04")
        #expect(try user.issue(3)["start"] as? String == "2027-03-09")
        try user.run("project undo")
        #expect(try user.run("issue list --json") == before)
        // A new issue is shown before it is added, too.
        let new = try user.say("issue create Lamp --start 2027-03-01 --after 1 --preview")
        #expect(new.out.contains("#5 “Lamp” would be added"))
        #expect(new.out.contains("#5 “Lamp” would move from 2027-03-01 – … to 2027-03-03 – …"))
        #expect(try user.run("issue list --json") == before)
    }

    @Test func `P12: a baseline is kept, and what has moved since is listed and drawn`() throws {
        let user = try ProjectUser()
        try user.makeChain()
        try user.run("project baseline keep Promised")
        #expect(try user.rows("project baseline compare Promised").isEmpty)
        try user.run("issue change 1 --due 2027-03-03")
        let slips = try user.rows("project baseline compare promised")
        #expect(slips.map { $0["issue"] as? Int } == [1, 2, 3])
        #expect(slips.map { $0["daysLater"] as? Int } == [1, 1, 1])
        #expect(try user.run("project baseline list").contains("Promised"))
        #expect(try user.run("gantt --baseline Promised --columns 100").contains("╌"))
        try user.run("project baseline remove Promised")
        #expect(try user.rows("project baseline list").isEmpty)
    }

    @Test func `P13: people have hours, absences, skills and a share, and their load is drawn`()
        throws
    {
        let user = try ProjectUser()
        try user.run("project person add Kari --skill roofs --skill pipes --day mon-thu --share 50")
        try user.run("project person away Kari 2027-03-08 2027-03-10 --reason Course")
        let people = try user.run("project person list")
        #expect(people.contains("pipes, roofs") && people.contains("2027-03-08 – 2027-03-10"))
        try user.run(
            "issue create Roof --assignee Kari --estimate 40 --start 2027-03-01 --due 2027-03-04")
        let load = try user.run("gantt --load --from 2027-03-01 --until 2027-03-14 --columns 80")
        // Four days of eight hours, half of them for the project: 40 hours are too many.
        #expect(load.contains("Kari") && load.contains("250"))
        #expect(
            try user.refusal(of: "project person remove Kari").contains("#1 is assigned to them"))
        for zone in ["GMT+5", "PST", "UTC+2", "Europe/Olso", "../../etc/passwd", "europe/oslo"] {
            #expect(
                try user.refusal(of: "project person change Kari --zone \(zone)").contains(
                    "there is no time zone"), "\(zone)")
        }
        #expect(
            try user.refusal(of: "project person away Kari 2027-03-10 2027-03-08")
                .contains("before it begins"))
        try user.run("project person away Kari 2027-03-08 --remove")
        #expect(!(try user.run("project person list")).contains("2027-03-08"))
        // With a holiday of hers, only three of the four days are hers.
        try user.run("project holiday 2027-03-02 'Town day' --person Kari")
        try user.run("issue change 1 --start 2027-03-08")
        #expect(try user.issue(1)["due"] as? String == "2027-03-10")
        try user.run("project holiday 2027-03-02 --everyone --remove")
        #expect(
            try user.refusal(of: "project holiday 2027-03-02 --person Kari --remove")
                .contains("2027-03-02 isn't a holiday of Kari"))
    }

    @Test func `P15: time is logged, listed and corrected, beside what was estimated`() throws {
        let user = try ProjectUser()
        try user.run("project person add Kari")
        try user.run("issue create Roof --assignee Kari --estimate 16")
        try user.run("time log 1 7:30 --day 2027-03-01 --comment 'the first half'")
        try user.run("time log 1 2.5 --day 2027-03-02")
        try user.run("time change 2 --hours 90m")
        let listed = try user.say("time list")
        #expect(listed.out.contains("the first half") && listed.err.contains("9:00 h in 2 entries"))
        let shown = try user.run("issue show 1")
        #expect(shown.contains("estimated: 16:00 h") && shown.contains("spent: 9:00 h"))
        try user.run("time remove 2")
        #expect(try user.rows("time list").count == 1)
        #expect(try user.refusal(of: "time log 1 25 --day 2027-03-03").contains("24 hours"))
    }

    @Test func `P16: versions and milestones show their progress, and when they will be done`()
        throws
    {
        let user = try ProjectUser()
        try user.run("project version add One --due 2027-06-01")
        for name in ["Roof", "Door"] { try user.run("issue create \(name) --version One") }
        try user.run("issue change 1 --status Closed")
        let version = try user.answer("project version list")
        #expect(version["issues"] as? Int == 2 && version["closedIssues"] as? Int == 1)
        #expect(
            try user.refusal(of: "project version change One --closed").contains("#2 is to be done")
        )
        // A week from a Monday on, and a milestone after it; closed issues took half as long again.
        try user.run("issue change 2 --start 2091-03-05 --due 2091-03-09")
        try user.run("issue create Inside --milestone --due 2091-03-12 --after 2")
        #expect(try user.say("project version list").err.contains("there are 0"))
        try user.run("project person add Kari")
        for number in 4...8 {
            try user.run("issue create Past --estimate 8")
            try user.run("time log \(number) 12 --person Kari --day 2027-01-0\(number)")
            try user.run("issue change \(number) --status Closed")
        }
        let shown = try user.say("project version list")
        #expect(shown.out.contains(/50 % +2091-03-09 late +2091-03-14 – 2091-03-14/))
        let inside = try user.run("project milestones")
        #expect(inside.contains(/#3 +Inside +1 +0 +0 % +2091-03-12 +2091-03-15/))
        #expect(shown.err.contains("5 closed issues took 150 to 150 % of their estimates"))
        let told = try user.answer("project version list")["forecast"] as? [String: Any]
        #expect(told?["planned"] as? String == "2091-03-09" && told?["done"] as? Int == 50)
        #expect(told?["likelyUntil"] as? String == "2091-03-14")
        let proposed = try user.say("schedule propose --from 2091-03-05")
        #expect(proposed.err.contains("“One” is done on 2091-03-09, due on 2027-06-01"))
        // Nobody knows when it is done if an issue that stays has no end.
        try user.run("issue create Gate --version One --start 2027-01-04 --fixed")
        let open = try user.say("schedule propose --from 2091-03-05")
        #expect(open.end == .exited(0) && !open.err.contains("“One” is done on"))
    }

    @Test func `P17: issues are found by any field, sorted, and come in pages`() throws {
        let user = try ProjectUser()
        try user.run("project person add Kari")
        try user.run("issue create Roof --assignee Kari --due 2020-01-01 --priority low")
        try user.run("issue create Door --priority urgent")
        try user.run("issue create 'Front door'")
        func numbers(_ filter: String) throws -> [Int] {
            try user.rows("issue list \(filter)").compactMap {
                ($0["issue"] as? [String: Any])?["number"] as? Int
            }
        }
        #expect(try numbers("door") == [2, 3])
        #expect(try numbers("--assignee kari") == [1])
        #expect(try numbers("--overdue") == [1])
        #expect(try numbers("--priority normal --sort priority") == [2, 3])
        #expect(try numbers("--limit 2 --skip 1") == [2, 3])
        try user.run("issue change 2 --description Oak --estimate 4 --done 50 --skill doors")
        try user.run("issue change 3 --start 2027-03-01 --due 2027-03-01 --fixed --milestone")
        for (filter, found) in [
            ("oak --in-descriptions", [2]), ("--skill doors", [2]), ("--priority-to low", [1]),
            ("--estimate-from 4 --estimate-to 4:30", [2]), ("--done-from 50 --done-to 99", [2]),
            ("--no-estimate --no-start", [1]), ("--start-from 2027-03-01", [3]), ("--fixed", [3]),
            ("--no-milestone", [1, 2]), ("--due-from 2020-01-01 --due-before 2020-01-02", [1]),
            ("--no-due", [2]), ("--sort done --reverse", [2, 1, 3]),
        ] { #expect(try numbers(filter) == found, "\(filter)") }
        #expect(try user.run("issue list").contains("2020-01-01 late"))
        let page = try user.say("issue list --limit 2").err
        #expect(page.contains("1 to 2 of 3; go on with --skip 2"))
        let unknown = try user.refusal(of: "issue list --status Sleeping")
        #expect(unknown.contains("there are New, In progress"))
    }

    @Test func `P17: lists may span all projects, be saved under a name, and be grouped`() throws {
        let user = try ProjectUser()
        try user.run("project person add Kari --me")
        try user.run("issue create Roof --assignee Kari --due 2020-01-01 --priority urgent")
        try user.run("issue create Door --assignee Kari")
        try user.run("issue relate 1 blocks 2")
        try user.run("project create Shed")
        try user.run("issue create Window --due 2091-01-01")
        func subjects(_ filter: String) throws -> [String] {
            try user.rows("issue list \(filter)").compactMap {
                ($0["issue"] as? [String: Any])?["subject"] as? String
            }
        }
        #expect(try subjects("--all-projects --sort due") == ["Roof", "Window", "Door"])
        #expect(try subjects("--all-projects --assignee me --sort subject") == ["Door", "Roof"])
        #expect(try subjects("--all-projects --blocked") == ["Door"])
        #expect(try subjects("--all-projects --due-within 3") == ["Roof"])
        try user.run("issue filter keep Late --overdue --all-projects --done-to 90 --no-fixed")
        try user.run("issue filter keep Urgent --priority urgent --shared -p house")
        #expect(try subjects("--filter late") == ["Roof"])
        #expect(try subjects("--filter Late --priority immediate").isEmpty)
        #expect(try subjects("--filter Urgent") == ["Roof"])
        let kept = try user.run("issue filter list")
        #expect(kept.contains("--done-to 90 --no-fixed --overdue"))
        #expect(kept.contains("--priority urgent"))
        let grouped = try user.run("issue list --all-projects --group project")
        #expect(grouped.contains("house\n") && grouped.contains("shed\n"))
        let mine = try user.run("issue mine")
        #expect(mine.contains("late, or due within 7 days: 1 issue") && mine.contains("Roof"))
        #expect(mine.contains("waiting for another issue: 1 issue"))
        try user.run("issue filter delete Late")
        #expect(try user.refusal(of: "issue list --filter Late").contains("no filter “Late”"))
        #expect(
            try user.refusal(of: "issue list --all-projects --parent 1").contains("own numbers"))
    }

    @Test func `impossible values are refused with the reason and advice`() throws {
        let user = try ProjectUser()
        try user.run("issue create Roof --start 2027-03-01 --due 2027-03-05")
        for (line, words) in [
            ("issue change 1 --due 2027-02-01", "before it begins"),
            ("issue change 1 --start 2027-02-30", "--start"),
            ("issue change 9 --done 10", "has no #9"),
            ("issue create Far --start 9999-12-01 --days 400", "after the last day"),
            ("issue change 1", "say what to change"),
            ("issue change 1 --assignee Nobody", "has no person “Nobody”"),
            ("issue change 1 --done 101", "0 to 100"),
            ("issue create Door --parent 9", "has no #9"),
            ("issue show 9", "has no #9"),
            ("project show -p nowhere", "there is no project “nowhere”"),
            ("project undo 50", "only 1 edit can be undone"),
            ("project delete house", "--yes"),
        ] {
            let refusal = try user.refusal(of: line)
            #expect(refusal.contains(words), "\(line): \(refusal)")
        }
        #expect(try user.issue(1)["due"] as? String == "2027-03-05")
        #expect(try user.rows("issue list").count == 1)
    }
}
