import Dates
import ProjectNetwork
import TestSupport
import Testing
import WorkCalendar

@testable import ProjectRecord

/// How much work is planned for people.
struct WorkLoadTests {
    private func load(_ record: ProjectRecord) -> [[Int]] {
        WorkLoad(of: record, from: day("03-02"), to: day("03-15")).rows.map {
            $0.weeks.map(\.planned)
        }
    }

    @Test func `remaining work is spread over the assignee's working days`() throws {
        var record = try project()
        // Two days in one week and three in the next.
        try record.add("Walls", "03-05", "03-11", assignee: 1)
        try record.change(1) {
            $0.estimate = 1_000
            $0.done = 50
        }
        #expect(load(record) == [[200, 300], [0, 0]])
        try record.change(1) { $0.status = "Closed" }
        #expect(load(record) == [[0, 0], [0, 0]])
    }

    @Test func `an absence leaves less time, and more work than that is an overload`() throws {
        var record = try project()
        var member = try #require(record.members[1])
        member.calendar = try WorkCalendar(
            absences: [.init(days: day("03-02")...day("03-04"), reason: "Ill")])
        try record.make(.keepMember(member))
        try record.add("Walls", "03-02", "03-06", assignee: 1)
        try record.change(1) { $0.estimate = 961 }
        let week = try #require(
            WorkLoad(of: record, from: day("03-04"), to: day("03-04")).rows.first?.weeks.first)
        #expect(week.monday == day("03-02"))
        #expect(week.available == 960)
        #expect(week.planned > week.available)
        try record.change(1) { $0.estimate = 960 }
        let enough = WorkLoad(of: record, from: day("03-04"), to: day("03-04")).rows[0].weeks[0]
        #expect(enough.planned <= enough.available)
    }

    @Test func `work planned for days on which nobody works is an overload`() throws {
        var record = try project()
        var member = try #require(record.members[1])
        member.calendar = try WorkCalendar(
            absences: [.init(days: day("03-02")...day("03-15"), reason: "Ill")])
        try record.make(.keepMember(member))
        try record.add("Walls", "03-05", "03-11", assignee: 1)
        try record.change(1) { $0.estimate = 600 }
        let weeks = WorkLoad(of: record, from: day("03-02"), to: day("03-15")).rows[0].weeks
        #expect(weeks.map(\.planned) == [0, 600])
        #expect(weeks.map(\.available) == [0, 0])
    }

    @Test func `without an estimate an issue takes all the assignee's time for the project`()
        throws
    {
        var record = try project()
        var member = try #require(record.members[2])
        member.share = 50
        try record.make(.keepMember(member))
        try record.add("Walls", "03-02", "03-06", assignee: 2)
        let week = WorkLoad(of: record, from: day("03-02"), to: day("03-02")).rows[1].weeks[0]
        #expect(week.planned == 1_200)
        #expect(week.available == 1_200)
    }

    @Test func `work over the whole calendar is spread too`() throws {
        var record = try project()
        try record.make(
            .addIssue(
                ProjectIssue(
                    id: 0, subject: "Always",
                    span: Span(
                        start: CivilDate(daysSince1970: 0),
                        due: CivilDate(daysSince1970: WorkCalendar.Limit.days.upperBound)),
                    assignee: 1)))
        #expect(load(record) == [[2_400, 2_400], [0, 0]])
        let late = WorkLoad(
            of: record, from: CivilDate(daysSince1970: 0),
            to: CivilDate(daysSince1970: WorkCalendar.Limit.days.upperBound))
        #expect(late.rows[0].weeks.count == WorkLoad.mostWeeks)
    }

    @Test(arguments: Seed.some(100))
    func `all weeks together have exactly the remaining work`(seed: Seed) throws {
        var seed = seed
        var record = try project()
        var left = 0
        for _ in 0..<seed.below(8) {
            let start = CivilDate(daysSince1970: day("03-02").daysSince1970 + seed.below(40))
            let due = CivilDate(daysSince1970: start.daysSince1970 + seed.below(30))
            var issue = ProjectIssue(
                id: 0, subject: "Any", span: Span(start: start, due: due), assignee: 1)
            issue.estimate = seed.below(5_000)
            issue.done = seed.below(101)
            try record.make(.addIssue(issue))
            left += (issue.estimate ?? 0) * (100 - issue.done) / 100
        }
        let load = WorkLoad(of: record, from: day("03-02"), to: day("06-30"))
        #expect(load.rows[0].weeks.reduce(0) { $0 + $1.planned } == left)
    }
}
