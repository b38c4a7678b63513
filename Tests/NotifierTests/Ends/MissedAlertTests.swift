import Bus
import Foundation
import Messages
import TestStore
import TestSupport
import TestThreads
import Testing
import Transfers

@testable import Notifier
@testable import ServiceRuntime

/// Urgent alerts that end before a channel has delivered them.
@Suite(.serialized, .waiting) struct MissedAlertTests {
    private struct Told: Decodable {
        struct Alert: Decodable {
            let state: String
            let title: String
        }

        let title: String?
        let message: String?
        let priority: Int?
        let actions: [[String: String]]?
        let reason: String?
        let alert: Alert?
    }

    /// Eight in the morning, UTC.
    private static let now: Int64 = 1_800_000_000_000
    private static let later: Int64 = now + 3_600_000
    private static let shift = ServiceName.checklist.rawValue
    private static let transit = ServiceName.transitAlert.rawValue

    private let notifier: MemoryStore
    private let server: WebServer
    private let owner = AlertFeedAddress(
        organisation: "", recipient: Principal.machineOwner.account)

    init() throws {
        notifier = try MemoryStore.ofNotifier()
        server = try WebServer(in: notifier.system)
        let owner = self.owner
        try notifier.run(at: Self.now) {
            try AlertPreference(language: "en").save(owner, $0.db)
        }
    }

    private func add(_ kind: ChannelKind = .ntfy) throws {
        let channel = AlertChannel(
            name: "phone", kind: kind, address: server.url("/alerts"), from: .info)
        try notifier.run(at: Self.now) {
            try KeptChannel(feed: owner, channel, secret: "token").save($0.db)
        }
    }

    private func raise(
        _ key: String = "a", _ severity: Severity = .urgent, for recipient: String? = nil,
        audience: Audience? = nil, expiresAt: Int64 = 0, from source: String = Self.shift,
        at now: Int64 = Self.now
    ) throws {
        let raised = AlertRaised(
            key: key, kind: "test", severity: severity, title: "Smoke \(key)",
            body: "In the kitchen",
            recipient: audience == nil ? recipient ?? owner.recipient : "",
            needsAcknowledgement: true, expiresAt: expiresAt, audience: audience)
        try notifier.run(at: now) { transaction in
            try AlertHandling.raise(raised, from: source, id: transaction.id, in: transaction)
        }
    }

    private func withdraw(
        _ key: String = "a", from source: String = Self.shift, at now: Int64 = Self.now + 3_000
    ) throws {
        try notifier.run(at: now) { try AlertHandling.withdraw(key, from: source, in: $0) }
    }

    private func acknowledge(at now: Int64 = Self.now + 3_000) throws {
        let alert = try #require(try notifier.alerts().first)
        try notifier.run(at: now) {
            _ = try AlertHandling.acknowledge(AcknowledgeAlert(id: alert.id), in: $0)
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

    private func fail(_ errand: ErrandHandler.Errand?, at now: Int64) throws {
        let errand = try #require(errand)
        try notifier.run(at: now) {
            try errand.finish(DeliveryOutcome.delayed("503", after: 0), $0)
        }
    }

    /// Lets the first attempt fail, so that the channel waits.
    private func fail() throws {
        try fail(begin(at: Self.now + 1_000), at: Self.now + 2_000)
    }

    /// Delivers all that may be delivered, as a rule an hour later, and returns what the server
    /// gets.
    private func deliver(at now: Int64 = Self.later) throws -> [Told] {
        while let errand = try begin(at: now) {
            let outcome = try errand.work()
            try notifier.run(at: now + 1) { try errand.finish(outcome, $0) }
        }
        return try server.requests().map {
            try JSONDecoder().decode(Told.self, from: Data($0.body.utf8))
        }
    }

    private func trace() throws -> [String] {
        let alert = try #require(try notifier.alerts().first)
        return try notifier.run { try AlertDelivery.everything(of: alert, $0.db) }
            .map { "\($0.channel) \($0.state)" }
    }

    @Test(arguments: [ChannelKind.ntfy, .gotify])
    func `a phone learns without a sound of an urgent alert that ended while its server was down`(
        kind: ChannelKind
    ) throws {
        try add(kind)
        try raise("a")
        try fail()
        try raise("b", at: Self.now + 2_500)
        for key in ["a", "b"] { try withdraw(key) }

        let told = try deliver().sorted { $0.title ?? "" < $1.title ?? "" }

        #expect(told.map(\.title) == ["urgent (over): Smoke a", "urgent (over): Smoke b"])
        #expect(
            told.allSatisfy {
                $0.message == "In the kitchen\nIt was over before it could be delivered."
            })
        #expect(told.allSatisfy { $0.priority == 2 && $0.actions == nil })
        #expect(try trace().last == "phone sent")
    }

    @Test func `a program is told only of the end of an urgent alert that it has missed`() throws {
        try add(.webhook)
        try raise("a")
        try fail()
        try raise("b", at: Self.now + 2_500)
        for key in ["a", "b"] { try withdraw(key) }

        let told = try deliver()

        #expect(told.map(\.reason) == ["closed", "closed"])
        #expect(Set(told.map(\.alert?.title)) == ["Smoke a", "Smoke b"])
        #expect(told.allSatisfy { $0.alert?.state == "withdrawn" })
    }

    @Test(arguments: [ChannelKind.ntfy, .webhook])
    func `nothing is said of what was missed if somebody acknowledged it, or it wasn't urgent`(
        kind: ChannelKind
    ) throws {
        try add(kind)
        try raise("other")
        try fail()
        try raise("a", .warning, at: Self.now + 2_500)
        try withdraw("a")
        try acknowledge()

        let told = try deliver()

        // The end of the other one may have to switch off a siren.
        #expect(told.map(\.reason) == (kind == .ntfy ? [] : ["closed"]))
        #expect(told.allSatisfy { $0.alert?.title == "Smoke other" })
    }

    @Test func `a phone that has delivered an urgent alert isn't told of its end`() throws {
        try add()
        try raise()
        let errand = try #require(try begin(at: Self.now + 1_000))
        try notifier.run(at: Self.now + 2_000) { try errand.finish(DeliveryOutcome.accepted, $0) }
        try withdraw()

        #expect(try deliver().isEmpty)
    }

    @Test(arguments: [true, false])
    func `an urgent alert that ended during an attempt is told as over if that fails`(
        fails: Bool
    ) throws {
        try add()
        try raise()
        let errand = try #require(try begin(at: Self.now + 1_000))
        try withdraw()
        let outcome: DeliveryOutcome = fails ? .delayed("503", after: 0) : .accepted
        try notifier.run(at: Self.now + 4_000) { try errand.finish(outcome, $0) }

        #expect(try deliver().map(\.title) == (fails ? ["urgent (over): Smoke a"] : []))
    }

    @Test(arguments: [true, false])
    func `an urgent alert is told as over even if an attempt to tell that fails or is interrupted`(
        isKilled: Bool
    ) throws {
        try add()
        try raise()
        let errand = try begin(at: Self.now + 1_000)
        try withdraw()
        try fail(errand, at: Self.now + 4_000)

        let end = try #require(try begin(at: Self.now + 60_000))
        if isKilled {
            try notifier.run(at: Self.now + 61_000) { try Deliveries.recover($0) }
        } else {
            try fail(end, at: Self.now + 61_000)
        }

        #expect(try deliver().map(\.title) == ["urgent (over): Smoke a"])
    }

    @Test func `what is over doesn't hold up what is urgent now`() throws {
        try add()
        try raise("a")
        try fail()
        try withdraw("a")
        try raise("b", at: Self.now + 4_000)

        #expect(try deliver().map(\.title) == ["Smoke b", "urgent (over): Smoke a"])
    }

    @Test func `a day after its end, no phone is told of an alert`() throws {
        try add()
        try raise()
        try fail()
        try withdraw(at: Self.now + 3_000)

        #expect(try deliver(at: Self.now + 3_001 + 86_400_000).isEmpty)
    }

    @Test func `an alert that is for others now isn't called over`() throws {
        try add()
        try raise()
        try fail()
        try raise(for: "bob", at: Self.now + 3_000)

        #expect(try deliver().isEmpty)
    }

    @Test func `an alert that is over as a call isn't told as open before its person is told`()
        throws
    {
        try add()
        try raise(audience: Audience(account: owner.recipient))
        try notifier.run(at: Self.now + 1) { transaction in
            var kept = try #require(
                try KeptCall.live(source: Self.shift, key: "a", transaction.db))
            kept.call.end(.withdrawn, at: transaction.now)
            try kept.save(transaction.db)
        }

        #expect(try deliver().map(\.title) == ["urgent (over): Smoke a"])
    }

    @Test func `what maintenance holds back on purpose isn't told when it is over`() throws {
        try add()
        try notifier.run(at: Self.now) {
            try MaintenanceWindow(
                id: "w", kind: "test", from: Self.now, until: Self.later - 1, urgentToo: true
            ).save(Principal.localOrganisation, $0.db)
        }
        try raise(at: Self.now + 1)
        #expect(try trace() == ["phone waiting"])
        try withdraw()

        #expect(try deliver().isEmpty)
        #expect(try trace() == ["phone skipped"])
    }

    @Test func `a phone isn't told of the end of an alert whose text was erased`() throws {
        try add()
        try raise(from: Self.transit)
        try fail()
        try withdraw(from: Self.transit)
        try notifier.run(at: Self.now + 4_000) { transaction in
            try Erasures.travelErased(
                TravelErased(owner: owner.recipient), Envelope(source: Self.transit),
                in: transaction)
        }

        #expect(try deliver().isEmpty)
    }

    @Test func `an urgent alert that was over when it came is told and mailed as over`() throws {
        try add()
        try notifier.run(at: Self.now) {
            try AlertPreference(mail: "ann@example.org", from: .urgent, language: "en")
                .save(owner, $0.db)
        }
        try raise("a", expiresAt: Self.now - 1)
        #expect(try trace().sorted() == ["mail waiting", "phone waiting"])
        try raise("b", .warning, expiresAt: Self.now - 1)

        #expect(try deliver().map(\.title) == ["urgent (over): Smoke a"])
    }
}
