import Bus
import Messages
import ServiceRuntime
import TestStore
import Testing

@testable import Notifier

/// Alerts that a policy names only after their source has changed them.
struct RisingAlertTests {
    private static let now: Int64 = 1_800_000_000_000
    private static let minute: Int64 = 60_000

    private let notifier: MemoryStore
    private let owner = Principal.machineOwner.account

    init() throws {
        notifier = try MemoryStore.ofNotifier()
        try keep(
            EscalationPolicy(
                name: "p", kind: "test", from: .urgent,
                steps: [EscalationStep(who: Audience(account: "bob"), after: Self.minute)]))
    }

    private func keep(_ policy: EscalationPolicy) throws {
        try notifier.run(at: Self.now) {
            try policy.save(Principal.localOrganisation, $0.db)
        }
    }

    private func raise(
        _ severity: Severity, kind: String = "test", again: Int64 = 0, isForMany: Bool = false,
        at now: Int64
    ) throws {
        try notifier.run(at: now) { transaction in
            let raised = AlertRaised(
                key: "late", kind: kind, severity: severity, title: "Late",
                recipient: isForMany ? "" : owner, needsAcknowledgement: true, repeatEvery: again,
                audience: isForMany ? Audience(account: owner) : nil)
            try AlertHandling.raise(
                raised, from: ServiceName.checklist.rawValue, id: transaction.id, in: transaction)
        }
    }

    /// Takes the steps that are due by a time.
    private func escalate(at now: Int64) throws {
        let call = try #require(try notifier.alerts().last?.call)
        try notifier.run(at: now) { transaction in
            let due = try #require(
                try transaction.timerDue(CallHandling.escalation, subject: call))
            guard due <= now else { return }
            try CallHandling.escalate(call, due: due, in: transaction)
        }
    }

    @Test(arguments: [false, true])
    func `an alert that its source makes urgent escalates by the policy for urgent ones`(
        isForMany: Bool
    ) throws {
        try raise(.warning, isForMany: isForMany, at: Self.now)
        #expect(try notifier.alerts().map(\.call.isEmpty) == [!isForMany])

        try raise(.urgent, isForMany: isForMany, at: Self.now + Self.minute)
        try escalate(at: Self.now + 2 * Self.minute - 1)
        #expect(try notifier.alerts(of: "bob").isEmpty)
        try escalate(at: Self.now + 2 * Self.minute)

        #expect(try notifier.alerts(of: "bob").map(\.severity) == [.urgent])
        let own = try notifier.alerts().filter { $0.state == .open }
        #expect(own.map(\.severity) == [.urgent])
        // Those who were called already keep their alert.
        #expect(try notifier.alerts().count == (isForMany ? 1 : 2))
    }

    @Test func `an alert escalates once its source changes it into a kind that a policy names`()
        throws
    {
        try raise(.urgent, kind: "other", at: Self.now)
        #expect(try notifier.alerts().map(\.call.isEmpty) == [true])

        try raise(.urgent, at: Self.now + Self.minute)
        try escalate(at: Self.now + 2 * Self.minute)

        #expect(try notifier.alerts(of: "bob").count == 1)
    }

    @Test func `an alert that changes without getting more severe stays the same`() throws {
        try raise(.warning, at: Self.now)
        try raise(.warning, kind: "other", at: Self.now + 1)
        try raise(.info, at: Self.now + 2)

        let alerts = try notifier.alerts()
        #expect(alerts.map(\.state) == [.open])
        #expect(alerts.map(\.raised?.severity) == [.info])
    }

    @Test func `an alert that got louder because nobody answered gets no quieter as a call`()
        throws
    {
        try keep(
            EscalationPolicy(
                name: "q", kind: "test", from: .warning,
                steps: [EscalationStep(who: Audience(account: "bob"), after: Self.minute)]))
        try raise(.info, again: Self.minute, at: Self.now)
        let id = try #require(try notifier.alerts().first?.id)
        for number in 1...6 {
            try notifier.run(at: Self.now + Int64(number) * Self.minute) { transaction in
                try AlertHandling.repeatAlert(id, due: transaction.now, in: transaction)
            }
        }
        #expect(try notifier.alerts().map(\.severity) == [.urgent])

        try raise(.warning, again: Self.minute, at: Self.now + 7 * Self.minute)

        let own = try notifier.alerts().filter { $0.state == .open }
        #expect(own.map(\.severity) == [.urgent])
        #expect(own.allSatisfy { !$0.call.isEmpty })
    }
}
