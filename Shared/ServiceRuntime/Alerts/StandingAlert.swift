import Messages

/// An alert that this service has raised and not withdrawn.
///
/// It stands until it is withdrawn, whether acknowledged or not. The runtime keeps it, records who
/// acknowledged it, and puts it into snapshots: see `Transaction.raise(_:occasion:)`.
public struct StandingAlert: Hashable, Sendable {
    /// Who has seen an alert, and when.
    public struct Acknowledgement: Hashable, Sendable {
        /// The account; empty when an earlier version did not keep it.
        public let account: String
        /// When the service learned of it, in milliseconds since 1970.
        public let time: Int64
    }

    /// What was raised. Its `key` is unique within the service; `subject` is the entity that it is
    /// about.
    public var raised: AlertRaised
    /// Distinguishes one raising of the alert from the next, e.g. the time when something became
    /// due in milliseconds since 1970, or any other number.
    public var occasion: Int64
    /// Since when it has been unacknowledged, in milliseconds since 1970.
    public var since: Int64
    /// Who has acknowledged it; nil while nobody has.
    public internal(set) var acknowledgement: Acknowledgement?

    /// Makes an alert that nobody has acknowledged.
    public init(_ raised: AlertRaised, occasion: Int64 = 0, since: Int64) {
        self.raised = raised
        self.occasion = occasion
        self.since = since
    }

    /// Makes an alert that an earlier version kept in a table of the service's own.
    ///
    /// - Parameters:
    ///   - raised: the alert.
    ///   - occasion: see ``StandingAlert/occasion``.
    ///   - since: since when it has been unacknowledged, in milliseconds since 1970.
    ///   - wasAcknowledged: whether someone has acknowledged it.
    public init(kept raised: AlertRaised, occasion: Int64, since: Int64, wasAcknowledged: Bool) {
        self.init(raised, occasion: occasion, since: since)
        if wasAcknowledged { acknowledgement = Acknowledgement(account: "", time: since) }
    }

    /// The key under which it was raised.
    public var key: String { raised.key }
    /// True when someone has acknowledged it, for this occasion.
    public var isAcknowledged: Bool { acknowledgement != nil }

    /// The alert for something that may last longer than its alerts, each of which expires.
    ///
    /// Before the present alert expires, nobody is alerted to the same thing again: the alert
    /// changes only when its title does, and stays acknowledged.
    ///
    /// - Parameters:
    ///   - raised: the alert as it would be raised now.
    ///   - before: the one that stands under its key.
    ///   - now: the present time in milliseconds since 1970.
    public static func lasting(
        _ raised: AlertRaised, after before: StandingAlert?, at now: Int64
    ) -> StandingAlert {
        guard let before, before.raised.expiresAt > now else {
            return StandingAlert(raised, occasion: now, since: now)
        }
        guard before.raised.title != raised.title else { return before }
        return StandingAlert(raised, occasion: before.occasion, since: before.since)
    }

    /// The alert that replaces `before` when this one is raised; nil when nothing changes.
    ///
    /// An acknowledged alert stays as it is for the same occasion, whatever its text.
    func following(_ before: StandingAlert?) -> StandingAlert? {
        guard let before else { return self }
        if before.isAcknowledged { return before.occasion == occasion ? nil : self }
        return before.raised == raised && before.occasion == occasion && before.since == since
            ? nil : self
    }
}

extension Transaction {
    /// Raises an alert, or changes the one that stands under its key.
    ///
    /// An acknowledged alert is raised again only for another occasion. So raising the same alert
    /// repeatedly shows it once.
    ///
    /// - Parameters:
    ///   - alert: the alert.
    ///   - occasion: see ``StandingAlert/occasion``.
    public func raise(_ alert: AlertRaised, occasion: Int64 = 0) throws {
        let before = try standingAlert(alert.key)
        let since = before.flatMap { $0.isAcknowledged ? nil : $0.since } ?? now
        try put(StandingAlert(alert, occasion: occasion, since: since), before)
    }

    /// Withdraws the alert with a key; does nothing when none stands.
    public func withdraw(_ key: String) throws {
        guard let subject = try StandingAlert.subject(of: key, db) else { return }
        try StandingAlert.delete(key, db)
        try publish(AlertWithdrawn(key: key), subject: subject)
    }

    /// Withdraws all alerts of a subject.
    public func withdrawAlerts(of subject: String) throws {
        for key in try standingKeys(of: subject) { try withdraw(key) }
    }

    /// Raises, changes and withdraws alerts until exactly these stand for a subject.
    public func settle(_ wanted: [StandingAlert], of subject: String) throws {
        let present = try standingAlerts(of: subject)
        let before = Dictionary(
            present.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        for alert in wanted { try put(alert, before[alert.key]) }
        let kept = Set(wanted.map(\.key))
        for key in try standingKeys(of: subject) where !kept.contains(key) { try withdraw(key) }
    }

    /// The alert that stands under a key; nil if it can't be read.
    public func standingAlert(_ key: String) throws -> StandingAlert? {
        try StandingAlert.ofKey(key, db)
    }

    /// The standing alerts of a subject that can be read, ordered by key.
    public func standingAlerts(of subject: String) throws -> [StandingAlert] {
        try StandingAlert.all(of: subject, db)
    }

    /// The keys of a subject's standing alerts, even of those that can't be read.
    public func standingKeys(of subject: String) throws -> [String] {
        try StandingAlert.keys(of: subject, db)
    }

    private func put(_ alert: StandingAlert, _ before: StandingAlert?) throws {
        guard let alert = alert.following(before) else { return }
        try alert.save(db)
        guard alert.raised != before?.raised || before?.isAcknowledged != false else { return }
        try publish(alert.raised, subject: alert.raised.subject)
    }
}

extension EventHandler {
    /// Records who acknowledges a standing alert of this service. A service that raises alerts uses
    /// it to follow the service that shows them to people.
    ///
    /// - Parameter then: called after an alert was acknowledged.
    public static func acknowledgements(
        then: @escaping (StandingAlert, Transaction) throws -> Void = { _, _ in }
    ) -> EventHandler {
        EventHandler { (event: AlertAcknowledged, _, transaction) in
            let alert = event.alert
            guard let raised = alert.raised, alert.source == transaction.turn.service.rawValue,
                var standing = try transaction.standingAlert(raised.key),
                !standing.isAcknowledged,
                // An alert that has changed since then is open again where people see it.
                standing.raised == raised
            else { return }
            standing.acknowledgement = .init(account: alert.acknowledgedBy, time: transaction.now)
            try standing.save(transaction.db)
            try then(standing, transaction)
        }
    }
}
