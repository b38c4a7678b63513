import Bus
import Messages
import ServiceRuntime
import Texts

/// A person's search in the history of their alerts.
struct AlertSearch {
    /// The maximum number of alerts that are examined for one page.
    private static let mostLookedAt = 2_000
    /// How many are read at a time.
    private static let step = 500

    private let query: ListAlerts
    private let transaction: Transaction
    private let address: AlertFeedAddress
    private let preference: AlertPreference
    private let words: [String]
    private let erasure: AlertErasure?

    /// Begins a search.
    ///
    /// - Throws: a `Refusal` when the asker may not read the feed, or the words have no letters.
    init(_ query: ListAlerts, in transaction: Transaction) throws {
        (self.query, self.transaction) = (query, transaction)
        address = try AlertFeedAddress(query.recipient, asker: transaction.principal)
        preference = try AlertPreference.of(address, transaction.db)
        words = FoldedText.words(query.words)
        erasure = try AlertErasure.underWay(of: address, transaction.db)
        guard query.words.isEmpty || !words.isEmpty else {
            throw Refusal.invalid(
                "“\(query.words.prefix(50))” has no letters or digits to look for")
        }
    }

    /// One page of the alerts found, newest first, in the language of the recipient.
    func page() throws -> Alerts {
        let limit = pageLimit(query.limit, usual: 50, most: 500)
        var (found, last, lookedAt) = (Page<Alert>(limit: limit), query.before, 0)
        while lookedAt < Self.mostLookedAt {
            let alerts = try Alert.newest(
                of: address, openOnly: query.openOnly, before: last, limit: Self.step,
                transaction.db)
            for alert in alerts {
                // The ids of alerts are in the order of their times, so all that follow are too old
                // as well.
                if alert.time < query.since, isOld(alert) { return Alerts(alerts: found.rows) }
                let told = alert.told(preference, transaction.settings)
                if fits(told), !found.add(told, bytes: told.packed().count) {
                    return Alerts(alerts: found.rows, next: last)
                }
                last = alert.id
            }
            lookedAt += alerts.count
            if alerts.isEmpty { return Alerts(alerts: found.rows) }
        }
        return Alerts(alerts: found.rows, next: last)
    }

    /// True when no alert with a smaller id can be recent enough, even if the clock was set back by
    /// a day.
    private func isOld(_ alert: Alert) -> Bool {
        query.since - alert.time > 24 * 3600 * 1000
    }

    private func fits(_ told: Alert) -> Bool {
        guard address.shows(told, to: transaction.principal), erasure?.hides(told) != true,
            query.source.isEmpty || told.source == query.source,
            query.acknowledgedBy.isEmpty || told.acknowledgedBy == query.acknowledgedBy,
            told.time >= query.since, query.until == 0 || told.time < query.until
        else { return false }
        guard !words.isEmpty else { return true }
        let text = FoldedText.words((told.raised?.title ?? "") + " " + (told.raised?.body ?? ""))
        return words.allSatisfy { word in text.contains { $0.hasPrefix(word) } }
    }
}

/// How long alerts that are closed are kept, with everything that was done to deliver them.
struct AlertRetention {
    /// The variable that sets it, in days.
    static let variable = "STEWARD_ALERT_DAYS"
    /// The days that may be set.
    private static let range = 1...3_650

    /// In milliseconds; 30 days if it isn't set.
    let milliseconds: Int64

    /// Reads the setting.
    init(_ settings: [String: String]) {
        let days = settings[Self.variable].flatMap(Int64.init) ?? 30
        milliseconds = max(1, min(days, Int64(Self.range.upperBound))) * 24 * 3600 * 1000
    }

    /// Refuses a setting that isn't a number of days.
    static func validate(_ settings: [String: String]) throws(ConfigurationError) {
        guard let text = settings[variable] else { return }
        guard let days = Int(text), range.contains(days) else {
            throw ConfigurationError(
                "\(variable) is “\(text.prefix(50))”; write a number of days from 1 to 3650")
        }
    }
}
