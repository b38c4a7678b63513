import Dates
import Messages
import ProjectLanguage
import ProjectRecord
import Texts

/// Finds the issues that a list is to have.
struct IssueFilter {
    /// Those that fit all that is said, in the order that is wanted.
    let issues: [ProjectIssue]

    /// Finds issues.
    ///
    /// - Throws: the refusal that names what isn't in the project.
    init(_ query: ListIssues, _ record: ProjectRecord) throws {
        let words = FoldedText.words(String(query.words.prefix(200)))
        let assignee = try Self.number(
            query.assignee, "person", record.members.mapValues(\.name))
        let version = try Self.number(
            query.version, "version", record.versions.mapValues(\.name))
        try Self.check(query.status, "status", record.details.statuses.map(\.name))
        try Self.check(query.tracker, "tracker", record.details.trackers)
        let before = try CivilDate.read(query.dueBefore, "the day before which they are due")
        let least =
            query.priority == .unspecified ? nil : TrackedIssue(priority: query.priority).importance
        let parts = try Self.parts(of: Int(query.parent), in: record)
        let closed = Set(record.details.statuses.filter(\.isClosed).map(\.name))
        let found = record.issues.values.filter { issue in
            switch query.state {
            case .all: break
            case .closed: guard closed.contains(issue.status) else { return false }
            default: guard !closed.contains(issue.status) else { return false }
            }
            guard query.status.isEmpty || issue.status == query.status,
                query.tracker.isEmpty || issue.tracker == query.tracker,
                assignee.map({ $0 == issue.assignee ?? 0 }) ?? true,
                version.map({ $0 == issue.version ?? 0 }) ?? true,
                least.map({ $0 <= issue.priority }) ?? true,
                parts?.contains(issue.id) ?? true
            else { return false }
            if let before {
                guard let due = issue.span.due, due < before else { return false }
            }
            guard !words.isEmpty else { return true }
            let line = FoldedText.line(issue.subject)
            return words.allSatisfy { line.contains($0) }
        }
        issues = Self.sorted(found, by: query.order)
    }

    /// The number of a name; nil for any, 0 for `none`.
    private static func number(
        _ name: String, _ what: String, _ names: [Int: String]
    ) throws -> Int? {
        guard !name.isEmpty else { return nil }
        if let found = names.filter({ $0.value == name }).keys.min() { return found }
        if let found = names.filter({ $0.value.lowercased() == name.lowercased() }).keys.min() {
            return found
        }
        guard name != "none" else { return 0 }
        throw Refusal.notFound("the project has no \(what) “\(name.prefix(bytes: 200))”")
    }

    private static func check(_ name: String, _ what: String, _ names: [String]) throws {
        guard name.isEmpty || names.contains(name) else {
            throw Refusal.notFound(
                "there is no \(what) “\(name.prefix(bytes: 200))”; there are "
                    + names.joined(separator: ", "))
        }
    }

    /// The parts of an issue, and theirs; nil for 0.
    private static func parts(of issue: Int, in record: ProjectRecord) throws -> Set<Int>? {
        guard issue != 0 else { return nil }
        guard record.issues[issue] != nil else {
            throw Refusal.notFound("the project has no #\(issue)")
        }
        let all = record.partsOfWholes
        var found: Set<Int> = []
        var open = all[issue] ?? []
        while let part = open.popLast() {
            if found.insert(part).inserted { open += all[part] ?? [] }
        }
        return found
    }

    private static func sorted(
        _ issues: [ProjectIssue], by order: IssueOrder
    ) -> [ProjectIssue] {
        let numbered = issues.sorted { $0.id < $1.id }
        // Sorting keeps the order of what is alike.
        switch order {
        case .due:
            return numbered.sorted { Self.isSooner($0.span.due, $1.span.due) }
        case .start:
            return numbered.sorted { Self.isSooner($0.span.start, $1.span.start) }
        case .priority: return numbered.sorted { $0.priority > $1.priority }
        case .subject:
            return numbered.map { ($0, FoldedText.line($0.subject)) }
                .sorted { $0.1 < $1.1 }.map(\.0)
        default: return numbered
        }
    }

    private static func isSooner(_ first: CivilDate?, _ second: CivilDate?) -> Bool {
        guard let first else { return false }
        guard let second else { return true }
        return first < second
    }
}
