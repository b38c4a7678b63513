import Synchronization

/// What a job's work is given: where to put files, and how to report its progress.
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

    /// Reports how far the work is. Cheap enough to be called every few thousand rows.
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
