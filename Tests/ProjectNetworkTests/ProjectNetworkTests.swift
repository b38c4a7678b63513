import Dates
import ProjectNetwork
import TestSupport
import Testing
import WorkCalendar

/// The date of a text in ISO 8601; the first date if the text isn't one.
func day(_ text: String) -> CivilDate {
    CivilDate(iso: text) ?? CivilDate(daysSince1970: -719_162)
}

/// An issue from one day of 2026 to another, such as `03-02`.
func issue(
    _ id: Int, _ start: String? = nil, _ due: String? = nil, parent: Int? = nil,
    person: Int? = nil, isFixed: Bool = false
) -> PlannedIssue {
    PlannedIssue(
        id: id, parent: parent, span: span(start, due), person: person, isFixed: isFixed)
}

func span(_ start: String?, _ due: String?) -> Span {
    Span(start: start.map { day("2026-\($0)") }, due: due.map { day("2026-\($0)") })
}

struct ProjectNetworkTests {
    private func says(
        _ issues: [PlannedIssue], _ relations: [IssueRelation] = []
    ) throws -> String? {
        let calendar = try WorkCalendar()
        let error = #expect(throws: NetworkError.self) {
            try ProjectNetwork(issues: issues, relations: relations, calendar: calendar)
        }
        return error?.description
    }

    @Test func `a cycle is refused, and its issues are named`() throws {
        let three = [issue(1), issue(2), issue(3)]
        #expect(
            try says(
                three,
                [
                    .init(id: 1, from: 3, to: 2), .init(id: 2, from: 2, to: 1),
                    .init(id: 3, from: 1, to: 3),
                ]) == "these wait for each other: #1 -> #3 -> #2 -> #1")
        #expect(
            try says(
                three,
                [
                    .init(id: 1, kind: .blocks, from: 1, to: 2),
                    .init(id: 2, kind: .blocks, from: 2, to: 1),
                ]) == "these wait for each other: #1 -> #2 -> #1")
    }

    @Test func `issues are named as the reader knows them`() {
        let unknown = NetworkError.unknownWhole(9, of: 4)
        #expect(unknown.description == "#9, named by its part #4, isn't there")
        let circle = NetworkError.circle([1, 2])
        #expect(
            circle.sentence(naming: { "line \($0 + 1)" })
                == "these wait for each other: line 2 -> line 3 -> line 2")
    }

    @Test func `a cycle through parts is found`() throws {
        // What precedes the whole follows one of the whole's parts.
        let says = try says(
            [issue(1), issue(2, parent: 1), issue(3)],
            [.init(id: 1, from: 2, to: 3), .init(id: 2, from: 3, to: 1)])
        #expect(says == "these wait for each other: #1 -> #2 -> #3 -> #1")
    }

    @Test func `invalid data is refused with its place`() throws {
        #expect(try says([issue(4), issue(4)]) == "there are two issues #4")
        #expect(try says([issue(4, parent: 9)]) == "#9, named by its part #4, isn't there")
        #expect(
            try says([issue(1, parent: 2), issue(2, parent: 1)])
                == "these are parts of each other: #1 -> #2 -> #1")
        #expect(try says([issue(1, "03-05", "03-04")]) == "#1 is due before it begins")
        #expect(
            try says([PlannedIssue(id: 1, span: Span(due: day("1969-12-31")))])
                == "1969-12-31, a date of #1, isn't in the years 1970 to 9999")
        #expect(
            try says([issue(1, person: 7)]) == "there is no calendar of person 7, who does #1")
        let two = [issue(1), issue(2, parent: 1)]
        #expect(
            try says(two, [.init(id: 1, from: 1, to: 2)])
                == "one of #1 and #2 is a part of the other")
        #expect(try says(two, [.init(id: 1, from: 2, to: 2)]) == "#2 is related to itself")
        #expect(
            try says(two, [.init(id: 8, from: 2, to: 5)])
                == "#5, named by relation 8, isn't there")
        let apart = [issue(1), issue(2)]
        #expect(
            try says(apart, [.init(id: 8, from: 1, to: 2, delay: .max)])
                == "the delay of relation 8 is \(Int.max); it may be -100000 to 100000")
        #expect(
            try says(
                apart,
                [.init(id: 8, from: 1, to: 2), .init(id: 9, kind: .relates, from: 1, to: 2)])
                == "#1 and #2 are related twice")
    }

    @Test func `relations stated from the other side are reversed`() {
        let follows = IssueRelation(id: 1, named: "follows", from: 5, to: 6, delay: 2)
        #expect(follows == IssueRelation(id: 1, kind: .precedes, from: 6, to: 5, delay: 2))
        let blocked = IssueRelation(id: 1, named: "blocked", from: 5, to: 6)
        #expect(blocked == IssueRelation(id: 1, kind: .blocks, from: 6, to: 5))
        let copied = IssueRelation(id: 1, named: "copied_to", from: 5, to: 6, delay: 3)
        #expect(copied == IssueRelation(id: 1, kind: .copied, from: 5, to: 6))
        #expect(copied?.delay == 0)
        #expect(IssueRelation(id: 1, named: "likes", from: 5, to: 6) == nil)
    }

    @Test func `the dates of a whole follow from its parts`() throws {
        let network = try ProjectNetwork(
            issues: [
                issue(1, "01-01", "01-02"), issue(2, parent: 1),
                issue(3, "03-02", "03-04", parent: 2), issue(4, "03-09", nil, parent: 1),
                issue(5, nil, "03-20", parent: 2),
            ], relations: [], calendar: try WorkCalendar())

        #expect(network.issues[0].span == span("03-02", "03-20"))
        #expect(network.issues[1].span == span("03-02", "03-20"))
    }

    @Test func `a baseline shows how many working days the plan has slipped`() throws {
        let before = try ProjectNetwork(
            issues: [issue(1, "03-02", "03-04"), issue(2, "03-05", "03-06"), issue(3)],
            relations: [.init(id: 1, from: 1, to: 2)], calendar: try WorkCalendar())
        let baseline = try Baseline("kick-off", of: before)
        let after = try before.preview(
            .dates(issue: 1, span("03-02", "03-06")), mode: .redmine
        ).network

        #expect(
            baseline.slippages(in: after) == [
                .init(
                    issue: 1, before: span("03-02", "03-04"), now: span("03-02", "03-06"), start: 0,
                    due: 2),
                .init(
                    issue: 2, before: span("03-05", "03-06"), now: span("03-09", "03-10"), start: 2,
                    due: 2),
            ])
        #expect(baseline.slippageOfAll(in: after) == 2)
        #expect(baseline.slippages(in: before) == [])
        #expect(throws: NetworkError.self) {
            try Baseline(String(repeating: "x", count: 201), of: before)
        }
    }

    @Test func `the end of a baseline moves with its own issues, not with added or removed ones`()
        throws
    {
        func network(_ issues: [PlannedIssue]) throws -> ProjectNetwork {
            try ProjectNetwork(issues: issues, relations: [], calendar: try WorkCalendar())
        }
        let baseline = try Baseline(
            "kick-off",
            of: network([
                issue(1), issue(2, "03-02", "03-04", parent: 1), issue(3, "03-05", "03-06"),
                issue(4, "03-09", "03-10"), issue(5, "03-02", nil),
            ]))

        // The part 6 is new, which makes 1 later. The last issue, 4, is gone.
        let after = try network([
            issue(1), issue(2, "03-02", "03-04", parent: 1), issue(3, "03-05", "03-09"),
            issue(5, "03-02", "03-20"), issue(6, "03-05", "03-27", parent: 1),
        ])
        #expect(after.issues[0].span.due == day("2026-03-27"))
        #expect(baseline.slippageOfAll(in: after) == 1)
        #expect(baseline.added(in: after).map(\.id) == [6])
        #expect(baseline.removed(in: after) == 1)

        // An issue that was divided since is as late as its parts.
        let divided = try network([
            issue(4), issue(7, "03-09", "03-10", parent: 4), issue(8, "03-11", "03-12", parent: 4),
        ])
        #expect(baseline.slippageOfAll(in: divided) == 2)
        #expect(baseline.slippageOfAll(in: try network([issue(9, "03-02", "03-03")])) == nil)
    }
}
