import Dates
import Messages
import ProjectLanguage
import ProjectRecord

/// The values that the fields of an issue may have, apart from what is named in its project.
struct IssueBounds {
    private let query: ListIssues
    private let dueFrom: CivilDate?
    private let startFrom: CivilDate?
    private let startBefore: CivilDate?
    private let leastPriority: Importance?
    private let mostPriority: Importance?
    private let skills: Set<String>

    /// - Throws: a refusal if a date isn't valid.
    init(_ query: ListIssues) throws {
        self.query = query
        dueFrom = try CivilDate.read(query.dueFrom, "the day from which they are due")
        startFrom = try CivilDate.read(query.startFrom, "the day from which they begin")
        startBefore = try CivilDate.read(query.startBefore, "the day before which they begin")
        func importance(_ priority: IssuePriority) -> Importance? {
            priority == .unspecified ? nil : TrackedIssue(priority: priority).importance
        }
        leastPriority = importance(query.priority)
        mostPriority = importance(query.priorityTo)
        skills = Set(query.skills)
    }

    /// Whether an issue has only such values.
    func include(_ issue: ProjectIssue) -> Bool {
        if let leastPriority, issue.priority < leastPriority { return false }
        if let mostPriority, issue.priority > mostPriority { return false }
        if let fixed = query.fixed, issue.isFixed != fixed { return false }
        if let milestone = query.milestone, issue.isMilestone != milestone { return false }
        if let least = query.doneFrom, issue.done < Int(least) { return false }
        if let most = query.doneTo, issue.done > Int(most) { return false }
        return hasDates(issue) && hasEstimate(issue) && skills.isSubset(of: issue.skills)
    }

    private func hasDates(_ issue: ProjectIssue) -> Bool {
        let (start, due) = (issue.span.start, issue.span.due)
        if query.withoutDue, due != nil { return false }
        if query.withoutStart, start != nil { return false }
        if let dueFrom {
            guard let due, due >= dueFrom else { return false }
        }
        if let startFrom {
            guard let start, start >= startFrom else { return false }
        }
        if let startBefore {
            guard let start, start < startBefore else { return false }
        }
        return true
    }

    private func hasEstimate(_ issue: ProjectIssue) -> Bool {
        if query.withoutEstimate, issue.estimate != nil { return false }
        if let least = query.estimateFrom {
            guard let estimate = issue.estimate, estimate >= Int(least) else { return false }
        }
        if let most = query.estimateTo {
            guard let estimate = issue.estimate, estimate <= Int(most) else { return false }
        }
        return true
    }
}
