import Messages
import ServiceRuntime

extension Alert {
    /// The maximum number of open alerts with which a feed opens.
    static let mostShown = 500
}

/// The feeds of alerts: what is open, what a subscriber missed, and the topics.
enum AlertFeeds {
    static var handlers: [MessageHandler] {
        [
            .query(openFeed, .account), .secret(renewTopic, .person), .query(readFeed, .account),
        ]
    }

    static func openFeed(_ query: OpenFeed, in transaction: Transaction) throws -> AlertFeed {
        let address = try AlertFeedAddress(query.recipient, asker: transaction.principal)
        let found = try Alert.loudest(of: address, transaction.db)
        let shown = found.filter { address.shows($0, to: transaction.principal) }
        // What doesn't fit into an answer is left out.
        let open = Page<Alert>.first(
            of: try AlertHandling.told(shown, to: address, in: transaction))
        return AlertFeed(
            topic: try topic(of: address, in: transaction),
            feedSequence: try Notice.head(address, transaction.db),
            open: open.sorted { $0.id < $1.id },
            isComplete: found.count < Alert.mostShown && open.count == shown.count)
    }

    static func renewTopic(
        _ command: RenewTopic, in transaction: Transaction
    ) throws -> TopicRenewed {
        let address = try AlertFeedAddress(command.recipient, asker: transaction.principal)
        guard transaction.isBusShared else {
            throw Refusal.conflict(
                "on this machine a topic has no secret, because only its owner reaches it")
        }
        try AlertFeedSecret.replace(of: address, transaction.db)
        return TopicRenewed(topic: try topic(of: address, in: transaction))
    }

    /// The topic of a feed as the asker gets it: empty for those who only care for its recipient,
    /// because it has all alerts.
    private static func topic(
        of address: AlertFeedAddress, in transaction: Transaction
    ) throws -> String {
        guard address.isOwn(of: transaction.principal) else { return "" }
        return try AlertFeedTopic(address, in: transaction).prefix
    }

    static func readFeed(_ query: ReadFeed, in transaction: Transaction) throws -> FeedPage {
        let address = try AlertFeedAddress(query.recipient, asker: transaction.principal)
        let limit = pageLimit(query.limit, usual: 100, most: 500)
        let notices = try Notice.all(
            address, after: query.after, limit: limit, transaction.db)
        return FeedPage(
            notices: notices.map { notice in
                guard let alert = notice.alert, !address.shows(alert, to: transaction.principal)
                else { return notice }
                // It keeps its place, so that those after it are reached.
                return AlertNotice(feedSequence: notice.feedSequence, reason: .closed)
            },
            feedSequence: try Notice.head(address, transaction.db),
            topic: try topic(of: address, in: transaction))
    }
}
