import Dates
import Messages
import ProjectNetwork
import ProjectRecord
import RedmineMirror
import WorkCalendar

/// A project here and what is known about its mirror. What comes from the server is put into it.
struct MirrorState {
    /// The project before anything was put into it.
    let record: ProjectRecord
    var names: MirrorNames
    var links: MirrorLinks
    var conflicts: [MirrorConflict]
    /// The issues with notes that the server doesn't have yet.
    let withUnsentNotes: Set<Int>
    /// Why issues of the server can't be kept here.
    var skipped: [String] = []
    /// How many time entries at the server can't be kept here.
    var skippedTimes = 0

    /// How many time entries may still be removed with issues that are gone at the server.
    var roomForLostTimes = MirrorState.mostLostTimes
    /// The maximum number of them in a round. The loop waits while they are removed, so the rest of
    /// very many goes in the next rounds.
    static let mostLostTimes = 5_000

    /// The items to keep, in order, each of them once.
    var items: [ProjectItem.Key: ProjectItem] = [:]
    private var order: [ProjectItem.Key] = []
    private var removed: Set<ProjectItem.Key> = []
    /// The relations of each issue that has any, before that.
    private(set) lazy var relations = Self.relations(of: record)
    /// The time worked on each issue that has any, before that.
    private(set) lazy var times = Dictionary(grouping: record.entries.values, by: \.issue)
    /// The issues that have, or had, parts at the server, by their numbers there.
    private lazy var remoteWholes = links.wholes
    /// The issues that had parts before that.
    private(set) lazy var formerWholes = Set(record.issues.values.compactMap(\.parent))
    /// The names of members and versions that are, or were, here.
    private(set) var memberNames: Set<String>
    private(set) var versionNames: Set<String>
    private var last: [ProjectItem.Kind: Int]

    init(
        _ record: ProjectRecord, _ names: MirrorNames, _ links: MirrorLinks,
        _ conflicts: [MirrorConflict], withUnsentNotes: Set<Int> = []
    ) {
        self.withUnsentNotes = withUnsentNotes
        (self.record, self.names, self.links, self.conflicts) = (record, names, links, conflicts)
        last = record.lastNumbers
        // Lazy properties would be copied at each change.
        memberNames = Set(record.members.values.map(\.name))
        versionNames = Set(record.versions.values.map(\.name))
    }

    /// The result for the project; nil if nothing changes.
    var edit: ProjectEdit? {
        let kept = order.compactMap { removed.contains($0) ? nil : items[$0] }
        guard !kept.isEmpty || !removed.isEmpty else { return nil }
        return .mirror(kept, removed: removed.sorted { $0.id < $1.id })
    }

    var terms: MirrorTerms { MirrorTerms(names: names, links: links) }

    func issue(_ number: Int) -> ProjectIssue? {
        let key = ProjectItem.Key(kind: .issue, id: number)
        guard !removed.contains(key) else { return nil }
        if case .issue(let issue)? = items[key] { return issue }
        return record.issues[number]
    }

    func isRemoved(_ key: ProjectItem.Key) -> Bool { removed.contains(key) }

    mutating func put(_ item: ProjectItem) {
        if items.updateValue(item, forKey: item.key) == nil { order.append(item.key) }
        removed.remove(item.key)
        switch item {
        case .member(let member): memberNames.insert(member.name)
        case .version(let version): versionNames.insert(version.name)
        default: break
        }
        last[item.key.kind] = max(last[item.key.kind] ?? 0, item.key.id)
    }

    mutating func remove(_ kind: ProjectItem.Kind, _ id: Int) {
        removed.insert(ProjectItem.Key(kind: kind, id: id))
    }

    mutating func fresh(_ kind: ProjectItem.Kind) -> Int {
        let number = (last[kind] ?? 0) + 1
        last[kind] = number
        return number
    }

    private static func relations(of record: ProjectRecord) -> [Int: [IssueRelation]] {
        var relations: [Int: [IssueRelation]] = [:]
        for relation in record.relations.values {
            relations[relation.from, default: []].append(relation)
            relations[relation.to, default: []].append(relation)
        }
        return relations
    }

    // MARK: Issues

    /// Takes over the server's issues, except those that are private there. Those of another
    /// project no longer belong to this one. `sweep` is the sweep in which they were seen; nil if
    /// there was none.
    mutating func apply(_ all: [RemoteIssue], sweep: Int?) {
        for remote in all { loseFormer(remote) }
        for remote in all where remote.isPrivate { hide(remote, sweep: sweep) }
        let issues = all.filter { !$0.isPrivate }
        for remote in issues {
            if let assignee = remote.assignee { member(assignee) }
            if let version = remote.version { _ = self.version(version) }
        }
        addNames(of: issues)
        wholes = Set(record.issues.values.compactMap(\.parent)).union(
            issues.compactMap { $0.parent.flatMap { links.number(.issue, remote: $0) } })
        // Assign all numbers first, because issues refer to each other.
        let hidden = links.hidden
        for remote in issues where links.number(.issue, remote: remote.id) == nil {
            add(remote, as: hidden[remote.id])
        }
        for remote in issues { merge(remote, sweep: sweep) }
        joinWholes()
        for remote in issues { relate(remote) }
    }

    /// Adds an issue, which keeps the server's number here if that is free. `former` is the number
    /// that it had here before it was private for a while.
    private mutating func add(_ remote: RemoteIssue, as former: Int? = nil) {
        let highest = last[.issue] ?? 0
        let free = remote.id > highest ? remote.id : highest + 1
        let number = former.flatMap { self.issue($0) == nil ? $0 : nil } ?? free
        var issue = ProjectIssue(
            id: number, subject: remote.subject, tracker: remote.tracker.name,
            status: remote.status.name)
        issue.description = remote.description
        do throws(Refusal) {
            try issue.validate()
            try requireNames(of: issue)
        } catch {
            skipped.append("#\(remote.id) of the server: \(error.message)")
            return
        }
        put(.issue(issue))
        // Nothing in it is ours, so all its fields are taken.
        links.keep(
            MirrorLinks.Link(
                kind: .issue, number: number, remote: remote.id,
                base: RedmineBody.kept(remote), seen: 0))
        isNew.insert(number)
    }

    var isNew: Set<Int> = []

    func decision(_ number: Int, _ field: String) -> MirrorConflict.Decision? {
        conflicts.first { $0.issue == number && $0.field == field }?.decision
    }

    private mutating func merge(_ remote: RemoteIssue, sweep: Int?) {
        guard let number = links.number(.issue, remote: remote.id),
            var link = links[.issue, number]
        else { return }
        if let sweep { link.seen = sweep }
        let base = link.issue ?? remote
        guard var issue = issue(number) else {
            if decision(number, MirrorConflict.removed) == .theirs {
                unlink(number)
                add(remote)
                return merge(remote, sweep: sweep)
            }
            // It was removed here, and is removed there too unless somebody has changed it.
            let isSame = RemoteField.ofPeople(isWhole: remoteWholes.contains(remote.id))
                .allSatisfy { base[$0] == remote[$0] }
            if !isSame || !isRefused(number, MirrorConflict.removed) {
                settle(number, MirrorConflict.removed, isSame ? nil : ("removed", "changed", ""))
            }
            return links.keep(link)
        }
        // It may have been private, or in another project, for a while.
        settle(number, MirrorConflict.removed, nil)
        let before = issue
        issue.version = successor(of: issue.version, base, remote)
        let isNew = isNew.contains(number)
        let ours = isNew ? base.values : terms.values(of: issue, base)
        let merge = IssueMerge(
            base: base, ours: ours, theirs: remote, isWhole: isWhole(number))
        let (mine, next) = settle(merge, of: issue, ours, base, remote, isNew: isNew)
        if mine != before { put(.issue(mine)) }
        link.base = RedmineBody.kept(next)
        links.keep(link)
    }

    /// Gives an issue the server's values, except where ours count or there is a conflict.
    ///
    /// - Returns: the issue, and what both sides last had.
    private mutating func settle(
        _ merge: IssueMerge, of issue: ProjectIssue, _ ours: [RemoteField: RemoteValue],
        _ base: RemoteIssue, _ remote: RemoteIssue, isNew: Bool
    ) -> (ProjectIssue, RemoteIssue) {
        let number = issue.id
        var (mine, next) = (issue, remote)
        for field in RemoteField.allCases {
            let isOpen = merge.conflicts.contains(field) || merge.pushed.contains(field)
            if isOpen, decision(number, field.rawValue) == .theirs {
                terms.put(field, of: remote, into: &mine)
                settle(number, field.rawValue, nil)
            } else if merge.conflicts.contains(field) {
                next.take(field, from: base)
                settle(
                    number, field.rawValue,
                    (words(field, of: issue), MirrorTerms.words(field, of: remote), ""))
            } else if merge.pushed.contains(field) {
                continue
            } else {
                // A tracker or a status that both sides have may have another name there by now.
                let isNamed = [.tracker, .status].contains(field) && ours[field] == remote[field]
                if isNew || isNamed || merge.taken.contains(field) {
                    terms.put(field, of: remote, into: &mine)
                }
                settle(number, field.rawValue, nil)
            }
        }
        do throws(Refusal) {
            try mine.validate()
            try requireNames(of: mine)
        } catch {
            skipped.append("#\(remote.id) of the server: \(error.message)")
            return (issue, base)
        }
        return (mine, next)
    }

    /// Our value of a field, as people read it.
    private func words(_ field: RemoteField, of issue: ProjectIssue) -> String {
        Self.words(field.rawValue, of: issue, in: record)
    }

    /// Whether an issue has parts, here or there.
    private func isWhole(_ number: Int) -> Bool { wholes.contains(number) }

    private var wholes: Set<Int> = []

    /// Puts issues into the issue that they are a part of, if that arrived after them.
    private mutating func joinWholes() {
        guard !isNew.isEmpty else { return }
        for link in links.all(.issue) {
            guard let whole = link.issue?.parent,
                let parent = links.number(.issue, remote: whole), var issue = issue(link.number),
                issue.parent == nil, isNew.contains(parent) || isNew.contains(link.number)
            else { continue }
            issue.parent = parent
            put(.issue(issue))
        }
    }

    /// Whether the server has refused something that was done here. That stays a conflict until
    /// somebody decides: otherwise it would be tried again, and reported again, in each round.
    func isRefused(_ number: Int, _ field: String) -> Bool {
        conflicts.contains { $0.issue == number && $0.field == field && !$0.reason.isEmpty }
    }

    /// Keeps, replaces or deletes the conflict about a field of an issue.
    mutating func settle(
        _ number: Int, _ field: String, _ said: (ours: String, theirs: String, reason: String)?
    ) {
        let decision = decision(number, field)
        conflicts.removeAll { $0.issue == number && $0.field == field }
        guard let said else { return }
        // A decision for our value stands until the server has that value, or refuses it.
        conflicts.append(
            MirrorConflict(
                issue: number, field: field, ours: said.ours, theirs: said.theirs,
                reason: said.reason, decision: said.reason.isEmpty ? decision : nil))
    }

    /// Records that the server did not accept a field, or an issue as a whole.
    mutating func refuse(_ number: Int, _ field: String, theirs: String, _ reason: String) {
        let own = record.issues[number].map { Self.words(field, of: $0, in: record) }
        settle(number, field, (own ?? "", theirs, reason.prefix(bytes: MirrorConflict.longest)))
    }

    /// Our value of a field, or our issue as a whole, as people read it.
    static func words(
        _ field: String, of issue: ProjectIssue, in record: ProjectRecord
    ) -> String {
        if let number = MirrorConflict.timeNumber(field) {
            return words(field, ofTime: number, in: record)
        }
        // A note is never changed.
        guard !field.hasPrefix("note ") else { return field }
        let fields = FieldChange.Field(rawValue: field).map { [$0] } ?? FieldChange.Field.allCases
        let values = fields.map { record.value(of: $0, in: issue) }.filter { !$0.isEmpty }
        return values.joined(separator: ", ").prefix(bytes: MirrorConflict.longest)
    }

    /// Deletes the conflicts about an issue.
    mutating func forgive(_ number: Int, _ field: String? = nil) {
        conflicts.removeAll { $0.issue == number && (field == nil || $0.field == field) }
    }
}
