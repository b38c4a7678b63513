import Bus
import Foundation
import GRDB
import Messages

/// Runs a service's jobs one after another, each on a thread of its own. A job is a row: it starts
/// over if the process was killed during it.
final class JobRunner {
    private let kinds: [String: JobHandler]
    private let connection: Connection
    private let service: ServiceName
    private let dataDirectory: String
    private let storePath: String
    private let suspects: Suspects
    /// The token that only this process's own workers know.
    let token: [UInt8]
    /// The job that is under way.
    private(set) var running: JobContext?
    private var mayHaveQueued = true

    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("steward: whose a job is") { db in
            try db.execute(sql: "ALTER TABLE job ADD COLUMN account TEXT NOT NULL DEFAULT ''")
        }
    }

    /// How often a running job's progress is published, in milliseconds.
    static let reportInterval: Int64 = 200

    init(
        handlers: [JobHandler], connection: Connection, service: ServiceName,
        dataDirectory: String, storePath: String, suspects: Suspects
    ) {
        self.suspects = suspects
        kinds = Dictionary(uniqueKeysWithValues: handlers.map { ($0.type, $0) })
        self.connection = connection
        self.service = service
        self.dataDirectory = dataDirectory
        self.storePath = storePath
        var random = SystemRandomNumberGenerator()
        token = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    var runningCount: UInt32 { running == nil ? 0 : 1 }

    /// The handlers. Everyone but the owner sees and ends only their own jobs.
    var handlers: [MessageHandler] {
        [
            .query(read, .person), .query(list, .person), .command(cancel, .person),
            .command(retry, .person), .command(finish, .worker),
        ]
    }

    /// The command that starts a job.
    func accepting(_ job: JobHandler) -> CommandHandler {
        CommandHandler(unpacking: { [self] in try accept(job, $0, $1) })
    }

    /// Queues the jobs that a kill interrupted, to start over. Those that ended the process too
    /// often, and those of an earlier version that this one doesn't know, have failed, which is
    /// reported in the same transaction.
    func resume(_ transaction: Transaction) throws {
        let (db, turn) = (transaction.db, transaction.turn)
        try db.execute(
            sql: "UPDATE job SET state = ?, done = 0 WHERE state = ?",
            arguments: [Job.State.queued.rawValue, Job.State.running.rawValue])
        let waiting = try Row.fetchAll(
            db,
            sql: """
                SELECT id, type, state, done, total, message, created, ended FROM job
                WHERE state = ? ORDER BY created
                """,
            arguments: [Job.State.queued.rawValue])
        for var job in waiting.map({ Job($0) }) {
            let unknown = kinds[job.type] == nil ? "this version has no such job" : nil
            let act = Self.act(job.id)
            guard let reason = unknown ?? suspects.reason(against: act) else { continue }
            (job.state, job.message, job.ended) = (.failed, reason, transaction.now)
            try save(job, transaction)
            try suspects.clear(act, db)
            turn.counted?("jobs.setAside")
            try transaction.noteAside(.job, job.type, reason: reason, log: turn.log)
        }
    }

    private func accept(
        _ handler: JobHandler, _ request: [UInt8], _ transaction: Transaction
    ) throws -> JobAccepted {
        try handler.check(request, transaction)
        try requireRoom(transaction)
        let id = "\(transaction.id)"
        try transaction.db.execute(
            sql: """
                INSERT INTO job
                    (id, type, request, state, done, total, message, created, ended, account)
                VALUES (?, ?, ?, ?, 0, 0, '', ?, 0, ?)
                """,
            arguments: [
                id, handler.type, Data(request), Job.State.queued.rawValue, transaction.now,
                transaction.principal.asker,
            ])
        mayHaveQueued = true
        return JobAccepted(jobId: id)
    }

    /// The maximum number of jobs that wait or run.
    static let mostUnderWay = 100

    /// Refuses another job while many are under way.
    private func requireRoom(_ transaction: Transaction) throws {
        guard try transaction.jobsUnderWay().count >= Self.mostUnderWay else { return }
        throw Refusal.conflict(
            "\(Self.mostUnderWay) jobs are under way already; wait for some, or cancel some: "
                + "steward jobs list"
        ).because(.serviceBusy)
    }

    /// Starts the oldest waiting job, unless one is running.
    func startNext(_ db: Database) {
        guard running == nil, mayHaveQueued else { return }
        do {
            let row = try Row.fetchOne(
                db,
                sql: "SELECT id, type, request FROM job WHERE state = ? ORDER BY created LIMIT 1",
                arguments: [Job.State.queued.rawValue])
            guard let row, let handler = kinds[row["type"]] else {
                mayHaveQueued = false
                return
            }
            let context = JobContext(
                id: row["id"], dataDirectory: dataDirectory, storePath: storePath)
            running = context
            let worker = JobWorker(
                handler: handler, request: [UInt8](row["request"] as Data), context: context,
                connection: connection, service: service, token: token,
                record: suspects.record, act: Self.act(context.id))
            Thread.detachNewThread { worker.run() }
        } catch {
            mayHaveQueued = true  // The next turn tries again.
        }
    }

    /// A job whose worker is under way, if it is wanted: not when it was cancelled or deleted.
    private func wanted(_ id: String, _ db: Database) throws -> Job? {
        try Row.fetchOne(
            db, sql: "SELECT * FROM job WHERE id = ? AND state IN (?, ?)",
            arguments: [id, Job.State.queued.rawValue, Job.State.running.rawValue]
        ).map { Job($0) }
    }

    /// The account whose jobs the asker may see and end; nil for everyone's.
    private func scope(_ asker: Principal) -> String? {
        switch asker.kind {
        case .machineOwner, .system: nil
        case .account, .anonymous: asker.holds(.owner, at: "") ? nil : asker.asker
        }
    }

    /// The job with an id, or the only one whose id begins with it, if the asker may know of it.
    private func job(_ id: String, for asker: Principal, _ db: Database) throws -> Job {
        let typed = try TypedID(id, of: "job")
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM job
                WHERE \(TypedID.condition) AND (:account IS NULL OR account = :account) LIMIT 2
                """,
            arguments: typed.arguments + ["account": scope(asker)])
        return Job(try typed.only(rows))
    }

    private func read(_ query: ReadJob, in transaction: Transaction) throws -> Job {
        try job(query.jobId, for: transaction.principal, transaction.db)
    }

    private func list(_: ListJobs, in transaction: Transaction) throws -> Jobs {
        let rows = try Row.fetchAll(
            transaction.db,
            sql: """
                SELECT * FROM job WHERE ?1 IS NULL OR account = ?1
                ORDER BY created DESC, id DESC LIMIT 50
                """,
            arguments: [scope(transaction.principal)])
        return Jobs(jobs: rows.map(Job.init))
    }

    private func cancel(_ command: CancelJob, in transaction: Transaction) throws -> Job {
        var job = try job(command.jobId, for: transaction.principal, transaction.db)
        switch job.state {
        case .running, .queued:
            // From here on the job is not started again after a restart, and its worker's result is
            // ignored.
            if let running, running.id == job.id { transaction.afterCommit { running.cancel() } }
            job.state = .cancelled
            job.ended = transaction.now
            try save(job, transaction)
            return job
        default:
            throw Refusal.conflict("job \(job.id) has ended already")
        }
    }

    /// Publishes the progress of the running job, when it has reported something new.
    func publishProgress(_ transaction: Transaction) throws {
        guard let running, let progress = running.takeProgress(),
            var job = try wanted(running.id, transaction.db)
        else { return }
        (job.state, job.done, job.total) = (.running, progress.done, progress.total)
        job.message = progress.message
        try save(job, transaction)
    }

    /// Stores the result: once, because the command that brings it is carried out once.
    func finish(_ command: FinishJob, in transaction: Transaction) throws -> JobNoted {
        transaction.afterCommit { [self] in
            // A worker without an answer sends its result again, when another job may be running.
            guard running?.id == command.jobId else { return }
            running = nil
            suspects.record.clear(.job)
            mayHaveQueued = true
        }
        guard var job = try wanted(command.jobId, transaction.db), let handler = kinds[job.type]
        else { return JobNoted() }
        (job.state, job.message, job.ended) = (command.state, command.message, transaction.now)
        if command.state == .succeeded {
            suspects.begin(Self.act(job.id))
            defer { suspects.rest() }
            do {
                try transaction.turn.attempt { try handler.finish(command.result, transaction) }
                job.done = job.total
            } catch let refusal as Refusal {
                (job.state, job.message) = (.failed, refusal.message)
            } catch let error where !Outage.isOutage(error) {
                // A defect ends only this job.
                (job.state, job.message) = (.failed, "the result can't be stored: \(error)")
            }
        }
        try suspects.clear(Self.act(job.id), transaction.db)
        try save(job, transaction)
        return JobNoted()
    }

    /// How long a job that has ended is kept: 30 days in milliseconds.
    static let retention: Int64 = 30 * 24 * 3600 * 1000
    /// The maximum number of ended jobs that are kept.
    static let mostKept = 1000

    /// Deletes some of the jobs that ended long ago or exceed the limit.
    ///
    /// - Parameter running: the id of a job that stays because its worker is under way, even if it
    ///   was cancelled.
    static func prune(_ db: Database, at now: Int64, sparing running: String? = nil) throws {
        try db.execute(
            sql: """
                DELETE FROM job WHERE id IN (
                    SELECT id FROM job WHERE state NOT IN (?, ?) AND (ended < ? OR id <= ifnull(
                        (SELECT id FROM job ORDER BY id DESC LIMIT 1 OFFSET ?), ''))
                    AND id <> ? LIMIT 500)
                """,
            arguments: [
                Job.State.queued.rawValue, Job.State.running.rawValue, now - retention, mostKept,
                running ?? "",
            ])
    }

    /// What is recorded while a job runs.
    private static func act(_ id: String) -> String { "job \(id)" }

    /// Queues a failed job to run once more.
    private func retry(_ command: RetryJob, in transaction: Transaction) throws -> Job {
        var job = try job(command.jobId, for: transaction.principal, transaction.db)
        guard job.state == .failed, let handler = kinds[job.type] else {
            throw Refusal.conflict("job \(job.id) has not failed")
        }
        let request = try Data.fetchOne(
            transaction.db, sql: "SELECT request FROM job WHERE id = ?", arguments: [job.id])
        try handler.check([UInt8](request ?? Data()), transaction)
        try requireRoom(transaction)
        (job.state, job.done, job.total, job.message, job.ended) = (.queued, 0, 0, "", 0)
        try save(job, transaction)
        transaction.afterCommit { [self] in mayHaveQueued = true }
        return job
    }

    private func save(_ job: Job, _ transaction: Transaction) throws {
        var job = job
        // It may quote what is in a file, and more than fits could be neither published nor read.
        job.message = job.message.prefix(bytes: Refusal.longestMessage)
        try transaction.db.execute(
            sql: """
                UPDATE job SET state = ?, done = ?, total = ?, message = ?, ended = ? WHERE id = ?
                """,
            arguments: [
                job.state.rawValue, Int64(clamping: job.done), Int64(clamping: job.total),
                job.message, job.ended, job.id,
            ])
        // Backups are not published: each event would make the next backup of a follower differ.
        guard job.type != BackUp.protobufName else { return }
        try transaction.publish(JobChanged(job: job), subject: job.id)
    }
}

extension Job {
    fileprivate init(_ row: Row) {
        self.init(
            id: row["id"], type: row["type"], state: State(rawValue: row["state"]),
            done: UInt64(clamping: row["done"] as Int64),
            total: UInt64(clamping: row["total"] as Int64), message: row["message"],
            created: row["created"], ended: row["ended"])
    }
}
