/// How long to wait before restarting a service that ended, and when to give it up.
struct Backoff: Hashable {
    /// What to do with a service that has ended.
    enum Verdict: Hashable {
        /// Start it again after this time.
        case restart(after: Duration)
        /// Starting it again would not help: report that, and leave it.
        case giveUp
    }

    /// How a service ended.
    struct Ending: Hashable {
        /// Its exit code; nil if a signal ended it.
        var exitCode: Int32?
        /// The signal that ended it; nil if it exited.
        var signal: Int32?
        /// True if it had been ready.
        var wasReady = false
        /// How long it had been running.
        var time: Duration

        /// True if nothing was wrong with it: someone killed it.
        var isFromOutside: Bool { signal.map(Backoff.outside.contains) ?? false }
    }

    /// The first wait, and the only one for a service that someone killed or that ran well for a
    /// while. Each further wait is twice as long.
    static let first: Duration = .milliseconds(250)
    /// The longest wait for a service that has never been ready.
    static let longest: Duration = .seconds(30)
    /// The longest wait for a service that has been ready, because people are waiting for it.
    static let longestOnceReady: Duration = .seconds(5)
    /// How long a service must have run after it was ready for the waits to start over.
    static let recovery: Duration = .seconds(10)
    /// The number of attempts to start a service that reports that it can't start.
    static let hopelessTries = 3
    /// EX_CONFIG and EX_DATAERR: a wrong setting or a bad store doesn't fix itself.
    static let hopelessCodes: Set<Int32> = [78, 65]
    /// The signals that come from others: SIGHUP, SIGINT, SIGKILL, SIGTERM. Any other, such as a
    /// trap, is the service's own fault.
    static let outside: Set<Int32> = [1, 2, 9, 15]

    private var next = first
    private var hopeless = 0
    private var hasBeenReady = false

    /// Decides what to do after a service ended.
    mutating func judge(_ ending: Ending) -> Verdict {
        if ending.wasReady { hasBeenReady = true }
        if let exitCode = ending.exitCode, Self.hopelessCodes.contains(exitCode) {
            hopeless += 1
            if hopeless >= Self.hopelessTries { return .giveUp }
        } else {
            hopeless = 0
        }
        if ending.isFromOutside || (ending.wasReady && ending.time >= Self.recovery) {
            next = Self.first
            return .restart(after: next)
        }
        let wait = next
        next = min(next * 2, hasBeenReady ? Self.longestOnceReady : Self.longest)
        return .restart(after: min(wait, hasBeenReady ? Self.longestOnceReady : Self.longest))
    }
}
