import Messages

/// How often someone has failed, and when last.
struct Failures: Hashable {
    var count = 0
    /// Milliseconds since 1970.
    var last: Int64 = 0
}

/// How long one has to wait after failed attempts to log in.
enum Throttle: String {
    /// Attempts at one name, whether an account has it or not.
    case account
    /// Attempts from one place, at whatever name. Several people may use it, so more are free, and
    /// one is forgiven each minute.
    case source

    /// The longest wait: 15 minutes in milliseconds.
    static let longest: Int64 = 15 * 60_000
    /// After so long without an attempt all is forgotten: a day in milliseconds.
    static let memory: Int64 = 24 * 3_600_000

    /// So many may fail without a wait.
    var free: Int { self == .account ? 5 : 20 }

    /// How long after a number of failures the next attempt may come: a second after the free
    /// ones, then doubled each time.
    func pause(after failures: Int) -> Int64 {
        failures < free ? 0 : min(Self.longest, 1000 << Int64(min(failures - free, 20)))
    }

    /// The failures that count at a time.
    func counting(_ failures: Failures, at now: Int64) -> Failures {
        let passed = max(0, now - failures.last)
        if passed >= Self.memory { return Failures() }
        let forgiven = self == .source ? Int(passed / 60_000) : 0
        return Failures(count: max(0, failures.count - forgiven), last: failures.last)
    }

    /// Counts an attempt as failed before it is tried, so that many at once gain nothing.
    ///
    /// - Throws: `Refusal` when it comes too early; it is not tried then.
    func attempt(_ failures: Failures, at now: Int64) throws(Refusal) -> Failures {
        let counted = counting(failures, at: now)
        // When the last failure is yet to come, the clock was set back: a wait would last until
        // then. One attempt is let through, and the next wait begins with it.
        let wait =
            counted.last > now ? 0 : counted.last + pause(after: counted.count) - now
        guard wait <= 0 else {
            throw .forbidden(
                "there were too many failed attempts; try again in \(Self.words(wait))")
        }
        return Failures(count: counted.count + 1, last: now)
    }

    /// A wait in words, never shorter than it is.
    static func words(_ milliseconds: Int64) -> String {
        let seconds = (milliseconds + 999) / 1000
        if seconds == 1 { return "1 second" }
        if seconds < 120 { return "\(seconds) seconds" }
        return "\((seconds + 59) / 60) minutes"
    }
}
