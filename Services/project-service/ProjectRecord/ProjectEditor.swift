import Dates
import Messages
import ProjectNetwork

/// Makes an edit of a project, and collects its changes and the resulting moves.
struct ProjectEditor {
    private let before: ProjectRecord
    private(set) var record: ProjectRecord
    /// The keys of the changed items, in the order in which they were first changed.
    private var keys: [ProjectItem.Key] = []
    private var known: Set<ProjectItem.Key> = []
    private var moves: [Int: Cascade.Move] = [:]
    /// The issues that moved, in order.
    private var moved: [Int] = []
    private var conflicts: [Int] = []
    private var knownConflicts: Set<Int> = []
    /// The number of steps that cascades may still take.
    private var steps: Int
    /// The number of the edit under way.
    var number = 0
    private var numbers: [Int] = []

    init(_ record: ProjectRecord, mostSteps: Int = Cascade.mostSteps) {
        before = record
        self.record = record
        steps = mostSteps
    }

    /// The outcome of the edit. An item that ends unchanged is left out.
    var outcome: ProjectOutcome {
        let changes = keys.map { ProjectChange(before: before[$0], after: record[$0]) }
        return ProjectOutcome(
            changes: changes.filter { $0.before != $0.after }, record: record,
            moves: moved.compactMap { moves[$0] }.filter { $0.before != $0.after },
            conflicts: conflicts, numbers: numbers)
    }

    mutating func make(_ edit: ProjectEdit) throws(Refusal) {
        number = 0
        try carryOut(edit)
        numbers.append(number)
    }

    private mutating func carryOut(_ edit: ProjectEdit) throws(Refusal) {
        switch edit {
        case .changeDetails(let details): try change(details)
        case .addIssue(let issue): try add(issue)
        case .changeIssue(let issue, let mode): try change(issue, mode)
        case .removeIssue(let id, let withParts): try removeIssue(id, withParts: withParts)
        case .relate(let relation, let mode): try relate(relation, mode)
        case .unrelate(let id, let mode): try unrelate(id, mode)
        case .keepMember(let member, let mode): try keep(member, moving: mode)
        case .removeMember(let id): try removeMember(id)
        case .keepVersion(let version): try keep(version)
        case .removeVersion(let id): try removeVersion(id)
        case .keepEntry(let entry): try keep(entry)
        case .removeEntry(let id): try remove(.entry, id, "time entry")
        case .keepBaseline(let name, let day): try keepBaseline(name, day)
        case .removeBaseline(let id): try remove(.baseline, id, "baseline")
        case .apply(let places): try apply(places)
        case .mirror(let items, let removed): try mirror(items, removed: removed)
        case .add(let items): try add(items)
        }
    }

    mutating func put(_ item: ProjectItem) {
        note(item.key)
        record.put(item)
    }

    private mutating func note(_ key: ProjectItem.Key) {
        if known.insert(key).inserted { keys.append(key) }
    }

    mutating func remove(
        _ kind: ProjectItem.Kind, _ id: Int, _ name: String
    ) throws(Refusal) {
        let key = ProjectItem.Key(kind: kind, id: id)
        guard let item = record[key] else { throw .notFound("there is no \(name) \(id)") }
        number = id
        note(key)
        record.set(ProjectChange(before: item))
    }

    /// Moves the issues to the dates of a cascade.
    private mutating func move(along cascade: Cascade, but edited: Int?) {
        for move in cascade.moves {
            guard var issue = record.issues[move.issue] else { continue }
            issue.span = move.after
            put(.issue(issue))
        }
        record.keep(cascade.network)
        for move in cascade.moves where move.issue != edited {
            if moves[move.issue] == nil { moved.append(move.issue) }
            moves[move.issue] = moves[move.issue].map { move.following($0) } ?? move
        }
        for issue in cascade.conflicts where knownConflicts.insert(issue).inserted {
            conflicts.append(issue)
        }
        steps -= cascade.steps
    }

    /// The effects of a network change. A refusal carries the network's message.
    private func preview(
        _ change: PlanChange, _ mode: CascadeMode, in network: ProjectNetwork
    ) throws(Refusal) -> Cascade {
        do {
            return try network.preview(change, mode: mode, most: steps)
        } catch {
            throw .conflict(error.description)
        }
    }
}

// MARK: Issues

extension ProjectEditor {
    private mutating func add(_ sent: ProjectIssue) throws(Refusal) {
        try ProjectLimits.validate(record.issues.count, ProjectLimits.issues, "issues")
        var issue = sent
        issue.id = record.nextNumber(.issue)
        if issue.span.due == nil, issue.isMilestone { issue.span.due = issue.span.start }
        try issue.validate()
        try validate(issue)
        number = issue.id
        put(.issue(issue))
        try deriveWholes()
    }

    private mutating func change(_ sent: ProjectIssue, _ mode: CascadeMode) throws(Refusal) {
        guard let old = record.issues[sent.id] else { throw .noIssue(sent.id) }
        number = sent.id
        var issue = sent
        // The cascade changes the dates, starting from the plan as it was.
        issue.span = old.span
        var checked = sent
        if record.issues.values.contains(where: { $0.parent == sent.id }) { checked.span = Span() }
        try checked.validate()
        try validate(issue)
        try validateStatus(of: issue, was: old)
        put(.issue(issue))
        if issue.parent != old.parent { try deriveWholes() }
        guard sent.span != old.span else { return }
        let network = try record.network()
        move(
            along: try preview(.dates(issue: sent.id, sent.span), mode, in: network),
            but: sent.id)
    }

    /// Refuses an issue that refers to something that doesn't exist.
    func validate(_ issue: ProjectIssue) throws(Refusal) {
        let details = record.details
        try validateText(issue.tracker, "the tracker", 1...60)
        try validateText(issue.status, "the status", 1...60)
        guard details.trackers.contains(issue.tracker) else {
            throw .invalid(
                "there is no tracker “\(issue.tracker)”; choose one of "
                    + details.trackers.joined(separator: ", "))
        }
        guard details.statuses.contains(where: { $0.name == issue.status }) else {
            throw .invalid(
                "there is no status “\(issue.status)”; choose one of "
                    + details.statuses.map(\.name).joined(separator: ", "))
        }
        if let parent = issue.parent {
            guard parent != issue.id else { throw .invalid("#\(parent) can't be a part of itself") }
            guard record.issues[parent] != nil else { throw .noIssue(parent) }
        }
        if let assignee = issue.assignee, record.members[assignee] == nil {
            throw .notFound("there is no person \(assignee) in the project")
        }
        guard let version = issue.version else { return }
        guard let found = record.versions[version] else {
            throw .notFound("there is no version \(version)")
        }
        if found.isClosed, record.issues[issue.id]?.version != version {
            throw .conflict("the version \(found.name) is closed; open it, or choose another")
        }
    }

    /// Refuses to close an issue that waits for an open one or has open parts.
    private func validateStatus(of issue: ProjectIssue, was old: ProjectIssue) throws(Refusal) {
        guard record.isClosed(issue), !record.isClosed(old) else { return }
        let blocking = record.relations.values.filter { $0.kind == .blocks && $0.to == issue.id }
            .compactMap { record.issues[$0.from] }.filter { !record.isClosed($0) }
        if let first = blocking.min(by: { $0.id < $1.id }) {
            throw .conflict(
                "#\(issue.id) is blocked by #\(first.id) “\(first.subject)”, which is open; close "
                    + "that first")
        }
        let open = record.parts(of: issue.id).compactMap { record.issues[$0] }
            .filter { !record.isClosed($0) }
        if let first = open.first {
            throw .conflict(
                "#\(issue.id) has an open part, #\(first.id) “\(first.subject)”; close that first")
        }
    }

    /// Gives each issue with parts the dates that follow from its parts.
    mutating func deriveWholes() throws(Refusal) {
        for planned in try record.network().issues {
            guard var issue = record.issues[planned.id], issue.span != planned.span else {
                continue
            }
            issue.span = planned.span
            put(.issue(issue))
        }
    }

    private mutating func removeIssue(_ id: Int, withParts: Bool) throws(Refusal) {
        guard record.issues[id] != nil else { throw .noIssue(id) }
        let parts = record.partsOfWholes
        var gone = [id]
        var place = 0
        while place < gone.count {
            gone += parts[gone[place]] ?? []
            place += 1
        }
        guard withParts || gone.count == 1 else {
            throw .conflict(
                "#\(id) has parts: #\(gone[1]); remove them first, or remove it with its parts")
        }
        let all = Set(gone)
        if let entry = record.entries.values.filter({ all.contains($0.issue) })
            .min(by: { $0.id < $1.id })
        {
            throw .conflict(
                "time was spent on #\(entry.issue); remove or move its entries first, or close "
                    + "the issue")
        }
        for relation in record.relations.values.sorted(by: { $0.id < $1.id })
        where all.contains(relation.from) || all.contains(relation.to) {
            try remove(.relation, relation.id, "relation")
        }
        for issue in gone.reversed() { try remove(.issue, issue, "issue") }
        try deriveWholes()
        number = id
    }

    private mutating func relate(
        _ sent: IssueRelation, _ mode: CascadeMode
    ) throws(Refusal) {
        try ProjectLimits.validate(record.relations.count, ProjectLimits.relations, "relations")
        var relation = sent
        relation.id = record.nextNumber(.relation)
        let cascade = try preview(.relation(relation), mode, in: record.network())
        put(.relation(relation))
        move(along: cascade, but: nil)
        number = relation.id
    }

    private mutating func unrelate(_ id: Int, _ mode: CascadeMode) throws(Refusal) {
        let network = try record.network()
        guard record.relations[id] != nil else { throw .notFound("there is no relation \(id)") }
        let cascade = try preview(.noRelation(id), mode, in: network)
        try remove(.relation, id, "relation")
        move(along: cascade, but: nil)
    }
}

// MARK: Everything else

extension ProjectEditor {
    private mutating func change(_ details: ProjectDetails) throws(Refusal) {
        try details.validate()
        let statuses = Set(details.statuses.map(\.name))
        for issue in record.issues.values.sorted(by: { $0.id < $1.id }) {
            guard statuses.contains(issue.status) else {
                throw .conflict("#\(issue.id) has the status “\(issue.status)”; change that first")
            }
            guard details.trackers.contains(issue.tracker) else {
                throw .conflict(
                    "#\(issue.id) has the tracker “\(issue.tracker)”; change that first")
            }
        }
        put(.details(details))
    }

    /// Returns the number of the item to keep: the next free one for 0, or that of an existing
    /// item.
    private func number(
        _ id: Int, _ kind: ProjectItem.Kind, count: Int, most: Int, _ name: String
    ) throws(Refusal) -> Int {
        guard id == 0 else {
            guard record[ProjectItem.Key(kind: kind, id: id)] != nil else {
                throw .notFound("there is no \(name) \(id)")
            }
            return id
        }
        try ProjectLimits.validate(count, most, "\(name)s")
        return record.nextNumber(kind)
    }

    mutating func keep(_ sent: Member, moving mode: CascadeMode? = nil) throws(Refusal) {
        try sent.validate()
        var member = sent
        member.id = try number(
            sent.id, .member, count: record.members.count, most: ProjectLimits.members, "member")
        let others = record.members.values.filter { $0.id != member.id }
        guard !others.contains(where: { $0.name == member.name }) else {
            throw .conflict("there is someone called \(member.name) already; choose another name")
        }
        number = member.id
        let former = record.members[member.id]
        guard let mode, let former, former.calendar != member.calendar else {
            return put(.member(member))
        }
        let network = try record.network()
        put(.member(member))
        let own = record.issues.values.filter { $0.assignee == number && !record.isClosed($0) }
        let change = PlanChange.calendar(
            person: number, record.calendar(of: number), issues: Set(own.map(\.id)))
        move(along: try preview(change, mode, in: network), but: nil)
    }

    private mutating func removeMember(_ id: Int) throws(Refusal) {
        let assigned = record.issues.values.filter { $0.assignee == id }.map(\.id).min()
        if let assigned {
            throw .conflict("#\(assigned) is assigned to them; assign it to someone else first")
        }
        if record.entries.values.contains(where: { $0.member == id }) {
            throw .conflict("they have logged time on the project")
        }
        try remove(.member, id, "person")
    }

    mutating func keep(_ sent: Version) throws(Refusal) {
        try sent.validate()
        var version = sent
        version.id = try number(
            sent.id, .version, count: record.versions.count, most: ProjectLimits.versions,
            "version")
        let others = record.versions.values.filter { $0.id != version.id }
        guard !others.contains(where: { $0.name == version.name }) else {
            throw .conflict("there is a version \(version.name) already; choose another name")
        }
        if version.isClosed,
            let open = record.issues.values.filter({
                $0.version == version.id && !record.isClosed($0)
            }).min(by: { $0.id < $1.id })
        {
            throw .conflict("#\(open.id) is to be done for it and is open; close or move it first")
        }
        number = version.id
        put(.version(version))
    }

    private mutating func removeVersion(_ id: Int) throws(Refusal) {
        if let issue = record.issues.values.filter({ $0.version == id }).map(\.id).min() {
            throw .conflict("#\(issue) is to be done for it; move that to another version first")
        }
        try remove(.version, id, "version")
    }

    private mutating func keep(_ sent: TimeEntry) throws(Refusal) {
        try sent.validate()
        var entry = sent
        entry.id = try number(
            sent.id, .entry, count: record.entries.count, most: ProjectLimits.entries,
            "time entry")
        guard record.issues[entry.issue] != nil else { throw .noIssue(entry.issue) }
        guard record.members[entry.member] != nil else {
            throw .notFound("there is no person \(entry.member) in the project")
        }
        let others = record.entries.values.filter {
            $0.id != entry.id && $0.member == entry.member && $0.day == entry.day
        }
        let sum = others.reduce(entry.minutes) { $0 + $1.minutes }
        guard sum <= ProjectLimits.worked.upperBound else {
            throw .conflict(
                "that would be \(sum / 60) h \(sum % 60) min of work on \(entry.day.iso), and a "
                    + "day has 24 h; see the time logged before, or correct the day")
        }
        number = entry.id
        put(.entry(entry))
    }

    private mutating func keepBaseline(_ name: String, _ day: CivilDate) throws(Refusal) {
        try ProjectLimits.validate(record.baselines.count, ProjectLimits.baselines, "baselines")
        try validateText(name, "the name of the baseline", 1...60)
        guard !record.baselines.values.contains(where: { $0.baseline.name == name }) else {
            throw .conflict("there is a baseline “\(name)” already; choose another name")
        }
        let network = try record.network()
        let baseline: Baseline
        do { baseline = try Baseline(name, of: network) } catch {
            throw .invalid(error.description)
        }
        number = record.nextNumber(.baseline)
        put(.baseline(KeptBaseline(id: number, baseline: baseline, day: day)))
    }
}
