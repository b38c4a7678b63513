import Bus
import Messages
import TestStore
import Testing
import Transfers

@testable import Notifier
@testable import ServiceRuntime

/// What a digest says of alerts that are older than the last digest.
struct DigestNewsTests {
    /// A Friday at eight in the morning, UTC.
    private static let now: Int64 = 1_800_000_000_000
    private static let hour: Int64 = 3_600_000
    private static let day: Int64 = 24 * hour
    /// The next morning at seven.
    private static let morning: Int64 = now + 23 * hour

    private let notifier: MemoryStore
    private let feed = AlertFeedAddress(
        organisation: "", recipient: Principal.machineOwner.account)

    init() throws { notifier = try MemoryStore.ofNotifier() }

    /// Begins to collect alerts up to warnings from a time on.
    private func beginDigest(at now: Int64 = Self.now) throws {
        try notifier.run(at: now) { transaction in
            try AlertDigest(at: 420, timeZone: "Etc/UTC", upTo: .warning)
                .save(feed, since: now, transaction.db)
            try transaction.setTimer(
                AlertDigest.collecting, subject: feed.topic, due: Self.morning)
        }
    }

    private func raise(
        _ severity: Severity, title: String = "Late", again: Int64 = 0, at now: Int64
    ) throws {
        try notifier.run(at: now) { transaction in
            let raised = AlertRaised(
                key: "late", kind: "test", severity: severity, title: title,
                recipient: feed.recipient, needsAcknowledgement: true, repeatEvery: again)
            try AlertHandling.raise(
                raised, from: ServiceName.checklist.rawValue, id: transaction.id, in: transaction)
        }
    }

    /// The alert that was raised first.
    private func first() throws -> Alert { try #require(try notifier.alerts().first) }

    /// Sends the digest, and returns what it says; empty if there is nothing to say.
    private func digest(at now: Int64) throws -> String {
        try notifier.run(at: now) { try AlertDigest.collect(feed.topic, due: now, in: $0) }
        let open = try notifier.alerts().last {
            $0.raised?.kind == AlertDigest.kind && $0.state == .open
        }
        return open?.raised?.body ?? ""
    }

    @Test func `a digest of very many alerts is as severe as the most severe of them`() throws {
        try beginDigest()
        try notifier.run(at: Self.now + 1) { transaction in
            for number in 0..<2_000 {
                let raised = AlertRaised(
                    key: "\(number)", kind: "test", severity: .info, title: "Note",
                    recipient: feed.recipient)
                try Alert(
                    id: "\(transaction.makeID())", source: ServiceName.checklist.rawValue,
                    raised: raised, state: .open, time: transaction.now, severity: .info
                ).save(transaction.db)
            }
        }
        try raise(.warning, at: Self.now + 2)

        #expect(try !digest(at: Self.morning).isEmpty)

        let list = try notifier.run { try AlertDigest.openList(of: feed, in: $0) }
        #expect(list?.severity == .warning)
    }

    @Test func `an alert that is opened again is in the next digest`() throws {
        try notifier.run(at: Self.now) { transaction in
            try EscalationPolicy(
                name: "p", kind: "test",
                steps: [EscalationStep(who: Audience(account: "bob"), after: Self.hour)],
                reopenAfter: Self.day
            ).save(Principal.localOrganisation, transaction.db)
        }
        try beginDigest()
        try raise(.warning, at: Self.now + 2 * Self.hour)
        let alert = try first()
        try notifier.run(at: Self.now + 3 * Self.hour) { transaction in
            _ = try AlertHandling.acknowledge(AcknowledgeAlert(id: alert.id), in: transaction)
        }
        #expect(try digest(at: Self.morning).isEmpty)

        try notifier.run(at: Self.now + 3 * Self.hour + Self.day) { transaction in
            try CallHandling.reopen(alert.call, due: transaction.now, in: transaction)
        }

        #expect(try first().state == .open)
        #expect(try digest(at: Self.morning + Self.day).contains("Late"))
        #expect(try digest(at: Self.morning + 2 * Self.day).isEmpty)
    }

    @Test func `an alert that a digest has listed is in the next one if it becomes more severe`()
        throws
    {
        try beginDigest()
        try raise(.info, at: Self.now + Self.hour)
        #expect(try digest(at: Self.morning).contains("Late"))

        try raise(.warning, title: "Very late", at: Self.morning + Self.hour)
        #expect(try digest(at: Self.morning + Self.day).contains("Very late"))

        try raise(.warning, title: "Still late", at: Self.morning + Self.day + Self.hour)
        #expect(try digest(at: Self.morning + 2 * Self.day).isEmpty)
    }

    @Test func `an alert that becomes more severe because nobody answers is in the next digest`()
        throws
    {
        try beginDigest()
        try raise(.info, again: Self.hour, at: Self.now + Self.hour)
        #expect(try digest(at: Self.morning).contains("Late"))
        let id = try first().id

        for number in 1...3 {
            try notifier.run(at: Self.morning + Int64(number) * Self.hour) { transaction in
                try AlertHandling.repeatAlert(id, due: transaction.now, in: transaction)
            }
        }

        #expect(try first().severity == .warning)
        #expect(try digest(at: Self.morning + Self.day).contains("Late"))
    }

    @Test(arguments: [
        DeliveryOutcome.accepted, .delayed("500", after: 0), .refused("it is too long"),
    ])
    func `a digest names again what the last one named if that one reached nobody`(
        outcome: DeliveryOutcome
    ) throws {
        try notifier.run(at: Self.now) { transaction in
            let channel = AlertChannel(
                name: "phone", kind: .ntfy, address: "https://example.org/mine", from: .info)
            try KeptChannel(feed: feed, channel, secret: "").save(transaction.db)
        }
        try beginDigest()
        try raise(.warning, at: Self.now + Self.hour)
        #expect(try digest(at: Self.morning).contains("Late"))
        let errands = try notifier.run(at: Self.morning) { transaction in
            try Deliveries.errands.compactMap { try $0.take(transaction) }
        }
        let errand = try #require(errands.first)
        try notifier.run(at: Self.morning) { try errand.finish(outcome, $0) }

        let isNamed = try digest(at: Self.morning + Self.day).contains("Late")
        #expect(isNamed == (outcome != .accepted))
    }

    @Test(arguments: [true, false])
    func `what would be over at a digest's new time is sent when that time is set`(
        isOver: Bool
    ) throws {
        try beginDigest()
        try notifier.run(at: Self.now + Self.hour) { transaction in
            let raised = AlertRaised(
                key: "late", kind: "test", severity: .warning, title: "Late",
                recipient: feed.recipient,
                expiresAt: Self.morning + (isOver ? Self.hour : 3 * Self.hour))
            try AlertHandling.raise(
                raised, from: ServiceName.checklist.rawValue, id: transaction.id, in: transaction)
        }

        try notifier.run(at: Self.now + 2 * Self.hour) { transaction in
            _ = try AlertDigest.set(
                SetDigest(digest: AlertDigest(at: 540, timeZone: "Etc/UTC", upTo: .warning)),
                in: transaction)
        }

        let lists = try notifier.alerts().filter { $0.raised?.kind == AlertDigest.kind }
        #expect(lists.map(\.state) == (isOver ? [.open] : []))
        let later = try digest(at: Self.morning + 2 * Self.hour)
        #expect(later.contains("Late") == !isOver)
    }

    @Test func `a digest lists what waited when it was set, if a change then replaces that`()
        throws
    {
        try notifier.run(at: Self.now) { transaction in
            let channel = AlertChannel(
                name: "siren", kind: .webhook, address: "https://example.org/hook", from: .info)
            try KeptChannel(feed: feed, channel, secret: "").save(transaction.db)
            try QuietHours(from: 0, until: 1_200, timeZone: "Etc/UTC").save(feed, transaction.db)
        }
        try raise(.warning, at: Self.now + 1)
        try beginDigest(at: Self.now + Self.hour)

        try raise(.warning, title: "Very late", at: Self.now + 2 * Self.hour)

        #expect(try digest(at: Self.morning).contains("Very late"))
    }
}
