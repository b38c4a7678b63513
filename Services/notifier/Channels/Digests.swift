import Bus
import LocalTime
import Messages
import Phrases
import ServiceRuntime

/// The rules of a digest.
extension AlertDigest {
    /// The kind of the alert that lists what was collected.
    static let kind = "alerts.digest"
    /// The maximum number of alerts that it names.
    static let mostNamed = 20

    /// Validates a person's request.
    ///
    /// - Throws: a `Refusal` when the time zone is unknown, or the severity can't be collected.
    func validate() throws(Refusal) {
        guard !timeZone.isEmpty else { return }
        guard LocalTime(zone: timeZone) != nil else {
            throw .invalid(
                "there is no time zone “\(timeZone.prefix(50))”; write one such as Europe/Oslo")
        }
        guard [.unspecified, .info, .warning].contains(upTo) else {
            throw .invalid("a digest has info or warning alerts; urgent ones don't wait")
        }
    }

    /// True when an alert that can wait is in the digest rather than sent singly.
    func collects(_ alert: Alert) -> Bool {
        !timeZone.isEmpty && Self.collects(alert, upTo: upTo)
    }

    /// True when digests up to a severity include an alert.
    private static func collects(_ alert: Alert, upTo severity: Severity) -> Bool {
        let kinds = [kind, AlertChannel.testKind, AlertChannel.failingKind]
        guard !kinds.contains(alert.raised?.kind ?? "") else { return false }
        return alert.severity != .urgent && (alert.severity != .warning || severity == .warning)
    }

    /// True if the digest doesn't collect all that another one does.
    func collectsLess(than other: AlertDigest) -> Bool {
        guard !other.timeZone.isEmpty else { return false }
        return timeZone.isEmpty || other.upTo == .warning && upTo != .warning
    }

    /// When the next digest is due, in milliseconds since 1970; nil for never.
    func due(after now: Int64) -> Int64? {
        // The minute of the last digest is over by then.
        LocalTime(zone: timeZone)?.first(minutes: Int(at), notBefore: now + 60_000)
    }

    /// The key of the alert that lists a feed's alerts.
    static func key(of feed: AlertFeedAddress) -> String { "digest/\(feed.topic)" }

    /// True for an alert that lists alerts, which may be of the recipient's own rides and days. Of
    /// an alert that can't be read only the key is known.
    static func isDigest(_ alert: Alert) -> Bool {
        alert.source == ServiceName.notifier.rawValue
            && (alert.raised?.kind == kind || alert.key == key(of: alert.address))
    }

    /// The alert that lists alerts.
    static func listing(_ alerts: [Alert], for feed: AlertFeedAddress) -> AlertRaised {
        // It is as severe as the most severe of them, so it goes where that one would have gone.
        let levels = alerts.compactMap { Alert.severities.firstIndex(of: $0.severity) }
        var raised = AlertRaised(
            key: key(of: feed), kind: kind,
            severity: Alert.severities[levels.max() ?? 0], recipient: feed.recipient,
            organisation: feed.organisation)
        var lines = alerts.prefix(mostNamed).map { alert in
            PhraseLine([
                Said<AlertPhrase>(.plain, ["text": .text(alert.raised?.title ?? "")])
            ])
        }
        if alerts.count > mostNamed {
            lines.append(
                PhraseLine([
                    Said<AlertPhrase>(
                        .moreInDigest, ["count": .number(alerts.count - mostNamed)])
                ]))
        }
        raised.say(Said(.digest, ["count": .number(alerts.count)]), lines)
        return raised
    }
}

/// The messages about it, and its timer.
extension AlertDigest {
    static var handlers: [MessageHandler] { [.command(set, .person), .query(read, .person)] }
    static var timers: [TimerHandler] { [.init(collecting, atAnyTime: collect)] }
    /// The kind of its timer; the subject is the feed's topic.
    static let collecting = "digest"

    static func set(_ command: SetDigest, in transaction: Transaction) throws -> AlertDigest {
        var digest = command.digest
        try digest.validate()
        if digest.timeZone.isEmpty { digest = AlertDigest() }
        let feed = try AlertFeedAddress("", asker: transaction.principal)
        var since = transaction.now
        let due = digest.due(after: transaction.now)
        if let before = try kept(feed.topic, transaction.db), !before.digest.timeZone.isEmpty {
            let alerts = try collected(
                before.digest, of: feed, since: before.since, in: transaction)
            let formerDue = try transaction.timerDue(collecting, subject: feed.topic) ?? .max
            let isTooLate = alerts.contains { alert in
                due.map { formerDue < alert.expires && alert.expires <= $0 } ?? true
            }
            // What was collected is sent now if the new digest won't list it, or won't before it is
            // over. If there is nothing to send, the list that was delivered stays.
            if !digest.collectsLess(than: before.digest), !isTooLate {
                since = before.since
            } else if !alerts.isEmpty {
                try list(before.digest, since: before.since, of: feed, in: transaction)
            }
        }
        try digest.save(feed, since: since, transaction.db)
        guard let due else {
            try transaction.cancelTimer(collecting, subject: feed.topic)
            return digest
        }
        try transaction.setTimer(collecting, subject: feed.topic, due: due)
        return digest
    }

    private static func read(_: ReadDigest, in transaction: Transaction) throws -> AlertDigest {
        try .of(AlertFeedAddress("", asker: transaction.principal), transaction.db)
    }

    /// True when an alert is in the next digest of a feed rather than sent singly. An alert that
    /// can't wait until then isn't, and none is if there is no next digest, because this machine
    /// doesn't know the time zone. Once it knows the zone again, this sets the timer again.
    static func collects(
        _ alert: Alert, of feed: AlertFeedAddress, in transaction: Transaction
    ) throws -> Bool {
        let digest = try of(feed, transaction.db)
        guard digest.collects(alert), let coming = digest.due(after: transaction.now) else {
            return false
        }
        let next = try transaction.timerDue(collecting, subject: feed.topic)
        if next == nil { try transaction.setTimer(collecting, subject: feed.topic, due: coming) }
        return alert.canWait(until: next ?? coming, at: transaction.now)
    }

    /// Withdraws the alert that lists a feed's alerts, if it is open.
    static func withdraw(of feed: AlertFeedAddress, in transaction: Transaction) throws {
        try AlertHandling.withdraw(
            key(of: feed), from: ServiceName.notifier.rawValue, in: transaction)
    }

    /// Sends a person's digest, and starts to collect again, unless this machine doesn't know the
    /// time zone.
    static func collect(_ topic: String, due: Int64, in transaction: Transaction) throws {
        let (now, db) = (transaction.now, transaction.db)
        guard let (feed, digest, since) = try kept(topic, db), !digest.timeZone.isEmpty else {
            return
        }
        let next = digest.due(after: now)
        if let next { try transaction.setTimer(collecting, subject: topic, due: next) }
        guard due <= now || next == nil else {
            // The clock was set back. Collect from now on, because a new alert may be older than
            // the last digest.
            if since > now { try beginAnew(topic, at: now, db) }
            return
        }
        try beginAnew(topic, at: now, db)
        try list(digest, since: since, of: feed, in: transaction)
    }

    /// The open alert that lists a feed's alerts; nil for none.
    static func openList(
        of feed: AlertFeedAddress, in transaction: Transaction
    ) throws -> Alert? {
        try Alert.open(source: ServiceName.notifier.rawValue, key: key(of: feed), transaction.db)
    }

    /// Lists again the open alerts that an erased list named: the list was erased because it named
    /// other alerts that were erased, and it may not have been delivered yet.
    static func replace(
        _ erased: Alert, of feed: AlertFeedAddress, in transaction: Transaction
    ) throws {
        let since = try listedSince(feed, transaction.db)
        // It is as severe as the most severe of them, whatever the digest collects meanwhile.
        let most: Severity = erased.severity == .info ? .info : .warning
        let alerts = try news(of: feed, since: since, until: erased.time, transaction.db)
            .filter { collects($0, upTo: most) }
        try list(alerts, since: since, of: feed, in: transaction)
    }

    /// The alerts that a digest has collected since a time and that are open, oldest first: those
    /// that were raised since then, opened again, or became more severe.
    private static func collected(
        _ digest: AlertDigest, of feed: AlertFeedAddress, since: Int64, in transaction: Transaction
    ) throws -> [Alert] {
        try news(of: feed, since: since, transaction.db).filter(digest.collects)
    }

    /// Lists what a digest has collected since a time, and what the last list names if that list
    /// reached nobody. What is silenced waits for the first digest after the silence.
    private static func list(
        _ digest: AlertDigest, since: Int64, of feed: AlertFeedAddress, in transaction: Transaction
    ) throws {
        var since = since
        if let last = try openList(of: feed, in: transaction), try isUntold(last, transaction.db) {
            since = try min(since, listedSince(feed, transaction.db))
        }
        let (now, db) = (transaction.now, transaction.db)
        let silences = try Silence.all(of: feed, at: now, db)
        var alerts: [Alert] = []
        for alert in try collected(digest, of: feed, since: since, in: transaction) {
            if silences.contains(where: { $0.silences(alert, at: now) }) {
                try listAgain(alert.id, at: now, db)
            } else {
                alerts.append(alert)
            }
        }
        try list(alerts, since: since, of: feed, in: transaction)
    }

    /// Raises the alert that lists what a digest has collected since a time, in place of the last
    /// one.
    private static func list(
        _ alerts: [Alert], since: Int64, of feed: AlertFeedAddress, in transaction: Transaction
    ) throws {
        let preference = try AlertPreference.of(feed, transaction.db)
        let raised = listing(alerts.map { $0.told(preference, transaction.settings) }, for: feed)
        // Withdraw the last digest, so that a phone is notified of the new one.
        try withdraw(of: feed, in: transaction)
        guard !alerts.isEmpty else { return }
        try note(listedSince: since, of: feed, transaction.db)
        try AlertHandling.raise(
            raised, from: ServiceName.notifier.rawValue, id: transaction.makeID(), in: transaction)
    }
}
