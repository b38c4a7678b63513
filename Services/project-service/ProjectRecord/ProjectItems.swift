import Dates
import ProjectNetwork
import WorkCalendar

/// A project without what is in it.
package struct ProjectDetails: Hashable, Sendable {
    package var name: String
    /// By what it is named on a command line and in addresses: lower-case letters, digits, `-` and
    /// `_`, beginning with a letter.
    package var identifier: String
    package var description: String
    /// The kinds of its issues.
    package var trackers: [String]
    /// What an issue may have come to, in the order in which that usually happens; a new one has
    /// the first.
    package var statuses: [Status]
    /// The week, the holidays and the days with other hours, by which delays are counted.
    package var calendar: WorkCalendar

    package init(
        name: String, identifier: String, description: String = "",
        trackers: [String] = ["Task", "Bug", "Feature"], statuses: [Status] = Status.usual,
        calendar: WorkCalendar
    ) {
        self.name = name
        self.identifier = identifier
        self.description = description
        self.trackers = trackers
        self.statuses = statuses
        self.calendar = calendar
    }

    /// What an issue has come to.
    package struct Status: Hashable, Sendable {
        package var name: String
        /// Whether nothing is left to do.
        package var isClosed: Bool

        package init(_ name: String, isClosed: Bool = false) {
            self.name = name
            self.isClosed = isClosed
        }

        package static let usual = [
            Status("New"), Status("In progress"), Status("Resolved"), Status("Feedback"),
            Status("Closed", isClosed: true), Status("Rejected", isClosed: true),
        ]
    }
}

/// How much an issue matters.
package enum Priority: String, Hashable, Comparable, Sendable, CaseIterable {
    case low
    case normal
    case high
    case urgent
    case immediate

    package static func < (left: Priority, right: Priority) -> Bool {
        allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
}

/// Something to do.
package struct ProjectIssue: Hashable, Sendable {
    package var id: Int
    package var subject: String
    package var description = ""
    package var tracker: String
    package var status: String
    package var priority = Priority.normal
    /// Who does it.
    package var assignee: Int?
    /// Of an issue with parts, those of its parts.
    package var span: Span
    /// How long it is thought to take, in minutes of work.
    package var estimate: Int?
    /// How much of it is done, from 0 to 100.
    package var done = 0
    /// The issue that it is a part of.
    package var parent: Int?
    /// The version that it is done for.
    package var version: Int?
    /// Whether it stays where it is, whatever it follows.
    package var isFixed = false
    /// Whether it is a moment rather than a time.
    package var isMilestone = false
    /// What whoever does it has to be able to do.
    package var skills: Set<String> = []

    package init(
        id: Int, subject: String, tracker: String = "Task", status: String = "New",
        span: Span = Span(), assignee: Int? = nil, parent: Int? = nil
    ) {
        self.id = id
        self.subject = subject
        self.tracker = tracker
        self.status = status
        self.span = span
        self.assignee = assignee
        self.parent = parent
    }
}

/// Someone who works for a project.
package struct Member: Hashable, Sendable {
    package var id: Int
    package var name: String
    /// The account of account-service; empty for someone without one.
    package var account = ""
    /// The zone of the clock on their wall, such as `Europe/Oslo`.
    package var timeZone: String
    /// Their week, their absences, and the holidays where they are.
    package var calendar: WorkCalendar
    /// The share of their working time that they have for the project, in hundredths.
    package var share = 100
    package var skills: Set<String> = []

    package init(id: Int, name: String, timeZone: String = "UTC", calendar: WorkCalendar) {
        self.id = id
        self.name = name
        self.timeZone = timeZone
        self.calendar = calendar
    }
}

/// What is delivered at once.
package struct Version: Hashable, Sendable {
    package var id: Int
    package var name: String
    package var description = ""
    /// When it should be delivered.
    package var due: CivilDate?
    /// Whether issues can be done for it no longer.
    package var isClosed = false

    package init(id: Int, name: String, due: CivilDate? = nil) {
        self.id = id
        self.name = name
        self.due = due
    }
}

/// Time that somebody has worked on an issue.
package struct TimeEntry: Hashable, Sendable {
    package var id: Int
    package var issue: Int
    package var member: Int
    package var day: CivilDate
    package var minutes: Int
    package var comment: String

    package init(
        id: Int, issue: Int, member: Int, day: CivilDate, minutes: Int, comment: String = ""
    ) {
        self.id = id
        self.issue = issue
        self.member = member
        self.day = day
        self.minutes = minutes
        self.comment = comment
    }
}

/// The dates of a plan, kept under a number.
package struct KeptBaseline: Hashable, Sendable {
    package var id: Int
    package var baseline: Baseline
    /// On which day it was kept.
    package var day: CivilDate

    package init(id: Int, baseline: Baseline, day: CivilDate) {
        self.id = id
        self.baseline = baseline
        self.day = day
    }
}

/// Something in a project.
package enum ProjectItem: Hashable, Sendable {
    case details(ProjectDetails)
    case issue(ProjectIssue)
    case relation(IssueRelation)
    case member(Member)
    case version(Version)
    case entry(TimeEntry)
    case baseline(KeptBaseline)

    /// What tells it from everything else in the project.
    package var key: Key {
        switch self {
        case .details: Key(kind: .details, id: 0)
        case .issue(let issue): Key(kind: .issue, id: issue.id)
        case .relation(let relation): Key(kind: .relation, id: relation.id)
        case .member(let member): Key(kind: .member, id: member.id)
        case .version(let version): Key(kind: .version, id: version.id)
        case .entry(let entry): Key(kind: .entry, id: entry.id)
        case .baseline(let baseline): Key(kind: .baseline, id: baseline.id)
        }
    }

    /// A kind and a number.
    package struct Key: Hashable, Sendable {
        package let kind: Kind
        package let id: Int
    }

    /// What something is. Numbers are counted for each kind.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case details
        case issue
        case relation
        case member
        case version
        case entry
        case baseline
    }
}

/// Something of a project that was added, changed or removed.
package struct ProjectChange: Hashable, Sendable {
    /// As it was; nil when it was added.
    package var before: ProjectItem?
    /// As it is; nil when it was removed.
    package var after: ProjectItem?

    package init(before: ProjectItem? = nil, after: ProjectItem? = nil) {
        self.before = before
        self.after = after
    }

    /// What takes it back.
    package var reversed: ProjectChange { ProjectChange(before: after, after: before) }
}
