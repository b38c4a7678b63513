import ProjectNetwork

/// A changed field of an issue: an entry of its journal.
package struct FieldChange: Hashable, Sendable {
    /// The fields of an issue that can change.
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
    /// The values as people read them; empty for nothing.
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

    /// The changed fields of an issue; empty for one that was added or removed.
    ///
    /// The names of people and versions are the present ones.
    package func journal(of change: ProjectChange) -> [FieldChange] {
        guard case .issue(let before)? = change.before, case .issue(let after)? = change.after
        else { return [] }
        return FieldChange.Field.allCases.compactMap { field in
            let (old, new) = (value(of: field, in: before), value(of: field, in: after))
            return old == new ? nil : FieldChange(field, before: old, after: new)
        }
    }

    /// Formats minutes as hours and minutes, such as `7:30`.
    package static func hours(_ minutes: Int) -> String {
        let rest = minutes % 60
        return "\(minutes / 60):\(rest < 10 ? "0" : "")\(rest)"
    }
}
