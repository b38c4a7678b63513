import ProjectNetwork
import ProjectRecord
import RedmineMirror

/// What has gone, and what is related.
extension MirrorState {
    mutating func relate(_ remote: RemoteIssue) {
        var present: Set<Int> = []
        for relation in remote.relations {
            present.insert(relation.id)
            guard let from = links.number(.issue, remote: relation.from),
                let to = links.number(.issue, remote: relation.to), issue(from) != nil,
                issue(to) != nil, links.number(.relation, remote: relation.id) == nil,
                let kind = IssueRelation.Kind(rawValue: relation.kind.rawValue)
            else { continue }
            let same = record.relations.values.first {
                $0.kind == kind && $0.from == from && $0.to == to
                    && links[.relation, $0.id] == nil
            }
            let number = same?.id ?? fresh(.relation)
            if same == nil {
                put(
                    .relation(
                        IssueRelation(
                            id: number, kind: kind, from: from, to: to, delay: relation.delay)))
            }
            links.keep(
                MirrorLinks.Link(
                    kind: .relation, number: number, remote: relation.id,
                    base: []))
        }
        guard let number = links.number(.issue, remote: remote.id) else { return }
        for relation in record.relations.values
        where relation.from == number || relation.to == number {
            guard let link = links[.relation, relation.id], link.remote > 0,
                !present.contains(link.remote)
            else { continue }
            remove(.relation, relation.id)
            links.remove(.relation, relation.id)
        }
    }

    // MARK: What has gone

    /// Takes note that an issue is no longer at the server, or no longer in the project.
    mutating func lose(_ number: Int, sweep: Int?) {
        guard let link = links[.issue, number], let base = link.issue else { return }
        guard let issue = issue(number) else {
            links.remove(.issue, number)
            forgive(number)
            return
        }
        let merge = IssueMerge(
            base: base, ours: terms.values(of: issue, base), theirs: base,
            isWhole: !record.parts(of: number).isEmpty)
        let hasTime = record.entries.values.contains { $0.issue == number }
        guard merge.pushed.isEmpty, !hasTime else {
            if let sweep { see(number, sweep) }
            settle(number, MirrorConflict.removed, ("changed", "removed", ""))
            return
        }
        forgive(number)
        remove(.issue, number)
        links.remove(.issue, number)
        for relation in record.relations.values
        where relation.from == number || relation.to == number {
            remove(.relation, relation.id)
            links.remove(.relation, relation.id)
        }
    }

    /// Takes note that an issue is still there and may no longer be seen.
    mutating func deny(_ number: Int, sweep: Int?) {
        if let sweep { see(number, sweep) }
        skipped.append("#\(number): whoever is logged in may not see it at the server any more")
    }

    mutating func see(_ number: Int, _ sweep: Int) {
        guard var link = links[.issue, number] else { return }
        link.seen = sweep
        links.keep(link)
    }

    /// An issue of ours is at the server now.
    mutating func join(_ number: Int, with remote: RemoteIssue) {
        forgive(number)
        links.keep(
            MirrorLinks.Link(
                kind: .issue, number: number, remote: remote.id, base: RedmineBody.kept(remote)))
        take([remote], sweep: nil)
    }

    /// Some fields of an issue are the same on both sides now, because they were written there.
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
        take([remote], sweep: nil)
    }

    /// The issue is one of this project alone from now on, and is made at the server again.
    mutating func unlink(_ number: Int) {
        links.remove(.issue, number)
        forgive(number)
    }
}
