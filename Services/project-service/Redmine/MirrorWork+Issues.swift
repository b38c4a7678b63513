import Dates
import RedmineClient
import RedmineMirror

/// Writes issues and their relations to a server.
extension MirrorTask {
    /// Makes an issue. The server has no way to make one only once, so after a lost answer this
    /// looks for it among the issues made since, even with another subject, because somebody may
    /// have changed it there.
    ///
    /// - Returns: the issue; nil if what was sent isn't there, and was changed here since.
    func make(
        _ values: [RemoteField: RemoteValue], _ attempted: Int64, _ sent: RemoteIssue?,
        _ known: Known
    ) throws(RedmineProblem) -> RemoteIssue? {
        if attempted > 0 {
            if let there = try find(values, attempted, sent, known) { return there }
            let texts = [RemoteField.subject, .description]
            guard texts.allSatisfy({ sent?[$0] ?? values[$0] == values[$0] }) else { return nil }
        }
        let answer = try server.send(
            "POST", "/issues.json", RedmineBody.issue(values, project: remote))
        let made: RemoteIssue
        do { made = try RedmineReader.issue(answer) } catch {
            throw .unanswered(error.description)
        }
        return try readBack { () throws(RedmineProblem) in try read(made.id) }
    }

    /// Looks for an issue that was sent before: the same one, even by another user, because
    /// somebody else may have been logged in then; or else the first of this user that can be it
    /// with another subject. Private issues aren't copied, so all of them are unknown here; if one
    /// was taken for ours, ours would be removed as private.
    private func find(
        _ values: [RemoteField: RemoteValue], _ attempted: Int64, _ sent: RemoteIssue?,
        _ known: Known
    ) throws(RedmineProblem) -> RemoteIssue? {
        let subject = sent?[.subject] ?? values[.subject]
        let description = sent?[.description] ?? values[.description]
        // Start a day earlier, because the server's clock may differ.
        let day = CivilDate(daysSince1970: Int(attempted / 86_400_000) - 1)
        var same: RemoteIssue?
        var renamed: RemoteIssue?
        var others = known.sentIssues
        var walk = PageWalk()
        while !walk.isDone {
            let page = try list([
                "project_id": "\(remote)", "subproject_id": "!*", "status_id": "*",
                "created_on": ">=\(day.iso)", "sort": "id", "include": "relations",
                "limit": "\(PageWalk.wanted)", "offset": "\(walk.offset)",
            ])
            let like = page.items.filter { issue in
                !issue.isPrivate && !known.has(issue) && issue[.description] == description
            }
            let alike = like.filter { $0[.subject] == subject }
            if let own = alike.first(where: { $0.author == user }) { return own }
            same = same ?? alike.first
            for issue in like where renamed == nil && issue.author == user {
                // Another issue that was sent has a search of its own.
                if let place = others.firstIndex(where: { $0.hasTexts(of: issue) }) {
                    others.remove(at: place)
                } else if let sent, sent.canBe(issue) {
                    renamed = issue
                }
            }
            do { try walk.note(page) } catch { throw .strange(error.description) }
        }
        return same ?? renamed
    }

    /// Changes fields of an issue. If somebody else changes it at the same moment, the server
    /// refuses that without a reason, and it is tried once more with what is there then.
    func change(
        _ number: Int, _ base: RemoteIssue, _ values: [RemoteField: RemoteValue],
        free: Set<RemoteField>, isMoved: inout Bool, isRepeated: Bool = false
    ) throws(RedmineProblem) -> [MirrorNews.Done] {
        let before = try read(base.id)
        // One that is private by now isn't in the mirror any more.
        guard !before.hasNumber(of: base), !before.isPrivate else { return [.stale(before)] }
        guard before.project == remote else { return [.gone(number: number)] }
        // Write only fields in which the server has what both sides had, or which may differ.
        let wanted = values.filter { field, value in
            before[field] != value && (before[field] == base[field] || free.contains(field))
        }
        guard !wanted.isEmpty else { return [.stale(before)] }
        isMoved = isMoved || wanted[.start] != nil || wanted[.due] != nil
        do throws(RedmineProblem) {
            _ = try server.send("PUT", "/issues/\(base.id).json", RedmineBody.issue(wanted))
        } catch .refused(let reasons) {
            if reasons.isEmpty, !isRepeated {
                return try change(
                    number, base, values, free: free, isMoved: &isMoved, isRepeated: true)
            }
            let fields = wanted.keys.map(\.rawValue).sorted()
            return [
                .refused(
                    number: number, fields: fields, before,
                    RedmineProblem.refused(reasons).description)
            ]
        }
        // “204” doesn't mean that anything was done.
        let after = try read(base.id)
        let ignored = wanted.filter { after[$0.key] != $0.value }
        var done: [MirrorNews.Done] = [
            .changed(number: number, wanted.filter { ignored[$0.key] == nil }, after)
        ]
        if !ignored.isEmpty {
            done.append(
                .refused(
                    number: number, fields: ignored.keys.map(\.rawValue).sorted(), after,
                    "the server said that it did this, but didn't"))
        }
        return done
    }

    /// Removes an issue. With it the server would also remove its parts and the time worked on it.
    /// A decision about a change there isn't one about these.
    func remove(
        _ number: Int, _ base: RemoteIssue, _ isForced: Bool, _ withTime: Bool, _ known: Known
    ) throws(RedmineProblem) -> MirrorNews.Done {
        let (before, attached) = try server.get(
            "/issues/\(base.id).json", ["include": "relations,children"]
        ) { (bytes) throws(RedmineFault) in
            (try RedmineReader.issue(bytes), try RedmineReader.attached(bytes))
        }
        let isSame = RemoteField.ofPeople(isWhole: known.wholes.contains(base.id))
            .allSatisfy { before[$0] == base[$0] }
        // One that is private by now isn't in the mirror any more.
        guard isSame || isForced, !before.hasNumber(of: base), !before.isPrivate else {
            return .stale(before)
        }
        // It belongs to another project by now.
        guard before.project == remote else { return .gone(number: number) }
        func refused(_ reason: String) -> MirrorNews.Done {
            .refused(number: number, fields: [MirrorConflict.removed], before, reason)
        }
        let unknown = attached.parts.filter { known.issues[$0] == nil }
        guard unknown.isEmpty else {
            let list = unknown.prefix(10).map { "#\($0)" }.joined(separator: ", ")
            return refused("with it the server would also remove its parts there: \(list)")
        }
        // Those that are known are moved or removed first, unless somebody has to decide about one.
        guard attached.parts.isEmpty else { return .stale(before) }
        guard attached.hours == 0 || withTime else { return refused(MirrorConflict.withTime) }
        _ = try server.send("DELETE", "/issues/\(base.id).json")
        return .removed(number: number)
    }

    /// Makes a relation. If it is there with another delay, people decide which is right: then the
    /// one that is there is replaced, because the server can't change it.
    func relate(_ step: MirrorStep) throws(RedmineProblem) -> [MirrorNews.Done] {
        guard
            case .relate(
                let number, let issue, let kind, let from, let to, let delay, let isForced) = step
        else { return [] }
        func present(_ issue: RemoteIssue) -> RemoteRelation? {
            issue.relations.first { $0.kind == kind && $0.joins(from, to) }
        }
        let before = try read(from)
        if let there = present(before) {
            if there.delay == delay { return [.related(number: number, there)] }
            guard isForced else { return [.stale(before)] }
            do throws(RedmineProblem) {
                _ = try server.send("DELETE", "/relations/\(there.id).json")
            } catch .missing {}
        }
        _ = try server.send(
            "POST", "/issues/\(from)/relations.json",
            RedmineBody.relation(kind, to: to, delay: delay))
        let after = try read(from)
        let made = present(after)
        if let made, made.delay == delay { return [.related(number: number, made)] }
        return [
            .refused(
                number: issue, fields: [MirrorConflict.relation(number)], made == nil ? nil : after,
                "the server said that it did this, but didn't")
        ]
    }

    /// Removes a relation, unless the one that has its number by now is another than `base`.
    func unrelate(_ relation: Int, _ base: [UInt8]) throws(RedmineProblem) {
        let path = "/relations/\(relation).json"
        do throws(RedmineProblem) {
            if !base.isEmpty {
                let there = try server.get(path, read: RedmineReader.relation)
                guard let there, RedmineBody.kept(there) == base else { return }
            }
            _ = try server.send("DELETE", path)
        } catch .missing {}
    }
}

extension RemoteIssue {
    fileprivate func hasTexts(of other: RemoteIssue) -> Bool {
        subject == other.subject && description == other.description
    }

    /// Whether an issue with the description that was sent can be this one with another subject.
    /// Without a description it must have been made since, and have the other fields.
    fileprivate func canBe(_ issue: RemoteIssue) -> Bool {
        let others: [RemoteField] = [.tracker, .start, .due, .estimate]
        return !description.isEmpty
            || issue.id >= id && others.allSatisfy { issue[$0] == self[$0] }
    }
}
