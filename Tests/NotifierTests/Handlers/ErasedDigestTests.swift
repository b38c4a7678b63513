import Bus
import Messages
import ServiceRuntime
import TestStore
import Testing

@testable import Notifier

/// The other alerts of a digest that is erased with someone's journeys.
struct ErasedDigestTests {
    /// Eight in the morning, UTC.
    private static let now: Int64 = 1_800_000_000_000
    private static let hour: Int64 = 3_600_000
    /// The next morning at seven.
    private static let morning: Int64 = now + 23 * hour
    private static let (ride, other) = (ServiceName.transitAlert, ServiceName.checklist)

    private let notifier: MemoryStore
    private let feed = AlertFeedAddress(
        organisation: "", recipient: Principal.machineOwner.account)

    init() throws {
        notifier = try MemoryStore.ofNotifier()
        let feed = self.feed
        try notifier.run(at: Self.now) { transaction in
            try AlertDigest(at: 420, timeZone: "Etc/UTC", upTo: .warning)
                .save(feed, since: Self.now, transaction.db)
            try transaction.setTimer(
                AlertDigest.collecting, subject: feed.topic, due: Self.morning)
        }
    }

    private func raise(
        _ title: String, from source: ServiceName = Self.other, _ severity: Severity = .info,
        at now: Int64
    ) throws {
        try notifier.run(at: now) { transaction in
            let raised = AlertRaised(
                key: title, kind: "test", severity: severity, title: title, subject: title,
                recipient: feed.recipient, expiresAt: Self.now + 240 * Self.hour)
            try AlertHandling.raise(
                raised, from: source.rawValue, id: transaction.id, in: transaction)
        }
    }

    private func collect(at now: Int64) throws {
        try notifier.run(at: now) { try AlertDigest.collect(feed.topic, due: now, in: $0) }
    }

    private func erase(at now: Int64) throws {
        try notifier.run(at: now) { transaction in
            try Erasures.travelErased(
                TravelErased(owner: feed.recipient), Envelope(source: Self.ride.rawValue),
                in: transaction)
        }
    }

    /// The lines of the open digest; nil if there is none.
    private func lines() throws -> [String]? {
        let digests = try notifier.alerts().filter { $0.raised?.kind == AlertDigest.kind }
        let open = digests.filter { $0.state == .open }
        #expect(open.count <= 1)
        return open.first?.raised?.body.split(separator: "\n").map(String.init)
    }

    @Test func `an open digest lists the other alerts again when journeys are erased`() throws {
        try raise("Old", at: Self.now - 1)
        try raise("Get off", from: Self.ride, at: Self.now + 1)
        try raise("Late", .warning, at: Self.now + 2)
        try raise("Full", at: Self.now + 3)
        try collect(at: Self.morning)
        #expect(try lines() == ["Get off", "Late", "Full"])
        try raise("Next", at: Self.morning + 1)

        try erase(at: Self.morning + Self.hour)

        #expect(try lines() == ["Late", "Full"])
        try collect(at: Self.morning + 24 * Self.hour)
        #expect(try lines() == ["Next"])
    }

    @Test func `it lists them even if the digest was turned off meanwhile`() throws {
        try raise("Get off", from: Self.ride, at: Self.now + 1)
        try raise("Late", at: Self.now + 2)
        try collect(at: Self.morning)
        try notifier.run(at: Self.morning + 1) {
            try AlertDigest().save(feed, since: Self.morning + 1, $0.db)
        }

        try erase(at: Self.morning + Self.hour)

        #expect(try lines() == ["Late"])
    }

    @Test func `a digest of journeys alone, and one that was closed, don't come back`() throws {
        try raise("Get off", from: Self.ride, at: Self.now + 1)
        try collect(at: Self.morning)
        try erase(at: Self.morning + Self.hour)
        #expect(try lines() == nil)

        try raise("Late", at: Self.morning + 2 * Self.hour)
        try collect(at: Self.morning + 24 * Self.hour)
        #expect(try lines() == ["Late"])
        try notifier.run(at: Self.morning + 25 * Self.hour) {
            try AlertDigest.withdraw(of: feed, in: $0)
        }
        try erase(at: Self.morning + 26 * Self.hour)
        #expect(try lines() == nil)
    }
}
