import Dates
import Messages
import ProjectNetwork
import ProjectRecord

extension CascadeMode {
    /// The mode that a message names.
    package init(_ told: MoveMode) { self = told == .redmine ? .redmine : .keepGaps }
}

extension ProjectAction {
    /// The edit that it asks for.
    ///
    /// - Parameters:
    ///   - record: the project as the actions before leave it.
    ///   - day: the day on which a baseline is kept.
    /// - Throws: a refusal of what is invalid, or can't be done.
    package func edit(
        of record: ProjectRecord, _ mode: CascadeMode, on day: CivilDate
    ) throws(Refusal) -> ProjectEdit {
        switch action {
        case .keep(let thing):
            let item = try thing.item(in: record.details)
            try item.validateCalendar(in: record)
            var edit = try Self.keeping(item, mode)
            if case .keepMember(let member, _) = edit, moving {
                edit = .keepMember(member, moving: mode)
            }
            if case .relate(var relation, let mode) = edit {
                let last = record.lastNumbers[.issue] ?? 0
                if relation.from == 0 { relation.from = last }
                if relation.to == 0 { relation.to = last }
                edit = .relate(relation, mode)
            }
            return edit
        case .remove(let thing): return try removing(thing, mode)
        case .baseline(let name): return .keepBaseline(name, on: day)
        case .places(let placed): return .apply(try placed.placements())
        case .added(let added):
            var items: [ProjectItem] = []
            for thing in added.things {
                let item = try thing.item(in: record.details)
                // Their numbers apply only among them, so nobody's calendar is replaced.
                if case .member(let member) = item {
                    try member.calendar.validateSize(of: member.name)
                }
                items.append(item)
            }
            guard !items.isEmpty else { throw .invalid("there is nothing to add") }
            return .add(items)
        case nil: throw .invalid("say what to do")
        }
    }

    private static func keeping(
        _ item: ProjectItem, _ mode: CascadeMode
    ) throws(Refusal) -> ProjectEdit {
        switch item {
        case .details(let details): return .changeDetails(details)
        case .issue(let issue):
            return issue.id == 0 ? .addIssue(issue) : .changeIssue(issue, mode)
        case .relation(let relation):
            guard relation.id == 0 else {
                throw .invalid("a relation isn't changed; remove it, and add another")
            }
            return .relate(relation, mode)
        case .member(let member): return .keepMember(member)
        case .version(let version): return .keepVersion(version)
        case .entry(let entry): return .keepEntry(entry)
        case .baseline:
            throw .invalid("a baseline keeps the dates that the project has; give its name alone")
        }
    }

    private func removing(
        _ thing: ProjectThing, _ mode: CascadeMode
    ) throws(Refusal) -> ProjectEdit {
        switch thing.thing {
        case .issue(let issue): return .removeIssue(Int(issue.number), withParts: withParts)
        case .relation(let relation): return .unrelate(Int(relation.number), mode)
        case .member(let member): return .removeMember(Int(member.number))
        case .version(let version): return .removeVersion(Int(version.number))
        case .time(let time): return .removeEntry(Int(time.number))
        case .baseline(let baseline): return .removeBaseline(Int(baseline.number))
        case .project: throw .invalid("a project is deleted as a whole")
        case nil: throw .invalid("say what to remove")
        }
    }
}

extension ProjectItem {
    /// Refuses a project or a person whose calendar is too large.
    fileprivate func validateCalendar(in record: ProjectRecord) throws(Refusal) {
        switch self {
        case .details(let details):
            try details.calendar.validateSize(of: "the project", replacing: record.details.calendar)
        case .member(let member):
            try member.calendar.validateSize(
                of: member.name, replacing: record.members[member.id]?.calendar)
        default: break
        }
    }
}

extension IssuePlaces {
    /// The places of a schedule by the numbers of their issues.
    ///
    /// - Throws: a refusal if an issue has two places, or a date isn't valid.
    package func placements() throws(Refusal) -> [Int: ProjectEdit.Placement] {
        var all: [Int: ProjectEdit.Placement] = [:]
        for place in places {
            let span = Span(
                start: try CivilDate.read(place.start, "the start of #\(place.issue)"),
                due: try CivilDate.read(place.due, "the due date of #\(place.issue)"))
            let placement = ProjectEdit.Placement(
                span: span, assignee: place.assignee == 0 ? nil : Int(place.assignee))
            guard all.updateValue(placement, forKey: Int(place.issue)) == nil else {
                throw .invalid("the schedule has two places for #\(place.issue)")
            }
        }
        return all
    }
}

extension PlacedIssue {
    /// The message for the place of an issue.
    package init(_ issue: Int, _ place: ProjectEdit.Placement) {
        self.init(
            issue: UInt32(clamping: issue), start: place.span.start?.iso ?? "",
            due: place.span.due?.iso ?? "", assignee: UInt32(clamping: place.assignee ?? 0))
    }
}
