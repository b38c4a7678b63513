/// How long to wait before a service that fell is started again, and when to give it up.
struct Backoff: Hashable {
    /// What to do with a service that has ended.
    enum Verdict: Hashable {
        /// Start it again after a while.
        case restart(after: Duration)
        /// Starting it again would not help: say so, and leave it.
        case giveUp
    }

    /// How a service has ended.
    struct Ending: Hashable {
        /// Its exit code; nil when a signal ended it.
        var exitCode: Int32?
        /// The signal that ended it.
        var signal: Int32?
        /// True when it had been ready.
        var wasReady = false
        /// How long it had been running.
        var time: Duration

        /// True when nothing was wrong with it: somebody has killed it.
        var isFromOutside: Bool { signal.map(Backoff.outside.contains) ?? false }
    }

    /// The first wait, and the only one of a service that somebody has killed or that ran well for
    /// a while. Each further one is twice as long.
    static let first: Duration = .milliseconds(250)
    /// No wait is longer for a service that has never been ready.
    static let longest: Duration = .seconds(30)
    /// No wait is longer for one that has been: people wait for it.
    static let longestOnceReady: Duration = .seconds(5)
    /// Whoever was ready and ran so long was well: the waits begin anew.
    static let recovery: Duration = .seconds(10)
    /// How often a service is tried that says itself that it can't start.
    static let hopelessTries = 3
    /// EX_CONFIG and EX_DATAERR: a wrong setting and a bad store don't get better by themselves.
    static let hopelessCodes: Set<Int32> = [78, 65]
    /// The signals that come from others: SIGHUP, SIGINT, SIGKILL, SIGTERM. All others, such as a
    /// trap, are the service's own fault.
    static let outside: Set<Int32> = [1, 2, 9, 15]

    private var next = first
    private var hopeless = 0
    private var hasBeenReady = false

    /// What to do now.
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
