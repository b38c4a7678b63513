import Dates
import Messages
import ProjectLanguage
import ProjectNetwork
import ProjectRecord
import ServiceRuntime

/// Edits projects, undoes and redoes edits, and shows their history.
enum Edits {
    static var handlers: [MessageHandler] {
        [
            .command(edit, .member),
            .command(undo, .member),
            .command(redo, .member),
            .query(readHistory, .member),
        ]
    }

    /// The maximum number of actions in an edit of a project with this many issues and relations.
    /// Each action examines all of them, and the loop waits for all actions. Ten entries of time
    /// worked, which are examined faster, count as one.
    static func mostActions(things: Int) -> Int { min(max(500_000 / max(things, 1), 20), 1_000) }

    /// The maximum number of actions in an edit of a project.
    static func mostActions(of record: ProjectRecord) -> Int {
        mostActions(
            things: record.issues.count + record.relations.count + record.entries.count / 10)
    }

    /// The maximum number of bytes of the things in a project.
    static let mostBytes = 50_000_000
    static var tooLarge: Refusal {
        .conflict(
            "the project would have more than \(mostBytes / 1_000_000) MB; shorten descriptions, "
                + "or begin another project")
    }
    /// The maximum number of changes in an answer or an event, and about how many bytes.
    static let mostChanges = 200
    static let changeBytes = 300_000
    /// The maximum number of moves in an answer, and of issues that stay.
    static let mostMoves = 2_000

    static func edit(_ command: EditProject, in transaction: Transaction) throws -> ProjectEdited {
        let row = try transaction.project(command.project)
        let seen = command.expectedRevision
        guard seen == 0 || seen == row.project.revision else {
            throw Refusal.conflict(
                "the project is at revision \(row.project.revision) and your edit was made from "
                    + "\(seen); read it again"
            ).because(.changedSince)
        }
        let actions = command.actions
        let record = try row.record(transaction)
        let most = mostActions(of: record)
        guard (1...most).contains(actions.count) else {
            throw Refusal.invalid(
                "an edit of this project has 1 to \(most) actions, not \(actions.count)")
        }
        let mode = CascadeMode(command.mode)
        let today = try day(command.today, at: transaction.now)
        let outcome = try record.making(actions.count) { number, record throws(Refusal) in
            let action = try actions[number].naming(transaction.principal, record)
            return try action.edit(of: record, mode, on: today)
        }
        guard !outcome.changes.isEmpty, !command.preview else {
            return answer(row.project, outcome)
        }
        try OrganisationLimits.requireRoom(in: row.project.organisation, transaction.db)
        return try keep(outcome, row, in: transaction)
    }

    /// The date where a sender is, which differs by at most a day from that of UTC.
    private static func day(_ text: String, at now: Int64) throws(Refusal) -> CivilDate {
        let utc = Int(now / 86_400_000)
        let day = try CivilDate.read(text, "today")?.daysSince1970 ?? utc
        return CivilDate(daysSince1970: min(max(day, utc - 1), utc + 1))
    }

    /// Keeps the outcome of an edit as a step by the person with a name; nil for the sender.
    static func keep(
        _ outcome: ProjectOutcome, _ row: ProjectRow, by name: String? = nil,
        in transaction: Transaction
    ) throws -> ProjectEdited {
        var row = row
        row.step += 1
        row.project.undoable = try StepStore.add(
            ProjectStep(
                number: row.step, text: StepWords.sentence(of: outcome.changes),
                time: transaction.now, by: name ?? transaction.principal.name),
            outcome.changes, to: row.project.id, transaction.db)
        row.project.redoable = 0
        let because = Dictionary(
            outcome.moves.map { ($0.issue, IssueMove($0)) }, uniquingKeysWith: { first, _ in first }
        ).mapValues { $0.predecessor > 0 ? $0.predecessor : $0.part }
        try advance(
            &row, by: outcome.changes, to: outcome.record, because: because, as: name,
            in: transaction)
        guard row.bytes <= mostBytes else { throw tooLarge }
        return answer(row.project, outcome)
    }

    private static func edits(_ count: UInt32) -> String {
        count == 1 ? "1 edit" : "\(count) edits"
    }

    static func undo(_ command: UndoProject, in transaction: Transaction) throws -> ProjectEdited {
        let row = try transaction.project(command.project)
        try require(command.expectedRevision, in: row)
        let count = max(command.steps, 1)
        guard count <= row.project.undoable else {
            throw Refusal.conflict(
                row.project.undoable == 0
                    ? "there is no edit of the project to undo"
                    : "only \(edits(row.project.undoable)) can be undone")
        }
        let numbers = (0..<UInt64(count)).map { row.step - $0 }
        return try walk(row, along: numbers, by: -Int64(count), in: transaction) {
            $0.reversed().map(\.reversed)
        }
    }

    static func redo(_ command: RedoProject, in transaction: Transaction) throws -> ProjectEdited {
        let row = try transaction.project(command.project)
        try require(command.expectedRevision, in: row)
        let count = max(command.steps, 1)
        guard count <= row.project.redoable else {
            throw Refusal.conflict(
                row.project.redoable == 0
                    ? "there is nothing to redo"
                    : "only \(edits(row.project.redoable)) can be redone")
        }
        let numbers = (1...UInt64(count)).map { row.step + $0 }
        return try walk(row, along: numbers, by: Int64(count), in: transaction) { $0 }
    }

    /// Refuses to undo or redo something in a revision other than the one that the sender has seen;
    /// 0 for any.
    private static func require(_ seen: UInt64, in row: ProjectRow) throws(Refusal) {
        guard seen == 0 || seen == row.project.revision else {
            throw .conflict(
                "the project is at revision \(row.project.revision) and no longer at \(seen); see "
                    + "what others have done: steward project history")
        }
    }

    /// Undoes or redoes steps of a project, one after another.
    ///
    /// - Parameters:
    ///   - numbers: the numbers of the steps.
    ///   - count: how many steps there are; negative when they are undone.
    ///   - turned: returns the changes to make, given those of a step.
    private static func walk(
        _ row: ProjectRow, along numbers: [UInt64], by count: Int64, in transaction: Transaction,
        _ turned: ([ProjectChange]) -> [ProjectChange]
    ) throws -> ProjectEdited {
        var row = row
        let before = try row.record(transaction)
        var record = before
        var keys: [ProjectItem.Key] = []
        var known: Set<ProjectItem.Key> = []
        let sender = transaction.principal
        for number in numbers {
            let author = try StepStore.author(of: number, in: row.project.id, transaction.db)
            let changes = turned(
                try StepStore.changes(
                    of: number, in: row.project.id, record.details, transaction.db)
            ).map { $0.sparingAccounts(in: record, for: sender, isOwn: author == sender.name) }
            try record.apply(changes)
            for key in changes.compactMap({ $0.before?.key ?? $0.after?.key })
            where known.insert(key).inserted { keys.append(key) }
        }
        let changes = keys.map { ProjectChange(before: before[$0], after: record[$0]) }
            .filter { $0.before != $0.after }
        try MirroredStore.requireVisible(changes, of: row.project.id, transaction.db)
        row.step = UInt64(clamping: Int64(row.step) + count)
        row.project.undoable = UInt32(clamping: Int64(row.project.undoable) + count)
        row.project.redoable = UInt32(clamping: Int64(row.project.redoable) - count)
        try advance(&row, by: changes, to: record, because: [:], in: transaction)
        return answer(row.project, changes)
    }

    static func readHistory(
        _ query: ReadProjectHistory, in transaction: Transaction
    ) throws -> ProjectHistory {
        let row = try transaction.project(query.project)
        var steps = try StepStore.all(
            of: row.project.id, before: query.before == 0 ? .max : query.before,
            limit: pageLimit(query.limit, usual: 50, most: 500), transaction.db)
        for index in steps.indices { steps[index].undone = steps[index].number > row.step }
        return ProjectHistory(steps: steps)
    }

    // MARK: What the handlers share

    /// Makes the next revision of a project: saves the changes, enters them in the journals of its
    /// issues, and publishes them.
    ///
    /// - Parameters:
    ///   - because: for issues that moved along, the issue that caused it.
    ///   - name: who did it; nil for the sender.
    private static func advance(
        _ row: inout ProjectRow, by changes: [ProjectChange], to record: ProjectRecord,
        because: [Int: UInt32], as name: String? = nil, in transaction: Transaction
    ) throws {
        row.bytes += try ItemStore.save(changes, of: row.project.id, transaction.db)
        let name = name ?? transaction.principal.name
        row.update(from: record, by: name, in: transaction)
        try row.requireFree(transaction)
        try row.save(transaction.db)
        for change in changes {
            guard case .issue(let issue)? = change.after ?? change.before else { continue }
            var entry = IssueEntry(change, in: record, of: transaction)
            entry.because = because[issue.id] ?? 0
            entry.by = name
            try JournalStore.add(entry, to: issue.id, of: row.project.id, transaction.db)
        }
        OpenProjects.shared.put(record, of: row.project.id, mark: row.mark)
        try transaction.publish(
            ProjectChanged(project: row.project, changes: told(changes)), subject: row.project.id)
        try MirrorRow.hurry(
            row.project.id, to: transaction.now + MirrorRow.patience, transaction.db)
        try IssueWatch.follow(changes, of: row, record, because: because, by: name, in: transaction)
    }

    private static func told(_ changes: [ProjectChange]) -> [ThingChange] {
        changes.prefix(mostChanges).messages(within: changeBytes) { ThingChange($0) }
    }

    private static func answer(_ project: Project, _ changes: [ProjectChange]) -> ProjectEdited {
        ProjectEdited(
            project: project.listed, changes: told(changes),
            changed: UInt32(clamping: changes.count))
    }

    private static func answer(_ project: Project, _ outcome: ProjectOutcome) -> ProjectEdited {
        var edited = answer(project, outcome.changes)
        edited.moves = outcome.moves.prefix(mostMoves).messages(within: changeBytes) {
            IssueMove($0)
        }
        edited.moved = UInt32(clamping: outcome.moves.count)
        edited.conflicts = outcome.conflicts.prefix(mostMoves).map { UInt32(clamping: $0) }
        edited.numbers = outcome.numbers.map { UInt32(clamping: $0) }
        return edited
    }
}

extension ProjectAction {
    /// The action with the sender's account in the place of `me`.
    ///
    /// - Throws: a refusal of anyone else's account: people say themselves where they want to be
    ///   alerted.
    fileprivate func naming(
        _ sender: Principal, _ record: ProjectRecord
    ) throws(Messages.Refusal) -> ProjectAction {
        var action = self
        switch self.action {
        case .keep(let thing):
            action.action = .keep(
                try thing.naming(sender) { record.members[Int($0)]?.account ?? "" })
        case .added(var added):
            // Their numbers apply only among them: none refers to a person of the project yet.
            for place in added.things.indices {
                added.things[place] = try added.things[place].naming(sender) { _ in "" }
            }
            action.action = .added(added)
        default: break
        }
        return action
    }
}

extension ProjectChange {
    /// The change that undoes or redoes a change of a person, with the account that the person may
    /// have then. An account is restored for its owner, and for a sender who undoes their own edit;
    /// otherwise it stays as it is now.
    fileprivate func sparingAccounts(
        in record: ProjectRecord, for sender: Principal, isOwn: Bool
    ) -> ProjectChange {
        guard case .member(let member)? = after ?? before else { return self }
        let known = record.members[member.id]?.account ?? ""
        var change = self
        var earlier = ""
        if case .member(var was)? = before {
            earlier = was.account
            was.account = known
            change.before = .member(was)
        }
        if case .member(var becomes)? = after {
            let isFree = becomes.account.isEmpty || becomes.account == sender.account || isOwn
            if becomes.account == earlier || !isFree { becomes.account = known }
            change.after = .member(becomes)
        }
        return change
    }
}

extension ProjectThing {
    /// The thing with the sender's account in the place of `me`; `known` returns the account that
    /// the person with a number has now.
    fileprivate func naming(
        _ sender: Principal, _ known: (UInt32) -> String
    ) throws(Messages.Refusal) -> ProjectThing {
        guard case .member(var member) = thing, !member.account.isEmpty,
            member.account != known(member.number)
        else { return self }
        guard member.account == "me" || member.account == sender.account else {
            throw .forbidden(
                "only they themselves can say that the alerts of \(member.name) go to this account")
        }
        member.account = sender.account
        return ProjectThing(thing: .member(member))
    }
}
