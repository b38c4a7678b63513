import Bus
import Messages
import Phrases
import ServiceRuntime
import Transfers

/// Delivers notices by the channels of their recipients.
extension Notifier {
    /// The maximum number of deliveries at the same time by channels that work, and by those whose
    /// last attempt has failed: one that hangs can't hold up the others.
    private static let (atOnce, againAtOnce) = (6, 2)

    static var deliveries: [ErrandHandler] {
        [
            delivery("delivery", failing: false, atOnce),
            delivery("retry", failing: true, againAtOnce),
        ]
    }

    private static func delivery(_ kind: String, failing: Bool, _ atOnce: Int) -> ErrandHandler {
        ErrandHandler(
            kind, atOnce: atOnce, take: { try take(failing: failing, $0) }, name: \.delivery.id,
            work: { $0.send() }, finish: { try finish($0, $1, in: $2) },
            giveUp: { try finish($0, .refused($1), in: $2) })
    }

    /// Something to deliver.
    struct Dispatch: Sendable {
        let feed: FeedAddress
        let channel: AlertChannel
        let secret: String
        let delivery: AlertDelivery
        let notice: AlertNotice
        let language: Language
        let reach: HTTPTransfer.Reach
        let now: Int64

        /// Delivers it, outside the loop.
        func send() -> HTTPOutcome {
            do {
                let request = try HTTPRequest(
                    delivery, notice, by: channel, secret: secret, in: language, at: now)
                return HTTPTransfer(reach).send(request)
            } catch { return .refused("\(error)") }
        }
    }

    private static func take(failing: Bool, _ transaction: Transaction) throws -> Dispatch? {
        let (now, db) = (transaction.now, transaction.db)
        guard var kept = try KeptChannel.due(failing: failing, at: now, db) else { return nil }
        guard var delivery = try kept.delivery(at: now, db) else {
            try kept.save(db)
            return nil
        }
        let notice = try Notice.at(delivery.feedSequence, of: kept.feed, db)
        (delivery.state, delivery.changed) = (.sending, now)
        delivery.attempts = delivery.attempts == .max ? .max : delivery.attempts + 1
        if notice == nil {
            (delivery.state, delivery.due, delivery.note) = (.skipped, 0, "too old to matter")
        }
        try delivery.save(kept.feed, db)
        if notice != nil { kept.count(urgent: delivery.severity == .urgent, at: now) }
        try kept.save(db)
        guard let notice else { return nil }
        return Dispatch(
            feed: kept.feed, channel: kept.channel, secret: kept.secret, delivery: delivery,
            notice: notice,
            language: try AlertPreference.of(kept.feed, db).spoken(transaction.settings),
            reach: try reach(of: kept.channel, in: transaction), now: now)
    }

    /// Where a channel may deliver to. On a machine of one's own that is everywhere; where others
    /// use the notifier, only the operator opens the private network to them.
    private static func reach(
        of channel: AlertChannel, in transaction: Transaction
    ) throws -> HTTPTransfer.Reach {
        guard transaction.isBusShared else { return .everywhere }
        let host = try ChannelAddress(channel.address).host
        return ChannelHosts(transaction.settings).contains(host) ? .everywhere : .outside
    }

    /// Schedules the deliveries that were under way when the process was killed again, under the
    /// same id.
    static func recoverDeliveries(_ transaction: Transaction) throws {
        for (_, var delivery) in try AlertDelivery.underWay(transaction.db) {
            let alert = try Alert.required(delivery.alert, transaction.db)
            (delivery.state, delivery.changed) = (.waiting, transaction.now)
            try delivery.save(alert.address, transaction.db)
            try KeptChannel.named(delivery.channel, of: alert.address, transaction.db)?
                .save(transaction.db)
        }
    }

    private static func finish(
        _ dispatch: Dispatch, _ outcome: HTTPOutcome, in transaction: Transaction
    ) throws {
        let (feed, now, db) = (dispatch.feed, transaction.now, transaction.db)
        // The person may have removed the channel meanwhile.
        guard var kept = try KeptChannel.named(dispatch.channel.name, of: feed, db) else { return }
        var delivery = dispatch.delivery
        let wasDead = kept.channel.isDead(at: now)
        delivery.changed = now
        switch outcome {
        case .accepted:
            (delivery.state, delivery.due, delivery.note) = (.sent, 0, "")
            kept.channel.succeed(at: now)
            kept.blocked = 0
        case .refused(let reason):
            (delivery.state, delivery.due, delivery.note) = (.refused, 0, reason.prefix(bytes: 500))
            kept.blocked = kept.channel.fail(reason, pause: 0, at: now)
        case .delayed(let reason, let pause):
            (delivery.state, delivery.note) = (.waiting, reason.prefix(bytes: 500))
            kept.blocked = kept.channel.fail(reason, pause: pause, at: now)
            delivery.due = kept.blocked
        }
        try delivery.save(feed, db)
        try kept.save(db)
        if outcome == .accepted {
            guard wasDead else { return }
            return try withdraw(kept.failingKey, from: name.rawValue, in: transaction)
        }
        if kept.channel.isDead(at: now) { try tellOfFailing(kept, in: transaction) }
        let isLate = Int(kept.channel.failures) >= AlertChannel.failuresBeforeSpare
        if isLate || delivery.severity == .urgent || delivery.state == .refused {
            try DeliveryPlan(dispatch.notice, of: feed, in: transaction).planOnSpare()
        }
    }

    private static func tellOfFailing(
        _ kept: KeptChannel, in transaction: Transaction
    ) throws {
        var raised = AlertRaised(
            key: kept.failingKey, kind: AlertChannel.failingKind, severity: .warning,
            subject: kept.channel.name, recipient: kept.feed.recipient,
            needsAcknowledgement: true,
            actions: [
                Action(name: "list", Said(.seeChannels), target: "steward alerts channel list")
            ], organisation: kept.feed.organisation)
        raised.say(
            Said(.channelFails, ["name": .text(kept.channel.name)]),
            [PhraseLine([Said<AlertPhrase>(.plain, ["text": .text(kept.channel.error)])])])
        try raise(raised, from: name.rawValue, id: transaction.makeID(), in: transaction)
    }
}

extension KeptChannel {
    /// The key of the alert that it fails.
    var failingKey: String { "channel/\(feed.topic)\(channel.name)" }
}

/// The hosts of private networks that channels may reach where others use the notifier.
struct ChannelHosts {
    /// The variable that names them.
    static let variable = "STEWARD_CHANNEL_HOSTS"

    private let names: Set<String>

    /// Reads the setting: names or addresses, separated by commas; none if it isn't set.
    init(_ settings: [String: String]) {
        names = Set(
            (settings[Self.variable] ?? "").split(separator: ",").map {
                $0.filter { !$0.isWhitespace }.lowercased()
            })
    }

    /// Refuses a setting that names no host.
    static func check(_ settings: [String: String]) throws(ConfigurationError) {
        guard let text = settings[variable] else { return }
        let letters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.:_, ")
        guard !ChannelHosts(settings).names.isEmpty, text.allSatisfy(letters.contains) else {
            throw ConfigurationError(
                "\(variable) is “\(text.prefix(100))”; write the hosts that channels may reach, "
                    + "separated by commas, e.g. ntfy.lan,192.168.1.20")
        }
    }

    /// True when the operator has allowed a host.
    func contains(_ host: String) -> Bool { names.contains(host) }
}
