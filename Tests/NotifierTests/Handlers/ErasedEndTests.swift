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

/// The ends of alerts that are erased before they were delivered.
@Suite(.serialized, .waiting) struct ErasedEndTests {
    private struct Told: Decodable {
        struct Alert: Decodable {
            let id: String
            let state: String
            let key: String
            let title: String
            let subject: String
        }

        let reason: String
        let alert: Alert
    }

    private static let now: Int64 = 1_800_000_000_000
    private static let key = "journey/1/now"
    private static let transit = ServiceName.transitAlert.rawValue

    private let notifier: MemoryStore
    private let server: WebServer

    init() throws {
        notifier = try MemoryStore.ofNotifier()
        server = try WebServer(in: notifier.system)
        let address = server.url("/siren")
        try notifier.run(at: Self.now) { transaction in
            let channel = AlertChannel(
                name: "siren", kind: .webhook, address: address, from: .info)
            let owner = AlertFeedAddress(
                organisation: "", recipient: transaction.principal.account)
            try KeptChannel(feed: owner, channel, secret: "").save(transaction.db)
            let raised = AlertRaised(
                key: Self.key, kind: "transit.now", severity: .urgent, title: "Get off",
                subject: "1", recipient: transaction.principal.account)
            try AlertHandling.raise(raised, from: Self.transit, id: transaction.id, in: transaction)
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

    private func end(_ errand: ErrandHandler.Errand, at now: Int64) throws {
        let outcome = try errand.work()
        try notifier.run(at: now) { try errand.finish(outcome, $0) }
    }

    private func deliver(at now: Int64) throws {
        try end(try #require(try begin(at: now)), at: now + 1)
    }

    private func withdraw(at now: Int64) throws {
        try notifier.run(at: now) {
            try AlertHandling.withdraw(Self.key, from: Self.transit, in: $0)
        }
    }

    private func erase(at now: Int64) throws {
        try notifier.run(at: now) { transaction in
            try Erasures.travelErased(
                TravelErased(owner: transaction.principal.account),
                Envelope(source: Self.transit), in: transaction)
        }
        #expect(try notifier.alerts().isEmpty)
    }

    private func told() throws -> [Told] {
        try server.requests().map {
            try JSONDecoder().decode(Told.self, from: Data($0.body.utf8))
        }
    }

    private func deliveries() throws -> Int? {
        try notifier.run(at: Self.now) {
            try Int.fetchOne($0.db, sql: "SELECT count(*) FROM delivery")
        }
    }

    @Test func `a siren is told of the end of an alert that was erased, without its text`() throws {
        try deliver(at: Self.now + 1_000)
        try server.behave("500")
        try withdraw(at: Self.now + 2_000)
        try deliver(at: Self.now + 3_000)

        try erase(at: Self.now + 4_000)
        #expect(try deliveries() == 1)
        try server.behave("200")
        try deliver(at: Self.now + 60_000)

        let heard = try told()
        #expect(heard.map(\.reason) == ["raised", "closed", "closed"])
        let last = try #require(heard.last)
        #expect(last.alert.id == heard[0].alert.id && last.alert.state == "withdrawn")
        #expect(last.alert.key.isEmpty && last.alert.title.isEmpty && last.alert.subject.isEmpty)
        #expect(try deliveries() == 0)
    }

    @Test func `what is under way when its alert is erased isn't repeated, and the end follows`()
        throws
    {
        let first = try #require(try begin(at: Self.now + 1_000))
        try withdraw(at: Self.now + 2_000)
        try erase(at: Self.now + 3_000)
        try server.behave("500")
        try end(first, at: Self.now + 4_000)

        try server.behave("200")
        try deliver(at: Self.now + 60_000)
        let isMore = try begin(at: Self.now + 61_000) != nil

        #expect(!isMore)
        #expect(try told().map(\.reason) == ["raised", "closed"])
        #expect(try deliveries() == 0)
    }
}
