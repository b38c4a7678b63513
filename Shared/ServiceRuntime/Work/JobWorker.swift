import Bus
import Foundation
import Messages
import Synchronization

/// What a job's work is given: where to put files, and how to tell its progress.
public final class JobContext: Sendable {
    /// The id of the job.
    public let id: String
    /// The service's data directory.
    public let dataDirectory: String
    /// The service's store, for ``Store/reader(_:)``.
    public let storePath: String
    private let isCancelled = Atomic(false)
    private let progress = Mutex<Progress?>(nil)

    /// How far the work is.
    struct Progress {
        let done: UInt64
        let total: UInt64
        let message: String
    }

    /// The job was cancelled: the work is given up.
    public struct Cancelled: Error {
        /// The job was cancelled.
        public init() {}
    }

    init(id: String, dataDirectory: String, storePath: String) {
        self.id = id
        self.dataDirectory = dataDirectory
        self.storePath = storePath
    }

    /// Tells how far the work is. Cheap enough to be called every few thousand rows.
    ///
    /// - Returns: false when the job was cancelled and the work must stop.
    @discardableResult
    public func report(done: UInt64, total: UInt64, _ message: String) -> Bool {
        progress.withLock { $0 = Progress(done: done, total: total, message: message) }
        return !isCancelled.load(ordering: .relaxed)
    }

    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// The newest report, once.
    func takeProgress() -> Progress? {
        progress.withLock { progress in
            defer { progress = nil }
            return progress
        }
    }
}

/// Does one job on a thread of its own, and hands the result back as a command to its own service.
struct JobWorker: Sendable {
    let handler: JobHandler
    let request: [UInt8]
    let context: JobContext
    let connection: Connection
    let service: ServiceName
    let token: [UInt8]

    /// Ends when the service has taken the result over; if the process is killed before, the job
    /// begins again.
    func run() {
        var outcome = work()
        while true {
            do {
                let client = try Client(connection, to: service, isPatient: true)
                client.token = token
                _ = try client.ask(outcome, for: JobNoted.self, deadline: .seconds(60))
                return
            } catch let error as ClientError {
                guard case .refused(let refusal) = error else { continue }
                // The result itself was refused, e.g. as too large: then the job has failed.
                guard outcome.state == .succeeded else { return }
                outcome = FinishJob(
                    jobId: context.id, state: .failed, message: refusal.message)
            } catch {
                continue
            }
        }
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
        return outcome
    }
}
