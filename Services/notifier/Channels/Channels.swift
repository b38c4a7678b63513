import Bus
import Messages
import Phrases
import ServiceRuntime

/// The messages about channels and deliveries.
enum Channels {
    static var handlers: [MessageHandler] {
        [
            .command(keep, .person), .command(remove, .person), .command(test, .person),
            .query(list, .person), .query(trace, .person),
        ]
    }

    private static func keep(
        _ command: KeepChannel, in transaction: Transaction
    ) throws -> AlertChannel {
        let wanted = command.channel
        try wanted.validate(secret: command.secret)
        try wanted.validate(apartFrom: StewardPages(transaction.settings))
        try Deliveries.validate(reachOf: wanted, in: transaction)
        let feed = try AlertFeedAddress("", asker: transaction.principal)
        let all = try KeptChannel.salvaged(of: feed, transaction.db)
        let before = all.first { $0.channel.name == wanted.name }
        guard before != nil || all.count < AlertChannel.most else {
            throw Refusal.conflict("you have \(all.count) channels; remove one first")
        }
        var kept = KeptChannel(feed: feed, AlertChannel(name: wanted.name), secret: "")
        if let before, !before.isDamaged { kept = before }
        (kept.channel.kind, kept.channel.address) = (wanted.kind, wanted.address)
        kept.channel.setSeverities(wanted)
        kept.channel.spare = wanted.spare
        guard kept.channel.severitiesAreInOrder else {
            throw Refusal.invalid("the lowest severity is above the highest")
        }
        if let secret = command.secret { kept.secret = secret }
        guard kept.channel.kind != .gotify || !kept.secret.isEmpty else {
            throw Refusal.invalid("a Gotify server asks for the token of an application")
        }
        // The cause of earlier failures may be gone.
        if let before, before.channel.failures > 0 { try forgive(&kept, in: transaction) }
        try kept.save(transaction.db)
        try Deliveries.settleReach(of: feed, in: transaction)
        return try kept.told(transaction.db)
    }

    /// Tries a channel again immediately.
    private static func forgive(_ kept: inout KeptChannel, in transaction: Transaction) throws {
        kept.blocked = 0
        (kept.channel.failingSince, kept.channel.failures, kept.channel.error) = (0, 0, "")
        try AlertHandling.withdraw(
            kept.failingKey, from: ServiceName.notifier.rawValue, in: transaction)
    }

    /// Removes a channel of the asker. What still waits for it, or is under way, is delivered by
    /// the spare ones or, for an alert that had chosen it, by all others: whether a delivery under
    /// way arrives is never known.
    static func remove(
        _ command: RemoveChannel, in transaction: Transaction
    ) throws -> AlertChannel {
        let kept = try required(command.name, in: transaction)
        let told = try kept.told(transaction.db)
        try AlertHandling.withdraw(
            kept.failingKey, from: ServiceName.notifier.rawValue, in: transaction)
        try kept.stop(transaction.db)
        let waiting = try AlertDelivery.alertsWaiting(on: kept, transaction.db)
        try kept.delete(transaction.db)
        try Deliveries.deliverElsewhere(of: waiting, in: transaction)
        try Deliveries.settleReach(of: kept.feed, in: transaction)
        return told
    }

    private static func list(
        _: ListChannels, in transaction: Transaction
    ) throws -> AlertChannels {
        let feed = try AlertFeedAddress("", asker: transaction.principal)
        return AlertChannels(
            channels: try KeptChannel.salvaged(of: feed, transaction.db).map {
                try $0.told(transaction.db)
            })
    }

    private static func test(_ command: TestChannel, in transaction: Transaction) throws -> Alert {
        guard command.name != DeliveryPlan.mail else { return try testMail(in: transaction) }
        let kept = try required(command.name, in: transaction)
        guard !kept.isDamaged else {
            throw Refusal.conflict(kept.channel.error).because(.channelDamaged)
        }
        return try raiseTest(
            of: kept.channel.name, for: kept.feed,
            Said(.channelTest, ["name": .text(kept.channel.name)]), Said(.channelTestBody),
            in: transaction)
    }

    /// Sends a test to where the asker's alerts are mailed.
    private static func testMail(in transaction: Transaction) throws -> Alert {
        let feed = try AlertFeedAddress("", asker: transaction.principal)
        guard try !AlertPreference.of(feed, transaction.db).mail.isEmpty else {
            throw Refusal.notFound(
                "your alerts aren't mailed; say where to: steward alerts prefer --mail ADDRESS"
            ).because(.channelMissing, of: DeliveryPlan.mail)
        }
        guard try MailConfiguration(transaction.settings) != nil else {
            throw Refusal.conflict("nothing is mailed here, because no mail server is set")
        }
        return try raiseTest(
            of: DeliveryPlan.mail, for: feed, Said(.mailTest), Said(.mailTestBody),
            in: transaction)
    }

    private static func raiseTest(
        of channel: String, for feed: AlertFeedAddress, _ title: Said<AlertPhrase>,
        _ body: Said<AlertPhrase>, in transaction: Transaction
    ) throws -> Alert {
        try AlertAllowance.test.use(in: transaction)
        var raised = AlertRaised(
            key: "channel-test/\(transaction.id)", kind: AlertChannel.testKind, severity: .info,
            subject: channel, recipient: feed.recipient, expiresAt: transaction.now + 600_000,
            organisation: feed.organisation)
        raised.say(title, [PhraseLine([body])])
        try AlertHandling.raise(
            raised, from: ServiceName.notifier.rawValue, id: transaction.id, in: transaction)
        return try Alert.required("\(transaction.id)", transaction.db)
    }

    private static func trace(_ query: ReadAlert, in transaction: Transaction) throws -> AlertTrace
    {
        let alert = try Alert.required(query.id, of: transaction.principal, transaction.db)
        let preference = try AlertPreference.of(alert.address, transaction.db)
        var deliveries = try AlertDelivery.everything(of: alert, transaction.db)
        if try MailConfiguration(transaction.settings) == nil {
            for index in deliveries.indices
            where deliveries[index].channel == DeliveryPlan.mail
                && deliveries[index].state == .waiting && deliveries[index].note.isEmpty
            {
                deliveries[index].note = "no mail server is set"
            }
        }
        return AlertTrace(
            alert: alert.told(preference, transaction.settings), deliveries: deliveries)
    }

    private static func required(
        _ name: String, in transaction: Transaction
    ) throws -> KeptChannel {
        let feed = try AlertFeedAddress("", asker: transaction.principal)
        let all = try KeptChannel.salvaged(of: feed, transaction.db)
        guard let kept = all.first(where: { $0.channel.name == name }) else {
            let known = all.map(\.channel.name)
            let shown = String(name.prefix(50))
            throw Refusal.notFound(
                "you have no channel “\(shown)”; "
                    + (known.isEmpty
                        ? "add one: steward alerts channel add"
                        : "yours are \(known.joined(separator: ", "))")
            ).because(.channelMissing, of: shown)
        }
        return kept
    }
}

extension AlertDelivery {
    /// A mail as one of the deliveries of an alert.
    init(_ mail: Mail) {
        let state: DeliveryState =
            switch mail.state {
            case .sent: .sent
            case .dead: .refused
            case .sending: .sending
            default: .waiting
            }
        let severity = mail.key.split(separator: "/").last.map(String.init) ?? ""
        self.init(
            id: mail.id, channel: "mail",
            alert: mail.key.split(separator: "/").dropFirst().first.map(String.init) ?? "",
            severity: Alert.severities.first { "\($0)" == severity } ?? .info, state: state,
            attempts: mail.attempts, due: mail.due, changed: mail.changed, note: mail.error)
    }
}
