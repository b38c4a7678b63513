import Bus
import Foundation
import GRDB
import Messages
import TestStore
import Testing

@testable import ServiceRuntime

/// Which job is begun when, whatever workers report.
@Suite struct JobRunnerTests {
    private let store: MemoryStore
    private let runner: JobRunner
    private let handler: JobHandler

    /// Makes a runner of jobs that never end by themselves.
    init() throws {
        store = try MemoryStore(of: .plan)
        let system = store.system
        try system.makeFolder("data")
        let configuration = try Bus.Configuration(environment: system.environment())
        let log = Log(service: "test", threshold: .error)
        let record = try CrashRecord(path: system.path("data/crash"))
        let suspects = try store.queue.write { try Suspects(record, $0, at: 1, log: log) }
        handler = JobHandler(
            check: { (_: ReadStatus, _) in },
            work: { (_: ReadStatus, _: JobContext) -> ReadStatus in
                while true { pause() }
            }, finish: { (_: ReadStatus, _) in })
        runner = JobRunner(
            handlers: [handler],
            connection: Connection(process: "test", configuration: configuration), service: .plan,
            dataDirectory: system.path("data"), storePath: system.path("data/store"),
            suspects: suspects)
    }

    /// Runs a turn of the loop: a transaction, what follows its commit, and the next job.
    private func turn(_ body: (Transaction) throws -> Void) throws {
        try store.run(at: 1_000, as: .system) { transaction in
            try body(transaction)
            for action in transaction.turn.afterCommit { action() }
            runner.startNext(transaction.db)
        }
    }

    @Test func `a result that is delivered twice ends one job, and starts no second one`() throws {
        for (number, id) in ["a", "b", "c"].enumerated() { try add(id, at: number) }
        try turn { _ in }
        #expect(runner.running?.id == "a")

        // The worker got no answer, and sends the result again while the next job is under way.
        for _ in 0..<3 {
            try turn {
                _ = try runner.finish(FinishJob(jobId: "a", state: .failed, message: "x"), in: $0)
            }
            #expect(runner.running?.id == "b")
        }

        let states = try store.queue.read {
            try Int.fetchAll($0, sql: "SELECT state FROM job ORDER BY id")
        }
        #expect(states[0] == Job.State.failed.rawValue)
        #expect(states[1...].allSatisfy { $0 == Job.State.queued.rawValue })
    }

    @Test func `a reason that is too long to be published is cut`() throws {
        try add("a", at: 1)

        try turn { transaction in
            let reason = String(repeating: "å", count: 20_000)
            _ = try runner.finish(
                FinishJob(jobId: "a", state: .failed, message: reason), in: transaction)
        }

        let message = try store.queue.read {
            try String.fetchOne($0, sql: "SELECT message FROM job WHERE id = 'a'")
        }
        #expect(message?.utf8.count == Refusal.longestMessage)
    }

    /// Adds a job as if it had been accepted.
    private func add(_ id: String, type: String = ReadStatus.protobufName, at time: Int) throws {
        try store.queue.write { db in
            try db.execute(
                sql: "INSERT INTO job VALUES (?, ?, x'', ?, 0, 0, '', ?, 0, '')",
                arguments: [id, type, Job.State.queued.rawValue, time])
        }
    }

    @Test func `a job that this version doesn't know fails, and holds up no other`() throws {
        try add("a", type: "former.Job", at: 1)
        try add("b", at: 2)

        try turn { try runner.resume($0) }

        #expect(runner.running?.id == "b")
        #expect(try failed() == ["a"])
    }

    @Test func `a job that has failed at the start is reported, whenever the process is killed`()
        throws
    {
        try add("a", type: "former.Job", at: 1)
        func start(isKilled: Bool) throws {
            try turn { transaction in
                transaction.turn.asideNoted = { try $1.publish($0, subject: "") }
                try runner.resume(transaction)
                if isKilled { throw Killed() }
            }
        }

        #expect(throws: Killed.self) { try start(isKilled: true) }
        #expect(try failed() == [])
        #expect(try published() == [])
        // Later starts find nothing to report: the job and its report were kept together.
        for _ in 0..<2 { try start(isKilled: false) }

        #expect(try failed() == ["a"])
        #expect(try published() == [JobChanged.protobufName, SetAside.protobufName])
    }

    /// What ends a transaction before its commit.
    private struct Killed: Error {}

    private func failed() throws -> [String] {
        try store.queue.read {
            try String.fetchAll(
                $0, sql: "SELECT id FROM job WHERE state = ?",
                arguments: [Job.State.failed.rawValue])
        }
    }

    /// The types of all events, in order.
    private func published() throws -> [String] {
        try store.queue.read {
            try Data.fetchAll($0, sql: "SELECT envelope FROM outbox ORDER BY sequence")
        }.map { try Envelope(stored: [UInt8]($0)).type }
    }

    @Test func `a cancelled job stays until its worker has ended`() throws {
        try add("a", at: 1)
        try turn { _ in }
        try add("b", at: 2)
        let late = JobRunner.retention + 2_000

        try store.queue.write { db in
            try db.execute(
                sql: "UPDATE job SET state = ?, ended = 1",
                arguments: [Job.State.cancelled.rawValue])
            try JobRunner.prune(db, at: late, sparing: runner.running?.id)
            #expect(try String.fetchAll(db, sql: "SELECT id FROM job") == ["a"])
            try JobRunner.prune(db, at: late)
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM job") == 0)
        }
    }

    @Test func `a job that is deleted under its worker reports nothing, and the next one begins`()
        throws
    {
        try add("a", at: 1)
        try add("b", at: 2)
        try turn { _ in }
        _ = runner.running?.report(done: 1, total: 2, "half of it")
        try store.queue.write { try $0.execute(sql: "DELETE FROM job WHERE id = 'a'") }

        try turn { try runner.publishProgress($0) }
        #expect(runner.running?.id == "a")
        try turn { _ = try runner.finish(FinishJob(jobId: "a", state: .cancelled), in: $0) }

        #expect(runner.running?.id == "b")
    }

    @Test func `a job is refused while a hundred are under way`() throws {
        let request = ReadStatus().packed()
        func accept() throws {
            try turn { _ = try runner.accepting(handler).handle(request, $0) }
        }
        for number in 1..<JobRunner.mostUnderWay { try add("x\(number)", at: number) }
        try accept()

        let refusal = #expect(throws: Refusal.self) { try accept() }
        #expect(refusal?.isBecause(.serviceBusy) == true)
    }
}
