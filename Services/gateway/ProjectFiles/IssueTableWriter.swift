import ProjectNetwork
import ProjectRecord
import Texts

/// Writes the issues of a project as a table that ``IssueTableReader`` reads.
package enum IssueTableWriter {
    /// The table, in UTF-8 with a byte order mark, without which some spreadsheets assume another
    /// encoding.
    package static func table(of record: ProjectRecord) -> [UInt8] {
        let relations = Dictionary(grouping: record.relations.values.sorted { $0.id < $1.id }) {
            $0.kind == .precedes ? $0.to : $0.from
        }
        var text = CSVRow.line(IssueColumn.allCases.map(\.rawValue))
        for issue in record.issues.values.sorted(by: { $0.id < $1.id }) {
            let own = relations[issue.id] ?? []
            text += CSVRow.line(IssueColumn.allCases.map { cell($0, issue, own, record) })
        }
        return [0xEF, 0xBB, 0xBF] + Array(text.utf8)
    }

    private static func cell(
        _ column: IssueColumn, _ issue: ProjectIssue, _ relations: [IssueRelation],
        _ record: ProjectRecord
    ) -> String {
        switch column {
        case .number: "\(issue.id)"
        case .subject: issue.subject
        case .tracker: issue.tracker
        case .status: issue.status
        case .priority: issue.priority.rawValue
        case .assignee: issue.assignee.flatMap { record.members[$0]?.name } ?? ""
        case .start: issue.span.start?.iso ?? ""
        case .due: issue.span.due?.iso ?? ""
        case .estimate: issue.estimate.map { Effort.text($0) } ?? ""
        case .done: "\(issue.done)"
        case .parent: issue.parent.map { "\($0)" } ?? ""
        case .version: issue.version.flatMap { record.versions[$0]?.name } ?? ""
        case .milestone: issue.isMilestone ? "yes" : ""
        case .fixed: issue.isFixed ? "yes" : ""
        case .skills: issue.skills.sorted().joined(separator: "; ")
        case .description: issue.description
        case .after: others(.precedes, relations)
        case .blocks: others(.blocks, relations)
        case .relates: others(.relates, relations)
        case .duplicates: others(.duplicates, relations)
        case .copies: others(.copied, relations)
        }
    }

    /// The numbers of the other ends of relations of a kind, with the working days in between.
    private static func others(_ kind: IssueRelation.Kind, _ relations: [IssueRelation]) -> String {
        relations.filter { $0.kind == kind }.map { relation in
            let other = kind == .precedes ? relation.from : relation.to
            let sign = relation.delay > 0 ? "+" : ""
            return relation.delay == 0 ? "\(other)" : "\(other)\(sign)\(relation.delay)"
        }.joined(separator: "; ")
    }
}
