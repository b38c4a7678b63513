import Bus
import GRDB
import Messages
import TestStore
import Testing
import Transfers

@testable import Notifier
@testable import ServiceRuntime

/// Alerts that can't wait for the end of quiet hours or of maintenance, or for a digest.
struct PressingAlertTests {
    /// Half past six in the morning, UTC.
    private static let now: Int64 = 1_800_000_000_000 - 5_400_000
    private static let hour: Int64 = 3_600_000
    /// Seven in the morning.
    private static let morning: Int64 = now + hour / 2

    private let notifier: MemoryStore
    private let feed = AlertFeedAddress(
        organisation: "", recipient: Principal.machineOwner.account)

    init() throws {
        notifier = try MemoryStore.ofNotifier()
        let feed = self.feed
        try notifier.run(at: Self.now) { transaction in
            let channel = AlertChannel(
                name: "phone", kind: .ntfy, address: "https://example.org/alerts", from: .info)
            try KeptChannel(feed: feed, channel, secret: "").save(transaction.db)
            try AlertPreference(mail: "ann@example.org", from: .info, language: "en")
                .save(feed, transaction.db)
        }
    }

    /// Lets quiet hours last until seven.
    private func beginQuietHours() throws {
        try notifier.run(at: Self.now) { transaction in
            try QuietHours(from: 1_320, until: 420, timeZone: "Etc/UTC")
                .save(feed, transaction.db)
        }
    }

    /// Collects alerts up to warnings until seven.
    private func beginDigest() throws {
        try notifier.run(at: Self.now) { transaction in
            try AlertDigest(at: 420, timeZone: "Etc/UTC", upTo: .warning)
                .save(feed, since: Self.now, transaction.db)
            try transaction.setTimer(
                AlertDigest.collecting, subject: feed.topic, due: Self.morning)
        }
    }

    private func raise(
        isAnswered: Bool = true, lasting life: Int64, at now: Int64 = Self.now,
        by source: ServiceName = .transitAlert
    ) throws {
        try notifier.run(at: now) { transaction in
            let raised = AlertRaised(
                key: "\(transaction.id)", kind: "test", severity: .warning, title: "Get ready",
                recipient: feed.recipient, needsAcknowledgement: isAnswered,
                expiresAt: now + life)
            try AlertHandling.raise(
                raised, from: source.rawValue, id: transaction.id, in: transaction)
        }
    }

    /// Begins the next delivery.
    private func begin(at now: Int64) throws -> ErrandHandler.Errand? {
        try notifier.run(at: now) { transaction in
            for handler in Deliveries.errands {
                if let errand = try handler.take(transaction) { return errand }
            }
            return nil
        }
    }

    /// When the mails of alerts are due.
    private func mailsDue() throws -> [Int64] {
        try notifier.run(at: Self.now) {
            try Int64.fetchAll($0.db, sql: "SELECT due FROM mail ORDER BY id")
        }
    }

    @Test(arguments: [
        // An alert of a ride, one that lasts until noon, and a landmark.
        (true, hour, true), (true, 6 * hour, false), (false, hour, false),
    ])
    func `what must be acknowledged soon doesn't wait for the end of quiet hours`(
        isAnswered: Bool, life: Int64, isAtOnce: Bool
    ) throws {
        try beginQuietHours()
        try raise(isAnswered: isAnswered, lasting: life)

        #expect(try mailsDue() == [isAtOnce ? Self.now : Self.morning])
        let isBegun = try begin(at: Self.now + 1) != nil
        #expect(isBegun == isAtOnce)
    }

    @Test func `what must be acknowledged soon doesn't wait after a failed attempt`() throws {
        try beginQuietHours()
        try raise(lasting: Self.hour)
        let first = try #require(try begin(at: Self.now + 1))
        try notifier.run(at: Self.now + 2) {
            try first.finish(DeliveryOutcome.delayed("503", after: 0), $0)
        }

        let isAgain = try begin(at: Self.now + 10_000) != nil
        #expect(isAgain)
    }

    @Test func `an alert that would have expired by the end of quiet hours doesn't wait`() throws {
        try notifier.run(at: Self.now) { transaction in
            try QuietHours(from: 0, until: 1_320, timeZone: "Etc/UTC")
                .save(feed, transaction.db)
        }
        try raise(lasting: 6 * Self.hour)

        let isBegun = try begin(at: Self.now + 1) != nil
        #expect(isBegun)
    }

    @Test(arguments: [
        (ServiceName.checklist, 6 * hour, false), (.checklist, hour, true),
        (.transitAlert, hour, true), (.transitAlert, 6 * hour, true), (.routine, 6 * hour, true),
    ])
    func `what concerns a ride or a day, or ends soon, doesn't wait for maintenance`(
        source: ServiceName, life: Int64, isAtOnce: Bool
    ) throws {
        let end = Self.now + 3 * Self.hour
        try notifier.run(at: Self.now) { transaction in
            try MaintenanceWindow(id: "m", kind: "test", until: end, urgentToo: true)
                .save(Principal.localOrganisation, transaction.db)
        }
        try raise(lasting: life, by: source)

        #expect(try mailsDue() == [isAtOnce ? Self.now : end])
        let isBegun = try begin(at: Self.now + 1) != nil
        #expect(isBegun == isAtOnce)
    }

    @Test(arguments: [(true, hour, true), (true, 6 * hour, false), (false, hour, false)])
    func `what must be acknowledged soon isn't collected by a digest`(
        isAnswered: Bool, life: Int64, isAtOnce: Bool
    ) throws {
        try beginDigest()
        try raise(isAnswered: isAnswered, lasting: life)

        #expect(try mailsDue().count == (isAtOnce ? 1 : 0))
        let isBegun = try begin(at: Self.now + 1) != nil
        #expect(isBegun == isAtOnce)
    }
}
