import Foundation

/// The processor time of a thread. Unlike the time of day it stops while the thread waits, so that
/// a limit on it means the same on a busy machine.
public enum ProcessorTime {
    /// The processor time that this thread has used since it started, in seconds.
    public static func ofThisThread() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
