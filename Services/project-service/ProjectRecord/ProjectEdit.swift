import Dates
import Messages
import ProjectNetwork
import WorkCalendar

/// What is done to a project in one gesture, and taken back in one.
package enum ProjectEdit: Hashable, Sendable {
    case changeDetails(ProjectDetails)
    /// Adds an issue; its id is chosen.
    case addIssue(ProjectIssue)
    /// An issue gets what another value of the same id has. When its dates change, what follows it
    /// moves in the mode.
    case changeIssue(ProjectIssue, CascadeMode)
    /// Removes an issue with its relations and, if it is so, its parts.
    case removeIssue(Int, withParts: Bool)
    /// Relates issues; the id is chosen. What follows moves in the mode.
    case relate(IssueRelation, CascadeMode)
    case unrelate(Int, CascadeMode)
    /// Adds or changes someone: with the id 0, one that isn't there. Absences move nothing by
    /// themselves.
    case keepMember(Member)
    case removeMember(Int)
    case keepVersion(Version)
    case removeVersion(Int)
    case keepEntry(TimeEntry)
    case removeEntry(Int)
    /// Keeps the present dates under a name.
    case keepBaseline(String, on: CivilDate)
    case removeBaseline(Int)
    /// Gives issues the dates and the people of a schedule, as one step.
    case apply([Int: Placement])

    /// Where a schedule puts an issue.
    package struct Placement: Hashable, Sendable {
        package var span: Span
        package var assignee: Int?

        package init(span: Span, assignee: Int?) {
            self.span = span
            self.assignee = assignee
        }
    }
}

/// What an edit comes to.
package struct ProjectOutcome: Sendable {
    /// One change for each thing, in order.
    package let changes: [ProjectChange]
    /// The project after it.
    package let record: ProjectRecord
    /// Which issues move besides the one that was changed, and why.
    package let moves: [Cascade.Move]
    /// The issues that stay though they begin sooner than what precedes them allows.
    package let conflicts: [Int]
    /// The number of what was added or changed.
    package let number: Int
}

extension ProjectRecord {
    /// What an edit comes to, before it is made: the project itself stays as it is.
    ///
    /// - Throws: a `Refusal` that names what can't be done, and what helps.
    package func making(_ edit: ProjectEdit) throws(Refusal) -> ProjectOutcome {
        var editor = ProjectEditor(self)
        try editor.make(edit)
        return editor.outcome
    }
}
