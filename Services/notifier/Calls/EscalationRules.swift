import Bus
import Messages
import ServiceRuntime

/// Selects some of an organisation's alerts.
protocol AlertFilter {
    /// The service that raises them; empty for any.
    var source: String { get }
    /// Their kind; empty for any.
    var kind: String { get }
    /// How their keys begin; empty for any.
    var key: String { get }
    /// The site that they are about; empty for any.
    var site: String { get }
}

extension AlertFilter {
    /// True when the filter has no condition.
    var isEmpty: Bool { source.isEmpty && kind.isEmpty && key.isEmpty && site.isEmpty }

    /// True when an alert of a service is one of them.
    func fits(_ raised: AlertRaised, from source: String) -> Bool {
        (self.source.isEmpty || self.source == source) && (kind.isEmpty || kind == raised.kind)
            && (key.isEmpty || raised.key.utf8.starts(with: key.utf8))
            && (site.isEmpty || site == raised.site)
    }
}

extension Silence: AlertFilter {}
extension MaintenanceWindow: AlertFilter {}
extension EscalationPolicy: AlertFilter {}

/// The rules of a policy.
extension EscalationPolicy {
    /// The maximum number of an organisation's policies.
    static let most = 2_000
    /// The maximum number of steps.
    static let mostSteps = 10
    /// The maximum number of rounds.
    static let mostRounds: UInt32 = 10
    /// The minimum length of the longest wait in a policy of several rounds, in milliseconds.
    static let shortestRound: Int64 = 10_000
    /// The minimum time before an acknowledged alert is opened again, in milliseconds.
    static let shortestPatience: Int64 = 60_000
    /// The services whose alerts are about a person's own rides and days, which are nobody else's.
    static let personal: Set<String> = [
        ServiceName.transitAlert.rawValue, ServiceName.routine.rawValue,
    ]

    /// How many times to go through the steps.
    var wholeRounds: UInt32 { min(max(rounds, 1), Self.mostRounds) }
    /// The longest wait between two steps, in milliseconds.
    private var longestWait: Int64 { steps.map(\.after).max() ?? 0 }

    /// Validates a person's request.
    ///
    /// - Throws: a `Refusal` that says what is wrong.
    func validate() throws(Refusal) {
        try validateName(name, of: "a policy")
        guard (1...Self.mostSteps).contains(steps.count) else {
            throw .invalid("a policy has 1 to \(Self.mostSteps) steps")
        }
        for step in steps { try step.who.validate() }
        guard rounds <= Self.mostRounds else {
            throw .invalid("a policy goes through its steps at most \(Self.mostRounds) times")
        }
        guard wholeRounds == 1 || longestWait >= Self.shortestRound else {
            throw .invalid("a policy with several rounds must wait at least 10 seconds somewhere")
        }
        guard reopenAfter == 0 || reopenAfter >= Self.shortestPatience else {
            throw .invalid("an acknowledged alert stays closed for at least a minute")
        }
    }

    /// True when the policy escalates an alert.
    func escalates(_ raised: AlertRaised, from source: String) -> Bool {
        raised.needsAcknowledgement && Self.place(of: raised.severity) >= Self.place(of: from)
            && !Self.personal.contains(source) && fits(raised, from: source)
    }

    /// The place of a severity among all, in ascending order; an unknown one counts as the lowest.
    static func place(of severity: Severity) -> Int {
        Alert.severities.firstIndex(of: severity) ?? 0
    }

    /// How long to wait before a step, in milliseconds.
    ///
    /// - Parameters:
    ///   - step: the number of the step, from 0.
    ///   - round: the number of the round, from 0.
    func wait(for step: UInt32, in round: UInt32) -> Int64 {
        guard steps.indices.contains(Int(step)) else { return 0 }
        return step == 0 && round > 0 ? longestWait : steps[Int(step)].after
    }
}
