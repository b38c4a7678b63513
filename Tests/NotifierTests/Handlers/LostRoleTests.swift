import Bus
import Messages
import ServiceRuntime
import TestStore
import Testing

@testable import Notifier

/// Open calls of people whose roles change.
struct LostRoleTests {
    private static let now: Int64 = 1_800_000_000_000
    private static let manager = Grant(role: .siteManager, site: "harbour")

    private let notifier: MemoryStore

    init() throws { notifier = try MemoryStore.ofNotifier() }

    private func publish(_ people: Account..., at now: Int64 = Self.now) throws {
        try notifier.run(at: now) { transaction in
            for person in people {
                try CallHandling.accountChanged(
                    AccountChanged(account: person), Envelope(), in: transaction)
            }
        }
    }

    /// Raises an alert for the managers of the harbour, or for others.
    private func raise(
        for audience: Audience = Audience(role: .siteManager, site: "harbour")
    ) throws {
        try notifier.run(at: Self.now + 1) { transaction in
            let raised = AlertRaised(
                key: "k", kind: "test", severity: .warning, title: "Come",
                needsAcknowledgement: true, audience: audience)
            try AlertHandling.raise(
                raised, from: ServiceName.checklist.rawValue, id: transaction.id, in: transaction)
        }
    }

    private func states(_ person: String) throws -> [AlertState] {
        try notifier.alerts(of: person).map(\.state)
    }

    @Test func `when the last person of a role loses it, the administrators get its open alerts`()
        throws
    {
        try publish(
            .local("ann", Self.manager), .local("cem", Self.manager),
            .local("head", Grant(role: .administrator)))
        try raise()
        #expect(try states("ann") == [.open] && states("head").isEmpty)

        try publish(.local("ann"), at: Self.now + 2)
        #expect(try states("ann") == [.withdrawn] && states("cem") == [.open])
        #expect(try states("head").isEmpty)

        try publish(.local("cem"), at: Self.now + 3)
        #expect(try states("cem") == [.withdrawn] && states("head") == [.open])
    }

    @Test func `when account-service forgets the last person of a role, the administrators get it`()
        throws
    {
        let head = Account.local("head", Grant(role: .administrator))
        try publish(.local("ann", Self.manager), .local("cem", Self.manager), head)
        try raise()

        // It was restored from a backup in which only the administrator is.
        try notifier.run(at: Self.now + 2) { transaction in
            let present = Envelope(
                type: AccountChanged.protobufName, data: AccountChanged(account: head).packed())
            try Notifier.forget(.account, except: [present], transaction)
        }

        #expect(try states("ann") == [.withdrawn] && states("cem") == [.withdrawn])
        #expect(try states("head") == [.open])
    }

    @Test func `people and alerts that a service itself can't read are kept`() throws {
        try publish(.local("ann", Self.manager), .local("cem", Self.manager))
        try raise()
        try notifier.run(at: Self.now + 1) { transaction in
            let raised = AlertRaised(
                key: "k", kind: "test", severity: .warning, title: "Come", recipient: "ann")
            try AlertHandling.raise(
                raised, from: ServiceName.account.rawValue, id: transaction.id, in: transaction)
        }

        try notifier.run(at: Self.now + 2) { transaction in
            let leftOut = ["ann", "k"].map {
                Envelope(type: SetAside.protobufName, subject: $0, data: SetAside().packed())
            }
            try Notifier.forget(.account, except: leftOut, transaction)
        }

        #expect(try states("ann") == [.open, .open] && states("cem") == [.withdrawn])
    }

    /// Alerts Dan, and the managers of the harbour when he hasn't answered for a minute.
    ///
    /// - Returns: the id of the call.
    private func callDan() throws -> String {
        try notifier.run(at: Self.now + 1) { transaction in
            let step = EscalationStep(
                who: Audience(role: .siteManager, site: "harbour"), after: 60_000)
            try EscalationPolicy(name: "p", kind: "test", steps: [step])
                .save(Principal.localOrganisation, transaction.db)
            let raised = AlertRaised(
                key: "k", kind: "test", severity: .warning, title: "Come", recipient: "dan",
                needsAcknowledgement: true)
            try AlertHandling.raise(
                raised, from: ServiceName.checklist.rawValue, id: transaction.id, in: transaction)
            return "\(transaction.id)"
        }
    }

    private func escalate(_ call: String) throws {
        try notifier.run(at: Self.now + 60_001) {
            try CallHandling.escalate(call, due: $0.now, in: $0)
        }
    }

    @Test func `the administrators get an alert whose next step reaches nobody`() throws {
        try publish(
            .local("cem", Self.manager), .local("dan"),
            .local("head", Grant(role: .administrator)))
        let call = try callDan()
        // The last manager goes before it is their turn.
        try publish(.local("cem"), at: Self.now + 2)
        #expect(try states("head").isEmpty)

        try escalate(call)

        #expect(try states("dan") == [.open] && states("cem").isEmpty)
        #expect(try states("head") == [.open])
    }

    @Test func `the administrators get an alert when the last person of its last step leaves`()
        throws
    {
        try publish(
            .local("cem", Self.manager), .local("dan"),
            .local("head", Grant(role: .administrator)))
        try escalate(try callDan())
        #expect(try states("cem") == [.open] && states("head").isEmpty)

        try publish(.local("cem"), at: Self.now + 60_002)

        #expect(try states("dan") == [.open] && states("cem") == [.withdrawn])
        #expect(try states("head") == [.open])
    }

    @Test func `the machine owner keeps a call though account-service forgets who it is`() throws {
        let owner = Principal.machineOwner.account
        try publish(.local(owner, Self.manager))
        try raise(for: Audience(account: owner))

        try notifier.run(at: Self.now + 2) { try Notifier.forget(.account, except: [], $0) }

        let told = try notifier.run { transaction in
            try Notice.all(
                AlertFeedAddress(organisation: "", recipient: owner), after: 0, limit: 10,
                transaction.db)
        }
        #expect(told.map(\.reason) == [.raised])
    }

    @Test func `an administrator who is added later gets what reaches nobody`() throws {
        try publish(.local("ann", Self.manager))
        try raise()
        try publish(.local("ann"), at: Self.now + 2)

        try publish(.local("head", Grant(role: .administrator)), at: Self.now + 3)
        #expect(try states("head") == [.open])

        // Whoever has the role again is alerted again.
        try publish(.local("ann", Self.manager), at: Self.now + 4)
        #expect(try states("ann") == [.open])
    }

    @Test func `the machine owner is told once, whether or not account-service has said who it is`()
        throws
    {
        let owner = Principal.machineOwner.account
        let told = {
            try notifier.run { try Member.caretakers(of: Principal.localOrganisation, in: $0) }
                .map(\.recipient)
        }
        #expect(try told() == [owner])

        try publish(.local(owner, Grant(role: .owner)), .local("head", Grant(role: .administrator)))
        #expect(try told().sorted() == ["head", owner].sorted())
    }

    @Test func `alerts about what was put aside end for those who are no longer responsible, too`()
        throws
    {
        let administrator = Grant(role: .administrator)
        try publish(.local("ann", administrator), .local("head", administrator))
        func report(_ count: UInt64, _ kind: SetAside.Kind, at now: Int64) throws {
            try notifier.run(at: now) {
                try AsideAlerts.report(SetAside(kind: kind, count: count), of: "toy", in: $0)
            }
        }
        try report(1, .letter, at: Self.now + 1)
        try report(1, .timer, at: Self.now + 2)
        #expect(try states("ann") == [.open, .open])
        try publish(.local("ann"), at: Self.now + 3)

        try report(0, .letter, at: Self.now + 4)

        #expect(try states("ann") == [.withdrawn, .open])
        #expect(try states("head") == [.withdrawn, .open])
    }
}
