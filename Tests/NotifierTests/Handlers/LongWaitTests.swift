import Bus
import Foundation
import GRDB
import Messages
import TestStore
import TestSupport
import TestThreads
import Testing

@testable import Notifier
@testable import ServiceRuntime

/// Deliveries that wait for longer than notices are kept.
@Suite(.serialized, .waiting) struct LongWaitTests {
    private struct Told: Decodable {
        struct Alert: Decodable {
            let id: String
            let state: String
            let title: String
        }

        let reason: String
        let feedSequence: UInt64
        let alert: Alert
    }

    /// Eight in the morning, UTC.
    private static let now: Int64 = 1_800_000_000_000
    private static let hour: Int64 = 3_600_000
    private static let source = ServiceName.checklist.rawValue

    private let notifier: MemoryStore
    private let server: WebServer
    private let owner = AlertFeedAddress(
        organisation: "", recipient: Principal.machineOwner.account)

    init() throws {
        notifier = try MemoryStore.ofNotifier()
        server = try WebServer(in: notifier.system)
        let (address, feed) = (server.url("/siren"), owner)
        try notifier.run(at: Self.now) { transaction in
            let channel = AlertChannel(
                name: "siren", kind: .webhook, address: address, from: .info)
            try KeptChannel(feed: feed, channel, secret: "").save(transaction.db)
            let raised = AlertRaised(
                key: "late", kind: "test", severity: .warning, title: "Late",
                recipient: feed.recipient, needsAcknowledgement: true)
            try AlertHandling.raise(raised, from: Self.source, id: transaction.id, in: transaction)
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

    private func deliver(at now: Int64) throws {
        let errand = try #require(try begin(at: now))
        let outcome = try errand.work()
        try notifier.run(at: now + 1) { try errand.finish(outcome, $0) }
    }

    /// Deletes all notices, as if they were too old.
    private func deleteNotices() throws {
        try notifier.run(at: Self.now) { transaction in
            _ = try Notice.prune(before: .max, transaction.db)
        }
    }

    private func told() throws -> [Told] {
        try server.requests().map {
            try JSONDecoder().decode(Told.self, from: Data($0.body.utf8))
        }
    }

    @Test func `an open alert is delivered though its notice was deleted while it waited`() throws {
        try server.behave("500")
        try deliver(at: Self.now + 1_000)
        try deleteNotices()

        try server.behave("200")
        try deliver(at: Self.now + 60_000)

        let heard = try told()
        #expect(heard.map(\.reason) == ["raised", "changed"])
        #expect(heard.map(\.alert.state) == ["open", "open"])
        #expect(heard.map(\.alert.title) == ["Late", "Late"])
        #expect(heard.map(\.feedSequence) == [1, 2])
        let isMore = try begin(at: Self.now + 120_000) != nil
        #expect(!isMore)
    }

    @Test(arguments: [true, false])
    func `a siren is told of the end of an alert though the notice of it was deleted`(
        isKept: Bool
    ) throws {
        try deliver(at: Self.now + 1_000)
        try notifier.run(at: Self.now + 2_000) {
            try AlertHandling.withdraw("late", from: Self.source, in: $0)
        }
        try deleteNotices()
        if !isKept {
            try notifier.run(at: Self.now) { try $0.db.execute(sql: "DELETE FROM alert") }
        }

        try deliver(at: Self.now + 3_000)

        let heard = try told()
        #expect(heard.map(\.reason) == ["raised", "closed"])
        let last = try #require(heard.last)
        #expect(last.alert.id == heard[0].alert.id && last.alert.state == "withdrawn")
        #expect(last.alert.title == (isKept ? "Late" : ""))
    }

    @Test func `an alert whose notice was deleted waits for the end of quiet hours`() throws {
        try server.behave("500")
        try deliver(at: Self.now + 1_000)
        try deleteNotices()
        try notifier.run(at: Self.now + 2_000) { transaction in
            try QuietHours(from: 0, until: 1_200, timeZone: "Etc/UTC").save(owner, transaction.db)
        }

        let isEarly = try begin(at: Self.now + 60_000) != nil
        let isInTime = try begin(at: Self.now + 12 * Self.hour) != nil
        #expect(!isEarly && isInTime)
    }
}
