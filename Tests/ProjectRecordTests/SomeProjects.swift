import Dates
import ProjectNetwork
import TestSupport
import WorkCalendar

@testable import ProjectRecord

/// A day of 2026, such as `03-31`.
func day(_ text: String) -> CivilDate {
    CivilDate(iso: "2026-\(text)") ?? CivilDate(daysSince1970: 0)
}

func span(_ start: String?, _ due: String?) -> Span {
    Span(start: start.map { day($0) }, due: due.map { day($0) })
}

/// A project with two people, and the issues that are added to it.
func project() throws -> ProjectRecord {
    let calendar = try WorkCalendar()
    var record = try ProjectRecord(
        ProjectDetails(name: "House", identifier: "house", calendar: calendar))
    for name in ["Kari", "Ola"] {
        try record.make(.keepMember(Member(id: 0, name: name, calendar: calendar)))
    }
    return record
}

extension ProjectRecord {
    /// Makes an edit.
    @discardableResult
    mutating func make(_ edit: ProjectEdit) throws -> ProjectOutcome {
        let outcome = try making(edit)
        self = outcome.record
        return outcome
    }

    /// Adds an issue.
    @discardableResult
    mutating func add(
        _ subject: String, _ start: String? = nil, _ due: String? = nil, parent: Int? = nil,
        assignee: Int? = nil
    ) throws -> Int {
        try make(
            .addIssue(
                ProjectIssue(
                    id: 0, subject: subject, span: span(start, due), assignee: assignee,
                    parent: parent))
        ).number
    }

    /// Changes an issue.
    @discardableResult
    mutating func change(
        _ id: Int, _ mode: CascadeMode = .keepGaps, _ body: (inout ProjectIssue) -> Void
    ) throws -> ProjectOutcome {
        var issue = issues[id] ?? ProjectIssue(id: id, subject: "")
        body(&issue)
        return try make(.changeIssue(issue, mode))
    }

    @discardableResult
    mutating func relate(_ from: Int, _ to: Int, delay: Int = 0) throws -> ProjectOutcome {
        try make(.relate(IssueRelation(id: 0, from: from, to: to, delay: delay), .keepGaps))
    }

    /// Its content, without the assigned numbers.
    var content: ProjectRecord { ProjectRecord(kept: details, items) }
}

extension ProjectEdit {
    /// Any edit, including edits of objects that don't exist.
    static func any(_ seed: inout Seed, of record: ProjectRecord) throws -> ProjectEdit {
        // Mostly existing objects.
        let known = record.issues.keys.sorted()
        func issue(_ seed: inout Seed) -> Int {
            known.isEmpty || seed.oneIn(6) ? 1 + seed.below(12) : known[seed.below(known.count)]
        }
        let id = issue(&seed)
        func span(_ seed: inout Seed) -> Span {
            let start = CivilDate(daysSince1970: 20_500 + seed.below(60))
            let due = CivilDate(daysSince1970: start.daysSince1970 + seed.below(12) - 1)
            return Span(start: seed.oneIn(5) ? nil : start, due: seed.oneIn(5) ? nil : due)
        }
        let mode = CascadeMode.allCases[seed.below(2)]
        switch seed.below(15) {
        case 0, 1, 2:
            var issue = ProjectIssue(
                id: 0, subject: "Any", span: span(&seed),
                assignee: seed.oneIn(2) ? 1 + seed.below(3) : nil,
                parent: seed.oneIn(3) ? id : nil)
            issue.isMilestone = seed.oneIn(5)
            return .addIssue(issue)
        case 3, 4, 5:
            var issue = record.issues[id] ?? ProjectIssue(id: id, subject: "Any")
            issue.span = span(&seed)
            if seed.oneIn(4) { issue.status = record.details.statuses[seed.below(6)].name }
            if seed.oneIn(4) { issue.parent = seed.oneIn(2) ? nil : 1 + seed.below(12) }
            if seed.oneIn(4) { issue.done = seed.below(120) }
            return .changeIssue(issue, mode)
        case 6: return .removeIssue(id, withParts: seed.oneIn(2))
        case 7, 8:
            let kind = IssueRelation.Kind.allCases[seed.below(5)]
            return .relate(
                IssueRelation(
                    id: 0, kind: seed.oneIn(2) ? .precedes : kind, from: id, to: issue(&seed),
                    delay: seed.below(5) - 1), mode)
        case 9: return .unrelate(1 + seed.below(8), mode)
        case 10:
            return .keepEntry(
                TimeEntry(
                    id: seed.oneIn(2) ? 0 : id, issue: id, member: 1 + seed.below(3),
                    day: day("03-02"), minutes: seed.below(300)))
        case 11: return .keepVersion(Version(id: seed.below(3), name: "V\(seed.below(4))"))
        case 12: return .keepBaseline("B\(seed.below(9))", on: day("03-02"))
        case 13:
            let calendar = try WorkCalendar()
            var member =
                record.members[1 + seed.below(2)]
                ?? Member(id: 0, name: "Any \(seed.below(9))", calendar: calendar)
            let first = CivilDate(daysSince1970: 20_500 + seed.below(60))
            let last = CivilDate(daysSince1970: first.daysSince1970 + seed.below(10))
            let absences = [WorkCalendar.Absence(days: first...last, reason: "Away")]
            member.calendar = try WorkCalendar(absences: seed.oneIn(4) ? [] : absences)
            return .keepMember(member, moving: mode)
        default: return seed.oneIn(2) ? .removeEntry(id) : .removeMember(id)
        }
    }
}
