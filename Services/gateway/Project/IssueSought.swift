import ArgumentParser
import Messages
import Speech

/// Which issues are wanted, as typed. If a filter is named, it decides about options that aren't
/// given.
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
    @Option(help: "At most this priority.")
    var priorityTo: PriorityArgument?
    @Option(help: "Only the parts of this issue, and their parts.")
    var parent: IssueArgument?
    @Option(help: "Only those that are due on this day or later.")
    var dueFrom: DayArgument?
    @Option(help: "Only those that are due before this day.")
    var dueBefore: DayArgument?
    @Option(help: "Only those that are late, or due within this many days.")
    var dueWithin: UInt32?
    @Flag(help: "Only those that are late.")
    var overdue = false
    @Flag(help: "Only those that wait for an open issue.")
    var blocked = false
    @Flag(name: .customLong("no-due"), help: "Only those without a due date.")
    var withoutDue = false
    @Option(help: "Only those that begin on this day or later.")
    var startFrom: DayArgument?
    @Option(help: "Only those that begin before this day.")
    var startBefore: DayArgument?
    @Flag(name: .customLong("no-start"), help: "Only those without a start.")
    var withoutStart = false
    @Option(help: "Only those of which at least this much is done, 0 to 100 percent.")
    var doneFrom: UInt32?
    @Option(help: "Only those of which at most this much is done, 0 to 100 percent.")
    var doneTo: UInt32?
    @Option(help: "Only those that should take at least these hours: 7:30, 7.5 or 450m.")
    var estimateFrom: EffortArgument?
    @Option(help: "Only those that should take at most these hours.")
    var estimateTo: EffortArgument?
    @Flag(name: .customLong("no-estimate"), help: "Only those without an estimate.")
    var withoutEstimate = false
    @Option(
        name: .customLong("skill"),
        help: "Only those that need this skill; may be given several times.")
    var skills: [String] = []
    @Flag(inversion: .prefixedNo, help: "Only those whose dates stay, or only the others.")
    var fixed: Bool?
    @Flag(inversion: .prefixedNo, help: "Only milestones, or only the others.")
    var milestone: Bool?
    @Flag(help: "Look for the words in descriptions, too.")
    var inDescriptions = false
    @Option(
        help: """
            What to sort by: number, due, start, priority, subject, status, tracker, assignee, \
            version, done or estimate.
            """)
    var sort: OrderArgument?
    @Flag(help: "Sort the other way round.")
    var reverse = false
    @Flag(name: .customLong("all-projects"), help: "Issues of all projects that you may see.")
    var isEverywhere = false

    func validate() throws {
        if let dueWithin, dueWithin > 36_500 {
            throw ValidationError("--due-within is 0 to 36500 days")
        }
        guard [doneFrom, doneTo].allSatisfy({ ($0 ?? 0) <= 100 }) else {
            throw ValidationError("--done-from and --done-to are 0 to 100 percent")
        }
    }

    /// The query without its project.
    ///
    /// - Parameter filter: the name of the filter that it uses.
    func query(_ session: Session, filter: String? = nil) throws -> ListIssues {
        // A filter may select by today's date, too.
        let selects = overdue || dueWithin != nil || filter != nil
        let today = try selects ? session.today : session.siteClock.today
        func day(_ typed: DayArgument?) throws -> String { try typed?.iso(session) ?? "" }
        let state = status == nil ? state?.told : state?.told ?? .all
        return ListIssues(
            words: words.joined(separator: " "), state: state ?? .unspecified,
            status: status ?? "", tracker: tracker ?? "", assignee: assignee ?? "",
            version: version ?? "", priority: priority?.told ?? .unspecified,
            parent: parent?.number ?? 0, dueBefore: try day(dueBefore),
            order: sort?.told ?? .unspecified, filter: filter ?? "", overdue: overdue,
            dueWithin: dueWithin, today: today.iso, blocked: blocked, dueFrom: try day(dueFrom),
            startFrom: try day(startFrom), startBefore: try day(startBefore),
            withoutDue: withoutDue, withoutStart: withoutStart, withoutEstimate: withoutEstimate,
            doneFrom: doneFrom, doneTo: doneTo, estimateFrom: estimateFrom?.minutes,
            estimateTo: estimateTo?.minutes, skills: skills, fixed: fixed, milestone: milestone,
            inDescriptions: inDescriptions, priorityTo: priorityTo?.told ?? .unspecified,
            reversed: reverse)
    }
}

/// The grouping of issues, as typed.
enum GroupArgument: String, ExpressibleByArgument, CaseIterable {
    case project
    case status
    case assignee
    case version
    case priority
    case tracker
    case parent

    /// The heading of an issue's group.
    ///
    /// - Parameters:
    ///   - listed: the issue.
    ///   - isMixed: whether there are issues of several projects, each of which counts its own.
    func name(of listed: ListedIssue, isMixed: Bool) -> String {
        let issue = listed.issue ?? TrackedIssue()
        return switch self {
        case .project: listed.project
        case .status: issue.status
        case .assignee: listed.assignee.isEmpty ? "nobody" : listed.assignee
        case .version: listed.version.isEmpty ? "no version" : listed.version
        case .priority: "\(issue.priority)"
        case .tracker: issue.tracker
        case .parent where issue.parent == 0: "part of no issue"
        case .parent: "parts of \(isMixed ? listed.project + " " : "")#\(issue.parent)"
        }
    }
}
