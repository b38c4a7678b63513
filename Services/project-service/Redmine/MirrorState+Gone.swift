import ProjectNetwork
import ProjectRecord
import RedmineMirror

/// Removed items, and relations.
extension MirrorState {
    /// Takes over the relations of an issue. A relation of ours that the server has with another
    /// delay is a conflict: neither side can change the delay of a relation, only make another.
    mutating func relate(_ remote: RemoteIssue) {
        var present: Set<Int> = []
        var disputed: Set<Int> = []
        for relation in remote.relations {
            present.insert(relation.id)
            loseFormer(relation)
            guard let from = links.number(.issue, remote: relation.from),
                let to = links.number(.issue, remote: relation.to), issue(from) != nil,
                issue(to) != nil, links.number(.relation, remote: relation.id) == nil,
                let kind = IssueRelation.Kind(rawValue: relation.kind.rawValue)
            else { continue }
            let same = relations[from]?.first {
                $0.kind == kind && $0.joins(from, to) && links[.relation, $0.id] == nil
                    && !isRemoved(ProjectItem.Key(kind: .relation, id: $0.id))
            }
            let number = same?.id ?? fresh(.relation)
            let theirs = IssueRelation(
                id: number, kind: kind, from: from, to: to, delay: relation.delay)
            if let same, same.delay != theirs.delay {
                disputed.insert(number)
                settle(
                    from, MirrorConflict.relation(number),
                    (MirrorConflict.words(same), MirrorConflict.words(theirs), ""))
                continue
            }
            if same == nil { put(.relation(theirs)) }
            links.keep(MirrorLinks.Link(relation: number, to: relation))
        }
        guard let number = links.number(.issue, remote: remote.id) else { return }
        for relation in relations[number] ?? [] where !disputed.contains(relation.id) {
            guard let link = links[.relation, relation.id], link.remote > 0 else {
                forgiveDelay(of: relation)
                continue
            }
            guard !present.contains(link.remote) else { continue }
            remove(.relation, relation.id)
            links.remove(.relation, relation.id)
        }
    }

    /// Records that one of our relations is at the server now. A server keeps only one of two that
    /// differ in nothing but their direction, and then somebody decides about the other.
    mutating func join(relation number: Int, with remote: RemoteRelation) {
        let link = MirrorLinks.Link(relation: number, to: remote)
        if let other = links.number(.relation, remote: remote.id), other != number,
            links[.relation, other]?.base == link.base, record.relations[other] != nil,
            let relation = record.relations[number]
        {
            return refuse(
                relation.from, MirrorConflict.relation(number), theirs: "",
                "the server has it in the other direction already")
        }
        links.keep(link)
    }

    /// Drops the conflict about the delay of a relation that the server doesn't have any more.
    private mutating func forgiveDelay(of relation: IssueRelation) {
        conflicts.removeAll {
            $0.issue == relation.from && $0.field == MirrorConflict.relation(relation.id)
                && $0.reason.isEmpty
        }
    }

    /// Removes the relation whose number at the server now belongs to another one: some servers
    /// give a new relation the number of a removed one, and none changes a relation.
    private mutating func loseFormer(_ remote: RemoteRelation) {
        guard let number = links.number(.relation, remote: remote.id),
            let link = links[.relation, number]
        else { return }
        let relation = record.relations[number]
        let present = MirrorLinks.Link(relation: number, to: remote)
        guard !link.base.isEmpty else {
            // An earlier version linked it, also to one with another delay.
            guard let relation else { return }
            let (from, to) = (
                links.number(.issue, remote: remote.from), links.number(.issue, remote: remote.to)
            )
            let isSame =
                relation.joins(from, to) && relation.kind.rawValue == remote.kind.rawValue
            guard !isSame || relation.delay != remote.delay else { return links.keep(present) }
            if !isSame { remove(.relation, number) }
            return links.remove(.relation, number)
        }
        guard link.base != present.base else { return }
        if relation != nil { remove(.relation, number) }
        links.remove(.relation, number)
    }

    /// Leaves out new relations that contradict the rest, such as a circle through parts, which a
    /// server may have, so that everything else can be kept.
    mutating func leaveOutContradictions() {
        leaveOutCircles()
        let fresh = items.values.compactMap { item -> IssueRelation? in
            guard case .relation(let relation) = item else { return nil }
            return record.relations[relation.id] == nil ? relation : nil
        }.sorted { $0.id < $1.id }
        var rest = self
        for relation in fresh { rest.remove(.relation, relation.id) }
        guard !fresh.isEmpty, let edit = rest.edit else { return }
        var network: ProjectNetwork
        do { network = try record.making(edit).record.network() } catch { return }
        for relation in fresh {
            do { network = try network.adding(relation) } catch {
                remove(.relation, relation.id)
                links.remove(.relation, relation.id)
                skipped.append("a relation of the server: \(error)")
            }
        }
    }

    /// Leaves issues where they were if they would be parts of themselves. That happens when issues
    /// have changed places at the server, and not all of them have been read yet. What both sides
    /// last had then stays as well, so that they are moved when they are next read.
    private mutating func leaveOutCircles() {
        while let circle = circleOfParts {
            let moved = circle.filter { issue($0)?.parent != record.issues[$0]?.parent }
            guard !moved.isEmpty else { return }
            for number in moved {
                guard var issue = issue(number) else { continue }
                issue.parent = record.issues[number]?.parent
                put(.issue(issue))
                guard var link = links[.issue, number], var base = link.issue else { continue }
                base.parent = issue.parent.flatMap { links.remote(.issue, $0) }
                link.base = RedmineBody.kept(base)
                links.keep(link)
                skipped.append("#\(base.id) of the server: its parent is a part of it")
            }
        }
    }

    /// Issues of which each is a part of the next, and the last of the first; nil if there are
    /// none.
    private var circleOfParts: [Int]? {
        let new = items.keys.filter { $0.kind == .issue }.map(\.id)
        var done: Set<Int> = []
        for start in Set(record.issues.keys).union(new).sorted() {
            var path: [Int] = []
            var next: Int? = start
            while let number = next, done.insert(number).inserted {
                path.append(number)
                next = issue(number)?.parent
            }
            guard let again = next, let place = path.firstIndex(of: again) else { continue }
            return Array(path[place...])
        }
        return nil
    }

    /// Drops conflicts about items that no longer exist, or are at the server now.
    mutating func forgiveWhatHasGone() {
        conflicts.removeAll { conflict in
            if let number = MirrorConflict.relationNumber(conflict.field) {
                return record.relations[number] == nil || links[.relation, number] != nil
            }
            if let number = MirrorConflict.timeNumber(conflict.field) {
                return record.entries[number] == nil && links.remote(.entry, number) == nil
            }
            // A conflict without an issue is about the project or a version.
            return conflict.issue > 0 && record.issues[conflict.issue] == nil
                && links.remote(.issue, conflict.issue) == nil
        }
    }

    // MARK: Removed items

    /// Records that an issue is no longer at the server, or no longer in the project, or is private
    /// there by now.
    ///
    /// - Parameters:
    ///   - number: the issue.
    ///   - sweep: the sweep in which it was looked for; nil if there was none.
    ///   - isHidden: whether it is private there.
    ///   - inStretches: whether it may stay, with the rest of very much time worked on it, until
    ///     the next round, which looks for it again.
    mutating func lose(
        _ number: Int, sweep: Int?, isHidden: Bool = false, inStretches: Bool = false
    ) {
        guard let link = links[.issue, number], let base = link.issue else { return }
        guard let issue = issue(number) else {
            links.remove(.issue, number)
            forgive(number)
            return
        }
        let merge = IssueMerge(
            base: base, ours: terms.values(of: issue, base), theirs: base,
            isWhole: formerWholes.contains(number))
        // Time that is the same on both sides is removed with its issue, as at the server.
        let times = self.times[number] ?? []
        let isTimeSame = times.allSatisfy { entry in
            guard let link = links[.entry, entry.id], link.remote > 0, let base = link.time else {
                return false
            }
            return TimeMerge(base: base, ours: terms.values(of: entry), theirs: base).pushed.isEmpty
        }
        // A note that wasn't sent yet is only here.
        guard merge.pushed.isEmpty, isTimeSame, !withUnsentNotes.contains(number) else {
            if let sweep { see(number, sweep) }
            let theirs = isHidden ? MirrorConflict.hidden : MirrorConflict.removed
            settle(number, MirrorConflict.removed, ("changed", theirs, ""))
            return
        }
        if inStretches {
            let part = times.sorted { $0.id < $1.id }.prefix(roomForLostTimes)
            roomForLostTimes -= part.count
            guard part.count == times.count else {
                for entry in part { remove(.entry, entry.id) }
                return forget(times: Set(part.map(\.id)))
            }
        }
        forgive(number)
        for entry in times { remove(.entry, entry.id) }
        forget(times: Set(times.map(\.id)))
        remove(.issue, number)
        links.remove(.issue, number)
        for relation in relations[number] ?? [] {
            remove(.relation, relation.id)
            links.remove(.relation, relation.id)
        }
    }

    /// Leaves a private issue at the server: here everyone could read it. One that was copied
    /// before it became private is removed here, as if it were gone there.
    mutating func hide(_ remote: RemoteIssue, sweep: Int?) {
        skipped.append("#\(remote.id) of the server: it is private; here everyone could read it")
        guard let number = links.number(.issue, remote: remote.id) else { return }
        lose(number, sweep: sweep, isHidden: true)
        // If the removal was undone, it would be made there again, where everyone can see it.
        if links[.issue, number] == nil { links.hide(number, remote: remote.id) }
    }

    /// Removes the issue whose number at the server now belongs to another one.
    mutating func loseFormer(_ remote: RemoteIssue, but number: Int? = nil) {
        guard let former = links.number(.issue, remote: remote.id), former != number,
            let base = links[.issue, former]?.issue,
            number != nil || remote.hasNumber(of: base)
        else { return }
        lose(former, sweep: nil)
        // If it was changed here, it stays, but isn't made there again until somebody has decided.
        links.remove(.issue, former)
    }

    /// Records that an issue still exists, but is no longer visible.
    mutating func deny(_ number: Int, sweep: Int?) {
        if let sweep { see(number, sweep) }
        skipped.append("#\(number): whoever is logged in may not see it at the server any more")
    }

    /// Records that an issue or a time entry still exists, but can't be kept here as it is now.
    mutating func pass(
        over kind: MirrorLinks.Kind, _ number: Int, sweep: Int?, _ reason: String
    ) {
        guard var link = links[kind, number] else { return }
        if let sweep { link.seen = sweep }
        links.keep(link)
        let name = kind == .entry ? "the time worked \(link.remote) of the server: " : ""
        skipped.append(name + reason)
    }

    mutating func see(_ number: Int, _ sweep: Int) {
        guard var link = links[.issue, number] else { return }
        link.seen = sweep
        links.keep(link)
    }

    /// Records that one of our issues is at the server now. `sent` is what was sent, if an answer
    /// was lost: if its subject there is now different, people decide, because it may be another
    /// issue.
    mutating func join(_ number: Int, with remote: RemoteIssue, sent: RemoteIssue? = nil) {
        forgive(number)
        loseFormer(remote, but: number)
        var base = remote
        if let sent, sent.subject != remote.subject {
            let both = [issue(number)?.subject, remote.subject]
            base.subject = ["?", "??", "???"].first { !both.contains($0) } ?? sent.subject
        }
        links.keep(
            MirrorLinks.Link(
                kind: .issue, number: number, remote: remote.id, base: RedmineBody.kept(base)))
        apply([remote], sweep: nil)
    }

    /// Records that some fields of an issue are now the same on both sides, because they were
    /// written there.
    mutating func agree(
        _ number: Int, on values: [RemoteField: RemoteValue], _ remote: RemoteIssue
    ) {
        guard var link = links[.issue, number], var base = link.issue else { return }
        for field in values.keys {
            base.take(field, from: remote)
            forgive(number, field.rawValue)
        }
        link.base = RedmineBody.kept(base)
        links.keep(link)
        apply([remote], sweep: nil)
    }

    /// Unlinks an issue, which then belongs to this project alone and is made at the server again.
    mutating func unlink(_ number: Int) {
        links.remove(.issue, number)
        forgive(number)
    }
}

extension IssueRelation {
    /// Whether it is a relation of its kind from one issue to another; two issues that only relate
    /// to each other do so in both directions.
    fileprivate func joins(_ from: Int?, _ to: Int?) -> Bool {
        self.from == from && self.to == to
            || kind == .relates && self.from == to && self.to == from
    }
}
