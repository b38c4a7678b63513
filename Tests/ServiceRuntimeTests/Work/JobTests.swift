import Bus
import Foundation
import Messages
import TestSupport
import Testing

@testable import ToyMessages

extension Processes {
    @Suite(.serialized) struct Jobs {
        @Test func `a job reports its progress and ends with its result in the store`() throws {
            let toys = try Toys()
            try toys.startService()
            let barrier = try toys.barrier("working")

            let id = try begin(Work(account: "a", steps: 20, pause: 1), toys)
            try eventually("it has reported progress") { try (1..<20).contains(job(id, toys).done) }
            try FileManager.default.removeItem(at: barrier)
            let ended = try waitForEnd(of: id, toys)

            #expect(ended.state == .succeeded)
            #expect(ended.done == 20)
            #expect(try toys.entries() == [["a", "1"]])
        }

        @Test func `a job that was accepted survives kill -9 and finishes once`() throws {
            let toys = try Toys()
            var service = try toys.startService()
            let barrier = try toys.barrier("working")
            let id = try begin(Work(account: "a", steps: 10, pause: 1), toys)

            for _ in 0..<3 {
                try eventually("it is under way") { try job(id, toys).state == .running }
                service.kill()
                service = try toys.startService()
            }
            try FileManager.default.removeItem(at: barrier)

            #expect(try waitForEnd(of: id, toys).state == .succeeded)
            service.kill()
            try toys.startService()
            #expect(try job(id, toys).state == .succeeded)
            #expect(try toys.entries() == [["a", "1"]])
        }

        @Test func `a failed job says why`() throws {
            let toys = try Toys()
            try toys.startService()

            let id = try begin(
                Work(account: "a", steps: 1, pause: 1, failure: "the tool is blunt"), toys)

            let ended = try waitForEnd(of: id, toys)
            #expect(ended.state == .failed)
            #expect(ended.message == "the tool is blunt")
            #expect(try toys.entries() == [])
        }

        @Test func `a job whose reason is longer than a message may have fails, and others go on`()
            throws
        {
            let toys = try Toys()
            try toys.startService()
            let reason = String(repeating: "x", count: 20_000)

            let id = try begin(Work(account: "a", steps: 1, pause: 1, failure: reason), toys)
            let ended = try waitForEnd(of: id, toys)
            let next = try begin(Work(account: "a", steps: 1, pause: 1), toys)

            #expect(ended.state == .failed)
            #expect(ended.message == String(repeating: "x", count: 4_000))
            #expect(try waitForEnd(of: next, toys).state == .succeeded)
        }

        @Test func `a request that can't be carried out is refused before it is a job`() throws {
            let toys = try Toys()
            try toys.startService()

            let refusal = try toys.refusal(of: Work(account: "a", steps: 0))

            #expect(refusal == Refusal(code: .invalid, message: "there is nothing to do"))
            #expect(try toys.client.ask(ListJobs(), for: Messages.Jobs.self).jobs == [])
        }

        @Test func `a job is cancelled`() throws {
            let toys = try Toys()
            try toys.startService()
            let id = try begin(Work(account: "a", steps: 600, pause: 50), toys)
            try eventually("it is under way") { try job(id, toys).state == .running }

            _ = try toys.client.ask(CancelJob(jobId: id), for: Job.self)

            #expect(try waitForEnd(of: id, toys).state == .cancelled)
            #expect(try toys.entries() == [])
        }

        @Test func `a job is named by the beginning of its id, in either case`() throws {
            let toys = try Toys()
            try toys.startService()
            let id = try begin(Work(account: "a", steps: 600, pause: 50), toys)

            let short = String(id.prefix(8)).uppercased()
            #expect(try toys.client.ask(ReadJob(jobId: short), for: Job.self).id == id)
            #expect(try toys.client.ask(CancelJob(jobId: short), for: Job.self).id == id)
            #expect(try toys.refusal(of: ReadJob(jobId: "")).isBecause(.idShort))
        }

        @Test func `a cancelled job does not come back after kill -9`() throws {
            let toys = try Toys()
            let service = try toys.startService()
            // The job checks for a cancellation only after its first step, which ends after the
            // service was killed.
            let barrier = try toys.barrier("working")
            let id = try begin(Work(account: "a", steps: 1, pause: 1), toys)

            _ = try toys.client.ask(CancelJob(jobId: id), for: Job.self)
            service.kill()
            try FileManager.default.removeItem(at: barrier)
            try toys.startService()

            #expect(try waitForEnd(of: id, toys).state == .cancelled)
            // If it were still to come, it would come before this one.
            let next = try begin(Work(account: "b", steps: 1, pause: 1), toys)
            #expect(try waitForEnd(of: next, toys).state == .succeeded)
            #expect(try toys.entries() == [["b", "1"]])
        }

        @Test func `jobs run one after another, in the order in which they came`() throws {
            let toys = try Toys()
            try toys.startService()

            // Together they would end in the opposite order.
            let ids = try [("a", 20), ("b", 10), ("c", 1)].map { account, steps in
                try begin(Work(account: account, steps: UInt32(steps), pause: 20), toys)
            }
            for id in ids { #expect(try waitForEnd(of: id, toys).state == .succeeded) }

            #expect(try toys.entries() == [["a", "1"], ["b", "1"], ["c", "1"]])
        }

        @Test func `only the service's own worker can finish a job`() throws {
            let toys = try Toys()
            try toys.startService()
            let id = try begin(Work(account: "a", steps: 100, pause: 50), toys)

            let refusal = try toys.refusal(
                of: FinishJob(jobId: id, state: .failed, message: "no one asked"))

            #expect(refusal.code == .forbidden)
        }

        @Test func `reading a copy beyond its end is refused`() throws {
            let toys = try Toys()
            let service = try toys.startService()
            let id = try toys.client.ask(BackUp(), for: JobAccepted.self).jobId
            #expect(try waitForEnd(of: id, toys).state == .succeeded)
            let name = "transit-alert-service.sqlite"

            for offset in [1 << 63, UInt64.max, 1 << 40] {
                let piece = ReadBackupPiece(jobId: id, name: name, offset: offset)
                #expect(try toys.refusal(of: piece).code == .invalid)
            }

            let whole = ReadBackupPiece(jobId: id, name: name)
            #expect(try !toys.client.ask(whole, for: BackupPiece.self).data.isEmpty)
            #expect(service.isRunning)
        }

        @Test func `a job whose result is too large to apply has failed`() throws {
            let toys = try Toys()
            let service = try toys.startService()
            // The largest one possible: the command with the result is a few bytes larger.
            var ids: [MessageID] = []
            for size in stride(from: Envelope.maximumSize, to: 0, by: -8) where ids.isEmpty {
                let work = Work(account: String(repeating: "x", count: size), steps: 1, pause: 1)
                do { ids.append(try toys.client.send(work, deadline: .seconds(60))) } catch {
                    guard case ClientError.tooLarge = error else { throw error }
                }
            }
            let accepted = try toys.client.receive(within: .seconds(60))
            #expect(accepted.map(\.id) == ids)
            let id = try JobAccepted(unpacking: accepted[0].result.get().data).jobId

            let ended = try waitForEnd(of: id, toys)

            #expect(ended.state == .failed)
            #expect(ended.message.contains("at most \(Envelope.maximumSize) may be sent"))
            let next = try begin(Work(account: "a", steps: 1, pause: 1), toys)
            #expect(try waitForEnd(of: next, toys).state == .succeeded)
            #expect(service.isRunning)
        }

        private func begin(_ work: Work, _ toys: Toys) throws -> String {
            try toys.client.ask(work, for: JobAccepted.self).jobId
        }

        private func job(_ id: String, _ toys: Toys) throws -> Job {
            try toys.client.ask(ReadJob(jobId: id), for: Job.self)
        }

        private func waitForEnd(of id: String, _ toys: Toys) throws -> Job {
            var last = Job()
            try eventually("the job has ended") {
                last = try job(id, toys)
                return last.state != .queued && last.state != .running
            }
            return last
        }
    }

    @Suite(.serialized) struct Timers {
        @Test func `a timer fires when it is due, once`() throws {
            let toys = try Toys()
            try toys.startService()
            let due = WallClock.milliseconds() + 300

            _ = try toys.answer(to: Wake(name: "x", due: due))
            try eventually("it has fired") { try !woken(toys).isEmpty }

            let row = try #require(woken(toys).first)
            #expect(row[0] == "x")
            #expect(row[1] == String(due))
            #expect(try #require(Int64(row[2])) >= due)
            #expect(try woken(toys).count == 1)
        }

        @Test func `timers that were due while the service was down fire once at its start`() throws
        {
            let toys = try Toys()
            try toys.setClock("0")
            var service = try toys.startShifted("toy-service")
            let due = WallClock.milliseconds() + 3_600_000
            for name in 1...150 { _ = try toys.answer(to: Wake(name: "\(name)", due: due)) }
            service.kill()
            let before = try woken(toys).count
            try toys.setClock("3700")

            service = try toys.startShifted("toy-service")
            try eventually("all have fired") { try woken(toys).count == 150 }
            service.kill()
            try toys.startShifted("toy-service")
            try toys.deposit(1)

            #expect(before == 0)
            #expect(try Set(woken(toys).map { $0[0] }).count == 150)
            #expect(try woken(toys).count == 150)
        }

        @Test(arguments: [false, true])
        func `timers that were set while the clock was ahead wait no longer than intended`(
            isDown: Bool
        ) throws {
            let toys = try Toys()
            try toys.setClock("0")
            let service = try toys.startShifted("toy-service")
            let begin = WallClock.milliseconds()
            let (day, other) = (begin + 86_400_000, begin + 10 * 86_400_000)
            _ = try toys.answer(to: Wake(name: "other", due: other))
            try toys.setClock("86400")
            for (name, wait) in [("hour", 3_600_000), ("look", 3_600_000), ("soon", 10_000)] {
                _ = try toys.answer(to: Wake(name: name, due: day + Int64(wait)))
            }
            if isDown { service.kill() }
            try toys.setClock("0")
            if isDown { try toys.startShifted("toy-service") }

            try eventually("what is due has fired") { try woken(toys).count == 2 }
            for row in try woken(toys) {
                #expect(try #require(Int64(row[2])) < begin + 3_600_000)
            }
            #expect(try Set(woken(toys).map { $0[0] }) == ["look", "soon"])
            let left = try toys.system.query(
                .transitAlert, "SELECT subject, due FROM timer ORDER BY subject")
            #expect(left.map { $0[0] } == ["hour", "other"])
            #expect(left[1][1] == String(other))
            let hour = try #require(Int64(left[0][1])) - begin
            #expect((3_000_000..<4_500_000).contains(hour))
        }

        private func woken(_ toys: Toys) throws -> [[String]] {
            try toys.system.query(.transitAlert, "SELECT name, due, time FROM woken")
        }
    }
}
