import Bus
import GRDB
import Messages
import TestStore
import Testing

@testable import ServiceRuntime

/// What is published when alerts are raised, changed, acknowledged and withdrawn, and what the
/// store then contains.
@Suite struct StandingAlertTests {
    private let store: MemoryStore

    init() throws { store = try MemoryStore(of: .plan) }

    /// Runs `body` in a transaction.
    ///
    /// - Returns: what it published: `+key title` for a raised alert, `-key` for a withdrawn one.
    private func publishing(
        at now: Int64 = 1_000, _ body: (Transaction) throws -> Void
    ) throws -> [String] {
        try store.run(at: now, as: .system) { transaction in
            try body(transaction)
            return try transaction.turn.events.map { event in
                let envelope = try Envelope(unpacking: event.envelope)
                guard envelope.type == AlertRaised.protobufName else {
                    return "-" + (try AlertWithdrawn(unpacking: envelope.data).key)
                }
                let raised = try AlertRaised(unpacking: envelope.data)
                #expect(envelope.subject == raised.subject)
                return "+\(raised.key) \(raised.title)"
            }
        }
    }

    private func alert(_ key: String, _ title: String = "", of subject: String = "s") -> AlertRaised
    {
        AlertRaised(key: key, title: title, subject: subject, recipient: "ann")
    }

    @Test func `an alert that can't be read is left out of a snapshot, and no other`() throws {
        _ = try publishing { transaction in
            for key in ["a", "b", "c"] { try transaction.raise(alert(key)) }
        }
        let told = try store.queue.write { db in
            try db.execute(sql: "UPDATE standingAlert SET alert = x'ff' WHERE key = 'b'")
            var told: [String] = []
            try StandingAlert.pass(by: { $0 }, db, leavingOut: { told.append("not \($0)") }) {
                event, _ in told.append((event as? AlertRaised)?.key ?? "")
            }
            return told
        }
        #expect(told == ["a", "not b", "c"])
    }

    @Test func `an alert that can't be read is raised again or withdrawn, and holds up no other`()
        throws
    {
        _ = try publishing { transaction in
            for key in ["a", "b", "c"] { try transaction.raise(alert(key)) }
            try transaction.db.execute(
                sql: "UPDATE standingAlert SET alert = x'ff' WHERE key <> 'c'")
        }

        let told = try publishing { transaction in
            try transaction.settle(
                [
                    StandingAlert(alert("a", "1"), since: 1),
                    StandingAlert(alert("c"), since: 1_000),
                ], of: "s")
        }

        #expect(told == ["+a 1", "-b"])
        #expect(try publishing { transaction in try transaction.withdraw("b") } == [])
    }

    private func acknowledge(
        _ raised: AlertRaised, source: ServiceName = .plan, in transaction: Transaction
    ) throws -> [String] {
        var followed: [String] = []
        let event = AlertAcknowledged(
            alert: Alert(
                source: source.rawValue, raised: raised, state: .acknowledged,
                acknowledgedBy: "bob"))
        try EventHandler.acknowledgements { alert, _ in followed.append(alert.key) }
            .handle(Envelope(data: event.packed()), transaction)
        return followed
    }

    @Test func `an alert is published if it is new or has changed`() throws {
        #expect(
            try publishing { transaction in try transaction.raise(alert("a", "1")) } == ["+a 1"])
        #expect(
            try publishing(at: 2_000) { transaction in try transaction.raise(alert("a", "1")) }
                == [])
        #expect(
            try publishing(at: 3_000) { transaction in try transaction.raise(alert("a", "2")) } == [
                "+a 2"
            ])

        _ = try publishing { transaction in
            let standing = try transaction.standingAlert("a")
            #expect(standing == StandingAlert(alert("a", "2"), since: 1_000))
        }
    }

    @Test func `a withdrawn alert no longer stands, and is withdrawn once`() throws {
        _ = try publishing { transaction in
            try transaction.raise(alert("a"))
            try transaction.raise(alert("b"))
            try transaction.raise(alert("c", of: "other"))
        }

        #expect(try publishing { transaction in try transaction.withdraw("a") } == ["-a"])
        #expect(try publishing { transaction in try transaction.withdraw("a") } == [])
        #expect(try publishing { transaction in try transaction.withdrawAlerts(of: "s") } == ["-b"])

        _ = try publishing { transaction in
            let (own, other) = (
                try transaction.standingAlerts(of: "s"),
                try transaction.standingAlerts(of: "other")
            )
            #expect(own == [] && other.map(\.key) == ["c"])
        }
    }

    @Test func `an acknowledged alert is raised again only for another occasion`() throws {
        _ = try publishing { transaction in
            try transaction.raise(alert("a", "1"), occasion: 7)
            #expect(try acknowledge(alert("a", "1"), in: transaction) == ["a"])
            #expect(try acknowledge(alert("a", "1"), in: transaction) == [])
            let standing = try #require(try transaction.standingAlert("a"))
            #expect(standing.acknowledgement == .init(account: "bob", time: 1_000))
        }

        #expect(
            try publishing { transaction in try transaction.raise(alert("a", "late"), occasion: 7) }
                == [])
        #expect(
            try publishing(at: 5_000) { transaction in
                try transaction.raise(alert("a", "1"), occasion: 8)
            } == ["+a 1"])
        _ = try publishing { transaction in
            let standing = try #require(try transaction.standingAlert("a"))
            #expect(!standing.isAcknowledged && standing.since == 5_000)
        }
        #expect(try publishing { transaction in try transaction.withdraw("a") } == ["-a"])
    }

    @Test func `an acknowledgement for another service or of an older alert doesn't count`() throws
    {
        _ = try publishing { transaction in
            try transaction.raise(alert("a", "1"), occasion: 1)
            #expect(try acknowledge(alert("a", "1"), source: .checklist, in: transaction) == [])
            try transaction.raise(alert("a", "2"), occasion: 2)
            // It was sent before the change, which opens the alert again at the notifier, had
            // arrived.
            #expect(try acknowledge(alert("a", "1"), in: transaction) == [])
            #expect(try acknowledge(alert("b"), in: transaction) == [])
            #expect(try transaction.standingAlert("a")?.isAcknowledged == false)
            #expect(try acknowledge(alert("a", "2"), in: transaction) == ["a"])
        }
    }

    @Test func `settling a subject leaves exactly the wanted alerts`() throws {
        func standing(_ key: String, _ title: String, _ occasion: Int64) -> StandingAlert {
            StandingAlert(alert(key, title), occasion: occasion, since: occasion)
        }
        #expect(
            try publishing { transaction in
                try transaction.raise(alert("other", of: "other"))
                try transaction.settle([standing("a", "1", 1), standing("b", "1", 1)], of: "s")
            } == ["+other ", "+a 1", "+b 1"])

        #expect(
            try publishing { transaction in
                try transaction.settle([standing("b", "1", 1), standing("c", "1", 1)], of: "s")
            } == ["+c 1", "-a"])
        #expect(
            try publishing { transaction in
                // Only the occasion differs.
                try transaction.settle([standing("b", "1", 2), standing("c", "2", 1)], of: "s")
            } == ["+c 2"])

        _ = try publishing { transaction in
            let (own, other) = (
                try transaction.standingAlerts(of: "s"),
                try transaction.standingAlerts(of: "other")
            )
            #expect(own == [standing("b", "1", 2), standing("c", "2", 1)])
            #expect(other.count == 1)
        }
    }

    @Test func `a snapshot has the alerts that are neither acknowledged nor expired`() throws {
        _ = try publishing { transaction in
            for key in ["a", "b", "c"] { try transaction.raise(alert(key)) }
            _ = try acknowledge(alert("b"), in: transaction)
            var brief = alert("d")
            brief.expiresAt = 2_000
            try transaction.raise(brief)
        }

        func told(at now: Int64) throws -> [String] {
            var keys: [String] = []
            try store.queue.read { db in
                try StandingAlert.pass(by: { _ in now }, db, leavingOut: { _ in }) {
                    event, subject in
                    #expect(subject == "s")
                    keys.append((event as? AlertRaised)?.key ?? "")
                }
            }
            return keys
        }
        #expect(try told(at: 1_999) == ["a", "c", "d"])
        #expect(try told(at: 2_000) == ["a", "c"])
    }
}
