import Foundation
import LocalTime
import Messages
import ServiceRuntime

/// The hours of the day in which a person's alerts wait unless they are urgent.
extension QuietHours {
    /// Validates a person's request.
    ///
    /// - Throws: a `Refusal` when the zone is unknown, or the hours have no length.
    func validate() throws(Refusal) {
        guard !timeZone.isEmpty else { return }
        guard LocalTime(zone: timeZone) != nil else {
            let shown = String(timeZone.prefix(50))
            throw Refusal.invalid(
                "there is no time zone “\(shown)”; write one such as Europe/Oslo"
            ).because(.zoneUnknown, of: shown)
        }
        guard from != until else {
            throw Refusal.invalid("quiet hours have to end at another time than they begin")
                .because(.quietHoursEmpty)
        }
    }

    /// When an alert may be delivered: now, or when the quiet hours are over if it can wait.
    ///
    /// - Parameters:
    ///   - alert: the alert.
    ///   - severity: that of the alert when it was to be delivered.
    ///   - now: the present time in milliseconds since 1970.
    func end(for alert: Alert, as severity: Severity, at now: Int64) -> Int64 {
        let over = end(for: severity, at: now)
        return alert.canWait(until: over, at: now) ? over : now
    }

    /// When an alert that can wait may be delivered: now, or when the quiet hours are over.
    ///
    /// - Parameters:
    ///   - severity: that of the alert; an urgent one never waits.
    ///   - now: the present time in milliseconds since 1970.
    func end(for severity: Severity, at now: Int64) -> Int64 {
        guard severity != .urgent, let zone = LocalTime(zone: timeZone) else { return now }
        let minutes = UInt32(clamping: zone.reading(at: now).minutes)
        let isQuiet =
            from < until
            ? (from..<until).contains(minutes) : minutes >= from || minutes < until
        guard isQuiet else { return now }
        let end = zone.first(minutes: Int(until), notBefore: now)
        // In the hour that repeats at the end of summer time, the end has already passed once, and
        // is still to come.
        let left = (Int64(until) - Int64(minutes) + 1_440) % 1_440 * 60_000
        let again = now - now % 60_000 + left
        return zone.reading(at: again).minutes == Int(until) ? min(end, again) : end
    }
}

/// The messages about them.
extension QuietHours {
    static var handlers: [MessageHandler] { [.command(set, .person), .query(read, .person)] }

    /// Sets the asker's quiet hours. What waits for the end of the former ones waits no longer than
    /// the new ones last.
    static func set(
        _ command: SetQuietHours, in transaction: Transaction
    ) throws -> QuietHours {
        let hours = command.hours
        try hours.validate()
        let kept = hours.timeZone.isEmpty ? QuietHours() : hours
        let address = try AlertFeedAddress("", asker: transaction.principal)
        let before = try of(address, transaction.db)
        // Whoever replaces what they haven't seen would undo what was just changed elsewhere. The
        // same hours again undo nothing.
        guard command.expected == nil || command.expected == before || kept == before else {
            throw Refusal.conflict(
                "the quiet hours were changed elsewhere since you read them; read them again"
            ).because(.preferenceChanged)
        }
        try kept.save(address, transaction.db)
        for channel in try KeptChannel.all(of: address, transaction.db) {
            try channel.release(in: transaction)
        }
        try Mail.release(
            Mail.held(of: address, at: transaction.now, transaction.db), in: transaction)
        return kept
    }

    private static func read(
        _: ReadQuietHours, in transaction: Transaction
    ) throws -> QuietHours {
        try .of(AlertFeedAddress("", asker: transaction.principal), transaction.db)
    }
}
