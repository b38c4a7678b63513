import ArgumentParser
import Messages
import Speech

/// Which issues are wanted, as typed. Options that aren't given are left to the filter, if one is
/// named.
struct IssueSought: ParsableArguments {
    @Argument(help: "Words of the subject.")
    var words: [String] = []
    @Option(help: "open, closed or all. Default: open.")
    var state: StateArgument?
    @Option(help: "Only those with this status, even if it is a closed one.")
    var status: String?
    @Option(help: "Only those with this tracker.")
    var tracker: String?
    @Option(help: "Only those of this person; me for yourself, none for nobody.")
    var assignee: String?
    @Option(help: "Only those for this version, or none.")
    var version: String?
    @Option(help: "At least this priority: low, normal, high, urgent or immediate.")
    var priority: PriorityArgument?
    @Option(help: "Only the parts of this issue, and their parts.")
    var parent: IssueArgument?
    @Option(help: "Only those that are due before this day.")
    var dueBefore: DayArgument?
    @Option(help: "Only those that are late, or due within this many days.")
    var dueWithin: UInt32?
    @Flag(help: "Only those that are late.")
    var overdue = false
    @Flag(help: "Only those that wait for an open issue.")
    var blocked = false
    @Option(help: "What to sort by: number, due, start, priority or subject.")
    var sort: OrderArgument?
    @Flag(name: .customLong("all-projects"), help: "Issues of all projects that you may see.")
    var isEverywhere = false

    func validate() throws {
        if let dueWithin, dueWithin > 36_500 {
            throw ValidationError("--due-within is 0 to 36500 days")
        }
    }

    /// The query without its project.
    ///
    /// - Parameter filter: the name of the filter that it uses.
    func query(_ session: Session, filter: String? = nil) throws -> ListIssues {
        // A filter may select by today's date, too.
        let selects = overdue || dueWithin != nil || filter != nil
        let today = try selects ? session.today : session.siteClock.today
        let before = try dueBefore.map { try $0.iso(session) }
        let state = status == nil ? state?.told : state?.told ?? .all
        return ListIssues(
            words: words.joined(separator: " "), state: state ?? .unspecified,
            status: status ?? "", tracker: tracker ?? "", assignee: assignee ?? "",
            version: version ?? "", priority: priority?.told ?? .unspecified,
            parent: parent?.number ?? 0, dueBefore: before ?? "",
            order: sort?.told ?? .unspecified, filter: filter ?? "", overdue: overdue,
            dueWithin: dueWithin, today: today.iso, blocked: blocked)
    }
}

/// What issues are grouped by, as typed.
enum GroupArgument: String, ExpressibleByArgument, CaseIterable {
    case project
    case status
    case assignee
    case version
    case priority
    case tracker

    /// The heading of an issue's group.
    func name(of listed: ListedIssue) -> String {
        let issue = listed.issue ?? TrackedIssue()
        return switch self {
        case .project: listed.project
        case .status: issue.status
        case .assignee: listed.assignee.isEmpty ? "nobody" : listed.assignee
        case .version: listed.version.isEmpty ? "no version" : listed.version
        case .priority: "\(issue.priority)"
        case .tracker: issue.tracker
        }
    }
}
