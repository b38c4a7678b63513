import Bus
import GRDB
import Messages
import ServiceRuntime
import TestStore
import Testing

@testable import Notifier

/// What somebody gets of the alerts of a person they care for.
struct CarerFeedTests {
    private static let now: Int64 = 1_800_000_000_000
    private static let ann = Principal.account("ann", organisation: "o")
    private static let carer = Principal.account("kim", organisation: "o", caresFor: ["ann"])
    private static let sources: [ServiceName] = [.checklist, .transitAlert, .routine]

    private let notifier: MemoryStore

    init() throws {
        notifier = try MemoryStore.ofNotifier()
        for (number, source) in Self.sources.enumerated() {
            try notifier.run(at: Self.now + Int64(number)) { transaction in
                let raised = AlertRaised(
                    key: "k", kind: "test", severity: .urgent, title: "Look",
                    recipient: "ann", needsAcknowledgement: true, organisation: "o")
                try AlertHandling.raise(
                    raised, from: source.rawValue, id: transaction.id, in: transaction)
            }
        }
    }

    /// Everything that somebody can ask about Ann's alerts.
    private func asked(
        by asker: Principal
    ) throws -> (feed: AlertFeed, page: FeedPage, list: [Alert]) {
        try notifier.run(at: Self.now + 10, as: asker) { transaction in
            (
                try AlertFeeds.openFeed(OpenFeed(recipient: "ann"), in: transaction),
                try AlertFeeds.readFeed(ReadFeed(recipient: "ann"), in: transaction),
                try AlertHandling.list(ListAlerts(recipient: "ann"), in: transaction).alerts
            )
        }
    }

    @Test func `a person's own rides and days are shown to no carer, not even under a topic`()
        throws
    {
        let (feed, page, list) = try asked(by: Self.carer)

        let shown = ServiceName.checklist.rawValue
        #expect(feed.open.map(\.source) == [shown])
        #expect(list.map(\.source) == [shown])
        #expect(page.notices.map { $0.alert?.source } == [shown, nil, nil])
        // Nothing is missing that would have to be asked for again.
        #expect(page.notices.map(\.feedSequence) == [1, 2, 3])
        #expect(feed.topic.isEmpty && page.topic.isEmpty)
    }

    @Test func `a digest, which may list rides and days, is shown to no carer`() throws {
        let digest = try notifier.run(at: Self.now + 5) { transaction in
            let ann = AlertFeedAddress(organisation: "o", recipient: "ann")
            let open = try Alert.loudest(of: ann, transaction.db)
            try AlertHandling.raise(
                AlertDigest.listing(open, for: ann), from: Notifier.name.rawValue,
                id: transaction.id, in: transaction)
            return "\(transaction.id)"
        }
        func acknowledge(as asker: Principal) throws {
            _ = try notifier.run(at: Self.now + 20, as: asker) {
                try AlertHandling.acknowledge(AcknowledgeAlert(id: digest), in: $0)
            }
        }

        let (feed, page, list) = try asked(by: Self.carer)

        let shown = [ServiceName.checklist.rawValue]
        #expect(feed.open.map(\.source) == shown && list.map(\.source) == shown)
        #expect(page.notices.compactMap { $0.alert?.source } == shown)
        #expect(throws: Refusal.self) { try acknowledge(as: Self.carer) }
        try acknowledge(as: Self.ann)
    }

    @Test func `the recipient gets all of it`() throws {
        let (feed, page, list) = try asked(by: Self.ann)

        let sources = Self.sources.map(\.rawValue)
        #expect(feed.open.map(\.source) == sources)
        #expect(list.map(\.source) == sources.reversed())
        #expect(page.notices.compactMap { $0.alert?.source } == sources)
        #expect(feed.topic == "alert.o.ann." && page.topic == "alert.o.ann.")
    }

    @Test func `whoever sees an alert in its feed may name it by its id, and nobody else`() throws {
        let feeds = [("ann", "o"), ("bo", "o"), ("ann", "p")].map {
            AlertFeedAddress(organisation: $0.1, recipient: $0.0)
        }
        func raise(_ raised: AlertRaised, from source: ServiceName) throws {
            try notifier.run(at: Self.now + 5) {
                try AlertHandling.raise(raised, from: source.rawValue, id: $0.id, in: $0)
            }
        }
        for feed in feeds {
            for source in ServiceName.allCases {
                let raised = AlertRaised(
                    key: "each/\(feed.topic)", kind: "test", severity: .info, title: "Look",
                    recipient: feed.recipient, organisation: feed.organisation)
                try raise(raised, from: source)
            }
            try raise(AlertDigest.listing([], for: feed), from: Notifier.name)
        }
        // One of each source but two, which are rides and days; not the digest; and one of `init`.
        let shown = ServiceName.allCases.count - 2 + 1

        #expect(try namedAlerts(of: feeds, by: Self.carer) == shown)
        try notifier.run { try $0.db.execute(sql: "UPDATE alert SET alert = x'FF'") }
        #expect(try namedAlerts(of: feeds, by: Self.carer) == shown)
        #expect(
            try namedAlerts(of: feeds, by: Self.ann) == ServiceName.allCases.count + 1
                + Self.sources.count)
    }

    /// The number of alerts that somebody may name, which are those that their feeds show.
    private func namedAlerts(of feeds: [AlertFeedAddress], by asker: Principal) throws -> Int {
        try notifier.run(at: Self.now + 10) { transaction in
            var count = 0
            for feed in feeds {
                let isReached =
                    asker.organisation == feed.organisation && asker.mayActFor(feed.recipient)
                for alert in try Alert.newest(
                    of: feed, openOnly: false, before: "", limit: 100, transaction.db)
                {
                    let isNamed = try isNamed(alert, by: asker, transaction.db)
                    #expect(
                        isNamed == (isReached && feed.shows(alert, to: asker)),
                        "\(asker.account): \(alert)")
                    if isNamed { count += 1 }
                }
            }
            return count
        }
    }

    private func isNamed(_ alert: Alert, by asker: Principal, _ db: Database) throws -> Bool {
        do {
            return try Alert.required(alert.id, of: asker, db).id == alert.id
        } catch let refusal as Refusal {
            guard refusal.code == .notFound else { throw refusal }
            return false
        }
    }

    @Test func `a carer acknowledges no alert of a person's own rides and days`() throws {
        for alert in try asked(by: Self.ann).list {
            let isPersonal = alert.source != ServiceName.checklist.rawValue
            func acknowledge(as asker: Principal) throws {
                _ = try notifier.run(at: Self.now + 20, as: asker) {
                    try AlertHandling.acknowledge(AcknowledgeAlert(id: alert.id), in: $0)
                }
            }
            if isPersonal {
                let refusal = #expect(throws: Refusal.self) { try acknowledge(as: Self.carer) }
                #expect(refusal?.code == .notFound)
                try acknowledge(as: Self.ann)
            } else {
                try acknowledge(as: Self.carer)
            }
        }
        #expect(try asked(by: Self.ann).feed.open.isEmpty)
    }
}
