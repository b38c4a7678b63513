import Bus
import Foundation
import Messages

/// Does one job on a thread of its own, and sends the result as a command to its own service.
struct JobWorker: Sendable {
    let handler: JobHandler
    let request: [UInt8]
    let context: JobContext
    let connection: Connection
    let service: ServiceName
    let token: [UInt8]
    let record: CrashRecord
    /// What is recorded while it works.
    let act: String

    /// Runs the job, and returns when the service has stored the result; if the process is killed
    /// before, the job starts over.
    func run() {
        record.note(act, in: .job)
        var outcome = work()
        while true {
            do {
                let client = try Client(connection, to: service, isPatient: true)
                client.token = token
                _ = try client.ask(outcome, for: JobNoted.self, deadline: .seconds(60))
                return
            } catch let error as ClientError {
                switch error {
                case .refused, .tooLarge:
                    guard let next = substitute(for: outcome, error.description) else { return }
                    outcome = next
                default: Self.pause()
                }
            } catch {
                Self.pause()
            }
        }
    }

    /// What is sent instead of an outcome that can't be stored, because no other job begins before
    /// this one has ended: that the job has failed, and why; without the reason if that can't be
    /// stored either. Nil when this was sent already.
    private func substitute(for outcome: FinishJob, _ fault: String) -> FinishJob? {
        let untold = "the reason can't be shown"
        guard outcome.message != untold else { return nil }
        let isResult = outcome.state == .succeeded
        return FinishJob(
            jobId: context.id, state: isResult ? .failed : outcome.state,
            message: isResult ? fault.prefix(bytes: Self.longestReason) : untold)
    }

    /// The longest reason that is sent, in bytes: it may quote what is in a file.
    private static let longestReason = 4_000

    /// Waits before sending the result again: an immediate failure, e.g. for lack of descriptors,
    /// would otherwise repeat immediately.
    private static func pause() {
        var nothing = Poller([])
        // A signal may cut the wait short, which only means an earlier try.
        do { try nothing.wait(milliseconds: 1000) } catch {}
    }

    private func work() -> FinishJob {
        var outcome = FinishJob(jobId: context.id)
        do {
            let (type, result) = try handler.work(request, context)
            (outcome.state, outcome.type, outcome.result) = (.succeeded, type, result)
        } catch is JobContext.Cancelled {
            (outcome.state, outcome.message) = (.cancelled, "cancelled")
        } catch let refusal as Refusal {
            (outcome.state, outcome.message) = (.failed, refusal.message)
        } catch {
            (outcome.state, outcome.message) = (.failed, "\(error)")
        }
        outcome.message = outcome.message.prefix(bytes: Self.longestReason)
        return outcome
    }
}
