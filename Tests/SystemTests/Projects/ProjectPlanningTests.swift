import Foundation
import TestSupport
import TestThreads
import Testing

/// Schedules, alerts and due dates of projects, at the command line.
@Suite(.serialized, .waiting) struct ProjectPlanningTests {
    /// Two issues for Kari, the only one who does roofs, and one for Ola; Monday is 2027-03-01.
    private static func makePlan() throws -> ProjectUser {
        let user = try ProjectUser()
        try user.run("project person add Kari --skill roofs")
        try user.run("project person add Ola")
        try user.run("issue create Roof --estimate 16 --skill roofs")
        try user.run("issue create Door --estimate 8 --assignee Ola")
        try user.run("issue create Paint --estimate 8 --assignee Kari --after 1")
        return user
    }

    @Test func `P7: a schedule is proposed, compared with the plan, and changes nothing`() throws {
        let user = try Self.makePlan()
        let before = try user.run("issue list --json")
        let shown = try user.say("schedule propose --from 2027-03-01")
        #expect(shown.end == .exited(0))
        let rows = shown.out.split(separator: "\n").map {
            $0.split(separator: " ").map(String.init)
        }
        #expect(
            rows.dropFirst().map { Array($0.prefix(5)) } == [
                ["#1", "Roof", "Kari", "2027-03-01", "2027-03-02"],
                ["#2", "Door", "Ola", "2027-03-01", "2027-03-01"],
                ["#3", "Paint", "Kari", "2027-03-03", "2027-03-03"],
            ])
        #expect(shown.out.contains("no dates, nobody"))
        #expect(shown.err.contains("it ends on 2027-03-03; no schedule ends sooner"))
        #expect(shown.err.contains("the end waits for #1 → #3"))
        #expect(shown.err.contains("nothing was changed"))
        #expect(try user.run("issue list --json") == before)
        #expect(try user.run("schedule propose --from 2027-03-01") == shown.out)
    }

    @Test func `P7: a schedule is applied in one step, keeps fixed issues, and can be undone`()
        throws
    {
        let user = try Self.makePlan()
        try user.run("issue change 2 --start 2027-03-10 --due 2027-03-10 --fixed")
        let before = try user.run("issue list --json")
        try user.run("schedule apply --from 2027-03-01")
        #expect(try user.issue(1)["start"] as? String == "2027-03-01")
        #expect(try user.issue(1)["assignee"] as? Int == 1)
        #expect(try user.issue(2)["start"] as? String == "2027-03-10")
        #expect(try user.issue(3)["due"] as? String == "2027-03-03")
        #expect(
            try user.say("schedule apply --from 2027-03-01").err.contains("nothing is different"))
        try user.restart()
        try user.run("project undo")
        #expect(try user.run("issue list --json") == before)
    }

    @Test func `P5: a new start keeps the working days of whoever does the issue`() throws {
        let user = try ProjectUser()
        try user.run("project person add Kari --day mon-thu")
        try user.run("project person add Ola")
        // All four days that Kari works in that week.
        let dates = "--start 2027-03-01 --due 2027-03-04"
        for name in ["Kari", "Ola", "none"] {
            try user.run("issue create Roof --assignee \(name) \(dates)")
        }
        for (issue, due) in [(1, "2027-03-10"), (2, "2027-03-09"), (3, "2027-03-09")] {
            try user.run("issue change \(issue) --start 2027-03-04")
            #expect(try user.issue(issue)["due"] as? String == due)
        }
        // Given to Kari in the same command, it keeps as many of her days.
        try user.run("issue change 2 --start 2027-03-01 --assignee Kari")
        #expect(try user.issue(2)["due"] as? String == "2027-03-03")
    }

    @Test func `P7: issues that can't be scheduled are refused with advice`() throws {
        let user = try ProjectUser()
        try user.run("issue create Roof --skill roofs")
        #expect(
            try user.refusal(of: "schedule propose").contains("the project has no people"))
        try user.run("project person add Ola")
        let unable = try user.refusal(of: "schedule propose --from 2027-03-01")
        #expect(unable.contains("nobody who may do #1 has the skills it needs: roofs"))
        #expect(try user.refusal(of: "schedule propose --tries 100001").contains("100000"))
        try user.run("issue change 1 --status Closed")
        #expect(try user.refusal(of: "schedule apply").contains("no issue is open"))
    }

    @Test func `P14: due dates are written as a calendar, in which each issue stays one entry`()
        throws
    {
        let user = try ProjectUser()
        try user.run("project person add Kari")
        try user.run("project version add One --due 2027-06-01")
        try user.run("issue create Roof --assignee Kari --due 2027-03-05")
        try user.run("issue create 'Doors, and windows' --due 2027-03-08")
        try user.run("issue create Later")
        try user.run("issue create Done --due 2027-03-01 --status Closed")
        func events(_ text: String) -> [String] {
            text.split(whereSeparator: \.isNewline).map(String.init)
                .filter { $0.hasPrefix("SUMMARY") || $0.hasPrefix("DTSTART") }
        }
        #expect(
            events(try user.run("issue calendar")) == [
                "DTSTART;VALUE=DATE:20270601", "SUMMARY:One",
                "DTSTART;VALUE=DATE:20270305", "SUMMARY:#1 Roof",
                "DTSTART;VALUE=DATE:20270308", "SUMMARY:#2 Doors\\, and windows",
            ])
        let path = user.system.path("due.ics")
        try user.run("issue calendar --assignee kari -o '\(path)'")
        let first = try String(contentsOfFile: path, encoding: .utf8)
        #expect(events(first) == ["DTSTART;VALUE=DATE:20270305", "SUMMARY:#1 Roof"])
        try user.run("issue change 1 --due 2027-03-09 --subject 'The roof'")
        try user.run("issue calendar --assignee kari -o '\(path)'")
        let second = try String(contentsOfFile: path, encoding: .utf8)
        func uids(_ text: String) -> [Substring] {
            text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("UID") }
        }
        #expect(uids(first) == uids(second) && uids(first).count == 1)
        #expect(events(second) == ["DTSTART;VALUE=DATE:20270309", "SUMMARY:#1 The roof"])
        #expect(
            try user.refusal(of: "issue calendar --assignee nobody").contains("no person “nobody”"))
    }

    @Test func `P9: people are alerted to their issues once each, also across restarts`()
        throws
    {
        let user = try ProjectUser()
        try user.launch("notifier")
        try user.signUp("ann", .crew)
        func titles(_ options: String = "") throws -> [String] {
            try user.rows("alerts list \(options)", device: "ann").compactMap { row in
                (row["raised"] as? [String: Any])?["title"] as? String
            }.sorted()
        }
        try user.run("project person add Ann --zone Europe/Oslo")
        try eventually("Ann may say that she is one of the people") {
            try user.say("project person change Ann --me -p house", device: "ann").end == .exited(0)
        }
        try user.run("issue create Dig --start 2091-03-01 --due 2091-03-01")
        try user.run("issue create Build --start 2091-03-02 --due 2091-03-02 --assignee Ann")
        try user.run("issue relate 1 precedes 2")
        try user.run("issue create Old --due 2020-01-02 --assignee Ann")
        let first = [
            "Overdue since 2020-01-02: #3 Old", "Yours now: #2 Build", "Yours now: #3 Old",
        ]
        try eventually("Ann is alerted") { try titles() == first }
        try user.run("issue change 1 --due 2091-03-05")
        let moved = (first + ["New dates: #2 Build"]).sorted()
        try eventually("Ann knows of the new dates") { try titles() == moved }
        try user.restart()
        try user.run("issue change 1 --subject 'Dig it'")
        try user.run("issue change 2 --status Closed")
        try eventually("what is closed no longer matters") {
            try titles() == ["Overdue since 2020-01-02: #3 Old", "Yours now: #3 Old"]
        }
        #expect(try titles("--all").count == 4)
        #expect(
            try user.refusal(of: "project person change Ann --zone Europe/Olso").contains(
                "there is no time zone “Europe/Olso” for Ann"))
    }

    @Test func `P9: a digest lists once a day what is due and whose it is`() throws {
        let user = try ProjectUser(hasProject: false)
        try user.launch("notifier")
        let server = try WebServer(in: user.system)
        try user.signUp("ann", .crew)
        try user.run("project create House")
        try user.run("project person add Ann --zone UTC")
        try eventually("Ann may say that she is one of the people") {
            try user.say("project person change Ann --me -p house", device: "ann").end == .exited(0)
        }
        // At ten, an hour from now, so that everything is raised before then.
        try user.run(
            "alerts channel add phone --ntfy \(server.url("/ann")) --from info", device: "ann")
        try user.run("alerts digest --at 10:00 --zone Etc/UTC --up-to warning", device: "ann")
        let today = ProjectUser.today
        try user.run("issue create Roof --due \(today) --assignee Ann")
        try user.run("issue create Old --due 2020-01-02 --assignee Ann")
        let titles = [
            "Due \(today): #1 Roof", "Overdue since 2020-01-02: #2 Old", "Yours now: #1 Roof",
            "Yours now: #2 Old",
        ]
        try eventually("all of it is in her list") {
            try user.rows("alerts list", device: "ann").compactMap { row in
                (row["raised"] as? [String: Any])?["title"] as? String
            }.sorted() == titles
        }
        #expect(try server.requests().isEmpty)
        try user.setClock(to: "10:02")
        try eventually("the digest comes") { try !server.requests().isEmpty }
        let told = try server.requests()
        for title in titles { #expect(told.first?.body.contains(title) == true, "\(told)") }
        #expect(told.count == 1)
    }
}
