import Bus
import Foundation
import Messages
import Speech
import Terminal

/// Follows a job to its end and shows its progress.
struct JobProgress {
    /// How often to ask the service.
    static let interval: Duration = .milliseconds(200)
    /// The shortest time between two lines when the output is not a terminal.
    static let lineInterval: Duration = .seconds(5)
    /// How long to wait for a service that is restarting before giving up.
    static let patience: Duration = .seconds(60)

    private let session: Session
    private let client: Client
    private let jobID: String

    /// Follows a job of a service.
    init(_ session: Session, of service: ServiceName, jobID: String) throws {
        self.session = session
        self.jobID = jobID
        client = try session.client(service, isPatient: true)
    }

    /// Waits for the end. Ctrl-C cancels the job; a second one leaves it alone. Afterwards Ctrl-C
    /// ends the program again, if it did before.
    ///
    /// - Returns: the job as it ended.
    func follow() throws -> Job {
        let begins = Interruption.watch()
        var isCancelling = false
        var nextLine = ContinuousClock.now + Self.lineInterval
        defer {
            if begins { Interruption.unwatch() }
            session.printer.endLive()
        }
        while true {
            let job = try client.ask(
                ReadJob(jobId: jobID), for: Job.self, deadline: Self.patience)
            switch job.state {
            case .succeeded, .failed, .cancelled: return job
            default: break
            }
            show(job, &nextLine)
            if Interruption.isWanted, !isCancelling {
                isCancelling = true
                session.printer.remark("cancelling …")
                _ = try client.ask(CancelJob(jobId: jobID), for: Job.self, deadline: Self.patience)
            }
            if Interruption.count > 1 {
                throw Failure(
                    .unknownOutcome, "the job \(jobID) goes on",
                    advice: "see the result: steward jobs list")
            }
            // A signal ends the wait early, as intended.
            poll(nil, 0, Int32(Self.interval / .milliseconds(1)))
        }
    }

    private func show(_ job: Job, _ nextLine: inout ContinuousClock.Instant) {
        session.printer.live(Self.bar(job))
        guard !session.printer.err.isTerminal, ContinuousClock.now >= nextLine else { return }
        nextLine = ContinuousClock.now + Self.lineInterval
        session.printer.remark(Self.words(job))
    }

    /// `[█████     ]  52 %  reading stop_times.txt`
    static func bar(_ job: Job) -> String {
        let width = 24
        guard job.total > 0 else { return words(job) }
        let part = min(1, Double(job.done) / Double(job.total))
        let full = Int(part * Double(width))
        let bar =
            String(repeating: "█", count: full) + String(repeating: "·", count: width - full)
        let percent = "\(percent(of: job))".padded(to: 3, onTheLeft: true)
        return "▕\(bar)▏ \(percent) %  \(job.message.printable)"
    }

    /// `52 %  reading stop_times.txt`
    static func words(_ job: Job) -> String {
        let doing = job.message.isEmpty ? job.state.description : job.message.printable
        guard job.total > 0 else { return doing }
        return "\(percent(of: job)) %  \(doing)"
    }

    /// How much of a job is done in percent, whatever numbers the service names; 0 while its total
    /// is unknown.
    static func percent(of job: Job) -> UInt64 {
        guard job.total > 0 else { return 0 }
        // At most 100, so the division can't overflow.
        let hundredfold = min(job.done, job.total).multipliedFullWidth(by: 100)
        return job.total.dividingFullWidth(hundredfold).quotient
    }
}
