import Messages
import ProjectRecord
import RedmineClient
import ServiceRuntime

/// Keeps projects the same as those at Redmine servers, round by round: first it reads what was
/// changed there and puts it in here, then it writes what was changed here to the server. A round
/// is an errand, which also finds out what to do and what becomes of the project (`MirrorRound`).
/// What a round has read or written is kept before the next one begins.
enum Mirrors {
    static var errands: [ErrandHandler] {
        [
            ErrandHandler(
                "redmine", atOnce: 2, take: take, name: \.project, work: { $0.run() },
                finish: { try finish($0, $1, in: $2) },
                giveUp: { try fail($0.project, $1, in: $2) })
        ]
    }

    /// How long after a round the next one begins, in milliseconds.
    static let interval: Int64 = 60_000
    /// The longest time between two readings of everything, in milliseconds. For a small project,
    /// every round reads everything.
    static let sweepInterval: Int64 = 900_000
    static let smallProject = 300
    /// The waits after failures, in milliseconds; the last one is repeated.
    private static let waits: [Int64] = [1_000, 2_000, 5_000, 15_000, 60_000, 300_000]
    /// The maximum number of missing issues that a round looks for.
    static let mostMissing = 50

    // MARK: Beginning

    static func take(_ transaction: Transaction) throws -> MirrorRound? {
        guard let mirror = try MirrorRow.due(at: transaction.now, transaction.db) else {
            return nil
        }
        return try transaction.sparingOthers("redmine") {
            try begin(mirror, in: transaction)
        } putAside: { reason in
            try fail(mirror.project, reason, in: transaction)
        }
    }

    private static func begin(
        _ mirror: MirrorRow, in transaction: Transaction
    ) throws -> MirrorRound? {
        var mirror = mirror
        guard let row = try ProjectRow.ofID(mirror.project, transaction.db) else {
            try end(mirror.project, in: transaction)
            return nil
        }
        guard let server = try server(of: mirror, in: transaction) else {
            try stop(
                &mirror, of: row.project,
                "the log-in at the server is missing or can't be read; log in again: steward "
                    + "redmine login, then steward redmine link \(mirror.identifier)",
                in: transaction)
            return nil
        }
        if let why = try lackOfRoom(for: row.project, in: transaction) {
            try stop(&mirror, of: row.project, why, in: transaction)
            return nil
        }
        let round = MirrorRound(
            server: server.server, user: server.user,
            snapshot: try snapshot(of: mirror, row, in: transaction),
            rest: MirrorRests.shared.take(mirror))
        mirror.isUnderWay = true
        try mirror.save(transaction.db)
        return round
    }

    /// Why nothing can be added to a project; nil if there is room.
    private static func lackOfRoom(
        for project: Project, in transaction: Transaction
    ) throws -> String? {
        if try NoteSize.isFull(project.id, transaction.db) {
            return "the notes of the project have \(NoteSize.most >> 20) MiB, and no more are kept"
        }
        return try OrganisationLimits.isFull(project.organisation, transaction.db)
            ? OrganisationLimits.full : nil
    }

    /// Everything that a round needs to know.
    private static func snapshot(
        of mirror: MirrorRow, _ row: ProjectRow, in transaction: Transaction
    ) throws -> MirrorSnapshot {
        let links = try MirroredStore.links(of: mirror.project, transaction.db)
        let isWriting = mirror.phase == .write
        return MirrorSnapshot(
            mirror: mirror, mark: row.mark,
            linksMark: try MirroredStore.mark(of: mirror.project, transaction.db),
            record: try row.record(transaction), bytes: row.bytes,
            names: try TermStore.names(of: mirror.project, transaction.db), links: links,
            conflicts: try ConflictStore.all(of: mirror.project, transaction.db),
            pending: isWriting ? try pendingNotes(of: mirror, links, in: transaction) : [],
            withNotes: mirror.phase == .notes
                ? try JournalStore.issuesWithNotes(mirrored: mirror.project, transaction.db) : [],
            withUnsentNotes: links.hasUnsentNotes
                ? Set(try JournalStore.unsentNotes(of: mirror.project, transaction.db).values) : [],
            now: transaction.now)
    }

    /// The server of a mirror with its log-in; nil if there is no log-in that can be opened.
    private static func server(
        of mirror: MirrorRow, in transaction: Transaction
    ) throws -> (server: RedmineServer, user: Int)? {
        guard let row = try RedmineLogInRow.ofID(mirror.logIn, transaction.db) else { return nil }
        return try Redmines.server(of: row, in: transaction).map { ($0, row.user) }
    }

    // MARK: Ending

    static func finish(
        _ round: MirrorRound, _ result: MirrorResult, in transaction: Transaction
    ) throws {
        let before = round.snapshot.mirror
        guard var mirror = try MirrorRow.of(before.project, transaction.db),
            mirror.remote == before.remote,
            let row = try ProjectRow.ofID(before.project, transaction.db)
        else { return }
        let isCurrent = try isCurrent(round.snapshot, mirror, row, in: transaction)
        switch result {
        case .planned(let steps, let links):
            try finish(
                steps, links, of: round.snapshot, &mirror, isCurrent: isCurrent, in: transaction)
        case .read(let task, let news, let merged):
            if isCurrent { return try finish(task, news, merged, row, in: transaction) }
            let tries = round.tries + 1
            guard tries > mostTries, isSmall(news, beside: round.snapshot.conflicts.count) else {
                // Something was changed here meanwhile, so what was read is merged again.
                let rest = MirrorRest.merge(task, news, tries: tries)
                let isKept = MirrorRests.shared.put(rest, of: mirror)
                let pause = !isKept ? noRoomPause : tries > mostTries ? busyPause : 0
                (mirror.isUnderWay, mirror.due) = (false, transaction.now + pause)
                return try mirror.save(transaction.db)
            }
            let snapshot = try snapshot(of: mirror, row, in: transaction)
            try finish(
                task, news, MirrorRound.merge(news, of: task, into: snapshot), row,
                in: transaction)
        }
    }

    /// How many times what was read is merged again outside the loop, because of changes here
    /// meanwhile, before that is done inside the loop.
    private static let mostTries = 4
    /// How long a mirror waits when somebody changes its project again and again, and when there is
    /// no room for the rest of its round, in milliseconds.
    private static let (busyPause, noRoomPause): (Int64, Int64) = (5_000, 30_000)
    /// The maximum number of things that are merged inside the loop, and of conflicts beside them:
    /// twice as many as servers send. More are merged once nobody changes the project meanwhile.
    private static let mostInLoop = 1_000

    /// Whether what was read may be merged inside the loop, where everyone else waits for it.
    static func isSmall(_ news: MirrorNews, beside conflicts: Int) -> Bool {
        news.count <= mostInLoop && conflicts <= mostInLoop
    }

    /// Whether nothing has changed since a round began.
    private static func isCurrent(
        _ snapshot: MirrorSnapshot, _ mirror: MirrorRow, _ row: ProjectRow,
        in transaction: Transaction
    ) throws -> Bool {
        var now = mirror
        (now.due, now.isUnderWay) = (snapshot.mirror.due, snapshot.mirror.isUnderWay)
        guard row.mark == snapshot.mark, now == snapshot.mirror,
            try MirroredStore.mark(of: mirror.project, transaction.db) == snapshot.linksMark
        else { return false }
        return try ConflictStore.all(of: mirror.project, transaction.db) == snapshot.conflicts
    }

    /// Records what is about to be made at the server before it is sent, because after a kill or a
    /// lost answer it has to be looked for.
    private static func finish(
        _ steps: [MirrorStep], _ links: MirrorLinks, of snapshot: MirrorSnapshot,
        _ mirror: inout MirrorRow, isCurrent: Bool, in transaction: Transaction
    ) throws {
        (mirror.isUnderWay, mirror.due) = (false, transaction.now)
        if isCurrent, steps.isEmpty {
            mirror.synced = transaction.now
            // Whom the server doesn't know is found out outside the loop.
            if snapshot.record.members.keys.allSatisfy({ links.remote(.member, $0) != nil }) {
                let found = WaitingChanges.Found(count: 0, unsent: [])
                WaitingChanges.keep(found, of: mirror.project, snapshot.state)
            }
            (mirror.failures, mirror.failure) = (0, "")
            mirror.rest(at: transaction.now)
        } else if isCurrent {
            try MirroredStore.save(links, of: mirror.project, transaction.db)
            let isKept = MirrorRests.shared.put(.write(steps), of: mirror)
            if !isKept { mirror.due = transaction.now + noRoomPause }
        }
        try mirror.save(transaction.db)
        guard isCurrent, let row = try ProjectRow.ofID(mirror.project, transaction.db) else {
            return
        }
        try MirrorAlerts.settle(
            mirror, of: row.project, snapshot.conflicts.count, in: transaction)
    }

    /// The beginning of the failure when what was read can't be kept here. It counts until both
    /// sides are the same: the parts that were read before may be fine.
    private static let notKept = "it can't be kept here: "

    private static func finish(
        _ task: MirrorTask, _ news: MirrorNews, _ merged: MirrorMerge, _ row: ProjectRow,
        in transaction: Transaction
    ) throws {
        var (mirror, links) = (merged.mirror, merged.links)
        mirror.isUnderWay = false
        if let problem = news.problem {
            note(problem, in: &mirror, at: transaction.now)
        } else if !mirror.failure.hasPrefix(notKept) {
            (mirror.failures, mirror.failure) = (0, "")
        }
        // What has followed from other names is kept, or read again, with them.
        if let names = merged.names, merged.refusal == nil {
            try TermStore.save(names, of: mirror.project, transaction.db)
        }
        var rest = news
        rest.isOutOfTime = false
        rest.notes = try apply(notes: news, into: &links, mirror, in: transaction)
        if let refusal = merged.refusal {
            // Nothing was kept, so everything is read again later.
            (mirror.phase, mirror.sweepOffset, mirror.swept) = (.read, nil, 0)
            mirror.failures += 1
            mirror.failure = (notKept + refusal.message).prefix(bytes: 2_000)
            mirror.due = transaction.now + waits[waits.count - 1]
        } else {
            try keep(merged, links, of: row, in: transaction)
        }
        if news.isOutOfTime { mirror.giveWay(at: transaction.now) }
        // What isn't kept in memory is read again.
        if !rest.notes.isEmpty, news.problem == nil, merged.refusal == nil,
            !MirrorRests.shared.put(.merge(task, rest, tries: 0), of: mirror)
        {
            mirror.due = transaction.now + noRoomPause
        }
        try mirror.save(transaction.db)
        let conflicts = try ConflictStore.all(of: task.project, transaction.db).count
        try MirrorAlerts.settle(mirror, of: row.project, conflicts, in: transaction)
    }

    private static func note(
        _ problem: RedmineProblem, in mirror: inout MirrorRow, at now: Int64
    ) {
        mirror.failures += 1
        mirror.failure = problem.description.prefix(bytes: 2_000)
        var wait = waits[min(mirror.failures, waits.count) - 1]
        if case .busy(_, let seconds?) = problem {
            wait = max(wait, Int64(min(max(seconds, 0), 3_600)) * 1_000)
        }
        // Even if waiting doesn't help, it is tried again now and then.
        mirror.due = now + (problem.isPassing ? wait : waits[waits.count - 1])
    }

    /// Stops a mirror that was put aside.
    private static func fail(
        _ project: String, _ reason: String, in transaction: Transaction
    ) throws {
        guard var mirror = try MirrorRow.of(project, transaction.db) else { return }
        try stop(&mirror, reason.prefix(bytes: 4_000), in: transaction)
        // The project or its conflicts may be what can't be read.
        _ = try transaction.sparingOthers("redmine") { () -> ProjectRow? in
            let row = try ProjectRow.ofID(project, transaction.db)
            if let row { try settleAlerts(of: mirror, row.project, in: transaction) }
            return row
        } putAside: { _ in
        }
    }

    /// Stops a mirror that can't go on by itself, and alerts the person who logged in.
    private static func stop(
        _ mirror: inout MirrorRow, of project: Project, _ why: String, in transaction: Transaction
    ) throws {
        try stop(&mirror, why, in: transaction)
        try settleAlerts(of: mirror, project, in: transaction)
    }

    /// Forgets the mirror of a project, and what is left of its round.
    static func end(_ project: String, in transaction: Transaction) throws {
        try MirrorRow.delete(project, transaction.db)
        MirrorRests.shared.forget(project)
    }

    private static func stop(
        _ mirror: inout MirrorRow, _ why: String, in transaction: Transaction
    ) throws {
        MirrorRests.shared.forget(mirror.project)
        (mirror.isUnderWay, mirror.due, mirror.failure) = (false, .max, why)
        mirror.failures = max(mirror.failures + 1, MirrorAlerts.patience)
        try mirror.save(transaction.db)
    }

    private static func settleAlerts(
        of mirror: MirrorRow, _ project: Project, in transaction: Transaction
    ) throws {
        let conflicts = try ConflictStore.all(of: project.id, transaction.db).count
        try MirrorAlerts.settle(mirror, of: project, conflicts, in: transaction)
    }

    /// Forgets the notes of an issue that isn't at the server any more, which may reuse their
    /// numbers. If the issue is still here, those that weren't sent yet wait until it is there.
    static func forgetNotes(
        of issue: Int, isHere: Bool, _ links: inout MirrorLinks, in project: String,
        _ transaction: Transaction
    ) throws {
        for note in try JournalStore.numbers(of: issue, in: project, transaction.db)
        where !isHere || links.remote(.note, note) != nil {
            links.remove(.note, note)
        }
    }

    /// Keeps the result of a round, with the changes of the project as one step.
    private static func keep(
        _ merged: MirrorMerge, _ links: MirrorLinks, of row: ProjectRow,
        in transaction: Transaction
    ) throws {
        var links = links
        let unlinked = links.changed.filter {
            $0.kind == .issue && links[.issue, $0.number]?.isHidden ?? true
        }
        if !unlinked.isEmpty {
            let record = try merged.outcome?.record ?? row.record(transaction)
            for key in unlinked {
                try forgetNotes(
                    of: key.number, isHere: record.issues[key.number] != nil, &links,
                    in: row.project.id, transaction)
            }
        }
        if let outcome = merged.outcome, !outcome.changes.isEmpty {
            _ = try Edits.keep(outcome, row, by: "Redmine", in: transaction)
        }
        try MirroredStore.save(links, of: row.project.id, transaction.db)
        try ConflictStore.save(merged.conflicts, of: row.project.id, transaction.db)
    }
}
