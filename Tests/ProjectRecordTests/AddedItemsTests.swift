import Dates
import Messages
import ProjectNetwork
import TestSupport
import Testing
import WorkCalendar

@testable import ProjectRecord

@Suite struct AddedItemsTests {
    private func member(_ id: Int, _ name: String) throws -> Member {
        Member(id: id, name: name, calendar: try WorkCalendar())
    }

    private func issue(
        _ id: Int, _ subject: String, parent: Int? = nil, assignee: Int? = nil
    ) -> ProjectIssue {
        ProjectIssue(
            id: id, subject: subject, span: span("03-02", "03-03"), assignee: assignee,
            parent: parent)
    }

    private func refusal(of items: [ProjectItem], in record: ProjectRecord) -> String {
        do {
            _ = try record.making(.add(items))
            return "made"
        } catch { return error.message }
    }

    @Test func `added items may refer to each other and to the project's members`()
        throws
    {
        var record = try project()
        try record.add("Dig", "03-02", "03-02")
        let before = record
        let made = try record.make(
            .add([
                .relation(IssueRelation(id: 1, from: 40, to: 70, delay: 1)),
                .issue(issue(70, "Paint", assignee: 9)),
                .issue(issue(40, "Build", parent: 5, assignee: 3)),
                .issue(issue(5, "House")),
                .member(try member(9, "Ola")), .member(try member(3, "Eva")),
                .version(Version(id: 3, name: "One")),
            ]))
        #expect(made.moves.isEmpty && made.numbers == [2])
        #expect(record.issues.keys.sorted() == [1, 2, 3, 4])
        let subjects = (2...4).map { record.issues[$0]?.subject }
        #expect(subjects == ["Paint", "Build", "House"])
        #expect(record.issues[3]?.parent == 4)
        #expect(record.issues[2]?.assignee == 2, "Ola was there")
        #expect(record.members[3]?.name == "Eva" && record.members.count == 3)
        #expect(record.relations.values.map { [$0.from, $0.to, $0.delay] } == [[3, 2, 1]])
        // Nothing has moved, although the second begins too soon after what precedes it.
        #expect(record.issues[2]?.span == span("03-02", "03-03"))
        try record.apply(made.changes.reversed().map(\.reversed))
        #expect(record.content == before.content)
    }

    @Test func `items that contradict each other or the project are refused by name`() throws {
        let record = try project()
        let circle: [ProjectItem] = [
            .issue(issue(1, "A")), .issue(issue(2, "B")),
            .relation(IssueRelation(id: 1, from: 1, to: 2)),
            .relation(IssueRelation(id: 2, from: 2, to: 1)),
        ]
        #expect(refusal(of: circle, in: record).contains("wait for each other"))
        #expect(
            refusal(of: [.issue(issue(1, "A", parent: 7))], in: record)
                .contains("“A” names the issue 7"))
        #expect(
            refusal(of: [.issue(issue(1, "A", assignee: 1))], in: record)
                .contains("“A” names the person 1"), "numbers of the project don't count")
        #expect(
            refusal(of: [.issue(issue(1, "A")), .issue(issue(1, "B"))], in: record)
                .contains("have the number 1"))
        #expect(
            refusal(of: [.relation(IssueRelation(id: 1, from: 1, to: 2))], in: record)
                .contains("isn't among those to add"))
        var strange = issue(1, "A")
        strange.status = "Hot"
        #expect(refusal(of: [.issue(strange)], in: record).contains("“A”: there is no status"))
        #expect(refusal(of: [.details(record.details)], in: record).contains("can be added"))
        let parts: [ProjectItem] = [
            .issue(issue(1, "A", parent: 2)), .issue(issue(2, "B", parent: 1)),
        ]
        #expect(refusal(of: parts, in: record).contains("parts of each other"))
    }

    @Test func `more issues than a project may have are refused before any is stored`() throws {
        let record = try project()
        let items = (1...ProjectLimits.issues + 1).map { ProjectItem.issue(issue($0, "A")) }
        #expect(refusal(of: items, in: record).contains("10001 issues"))
    }
}
