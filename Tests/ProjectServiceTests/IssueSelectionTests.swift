import Dates
import Messages
import ProjectNetwork
import ProjectRecord
import Testing
import WorkCalendar

@testable import ProjectService

/// Which issues are found, and in which order.
struct IssueSelectionTests {
    private let record: ProjectRecord

    /// Makes a roof, which is planned; a door, of which little is known; a milestone, which is
    /// urgent; and a closed issue.
    init() throws {
        let calendar = try WorkCalendar()
        func span(_ start: String, _ due: String) -> Span {
            Span(start: CivilDate(iso: start), due: CivilDate(iso: due))
        }
        var roof = ProjectIssue(
            id: 1, subject: "Roof", tracker: "Feature", status: "In progress",
            span: span("2027-03-01", "2027-03-05"), assignee: 2)
        (roof.description, roof.estimate, roof.done) = ("Slate, not tin.", 960, 40)
        (roof.skills, roof.version) = (["roofs", "ladders"], 1)
        var door = ProjectIssue(id: 2, subject: "Door", parent: 1)
        (door.priority, door.isFixed) = (.low, true)
        var moved = ProjectIssue(
            id: 3, subject: "Moved in", tracker: "Bug", span: span("", "2027-03-08"), assignee: 1)
        (moved.priority, moved.isMilestone, moved.estimate) = (.urgent, true, 30)
        var old = ProjectIssue(
            id: 4, subject: "Old roof", status: "Closed", span: span("2027-02-01", "2027-02-02"),
            assignee: 2)
        (old.done, old.skills, old.version) = (100, ["ladders"], 2)
        let people = ["Ola", "kari"].enumerated().map {
            ProjectItem.member(Member(id: $0 + 1, name: $1, calendar: calendar))
        }
        let versions = ["Two", "One"].enumerated().map {
            ProjectItem.version(Version(id: $0 + 1, name: $1))
        }
        let issues = [roof, door, moved, old].map { ProjectItem.issue($0) }
        record = ProjectRecord(
            kept: ProjectDetails(name: "House", identifier: "house", calendar: calendar),
            people + versions + issues)
    }

    /// The numbers of the issues that are found, whether they are closed or not.
    private func numbers(_ query: ListIssues) throws -> [Int] {
        var query = query
        query.state = .all
        var selection = try IssueSelection(query, account: "", at: 0)
        try selection.search(record)
        return selection.sorted.map { $0.issue.id }
    }

    @Test func `issues are found by each of their fields`() throws {
        for (query, found) in [
            (ListIssues(words: "roof"), [1, 4]), (ListIssues(words: "slate"), []),
            (ListIssues(words: "roof SLATE", inDescriptions: true), [1]),
            (ListIssues(status: "Closed"), [4]), (ListIssues(tracker: "Bug"), [3]),
            (ListIssues(status: "closed"), [4]), (ListIssues(tracker: "BUG"), [3]),
            (ListIssues(assignee: "kari"), [1, 4]), (ListIssues(version: "none"), [2, 3]),
            (ListIssues(priority: .normal), [1, 3, 4]), (ListIssues(priorityTo: .low), [2]),
            (ListIssues(priority: .normal, priorityTo: .high), [1, 4]),
            (ListIssues(parent: 1), [2]), (ListIssues(dueFrom: "2027-03-05"), [1, 3]),
            (ListIssues(dueBefore: "2027-03-08", dueFrom: "2027-03-05"), [1]),
            (ListIssues(withoutDue: true), [2]), (ListIssues(startFrom: "2027-02-02"), [1]),
            (ListIssues(startBefore: "2027-03-01"), [4]),
            (ListIssues(withoutStart: true), [2, 3]), (ListIssues(doneFrom: 40), [1, 4]),
            (ListIssues(doneTo: 40), [1, 2, 3]), (ListIssues(doneFrom: 1, doneTo: 99), [1]),
            (ListIssues(estimateFrom: 60), [1]), (ListIssues(estimateTo: 60), [3]),
            (ListIssues(withoutEstimate: true), [2, 4]), (ListIssues(skills: ["ladders"]), [1, 4]),
            (ListIssues(skills: ["ladders", "roofs"]), [1]), (ListIssues(fixed: true), [2]),
            (ListIssues(fixed: false), [1, 3, 4]), (ListIssues(milestone: true), [3]),
            (ListIssues(milestone: false), [1, 2, 4]),
        ] as [(ListIssues, [Int])] {
            #expect(try numbers(query) == found, "\(query)")
        }
        #expect(throws: Refusal.self) { try numbers(ListIssues(startFrom: "2027-02-30")) }
    }

    @Test func `a person or a version that doesn't exist is answered with those that do`() throws {
        for (query, words) in [
            (ListIssues(assignee: "kar"), "no person “kar”; there are Ola, kari"),
            (ListIssues(version: "Three"), "no version “Three”; there are Two, One"),
        ] {
            let refusal = #expect(throws: Refusal.self) { try numbers(query) }
            #expect(refusal?.message == "the project has \(words)")
        }
    }

    @Test func `issues are sorted by any field, and those without it come last`() throws {
        for (order, found, reversed) in [
            (.number, [1, 2, 3, 4], [4, 3, 2, 1]), (.due, [4, 1, 3, 2], [3, 1, 4, 2]),
            (.start, [4, 1, 2, 3], [1, 4, 2, 3]), (.priority, [3, 1, 4, 2], [2, 1, 4, 3]),
            (.subject, [2, 3, 4, 1], [1, 4, 3, 2]), (.status, [2, 3, 1, 4], [4, 1, 2, 3]),
            (.tracker, [2, 4, 3, 1], [1, 3, 2, 4]), (.assignee, [1, 4, 3, 2], [3, 1, 4, 2]),
            (.version, [4, 1, 2, 3], [1, 4, 2, 3]), (.done, [2, 3, 1, 4], [4, 1, 2, 3]),
            (.estimate, [3, 1, 2, 4], [1, 3, 2, 4]),
        ] as [(IssueOrder, [Int], [Int])] {
            #expect(try numbers(ListIssues(order: order)) == found, "\(order)")
            #expect(
                try numbers(ListIssues(order: order, reversed: true)) == reversed, "\(order)")
        }
    }

    @Test func `descriptions that are too long to be searched at once are refused`() throws {
        let long = String(repeating: "slate ", count: 70_000)
        let many = (1...10).map { number in
            var issue = ProjectIssue(id: number, subject: "Roof \(number)")
            issue.description = long
            return ProjectItem.issue(issue)
        }
        let all = ProjectRecord(kept: record.details, many)
        let refusal = #expect(throws: Refusal.self) {
            var selection = try IssueSelection(
                ListIssues(words: "tin", inDescriptions: true), account: "", at: 0)
            try selection.search(all)
        }
        #expect(refusal?.code == .conflict)
        // Another condition leaves few to search.
        var one = try IssueSelection(
            ListIssues(words: "slate", dueBefore: "2027-03-08", inDescriptions: true), account: "",
            at: 0)
        try one.search(all)
        #expect(one.count == 0)
    }
}
