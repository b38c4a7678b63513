import Bus
import Messages
import ServiceRuntime
import TestStore
import Testing

@testable import Notifier

/// What waits for a channel that its owner removes.
struct RemovedChannelTests {
    private static let now: Int64 = 1_800_000_000_000
    private static let feed = AlertFeedAddress(
        organisation: "", recipient: Principal.machineOwner.account)

    @Test func `spare channels deliver what waits for a channel that is removed`() throws {
        let notifier = try MemoryStore.ofNotifier()
        try notifier.run(at: Self.now) { transaction in
            for name in ["phone", "spare"] {
                let channel = AlertChannel(
                    name: name, kind: .webhook, address: "https://example.org/\(name)",
                    from: .info, spare: name == "spare")
                try KeptChannel(feed: Self.feed, channel, secret: "").save(transaction.db)
            }
        }
        for (number, key) in ["a", "b"].enumerated() {
            try notifier.run(at: Self.now + 1 + Int64(number)) { transaction in
                let raised = AlertRaised(
                    key: key, kind: "test", severity: .warning, title: "Look",
                    recipient: Self.feed.recipient)
                try Notifier.raise(
                    raised, from: ServiceName.checklist.rawValue, id: transaction.id,
                    in: transaction)
            }
        }
        // One of them is over.
        try notifier.run(at: Self.now + 3) {
            try Notifier.withdraw("a", from: ServiceName.checklist.rawValue, in: $0)
        }

        _ = try notifier.run(at: Self.now + 4) {
            try Channels.remove(RemoveChannel(name: "phone"), in: $0)
        }

        let alerts = try notifier.alerts()
        #expect(alerts.map(\.key) == ["a", "b"])
        let planned = try notifier.run { transaction in
            try alerts.map { try AlertDelivery.all(of: $0.id, transaction.db).map(\.channel) }
        }
        #expect(planned == [[], ["spare"]])
    }
}
