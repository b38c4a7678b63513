import Bus
import Messages
import TestStore
import Testing
import Transfers

@testable import Notifier
@testable import ServiceRuntime

/// What waits for a channel that its owner removes, or that doesn't deliver it.
struct RemovedChannelTests {
    private static let now: Int64 = 1_800_000_000_000
    private static let feed = AlertFeedAddress(
        organisation: "", recipient: Principal.machineOwner.account)

    private let notifier: MemoryStore

    init() throws {
        var store = try MemoryStore.ofNotifier()
        store.settings = [
            "STEWARD_SMTP": "smtp://127.0.0.1:2525", "STEWARD_SMTP_FROM": "steward@example.org",
        ]
        notifier = store
    }

    private func raise(
        _ key: String, by channels: [String] = [], at now: Int64
    ) throws {
        try notifier.run(at: now) { transaction in
            let raised = AlertRaised(
                key: key, kind: "test", severity: .warning, title: "Look",
                recipient: Self.feed.recipient, channels: channels)
            try AlertHandling.raise(
                raised, from: ServiceName.checklist.rawValue, id: transaction.id, in: transaction)
        }
    }

    private func add(_ names: String...) throws {
        try notifier.run(at: Self.now) { transaction in
            for name in names {
                let channel = AlertChannel(
                    name: name, kind: .webhook, address: "https://example.org/\(name)",
                    from: .info, spare: name == "spare")
                try KeptChannel(feed: Self.feed, channel, secret: "").save(transaction.db)
            }
        }
    }

    /// Sets that the owner's alerts are mailed.
    private func addMail() throws {
        try notifier.run(at: Self.now) {
            try AlertPreference(mail: "ann@example.org", from: .info, language: "en")
                .save(Self.feed, $0.db)
        }
    }

    /// The number of mails of an alert.
    private func mails(of key: String) throws -> Int {
        let alert = try #require(try notifier.alerts().first { $0.key == key })
        return try notifier.run { try Mail.of(alert, $0.db).count }
    }

    /// Makes the next delivery of channels that work, or else of those that fail.
    private func deliver(_ outcome: DeliveryOutcome, at now: Int64) throws {
        for handler in Deliveries.errands {
            guard let errand = try notifier.run(at: now, { try handler.take($0) }) else { continue }
            return try notifier.run(at: now) { try errand.finish(outcome, $0) }
        }
    }

    /// The channels that deliver an alert, or will.
    private func channels(of key: String) throws -> [String] {
        let alert = try #require(try notifier.alerts().first { $0.key == key })
        return try notifier.run { transaction in
            try AlertDelivery.all(of: alert.id, transaction.db).filter { $0.state != .skipped }
                .map(\.channel)
        }
    }

    @Test func `other channels deliver alerts that had chosen a removed channel`() throws {
        try add("phone", "watch")
        try raise("a", by: ["watch"], at: Self.now + 1)
        #expect(try channels(of: "a") == ["watch"])

        _ = try notifier.run(at: Self.now + 2) {
            try Channels.remove(RemoveChannel(name: "watch"), in: $0)
        }

        #expect(try channels(of: "a") == ["phone"])
    }

    @Test(arguments: [
        (DeliveryOutcome.refused("no"), 1), (DeliveryOutcome.delayed("500", after: 0), 3),
    ])
    func `other channels deliver alerts that had chosen a channel that doesn't deliver them`(
        outcome: DeliveryOutcome, times: Int
    ) throws {
        try add("phone", "watch")
        try raise("a", by: ["watch"], at: Self.now)
        try raise("b", by: ["watch"], at: Self.now + 1)
        for time in 1...times {
            #expect(try channels(of: "a") == ["watch"])
            let now = Self.now + Int64(time) * 60_000
            for handler in Deliveries.errands {
                guard let errand = try notifier.run(at: now, { try handler.take($0) }) else {
                    continue
                }
                try notifier.run(at: now) { try errand.finish(outcome, $0) }
            }
        }

        #expect(try channels(of: "a").contains("phone"))
        // What waits there doesn't have to fail first.
        let isLate = times == 3
        #expect(try channels(of: "b").contains("phone") == isLate)
    }

    @Test func `what fails on one of two chosen channels stays with the other`() throws {
        try add("phone", "watch", "tablet")
        try raise("a", by: ["watch", "tablet"], at: Self.now)
        let handler = try #require(Notifier.errands.first { $0.kind == "delivery" })
        let errand = try #require(try notifier.run(at: Self.now) { try handler.take($0) })
        try notifier.run(at: Self.now) {
            try errand.finish(DeliveryOutcome.refused("no"), $0)
        }

        #expect(try Set(channels(of: "a")) == ["watch", "tablet"])
    }

    @Test func `other channels deliver what each of the chosen channels has refused`() throws {
        try add("phone", "watch", "tablet")
        try addMail()
        try raise("a", by: ["watch", "tablet"], at: Self.now)

        try deliver(.refused("no"), at: Self.now + 1)
        #expect(try Set(channels(of: "a")) == ["watch", "tablet"])
        #expect(try mails(of: "a") == 0)

        // The other one refuses it when the first would be tried again.
        try deliver(.refused("no"), at: Self.now + 60_000)
        #expect(try Set(channels(of: "a")) == ["phone", "watch", "tablet"])
        #expect(try mails(of: "a") == 1)
    }

    @Test func `what waits on a chosen channel that fails is mailed, if there is no other`() throws
    {
        try add("watch")
        try addMail()
        for key in ["a", "b"] { try raise(key, by: ["watch"], at: Self.now) }
        for time in 1...3 as ClosedRange<Int64> {
            #expect(try mails(of: "a") == 0)
            try deliver(.delayed("500", after: 0), at: Self.now + time * 60_000)
        }

        // The second has failed only once.
        #expect(try mails(of: "a") == 1)
        #expect(try mails(of: "b") == 1)
    }

    @Test func `an alert that is over when its chosen channel fails is no longer mailed`() throws {
        try add("watch")
        try addMail()
        try raise("a", by: ["watch"], at: Self.now)
        let handler = try #require(Notifier.errands.first { $0.kind == "delivery" })
        let errand = try #require(try notifier.run(at: Self.now) { try handler.take($0) })
        try notifier.run(at: Self.now + 1) {
            try AlertHandling.withdraw("a", from: ServiceName.checklist.rawValue, in: $0)
        }

        try notifier.run(at: Self.now + 2) {
            try errand.finish(DeliveryOutcome.refused("no"), $0)
        }

        #expect(try mails(of: "a") == 0)
    }

    @Test func `spare channels deliver what a channel that is removed hasn't delivered`() throws {
        try add("phone", "spare")
        try raise("a", at: Self.now + 1)
        try raise("b", at: Self.now + 2)
        // One of them is over, and the other under way.
        try notifier.run(at: Self.now + 3) {
            try AlertHandling.withdraw("a", from: ServiceName.checklist.rawValue, in: $0)
        }
        let handler = try #require(Notifier.errands.first { $0.kind == "delivery" })
        let errand = try #require(try notifier.run(at: Self.now + 4) { try handler.take($0) })
        try raise("c", at: Self.now + 5)

        _ = try notifier.run(at: Self.now + 6) {
            try Channels.remove(RemoveChannel(name: "phone"), in: $0)
        }
        try notifier.run(at: Self.now + 7) {
            try errand.finish(DeliveryOutcome.delayed("it doesn't answer", after: 0), $0)
        }

        let alerts = try notifier.alerts()
        #expect(alerts.map(\.key) == ["a", "b", "c"])
        let planned = try notifier.run { transaction in
            try alerts.map { try AlertDelivery.all(of: $0.id, transaction.db).map(\.channel) }
        }
        #expect(planned == [[], ["spare"], ["spare"]])
    }
}
