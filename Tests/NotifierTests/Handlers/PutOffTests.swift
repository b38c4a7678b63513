import Bus
import GRDB
import Messages
import TestStore
import Testing
import Transfers

@testable import Notifier
@testable import ServiceRuntime

/// What was put off while the clock was ahead, after it was set back.
struct PutOffTests {
    /// Eight in the morning, UTC.
    private static let now: Int64 = 1_800_000_000_000
    /// What the clock shows while it is ahead.
    private static let ahead: Int64 = now + 2 * 3_600_000

    private let notifier: MemoryStore

    init() throws {
        notifier = try MemoryStore.ofNotifier()
        for recipient in ["ann", "bob", "cem"] {
            try notifier.run(at: Self.now) { transaction in
                let channel = AlertChannel(
                    name: "phone", kind: .webhook, address: "https://example.org/hook", from: .info)
                try KeptChannel(feed: Self.feed(of: recipient), channel, secret: "")
                    .save(transaction.db)
            }
        }
        // Twelve more hours.
        try notifier.run(at: Self.now) { transaction in
            try QuietHours(from: 0, until: 1_200, timeZone: "Etc/UTC")
                .save(Self.feed(of: "ann"), transaction.db)
        }
    }

    private static func feed(of recipient: String) -> AlertFeedAddress {
        AlertFeedAddress(organisation: "", recipient: recipient)
    }

    private func raise(
        for recipient: String, _ severity: Severity = .warning, at now: Int64
    ) throws {
        try notifier.run(at: now) { transaction in
            let raised = AlertRaised(
                key: "\(transaction.id)", kind: "test", severity: severity, title: "Late",
                recipient: recipient)
            try AlertHandling.raise(
                raised, from: ServiceName.checklist.rawValue, id: transaction.id,
                in: transaction)
        }
    }

    /// Begins deliveries until no other may begin.
    private func begin(failing: Bool = false, at now: Int64) throws -> [ErrandHandler.Errand] {
        let handler = Deliveries.errands[failing ? 1 : 0]
        var begun: [ErrandHandler.Errand] = []
        while begun.count < handler.atOnce,
            let errand = try notifier.run(at: now, { try handler.take($0) })
        {
            begun.append(errand)
        }
        return begun
    }

    /// Whose deliveries are under way.
    private func underWay() throws -> [String] {
        try notifier.run(at: Self.now) { transaction in
            try String.fetchAll(
                transaction.db,
                sql: """
                    SELECT recipient FROM delivery JOIN channel ON channel.feed = delivery.feed
                    WHERE state = 2 ORDER BY delivery.changed, recipient
                    """)
        }
    }

    @Test func `channels that wait as they should don't hide those put off by a wrong clock`()
        throws
    {
        try raise(for: "ann", at: Self.now + 1)
        try raise(for: "bob", at: Self.ahead)
        try raise(for: "cem", .urgent, at: Self.ahead)

        let begun = try begin(at: Self.now + 1_000)

        #expect(begun.count == 2)
        #expect(try underWay() == ["bob", "cem"])
    }

    @Test func `a channel that fails again after the clock was set back waits before the next try`()
        throws
    {
        try raise(for: "bob", at: Self.ahead)
        try raise(for: "bob", at: Self.ahead)
        let first = try #require(try begin(at: Self.now + 1_000).first)
        try notifier.run(at: Self.now + 2_000) {
            try first.finish(DeliveryOutcome.delayed("503", after: 0), $0)
        }

        #expect(try begin(failing: true, at: Self.now + 3_000).isEmpty)
        #expect(try begin(failing: true, at: Self.now + 8_000).count == 1)
    }

    @Test func `what failed while the clock was ahead is tried again when it is set back`() throws {
        try raise(for: "ann", at: Self.now + 1)
        try raise(for: "bob", at: Self.now + 1)
        let first = try #require(try begin(at: Self.now + 2).first)
        try notifier.run(at: Self.ahead) {
            try first.finish(DeliveryOutcome.delayed("503", after: 0), $0)
        }

        #expect(try begin(failing: true, at: Self.now + 1_000).count == 1)
        #expect(try underWay() == ["bob"])
    }
}
