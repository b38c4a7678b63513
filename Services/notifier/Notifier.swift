import Bus
import Messages
import ServiceRuntime

/// Keeps every service's alerts and delivers them to people: publishes them on the alert endpoint,
/// repeats unacknowledged ones, and replays what a subscriber missed.
@main struct Notifier: Service {
    static let name = ServiceName.notifier
    static let tokenIssuer = ServiceName.account
    static let migrator = NotifierStore.migrator
    static let hasAlertEndpoint = true

    static var handlers: [MessageHandler] {
        [
            .command(acknowledge, .person), .secret(renewTopic, .person),
            .query(openFeed, .account), .query(readFeed, .account), .query(list, .account),
            .command(prefer, .person), .query(readPreference, .person),
            .command(retryMail, administrators), .command(sendTest, administrators),
            .query(listMails, administrators), .query(readMail, administrators),
        ] + Channels.handlers + QuietHours.handlers + Silence.handlers
    }
    private static let administrators = Access.role(minimum: .administrator, at: .organisation)
    static var timers: [TimerHandler] {
        [.init(repetition, repeatAlert), .init(expiry, expire), .init(pruning, prune)]
    }
    static var follows: [ServiceName: [EventHandler]] {
        let others = ServiceName.allCases.filter { $0 != name }
        return Dictionary(
            uniqueKeysWithValues: others.map {
                let ofAccounts: [EventHandler] = $0 == .account ? [.init(accountChanged)] : []
                let all: [EventHandler] = [
                    .init(raised), .init(withdrawn), .init(requested), .init(setAside),
                ]
                return ($0, all + ofAccounts)
            })
    }

    /// Timer kinds.
    static let repetition = "repeat"
    static let expiry = "expire"
    static let pruning = "prune"

    static func prepare(_ transaction: Transaction) throws {
        try transaction.setTimer(pruning, subject: "", due: transaction.now)
        try recoverMails(transaction)
        try recoverDeliveries(transaction)
    }

    /// Nothing: no service follows the notifier, and subscribers of the alert endpoint ask for what
    /// they missed.
    static func tell(_: Transaction, to _: Teller) {}

    // MARK: Events of services

    static func raised(
        _ event: AlertRaised, _ envelope: Envelope, in transaction: Transaction
    ) throws {
        try raise(event, from: envelope.source, id: transaction.id, in: transaction)
    }

    /// Opens an alert with this id, or changes the open one with the same key.
    static func raise(
        _ event: AlertRaised, from source: String, id: MessageID, in transaction: Transaction
    ) throws {
        if var alert = try Alert.open(source: source, key: event.key, transaction.db) {
            guard try alert.change(to: event) else { return }
            try settle(alert, .changed, in: transaction)
            return
        }
        let alert = try Alert(
            id: id, source: source, raised: event, at: transaction.now)
        try settle(alert, alert.state == .open ? .raised : .closed, in: transaction)
    }

    static func withdrawn(
        _ event: AlertWithdrawn, _ envelope: Envelope, in transaction: Transaction
    ) throws {
        try withdraw(event.key, from: envelope.source, in: transaction)
    }

    /// Closes the open alert with a key, if there is one.
    static func withdraw(
        _ key: String, from source: String, in transaction: Transaction
    ) throws {
        guard var alert = try Alert.open(source: source, key: key, transaction.db) else { return }
        alert.close(.withdrawn, at: transaction.now)
        try settle(alert, .closed, in: transaction)
    }

    static func forget(
        _ producer: ServiceName, except present: [Envelope], _ transaction: Transaction
    ) throws {
        let keys = try present.filter { $0.type == AlertRaised.protobufName }
            .map { try AlertRaised(stored: $0.data).key }
        if producer == .account { try Administrator.forget(transaction.db) }
        for var alert in try Alert.open(source: producer.rawValue, transaction.db)
        where !keys.contains(alert.key) {
            alert.close(.withdrawn, at: transaction.now)
            try settle(alert, .closed, in: transaction)
        }
    }

    // MARK: Messages of people

    static func acknowledge(
        _ command: AcknowledgeAlert, in transaction: Transaction
    ) throws -> AlertAcknowledged {
        var alert = try Alert.required(command.id, of: transaction.principal, transaction.db)
        guard try alert.acknowledge(by: transaction.principal.account, at: transaction.now) else {
            return AlertAcknowledged(alert: alert)
        }
        try settle(alert, .closed, in: transaction)
        try transaction.publish(AlertAcknowledged(alert: alert), subject: alert.id)
        return AlertAcknowledged(
            alert: try told([alert], to: alert.address, in: transaction).first ?? alert)
    }

    static func prefer(
        _ command: PreferAlerts, in transaction: Transaction
    ) throws -> AlertPreference {
        let feed = try FeedAddress("", asker: transaction.principal)
        let preference = try AlertPreference(command, before: .of(feed, transaction.db))
        try preference.save(feed, transaction.db)
        return preference
    }

    static func readPreference(
        _: ReadAlertPreference, in transaction: Transaction
    ) throws -> AlertPreference {
        try .of(FeedAddress("", asker: transaction.principal), transaction.db)
    }

    static func openFeed(_ query: OpenFeed, in transaction: Transaction) throws -> AlertFeed {
        let address = try FeedAddress(query.recipient, asker: transaction.principal)
        return AlertFeed(
            topic: try FeedTopic(address, in: transaction).prefix,
            feedSequence: try Notice.head(address, transaction.db),
            open: try told(Alert.open(of: address, transaction.db), to: address, in: transaction))
    }

    static func renewTopic(
        _ command: RenewTopic, in transaction: Transaction
    ) throws -> TopicRenewed {
        let address = try FeedAddress(command.recipient, asker: transaction.principal)
        guard transaction.isBusShared else {
            throw Refusal.conflict(
                "on this machine a topic has no secret, because only its owner reaches it")
        }
        try FeedSecret.replace(of: address, transaction.db)
        return TopicRenewed(topic: try FeedTopic(address, in: transaction).prefix)
    }

    static func grantsSubscription(
        to topic: String, _ transaction: Transaction
    ) throws -> Bool {
        guard transaction.isBusShared else { return topic.hasPrefix("alert.") }
        return try FeedTopic.isGranted(topic, in: transaction)
    }

    static func readFeed(_ query: ReadFeed, in transaction: Transaction) throws -> FeedPage {
        let address = try FeedAddress(query.recipient, asker: transaction.principal)
        let limit = pageLimit(query.limit, usual: 100, most: 500)
        return FeedPage(
            notices: try Notice.all(
                address, after: query.after, limit: limit, transaction.db),
            feedSequence: try Notice.head(address, transaction.db),
            topic: try FeedTopic(address, in: transaction).prefix)
    }

    static func list(_ query: ListAlerts, in transaction: Transaction) throws -> Alerts {
        let address = try FeedAddress(query.recipient, asker: transaction.principal)
        let limit = pageLimit(query.limit, usual: 50, most: 500)
        let alerts = try Alert.newest(
            of: address, openOnly: query.openOnly, limit: limit, transaction.db)
        return Alerts(alerts: try told(alerts, to: address, in: transaction))
    }

    /// The alerts in the language of their recipient.
    private static func told(
        _ alerts: [Alert], to address: FeedAddress, in transaction: Transaction
    ) throws -> [Alert] {
        let preference = try AlertPreference.of(address, transaction.db)
        return alerts.map { $0.told(preference, transaction.settings) }
    }

    // MARK: Timers

    static func repeatAlert(_ id: String, due: Int64, in transaction: Transaction) throws {
        var alert = try Alert.required(id, transaction.db)
        guard alert.state == .open else { return }
        alert.repeats = alert.repeats == .max ? .max : alert.repeats + 1
        try settle(alert, .repeated, in: transaction)
    }

    static func expire(_ id: String, due: Int64, in transaction: Transaction) throws {
        var alert = try Alert.required(id, transaction.db)
        guard alert.state == .open else { return }
        alert.close(.expired, at: transaction.now)
        try settle(alert, .closed, in: transaction)
    }

    static func prune(_: String, due: Int64, in transaction: Transaction) throws {
        try Notice.prune(before: transaction.now - Notice.retention, transaction.db)
        try Mail.prune(before: transaction.now - Mail.retention, transaction.db)
        try AlertDelivery.prune(
            endedBefore: transaction.now - Notice.retention, transaction.db)
        try Silence.prune(endedBefore: transaction.now, transaction.db)
        let isMore = try Alert.prune(
            closedBefore: transaction.now - Alert.retention, transaction.db)
        try transaction.setTimer(
            pruning, subject: "",
            due: transaction.now + (isMore ? 1000 : Notice.pruningInterval))
    }

    static func beat(_ transaction: Transaction) throws {
        for (address, head) in try Notice.lively(since: transaction.now, transaction.db) {
            let topic = try FeedTopic(address, in: transaction)
            try transaction.deliver(FeedBeat(feedSequence: head), topic: topic.beats)
        }
    }

    /// Saves the alert, sets its timers, and publishes the notice, all in one transaction.
    private static func settle(
        _ alert: Alert, _ reason: AlertNotice.Reason, in transaction: Transaction
    ) throws {
        var alert = alert
        alert.severity = alert.loudness
        try alert.save(transaction.db)
        if let due = alert.repetitionDue(at: transaction.now) {
            try transaction.setTimer(repetition, subject: alert.id, due: due)
        } else {
            try transaction.cancelTimer(repetition, subject: alert.id)
        }
        if alert.state == .open {
            try transaction.setTimer(expiry, subject: alert.id, due: alert.expires)
        } else {
            try transaction.cancelTimer(expiry, subject: alert.id)
        }
        let preference = try AlertPreference.of(alert.address, transaction.db)
        let told = alert.told(preference, transaction.settings)
        let notice = try Notice.append(told, reason, at: transaction.now, transaction.db)
        let topic = try FeedTopic(alert.address, in: transaction)
        try transaction.deliver(notice, topic: topic.alerts(alert.severity))
        let plan = try DeliveryPlan(notice, of: alert.address, in: transaction)
        try plan.plan()
        let isTest = alert.raised?.kind == AlertChannel.testKind
        guard alert.state == .open, !isTest, plan.silence == nil else { return }
        if preference.wants(alert.severity) {
            let language = preference.spoken(transaction.settings)
            let mail = told.mail(to: preference.mail, in: language)
            try request(mail, from: name.rawValue, due: plan.due, in: transaction)
        }
    }
}
