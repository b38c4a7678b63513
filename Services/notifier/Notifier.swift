import Bus
import Messages
import ServiceRuntime

/// Keeps every service's alerts and delivers them to people: publishes them on the alert endpoint,
/// repeats unacknowledged ones, and replays what a subscriber missed.
@main struct Notifier: Service {
    static let name = ServiceName.notifier
    static let tokenIssuer = ServiceName.account
    static let migrator = NotifierStore.migrator
    static let belongings = NotifierStore.belongings
    static let hasAlertEndpoint = true

    static var handlers: [MessageHandler] {
        AlertHandling.handlers + AlertFeeds.handlers + Preferences.handlers
            + MailHandling.handlers + Channels.handlers + QuietHours.handlers + Silence.handlers
            + AlertDigest.handlers + CallHandling.handlers + EscalationPolicy.handlers
            + MaintenanceWindow.handlers
    }
    static var timers: [TimerHandler] {
        [TimerHandler(pruning, atAnyTime: prune)] + AlertHandling.timers + MailHandling.timers
            + AlertDigest.timers + Silence.timers + CallHandling.timers + Erasures.timers
    }
    static var errands: [ErrandHandler] { Deliveries.errands + MailHandling.errands }
    static var follows: [ServiceName: [EventHandler]] {
        let others = ServiceName.allCases.filter { $0 != name }
        return Dictionary(
            uniqueKeysWithValues: others.map {
                let special: [EventHandler] =
                    switch $0 {
                    case .account: [.init(CallHandling.accountChanged)]
                    case .transitAlert: [.init(Erasures.travelErased)]
                    default: []
                    }
                let all: [EventHandler] = [
                    .init(AlertHandling.raised), .init(AlertHandling.withdrawn),
                    .init(MailRequests.requested), .init(AsideAlerts.setAside),
                ]
                return ($0, all + special)
            })
    }

    /// The kind of the timer that deletes what is kept long enough.
    static let pruning = "prune"

    static func validate(_ settings: [String: String]) throws(ConfigurationError) {
        _ = try MailConfiguration(settings)?.password()
        try AllowedHosts.validate(settings, AllowedHosts.ofChannels)
        try AlertRetention.validate(settings)
    }

    static func prepare(_ transaction: Transaction) throws {
        try transaction.setTimer(pruning, subject: "", due: transaction.now)
        try MailHandling.recover(transaction)
        try Deliveries.recover(transaction)
        try Deliveries.stop(KeptChannel.newlyDamaged(transaction.db), in: transaction)
        try Silence.prepare(transaction)
    }

    /// Does nothing. Subscribers of the alert endpoint ask for what they missed. The services that
    /// follow the notifier apply acknowledgements: a service that has missed some goes on as if
    /// nobody had seen those alerts, which is better than silence. An old acknowledgement could
    /// silence an alert that was raised again since with the same text. Denials that were missed
    /// are not audited.
    static func pass(_: Transaction, to _: SnapshotReceiver) {}

    static func forget(
        _ producer: ServiceName, except present: [Envelope], _ transaction: Transaction
    ) throws {
        // What the producer itself can't read stays.
        let leftOut = present.leftOut
        let keys = leftOut.union(
            try present.filter { $0.type == AlertRaised.protobufName }
                .map { try AlertRaised(stored: $0.data).key })
        if producer == .account {
            let accounts = try present.filter { $0.type == AccountChanged.protobufName }
                .map { try AccountChanged(stored: $0.data).account.id }
            for feed in try Member.forget(except: leftOut.union(accounts), transaction.db) {
                try CallHandling.tellForgotten(feed, in: transaction)
            }
        }
        // A snapshot leaves out acknowledged alerts, so it doesn't say whether their causes are
        // gone. Reopening one in vain is better than never reopening it.
        for kept in try KeptCall.live(source: producer.rawValue, transaction.db)
        where !kept.call.wasAcknowledged && !keys.contains(kept.call.raised?.key ?? "") {
            var call = kept.call
            call.end(.withdrawn, at: transaction.now)
            try CallHandling.settle(call, kept, in: transaction)
        }
        for var alert in try Alert.open(source: producer.rawValue, transaction.db)
        where !keys.contains(alert.key) {
            alert.close(.withdrawn, at: transaction.now)
            try AlertHandling.settle(alert, .closed, in: transaction)
        }
    }

    static func grantsSubscription(
        to topic: String, _ transaction: Transaction
    ) throws -> Bool {
        guard transaction.isBusShared else { return topic.hasPrefix("alert.") }
        return try AlertFeedTopic.isGranted(topic, in: transaction)
    }

    /// The notifier itself has put something aside; it doesn't follow itself.
    static func noteAside(_ event: SetAside, _ transaction: Transaction) throws {
        try AsideAlerts.report(event, of: name.rawValue, in: transaction)
    }

    static func prune(_: String, due: Int64, in transaction: Transaction) throws {
        let time = transaction.retentionTime
        let retention = AlertRetention(transaction.settings).milliseconds
        let areNoticesLeft = try Notice.prune(
            before: time - min(retention, Notice.retention), transaction.db)
        try Mail.prune(
            before: time - Mail.retention, ofAlertsBefore: time - retention, transaction.db)
        try MailboxCode.prune(before: time, transaction.db)
        let areDeliveriesLeft = try AlertDelivery.prune(
            endedBefore: time - retention, transaction.db)
        try Silence.endAhead(in: transaction)
        try MaintenanceWindow.prune(endedBefore: time, transaction.db)
        try MaintenanceWindow.prune(begunAfter: transaction.now, transaction.db)
        try KeptCall.prune(closedBefore: time - retention, transaction.db)
        let areAlertsLeft = try Alert.prune(closedBefore: time - retention, transaction.db)
        let areRidesLeft = try KeptAlerts.pruneRides(
            closedBefore: time - min(retention, KeptAlerts.longestOfRides), transaction.db)
        let isMore = areNoticesLeft || areDeliveriesLeft || areAlertsLeft || areRidesLeft
        try transaction.setTimer(
            pruning, subject: "",
            due: transaction.now + (isMore ? 1000 : Notice.pruningInterval))
    }

    static func beat(_ transaction: Transaction) throws {
        let feeds = try BeatRound.shared.withLock {
            try $0.next(at: transaction.now, transaction.db)
        }
        for feed in feeds {
            let topic = try AlertFeedTopic(feed.address, in: transaction)
            try transaction.deliver(FeedBeat(feedSequence: feed.head), topic: topic.beats)
        }
    }
}

extension Access {
    /// The administrators of the whole organisation.
    static let administrators = Access.role(minimum: .administrator, at: .organisation)
}
