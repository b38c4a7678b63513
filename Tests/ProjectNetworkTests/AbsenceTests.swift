import Dates
import ProjectNetwork
import Testing
import WorkCalendar

/// What moves when a person works on other days. Monday is 2026-03-02.
struct AbsenceTests {
    /// The calendar of a person, here with the number 3, who is away from one day to another.
    private func away(_ first: String, _ last: String) throws -> WorkCalendar {
        try WorkCalendar(
            absences: [.init(days: day("2026-\(first)")...day("2026-\(last)"), reason: "Ill")])
    }

    private func network(
        _ issues: [PlannedIssue], _ relations: [IssueRelation] = []
    ) throws -> ProjectNetwork {
        let calendar = try WorkCalendar()
        return try ProjectNetwork(
            issues: issues, relations: relations, calendar: calendar, people: [3: calendar])
    }

    /// What moves if the person gets a calendar and all issues are open.
    private func moves(
        _ network: ProjectNetwork, _ calendar: WorkCalendar, _ mode: CascadeMode,
        but closed: Set<Int> = []
    ) throws -> Cascade {
        let issues = Set(network.issues.map(\.id)).subtracting(closed)
        let change = PlanChange.calendar(person: 3, calendar, issues: issues)
        let cascade = try network.preview(change, mode: mode)
        #expect(cascade.network.people[3] == calendar)
        return cascade
    }

    private func spans(_ cascade: Cascade) -> [Int: Span] {
        Dictionary(uniqueKeysWithValues: cascade.moves.map { ($0.issue, $0.after) })
    }

    @Test(arguments: CascadeMode.allCases)
    func `an issue keeps its working days, and what follows it moves`(mode: CascadeMode) throws {
        let plan = try network(
            [
                issue(1, "03-02", "03-05", person: 3), issue(2, "03-06", "03-06"),
                issue(4, "03-04", "03-04", person: 3), issue(5, "03-04", nil, person: 3),
                issue(6, nil, "03-05", person: 3), issue(7, "03-12", "03-13", person: 3),
                issue(8, "03-07", "03-08", person: 3), issue(9, "03-04", "03-05"),
            ], [IssueRelation(id: 7, from: 1, to: 2)])

        let cascade = try moves(plan, try away("03-04", "03-05"), mode)

        #expect(
            spans(cascade) == [
                1: span("03-02", "03-09"), 2: span("03-10", "03-10"), 4: span("03-06", "03-06"),
                5: span("03-06", nil), 6: span(nil, "03-06"),
            ])
        let first = try #require(cascade.moves.first { $0.issue == 1 })
        #expect(first.cause == .calendar(person: 3))
        #expect(
            first.skipped == [
                .init(day: day("2026-03-04"), kind: .absence("Ill")),
                .init(day: day("2026-03-05"), kind: .absence("Ill")),
            ])
        let second = try #require(cascade.moves.first { $0.issue == 2 })
        #expect(second.cause == .relation(7, predecessor: 1))
    }

    @Test(arguments: CascadeMode.allCases)
    func `issues of one person that follow each other keep the days of each`(
        mode: CascadeMode
    ) throws {
        let plan = try network(
            [issue(1, "03-02", "03-03", person: 3), issue(2, "03-04", "03-06", person: 3)],
            [IssueRelation(id: 7, from: 1, to: 2)])

        let both = try moves(plan, try away("03-03", "03-04"), mode)
        #expect(spans(both) == [1: span("03-02", "03-05"), 2: span("03-06", "03-10")])
        let last = try moves(plan, try away("03-04", "03-05"), mode)
        #expect(spans(last) == [2: span("03-06", "03-10")])
    }

    @Test(arguments: CascadeMode.allCases)
    func `fixed and closed issues stay`(mode: CascadeMode) throws {
        let plan = try network([
            issue(1, "03-02", "03-05", person: 3, isFixed: true),
            issue(2, "03-04", "03-04", person: 3),
        ])
        #expect(try moves(plan, try away("03-04", "03-05"), mode, but: [2]).moves == [])
    }

    @Test func `free days before an issue aren't a delay if its person is away then`() throws {
        let plan = try network(
            [issue(1, "03-02", "03-03"), issue(2, "03-09", "03-10", person: 3)],
            [IssueRelation(id: 7, from: 1, to: 2)])
        #expect(try moves(plan, try away("03-04", "03-06"), .keepGaps).moves == [])
    }

    @Test func `removing an absence makes issues that it lengthened as long as before`() throws {
        let plan = try network(
            [issue(1, "03-02", "03-05", person: 3), issue(2, "03-06", "03-06")],
            [IssueRelation(id: 7, from: 1, to: 2)])
        let longer = try moves(plan, try away("03-04", "03-05"), .keepGaps).network

        let again = try moves(longer, try WorkCalendar(), .keepGaps)

        #expect(again.network.issues.map(\.span) == plan.issues.map(\.span))
    }

    @Test(arguments: CascadeMode.allCases)
    func `a whole gets the dates of a part whose person is away`(mode: CascadeMode) throws {
        let plan = try network([
            issue(1), issue(2, "03-02", "03-04", parent: 1, person: 3),
            issue(4, "03-02", "03-03", parent: 1),
        ])
        let cascade = try moves(plan, try away("03-04", "03-06"), mode)
        #expect(spans(cascade) == [1: span("03-02", "03-09"), 2: span("03-02", "03-09")])
    }

    @Test(arguments: CascadeMode.allCases)
    func `somebody who never works again has no day left`(mode: CascadeMode) throws {
        let plan = try network([issue(1, "03-02", "03-05", person: 3)])
        let never = try WorkCalendar(week: .init([], on: []))
        #expect(throws: NetworkError.noDayLeft(1)) { try moves(plan, never, mode) }
    }
}
