import Messages
import ProjectNetwork

/// Places issues as a proposed schedule does.
extension ProjectEditor {
    mutating func apply(_ places: [Int: ProjectEdit.Placement]) throws(Refusal) {
        guard !places.isEmpty else { throw .invalid("the schedule places no issue") }
        let parts = record.partsOfWholes
        for (id, place) in places.sorted(by: { $0.key < $1.key }) {
            guard var issue = record.issues[id] else { throw .noIssue(id) }
            guard parts[id] == nil else {
                throw .conflict("the dates of #\(id) follow from its parts")
            }
            let isFree = !issue.isFixed || issue.span == Span() || issue.span == place.span
            guard isFree else {
                throw .conflict("#\(id) is fixed, so its dates stay; make a new proposal")
            }
            issue.span = place.span
            issue.assignee = place.assignee
            try issue.validate()
            try validate(issue)
            put(.issue(issue))
        }
        try deriveWholes()
    }
}
