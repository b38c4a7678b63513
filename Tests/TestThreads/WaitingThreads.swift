import Foundation
import Synchronization

/// A few threads for tests that mostly wait, for programs or for time to pass.
///
/// The test runner has one thread per processor. A test that waits there would keep a processor
/// from tests that compute, and when those are done, it would wait alone.
final class WaitingThreads: TaskExecutor {
    /// Two more tests than there are processors wait at once, so that the processors have something
    /// to do.
    static let shared = WaitingThreads(count: ProcessInfo.processInfo.activeProcessorCount + 2)

    private let jobs = Mutex<[UnownedJob]>([])
    private let count = DispatchSemaphore(value: 0)

    private init(count: Int) {
        for number in 1...count {
            let thread = Thread { [self] in work() }
            thread.name = "waiting-\(number)"
            // As much as the main thread has; some tests have large frames.
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        count.signal()
    }

    private func work() {
        while true {
            count.wait()
            let job = jobs.withLock { $0.removeFirst() }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
