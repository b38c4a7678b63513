import Bus
import Messages
import ServiceRuntime
import TestStore
import Testing

@testable import Notifier

/// An open alert that its source raises again for somebody else.
struct MovedAlertTests {
    private static let now: Int64 = 1_800_000_000_000

    private let notifier: MemoryStore

    init() throws { notifier = try MemoryStore.ofNotifier() }

    private func raise(for recipient: String, at now: Int64) throws {
        try notifier.run(at: now) { transaction in
            let raised = AlertRaised(
                key: "k", kind: "test", severity: .warning, title: "The mirror stands still",
                recipient: recipient, needsAcknowledgement: true, repeatEvery: 60_000)
            try AlertHandling.raise(
                raised, from: ServiceName.project.rawValue, id: transaction.id, in: transaction)
        }
    }

    /// What somebody was told.
    private func told(_ recipient: String) throws -> [AlertNotice.Reason] {
        try notifier.run { transaction in
            try Notice.all(
                AlertFeedAddress(organisation: "", recipient: recipient), after: 0, limit: 10,
                transaction.db)
        }.map(\.reason)
    }

    @Test func `it ends for the former recipient, and the new one can acknowledge it`() throws {
        try raise(for: "ann", at: Self.now)
        try raise(for: "bob", at: Self.now + 1)

        #expect(try notifier.alerts(of: "ann").map(\.state) == [.withdrawn])
        #expect(try told("ann") == [.raised, .closed])
        let alert = try #require(try notifier.alerts(of: "bob").first)
        #expect(alert.state == .open)
        #expect(try told("bob") == [.raised])

        let bob = Principal.account("bob", organisation: Principal.localOrganisation)
        let answer = try notifier.run(at: Self.now + 2, as: bob) {
            try AlertHandling.acknowledge(AcknowledgeAlert(id: alert.id), in: $0)
        }
        #expect(answer.alert.acknowledgedBy == "bob")
        #expect(try notifier.alerts(of: "bob").map(\.state) == [.acknowledged])
    }
}
