import Messages
import ServiceRuntime

/// What is still delivered of an alert that has ended, by channels of every kind and by mail.
///
/// Nothing rings for what is over, so whatever waits is skipped. But an urgent alert of which its
/// recipient hasn't heard must not become silence: its end is delivered, as what it is. And a
/// program that may have got an alert gets its end, because a siren must be switched off.
enum AlertEnd {
    /// How long after its end a channel says that an alert has happened, in milliseconds: a day.
    /// After that it is history, which lists show.
    private static let latest: Int64 = 86_400_000

    /// How severe the delivery of an end by a channel is, which decides what it goes ahead of; nil
    /// if the channel doesn't need the end.
    ///
    /// - Parameters:
    ///   - alert: the alert that has ended.
    ///   - opened: the position of the notice that last opened it.
    ///   - kept: the channel.
    ///   - waiting: what of the alert waited for the channel until now.
    ///   - transaction: the transaction.
    static func severity(
        of alert: Alert, since opened: UInt64, on kept: KeptChannel, waiting: [AlertDelivery],
        in transaction: Transaction
    ) throws -> Severity? {
        let (now, db) = (transaction.now, transaction.db)
        if kept.channel.isForProgram,
            try AlertDelivery.mayHaveArrived(of: alert.id, on: kept, db)
        {
            return alert.severity
        }
        let isMissed =
            cameTooLate(alert)
            || waiting.contains { $0.severity == .urgent && !AlertHold.holds($0, at: now) }
        guard isMissed, try mustBeTold(alert, since: opened, on: kept, in: transaction) else {
            return nil
        }
        // It mustn't hold up what is urgent now.
        return .info
    }

    /// The notice of its end that a channel delivers in place of one that says that an urgent alert
    /// is open, which it no longer is; nil if the channel needs neither.
    static func notice(
        insteadOf notice: AlertNotice, of delivery: AlertDelivery, on kept: KeptChannel,
        in transaction: Transaction
    ) throws -> AlertNotice? {
        let db = transaction.db
        // A delivery that was tried as the end already is no longer urgent, but still refers to the
        // notice that the alert is open.
        guard delivery.severity == .urgent || delivery.reason == .closed,
            try notice.isOver(db),
            try !delivery.isOvertaken(on: kept, db),
            let alert = try Alert.known(delivery.alert, db)?.ended(db)
        else { return nil }
        let opened = try AlertOpening.position(of: alert, db)
        guard try mustBeTold(alert, since: opened, on: kept, in: transaction) else { return nil }
        let preference = try AlertPreference.of(kept.feed, db)
        return AlertNotice(
            feedSequence: delivery.feedSequence, reason: .closed,
            alert: alert.told(preference, transaction.settings))
    }

    /// True if a channel has yet to say that an urgent alert that has ended has happened.
    static func mustBeTold(
        _ alert: Alert, since opened: UInt64, on kept: KeptChannel, in transaction: Transaction
    ) throws -> Bool {
        try alert.closed >= transaction.now - latest && isNews(alert, in: transaction)
            && !AlertDelivery.hasToldUrgent(alert.id, since: opened, on: kept, transaction.db)
    }

    /// False if somebody has acknowledged an alert that has ended, and therefore knows of it, or if
    /// what it is about isn't over: its source has it open under the same key, for example because
    /// it is for others now, or escalates.
    static func isNews(_ alert: Alert, in transaction: Transaction) throws -> Bool {
        try alert.state != .acknowledged && !alert.goesOn(transaction.db)
    }

    /// True of an urgent alert that was over when it came, because the notifier was down.
    static func cameTooLate(_ alert: Alert) -> Bool {
        alert.state == .expired && alert.severity == .urgent && alert.closed == alert.time
    }
}
