import Messages
import ServiceRuntime

/// Which channels deliver a notice, and when.
struct DeliveryPlan {
    /// The maximum number of deliveries that wait on a channel; another one that isn't urgent is
    /// skipped, unless it takes the place of one that waits, or delivers the end of an alert.
    static let mostWaiting = 500
    /// The maximum number of deliveries that wait on a channel, including urgent ones.
    static let mostUrgentWaiting = 2_000

    /// Why an earlier state of an alert is skipped.
    static let overtaken = "overtaken by what happened next"
    /// Why the delivery of an alert that is over is skipped.
    static let over = "it is over"
    /// Why what a digest collects is skipped.
    private static let collected = "told in the digest"
    /// Why an alert is skipped that other channels deliver.
    static let otherChannels = "other channels were chosen for it"

    let transaction: Transaction
    let feed: AlertFeedAddress
    let notice: AlertNotice
    let alert: Alert
    /// The position of the notice that last opened it: see ``AlertOpening``.
    let opened: UInt64
    /// Until when the alert waits in quiet hours or during maintenance; now if it needn't.
    let due: Int64
    /// Why the alert waits; empty if it needn't.
    private let waitsFor: String
    /// The silence that is in force for it; nil if there is none.
    let silence: Silence?
    /// True if the alert is in the person's digest.
    let isCollected: Bool
    /// The names of the channels that deliver it, besides those that have already delivered
    /// something of it; nil for all.
    private let chosen: Set<String>?
    /// True if the alert was mailed before.
    private let wasMailed: Bool

    /// Makes a plan.
    ///
    /// - Parameters:
    ///   - notice: what to deliver.
    ///   - feed: the feed of its recipient.
    ///   - lost: a channel, or mail, that doesn't deliver it; nil for none.
    ///   - transaction: the transaction.
    init(
        _ notice: AlertNotice, of feed: AlertFeedAddress, without lost: String? = nil,
        in transaction: Transaction
    ) throws {
        self.transaction = transaction
        (self.feed, self.notice) = (feed, notice)
        let alert = notice.alert ?? Alert()
        self.alert = alert
        opened = try AlertOpening.position(of: alert, transaction.db)
        let now = transaction.now
        let mayWait = Self.mayWait(alert) || AlertEnd.cameTooLate(alert)
        let hold =
            try mayWait
            ? AlertHold(alert, as: alert.severity, of: feed, in: transaction) : nil
        (due, waitsFor) = (hold?.end ?? now, hold?.reason ?? "")
        isCollected = try mayWait && AlertDigest.collects(alert, of: feed, in: transaction)
        silence =
            try mayWait
            ? Silence.all(of: feed, at: now, transaction.db)
                .first { $0.silences(alert, at: now) } : nil
        chosen = try Self.chosen(for: alert, of: feed, without: lost, in: transaction)
        wasMailed = try Mail.exists(of: alert, transaction.db)
    }

    /// The chosen channels that aren't spare, deliver alerts of its severity and have room for it.
    /// Nil if there is none, or if each of them has refused it, or fails and isn't tried for a
    /// while: then the alert goes to all channels rather than to none. If one is lost, the others
    /// need not be waiting to count as failing: they may be at their next attempt. Mail counts as a
    /// channel, which fails if its server does, or doesn't accept the person's own mails.
    private static func chosen(
        for alert: Alert, of feed: AlertFeedAddress, without lost: String?,
        in transaction: Transaction
    ) throws -> Set<String>? {
        let names = alert.raised?.channels ?? []
        guard !names.isEmpty else { return nil }
        let able = try KeptChannel.all(of: feed, transaction.db).filter {
            try !$0.channel.spare && $0.channel.delivers(alert.severity)
                && !isFull($0, for: alert, in: transaction)
        }
        var chosen = Set(names).intersection(able.map(\.channel.name))
        let opened = try AlertOpening.position(of: alert, transaction.db)
        var failing = Set(
            try able.filter {
                try $0.isPaused(for: alert.severity, at: transaction.now)
                    || lost != nil && $0.channel.isLate(for: alert.severity)
                    || AlertDelivery.wasRefused(alert.id, since: opened, $0, transaction.db)
            }.map(\.channel.name))
        if let lost { failing.insert(lost) }
        let preference = try AlertPreference.of(feed, transaction.db)
        let hasServer = try MailConfiguration(transaction.settings) != nil
        if hasServer, preference.wants(alert.severity), names.contains(Self.mail) {
            chosen.insert(Self.mail)
            let failures = max(
                try MailServerFailures.count(transaction.db),
                try Mail.failures(of: feed, transaction.db))
            if AlertChannel.isLate(after: failures, for: alert.severity) {
                failing.insert(Self.mail)
            }
        }
        return chosen.isSubset(of: failing) ? nil : chosen
    }

    /// True if the source of an alert has chosen channels, and none of them but `lost` delivers it.
    static func failsAsChosen(
        _ alert: Alert, of feed: AlertFeedAddress, without lost: String,
        in transaction: Transaction
    ) throws -> Bool {
        guard alert.raised?.channels.isEmpty == false else { return false }
        return try chosen(for: alert, of: feed, without: lost, in: transaction) == nil
    }

    /// Stands for mail among the names of channels; no channel can have this name.
    static let mail = "mail"

    /// True if the alert tests whether alerts reach their recipient by mail.
    var isMailTest: Bool {
        alert.state == .open && alert.raised?.kind == AlertChannel.testKind
            && alert.raised?.subject == Self.mail
    }

    /// Why the alert isn't mailed to someone who has alerts mailed; nil if it is.
    func reasonNotToMail(_ preference: AlertPreference) -> String? {
        guard !isMailTest else { return nil }
        if let silence { return Self.silenced(by: silence.id) }
        if isCollected { return Self.collected }
        guard preference.wants(alert.severity) else {
            return "alerts from \(preference.from) on are mailed"
        }
        let isChosen = chosen?.contains(Self.mail) ?? true
        return wasMailed || isChosen ? nil : Self.otherChannels
    }

    /// Why an alert is skipped while a silence is in force for it.
    static func silenced(by silence: String) -> String { "silenced by \(silence)" }

    /// False if an alert is over, because a siren that sounds for it must be switched off, or if it
    /// is the test of a channel.
    static func mayWait(_ alert: Alert) -> Bool {
        alert.state == .open && alert.raised?.kind != AlertChannel.testKind
    }

    /// Plans the notice on every channel of its recipient, and on the spare ones if another can't
    /// be read, has no room for it, or fails and isn't tried for a while. A spare channel also
    /// delivers the end of an alert that it has delivered.
    ///
    /// - Returns: the channels that can't be read.
    func plan() throws -> [KeptChannel] {
        let channels = try KeptChannel.salvaged(of: feed, transaction.db)
        let damaged = channels.filter(\.isDamaged)
        var isMissed = !damaged.isEmpty || alert.raised?.kind == AlertChannel.failingKind
        for kept in channels where !kept.isDamaged {
            guard !kept.channel.spare || !Self.mayWait(alert) else { continue }
            // A change of an alert goes to every channel that has delivered it, even if another
            // channel was chosen that can deliver it only now.
            let isChosen = chosen?.contains(kept.channel.name) ?? true
            guard try isChosen || isToldOf(kept) else {
                if Self.mayWait(alert) { try skip(on: kept.channel.name, Self.otherChannels) }
                continue
            }
            if try plan(on: kept) { isMissed = true }
        }
        if isMissed { try planOnSpare() }
        return damaged
    }

    /// Plans a notice that a channel fails to deliver on the spare ones, each of them once, and
    /// again when it becomes urgent or is opened again.
    func planOnSpare() throws {
        try planOnce { $0.spare }
    }

    /// True if its source has chosen channels, and none of them delivers it.
    var failsAsChosen: Bool { chosen == nil && !(alert.raised?.channels ?? []).isEmpty }

    /// Plans a notice that a channel fails to deliver on the spare ones, and if no chosen channel
    /// delivers it, on all others, as if the notice came now.
    func planElsewhere() throws {
        try planOnSpare()
        guard failsAsChosen else { return }
        let names = alert.raised?.channels ?? []
        try planOnce { !$0.spare && !names.contains($0.name) }
    }

    private func planOnce(on isMeant: (AlertChannel) -> Bool) throws {
        guard alert.state == .open else { return }
        for kept in try KeptChannel.all(of: feed, transaction.db) where isMeant(kept.channel) {
            let isToldOf = try AlertDelivery.isToldOf(
                alert.id, as: alert.severity, since: opened, kept, transaction.db)
            if !isToldOf { try plan(on: kept) }
        }
    }

    /// - Returns: true if the channel has no room for the notice, or fails and holds it up.
    @discardableResult
    private func plan(on kept: KeptChannel) throws -> Bool {
        guard try isWanted(on: kept) else {
            if Self.mayWait(alert), !kept.channel.delivers(alert.severity) {
                try skip(on: kept.channel.name, "not for alerts of this severity")
            }
            return false
        }
        let waiting = try AlertDelivery.waiting(of: alert.id, on: kept, transaction.db)
        let needed: Severity? =
            try alert.state == .open
            ? alert.severity
            : AlertEnd.severity(
                of: alert, since: opened, on: kept, waiting: waiting, in: transaction)
        let isFull = try Self.isFull(kept, for: alert, in: transaction)
        for older in waiting { try skip(older, Self.overtaken) }
        guard let severity = needed else {
            try kept.save(transaction.db)
            return false
        }
        // An alert that changes while it waits keeps its place among the others.
        let place = due > transaction.now ? due : min(due, waiting.map(\.due).min() ?? due)
        var delivery = AlertDelivery(
            id: "\(transaction.makeID())", channel: kept.channel.name, alert: alert.id,
            feedSequence: notice.feedSequence, reason: notice.reason, severity: severity,
            state: .waiting, due: place, changed: transaction.now)
        var isMissed = false
        if let silence {
            try skip(delivery, Self.silenced(by: silence.id))
        } else if isCollected {
            try skip(delivery, Self.collected)
            // It may be older than the digest, or have been too severe for it.
            if !waiting.isEmpty {
                try AlertDigest.listAgain(alert.id, at: transaction.now, transaction.db)
            }
        } else if isFull {
            try skip(delivery, "too many deliveries wait on this channel")
            isMissed = true
        } else {
            delivery.note = waitsFor
            try delivery.save(feed, transaction.db)
            isMissed =
                waitsFor.isEmpty && kept.isPaused(for: alert.severity, at: transaction.now)
        }
        try kept.save(transaction.db)
        return isMissed
    }

    /// True when a channel needs the notice.
    private func isWanted(on kept: KeptChannel) throws -> Bool {
        switch alert.raised?.kind {
        case AlertChannel.testKind: return alert.raised?.subject == kept.channel.name
        case AlertChannel.failingKind where alert.raised?.subject == kept.channel.name: return false
        default: break
        }
        guard alert.state == .open else {
            let isNew =
                AlertEnd.cameTooLate(alert) && !kept.channel.spare
                && kept.channel.delivers(alert.severity)
            return try isNew || isToldOf(kept)
        }
        guard kept.channel.delivers(alert.severity) else { return false }
        guard notice.reason == .changed, !kept.channel.isForProgram else { return true }
        // A phone would ring for each change of a time. So it gets a change only if the alert is
        // now louder than what it has delivered, or if it has delivered nothing yet.
        let told = try AlertDelivery.loudest(
            of: alert.id, since: opened, on: kept, transaction.db)
        return told.map { $0 < Self.loudness(of: alert.severity) } ?? true
    }

    /// True if a channel has, or will get, anything of the alert. If the alert is over, it is
    /// enough that the channel may have got something.
    private func isToldOf(_ kept: KeptChannel) throws -> Bool {
        if try AlertDelivery.isToldOf(alert.id, kept, transaction.db) { return true }
        return try alert.state != .open
            && AlertDelivery.mayHaveArrived(of: alert.id, on: kept, transaction.db)
    }

    /// The place of a severity among all, in ascending order; an unknown one counts as the highest.
    static func loudness(of severity: Severity) -> Int {
        Alert.severities.firstIndex(of: severity) ?? Alert.severities.count
    }

    /// True if so many deliveries of other alerts wait on a channel that there is no room for an
    /// alert. An alert that already waits has its place, which it keeps when it changes. There is
    /// always room for an end, because a siren that sounds for the alert must be switched off.
    private static func isFull(
        _ kept: KeptChannel, for alert: Alert, in transaction: Transaction
    ) throws -> Bool {
        guard alert.state == .open,
            try AlertDelivery.waiting(of: alert.id, on: kept, transaction.db).isEmpty
        else { return false }
        let count = try AlertDelivery.waiting(on: kept, besides: alert.id, transaction.db)
        return count >= (alert.severity == .urgent ? mostUrgentWaiting : mostWaiting)
    }

    /// Records why the alert isn't mailed.
    func skipMail(_ reason: String) throws { try skip(on: Self.mail, reason) }

    /// Records why a channel or mail doesn't deliver the alert, once for each severity and each
    /// time it is opened.
    private func skip(on channel: String, _ reason: String) throws {
        let delivery = AlertDelivery(
            id: "\(transaction.makeID())", channel: channel, alert: alert.id,
            feedSequence: notice.feedSequence, reason: notice.reason, severity: alert.severity)
        guard try !delivery.isKnown(toBeSkipped: reason, since: opened, feed, transaction.db)
        else { return }
        try skip(delivery, reason)
    }

    private func skip(_ delivery: AlertDelivery, _ reason: String) throws {
        var delivery = delivery
        (delivery.state, delivery.due, delivery.note) = (.skipped, 0, reason)
        delivery.changed = transaction.now
        try delivery.save(feed, transaction.db)
    }
}

extension AlertDelivery {
    /// True if its channel may have got it. The answer to an attempt may be lost. For a delivery
    /// that can't be read, the number of attempts isn't known; no other delivery lacks a notice.
    var mayHaveArrived: Bool {
        let isUnknown = feedSequence == 0
        switch state {
        case .sending, .sent: return true
        // The last attempt can't have arrived.
        case .refused: return isUnknown || attempts > 1
        default: return isUnknown || attempts > 0
        }
    }
}
