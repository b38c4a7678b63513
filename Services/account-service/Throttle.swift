import Messages

/// The number of failures, and the time of the last.
struct Failures: Hashable {
    var count = 0
    /// Milliseconds since 1970.
    var last: Int64 = 0
}

/// How long to wait after failed attempts to log in, and after others have signed up.
enum Throttle: String {
    /// Attempts at one name, whether an account has it or not.
    case account
    /// Attempts from one source, at any name. Several people may share it, so more attempts are
    /// free, and one is forgiven each minute.
    case source
    /// Accounts made without an invitation from one source. As in `source`, people may share it.
    case newcomer
    /// Accounts made without an invitation in one organisation.
    case openSignUp

    /// The longest wait: 15 minutes in milliseconds.
    static let longest: Int64 = 15 * 60_000
    /// How long after the last attempt all are forgiven: a day in milliseconds.
    static let memory: Int64 = 24 * 3_600_000

    /// The number of failures that cause no wait.
    var free: Int {
        switch self {
        case .account: 5
        case .source, .newcomer: 20
        case .openSignUp: 200
        }
    }

    /// True if one failure is forgiven each minute.
    private var isForgiving: Bool { self != .account }

    /// How long to wait after a number of failures, in milliseconds: a second after the free ones,
    /// then doubled each time.
    func pause(after failures: Int) -> Int64 {
        failures < free ? 0 : min(Self.longest, 1000 << Int64(min(failures - free, 20)))
    }

    /// The failures that still count at a time.
    func counting(_ failures: Failures, at now: Int64) -> Failures {
        let passed = max(0, now - failures.last)
        if passed >= Self.memory { return Failures() }
        let forgiven = isForgiving ? Int(passed / 60_000) : 0
        return Failures(count: max(0, failures.count - forgiven), last: failures.last)
    }

    /// Counts an attempt as failed before it is tried, so that sending many at the same time gains
    /// nothing.
    ///
    /// - Throws: `Refusal` when it comes too early; then it is not counted.
    func attempt(_ failures: Failures, at now: Int64) throws(Refusal) -> Failures {
        let counted = counting(failures, at: now)
        // A last failure in the future means that the clock was set back, and a wait would last
        // until then. So one attempt is admitted, and the next wait starts with it.
        let wait =
            counted.last > now ? 0 : counted.last + pause(after: counted.count) - now
        guard wait <= 0 else {
            let arguments = ["seconds": "\(Self.seconds(wait))"]
            switch self {
            case .account, .source:
                throw Refusal.forbidden(
                    "there were too many failed attempts; try again in \(Self.words(wait))"
                ).because(.attemptsLimit, arguments)
            case .newcomer, .openSignUp:
                throw Refusal.forbidden(
                    "many have signed up lately; try again in \(Self.words(wait)), or ask for an "
                        + "invitation"
                ).because(.signUpLimit, arguments)
            }
        }
        return Failures(count: counted.count + 1, last: now)
    }

    /// A wait in words, rounded up.
    static func words(_ milliseconds: Int64) -> String {
        let seconds = seconds(milliseconds)
        if seconds == 1 { return "1 second" }
        if seconds < 120 { return "\(seconds) seconds" }
        return "\((seconds + 59) / 60) minutes"
    }

    private static func seconds(_ milliseconds: Int64) -> Int64 { (milliseconds + 999) / 1000 }
}
