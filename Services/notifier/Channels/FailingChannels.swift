import Bus
import Messages
import Phrases
import ServiceRuntime

/// Tells people that a channel fails, and others if alerts no longer reach its owner.
extension Deliveries {
    /// The kind of the alert that says whom alerts don't reach.
    static let unreachedKind = "channel.unreached"

    private static let source = ServiceName.notifier.rawValue

    /// Alerts the owner of a channel that has failed for long, or can't be read, and others if
    /// nothing else reaches the owner.
    static func reportFailing(_ kept: KeptChannel, in transaction: Transaction) throws {
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
        try raise(raised, since: kept.failingSince(at: transaction.now), in: transaction)
        try settleReach(of: kept.feed, in: transaction)
    }

    /// Withdraws the alerts about a channel that works again.
    static func reportWorking(_ kept: KeptChannel, in transaction: Transaction) throws {
        try AlertHandling.withdraw(kept.failingKey, from: source, in: transaction)
        try settleReach(of: kept.feed, in: transaction)
    }

    /// Raises an alert about something that has failed since a time, unless its recipient has
    /// acknowledged it since then: it would come again with each attempt.
    static func raise(
        _ raised: AlertRaised, since: Int64, in transaction: Transaction
    ) throws {
        let feed = AlertFeedAddress(
            organisation: raised.organisation, recipient: raised.recipient)
        guard
            try !Alert.wasAcknowledged(
                raised.key, from: source, of: feed, since: since, until: transaction.now,
                transaction.db)
        else { return }
        try AlertHandling.raise(
            raised, from: source, id: transaction.makeID(), in: transaction)
    }

    /// Alerts those responsible for someone's organisation, and the person's carers, if all of the
    /// person's channels have failed for long and mail doesn't reach the person either; withdraws
    /// that once something does. They learn who isn't reached, but not what the alerts are about.
    static func settleReach(of feed: AlertFeedAddress, in transaction: Transaction) throws {
        let prefix = Alert.unreachedKeys + feed.topic
        guard let since = try unreachedSince(feed, in: transaction) else {
            return try AlertHandling.withdrawAll(beginningWith: prefix, in: transaction)
        }
        let known = try Member.known(feed.recipient, transaction.db)?.displayName ?? ""
        let name = known.isEmpty ? feed.recipient : known
        for helper in try helpers(of: feed, in: transaction) {
            var raised = AlertRaised(
                key: prefix + helper.recipient, kind: unreachedKind, severity: .warning,
                subject: feed.recipient, recipient: helper.recipient, needsAcknowledgement: true,
                organisation: helper.organisation)
            raised.say(
                Said(.unreached, ["name": .text(name)]),
                [PhraseLine([Said<AlertPhrase>(.unreachedBody)])])
            try raise(raised, since: since, in: transaction)
        }
    }

    /// Since when nothing reaches someone, in milliseconds since 1970; nil if a channel or mail may
    /// do so, and for someone who has no channel.
    private static func unreachedSince(
        _ feed: AlertFeedAddress, in transaction: Transaction
    ) throws -> Int64? {
        let (now, db) = (transaction.now, transaction.db)
        let channels = try KeptChannel.salvaged(of: feed, db)
        guard !channels.isEmpty,
            channels.allSatisfy({ $0.isDamaged || $0.channel.isDead(at: now) }),
            try Member.known(feed.recipient, db)?.isDisabled != true,
            try !isMailed(feed, in: transaction)
        else { return nil }
        return channels.map { $0.failingSince(at: now) }.max()
    }

    private static func isMailed(
        _ feed: AlertFeedAddress, in transaction: Transaction
    ) throws -> Bool {
        let db = transaction.db
        guard try !AlertPreference.of(feed, db).mail.isEmpty,
            try MailConfiguration(transaction.settings) != nil
        else { return false }
        let failures = max(try MailServerFailures.count(db), try Mail.failures(of: feed, db))
        return !AlertChannel.isLate(after: failures, for: .warning)
    }

    /// Those responsible for someone's organisation besides that person; if there is nobody else,
    /// those responsible for the installation. And those who care for the person.
    private static func helpers(
        of feed: AlertFeedAddress, in transaction: Transaction
    ) throws -> [AlertFeedAddress] {
        let own = try Member.caretakers(of: feed.organisation, in: transaction)
            .filter { $0 != feed }
        let local = Principal.localOrganisation
        let responsible =
            own.isEmpty && feed.organisation != local
            ? try Member.caretakers(of: local, in: transaction) : own
        let carers = try Member.carers(of: feed, transaction.db)
        return responsible + carers.filter { !responsible.contains($0) }
    }
}

extension KeptChannel {
    /// Since when the channel fails, in milliseconds since 1970; now if it can't be read.
    fileprivate func failingSince(at now: Int64) -> Int64 {
        isDamaged ? now : channel.failingSince
    }
}
