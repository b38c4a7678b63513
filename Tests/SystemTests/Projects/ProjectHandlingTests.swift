import Foundation
import TestSupport
import TestThreads
import Testing

/// How people get from what they see to what they want to change.
@Suite(.waiting)
struct ProjectHandlingTests {
    @Test func `P6, REQ 2.3.8, tests 15, 16: a chart's issues are viewed, moved and added`()
        throws
    {
        let user = try ProjectUser()
        try user.makeChain()
        func row(_ subject: String) throws -> String {
            let chart = try user.run(
                "gantt --columns 100 --from 2027-03-01 --until 2027-03-31 --scale day")
            let rows = chart.split(separator: "\n").filter { $0.contains(subject) }
            return try #require(rows.first.map(String.init))
        }
        // The row shows the number by which commands name the issue.
        let digits = try row("Build").drop { $0 != "#" }.dropFirst().prefix { $0.isNumber }
        let number = try #require(Int(digits))
        #expect(try user.run("issue show \(number)").contains("Build"))
        let before = try row("Paint")
        try user.run("issue change \(number) --due 2027-03-10")
        #expect(try row("Paint") != before)
        try user.run("issue create Roof --start 2027-03-15 --due 2027-03-16 --after \(number)")
        #expect(try row("Roof").contains("#4"))
    }

    @Test func `an edit that is repeated, or spelled with other capitals, is understood`() throws {
        let user = try ProjectUser()
        try user.run("project person add Kari")
        try user.run("issue create Roof --tracker bug")
        try user.run("time log 1 2 --person kari --day 2027-03-01")
        try user.run("issue change 1 --status closed --assignee kari")
        let issue = try user.issue(1)
        #expect(issue["status"] as? String == "Closed" && issue["tracker"] as? String == "Bug")
        try user.run("project version add One")
        for line in [
            "issue change 1 --assignee Kari", "project person change kari --share 100",
            "project version change One --rename One", "time change 1 --hours 2",
            "project change --name House",
        ] {
            let said = try user.say(line)
            #expect(said.end == .exited(0) && said.err.contains("nothing is different"), "\(line)")
            let bare = line.split(separator: " --")[0]
            #expect(try user.refusal(of: String(bare)).contains("say what to change"), "\(bare)")
        }
    }

    @Test func `relating issues again replaces the days in between, in one step`() throws {
        let user = try ProjectUser()
        try user.makeChain()
        let again = try user.say("issue relate 1 precedes 2")
        #expect(again.end == .exited(0) && again.err.contains("nothing is different"))
        try user.run("issue relate 2 follows 1 --delay 3")
        #expect(try user.run("issue show 1").contains("precedes: #2 Build, 3 days in between"))
        #expect(try user.issue(2)["start"] as? String == "2027-03-08")
        try user.run("project undo")
        #expect(!(try user.run("issue show 1")).contains("in between"))
        #expect(try user.issue(2)["start"] as? String == "2027-03-03")
    }

    @Test func `an edit says what became of dates and people, and so does undoing it`() throws {
        let user = try ProjectUser()
        try user.makeChain()
        try user.run("project person add Kari")
        let (before, after) = ("2027-03-05 – 2027-03-05", "2027-03-08 – 2027-03-08")
        #expect(
            try user.run("issue change 3 --start 2027-03-08 --assignee Kari")
                == "#3 “Paint” is changed: from \(before) to \(after), assigned to Kari\n")
        #expect(
            try user.run("project undo")
                == "#3 “Paint” is changed: from \(after) to \(before)\n")
        #expect(
            try user.run("time log 1 7:30 --person Kari --day 2027-03-01")
                == "the entry 1, 7:30 by Kari on #1, 2027-03-01, is added\n")
        try user.run("issue change 3 --start 2027-03-10")
        try user.run("project baseline keep Promised")
        try user.run("issue change 3 --start 2027-03-09")
        let compared = try user.say("project baseline compare Promised")
        #expect(compared.err.contains("the end of all is 1 day sooner"))
        try user.run("issue create Roof --start 2027-04-01 --due 2027-04-02")
        let added = try user.say("project baseline compare Promised")
        #expect(added.err.contains("the end of the issues that are in both is 1 day sooner"))
        #expect(added.err.contains("added since: 1 issue, due by 2027-04-02"))
    }

    @Test func `the list of people says on which days and hours each works`() throws {
        let user = try ProjectUser()
        try user.run("project person add Kari")
        try user.run("project person add Ola --day mon,tue,thu --hours 9:30-15:00")
        let people = try user.run("project person list").split(separator: "\n")
        #expect(people.contains { $0.contains("Kari") && $0.contains("mon-fri 8:00-12:00,13:00") })
        #expect(people.contains { $0.contains("Ola") && $0.contains("mon-tue,thu 9:30-15:00") })
    }

    @Test func `tests 6, 10, 14: the help names everything, and additions can be undone`() throws {
        let user = try ProjectUser()
        let help = try user.run("--help")
        for noun in ["project", "issue", "gantt", "schedule", "meet", "redmine", "time"] {
            #expect(help.contains("\n  \(noun) "), "\(noun)")
        }
        try user.run("issue create Roof")
        try user.run("project undo")
        #expect(try user.rows("issue list").isEmpty)
        #expect(try user.refusal(of: "issue create ''").contains("subject"))
        #expect(try user.rows("issue list").isEmpty)
        // Nothing is typed, so nobody is logged in.
        let none = try user.feed("redmine login http://127.0.0.1:1", "")
        #expect(none.end != .exited(0))
        #expect(try user.refusal(of: "redmine projects").contains("logged in at no Redmine"))
    }
}
