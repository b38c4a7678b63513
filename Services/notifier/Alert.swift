import Messages

/// The rules of an alert's life: raised, changed, repeated, and closed once.
extension Alert {
    /// The timer kinds of an alert: its next repetition, and its end.
    static let (repetition, expiry) = ("repeat", "expire")
    /// How long an alert that needs no acknowledgement and has no end is shown: 25 hours in
    /// milliseconds, the longest day of a year, so that it is still open at the next digest.
    static let defaultLife: Int64 = 25 * 3600 * 1000
    /// How long an alert that needs an acknowledgement and has no end stays open: 30 days in
    /// milliseconds.
    static let longestLife: Int64 = 30 * 24 * 3600 * 1000
    /// An alert that must be acknowledged and expires within two hours, in milliseconds, waits
    /// neither for the end of quiet hours nor for a digest: those of a ride last for one hour.
    static let shortLife: Int64 = 2 * 3600 * 1000
    /// The minimum time between repetitions, in milliseconds.
    static let shortestRepetition: Int64 = 5000
    /// The maximum time between repetitions, in milliseconds.
    static let longestRepetition = longestLife
    /// The time between repetitions of an alert that can't be read, in milliseconds.
    static let unreadableRepetition: Int64 = 600_000
    /// The number of unanswered repetitions after which an alert becomes a step more severe.
    static let repetitionsPerStep: UInt32 = 3
    /// The severities, in ascending order.
    static let severities: [Severity] = [.info, .warning, .urgent]

    /// Makes a new alert. One that arrives after its end is kept as expired and reported as such,
    /// never dropped.
    ///
    /// - Throws: `Refusal` when it has no key, title or recipient; its event becomes a dead letter.
    init(id: MessageID, source: String, raised: AlertRaised, at now: Int64) throws {
        guard !raised.key.isEmpty else { throw Refusal.alertWithout("key") }
        guard !raised.title.isEmpty else { throw Refusal.alertWithout("title") }
        guard !raised.recipient.isEmpty || raised.audience != nil else {
            throw Refusal.alertWithout("recipient")
        }
        self.init(id: "\(id)", source: source, raised: raised, state: .open, time: now)
        if expires <= now { close(.expired, at: now) }
    }

    /// The key by which its source knows the alert.
    var key: String { raised?.key ?? "" }

    /// The feed that the alert belongs to.
    var address: AlertFeedAddress {
        AlertFeedAddress(
            organisation: raised?.organisation ?? "",
            recipient: recipient.isEmpty ? raised?.recipient ?? "" : recipient)
    }

    /// When the alert expires, in milliseconds since 1970.
    var expires: Int64 {
        guard let raised else { return 0 }
        if raised.expiresAt > 0 { return MessageTime.clamped(raised.expiresAt) }
        return time + (raised.needsAcknowledgement ? Self.longestLife : Self.defaultLife)
    }

    /// True if the alert is of use until a time and for at least ``shortLife``, or needs no answer.
    /// Any other alert would arrive too late if it waited, or never, because it would have expired.
    func canWait(until end: Int64, at now: Int64) -> Bool {
        guard state == .open, raised?.needsAcknowledgement == true else { return true }
        return expires > max(end, now + Self.shortLife)
    }

    /// Changes the alert to what its source now says.
    ///
    /// - Returns: false when nothing changes.
    mutating func change(to raised: AlertRaised) throws -> Bool {
        guard raised != self.raised else { return false }
        guard !raised.title.isEmpty else { throw Refusal.alertWithout("title") }
        self.raised = raised
        return true
    }

    /// Records that someone has acknowledged the alert.
    ///
    /// - Returns: false when it was already acknowledged.
    /// - Throws: `Refusal` when the alert was closed in another way.
    mutating func acknowledge(by account: String, at now: Int64) throws -> Bool {
        switch state {
        case .acknowledged: return false
        case .open:
            acknowledgedBy = account
            close(.acknowledged, at: now)
            return true
        case .withdrawn:
            throw Refusal.conflict("the alert was already withdrawn by its source")
                .because(.alertWithdrawn)
        default: throw Refusal.conflict("the alert has expired already").because(.alertExpired)
        }
    }

    /// Closes the alert.
    mutating func close(_ state: AlertState, at now: Int64) {
        self.state = state
        closed = now
    }

    /// Its present severity: that of its source, raised a step after every third repetition, up to
    /// urgent. While it is open it never falls, unless its source lowers it.
    var loudness: Severity {
        let said = Self.severities.firstIndex(of: raised?.severity ?? .info) ?? 0
        let steps = Int(repeats / Self.repetitionsPerStep)
        return Self.severities[min(said + steps, Self.severities.count - 1)]
    }

    /// When the alert is to be repeated next, in milliseconds since 1970; nil when it is not.
    func repetitionDue(at now: Int64) -> Int64? {
        guard state == .open, let raised, raised.needsAcknowledgement, raised.repeatEvery > 0
        else { return nil }
        let interval = max(raised.repeatEvery, Self.shortestRepetition)
        return now + min(interval, Self.longestRepetition)
    }
}

extension Severity {
    /// True when this severity is higher than another; false if either isn't known.
    func isLouder(than other: Severity) -> Bool {
        guard let own = Alert.severities.firstIndex(of: self),
            let known = Alert.severities.firstIndex(of: other)
        else { return false }
        return own > known
    }
}

extension Refusal {
    /// A service raised an alert without a part that is needed to show it.
    static func alertWithout(_ part: String) -> Refusal {
        .invalid("the alert has no \(part)")
    }
}

extension Alert {
    /// Those that a person may mean who typed the beginning of the ids of these alerts, as a list
    /// of open ones shows it: the only open one, if it has the feed of the others, and these ended
    /// without anybody. Whoever acknowledges an alert twice mustn't acknowledge another.
    static func meant(of found: [Alert]) -> [Alert] {
        let open = found.filter { $0.state == .open }
        guard let only = open.first, open.count == 1 else { return found }
        let isClear = found.allSatisfy { alert in
            alert.address == only.address
                && [.open, .withdrawn, .expired].contains(alert.state)
        }
        return isClear ? open : found
    }
}
