import Messages

/// The columns of a table of issues, in the order in which they are written.
enum IssueColumn: String, CaseIterable {
    case number
    case subject
    case tracker
    case status
    case priority
    case assignee
    case start
    case due
    case estimate
    case done
    case parent
    case after
    case blocks
    case relates
    case duplicates
    case copies = "copied to"
    case version
    case milestone
    case fixed
    case skills
    case description

    /// Other names that a header may give the column, in lower case: those of Redmine's tables.
    private static let others: [String: IssueColumn] = [
        "#": .number, "no": .number, "id": .number, "title": .subject, "task": .subject,
        "assigned to": .assignee, "start date": .start, "due date": .due, "end": .due,
        "estimated time": .estimate, "hours": .estimate, "% done": .done, "progress": .done,
        "parent task": .parent, "target version": .version, "predecessors": .after,
        "follows": .after,
    ]

    /// The relation between a row's issue and the issues in the column; nil if the column has no
    /// issue numbers, or only that of the parent. Predecessors are listed with the issue that
    /// follows them.
    var relation: RelationKind? {
        switch self {
        case .after: .precedes
        case .blocks: .blocks
        case .relates: .relates
        case .duplicates: .duplicates
        case .copies: .copied
        default: nil
        }
    }

    /// The column with a name in a header; nil if a project has no such thing.
    init?(head name: String) {
        let plain = name.lowercased()
        guard let column = Self(rawValue: plain) ?? Self.others[plain] else { return nil }
        self = column
    }
}
