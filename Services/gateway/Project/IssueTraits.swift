import ArgumentParser
import Dates
import Messages
import ProjectLanguage
import Speech

/// The options of an issue that is added or changed.
struct IssueTraits: ParsableArguments {
    @Option(help: "More about it.")
    var description: String?
    @Option(help: "Its kind, such as Bug.")
    var tracker: String?
    @Option(help: "Its status, such as Closed.")
    var status: String?
    @Option(help: "How much it matters: low, normal, high, urgent or immediate.")
    var priority: PriorityArgument?
    @Option(help: "Who does it: a name or number of steward project person; none for nobody.")
    var assignee: String?
    @Option(help: "The day on which it begins, or none.")
    var start: IssueDateArgument?
    @Option(help: "The day on which it ends; none for an open end.")
    var due: IssueDateArgument?
    @Option(help: "How many working days it takes from its start on; its end follows.")
    var days: UInt32?
    @Option(help: "How long it should take, in hours: 7:30, 7.5 or 450m; none if unknown.")
    var estimate: EstimateArgument?
    @Option(help: "How much of it is done, 0 to 100 percent.")
    var done: UInt32?
    @Option(help: "The issue that it is a part of, or none.")
    var parent: ParentArgument?
    @Option(help: "The version that it is done for, or none.")
    var version: String?
    @Option(
        name: .customLong("skill"),
        help: "A skill that its assignee needs; may be given several times, or none.")
    var skills: [String] = []
    @Flag(inversion: .prefixedNo, help: "Whether its dates stay, whatever it follows.")
    var fixed: Bool?
    @Flag(inversion: .prefixedNo, help: "Whether it is a milestone: a moment, not a period.")
    var milestone: Bool?

    /// Whether none of the options is given.
    var isEmpty: Bool {
        let texts = [description, tracker, status, assignee, version]
        guard texts.allSatisfy({ $0 == nil }), skills.isEmpty else { return false }
        guard priority == nil, start == nil, due == nil, days == nil else { return false }
        guard estimate == nil, done == nil, parent == nil else { return false }
        return fixed == nil && milestone == nil
    }

    func validate() throws {
        guard (done ?? 0) <= 100 else { throw ValidationError("--done is 0 to 100 percent") }
        guard let days else { return }
        guard due == nil else {
            throw ValidationError("--days and --due can't be used together")
        }
        guard (1...10_000).contains(days) else {
            throw ValidationError("--days is 1 to 10000")
        }
    }

    /// Applies the options to an issue.
    func apply(
        to issue: inout TrackedIssue, _ read: ProjectContentsRead, _ session: Session
    ) throws {
        if let description { issue.description = description }
        if let tracker {
            issue.tracker = ProjectContentsRead.name(tracker, among: read.project.trackers)
        }
        if let status {
            issue.status = ProjectContentsRead.name(
                status, among: read.project.statuses.map(\.name))
        }
        if let priority { issue.priority = priority.told }
        if let assignee {
            issue.assignee =
                try assignee == "none" ? 0 : UInt32(clamping: read.member(assignee).id)
        }
        try applyDates(to: &issue, read, session)
        if let estimate { issue.estimate = estimate.minutes }
        if let done { issue.done = done }
        if let parent { issue.parent = parent.number }
        if let version {
            issue.version =
                try version == "none" ? 0 : UInt32(clamping: read.version(version).id)
        }
        if !skills.isEmpty { issue.skills = skills == ["none"] ? [] : skills }
        if let fixed { issue.fixed = fixed }
        if let milestone { issue.milestone = milestone }
    }

    /// With only a new start, an issue with both dates keeps its length in working days: those of
    /// whoever does it, or else of the project. A new length is counted in the same days.
    private func applyDates(
        to issue: inout TrackedIssue, _ read: ProjectContentsRead, _ session: Session
    ) throws {
        let before = (CivilDate(iso: issue.start), CivilDate(iso: issue.due))
        if let start { issue.start = try start.iso(session) }
        if let due { issue.due = try due.iso(session) }
        let calendar = read.record.calendar(of: Int(issue.assignee))
        if let days {
            guard let first = CivilDate(iso: issue.start) else {
                throw Failure(
                    .refused, "without a start, nobody knows when \(days) days are over",
                    advice: "say when it begins: --start DAY")
            }
            guard let last = calendar.day(Int(days) - 1, after: first) else {
                throw Failure(
                    .refused,
                    "\(days) working days from \(first.iso) on end after the last day there is",
                    advice: "begin earlier, or choose fewer days")
            }
            issue.due = last.iso
            return
        }
        guard start != nil, due == nil, let first = before.0, let last = before.1,
            let moved = CivilDate(iso: issue.start)
        else { return }
        let length = calendar.workingDays(from: first, to: last)
        issue.due = (calendar.day(length, after: moved) ?? moved).iso
    }
}

/// Which issues are listed, as typed.
enum StateArgument: String, ExpressibleByArgument, CaseIterable {
    case open
    case closed
    case all

    /// The value for the service.
    var told: IssueState {
        switch self {
        case .open: .open
        case .closed: .closed
        case .all: .all
        }
    }
}

/// The order of issues, as typed.
enum OrderArgument: String, ExpressibleByArgument, CaseIterable {
    case number
    case due
    case start
    case priority
    case subject
    case status
    case tracker
    case assignee
    case version
    case done
    case estimate

    /// The value for the service.
    var told: IssueOrder {
        switch self {
        case .number: .number
        case .due: .due
        case .start: .start
        case .priority: .priority
        case .subject: .subject
        case .status: .status
        case .tracker: .tracker
        case .assignee: .assignee
        case .version: .version
        case .done: .done
        case .estimate: .estimate
        }
    }
}

/// How much an issue matters, as typed.
enum PriorityArgument: String, ExpressibleByArgument, CaseIterable {
    case low
    case normal
    case high
    case urgent
    case immediate

    /// The value for the service.
    var told: IssuePriority {
        switch self {
        case .low: .low
        case .normal: .normal
        case .high: .high
        case .urgent: .urgent
        case .immediate: .immediate
        }
    }
}

/// The relation of an issue to another, as typed.
enum RelationArgument: String, ExpressibleByArgument, CaseIterable {
    case precedes
    case follows
    case blocks
    case blockedBy = "blocked-by"
    case relates
    case duplicates
    case copiedTo = "copied-to"

    /// The value for the service.
    var told: RelationKind {
        switch self {
        case .precedes, .follows: .precedes
        case .blocks, .blockedBy: .blocks
        case .relates: .relates
        case .duplicates: .duplicates
        case .copiedTo: .copied
        }
    }

    /// Whether the second issue is the first of the relation.
    var isReversed: Bool { self == .follows || self == .blockedBy }
}

/// The estimate of an issue, or that there is none.
struct EstimateArgument: ExpressibleByArgument, Hashable {
    /// Minutes; nil when it isn't known.
    let minutes: UInt32?

    init?(argument: String) {
        if argument.lowercased() == "none" {
            minutes = nil
        } else if let effort = EffortArgument(argument: argument) {
            minutes = effort.minutes
        } else {
            return nil
        }
    }
}

/// The issue that another is a part of, or none.
struct ParentArgument: ExpressibleByArgument, Hashable {
    /// The number; 0 for none.
    let number: UInt32

    init?(argument: String) {
        if argument.lowercased() == "none" {
            number = 0
        } else if let issue = IssueArgument(argument: argument) {
            number = issue.number
        } else {
            return nil
        }
    }
}
