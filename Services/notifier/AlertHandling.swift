import Bus
import Messages
import ServiceRuntime

/// Alerts: raised, changed and withdrawn by services, acknowledged by people, repeated, and closed
/// when they end.
enum AlertHandling {
    static var handlers: [MessageHandler] {
        [.command(acknowledge, .person), .query(list, .account)]
    }
    static var timers: [TimerHandler] {
        [.init(repetition, repeatAlert), .init(expiry, atAnyTime: expire)]
    }

    /// Timer kinds.
    static let (repetition, expiry) = (Alert.repetition, Alert.expiry)

    // MARK: Events of services

    static func raised(
        _ event: AlertRaised, _ envelope: Envelope, in transaction: Transaction
    ) throws {
        try raise(event, from: envelope.source, id: transaction.id, in: transaction)
    }

    /// Raises or changes an alert of the notifier's own, one for each caretaker of an organisation.
    /// Its key ends with the caretaker.
    static func raise(
        _ event: AlertRaised, toCaretakersOf organisation: String, in transaction: Transaction
    ) throws {
        for feed in try Member.caretakers(of: organisation, in: transaction) {
            var event = event
            (event.organisation, event.recipient) = (feed.organisation, feed.recipient)
            event.key += "/" + feed.recipient
            try raise(
                event, from: ServiceName.notifier.rawValue, id: transaction.makeID(),
                in: transaction)
        }
    }

    /// Opens an alert with this id, or changes the open one with the same key. If the alert is now
    /// for several people, or escalates, a call takes its place; if it is now for another person,
    /// another alert does.
    static func raise(
        _ event: AlertRaised, from source: String, id: MessageID, in transaction: Transaction
    ) throws {
        if let kept = try KeptCall.live(source: source, key: event.key, transaction.db) {
            var call = kept.call
            guard kept.isDamaged else {
                let policy =
                    try call.policy == nil
                    ? CallHandling.newPolicy(
                        for: event, from: source, replacing: call.raised, in: transaction)
                    : nil
                guard try call.change(to: event, policy: policy, at: transaction.now) else {
                    return
                }
                try CallHandling.settle(call, kept, in: transaction)
                return
            }
            call.end(.withdrawn, at: transaction.now)
            try CallHandling.settle(call, kept, in: transaction)
        }
        var repeats: UInt32 = 0
        if var alert = try Alert.open(source: source, key: event.key, transaction.db) {
            let recipient = AlertFeedAddress(
                organisation: event.organisation, recipient: event.recipient)
            if event.audience == nil, recipient == alert.address,
                try CallHandling.newPolicy(
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
            try CallHandling.begin(
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
            return _ = try CallHandling.settle(call, kept, in: transaction)
        }
        guard var alert = try Alert.open(source: source, key: key, transaction.db) else { return }
        alert.close(.withdrawn, at: transaction.now)
        try settle(alert, .closed, in: transaction)
    }

    /// Withdraws the notifier's own open alerts whose keys begin with a text, which ends with an
    /// ASCII character.
    static func withdrawAll(beginningWith text: String, in transaction: Transaction) throws {
        let source = ServiceName.notifier.rawValue
        for key in try Alert.openKeys(from: source, beginningWith: text, transaction.db) {
            try withdraw(key, from: source, in: transaction)
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
            guard let closed = try CallHandling.acknowledgeCall(by: alert, in: transaction) else {
                return AlertAcknowledged(alert: alert)
            }
            alert = closed
        }
        try transaction.publish(AlertAcknowledged(alert: alert), subject: alert.id)
        return AlertAcknowledged(
            alert: try told([alert], to: alert.address, in: transaction).first ?? alert)
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

    // MARK: Notices

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
        try deliver(alert, reason, in: transaction)
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
    static func deliver(
        _ alert: Alert, _ reason: AlertNotice.Reason, in transaction: Transaction
    ) throws {
        let preference = try AlertPreference.of(alert.address, transaction.db)
        let told = alert.told(preference, transaction.settings)
        let notice = try publish(told, reason, in: transaction)
        try AlertOpening.note(notice, transaction.db)
        let plan = try DeliveryPlan(notice, of: alert.address, in: transaction)
        try Deliveries.stop(plan.plan(), in: transaction)
        try AlertMails.mailAlert(by: plan, preference, in: transaction)
    }

    /// Delivers an alert elsewhere when a channel, or mail, can't deliver it. That takes a new
    /// notice, because the lost one may be damaged.
    ///
    /// - Parameters:
    ///   - id: the id of the alert.
    ///   - lost: the channel, or mail; nil if it is gone.
    ///   - transaction: the transaction.
    /// - Returns: the notice; nil if none is needed.
    static func deliverElsewhere(
        of id: String, without lost: String? = nil, in transaction: Transaction
    ) throws -> AlertNotice? {
        guard let alert = try Alert.known(id, transaction.db), alert.state == .open else {
            return nil
        }
        let channels = try KeptChannel.all(of: alert.address, transaction.db)
        guard channels.contains(where: \.channel.spare) || alert.raised?.channels.isEmpty == false
        else { return nil }
        let notice = try publishAgain(alert, in: transaction)
        try AlertMails.deliverElsewhere(
            by: DeliveryPlan(notice, of: alert.address, without: lost, in: transaction),
            in: transaction)
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
