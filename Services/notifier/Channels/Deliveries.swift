import Bus
import Messages
import Phrases
import ServiceRuntime
import Transfers

/// Delivers notices by the channels of their recipients.
enum Deliveries {
    /// The maximum number of deliveries at the same time by channels that work, and by those whose
    /// last attempt has failed or was slow: one that hangs can't hold up the others. At most half
    /// of them are one person's: whoever has only servers that hang can't hold up others.
    private static let (atOnce, againAtOnce) = (6, 2)

    static var errands: [ErrandHandler] {
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
        let feed: AlertFeedAddress
        let channel: AlertChannel
        let secret: String
        let delivery: AlertDelivery
        let notice: AlertNotice
        let language: Language
        let page: String?
        let reach: HTTPTransfer.Reach
        let now: Int64

        /// Delivers it, outside the loop.
        func send() -> DeliveryOutcome {
            do {
                guard channel.kind != .mqtt else {
                    let message = try MQTTMessage(delivery, notice, by: channel, secret: secret)
                    guard reach == .everywhere else {
                        return .delayed("the operator has not allowed this broker", after: 0)
                    }
                    return MQTTTransfer().send(message)
                }
                let request = try HTTPRequest(
                    delivery, notice, by: channel, secret: secret, in: language, page: page,
                    at: now)
                return HTTPTransfer(reach).send(request)
            } catch { return .refused("\(error)") }
        }
    }

    private static func take(failing: Bool, _ transaction: Transaction) throws -> Dispatch? {
        let (now, db) = (transaction.now, transaction.db)
        let most = (failing ? againAtOnce : atOnce) / 2
        let due = try KeptChannel.due(failing: failing, most: most, at: now, db)
        guard
            let place = try due
                ?? KeptChannel.putOff(failing: failing, most: most, at: now, db)
        else { return nil }
        return try transaction.sparingOthers("delivery") {
            try begin(at: place, in: transaction)
        } putAside: { reason in
            try putAside(place, reason, in: transaction)
        }
    }

    private static func begin(
        at place: ChannelPlace, in transaction: Transaction
    ) throws -> Dispatch? {
        let (now, db) = (transaction.now, transaction.db)
        guard var kept = try KeptChannel.at(place, db) else { return nil }
        if place.wasPutOff { try kept.resume(at: now, db) }
        try putOff(kept, in: transaction)
        guard var delivery = try kept.delivery(at: now, db) else {
            try kept.save(db)
            return nil
        }
        var notice = try notice(for: &delivery, on: kept, in: transaction)
        if let end = try notice.flatMap({
            try AlertEnd.notice(insteadOf: $0, of: delivery, on: kept, in: transaction)
        }) {
            notice = end
            (delivery.reason, delivery.severity) = (.closed, .info)
        }
        (delivery.state, delivery.changed) = (.sending, now)
        let reason = try lapse(of: delivery, notice, on: kept, in: transaction)
        if reason.isEmpty {
            delivery.attempts = delivery.attempts == .max ? .max : delivery.attempts + 1
        } else {
            (delivery.state, delivery.due, delivery.note) = (.skipped, 0, reason)
        }
        if notice?.isErased == true {
            try delivery.saveOutcome(kept.feed, db)
        } else {
            try delivery.save(kept.feed, db)
        }
        if reason.isEmpty { try kept.count(delivery, at: now, db) }
        try kept.save(db)
        guard let notice, reason.isEmpty else { return nil }
        return Dispatch(
            feed: kept.feed, channel: kept.channel, secret: kept.secret, delivery: delivery,
            notice: notice,
            language: try AlertPreference.of(kept.feed, db).spoken(transaction.settings),
            page: HTTPRequest.alertPage(transaction.settings),
            reach: try reach(of: kept.channel, in: transaction), now: now)
    }

    /// The notice that a delivery carries. If it was deleted while the delivery waited, a new one
    /// takes its place: while the alert is open, of its present state, and otherwise of its end,
    /// which a siren that sounds for it needs. The notice of an end has no text if the alert is no
    /// longer kept.
    private static func notice(
        for delivery: inout AlertDelivery, on kept: KeptChannel, in transaction: Transaction
    ) throws -> AlertNotice? {
        let db = transaction.db
        if let notice = try Notice.at(delivery.feedSequence, of: kept.feed, db) { return notice }
        guard try !delivery.isOvertaken(on: kept, db) else { return nil }
        let alert = try Alert.known(delivery.alert, db)
        let isOpen = alert?.state == .open
        guard delivery.reason == .closed else {
            guard let alert, isOpen else { return nil }
            let notice = try AlertHandling.publishAgain(alert, in: transaction)
            delivery.feedSequence = notice.feedSequence
            return notice
        }
        let preference = try AlertPreference.of(kept.feed, db)
        let end = isOpen ? nil : alert.map { $0.told(preference, transaction.settings) }
        return AlertNotice(
            feedSequence: delivery.feedSequence, reason: .closed,
            alert: end ?? Alert(id: delivery.alert, state: .withdrawn))
    }

    /// Postpones a channel's deliveries that come due during quiet hours and can wait, because they
    /// failed before, or waited for their turn or the end of a maintenance.
    private static func putOff(_ kept: KeptChannel, in transaction: Transaction) throws {
        let (now, db) = (transaction.now, transaction.db)
        let hours = try QuietHours.of(kept.feed, db)
        guard hours.end(for: .info, at: now) > now else { return }
        for var delivery in try AlertDelivery.due(on: kept, at: now, db)
        where delivery.severity != .urgent && delivery.reason != .closed {
            // The notice may have been deleted: see ``notice(for:on:in:)``.
            let told = try Notice.at(delivery.feedSequence, of: kept.feed, db)?.alert
            guard let alert = try told ?? Alert.known(delivery.alert, db),
                DeliveryPlan.mayWait(alert)
            else { continue }
            let end = hours.end(for: alert, as: delivery.severity, at: now)
            guard end > now else { continue }
            (delivery.due, delivery.changed) = (end, now)
            delivery.note = AlertHold.waitsForMorning
            try delivery.save(kept.feed, db)
        }
    }

    /// Gives up a channel's deliveries that can't be read or, if there are none, its next delivery.
    /// A channel that can't be read itself is stopped.
    private static func putAside(
        _ place: ChannelPlace, _ reason: String, in transaction: Transaction
    ) throws {
        let (now, db) = (transaction.now, transaction.db)
        guard var kept = try KeptChannel.salvaged(place, db) else { return }
        guard !kept.isDamaged else { return try stop(kept, in: transaction) }
        if place.wasPutOff { try kept.resume(at: now, db) }
        var lost = try AlertDelivery.unreadable(on: kept, db)
        if lost.isEmpty { lost = try kept.delivery(at: now, db).map { [$0] } ?? [] }
        guard !lost.isEmpty else {
            try kept.stop(db)
            return
        }
        for var delivery in lost {
            (delivery.state, delivery.due, delivery.changed) = (.refused, 0, now)
            delivery.note = reason.prefix(bytes: 500)
            try delivery.save(kept.feed, db)
        }
        try kept.save(db)
        try deliverElsewhere(of: lost.map(\.alert), in: transaction)
    }

    /// Makes other channels deliver alerts. An alert that can't be read is skipped.
    static func deliverElsewhere(of alerts: [String], in transaction: Transaction) throws {
        for id in Set(alerts).sorted() {
            _ = try transaction.sparingOthers("delivery") { () -> AlertNotice? in
                try AlertHandling.deliverElsewhere(of: id, in: transaction)
            } putAside: { _ in
            }
        }
    }

    /// Stops channels that can't be read, unless they are stopped already. This is reported to
    /// their owners too, who can remove them or add them again.
    static func stop(_ damaged: [KeptChannel], in transaction: Transaction) throws {
        for kept in damaged where kept.blocked < .max {
            _ = try transaction.sparingOthers("channel") { () -> KeptChannel? in
                try KeptChannel.named(kept.channel.name, of: kept.feed, transaction.db)
            } putAside: { _ in
                try stop(kept, in: transaction)
            }
        }
    }

    private static func stop(_ damaged: KeptChannel, in transaction: Transaction) throws {
        guard try damaged.stop(transaction.db) else { return }
        try reportFailing(damaged, in: transaction)
        let waiting = try AlertDelivery.alertsWaiting(on: damaged, transaction.db)
        try deliverElsewhere(of: waiting, in: transaction)
    }

    /// Why a delivery need not be made or repeated; empty if it must be.
    private static func lapse(
        of delivery: AlertDelivery, _ notice: AlertNotice?, on kept: KeptChannel,
        in transaction: Transaction
    ) throws -> String {
        guard let notice else { return "too old to matter" }
        if notice.isErased, delivery.reason != .closed { return DeliveryPlan.over }
        if try notice.isOver(transaction.db) { return DeliveryPlan.over }
        if delivery.reason == .closed, !kept.channel.isForProgram {
            // Without a text it would say nothing to a person.
            guard let alert = notice.alert, !notice.isErased,
                try AlertEnd.mustBeTold(
                    alert, since: AlertOpening.position(of: alert, transaction.db), on: kept,
                    in: transaction)
            else { return DeliveryPlan.over }
        }
        // Something may have happened during an attempt that failed.
        return try delivery.isOvertaken(on: kept, transaction.db) ? DeliveryPlan.overtaken : ""
    }

    /// Where a channel may deliver to. On a person's own machine that is everywhere; if others use
    /// the notifier, only the operator can open the private network to them.
    private static func reach(
        of channel: AlertChannel, in transaction: Transaction
    ) throws -> HTTPTransfer.Reach {
        guard transaction.isBusShared else { return .everywhere }
        let host = try ChannelAddress(channel.address).host
        return AllowedHosts(transaction.settings, AllowedHosts.ofChannels).contains(host)
            ? .everywhere : .outside
    }

    /// Refuses a channel that could never deliver anything, such as a webhook on this machine if
    /// others use the notifier.
    static func validate(reachOf channel: AlertChannel, in transaction: Transaction) throws {
        let address = try ChannelAddress(channel.address)
        guard address.isBroker || !address.isEncrypted,
            try reach(of: channel, in: transaction) == .outside
        else { return }
        throw Refusal.invalid(
            "alerts are sent to other networks by https only, and to “\(address.host)” in this one "
                + "if the operator allows it: \(AllowedHosts.ofChannels)=\(address.host)")
    }

    /// Schedules again, under the same ids, the deliveries that were under way when the process was
    /// killed.
    static func recover(_ transaction: Transaction) throws {
        let (now, db) = (transaction.now, transaction.db)
        for place in try KeptChannel.withDeliveryUnderWay(db) {
            _ = try transaction.sparingOthers("delivery") { () -> KeptChannel? in
                guard let kept = try KeptChannel.at(place, db) else { return nil }
                for var delivery in try AlertDelivery.underWay(on: kept, db) {
                    (delivery.state, delivery.changed) = (.waiting, now)
                    try delivery.save(kept.feed, db)
                }
                try kept.save(db)
                return kept
            } putAside: { reason in
                try putAside(place, reason, in: transaction)
            }
        }
    }

    private static func finish(
        _ dispatch: Dispatch, _ outcome: DeliveryOutcome, in transaction: Transaction
    ) throws {
        let (feed, now, db) = (dispatch.feed, transaction.now, transaction.db)
        let channels = try KeptChannel.salvaged(of: feed, db)
        // The person may have removed the channel meanwhile.
        guard var kept = channels.first(where: { $0.channel.name == dispatch.channel.name }) else {
            return
        }
        var delivery = dispatch.delivery
        guard !kept.isDamaged else {
            return try finish(delivery, outcome, byDamaged: kept, in: transaction)
        }
        let hadFailed = kept.channel.failures > 0
        delivery.changed = now
        switch outcome {
        case .accepted:
            (delivery.state, delivery.due, delivery.note) = (.sent, 0, "")
            kept.succeed(after: now - dispatch.now, at: now)
        case .refused(let reason):
            (delivery.state, delivery.due, delivery.note) = (.refused, 0, reason.prefix(bytes: 500))
            kept.blocked = kept.channel.fail(reason, pause: 0, at: now)
        case .delayed(let reason, let pause):
            (delivery.state, delivery.note) = (.waiting, reason.prefix(bytes: 500))
            kept.blocked = kept.channel.fail(reason, pause: pause, at: now)
            delivery.due = kept.blocked
        }
        // It may have been deleted meanwhile, or its alert erased.
        if try AlertDelivery.isKept(delivery.id, db) { try delivery.saveOutcome(feed, db) }
        try kept.save(db)
        if outcome == .accepted {
            if hadFailed { try reportWorking(kept, in: transaction) }
            return
        }
        if kept.channel.isDead(at: now) { try reportFailing(kept, in: transaction) }
        let isLate = kept.channel.isLate(for: delivery.severity) || delivery.state == .refused
        if isLate, try Alert.isKept(delivery.alert, db) {
            let plan = try DeliveryPlan(
                dispatch.notice, of: feed, without: kept.channel.name, in: transaction)
            try AlertMails.deliverElsewhere(by: plan, in: transaction)
        }
        _ = try transaction.sparingOthers("delivery") { () -> KeptChannel? in
            try planElsewhere(whatWaitsOn: kept, in: transaction)
            return kept
        } putAside: { _ in
        }
    }

    /// Records the outcome of a delivery whose channel can no longer be read, and stops the
    /// channel: its spare ones deliver what didn't arrive.
    private static func finish(
        _ delivery: AlertDelivery, _ outcome: DeliveryOutcome, byDamaged kept: KeptChannel,
        in transaction: Transaction
    ) throws {
        var delivery = delivery
        delivery.changed = transaction.now
        switch outcome {
        case .accepted: (delivery.state, delivery.due, delivery.note) = (.sent, 0, "")
        case .delayed(let reason, _), .refused(let reason):
            (delivery.state, delivery.note) = (.waiting, reason.prefix(bytes: 500))
        }
        if try AlertDelivery.isKept(delivery.id, transaction.db) {
            try delivery.save(kept.feed, transaction.db)
        }
        try stop([kept], in: transaction)
    }

    /// Makes other channels deliver what waits on a failing one, so that each delivery need not
    /// fail there first.
    private static func planElsewhere(
        whatWaitsOn kept: KeptChannel, in transaction: Transaction
    ) throws {
        let (now, db) = (transaction.now, transaction.db)
        guard kept.isPaused(for: .urgent, at: now) else { return }
        let preference = try AlertPreference.of(kept.feed, db)
        let others = try KeptChannel.all(of: kept.feed, db).filter {
            $0.channel.name != kept.channel.name
        }
        for delivery in try AlertDelivery.due(on: kept, at: now, db)
        where kept.isPaused(for: delivery.severity, at: now) {
            guard let notice = try Notice.at(delivery.feedSequence, of: kept.feed, db) else {
                continue
            }
            let isChosen = notice.alert?.raised?.channels.isEmpty == false
            let isMailed =
                try !isChosen || !preference.wants(delivery.severity)
                || Mail.exists(of: notice.alert ?? Alert(), db)
            let opened = try AlertOpening.position(of: delivery.alert, db)
            let isToldOf = try others.filter {
                ($0.channel.spare || isChosen) && $0.channel.delivers(delivery.severity)
            }.allSatisfy {
                try AlertDelivery.isToldOf(
                    delivery.alert, as: delivery.severity, since: opened, $0, db)
            }
            guard !isToldOf || !isMailed else { continue }
            try AlertMails.deliverElsewhere(
                by: DeliveryPlan(notice, of: kept.feed, in: transaction), in: transaction)
        }
    }
}

extension KeptChannel {
    /// The key of the alert that reports that it fails.
    var failingKey: String { "channel/\(feed.topic)\(channel.name)" }
}

extension AllowedHosts {
    /// The variable that names the hosts in private networks that channels may reach if others use
    /// the notifier.
    static let ofChannels = "STEWARD_CHANNEL_HOSTS"
}
