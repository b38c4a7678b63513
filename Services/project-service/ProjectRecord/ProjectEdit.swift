import Dates
import Messages
import ProjectNetwork
import WorkCalendar

/// An edit of a project, made and undone as a whole.
package enum ProjectEdit: Hashable, Sendable {
    case changeDetails(ProjectDetails)
    /// Adds an issue; its id is assigned.
    case addIssue(ProjectIssue)
    /// Replaces the issue with the same id. If its dates change, its successors move according to
    /// the mode.
    case changeIssue(ProjectIssue, CascadeMode)
    /// Removes an issue with its relations and, optionally, its parts.
    case removeIssue(Int, withParts: Bool)
    /// Relates issues; the id is assigned. Successors move according to the mode.
    case relate(IssueRelation, CascadeMode)
    case unrelate(Int, CascadeMode)
    /// Adds or replaces a member; the id 0 adds one. If the member works on other days than before
    /// and a mode is given, their open issues keep their number of working days, and successors
    /// move according to the mode; without a mode, nothing moves.
    case keepMember(Member, moving: CascadeMode? = nil)
    case removeMember(Int)
    case keepVersion(Version)
    case removeVersion(Int)
    case keepEntry(TimeEntry)
    case removeEntry(Int)
    /// Keeps the present dates under a name.
    case keepBaseline(String, on: CivilDate)
    case removeBaseline(Int)
    /// Gives issues the dates and people of a schedule, in one step.
    case apply([Int: Placement])
    /// Stores things as another server has them, and removes others. Nothing moves because of it.
    case mirror([ProjectItem], removed: [ProjectItem.Key])
    /// Adds people, versions, issues and relations that refer to each other by their own numbers.
    /// Nothing moves because of it.
    case add([ProjectItem])

    /// The dates and the person of an issue in a schedule.
    package struct Placement: Hashable, Sendable {
        package var span: Span
        package var assignee: Int?

        package init(span: Span, assignee: Int?) {
            self.span = span
            self.assignee = assignee
        }
    }
}

/// The outcome of an edit.
package struct ProjectOutcome: Sendable {
    /// One change for each item, in order.
    package let changes: [ProjectChange]
    /// The project after the edit.
    package let record: ProjectRecord
    /// The issues that move along with the one that was changed, and why.
    package let moves: [Cascade.Move]
    /// The issues that stay although they begin sooner than their predecessors allow.
    package let conflicts: [Int]
    /// The number of what each edit added or changed; 0 for the details of the project.
    package let numbers: [Int]
    /// The number of what the last edit added or changed.
    package var number: Int { numbers.last ?? 0 }
}

extension ProjectRecord {
    /// The outcome of an edit, without changing this record.
    ///
    /// - Throws: a `Refusal` that says what can't be done, and how to fix it.
    package func making(_ edit: ProjectEdit) throws(Refusal) -> ProjectOutcome {
        var editor = ProjectEditor(self)
        try editor.make(edit)
        return editor.outcome
    }

    /// The outcome of several edits that are made as one step.
    ///
    /// - Parameters:
    ///   - count: the number of edits.
    ///   - edit: returns the edit with a number, from 0, given the project after the earlier edits.
    /// - Throws: a `Refusal` that names what can't be done, and which edit it is if there are
    ///   several.
    package func making(
        _ count: Int, _ edit: (Int, ProjectRecord) throws(Refusal) -> ProjectEdit
    ) throws(Refusal) -> ProjectOutcome {
        var editor = ProjectEditor(self)
        for number in 0..<count {
            do {
                try editor.make(try edit(number, editor.record))
            } catch {
                var refusal = error
                if count > 1 { refusal.message = "action \(number + 1): \(refusal.message)" }
                throw refusal
            }
        }
        return editor.outcome
    }
}

extension Refusal {
    /// The refusal for an issue that doesn't exist or that the caller may not see.
    static func noIssue(_ id: Int) -> Refusal { .notFound("the project has no #\(id)") }
}
