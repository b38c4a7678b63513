import ProjectNetwork

/// That a field of an issue got another value: an entry of its journal.
package struct FieldChange: Hashable, Sendable {
    /// What of an issue can change.
    package enum Field: String, Hashable, Sendable, CaseIterable {
        case subject
        case description
        case tracker
        case status
        case priority
        case assignee
        case start
        case due
        case estimate
        case done
        case parent
        case version
        case fixed
        case milestone
        case skills
    }

    package let field: Field
    /// As people read it; empty for nothing.
    package let before: String
    package let after: String

    package init(_ field: Field, before: String, after: String) {
        self.field = field
        self.before = before
        self.after = after
    }
}

extension ProjectRecord {
    /// The value of a field of an issue, as people read it; empty for nothing.
    package func value(of field: FieldChange.Field, in issue: ProjectIssue) -> String {
        switch field {
        case .subject: issue.subject
        case .description: issue.description
        case .tracker: issue.tracker
        case .status: issue.status
        case .priority: issue.priority.rawValue
        case .assignee: issue.assignee.map { members[$0]?.name ?? "\($0)" } ?? ""
        case .start: issue.span.start?.iso ?? ""
        case .due: issue.span.due?.iso ?? ""
        case .estimate: issue.estimate.map { Self.hours($0) } ?? ""
        case .done: "\(issue.done) %"
        case .parent: issue.parent.map { "#\($0)" } ?? ""
        case .version: issue.version.map { versions[$0]?.name ?? "\($0)" } ?? ""
        case .fixed: issue.isFixed ? "yes" : "no"
        case .milestone: issue.isMilestone ? "yes" : "no"
        case .skills: issue.skills.sorted().joined(separator: ", ")
        }
    }

    /// What changed of an issue; nothing for one that was added or removed.
    ///
    /// The names of people and versions are those that they have now.
    package func journal(of change: ProjectChange) -> [FieldChange] {
        guard case .issue(let before)? = change.before, case .issue(let after)? = change.after
        else { return [] }
        return FieldChange.Field.allCases.compactMap { field in
            let (old, new) = (value(of: field, in: before), value(of: field, in: after))
            return old == new ? nil : FieldChange(field, before: old, after: new)
        }
    }

    /// Hours and minutes, such as `7:30`.
    package static func hours(_ minutes: Int) -> String {
        let rest = minutes % 60
        return "\(minutes / 60):\(rest < 10 ? "0" : "")\(rest)"
    }
}
