import Messages

/// The rules of an alert's life: raised, changed, repeated, and closed once.
extension Alert {
    /// An alert that needs no acknowledgement and names no end is shown for a day: milliseconds.
    static let defaultLife: Int64 = 24 * 3600 * 1000
    /// One that must be acknowledged and names no end is kept open for 30 days: milliseconds.
    static let longestLife: Int64 = 30 * defaultLife
    /// Alerts are not repeated more often: milliseconds.
    static let shortestRepetition: Int64 = 5000
    /// Nor less often: milliseconds.
    static let longestRepetition = longestLife
    /// How long a closed alert is kept: 30 days in milliseconds.
    static let retention: Int64 = 30 * defaultLife
    /// After how many repetitions without an answer it matters a step more.
    static let repetitionsPerStep: UInt32 = 3
    /// What it rises through.
    static let severities: [Severity] = [.info, .warning, .urgent]

    /// A new alert. It has expired already when it comes later than it is of use: it is kept and
    /// told as such, never dropped.
    ///
    /// - Throws: `Refusal` when it has no key, title or recipient; its event becomes a dead letter.
    init(id: MessageID, source: String, raised: AlertRaised, at now: Int64) throws {
        guard !raised.key.isEmpty else { throw Refusal.alertWithout("key") }
        guard !raised.title.isEmpty else { throw Refusal.alertWithout("title") }
        guard !raised.recipient.isEmpty else { throw Refusal.alertWithout("recipient") }
        self.init(id: "\(id)", source: source, raised: raised, state: .open, time: now)
        if expires <= now { close(.expired, at: now) }
    }

    /// The key under which its source knows it.
    var key: String { raised?.key ?? "" }

    /// Whose feed it belongs to.
    var address: FeedAddress {
        FeedAddress(organisation: raised?.organisation ?? "", recipient: raised?.recipient ?? "")
    }

    /// When it is of no more use: milliseconds since 1970.
    var expires: Int64 {
        guard let raised else { return 0 }
        if raised.expiresAt > 0 { return MessageTime.clamped(raised.expiresAt) }
        return time + (raised.needsAcknowledgement ? Self.longestLife : Self.defaultLife)
    }

    /// Changes it to what its source now says.
    ///
    /// - Returns: false when it says the same as before.
    mutating func change(to raised: AlertRaised) throws -> Bool {
        guard raised != self.raised else { return false }
        guard !raised.title.isEmpty else { throw Refusal.alertWithout("title") }
        self.raised = raised
        return true
    }

    /// Someone has acknowledged it.
    ///
    /// - Returns: false when that was known already.
    /// - Throws: `Refusal` when the alert was closed otherwise.
    mutating func acknowledge(by account: String, at now: Int64) throws -> Bool {
        switch state {
        case .acknowledged: return false
        case .open:
            acknowledgedBy = account
            close(.acknowledged, at: now)
            return true
        case .withdrawn: throw Refusal.conflict("the alert was taken back by its source already")
        default: throw Refusal.conflict("the alert has expired already")
        }
    }

    /// Ends the alert's life.
    mutating func close(_ state: AlertState, at now: Int64) {
        self.state = state
        closed = now
    }

    /// How much it matters by now: what its source says, and a step more after every third
    /// repetition, up to urgent. It never falls while it is open, unless its source says so.
    var loudness: Severity {
        let said = Self.severities.firstIndex(of: raised?.severity ?? .info) ?? 0
        let steps = Int(repeats / Self.repetitionsPerStep)
        return Self.severities[min(said + steps, Self.severities.count - 1)]
    }

    /// When it is to be repeated next; nil when it is not.
    func repetitionDue(at now: Int64) -> Int64? {
        guard state == .open, let raised, raised.needsAcknowledgement, raised.repeatEvery > 0
        else { return nil }
        let interval = max(raised.repeatEvery, Self.shortestRepetition)
        return now + min(interval, Self.longestRepetition)
    }
}

extension Refusal {
    /// A service raised an alert that no one could be told.
    static func alertWithout(_ part: String) -> Refusal {
        .invalid("the alert has no \(part)")
    }
}
