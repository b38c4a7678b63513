import Bus
import GRDB
import Messages
import TestStore
import Testing
import Transfers

@testable import Notifier
@testable import ServiceRuntime

/// What is deleted of alerts because it is old, and what closed ones mean for those that are open.
struct OldAlertTests {
    private static let now: Int64 = 1_800_000_000_000
    private static let day: Int64 = 86_400_000
    private static let (ride, shift) = (
        ServiceName.transitAlert.rawValue, ServiceName.checklist.rawValue
    )

    private let owner = AlertFeedAddress(
        organisation: "", recipient: Principal.machineOwner.account)

    /// A notifier that keeps closed alerts for some days.
    private func notifier(keepingDays days: Int) throws -> MemoryStore {
        var store = try MemoryStore.ofNotifier()
        store.settings = [AlertRetention.variable: "\(days)"]
        return store
    }

    private func raise(
        _ key: String, from source: String, in notifier: MemoryStore
    ) throws {
        try notifier.run(at: Self.now) { transaction in
            let raised = AlertRaised(
                key: key, kind: "test", severity: .warning, title: "Look",
                recipient: owner.recipient, needsAcknowledgement: true)
            try AlertHandling.raise(raised, from: source, id: transaction.id, in: transaction)
        }
    }

    private func withdraw(
        _ key: String, from source: String, at now: Int64, in notifier: MemoryStore
    ) throws {
        try notifier.run(at: now) {
            try AlertHandling.withdraw(key, from: source, in: $0)
        }
    }

    private func prune(_ notifier: MemoryStore, afterDays days: Int64) throws {
        try notifier.run(at: Self.now + days * Self.day) {
            try Notifier.prune("", due: 0, in: $0)
        }
    }

    /// The key of the alert that the owner means by the first characters of all ids.
    private func meant(in notifier: MemoryStore) throws -> String {
        try notifier.run(at: Self.now + 10) { transaction in
            let open = try Alert.open(source: Self.shift, transaction.db)
            let shown = try #require(open.first).id.prefix(8)
            return try Alert.required(String(shown), of: .machineOwner, transaction.db).key
        }
    }

    @Test func `the only open alert of a minute is found by the beginning of its id`() throws {
        let notifier = try notifier(keepingDays: 1)
        try raise("smoke", from: Self.shift, in: notifier)
        try withdraw("smoke", from: Self.shift, at: Self.now + 1, in: notifier)
        try raise("door", from: Self.shift, in: notifier)
        #expect(try meant(in: notifier) == "door")

        try raise("fridge", from: Self.shift, in: notifier)
        let refusal = #expect(throws: Refusal.self) { try meant(in: notifier) }
        #expect(refusal?.code == .conflict)
    }

    @Test func `an open alert isn't meant by what may be the id of an acknowledged one`() throws {
        let notifier = try notifier(keepingDays: 1)
        try raise("smoke", from: Self.shift, in: notifier)
        try notifier.run(at: Self.now + 1) { transaction in
            let smoke = try #require(try Alert.open(source: Self.shift, transaction.db).first)
            _ = try AlertHandling.acknowledge(AcknowledgeAlert(id: smoke.id), in: transaction)
        }
        try raise("door", from: Self.shift, in: notifier)
        let refusal = #expect(throws: Refusal.self) { try meant(in: notifier) }
        #expect(refusal?.code == .conflict)
    }

    @Test func `a siren is told of the end of an alert, however long it was open`() throws {
        let notifier = try notifier(keepingDays: 1)
        try notifier.run(at: Self.now) { transaction in
            let channel = AlertChannel(
                name: "siren", kind: .webhook, address: "https://example.org/siren", from: .info)
            try KeptChannel(feed: owner, channel, secret: "").save(transaction.db)
        }
        try raise("late", from: Self.shift, in: notifier)
        let handler = try #require(Deliveries.errands.first { $0.kind == "delivery" })
        let errand = try #require(try notifier.run(at: Self.now) { try handler.take($0) })
        try notifier.run(at: Self.now) { try errand.finish(DeliveryOutcome.accepted, $0) }

        try prune(notifier, afterDays: 3)
        try withdraw("late", from: Self.shift, at: Self.now + 3 * Self.day, in: notifier)

        let alert = try #require(try notifier.alerts().first)
        let steps = try notifier.run { try AlertDelivery.all(of: alert.id, $0.db) }
        #expect(steps.map(\.reason) == [.raised, .closed])
        #expect(steps.map(\.state) == [.sent, .waiting])

        // Once the alert is over, what has ended is deleted as it was.
        try prune(notifier, afterDays: 5)
        let left = try notifier.run {
            try Int.fetchOne($0.db, sql: "SELECT count(*) FROM delivery WHERE state > 2")
        }
        #expect(left == 0)
    }

    @Test func `alerts of rides and digests are kept for 30 days, even if others are kept longer`()
        throws
    {
        let notifier = try notifier(keepingDays: 365)
        try notifier.run(at: Self.now) {
            try AlertPreference(mail: "ann@example.org", from: .info, language: "en")
                .save(owner, $0.db)
        }
        let digest = AlertDigest.key(of: owner)
        let alerts = [
            ("journey/1/now", Self.ride), (digest, ServiceName.notifier.rawValue),
            ("late", Self.shift), ("open", Self.ride),
        ]
        for (key, source) in alerts { try raise(key, from: source, in: notifier) }
        for (key, source) in alerts where key != "open" {
            try withdraw(key, from: source, at: Self.now + 1, in: notifier)
        }

        try prune(notifier, afterDays: 30)
        #expect(try notifier.alerts().count == 4)
        try prune(notifier, afterDays: 31)

        #expect(try Set(notifier.alerts().map(\.key)) == ["late", "open"])
        let mails = try notifier.run {
            try Int.fetchOne($0.db, sql: "SELECT count(*) FROM mail")
        }
        #expect(mails == 2)
    }
}
