import Dates
import Messages
import ProjectNetwork
import ProjectRecord
import WorkCalendar

/// A project, its baselines and its changes as messages, and back.
extension Project {
    /// The details in the message. Without trackers or statuses they are the usual ones.
    ///
    /// - Throws: a refusal if the calendar is invalid.
    package func details() throws(Refusal) -> ProjectDetails {
        var details = ProjectDetails(
            name: name, identifier: identifier, description: description,
            calendar: try (calendar ?? WorkWeeks()).calendar())
        if !trackers.isEmpty { details.trackers = trackers }
        if !statuses.isEmpty {
            details.statuses = statuses.map {
                ProjectDetails.Status($0.name, isClosed: $0.isClosed)
            }
        }
        return details
    }

    /// The message for details alone.
    package init(_ details: ProjectDetails) {
        self.init()
        put(details)
    }

    /// Replaces its details.
    package mutating func put(_ details: ProjectDetails) {
        (identifier, name) = (details.identifier, details.name)
        description = details.description
        trackers = details.trackers
        statuses = details.statuses.map { IssueStatus(name: $0.name, isClosed: $0.isClosed) }
        calendar = WorkWeeks(details.calendar)
    }
}

extension PlannedDates {
    init(issue: Int, _ span: Span) {
        self.init(
            issue: UInt32(clamping: issue), start: span.start?.iso ?? "",
            due: span.due?.iso ?? "")
    }

    func span() throws(Refusal) -> Span {
        Span(
            start: try CivilDate.read(start, "the start of #\(issue)"),
            due: try CivilDate.read(due, "the due date of #\(issue)"))
    }
}

extension PlanBaseline {
    /// The baseline in the message.
    ///
    /// - Throws: a refusal if a date is missing or invalid.
    package func baseline() throws(Refusal) -> KeptBaseline {
        guard let day = try CivilDate.read(date, "the day of the baseline") else {
            throw .invalid("a baseline has no day")
        }
        var spans: [Int: Span] = [:]
        for dates in dates { spans[Int(dates.issue)] = try dates.span() }
        return KeptBaseline(id: Int(number), baseline: Baseline(name, spans: spans), day: day)
    }

    /// The message for a baseline.
    package init(_ kept: KeptBaseline) {
        self.init(
            number: UInt32(clamping: kept.id), name: kept.baseline.name, date: kept.day.iso,
            dates: kept.baseline.spans.sorted { $0.key < $1.key }
                .map { PlannedDates(issue: $0.key, $0.value) })
    }
}

extension ProjectThing {
    /// The thing in the message.
    ///
    /// - Throws: a refusal if it is invalid or unknown.
    package func item(in details: ProjectDetails) throws(Refusal) -> ProjectItem {
        switch thing {
        case .project(let project): .details(try project.details())
        case .issue(let issue): .issue(try issue.issue(in: details))
        case .relation(let relation): .relation(try relation.relation())
        case .member(let member): .member(try member.member())
        case .version(let version): .version(try version.version())
        case .time(let time): .entry(try time.entry())
        case .baseline(let baseline): .baseline(try baseline.baseline())
        case nil: throw .invalid("say which thing is meant")
        }
    }

    /// The message for a thing.
    package init(_ item: ProjectItem) {
        let thing: Thing =
            switch item {
            case .details(let details): .project(Project(details))
            case .issue(let issue): .issue(TrackedIssue(issue))
            case .relation(let relation): .relation(IssueLink(relation))
            case .member(let member): .member(TeamMember(member))
            case .version(let version): .version(ProjectVersion(version))
            case .entry(let entry): .time(WorkedTime(entry))
            case .baseline(let baseline): .baseline(PlanBaseline(baseline))
            }
        self.init(thing: thing)
    }
}

extension ThingChange {
    /// The change in the message.
    ///
    /// - Throws: a refusal if a thing is invalid.
    package func change(in details: ProjectDetails) throws(Refusal) -> ProjectChange {
        ProjectChange(before: try before?.item(in: details), after: try after?.item(in: details))
    }

    /// The message for a change.
    package init(_ change: ProjectChange) {
        self.init(
            before: change.before.map { ProjectThing($0) },
            after: change.after.map { ProjectThing($0) })
    }
}

extension IssueMove {
    /// The message for a move.
    package init(_ move: Cascade.Move) {
        self.init(
            issue: UInt32(clamping: move.issue),
            before: PlannedDates(issue: move.issue, move.before),
            after: PlannedDates(issue: move.issue, move.after),
            skipped: move.skipped.compactMap { skipped in
                switch skipped.kind {
                case .usual: nil
                case .holiday(let name): "\(skipped.day.iso) \(name)"
                case .absence(let reason):
                    "\(skipped.day.iso) \(reason.isEmpty ? "away" : reason)"
                }
            })
        switch move.cause {
        case .change: break
        case .relation(_, let issue): predecessor = UInt32(clamping: issue)
        case .part(let issue): part = UInt32(clamping: issue)
        case .calendar(let person): self.person = UInt32(clamping: person)
        }
    }
}
