import Dates
import ProjectNetwork
import TestSupport
import Testing
import WorkCalendar

struct CriticalPathTests {
    @Test func `slack is counted in working days of the assignee`() throws {
        // #2 and #3 follow #1; #4 follows both. #3 is short, and its person has Fridays off.
        let short = try WorkCalendar(week: .init([480..<960], on: [0, 1, 2, 3]))
        let network = try ProjectNetwork(
            issues: [
                issue(1, "03-02", "03-03"), issue(2, "03-04", "03-10"),
                issue(3, "03-04", "03-04", person: 5), issue(4, "03-11", "03-12"),
            ],
            relations: [
                .init(id: 1, from: 1, to: 2), .init(id: 2, from: 1, to: 3),
                .init(id: 3, from: 2, to: 4), .init(id: 4, from: 3, to: 4),
            ], calendar: try WorkCalendar(), people: [5: short])
        let path = network.criticalPath()

        #expect(path.end == day("2026-03-12"))
        #expect(path.critical == [1, 2, 4])
        #expect(path.slacks.map(\.days) == [0, 0, 3, 0])
        #expect(path.slacks[2].latest == span("03-10", "03-10"))
    }

    @Test func `with people counted, an issue waits for its person's previous one`() throws {
        let network = try ProjectNetwork(
            issues: [issue(1, "03-02", "03-03", person: 5), issue(2, "03-04", "03-05", person: 5)],
            relations: [], calendar: try WorkCalendar(), people: [5: try WorkCalendar()])

        #expect(network.criticalPath().critical == [2])
        #expect(network.criticalPath(withPeople: true).critical == [1, 2])
    }

    @Test func `the slack of a whole is the least of its parts, and applies to its relations`()
        throws
    {
        let network = try ProjectNetwork(
            issues: [
                issue(1), issue(2, "03-02", "03-03", parent: 1),
                issue(3, "03-02", "03-05", parent: 1), issue(4, "03-06", "03-06"),
            ], relations: [.init(id: 1, from: 1, to: 4)], calendar: try WorkCalendar())
        let path = network.criticalPath()

        #expect(path.slacks.map(\.days) == [0, 2, 0, 0])
        #expect(path.critical == [1, 3, 4])
        #expect(network.criticalPath(end: day("2026-03-05")).slacks.map(\.days) == [-1, 1, -1, -1])
    }

    @Test func `a negative delay lets the predecessor end later`() throws {
        let network = try ProjectNetwork(
            issues: [issue(1, "03-02", "03-03"), issue(2, "03-03", "03-06")],
            relations: [.init(id: 1, from: 1, to: 2, delay: -1)], calendar: try WorkCalendar())
        #expect(network.criticalPath().slacks.map(\.days) == [0, 0])
    }

    @Test func `there is no critical path without dates`() throws {
        let network = try ProjectNetwork(
            issues: [issue(1), issue(2, "03-02")], relations: [], calendar: try WorkCalendar())
        #expect(network.criticalPath().end == nil)
        #expect(network.criticalPath().slacks == [])
    }

    @Test(arguments: Seed.some(200))
    func `an issue can slip by its slack without moving the end, but by no more`(
        seed: Seed
    ) throws {
        var seed = seed
        let count = 2 + seed.below(6)
        let calendar = try WorkCalendar(
            holidays: [.init(day: CivilDate(daysSince1970: 20_520), name: "Holiday")])
        var issues: [PlannedIssue] = []
        for index in 0..<count {
            let start = try #require(
                calendar.next(onOrAfter: CivilDate(daysSince1970: 20_500 + seed.below(5))))
            issues.append(
                PlannedIssue(
                    id: index,
                    span: Span(start: start, due: calendar.day(seed.below(5), after: start))))
        }
        // Relations are added one by one, so that each issue begins when it is allowed to.
        var network = try ProjectNetwork(issues: issues, relations: [], calendar: calendar)
        for to in 0..<count {
            for from in 0..<to where seed.oneIn(2) {
                let relation = IssueRelation(
                    id: to * count + from, from: from, to: to, delay: seed.below(3))
                network = try network.preview(.relation(relation), mode: .redmine).network
            }
        }
        let path = network.criticalPath()
        let end = try #require(path.end)
        for slack in path.slacks {
            let begin = try #require(network.issues[slack.issue].span.start)
            let due = try #require(network.issues[slack.issue].span.due)
            let length = calendar.workingDays(from: begin, to: due)
            for extra in 0...1 {
                let start = try #require(calendar.day(slack.days + extra, after: begin))
                let moved = Span(start: start, due: calendar.day(length, after: start))
                let after = try network.preview(
                    .dates(issue: slack.issue, moved), mode: .redmine
                ).network
                let last = try #require(after.issues.compactMap(\.span.due).max())
                if extra == 0 {
                    #expect(last <= end)
                } else {
                    #expect(last > end)
                }
            }
        }
    }
}
