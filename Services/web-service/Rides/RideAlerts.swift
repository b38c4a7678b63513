import Bus
import Messages
import Phrases

/// What the notifier knows of the alerts of a ride.
struct RideAlerts: Encodable {
    /// An open alert that the page of the ride doesn't raise itself.
    struct Notice: Encodable {
        let id: String
        let kind: String
        let title: String
        let body: String
        /// True if it is repeated until someone acknowledges it.
        let needsAcknowledgement: Bool
        /// A page about it, and what to call it; empty for none.
        let link: String
        let linkTitle: String

        fileprivate init(_ alert: Alert, _ said: AlertRaised) {
            (id, kind, title, body) = (alert.id, said.kind, said.title, said.body)
            needsAcknowledgement = said.needsAcknowledgement
            let action = said.actions.first { $0.name == "link" }
            (link, linkTitle) = (action?.target ?? "", action?.title ?? "")
        }
    }

    /// When the newest alert of the stages was raised, in milliseconds since 1970, by the name of
    /// its stage; only if it was acknowledged. Older ones say nothing: a ride that continues has
    /// alerts of each of its stops, and the one for this stop may not have come yet.
    private(set) var acknowledged: [String: Int64] = [:]
    /// The others that are open, newest first.
    private(set) var notices: [Notice] = []
    /// The time of day at this server, in milliseconds since 1970.
    let now: Int64

    /// The stages by the kinds of their alerts. The page itself rings for these.
    private static let stages = [
        "transit.getReady": "getReady", "transit.now": "now", "transit.passed": "passed",
    ]

    /// Chooses those of one ride.
    ///
    /// - Parameters:
    ///   - alerts: alerts of a person, newest first.
    ///   - journey: the id of the ride.
    ///   - language: the language of the page.
    ///   - now: the time of day at this server.
    init(_ alerts: [Alert], of journey: String, in language: Language, at now: Int64) {
        self.now = now
        var isNewest = true
        for alert in alerts {
            guard let raised = alert.raised, raised.subject == journey else { continue }
            guard let stage = Self.stages[raised.kind] else {
                guard alert.state == .open else { continue }
                notices.append(Notice(alert, alert.said(onPageIn: language)))
                continue
            }
            if isNewest, alert.state == .acknowledged { acknowledged[stage] = alert.time }
            isNewest = false
        }
    }
}

extension RideExchange {
    /// The maximum number of alerts that are looked at: those since the ride began, newest first.
    private static let mostAlerts: UInt32 = 100

    /// Sends which alerts of a ride have been acknowledged, wherever that was done, and which
    /// others are open. This exchange is one with the notifier.
    func readAlerts(_ journey: String) {
        let since = exchange.visit.request.target.query["since"].flatMap { Int64($0) } ?? 0
        let query = ListAlerts(
            limit: Self.mostAlerts, source: ServiceName.transitAlert.rawValue, since: since)
        exchange.ask(query, for: Alerts.self) { found in
            let alerts = RideAlerts(
                found.alerts, of: journey, in: exchange.words.language, at: now)
            exchange.send(alerts)
        }
    }
}
