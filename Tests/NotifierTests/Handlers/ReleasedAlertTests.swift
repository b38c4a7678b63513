import Bus
import GRDB
import Messages
import TestStore
import Testing
import Transfers

@testable import Notifier
@testable import ServiceRuntime

/// What waits for the end of quiet hours or of a maintenance that ends sooner than it was to.
struct ReleasedAlertTests {
    /// Eight in the morning, UTC.
    private static let now: Int64 = 1_800_000_000_000
    private static let hour: Int64 = 3_600_000
    private static let organisation = Principal.localOrganisation

    private let notifier: MemoryStore
    private let owner = AlertFeedAddress(
        organisation: "", recipient: Principal.machineOwner.account)

    init() throws {
        var store = try MemoryStore.ofNotifier()
        store.settings = [
            "STEWARD_SMTP": "smtp://127.0.0.1:2525", "STEWARD_SMTP_FROM": "steward@example.org",
        ]
        notifier = store
        try notifier.run(at: Self.now) { transaction in
            let channel = AlertChannel(
                name: "phone", kind: .webhook, address: "https://example.org/hook", from: .info)
            try KeptChannel(feed: owner, channel, secret: "").save(transaction.db)
            try AlertPreference(mail: "ann@example.org", from: .info, language: "en")
                .save(owner, transaction.db)
        }
    }

    private func beQuiet(until: UInt32?, at now: Int64) throws {
        try notifier.run(at: now) { transaction in
            let hours =
                until.map { QuietHours(from: 0, until: $0, timeZone: "Etc/UTC") } ?? QuietHours()
            _ = try QuietHours.set(SetQuietHours(hours: hours), in: transaction)
        }
    }

    private func raise(at now: Int64) throws {
        try notifier.run(at: now) { transaction in
            let raised = AlertRaised(
                key: "late", kind: "test", severity: .warning, title: "Late",
                recipient: owner.recipient)
            try AlertHandling.raise(
                raised, from: ServiceName.checklist.rawValue, id: transaction.id, in: transaction)
        }
    }

    /// The kinds of errands that begin.
    private func begin(at now: Int64) throws -> [String] {
        try notifier.run(at: now) { transaction in
            try Notifier.errands.filter { try $0.take(transaction) != nil }.map(\.kind)
        }
    }

    @Test func `quiet hours that are shortened hold nothing back beyond their new end`() throws {
        try beQuiet(until: 1_200, at: Self.now)
        try raise(at: Self.now + 1)

        try beQuiet(until: 600, at: Self.now + 2)

        #expect(try begin(at: Self.now + 2 * Self.hour - 1).isEmpty)
        #expect(try begin(at: Self.now + 2 * Self.hour) == ["delivery", "mail"])
    }

    @Test(arguments: [UInt32?.none, 420])
    func `what waits is delivered at once when quiet hours are removed or are over`(
        until: UInt32?
    ) throws {
        try beQuiet(until: 1_200, at: Self.now)
        try raise(at: Self.now + 1)
        #expect(try begin(at: Self.now + 2).isEmpty)

        try beQuiet(until: until, at: Self.now + 3)

        #expect(try begin(at: Self.now + 3) == ["delivery", "mail"])
    }

    @Test func `shorter quiet hours don't bring forward an attempt after a failure`() throws {
        try raise(at: Self.now)
        for handler in Notifier.errands {
            try notifier.run(at: Self.now) { transaction in
                guard let errand = try handler.take(transaction) else { return }
                if handler.kind == "mail" {
                    try errand.finish(MailOutcome.delayed("busy"), transaction)
                } else {
                    try errand.finish(DeliveryOutcome.delayed("503", after: 0), transaction)
                }
            }
        }
        try beQuiet(until: 1_200, at: Self.now + 1)

        try beQuiet(until: nil, at: Self.now + 2)

        #expect(try begin(at: Self.now + 3).isEmpty)
        #expect(try begin(at: Self.now + 30_000) == ["retry", "mail"])
    }

    /// Begins a maintenance that lasts for some hours.
    private func maintain(_ id: String, hours: Int64) throws {
        try notifier.run(at: Self.now) { transaction in
            try MaintenanceWindow(
                id: id, kind: "test", from: Self.now, until: Self.now + hours * Self.hour,
                reason: id
            ).save(Self.organisation, transaction.db)
        }
    }

    private func end(_ id: String, at now: Int64) throws {
        try notifier.run(at: now) {
            _ = try MaintenanceWindow.end(EndMaintenance(id: id), in: $0)
        }
    }

    @Test func `what waits for two maintenances goes on waiting when one of them ends`() throws {
        try maintain("oven", hours: 2)
        try maintain("till", hours: 4)
        try raise(at: Self.now + 1)

        try end("till", at: Self.now + 2)
        #expect(try begin(at: Self.now + 3).isEmpty)
        #expect(try begin(at: Self.now + 2 * Self.hour) == ["delivery", "mail"])
    }

    @Test func `a maintenance ends although something that waits for it can't be read`() throws {
        try maintain("oven", hours: 2)
        try raise(at: Self.now + 1)
        try notifier.run(at: Self.now + 1) { transaction in
            try transaction.db.execute(
                sql: """
                    INSERT INTO delivery (
                        id, feed, channel, alert, isUrgent, state, due, changed, delivery)
                    SELECT 'a', feed, channel, 'other', 0, 1, due, changed, x'FF' FROM delivery;
                    INSERT INTO mailRequest (source, key, request)
                    VALUES ('notifier', 'alert/other/info', x'');
                    INSERT INTO mail (
                        id, source, key, organisation, state, due, changed, mail, feed)
                    SELECT 'a', source, 'alert/other/info', organisation, 1, due, changed, x'FF',
                        feed FROM mail;
                    """)
        }

        try end("oven", at: Self.now + 2)

        #expect(try begin(at: Self.now + 2) == ["delivery", "mail"])
    }
}
