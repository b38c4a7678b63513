import Dates
import Messages
import ProjectNetwork
import ProjectRecord
import WorkCalendar

/// The things of a project as messages, and back.
extension TrackedIssue {
    /// The issue in the message; the project's first tracker and status stand for what is left out.
    ///
    /// - Throws: a refusal if a date isn't valid.
    package func issue(in details: ProjectDetails) throws(Refusal) -> ProjectIssue {
        var issue = ProjectIssue(
            id: Int(number), subject: subject,
            tracker: tracker.isEmpty ? details.trackers.first ?? "" : tracker,
            status: status.isEmpty ? details.statuses.first?.name ?? "" : status,
            span: Span(
                start: try CivilDate.read(start, "the start"),
                due: try CivilDate.read(due, "the due date")),
            assignee: assignee == 0 ? nil : Int(assignee), parent: parent == 0 ? nil : Int(parent))
        issue.description = description
        issue.priority = Importance(priority)
        issue.estimate = estimate.map { Int($0) }
        issue.done = Int(done)
        issue.version = version == 0 ? nil : Int(version)
        (issue.isFixed, issue.isMilestone) = (fixed, milestone)
        for skill in skills { try validateText(skill, "a skill", 1...60) }
        issue.skills = Set(skills)
        return issue
    }

    /// How much it matters.
    package var importance: Importance { Importance(priority) }

    /// The message for an issue.
    package init(_ issue: ProjectIssue) {
        self.init(
            number: UInt32(clamping: issue.id), subject: issue.subject,
            description: issue.description, tracker: issue.tracker, status: issue.status,
            priority: issue.priority.told, assignee: UInt32(clamping: issue.assignee ?? 0),
            start: issue.span.start?.iso ?? "", due: issue.span.due?.iso ?? "",
            estimate: issue.estimate.map { UInt32(clamping: $0) },
            done: UInt32(clamping: issue.done), parent: UInt32(clamping: issue.parent ?? 0),
            version: UInt32(clamping: issue.version ?? 0), fixed: issue.isFixed,
            milestone: issue.isMilestone, skills: issue.skills.sorted())
    }
}

extension Importance {
    init(_ told: IssuePriority) {
        self =
            switch told {
            case .low: .low
            case .high: .high
            case .urgent: .urgent
            case .immediate: .immediate
            default: .normal
            }
    }

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

extension IssueLink {
    /// The relation in the message.
    ///
    /// - Throws: a refusal if the kind is unknown.
    package func relation() throws(Refusal) -> IssueRelation {
        let known: IssueRelation.Kind? =
            switch kind {
            case .relates: .relates
            case .duplicates: .duplicates
            case .blocks: .blocks
            case .precedes: .precedes
            case .copied: .copied
            default: nil
            }
        guard let known else { throw .invalid("say how the first issue is related to the second") }
        return IssueRelation(
            id: Int(number), kind: known, from: Int(from), to: Int(to), delay: Int(delay))
    }

    /// The message for a relation.
    package init(_ relation: IssueRelation) {
        let kind: RelationKind =
            switch relation.kind {
            case .relates: .relates
            case .duplicates: .duplicates
            case .blocks: .blocks
            case .precedes: .precedes
            case .copied: .copied
            }
        self.init(
            number: UInt32(clamping: relation.id), kind: kind,
            from: UInt32(clamping: relation.from),
            to: UInt32(clamping: relation.to), delay: Int32(clamping: relation.delay))
    }
}

extension TeamMember {
    /// The person in the message.
    ///
    /// - Throws: a refusal if the calendar is invalid.
    package func member() throws(Refusal) -> Member {
        var member = Member(
            id: Int(number), name: name, timeZone: timeZone,
            calendar: try (calendar ?? WorkWeeks()).calendar())
        (member.account, member.share) = (account, Int(share))
        for skill in skills { try validateText(skill, "a skill", 1...60) }
        member.skills = Set(skills)
        return member
    }

    /// The message for a person.
    package init(_ member: Member) {
        self.init(
            number: UInt32(clamping: member.id), name: member.name, account: member.account,
            timeZone: member.timeZone, calendar: WorkWeeks(member.calendar),
            share: UInt32(clamping: member.share), skills: member.skills.sorted())
    }
}

extension ProjectVersion {
    /// The version in the message.
    ///
    /// - Throws: a refusal if a date isn't valid.
    package func version() throws(Refusal) -> Version {
        var version = Version(
            id: Int(number), name: name, due: try CivilDate.read(due, "the date of the version"))
        (version.description, version.isClosed) = (description, isClosed)
        return version
    }

    /// The message for a version.
    package init(_ version: Version) {
        self.init(
            number: UInt32(clamping: version.id), name: version.name,
            description: version.description, due: version.due?.iso ?? "",
            isClosed: version.isClosed)
    }
}

extension WorkedTime {
    /// The entry in the message.
    ///
    /// - Throws: a refusal if the day is missing or invalid.
    package func entry() throws(Refusal) -> TimeEntry {
        guard let day = try CivilDate.read(date, "the day") else { throw .invalid("say the day") }
        return TimeEntry(
            id: Int(number), issue: Int(issue), member: Int(member), day: day,
            minutes: Int(minutes), comment: comment)
    }

    /// The message for an entry.
    package init(_ entry: TimeEntry) {
        self.init(
            number: UInt32(clamping: entry.id), issue: UInt32(clamping: entry.issue),
            member: UInt32(clamping: entry.member), date: entry.day.iso,
            minutes: UInt32(clamping: entry.minutes), comment: entry.comment)
    }
}
