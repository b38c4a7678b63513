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
        [
            .command(acknowledge, .person), .secret(renewTopic, .person),
            .query(openFeed, .account), .query(readFeed, .account), .query(list, .account),
            .command(retryMail, .administrators), .command(sendTest, .administrators),
            .query(listMails, .administrators), .query(readMail, .administrators),
        ] + Preferences.handlers + Channels.handlers + QuietHours.handlers + Silence.handlers
            + AlertDigest.handlers + CallHandling.handlers + EscalationPolicy.handlers
            + MaintenanceWindow.handlers
    }
    static var timers: [TimerHandler] {
        [
            .init(repetition, repeatAlert), .init(expiry, atAnyTime: expire),
            .init(pruning, atAnyTime: prune),
            .init(AlertDigest.collecting, atAnyTime: AlertDigest.collect),
            .init(AlertMails.lateMail, tellLateMail),
        ] + callTimers + Erasures.timers
    }
    static var follows: [ServiceName: [EventHandler]] {
        let others = ServiceName.allCases.filter { $0 != name }
        return Dictionary(
            uniqueKeysWithValues: others.map {
                let special: [EventHandler] =
                    switch $0 {
                    case .account: [.init(accountChanged)]
                    case .transitAlert: [.init(Erasures.travelErased)]
                    default: []
                    }
                let all: [EventHandler] = [
                    .init(raised), .init(withdrawn), .init(MailRequests.requested),
                    .init(setAside),
                ]
                return ($0, all + special)
            })
    }

    /// Timer kinds.
    static let (repetition, expiry) = (Alert.repetition, Alert.expiry)
    static let pruning = "prune"

    static func prepare(_ transaction: Transaction) throws {
        try transaction.setTimer(pruning, subject: "", due: transaction.now)
        try recoverMails(transaction)
        try recoverDeliveries(transaction)
        try stop(KeptChannel.newlyDamaged(transaction.db), in: transaction)
    }

    /// Does nothing. Subscribers of the alert endpoint ask for what they missed. The services that
    /// follow the notifier apply acknowledgements: one that has missed some goes on as if nobody
    /// had seen those alerts, which is better than silence. An old acknowledgement could silence an
    /// alert that was raised again since with the same text. Denials that were missed are not
    /// audited.
    static func tell(_: Transaction, to _: Teller) {}

    // MARK: Events of services

    static func raised(
        _ event: AlertRaised, _ envelope: Envelope, in transaction: Transaction
    ) throws {
        try raise(event, from: envelope.source, id: transaction.id, in: transaction)
    }

    /// Opens an alert with this id, or changes the open one with the same key. A call takes its
    /// place if it is now for several people, or escalates, and another alert does if it is now for
    /// another person.
    static func raise(
        _ event: AlertRaised, from source: String, id: MessageID, in transaction: Transaction
    ) throws {
        if let kept = try KeptCall.live(source: source, key: event.key, transaction.db) {
            var call = kept.call
            guard kept.isDamaged else {
                let policy =
                    try call.policy == nil
                    ? newPolicy(for: event, from: source, replacing: call.raised, in: transaction)
                    : nil
                guard try call.change(to: event, policy: policy, at: transaction.now) else {
                    return
                }
                try settle(call, kept, in: transaction)
                return
            }
            call.end(.withdrawn, at: transaction.now)
            try settle(call, kept, in: transaction)
        }
        var repeats: UInt32 = 0
        if var alert = try Alert.open(source: source, key: event.key, transaction.db) {
            let recipient = AlertFeedAddress(
                organisation: event.organisation, recipient: event.recipient)
            if event.audience == nil, recipient == alert.address,
                try newPolicy(
                    for: event, from: source, replacing: alert.raised, in: transaction) == nil
            {
                guard try alert.change(to: event) else { return }
                return try settle(alert, .changed, in: transaction)
            }
            repeats = alert.repeats
            alert.close(.withdrawn, at: transaction.now)
            try settle(alert, .closed, in: transaction)
        }
        let alert = try Alert(
            id: id, source: source, raised: event, at: transaction.now)
        let policy = try EscalationPolicy.first(
            for: event, from: source, of: alert.address.organisation, transaction.db)
        guard event.audience == nil, policy == nil else {
            try begin(
                event, policy: policy, repeats: repeats, from: source, id: id, in: transaction)
            return
        }
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
        if let kept = try KeptCall.live(source: source, key: key, transaction.db) {
            var call = kept.call
            call.end(.withdrawn, at: transaction.now)
            return _ = try settle(call, kept, in: transaction)
        }
        guard var alert = try Alert.open(source: source, key: key, transaction.db) else { return }
        alert.close(.withdrawn, at: transaction.now)
        try settle(alert, .closed, in: transaction)
    }

    static func forget(
        _ producer: ServiceName, except present: [Envelope], _ transaction: Transaction
    ) throws {
        let keys = Set(
            try present.filter { $0.type == AlertRaised.protobufName }
                .map { try AlertRaised(stored: $0.data).key })
        if producer == .account {
            let accounts = try present.filter { $0.type == AccountChanged.protobufName }
                .map { try AccountChanged(stored: $0.data).account.id }
            for feed in try Member.forget(except: Set(accounts), transaction.db) {
                try tellForgotten(feed, in: transaction)
            }
        }
        // A snapshot leaves out acknowledged alerts, so it doesn't say whether their causes are
        // gone. Opening one again in vain is better than never.
        for kept in try KeptCall.live(source: producer.rawValue, transaction.db)
        where !kept.call.wasAcknowledged && !keys.contains(kept.call.raised?.key ?? "") {
            var call = kept.call
            call.end(.withdrawn, at: transaction.now)
            try settle(call, kept, in: transaction)
        }
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
        if alert.call.isEmpty {
            try settle(alert, .closed, in: transaction)
        } else {
            guard let closed = try acknowledgeCall(by: alert, in: transaction) else {
                return AlertAcknowledged(alert: alert)
            }
            alert = closed
        }
        try transaction.publish(AlertAcknowledged(alert: alert), subject: alert.id)
        return AlertAcknowledged(
            alert: try told([alert], to: alert.address, in: transaction).first ?? alert)
    }

    static func grantsSubscription(
        to topic: String, _ transaction: Transaction
    ) throws -> Bool {
        guard transaction.isBusShared else { return topic.hasPrefix("alert.") }
        return try AlertFeedTopic.isGranted(topic, in: transaction)
    }

    static func list(_ query: ListAlerts, in transaction: Transaction) throws -> Alerts {
        try AlertSearch(query, in: transaction).page()
    }

    /// The alerts in the language of their recipient.
    static func told(
        _ alerts: [Alert], to address: AlertFeedAddress, in transaction: Transaction
    ) throws -> [Alert] {
        let preference = try AlertPreference.of(address, transaction.db)
        return alerts.map { $0.told(preference, transaction.settings) }
    }

    // MARK: Timers

    static func repeatAlert(_ id: String, due: Int64, in transaction: Transaction) throws {
        var alert = try Alert.required(id, transaction.db)
        guard alert.state == .open, alert.call.isEmpty else { return }
        alert.repeats = alert.repeats == .max ? .max : alert.repeats + 1
        try settle(alert, .repeated, in: transaction)
    }

    /// Closes an alert that has ended, unless the clock only jumped ahead: then nobody would be
    /// told of the alert once the clock is set back.
    static func expire(_ id: String, due: Int64, in transaction: Transaction) throws {
        var alert = try Alert.required(id, transaction.db)
        guard alert.state == .open, alert.call.isEmpty else { return }
        if let look = transaction.nextLook(until: alert.expires, since: alert.time) {
            return try transaction.setTimer(expiry, subject: id, due: look)
        }
        alert.close(.expired, at: transaction.now)
        try settle(alert, .closed, in: transaction)
    }

    static func prune(_: String, due: Int64, in transaction: Transaction) throws {
        let time = transaction.retentionTime
        let retention = AlertRetention(transaction.settings).milliseconds
        let areNoticesLeft = try Notice.prune(
            before: time - min(retention, Notice.retention), transaction.db)
        try Mail.prune(
            before: time - Mail.retention, ofAlertsBefore: time - retention, transaction.db)
        try MailTurn.prune(before: time - Notice.pruningInterval, transaction.db)
        try MailboxCode.prune(before: time, transaction.db)
        let areDeliveriesLeft = try AlertDelivery.prune(
            endedBefore: time - retention, transaction.db)
        try Silence.prune(endedBefore: time, transaction.db)
        try Silence.prune(begunAfter: transaction.now, transaction.db)
        try MaintenanceWindow.prune(endedBefore: time, transaction.db)
        try KeptCall.prune(closedBefore: time - retention, transaction.db)
        let areAlertsLeft = try Alert.prune(closedBefore: time - retention, transaction.db)
        let isMore = areNoticesLeft || areDeliveriesLeft || areAlertsLeft
        try transaction.setTimer(
            pruning, subject: "",
            due: transaction.now + (isMore ? 1000 : Notice.pruningInterval))
    }

    static func beat(_ transaction: Transaction) throws {
        for (address, head) in try Notice.lively(since: transaction.now, transaction.db) {
            let topic = try AlertFeedTopic(address, in: transaction)
            try transaction.deliver(FeedBeat(feedSequence: head), topic: topic.beats)
        }
    }

    /// Saves the alert, sets its timers, and publishes the notice, all in one transaction.
    static func settle(
        _ alert: Alert, _ reason: AlertNotice.Reason, in transaction: Transaction
    ) throws {
        var alert = alert
        // A call has its own timers and loudness.
        if alert.call.isEmpty {
            let isLouder = alert.loudness.isLouder(than: alert.severity)
            alert.severity = alert.loudness
            try setTimers(of: alert, isLouder: isLouder, in: transaction)
        }
        try AlertDigest.noteNews(of: alert, at: transaction.now, transaction.db)
        try alert.save(transaction.db)
        try tell(alert, reason, in: transaction)
    }

    private static func setTimers(
        of alert: Alert, isLouder: Bool, in transaction: Transaction
    ) throws {
        try setRepetition(
            repetition, of: alert.id, due: alert.repetitionDue(at: transaction.now),
            isLouder: isLouder, in: transaction)
        if alert.state == .open {
            try transaction.setTimer(expiry, subject: alert.id, due: alert.expires)
        } else {
            try transaction.cancelTimer(expiry, subject: alert.id)
        }
    }

    /// Sets the timer of the next repetition of an alert or a call. A change doesn't put it off,
    /// unless it makes the alert louder, which rings like a repetition. Otherwise an alert that
    /// changes more often than it is repeated would never be repeated.
    static func setRepetition(
        _ timer: String, of id: String, due: Int64?, isLouder: Bool, in transaction: Transaction
    ) throws {
        guard let due else { return try transaction.cancelTimer(timer, subject: id) }
        if !isLouder, let kept = try transaction.timerDue(timer, subject: id), kept <= due {
            return
        }
        try transaction.setTimer(timer, subject: id, due: due)
    }

    /// Publishes a notice and plans how it is delivered.
    private static func tell(
        _ alert: Alert, _ reason: AlertNotice.Reason, in transaction: Transaction
    ) throws {
        let preference = try AlertPreference.of(alert.address, transaction.db)
        let told = alert.told(preference, transaction.settings)
        let notice = try publish(told, reason, in: transaction)
        try AlertOpening.note(notice, transaction.db)
        let plan = try DeliveryPlan(notice, of: alert.address, in: transaction)
        try stop(plan.plan(), in: transaction)
        try AlertMails.mailAlert(by: plan, preference, in: transaction)
    }

    /// Plans an alert that a channel can't deliver on its recipient's spare ones. They get a new
    /// notice, because the lost one may be damaged.
    ///
    /// - Returns: the notice; nil if none is needed.
    static func tellSpares(of id: String, in transaction: Transaction) throws -> AlertNotice? {
        guard let alert = try Alert.known(id, transaction.db), alert.state == .open,
            try KeptChannel.all(of: alert.address, transaction.db).contains(where: \.channel.spare)
        else { return nil }
        let notice = try publishAgain(alert, in: transaction)
        try DeliveryPlan(notice, of: alert.address, in: transaction).planOnSpare()
        return notice
    }

    /// Publishes an alert as it is at present, in a new notice in place of one that is lost.
    static func publishAgain(_ alert: Alert, in transaction: Transaction) throws -> AlertNotice {
        let present = try told([alert], to: alert.address, in: transaction).first ?? alert
        return try publish(present, .changed, in: transaction)
    }

    /// Appends a notice to the feed of an alert, and publishes it.
    private static func publish(
        _ told: Alert, _ reason: AlertNotice.Reason, in transaction: Transaction
    ) throws -> AlertNotice {
        let notice = try Notice.append(told, reason, at: transaction.now, transaction.db)
        let topic = try AlertFeedTopic(told.address, in: transaction)
        try transaction.deliver(notice, topic: topic.alerts(told.severity))
        return notice
    }
}

extension Access {
    /// The administrators of the whole organisation.
    static let administrators = Access.role(minimum: .administrator, at: .organisation)
}
