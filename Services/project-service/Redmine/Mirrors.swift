import Messages
import ProjectRecord
import RedmineClient
import RedmineMirror
import ServiceRuntime

/// Keeps projects the same as those of Redmine servers, round by round: first what was changed
/// there is read and put in here, then what was changed here is written there. A round is an
/// errand; what it has read or written is kept before the next one begins.
enum Mirrors {
    static var errands: [ErrandHandler] {
        [
            ErrandHandler(
                "redmine", atOnce: 2, take: take, name: \.project, work: { $0.run() },
                finish: { try finish($0, $1, in: $2) },
                giveUp: { try fail($0.project, $1, in: $2) })
        ]
    }

    /// How long after a round the next one begins, milliseconds.
    static let interval: Int64 = 60_000
    /// How long everything may not have been read, milliseconds. Of a small project everything is
    /// read each time.
    static let sweepInterval: Int64 = 900_000
    static let smallProject = 300
    /// How long after an edit it is written to the server, so that several go together.
    static let patience: Int64 = 300
    /// The waits after failures, milliseconds; the last one stays.
    private static let waits: [Int64] = [1_000, 2_000, 5_000, 15_000, 60_000, 300_000]
    /// The maximum number of missing issues that are looked after in a round.
    private static let mostMissing = 50

    // MARK: Beginning

    static func take(_ transaction: Transaction) throws -> MirrorTask? {
        guard var mirror = try MirrorRow.due(at: transaction.now, transaction.db) else {
            return nil
        }
        guard let row = try ProjectRow.ofID(mirror.project, transaction.db) else {
            try MirrorRow.delete(mirror.project, transaction.db)
            return nil
        }
        guard let server = try server(of: mirror, in: transaction) else {
            mirror.due = .max
            mirror.failures += 1
            mirror.failure =
                "the log-in at the server is missing or can't be read; log in again: steward "
                + "redmine login, then steward redmine link"
            try mirror.save(transaction.db)
            return nil
        }
        let record = try row.record(transaction)
        var links = try MirroredStore.links(of: mirror.project, transaction.db)
        let aim = try aim(of: &mirror, record, &links, in: transaction)
        try MirroredStore.save(links, of: mirror.project, transaction.db)
        mirror.isUnderWay = true
        try mirror.save(transaction.db)
        return MirrorTask(
            project: mirror.project, server: server.server, remote: mirror.remote,
            user: server.user, sweep: mirror.sweep, aim: aim)
    }

    /// The server of a mirror with the log-in at it; nil when there is none that can be opened.
    private static func server(
        of mirror: MirrorRow, in transaction: Transaction
    ) throws -> (server: RedmineServer, user: Int)? {
        guard let row = try RedmineLogInRow.ofID(mirror.logIn, transaction.db) else { return nil }
        return try Redmines.server(of: row, in: transaction).map { ($0, row.user) }
    }

    private static func aim(
        of mirror: inout MirrorRow, _ record: ProjectRecord, _ links: inout MirrorLinks,
        in transaction: Transaction
    ) throws -> MirrorTask.Aim {
        let isOld = transaction.now - mirror.swept > sweepInterval
        let issues = links.all(.issue)
        switch mirror.phase {
        case .write:
            let steps = MirrorPlan(
                record, try TermStore.names(of: mirror.project, transaction.db), links,
                try ConflictStore.all(of: mirror.project, transaction.db)
            ).steps
            // Committed before anything is sent: after a kill or a lost answer they are looked for.
            for case .make(let number, _, 0) in steps {
                links.keep(
                    MirrorLinks.Link(
                        kind: .issue, number: number, remote: 0, base: [],
                        attempted: transaction.now))
            }
            return .write(steps, known: Set(issues.map(\.remote)))
        case .lookAfter:
            let missing = issues.filter { $0.remote > 0 && $0.seen != mirror.sweep }
                .prefix(mostMissing)
            return .lookAfter(
                Dictionary(uniqueKeysWithValues: missing.map { ($0.number, $0.remote) }))
        case .read:
            if mirror.sweepOffset == nil, isOld || issues.count <= smallProject {
                mirror.sweep += 1
                (mirror.sweepOffset, mirror.sweepLast) = (0, 0)
            }
            if mirror.sweepOffset ?? 0 == 0 { mirror.began = transaction.now }
            guard let offset = mirror.sweepOffset else {
                return .readChanges(since: mirror.cursor)
            }
            return .readAll(offset: offset, last: mirror.sweepLast)
        }
    }

    // MARK: Ending

    static func finish(
        _ task: MirrorTask, _ news: MirrorNews, in transaction: Transaction
    ) throws {
        guard var mirror = try MirrorRow.of(task.project, transaction.db),
            mirror.remote == task.remote,
            let row = try ProjectRow.ofID(task.project, transaction.db)
        else { return }
        var state = MirrorState(
            try row.record(transaction), try TermStore.names(of: task.project, transaction.db),
            try MirroredStore.links(of: task.project, transaction.db),
            try ConflictStore.all(of: task.project, transaction.db))
        if let whole = news.whole {
            state.take(whole.names, whole.statuses)
            state.take(whole.versions)
            state.take(members: whole.members)
            try TermStore.save(state.names, of: task.project, transaction.db)
        }
        take(news, of: task, into: &state, &mirror, in: transaction)
        mirror.isUnderWay = false
        mirror.skipped = task.isFirstPart ? [] : mirror.skipped
        for text in news.skipped + state.skipped where !mirror.skipped.contains(text) {
            mirror.skipped.append(String(text.prefix(300)))
        }
        if let problem = news.problem {
            note(problem, in: &mirror, at: transaction.now)
        } else {
            (mirror.failures, mirror.failure) = (0, "")
        }
        let record = try row.record(transaction)
        var outcome: ProjectOutcome?
        var refusal: Refusal?
        do throws(Refusal) {
            if let edit = state.edit { outcome = try record.making(edit) }
        } catch { refusal = error }
        if let refusal {
            // Nothing was kept: everything is read again later.
            (mirror.phase, mirror.sweepOffset, mirror.swept) = (.read, nil, 0)
            mirror.failures += 1
            mirror.failure = "it can't be kept here: \(refusal.message)"
            mirror.due = transaction.now + waits[waits.count - 1]
        } else {
            try keep(state, outcome, of: row, in: transaction)
        }
        if mirror.due > transaction.now, mirror.failure.isEmpty,
            try hasSteps(mirror, in: transaction)
        {
            mirror.due = transaction.now
        }
        try mirror.save(transaction.db)
        let conflicts = try ConflictStore.all(of: task.project, transaction.db).count
        try MirrorAlerts.settle(mirror, of: row.project, conflicts, in: transaction)
    }

    private static func take(
        _ news: MirrorNews, of task: MirrorTask, into state: inout MirrorState,
        _ mirror: inout MirrorRow, in transaction: Transaction
    ) {
        switch task.aim {
        case .readChanges:
            state.take(news.issues, sweep: nil)
            if let cursor = news.cursor { mirror.cursor = cursor.since }
            guard news.isAtEnd else { break }
            let count = state.links.all(.issue).count { $0.remote > 0 }
            let most = count + mirror.skipped.count
            if let total = news.total, !(count...most).contains(total) {
                // Something was removed, or missed: everything is read.
                mirror.swept = 0
            } else {
                mirror.phase = .write
            }
        case .readAll:
            state.take(news.issues, sweep: task.sweep)
            (mirror.sweepOffset, mirror.sweepLast) = (news.offset, news.last)
            // What changes during a sweep comes with the first changes that are read after it.
            if let newest = news.newest { mirror.cursor = newest }
            mirror.swept = transaction.now
            if news.isAtEnd { (mirror.phase, mirror.sweepOffset) = (.lookAfter, nil) }
        case .lookAfter:
            takeDone(news.done, sweep: task.sweep, into: &state)
            guard news.problem == nil else { break }
            let missing = state.links.all(.issue).count {
                $0.remote > 0 && $0.seen != task.sweep
            }
            if missing == 0 { mirror.phase = .write }
        case .write(let steps, _):
            takeDone(news.done, sweep: nil, into: &state)
            guard news.problem == nil else { break }
            if steps.isEmpty {
                (mirror.synced, mirror.phase) = (transaction.now, .read)
                // What was asked for meanwhile may be about what was read before.
                mirror.due = transaction.now + (mirror.asked >= mirror.began ? 0 : interval)
                return
            }
        }
        mirror.due = transaction.now
    }

    private static func takeDone(
        _ done: [MirrorNews.Done], sweep: Int?, into state: inout MirrorState
    ) {
        for one in done {
            switch one {
            case .made(let number, let issue): state.join(number, with: issue)
            case .changed(let number, let values, let issue):
                state.agree(number, on: values, issue)
            case .related(let number, let relation):
                state.links.keep(
                    MirrorLinks.Link(
                        kind: .relation, number: number, remote: relation, base: []))
            case .unrelated(let number): state.links.remove(.relation, number)
            case .removed(let number): state.unlink(number)
            case .stale(let issue): state.take([issue], sweep: sweep)
            case .gone(let number): state.lose(number, sweep: sweep)
            case .denied(let number): state.deny(number, sweep: sweep)
            case .refused(let number, let fields, let issue, let reason):
                if let issue { state.take([issue], sweep: sweep) }
                for field in fields {
                    let theirs = issue.flatMap { issue in
                        RemoteField(rawValue: field).map { MirrorTerms.words($0, of: issue) }
                    }
                    state.refuse(number, field, theirs: theirs ?? "", reason)
                }
            }
        }
    }

    private static func note(
        _ problem: RedmineProblem, in mirror: inout MirrorRow, at now: Int64
    ) {
        mirror.failures += 1
        mirror.failure = String(problem.description.prefix(500))
        var wait = waits[min(mirror.failures, waits.count) - 1]
        if case .busy(_, let seconds?) = problem {
            wait = max(wait, Int64(min(max(seconds, 0), 3_600)) * 1_000)
        }
        // What no waiting mends is tried again now and then all the same.
        mirror.due = now + (problem.isPassing ? wait : waits[waits.count - 1])
    }

    private static func fail(
        _ project: String, _ reason: String, in transaction: Transaction
    ) throws {
        guard var mirror = try MirrorRow.of(project, transaction.db) else { return }
        (mirror.isUnderWay, mirror.failure, mirror.due) = (false, reason, .max)
        mirror.failures += 1
        try mirror.save(transaction.db)
    }

    /// Whether something was changed here while the last round was under way.
    private static func hasSteps(
        _ mirror: MirrorRow, in transaction: Transaction
    ) throws -> Bool {
        guard let row = try ProjectRow.ofID(mirror.project, transaction.db) else { return false }
        return try plan(of: row, in: transaction).count > 0
    }

    /// What is to be done at the server for a project.
    static func plan(of row: ProjectRow, in transaction: Transaction) throws -> MirrorPlan {
        MirrorPlan(
            try row.record(transaction), try TermStore.names(of: row.project.id, transaction.db),
            try MirroredStore.links(of: row.project.id, transaction.db),
            try ConflictStore.all(of: row.project.id, transaction.db))
    }

    /// Keeps what came of a round, the changes of the project as one step.
    private static func keep(
        _ state: MirrorState, _ outcome: ProjectOutcome?, of row: ProjectRow,
        in transaction: Transaction
    ) throws {
        if let outcome, !outcome.changes.isEmpty {
            _ = try Edits.keep(outcome, row, by: "Redmine", in: transaction)
        }
        try MirroredStore.save(state.links, of: row.project.id, transaction.db)
        try ConflictStore.save(state.conflicts, of: row.project.id, transaction.db)
    }
}
