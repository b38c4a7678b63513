import Messages
import ServiceRuntime

/// What keeps an alert from being delivered for a while: the quiet hours of its recipient, or
/// maintenance.
struct AlertHold {
    /// Why something waits in quiet hours.
    static let waitsForMorning = "waits until the quiet hours are over"
    private static let waitsForMaintenance = "waits until the maintenance "

    /// When the alert may be delivered, in milliseconds since 1970: now if nothing holds it back.
    let end: Int64
    /// Why the alert waits; empty if it needn't.
    let reason: String

    /// Finds what holds back an alert that can wait.
    ///
    /// - Parameters:
    ///   - alert: the alert.
    ///   - severity: that of the alert when it was to be delivered.
    ///   - feed: the feed of its recipient.
    ///   - transaction: the transaction.
    init(
        _ alert: Alert, as severity: Severity, of feed: AlertFeedAddress,
        in transaction: Transaction
    ) throws {
        let (now, db) = (transaction.now, transaction.db)
        var then = alert
        then.severity = severity
        let quiet = try QuietHours.of(feed, db).end(for: alert, as: severity, at: now)
        let window = try MaintenanceWindow.holding(then, of: feed.organisation, at: now, db)
        end = max(quiet, window?.until ?? now)
        reason =
            end == now
            ? ""
            : end == quiet
                ? Self.waitsForMorning
                : Self.waitsForMaintenance + "\(window?.reason ?? "") is over"
    }

    /// True if something holds a delivery back.
    static func holds(_ delivery: AlertDelivery, at now: Int64) -> Bool {
        delivery.due > now && isReason(delivery.note)
    }

    /// True if a delivery with this note waits because something holds it back.
    static func isReason(_ note: String) -> Bool {
        note == waitsForMorning || note.hasPrefix(waitsForMaintenance)
    }
}

extension KeptChannel {
    /// Delivers what the channel holds back as soon as the quiet hours and the maintenance now in
    /// force allow it, but no later than planned.
    func release(in transaction: Transaction) throws {
        let (now, db) = (transaction.now, transaction.db)
        for var delivery in try AlertDelivery.held(on: self, at: now, db) {
            let alert = try Alert.known(delivery.alert, db) ?? Alert()
            let hold = try AlertHold(alert, as: delivery.severity, of: feed, in: transaction)
            guard hold.end < delivery.due else { continue }
            (delivery.due, delivery.changed, delivery.note) = (hold.end, now, hold.reason)
            try delivery.save(feed, db)
        }
        try save(db)
    }
}

extension Mail {
    /// Sends mails that are held back as soon as the quiet hours and the maintenance now in force
    /// allow it, but no later than planned.
    static func release(_ mails: [Mail], in transaction: Transaction) throws {
        let (now, db) = (transaction.now, transaction.db)
        for var mail in mails {
            let delivery = AlertDelivery(mail)
            guard let alert = try Alert.known(delivery.alert, db) else { continue }
            let hold = try AlertHold(
                alert, as: delivery.severity, of: alert.address, in: transaction)
            guard hold.end < mail.due else { continue }
            (mail.due, mail.changed) = (hold.end, now)
            try mail.save(db)
        }
    }
}
