import Messages
import ProjectNetwork
import ProjectRecord
import RedmineMirror

/// A step at the server, so that it gets what was changed here.
enum MirrorStep: Hashable, Sendable {
    /// Makes an issue. If it was sent before, it may be there already.
    case make(
        number: Int, values: [RemoteField: RemoteValue], attempted: Int64, sent: RemoteIssue?)
    /// Changes fields of an issue.
    ///
    /// `held` are dates that the server may move on its own because of another step; they are then
    /// put back. `forced` are written whatever the server has, because somebody has decided so.
    case change(
        number: Int, base: RemoteIssue, values: [RemoteField: RemoteValue],
        held: Set<RemoteField>, forced: Set<RemoteField>)
    /// Removes an issue; if it was changed there, only if that is intended. If time was worked on
    /// it there, that is removed with it only if that is intended, too.
    case remove(number: Int, base: RemoteIssue, isForced: Bool, withTime: Bool = false)
    /// Relates issues. One that is there with another delay is replaced only if that is intended.
    case relate(
        number: Int, issue: Int, kind: RemoteRelation.Kind, from: Int, to: Int, delay: Int,
        isForced: Bool)
    /// Removes a relation, unless its number at the server belongs to another one by now. `base`
    /// is what it was there; empty if that isn't known.
    case unrelate(number: Int, relation: Int, base: [UInt8])
    /// Logs time on one of our issues. If it was sent before, it may be there already.
    case logTime(
        number: Int, issue: Int, values: [RemoteTimeField: RemoteValue], sent: RemoteTime?)
    /// Changes fields of a time entry; `forced` whatever the server has.
    case changeTime(
        number: Int, issue: Int, base: RemoteTime, values: [RemoteTimeField: RemoteValue],
        forced: Set<RemoteTimeField>)
    /// Removes a time entry; if it was changed there, only if that is intended.
    case removeTime(number: Int, issue: Int, base: RemoteTime, isForced: Bool)
    /// Makes a version, changes fields of a version or the project itself, or removes a version.
    case makeVersion(number: Int, values: [RemoteWhole.Field: RemoteValue])
    case changeWhole(
        MirrorLinks.Kind, number: Int, base: RemoteWhole,
        values: [RemoteWhole.Field: RemoteValue], forced: Set<RemoteWhole.Field>)
    case removeVersion(number: Int, remote: Int, base: RemoteWhole?, isForced: Bool)
    /// Writes a note. If that was attempted before, it may be there already.
    case note(PendingNote, remote: Int)
}

extension MirrorStep {
    /// Whether it removes one of these issues of the server.
    fileprivate func isRemoval(of issues: Set<Int>) -> Bool {
        if case .remove(_, let base, _, _) = self { issues.contains(base.id) } else { false }
    }
}

/// A note that the server doesn't have yet.
struct PendingNote: Hashable, Sendable {
    /// The number of its entry.
    let number: Int
    /// The issue here.
    let issue: Int
    /// How it is sent with the present log-in.
    let sending: Sending
    /// When it was first sent, in milliseconds since 1970; 0 for never.
    let attempted: Int64
    /// How it was sent before, also with the log-ins of others.
    var sent: [Sending] = []

    /// A note as it is sent with a log-in.
    struct Sending: Hashable, Sendable {
        /// The number of the user at the server who then writes it.
        let user: Int
        /// Whether it begins with the name of its author, who is somebody else.
        let isNamed: Bool
        let text: String
    }
}

/// Finds out what has to be done at the server.
struct MirrorPlan: Sendable {
    /// The maximum number of steps of a round.
    static let most = 100

    let record: ProjectRecord
    let links: MirrorLinks
    let terms: MirrorTerms
    let conflicts: [Int: [MirrorConflict]]
    let notes: [PendingNote]

    init(
        _ record: ProjectRecord, _ names: MirrorNames, _ links: MirrorLinks,
        _ conflicts: [MirrorConflict], notes: [PendingNote] = []
    ) {
        self.record = record
        self.links = links
        self.notes = notes
        terms = MirrorTerms(names: names, links: links)
        self.conflicts = Dictionary(grouping: conflicts, by: \.issue)
    }

    /// The steps, in an order in which each can be done: an issue comes before its parts and before
    /// the issues that follow it, because the server moves those when it moves.
    var steps: [MirrorStep] {
        // A relation that was removed here may be what prevents closing an issue there, and so may
        // a part. Time is removed before its issue, and logged once its issue is there. An issue is
        // removed after its parts have been moved elsewhere: the server would remove them with it.
        let (gone, left) = (removals, wholesOfPresent)
        let late = gone.filter { $0.isRemoval(of: left) }
        let issues =
            gone.filter { !$0.isRemoval(of: left) } + unrelations + makings + changes + relations
            + late
        let all =
            newVersions + changedWholes + timeRemovals + issues + goneVersions + times
            + writtenNotes
        return Array(all.prefix(Self.most))
    }

    /// Whether nothing prevents writing a field. What the server has refused is tried again if it
    /// was changed here since.
    func isSettled(_ number: Int, _ field: String) -> Bool {
        guard let conflict = conflicts[number]?.first(where: { $0.field == field }) else {
            return true
        }
        if conflict.decision == .ours { return true }
        guard !conflict.reason.isEmpty, let issue = record.issues[number] else { return false }
        return MirrorState.words(field, of: issue, in: record) != conflict.ours
    }

    func decisions(_ number: Int) -> [MirrorConflict] {
        (conflicts[number] ?? []).filter { $0.decision != nil }
    }

    /// The removals of issues, each part before its whole.
    private var removals: [MirrorStep] {
        var parents: [Int: Int] = [:]
        let disputed = wholesOfDisputed
        let steps = links.all(.issue).compactMap { link -> (remote: Int, step: MirrorStep)? in
            guard link.remote > 0, record.issues[link.number] == nil, let base = link.issue,
                isSettled(link.number, MirrorConflict.removed), !disputed.contains(link.remote)
            else { return nil }
            parents[link.remote] = base.parent ?? 0
            // Decisions about its fields were made while it was here.
            let decided = decisions(link.number).first {
                $0.field == MirrorConflict.removed && $0.decision == .ours
            }
            return (
                remote: link.remote,
                step: MirrorStep.remove(
                    number: link.number, base: base, isForced: decided != nil,
                    withTime: decided?.reason == MirrorConflict.withTime)
            )
        }
        let depths = Self.depths(parents)
        return steps.enumerated().sorted { left, right in
            let (one, other) = (depths[left.element.remote], depths[right.element.remote])
            return (-(one ?? 0), left.offset) < (-(other ?? 0), right.offset)
        }.map { $0.element.step }
    }

    /// How deep issues are within each other, given the parent of each.
    private static func depths(_ parents: [Int: Int]) -> [Int: Int] {
        var depths: [Int: Int] = [:]
        for issue in parents.keys {
            var (path, next) = ([Int](), issue)
            // A server may say that issues are parts of each other.
            while depths[next] == nil, let parent = parents[next], path.count <= parents.count {
                path.append(next)
                next = parent
            }
            var depth = depths[next] ?? 0
            for one in path.reversed() {
                depth += 1
                depths[one] = depth
            }
        }
        return depths
    }

    /// The issues at the server that stay because of a part there, directly or not: somebody has to
    /// decide whether it is removed, or moved elsewhere. Trying that in each round would keep other
    /// steps waiting.
    private var wholesOfDisputed: Set<Int> {
        var disputed: Set<Int> = []
        var open: [Int] = []
        // The parents of the issues that aren't here any more.
        var parents: [Int: Int] = [:]
        for link in links.all(.issue) where link.remote > 0 {
            guard let whole = link.issue?.parent else { continue }
            let isHere = record.issues[link.number] != nil
            if !isHere { parents[link.remote] = whole }
            let isFree =
                isSettled(link.number, MirrorConflict.removed)
                && (!isHere || isSettled(link.number, RemoteField.parent.rawValue))
            if !isFree, disputed.insert(whole).inserted { open.append(whole) }
        }
        while let next = open.popLast() {
            guard let whole = parents[next] else { continue }
            if disputed.insert(whole).inserted { open.append(whole) }
        }
        return disputed
    }

    /// The issues at the server that have a part there which is here, too.
    private var wholesOfPresent: Set<Int> {
        Set(
            links.all(.issue).compactMap { link in
                record.issues[link.number] == nil ? nil : link.issue?.parent
            })
    }

    private var makings: [MirrorStep] {
        var steps: [MirrorStep] = []
        for issue in record.issues.values.sorted(by: { $0.id < $1.id }) {
            let link = links[.issue, issue.id]
            guard link?.remote ?? 0 == 0, isSettled(issue.id, MirrorConflict.whole),
                isSettled(issue.id, MirrorConflict.removed)
            else { continue }
            // The whole comes before its parts; a round makes one level.
            if let parent = issue.parent, links.remote(.issue, parent) == nil { continue }
            steps.append(
                .make(
                    number: issue.id, values: terms.values(of: issue, nil),
                    attempted: link?.attempted ?? 0, sent: link?.issue))
        }
        return steps
    }

    private var changes: [MirrorStep] {
        let parts = record.partsOfWholes
        var wanted: [Int: [RemoteField: RemoteValue]] = [:]
        var bases: [Int: RemoteIssue] = [:]
        var forced: [Int: Set<RemoteField>] = [:]
        for link in links.all(.issue) {
            guard let issue = record.issues[link.number], let base = link.issue, link.remote > 0,
                isSettled(link.number, MirrorConflict.removed)
            else { continue }
            bases[link.number] = base
            let values = terms.values(of: issue, base)
            let merge = IssueMerge(
                base: base, ours: values, theirs: base, isWhole: parts[link.number] != nil)
            var pushed = Set(merge.pushed.filter { isSettled(link.number, $0.rawValue) })
            for one in decisions(link.number) {
                // The others are about relations, time or notes.
                guard let field = RemoteField(rawValue: one.field) else { continue }
                // A decision in favour of the server means that it is only read.
                wanted[link.number] = [:]
                guard one.decision == .ours else { continue }
                pushed.insert(field)
                forced[link.number, default: []].insert(field)
            }
            if !pushed.isEmpty { wanted[link.number] = values.filter { pushed.contains($0.key) } }
        }
        guard !wanted.isEmpty else { return [] }
        let (order, followers) = chain(
            from: Set(wanted.filter { $0.value[.start] != nil || $0.value[.due] != nil }.keys))
        let place = Dictionary(
            order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let numbers = Set(wanted.keys).union(followers.filter { parts[$0] == nil })
        return numbers.sorted { (place[$0] ?? -1, $0) < (place[$1] ?? -1, $1) }
            .compactMap { number in
                guard let base = bases[number], let issue = record.issues[number] else {
                    return nil
                }
                var values = wanted[number] ?? [:]
                var held: Set<RemoteField> = []
                if followers.contains(number), parts[number] == nil {
                    let own = terms.values(of: issue, base)
                    for field in [RemoteField.start, .due] where isSettled(number, field.rawValue) {
                        held.insert(field)
                        values[field] = own[field]
                    }
                }
                return .change(
                    number: number, base: base, values: values, held: held,
                    forced: forced[number] ?? [])
            }
    }

    /// The issues in an order in which each comes after those that it follows, and the set of those
    /// that follow another.
    private func chain(from first: Set<Int>) -> (order: [Int], followers: Set<Int>) {
        guard !first.isEmpty else { return ([], []) }
        var next: [Int: [Int]] = [:]
        for relation in record.relations.values where relation.kind == .precedes {
            next[relation.from, default: []].append(relation.to)
        }
        var followers: Set<Int> = []
        var open = first.flatMap { next[$0] ?? [] }
        while let number = open.popLast() {
            if followers.insert(number).inserted { open += next[number] ?? [] }
        }
        // Each is listed after everything that it leads to; the reverse is the order.
        var done: Set<Int> = []
        var reversed: [Int] = []
        for start in first.union(followers).sorted(by: >) {
            var stack = [(start, false)]
            while let (number, isLeft) = stack.popLast() {
                if isLeft {
                    reversed.append(number)
                } else if done.insert(number).inserted {
                    stack.append((number, true))
                    for following in (next[number] ?? []).sorted() where !done.contains(following) {
                        stack.append((following, false))
                    }
                }
            }
        }
        return (reversed.reversed(), followers)
    }

    private var unrelations: [MirrorStep] {
        links.all(.relation).compactMap { link in
            guard link.remote > 0, record.relations[link.number] == nil else { return nil }
            return .unrelate(number: link.number, relation: link.remote, base: link.base)
        }
    }

    private var relations: [MirrorStep] {
        var steps: [MirrorStep] = []
        for relation in record.relations.values.sorted(by: { $0.id < $1.id })
        where links[.relation, relation.id] == nil {
            guard let from = links.remote(.issue, relation.from),
                let to = links.remote(.issue, relation.to),
                let kind = RemoteRelation.Kind(rawValue: relation.kind.rawValue),
                isSettled(relation.from, MirrorConflict.relation(relation.id))
            else { continue }
            steps.append(
                .relate(
                    number: relation.id, issue: relation.from, kind: kind, from: from, to: to,
                    delay: relation.delay,
                    isForced: decisions(relation.from).contains {
                        $0.field == MirrorConflict.relation(relation.id) && $0.decision == .ours
                    }))
        }
        return steps
    }

    /// Whom the server doesn't know, because they were added here: it doesn't get that they do
    /// these issues. One more than is listed shows that there are more.
    var unknownAssignees: [String] {
        let issues = record.issues.values.filter { issue in
            issue.assignee.map { links.remote(.member, $0) == nil } ?? false
        }
        return issues.sorted { $0.id < $1.id }.prefix(MirrorRow.mostSkipped + 1).map { issue in
            let name = issue.assignee.flatMap { record.members[$0]?.name } ?? ""
            return "the assignee of #\(issue.id): the server doesn't know \(name)"
                .prefix(bytes: MirrorRow.longestSkipped)
        }
    }

    /// The number of steps, as far as steps are counted.
    var count: Int {
        removals.count + unrelations.count + makings.count + changes.count + relations.count
            + timeRemovals.count + times.count + writtenNotes.count + newVersions.count
            + changedWholes.count + goneVersions.count
    }
}
