import Foundation
import GRDBSQLite
import Synchronization
import Testing

/// A disk that fails to write once, while one thread writes with SQLite. Only one test at a time
/// may use it.
enum FailingDisk {
    private typealias Write = @convention(c) (Int32, UnsafeRawPointer?, Int, Int) -> Int

    private struct Plan {
        let thread: pthread_t
        /// The number of writes that succeed before the one that fails.
        var spared: Int
    }

    private static let plan = Mutex<Plan?>(nil)

    /// Runs `body`, in which a write of this thread fails after a number of others.
    static func failing(afterWrites spared: Int, _ body: () throws -> Void) throws {
        let write: Write = { file, bytes, count, offset in
            guard !FailingDisk.isDue() else {
                errno = EIO
                return -1
            }
            return pwrite(file, bytes, count, offset)
        }
        let vfs = try #require(sqlite3_vfs_find(nil))
        // SQLite knows one of them, depending on how it was built.
        let names: [String] = ["pwrite", "pwrite64"]
        let name = names.first { vfs.pointee.xGetSystemCall(vfs, $0) != nil }
        let known = try #require(name)
        plan.withLock { $0 = Plan(thread: pthread_self(), spared: spared) }
        let call = unsafeBitCast(write, to: sqlite3_syscall_ptr.self)
        let code = vfs.pointee.xSetSystemCall(vfs, known, call)
        defer {
            // Sets it to what it was at first.
            _ = vfs.pointee.xSetSystemCall(vfs, known, nil)
            plan.withLock { $0 = nil }
        }
        try #require(code == SQLITE_OK)
        try body()
    }

    private static func isDue() -> Bool {
        plan.withLock { plan in
            guard var due = plan, pthread_equal(due.thread, pthread_self()) != 0 else {
                return false
            }
            guard due.spared > 0 else {
                plan = nil
                return true
            }
            due.spared -= 1
            plan = due
            return false
        }
    }
}
