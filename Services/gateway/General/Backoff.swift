/// How long to wait before a service that fell is started again, and when to give it up.
struct Backoff: Hashable {
    /// What to do with a service that has ended.
    enum Verdict: Hashable {
        /// Start it again after a while.
        case restart(after: Duration)
        /// Starting it again would not help: say so, and leave it.
        case giveUp
    }

    /// The first wait; each further one is twice as long.
    static let first: Duration = .milliseconds(250)
    /// No wait is longer.
    static let longest: Duration = .seconds(30)
    /// Whoever ran so long was well: the waits begin anew.
    static let recovery: Duration = .seconds(60)
    /// How often a service is tried that says itself that it can't start.
    static let hopelessTries = 3
    /// EX_CONFIG and EX_DATAERR: a wrong setting and a bad store don't get better by themselves.
    static let hopelessCodes: Set<Int32> = [78, 65]

    private var next = first
    private var hopeless = 0

    /// What to do now.
    ///
    /// - Parameters:
    ///   - exitCode: how it ended; nil when a signal ended it.
    ///   - time: how long it had been running.
    mutating func judge(exitCode: Int32?, after time: Duration) -> Verdict {
        if time >= Self.recovery { self = Backoff() }
        if let exitCode, Self.hopelessCodes.contains(exitCode) {
            hopeless += 1
            if hopeless >= Self.hopelessTries { return .giveUp }
        } else {
            hopeless = 0
        }
        let wait = next
        next = min(next * 2, Self.longest)
        return .restart(after: wait)
    }
}
