import Dates
import ProjectNetwork
import WorkCalendar

/// A project's own data, without its items.
package struct ProjectDetails: Hashable, Sendable {
    package var name: String
    /// The name used on command lines and in addresses: lower-case letters, digits, `-` and `_`,
    /// beginning with a letter.
    package var identifier: String
    package var description: String
    /// The kinds of issue in the project.
    package var trackers: [String]
    /// The statuses of an issue, in the order in which they are usually reached; a new issue has
    /// the first.
    package var statuses: [Status]
    /// The week, the holidays and the days with other hours; delays are counted with it. Its
    /// members have the holidays off too.
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

    /// A status of an issue.
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

/// The importance of an issue.
package enum Importance: String, Hashable, Comparable, Sendable, CaseIterable {
    case low
    case normal
    case high
    case urgent
    case immediate

    package static func < (left: Importance, right: Importance) -> Bool {
        allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
}

/// A task of a project.
package struct ProjectIssue: Hashable, Sendable {
    package var id: Int
    package var subject: String
    package var description = ""
    package var tracker: String
    package var status: String
    package var priority = Importance.normal
    /// The id of the member who does it.
    package var assignee: Int?
    /// The dates; those of an issue with parts follow from its parts.
    package var span: Span
    /// The estimated work, in minutes.
    package var estimate: Int?
    /// The part that is done, in percent.
    package var done = 0
    /// The id of the issue that it is a part of.
    package var parent: Int?
    /// The id of the version that it is done for.
    package var version: Int?
    /// Whether its dates stay when those of its predecessors change.
    package var isFixed = false
    /// Whether it is a moment rather than a period.
    package var isMilestone = false
    /// The skills that its assignee needs.
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

/// A person who works for a project.
package struct Member: Hashable, Sendable {
    package var id: Int
    package var name: String
    /// The account in account-service; empty for someone without one.
    package var account = ""
    /// The time zone of the person, such as `Europe/Oslo`.
    package var timeZone: String
    /// The person's week and absences, and the holidays where they live. The days on which they
    /// work for a project are ``ProjectRecord/calendar(of:)``.
    package var calendar: WorkCalendar
    /// The percentage of their working time that they have for the project.
    package var share = 100
    package var skills: Set<String> = []

    package init(id: Int, name: String, timeZone: String = "UTC", calendar: WorkCalendar) {
        self.id = id
        self.name = name
        self.timeZone = timeZone
        self.calendar = calendar
    }
}

/// A release of the project.
package struct Version: Hashable, Sendable {
    package var id: Int
    package var name: String
    package var description = ""
    /// The day on which it should be delivered.
    package var due: CivilDate?
    /// Whether no more issues can be done for it.
    package var isClosed = false

    package init(id: Int, name: String, due: CivilDate? = nil) {
        self.id = id
        self.name = name
        self.due = due
    }
}

/// Time that a person spent on an issue.
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
    /// The day on which it was kept.
    package var day: CivilDate

    package init(id: Int, baseline: Baseline, day: CivilDate) {
        self.id = id
        self.baseline = baseline
        self.day = day
    }
}

/// An item of a project.
package enum ProjectItem: Hashable, Sendable {
    case details(ProjectDetails)
    case issue(ProjectIssue)
    case relation(IssueRelation)
    case member(Member)
    case version(Version)
    case entry(TimeEntry)
    case baseline(KeptBaseline)

    /// The key that identifies the item in its project.
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

    /// The kind and the number of an item.
    package struct Key: Hashable, Sendable {
        package let kind: Kind
        package let id: Int

        package init(kind: Kind, id: Int) {
            self.kind = kind
            self.id = id
        }
    }

    /// The kinds of item. Each has numbers of its own.
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

/// An item of a project that was added, changed or removed.
package struct ProjectChange: Hashable, Sendable {
    /// The item before the change; nil if it was added.
    package var before: ProjectItem?
    /// The item after the change; nil if it was removed.
    package var after: ProjectItem?

    package init(before: ProjectItem? = nil, after: ProjectItem? = nil) {
        self.before = before
        self.after = after
    }

    /// The change that undoes this one.
    package var reversed: ProjectChange { ProjectChange(before: after, after: before) }
}
