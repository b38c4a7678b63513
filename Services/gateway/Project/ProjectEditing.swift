import ArgumentParser
import Bus
import Dates
import Messages
import ProjectFiles
import ProjectLanguage
import ProjectNetwork
import ProjectRecord
import Speech
import Terminal

/// The options of every edit of a project.
struct ProjectEditOptions: ParsableArguments {
    @OptionGroup var target: ProjectOption
    @OptionGroup var repeating: RepeatOptions
    @OptionGroup var output: OutputOptions

    /// Makes an edit and prints what it did; without actions, that nothing is different.
    ///
    /// - Parameters:
    ///   - cascade: how successors are moved; nil if nothing moves.
    ///   - preview: whether to print only what would change.
    ///   - actions: returns the actions for the present project.
    func edit(
        _ cascade: CascadeOptions? = nil, preview: Bool = false,
        _ actions: (ProjectContentsRead, Session) throws -> [ProjectAction]
    ) throws {
        let session = try Session()
        let name = try target.project(session)
        let preview = preview || cascade?.preview ?? false
        let (reply, record) = try repeating.retrying { version in
            let read = try ProjectContentsRead(name, session)
            version = read.project.revision
            let actions = try actions(read, session)
            guard !actions.isEmpty else {
                return (Self.unchanged(read.project), read.record)
            }
            let reply = try session.askProject(
                EditProject(
                    project: read.project.id, actions: actions, mode: cascade?.mode ?? .keepGaps,
                    expectedRevision: read.project.revision, preview: preview,
                    today: try actions.contains(where: \.keepsBaseline) ? session.today.iso : ""),
                for: ProjectEdited.self, repeating: repeating)
            return (reply, read.record)
        } version: {
            try ProjectContentsRead(name, session).project.revision
        }
        try Self.show(
            reply, record, session, output, isPreview: preview,
            isLikeRedmine: cascade?.likeRedmine ?? false)
    }

    /// What an edit without actions did, as an answer has it.
    private static func unchanged(_ project: Project) -> ProjectEdited {
        var project = project
        (project.description, project.calendar) = ("", nil)
        return ProjectEdited(project: project)
    }

    /// Prints what an edit did: each thing, what moved and why, and what stays though it shouldn't.
    static func show(
        _ edited: ProjectEdited, _ record: ProjectRecord?, _ session: Session,
        _ output: OutputOptions, isPreview: Bool = false, isLikeRedmine: Bool = false
    ) throws {
        if output.json { return try session.printer.json(.projectEdits, [edited]) }
        let words = EditWords(edited, record, isPreview: isPreview)
        for line in words.lines { session.printer.result(line) }
        if edited.changed == 0 { session.printer.remark("nothing is different") }
        for remark in words.remarks { session.printer.remark(remark) }
        guard isPreview else { return }
        if isLikeRedmine { words.limits.forEach { session.printer.remark($0) } }
        session.printer.remark("this is a preview; nothing was changed")
    }
}

/// How the successors of an issue move with it.
struct CascadeOptions: ParsableArguments {
    @Flag(help: "Show what would move and why, and change nothing.")
    var preview = false
    @Flag(
        help: """
            Move what follows as Redmine does: to the soonest day. Otherwise the working days that \
            were free between issues stay free.
            """)
    var likeRedmine = false

    /// The value for the service.
    var mode: MoveMode { likeRedmine ? .redmine : .keepGaps }
}

/// The outcome of an edit, in words.
struct EditWords {
    private let edited: ProjectEdited
    private let record: ProjectRecord?
    private let isPreview: Bool
    /// The issues that moved because of others, which have their own lines.
    private let moved: Set<UInt32>
    private static let mostLines = 200

    /// - Parameter isPreview: whether to say what would change, because nothing was changed.
    init(_ edited: ProjectEdited, _ record: ProjectRecord?, isPreview: Bool) {
        (self.edited, self.record, self.isPreview) = (edited, record, isPreview)
        moved = Set(edited.moves.map(\.issue))
    }

    /// The changes other than the moves of issues that have lines of their own.
    private var things: [ThingChange] {
        edited.changes.filter { change in
            guard change.before != nil, case .issue(let issue)? = change.after?.thing else {
                return true
            }
            return !moved.contains(issue.number)
        }
    }

    var lines: [String] {
        things.prefix(Self.mostLines).map { line($0) }
            + edited.moves.prefix(Self.mostLines).map { line($0) }
    }

    var remarks: [String] {
        var remarks: [String] = []
        let told = min(edited.moves.count, Self.mostLines)
        if Int(edited.moved) > told {
            remarks.append("and \(Int(edited.moved) - told) more move; see them with --json")
        }
        // What moves has changed too.
        let others = Int(edited.changed) - Int(edited.moved)
        let shown = min(things.count, Self.mostLines)
        if others > shown {
            remarks.append(
                "and \(others - shown) more \(isPreview ? "would be" : "are") changed; --json has "
                    + "as many as fit into an answer")
        }
        for issue in edited.conflicts.prefix(20) {
            remarks.append("note: \(name(issue)) begins sooner than its predecessors allow")
        }
        if edited.conflicts.count > 20 {
            remarks.append(
                "note: so do \(edited.conflicts.count - 20) more; see them with --json")
        }
        return remarks
    }

    /// Remarks on what isn't known about a Redmine server, because its API doesn't reveal its
    /// settings: it may move things differently.
    var limits: [String] {
        var limits = [
            "note: this holds for a Redmine that has your days off of the week, and that gives "
                + "issues with parts the dates of these, as it does unless it is set otherwise"
        ]
        let moved =
            edited.moves.compactMap(\.after).flatMap { [$0.start, $0.due] }
            + edited.moves.compactMap(\.before).flatMap { [$0.start, $0.due] }
        let days = moved.compactMap { CivilDate(iso: $0) }
        guard let first = days.min(), let last = days.max() else { return limits }
        let holidays = record?.details.calendar.holidays.filter {
            $0.hours.isEmpty && (first...last).contains($0.day)
        }
        for issue in uncertain {
            limits.append(
                "note: \(name(issue)) may come to other dates: they depend on the order in which "
                    + "the database of the server has the relations")
        }
        if let holiday = holidays?.first {
            limits.append(
                "note: Redmine has no holidays: it works on \(holiday.day.iso), \(holiday.name)")
        }
        return limits
    }

    /// The issues for which the order of relations in the server's database matters; none when more
    /// than the dates of an issue or a relation were changed.
    private var uncertain: [UInt32] {
        do {
            let changes = try edited.changes.compactMap { change -> PlanChange? in
                switch (change.before?.thing, change.after?.thing) {
                case (.issue, .issue(let issue)?) where !moved.contains(issue.number):
                    let (start, due) = (CivilDate(iso: issue.start), CivilDate(iso: issue.due))
                    return .dates(issue: Int(issue.number), Span(start: start, due: due))
                case (nil, .relation(let link)?): return .relation(try link.relation())
                default: return nil
                }
            }
            guard let record, changes.count == 1 else { return [] }
            return try record.network().uncertain(after: changes[0]).prefix(20)
                .map { UInt32(clamping: $0) }
        } catch { return [] }
    }

    private func line(_ change: ThingChange) -> String {
        guard let thing = change.after ?? change.before else { return "" }
        let verb = change.before == nil ? "added" : change.after == nil ? "removed" : "changed"
        let difference = difference(change)
        return "\(name(of: thing)) \(isPreview ? "would be" : "is") \(verb)\(difference)".printable
    }

    /// How a change of an issue itself, by an edit, its undoing or a schedule, changes its dates
    /// and its person.
    private func difference(_ change: ThingChange) -> String {
        guard case .issue(let before)? = change.before?.thing,
            case .issue(let after)? = change.after?.thing
        else { return "" }
        var parts: [String] = []
        if (before.start, before.due) != (after.start, after.due) {
            parts.append(
                "from \(Self.span(before.start, before.due)) to "
                    + Self.span(after.start, after.due))
        }
        if before.assignee != after.assignee, let record {
            let name =
                record.members[Int(after.assignee)]?.name
                ?? (after.assignee == 0 ? "nobody" : "person \(after.assignee)")
            parts.append("assigned to \(name)")
        }
        return parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
    }

    private func line(_ move: IssueMove) -> String {
        let before = Self.span(move.before), after = Self.span(move.after)
        var why: [String] = []
        if move.predecessor > 0 { why.append("it follows #\(move.predecessor)") }
        if move.part > 0 { why.append("its part #\(move.part) moves") }
        if move.person > 0 {
            let name = record?.members[Int(move.person)]?.name ?? "person \(move.person)"
            why.append("\(name) works on other days")
        }
        if !move.skipped.isEmpty {
            why.append("not on " + move.skipped.prefix(3).joined(separator: ", "))
        }
        let reason = why.isEmpty ? "" : ": " + why.joined(separator: "; ")
        let verb = isPreview ? "would move" : "moves"
        return "\(name(move.issue)) \(verb) from \(before) to \(after)\(reason)".printable
    }

    /// Dates as people read them: an unknown end is left open.
    private static func span(_ dates: PlannedDates?) -> String {
        span(dates?.start ?? "", dates?.due ?? "")
    }

    private static func span(_ start: String, _ due: String) -> String {
        guard !start.isEmpty || !due.isEmpty else { return "no dates" }
        return "\(start.isEmpty ? "…" : start) – \(due.isEmpty ? "…" : due)"
    }

    private func name(_ issue: UInt32) -> String {
        let known = record?.issues[Int(issue)]?.subject ?? added(issue)?.subject
        return known.map { "#\(issue) “\($0)”" } ?? "#\(issue)"
    }

    /// The issue with a number if it is added.
    private func added(_ number: UInt32) -> TrackedIssue? {
        for change in edited.changes where change.before == nil {
            if case .issue(let issue)? = change.after?.thing, issue.number == number {
                return issue
            }
        }
        return nil
    }

    /// Who worked, if that is known.
    private func whose(_ time: WorkedTime) -> String {
        guard let name = record?.members[Int(time.member)]?.name else { return "" }
        return " by \(name)"
    }

    private func name(of thing: ProjectThing) -> String {
        switch thing.thing {
        case .project(let project): "“\(project.name)”"
        case .issue(let issue): "#\(issue.number) “\(issue.subject)”"
        case .relation(let link):
            "the relation \(link.number), #\(link.from) \(link.kind) #\(link.to)"
                + link.delayWords + ","
        case .member(let member): member.name
        case .version(let version): "the version “\(version.name)”"
        case .time(let time):
            "the entry \(time.number), \(Effort.text(time.minutes))\(whose(time)) on "
                + "#\(time.issue), \(time.date),"
        case .baseline(let baseline): "the baseline “\(baseline.name)”"
        case nil: "something"
        }
    }
}

extension ProjectAction {
    /// Whether it keeps a baseline, whose day is the date where the sender is.
    fileprivate var keepsBaseline: Bool {
        if case .baseline? = action { true } else { false }
    }
}
