import Bus
import GRDB
import Messages
import TestStore
import Testing
import Transfers

@testable import Notifier
@testable import ServiceRuntime

/// What is reported about channels that have failed for long, and to whom.
struct UnreachedPersonTests {
    private static let now: Int64 = 1_800_000_000_000
    private static let ann = AlertFeedAddress(organisation: "", recipient: "ann")

    private let notifier: MemoryStore

    init() throws {
        var store = try MemoryStore.ofNotifier()
        store.settings = [
            "STEWARD_SMTP": "smtp://127.0.0.1:2525", "STEWARD_SMTP_FROM": "steward@example.org",
        ]
        notifier = store
        try notifier.run(at: Self.now) { transaction in
            var ann = Account.local("ann")
            ann.displayName = "Ann Lee"
            for person in [ann, .local("head", Grant(role: .administrator))] {
                try CallHandling.accountChanged(
                    AccountChanged(account: person), Envelope(), in: transaction)
            }
        }
        try add("phone", hasFailed: true)
    }

    /// Adds a channel of Ann, which may have failed for twenty minutes.
    private func add(_ name: String, hasFailed: Bool = false) throws {
        try notifier.run(at: Self.now) { transaction in
            var channel = AlertChannel(
                name: name, kind: .webhook, address: "https://example.org/hook", from: .info)
            if hasFailed { (channel.failures, channel.failingSince) = (5, Self.now - 1_200_000) }
            try KeptChannel(feed: Self.ann, channel, secret: "").save(transaction.db)
        }
    }

    private func raise(_ key: String = "secret", at now: Int64) throws {
        try notifier.run(at: now) { transaction in
            let raised = AlertRaised(
                key: key, kind: "test", severity: .warning, title: "A secret", body: "A secret",
                recipient: "ann")
            try AlertHandling.raise(
                raised, from: ServiceName.checklist.rawValue, id: transaction.id, in: transaction)
        }
    }

    /// Makes the deliveries that are due.
    private func deliver(_ outcome: DeliveryOutcome, at now: Int64) throws {
        for handler in Deliveries.errands {
            while let errand = try notifier.run(at: now, { try handler.take($0) }) {
                try notifier.run(at: now) { try errand.finish(outcome, $0) }
            }
        }
    }

    private func failToDeliver(at now: Int64) throws {
        try deliver(.delayed("the server of A secret is down", after: 0), at: now)
    }

    /// The alerts of somebody about failures.
    private func reports(to recipient: String) throws -> [Alert] {
        try notifier.alerts(of: recipient).filter { $0.source == ServiceName.notifier.rawValue }
    }

    @Test func `others hear whom alerts don't reach, but not what the alerts are about`() throws {
        try raise(at: Self.now + 1)
        try failToDeliver(at: Self.now + 2)

        #expect(try reports(to: "ann").map(\.raised?.kind) == [AlertChannel.failingKind])
        let report = try #require(try reports(to: "head").first)
        #expect(report.raised?.kind == Deliveries.unreachedKind && report.state == .open)
        #expect(report.raised?.title.contains("Ann Lee") == true)
        #expect(!String(decoding: report.packed(), as: UTF8.self).contains("secret"))

        try deliver(.accepted, at: Self.now + 1_000_000)
        #expect(try reports(to: "ann").map(\.state) == [.withdrawn])
        #expect(try reports(to: "head").map(\.state) == [.withdrawn])
    }

    @Test func `the person's carers hear of it too, unless they no longer care`() throws {
        try notifier.run(at: Self.now) { transaction in
            func change(
                _ name: String, caresFor people: [String], isDisabled: Bool = false
            ) throws {
                var account = Account.local(name)
                (account.caresFor, account.isDisabled) = (people, isDisabled)
                try CallHandling.accountChanged(
                    AccountChanged(account: account), Envelope(), in: transaction)
            }
            for name in ["kim", "former", "disabled"] { try change(name, caresFor: ["ann"]) }
            try change("former", caresFor: ["bob"])
            try change("disabled", caresFor: ["ann"], isDisabled: true)
            var head = Account.local("head", Grant(role: .administrator))
            head.caresFor = ["ann"]
            try CallHandling.accountChanged(
                AccountChanged(account: head), Envelope(), in: transaction)
        }

        try raise(at: Self.now + 1)
        try failToDeliver(at: Self.now + 2)

        for name in ["kim", "head"] {
            #expect(try reports(to: name).map(\.raised?.kind) == [Deliveries.unreachedKind])
        }
        for name in ["former", "disabled"] { #expect(try reports(to: name).isEmpty) }
        try deliver(.accepted, at: Self.now + 1_000_000)
        #expect(try reports(to: "kim").map(\.state) == [.withdrawn])
    }

    @Test func `whoever cares for a carer doesn't learn whom the carer cares for`() throws {
        try notifier.run(at: Self.now) { transaction in
            var kim = Account.local("kim")
            kim.caresFor = ["ann"]
            try CallHandling.accountChanged(
                AccountChanged(account: kim), Envelope(), in: transaction)
        }
        try raise(at: Self.now + 1)
        try failToDeliver(at: Self.now + 2)
        let id = try #require(try reports(to: "kim").first?.id)
        let other = Principal.account(
            "pat", organisation: Principal.localOrganisation, caresFor: ["kim"])

        try notifier.run(at: Self.now + 3, as: other) { transaction in
            let found = try AlertHandling.list(ListAlerts(recipient: "kim"), in: transaction)
            #expect(found.alerts.isEmpty)
            #expect(throws: Refusal.self) {
                _ = try AlertHandling.acknowledge(AcknowledgeAlert(id: id), in: transaction)
            }
        }
    }

    @Test func `nobody else hears of it while another channel, or mail, reaches the person`() throws
    {
        try add("tablet")
        try raise(at: Self.now + 1)
        try failToDeliver(at: Self.now + 2)
        #expect(try reports(to: "head").isEmpty)
        try notifier.run(at: Self.now + 3) { transaction in
            try transaction.db.execute(sql: "DELETE FROM channel WHERE name = 'tablet'")
            try AlertPreference(mail: "ann@example.org", from: .info, language: "en")
                .save(Self.ann, transaction.db)
        }

        try failToDeliver(at: Self.now + 1_000_000)
        #expect(try reports(to: "head").isEmpty)

        // Her mailbox is given up.
        try raise("other", at: Self.now + 1_000_001)
        let mailing = try #require(Notifier.errands.first { $0.kind == "mail" })
        let mail = try #require(try notifier.run(at: Self.now + 1_000_002) { try mailing.take($0) })
        try notifier.run(at: Self.now + 1_000_003) {
            try mail.finish(MailOutcome.refused("no such mailbox"), $0)
        }
        try failToDeliver(at: Self.now + 2_000_000)
        #expect(
            try reports(to: "head").compactMap(\.raised?.kind).contains(Deliveries.unreachedKind))
    }

    @Test func `once a person has a channel again, others are no longer told`() throws {
        try raise(at: Self.now + 1)
        try failToDeliver(at: Self.now + 2)
        #expect(try reports(to: "head").map(\.state) == [.open])

        let ann = Principal.account("ann", organisation: Principal.localOrganisation)
        _ = try notifier.run(at: Self.now + 3, as: ann) {
            try Channels.remove(RemoveChannel(name: "phone"), in: $0)
        }

        #expect(try reports(to: "head").map(\.state) == [.withdrawn])
    }

    @Test func `whoever has acknowledged that a channel fails isn't told again`() throws {
        try raise(at: Self.now + 1)
        try failToDeliver(at: Self.now + 2)
        for recipient in ["ann", "head"] {
            let report = try #require(try reports(to: recipient).first)
            try notifier.run(at: Self.now + 3) {
                _ = try AlertHandling.acknowledge(AcknowledgeAlert(id: report.id), in: $0)
            }
        }

        try failToDeliver(at: Self.now + 1_000_000)
        #expect(try reports(to: "ann").map(\.state) == [.acknowledged])
        #expect(try reports(to: "head").map(\.state) == [.acknowledged])

        // It works, and fails again.
        try deliver(.accepted, at: Self.now + 2_000_000)
        try raise("other", at: Self.now + 2_000_001)
        for number in 0..<20 as Range<Int64> {
            try failToDeliver(at: Self.now + 2_000_002 + number * 600_000)
        }
        #expect(try reports(to: "ann").map(\.state) == [.acknowledged, .open])
        #expect(try reports(to: "head").map(\.state) == [.acknowledged, .open])
    }

    @Test func `a channel that works is no longer reported although the clock was set back`() throws
    {
        try raise(at: Self.now + 1)
        try failToDeliver(at: Self.now + 2)
        #expect(try reports(to: "ann").map(\.state) == [.open])

        try deliver(.accepted, at: Self.now - 1_000_000)

        #expect(try reports(to: "ann").map(\.state) == [.withdrawn])
    }
}
