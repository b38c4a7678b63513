import Bus
import Messages
import ServiceRuntime
import TestStore
import Testing

@testable import Notifier

/// What happens to calls when the history of the service that raised them is replaced.
struct SnapshotCallTests {
    private static let now: Int64 = 1_800_000_000_000
    private static let hour: Int64 = 3_600_000

    private let notifier: MemoryStore

    init() throws {
        notifier = try MemoryStore.ofNotifier()
        try notifier.run(at: Self.now) { transaction in
            try EscalationPolicy(
                name: "p", kind: "test",
                steps: [EscalationStep(who: Audience(account: "bob"), after: 600_000)],
                reopenAfter: Self.hour
            ).save(Principal.localOrganisation, transaction.db)
            let raised = AlertRaised(
                key: "late", kind: "test", severity: .warning, title: "Late",
                recipient: Principal.machineOwner.account, needsAcknowledgement: true)
            try AlertHandling.raise(
                raised, from: ServiceName.checklist.rawValue, id: transaction.id, in: transaction)
        }
    }

    private func states() throws -> [AlertState] { try notifier.alerts().map(\.state) }

    /// Replaces the history, without any alert.
    private func forget(at now: Int64) throws {
        try notifier.run(at: now) { try Notifier.forget(.checklist, except: [], $0) }
    }

    private func acknowledge(at now: Int64) throws {
        let id = try #require(try notifier.alerts().first?.id)
        _ = try notifier.run(at: now) {
            try AlertHandling.acknowledge(AcknowledgeAlert(id: id), in: $0)
        }
    }

    @Test func `a call that nobody has acknowledged ends if it isn't in the snapshot`() throws {
        #expect(try states() == [.open])

        try forget(at: Self.now + 1)

        #expect(try states() == [.withdrawn])
    }

    @Test func `an acknowledged call is opened again though it isn't in the snapshot`() throws {
        let call = try #require(try notifier.alerts().first?.call)
        try acknowledge(at: Self.now + 1)

        try forget(at: Self.now + 2)

        try notifier.run(at: Self.now + 2 * Self.hour) { transaction in
            let due = try transaction.timerDue(CallHandling.reopening, subject: call)
            #expect(due == Self.now + 1 + Self.hour)
            try CallHandling.reopen(call, due: due ?? 0, in: transaction)
        }
        #expect(try states() == [.open])
        // The service knows only that it was acknowledged.
        try forget(at: Self.now + 2 * Self.hour + 1)
        #expect(try states() == [.open])
        let expiry = try notifier.run(at: Self.now + 2 * Self.hour + 2) { transaction in
            try transaction.timerDue(CallHandling.callExpiry, subject: call)
        }
        #expect(expiry != nil)
    }
}
