import Synchronization

/// The context of a job's work: where to put files, and how to report its progress.
public final class JobContext: Sendable {
    /// The id of the job.
    public let id: String
    /// The service's data directory.
    public let dataDirectory: String
    /// The service's store, for ``Store/reader(_:)``.
    public let storePath: String
    private let isCancelled = Atomic(false)
    private let progress = Mutex<Progress?>(nil)

    /// The progress of the work.
    struct Progress {
        let done: UInt64
        let total: UInt64
        let message: String
    }

    /// Thrown by work that stops because its job was cancelled.
    public struct Cancelled: Error {
        /// Makes the error.
        public init() {}
    }

    init(id: String, dataDirectory: String, storePath: String) {
        self.id = id
        self.dataDirectory = dataDirectory
        self.storePath = storePath
    }

    /// Reports the progress of the work. It is cheap enough to call every few thousand rows.
    ///
    /// - Returns: false when the job was cancelled and the work must stop.
    @discardableResult
    public func report(done: UInt64, total: UInt64, _ message: String) -> Bool {
        progress.withLock { $0 = Progress(done: done, total: total, message: message) }
        return !isCancelled.load(ordering: .relaxed)
    }

    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// The newest report; returned only once.
    func takeProgress() -> Progress? {
        progress.withLock { progress in
            defer { progress = nil }
            return progress
        }
    }
}
