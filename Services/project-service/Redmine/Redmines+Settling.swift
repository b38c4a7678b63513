import Messages
import ProjectRecord
import RedmineMirror
import ServiceRuntime

extension Redmines {
    /// Decides whose value of a field counts.
    static func settle(
        _ command: SettleRedmine, in transaction: Transaction
    ) throws -> RedmineLink {
        var mirror = try mirror(of: command.project, in: transaction)
        let project = mirror.project
        let all = try ConflictStore.all(of: project, transaction.db)
        let chosen = all.filter {
            $0.issue == Int(command.issue)
                && (command.field.isEmpty || $0.field == command.field)
        }
        guard !chosen.isEmpty else {
            throw Refusal.notFound(
                "there is nothing to settle about #\(command.issue)"
                    + (command.field.isEmpty ? "" : ", \(command.field)")
                    + "; see steward redmine status")
        }
        guard command.theirs || !chosen.contains(where: \.isHidden) else {
            throw Refusal.conflict(
                "#\(command.issue) is private at the server by now, and here everyone could read "
                    + "it; --theirs removes it here, so write down first what was changed here "
                    + "and is to be kept")
        }
        let row = try transaction.project(project)
        let record = try row.record(transaction)
        let settlement = Settlement(
            of: chosen, among: all, record,
            try MirroredStore.links(of: project, transaction.db), theirs: command.theirs)
        if !settlement.edits.isEmpty {
            let outcome = try record.making(settlement.edits.count) { number, _ in
                settlement.edits[number]
            }
            _ = try Edits.keep(outcome, row, in: transaction)
        }
        var links = settlement.links
        if let issue = settlement.unlinked {
            try Mirrors.forgetNotes(
                of: issue, isHere: !command.theirs, &links, in: project, transaction)
        }
        try MirroredStore.save(links, of: project, transaction.db)
        try ConflictStore.save(settlement.conflicts, of: project, transaction.db)
        (mirror.due, mirror.asked) = (min(mirror.due, transaction.now), transaction.now)
        let isRemoved = chosen.contains {
            $0.field == MirrorConflict.removed || $0.field.hasSuffix(" \(MirrorConflict.removed)")
        }
        // Relations of issues that haven't changed since are read only with everything.
        let isRelation = chosen.contains { MirrorConflict.relationNumber($0.field) != nil }
        if isRemoved || isRelation || command.issue == 0 { mirror.swept = 0 }
        try mirror.save(transaction.db)
        return try told(mirror, in: transaction)
    }
}

/// What a decision about conflicts changes here, as one step.
struct Settlement {
    /// The edits of the project, in order.
    private(set) var edits: [ProjectEdit] = []
    /// The links and the conflicts after them.
    private(set) var links: MirrorLinks
    private(set) var conflicts: [MirrorConflict] = []
    /// The issue that only one side has, if that was decided.
    private(set) var unlinked: Int?
    private let record: ProjectRecord
    private let theirs: Bool
    /// Whether the issue has become private at the server.
    private let isHidden: Bool
    /// What was decided about.
    private var done: Set<MirrorLinks.Key> = []
    /// The fields whose conflicts are over. The others are decided in the next round.
    private var over: Set<String> = []
    /// The fields that wait for another decision, because too much would be changed at once.
    private var left: Set<String> = []
    private var cost = 0

    /// The maximum cost of a decision; each removed time entry costs 1. The loop waits for all of
    /// it.
    static let mostCost = 1_000

    /// Decides about conflicts.
    ///
    /// - Parameters:
    ///   - chosen: the conflicts, all of one issue.
    ///   - all: all conflicts of the mirror.
    ///   - record: the project.
    ///   - links: the links of the mirror.
    ///   - theirs: whether the server's value counts.
    init(
        of chosen: [MirrorConflict], among all: [MirrorConflict], _ record: ProjectRecord,
        _ links: MirrorLinks, theirs: Bool
    ) {
        (self.record, self.links, self.theirs) = (record, links, theirs)
        isHidden = chosen.contains(where: \.isHidden)
        let issue = chosen.first?.issue ?? 0
        // What the server has refused to make isn't there.
        let isUnmade = theirs && chosen.contains { $0.field == MirrorConflict.whole }
        let isRemoved = chosen.contains { $0.field == MirrorConflict.removed }
        let isOneSided = (isRemoved || isUnmade) && record.issues[issue] != nil
        for one in chosen { decide(one.field, without: theirs && isOneSided ? issue : nil) }
        if isOneSided { decide(of: issue) }
        let fields = Set(chosen.map(\.field))
        conflicts = all.compactMap { one in
            guard !over.contains(one.field), one.issue != unlinked else { return nil }
            guard one.issue == issue, fields.contains(one.field), !left.contains(one.field) else {
                return one
            }
            var decided = one
            decided.decision = theirs ? .theirs : .ours
            return decided
        }
    }

    /// Decides about a version, a relation, a time entry or a note. `removed` is the issue that is
    /// removed too, with its relations.
    private mutating func decide(_ field: String, without removed: Int?) {
        if let (number, part) = MirrorConflict.version(field) {
            // A version that is only at the server is added or removed in the next round.
            guard part == MirrorConflict.removed || part == MirrorConflict.itself && theirs,
                record.versions[number] != nil
            else { return }
            decide(field, .version, number, .removeVersion(number))
        } else if let number = MirrorConflict.relationNumber(field) {
            // One that the server has refused is removed here too, and so is one that it has with
            // another delay, which is added when it is read.
            guard theirs else { return }
            let relation = record.relations[number]
            let goesAlong = removed != nil && [relation?.from, relation?.to].contains(removed)
            decide(
                field, .relation, number,
                relation == nil || goesAlong ? nil : .unrelate(number, .keepGaps))
        } else if let number = MirrorConflict.timeNumber(field) {
            // An entry that is only at the server is added or removed in the next round.
            guard
                field == MirrorConflict.time(number)
                    || field == MirrorConflict.time(number, MirrorConflict.removed),
                record.entries[number] != nil
            else { return }
            decide(field, .entry, number, .removeEntry(number))
        } else if theirs, let number = MirrorConflict.noteNumber(field) {
            // It stays here, and is not sent again.
            decide(field, .note, number, nil)
        }
    }

    /// Decides about something that only one side has: it is removed here too, by an edit if it is
    /// part of the project, or made there again.
    private mutating func decide(
        _ field: String, _ kind: MirrorLinks.Kind, _ number: Int, _ edit: ProjectEdit?
    ) {
        let key = MirrorLinks.Key(kind: kind, number: number)
        if theirs, let edit, !done.contains(key) {
            guard pay(for: edit) else {
                left.insert(field)
                return
            }
            edits.append(edit)
        }
        done.insert(key)
        over.insert(field)
        // Relations are compared with those at the server in each round.
        if kind != .relation { links.remove(kind, number) }
    }

    /// Decides about an issue that only one side has, after everything about it.
    private mutating func decide(of issue: Int) {
        let edit = ProjectEdit.removeIssue(issue, withParts: false)
        let entries = record.entries.values.filter { $0.issue == issue }.map(\.id).sorted()
        for number in entries { decide(ofTime: number) }
        var hasRoom = left.isEmpty
        if hasRoom, theirs { hasRoom = pay(for: edit) }
        guard hasRoom else {
            left.formUnion([MirrorConflict.removed, MirrorConflict.whole])
            return
        }
        if theirs { edits.append(edit) }
        if isHidden, let remote = links.remote(.issue, issue) {
            links.hide(issue, remote: remote)
        } else {
            links.remove(.issue, issue)
        }
        unlinked = issue
    }

    /// Decides about time that was spent on an issue that only one side has. Time that the server
    /// had is removed with the issue, or logged there again with it.
    private mutating func decide(ofTime number: Int) {
        let key = MirrorLinks.Key(kind: .entry, number: number)
        guard !done.contains(key), links[.entry, number]?.remote ?? 0 > 0 else { return }
        if theirs {
            guard pay(for: .removeEntry(number)) else {
                left.insert(MirrorConflict.removed)
                return
            }
            edits.append(.removeEntry(number))
        }
        done.insert(key)
        links.remove(.entry, number)
    }

    /// Whether there is room for an edit.
    private mutating func pay(for edit: ProjectEdit) -> Bool {
        let price =
            if case .removeEntry = edit { 1 } else {
                Self.mostCost / Edits.mostActions(of: record)
            }
        guard cost + price <= Self.mostCost else { return false }
        cost += price
        return true
    }
}
