import Foundation
import Synchronization

/// A few threads for tests that mostly wait, for programs or for time to pass.
///
/// The test runner has one thread per processor. A test that waits there would keep a processor
/// from tests that compute, and when those are done, it would wait alone.
final class WaitingThreads: Sendable {
    /// Two more tests than there are processors wait at once, so that the processors have something
    /// to do.
    static let shared = WaitingThreads(count: ProcessInfo.processInfo.activeProcessorCount + 2)

    /// For suites that take minutes, whose tests run one after another: they begin before all
    /// others, or all would wait for them in the end.
    let early = Lane()
    /// For all other suites.
    let others = Lane()

    private let count = DispatchSemaphore(value: 0)

    private init(count number: Int) {
        for number in 1...number {
            let thread = Thread { [self] in work() }
            thread.name = "waiting-\(number)"
            // As much as the main thread has; some tests have large frames.
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    private func work() {
        while true {
            count.wait()
            // A job is in its lane before it is counted.
            _ = early.runNext() || others.runNext()
        }
    }

    /// Tests that wait for a thread. The one that came last goes first, as it is most often the
    /// next of a suite that has begun: suites end one by one. If it went last, all suites would go
    /// on until the end, which the longest of them would reach alone.
    final class Lane: TaskExecutor {
        private let jobs = Mutex<[UnownedJob]>([])

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            jobs.withLock { $0.append(job) }
            WaitingThreads.shared.count.signal()
        }

        /// Runs a job, and returns false if there is none.
        fileprivate func runNext() -> Bool {
            let next = jobs.withLock { $0.popLast() }
            next?.runSynchronously(on: asUnownedTaskExecutor())
            return next != nil
        }
    }
}
