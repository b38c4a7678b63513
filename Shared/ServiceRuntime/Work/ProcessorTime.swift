import Foundation

/// What a thread has cost so far. Unlike the time of day it stands still while the thread waits, so
/// that a limit on it is the same on a busy machine.
public enum ProcessorTime {
    /// The processor time that this thread has used since it began: seconds.
    public static func ofThisThread() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
