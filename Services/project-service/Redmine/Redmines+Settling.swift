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
        var conflicts = try ConflictStore.all(of: mirror.project, transaction.db)
        let places = conflicts.indices.filter {
            conflicts[$0].issue == Int(command.issue)
                && (command.field.isEmpty || conflicts[$0].field == command.field)
        }
        guard !places.isEmpty else {
            throw Refusal.notFound(
                "there is nothing to settle about #\(command.issue)"
                    + (command.field.isEmpty ? "" : ", \(command.field)")
                    + "; see steward redmine status")
        }
        for place in places { conflicts[place].decision = command.theirs ? .theirs : .ours }
        try ConflictStore.save(conflicts, of: mirror.project, transaction.db)
        let removed = places.contains { conflicts[$0].field == MirrorConflict.removed }
        let row = try transaction.project(mirror.project)
        let record = try row.record(transaction)
        // What the server has refused to make isn't there.
        let isUnmade =
            command.theirs
            && places.contains { conflicts[$0].field == MirrorConflict.whole }
        if removed || isUnmade, record.issues[Int(command.issue)] != nil {
            try settleRemoval(Int(command.issue), command.theirs, row, record, in: transaction)
        }
        for place in places {
            try settleVersion(conflicts[place], command.theirs, in: transaction, mirror.project)
            try settleRelation(conflicts[place], command.theirs, in: transaction, mirror.project)
            try settleTime(conflicts[place], command.theirs, of: mirror.project, in: transaction)
        }
        (mirror.due, mirror.asked) = (min(mirror.due, transaction.now), transaction.now)
        let isTimeRemoved = places.contains {
            conflicts[$0].field.hasSuffix(" \(MirrorConflict.removed)")
        }
        if removed || isTimeRemoved || command.issue == 0 { mirror.swept = 0 }
        try mirror.save(transaction.db)
        return try told(mirror, in: transaction)
    }

    /// The server no longer has an issue that was changed here: it is removed here too, or made
    /// there again.
    private static func settleRemoval(
        _ issue: Int, _ theirs: Bool, _ row: ProjectRow, _ record: ProjectRecord,
        in transaction: Transaction
    ) throws {
        let project = row.project.id
        if theirs {
            let outcome = try record.making(.removeIssue(issue, withParts: false))
            _ = try Edits.keep(outcome, row, in: transaction)
        }
        var links = try MirroredStore.links(of: project, transaction.db)
        links.remove(.issue, issue)
        try Mirrors.forgetNotes(of: issue, isHere: !theirs, &links, in: project, transaction)
        try MirroredStore.save(links, of: project, transaction.db)
        let others = try ConflictStore.all(of: project, transaction.db).filter { $0.issue != issue }
        try ConflictStore.save(others, of: project, transaction.db)
    }

    /// A version that only one side has: it is removed here too, or made there again.
    private static func settleVersion(
        _ conflict: MirrorConflict, _ theirs: Bool, in transaction: Transaction, _ project: String
    ) throws {
        guard let (number, field) = MirrorConflict.version(conflict.field),
            field == MirrorConflict.removed || field == MirrorConflict.itself && theirs
        else { return }
        let row = try transaction.project(project)
        let record = try row.record(transaction)
        // A version that is only at the server is added or removed in the next round.
        guard record.versions[number] != nil else { return }
        if theirs {
            let outcome = try record.making(.removeVersion(number))
            _ = try Edits.keep(outcome, row, in: transaction)
        }
        var links = try MirroredStore.links(of: project, transaction.db)
        links.remove(.version, number)
        try MirroredStore.save(links, of: project, transaction.db)
        let others = try ConflictStore.all(of: project, transaction.db)
            .filter { $0.field != conflict.field }
        try ConflictStore.save(others, of: project, transaction.db)
    }

    /// A relation that the server has refused is removed here too.
    private static func settleRelation(
        _ conflict: MirrorConflict, _ theirs: Bool, in transaction: Transaction, _ project: String
    ) throws {
        guard theirs, let number = MirrorConflict.relationNumber(conflict.field) else { return }
        let row = try transaction.project(project)
        let record = try row.record(transaction)
        if record.relations[number] != nil {
            let outcome = try record.making(.unrelate(number, .keepGaps))
            _ = try Edits.keep(outcome, row, in: transaction)
        }
        let others = try ConflictStore.all(of: project, transaction.db).filter {
            $0.issue != conflict.issue || $0.field != conflict.field
        }
        try ConflictStore.save(others, of: project, transaction.db)
    }

    /// A time entry that only one side has, or a note that the server has refused.
    private static func settleTime(
        _ conflict: MirrorConflict, _ theirs: Bool, of project: String,
        in transaction: Transaction
    ) throws {
        let row = try transaction.project(project)
        let record = try row.record(transaction)
        var links = try MirroredStore.links(of: project, transaction.db)
        if let number = MirrorConflict.timeNumber(conflict.field) {
            let isWhole =
                conflict.field == MirrorConflict.time(number)
                || conflict.field == MirrorConflict.time(number, MirrorConflict.removed)
            // An entry that is only at the server is added or removed in the next round.
            guard isWhole, record.entries[number] != nil else { return }
            if theirs {
                let outcome = try record.making(.removeEntry(number))
                _ = try Edits.keep(outcome, row, in: transaction)
            }
            links.remove(.entry, number)
        } else if theirs, let number = MirrorConflict.noteNumber(conflict.field) {
            // It stays here, and is not sent again.
            links.remove(.note, number)
        } else {
            return
        }
        try MirroredStore.save(links, of: project, transaction.db)
        let others = try ConflictStore.all(of: project, transaction.db)
            .filter { $0.field != conflict.field }
        try ConflictStore.save(others, of: project, transaction.db)
    }
}
