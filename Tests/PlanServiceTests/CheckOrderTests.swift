import Foundation
import GRDB
import Messages
import TestSupport
import Testing

@testable import PlanService

/// The checks in a store that are still to be made.
struct CheckOrderTests {
    private static func store() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try PlanStore.migrator.migrate(queue)
        try queue.write { db in
            try PlanRow(
                plan: Plan(id: "home", details: PlanDetails(name: "Home"), revision: 1),
                mark: "home", changer: "", changerOrganisation: ""
            ).save(db)
        }
        return queue
    }

    @Test func `a check that repeatedly crashes the process is given up`() throws {
        try Self.store().write { db in
            try CheckOrder.add("home", at: 0, db)
            for _ in 0..<CheckOrder.mostInterruptions {
                #expect(try CheckOrder.take(at: 1_000, db)?.plan == "home")
                try CheckOrder.putBack(db)
            }
            #expect(try CheckOrder.take(at: 1_000, db) == nil)

            // After a change of the plan the check is tried again.
            try CheckOrder.add("home", at: 2_000, db)
            #expect(try CheckOrder.take(at: 3_000, db)?.plan == "home")
        }
    }

    @Test func `a check that is waiting when the process ends isn't counted`() throws {
        try Self.store().write { db in
            try CheckOrder.add("home", at: 0, db)
            for _ in 0..<20 { try CheckOrder.putBack(db) }
            #expect(try CheckOrder.take(at: 1_000, db)?.plan == "home")
        }
    }

    @Test func `a plan that loses its standards while it is checked is checked again`() throws {
        try Self.store().write { db in
            let row = try #require(try PlanRow.ofID("home", db))
            #expect(try !CheckOrder.isNeeded(for: row, db))
            try CheckOrder.add("home", at: 0, db)
            let former = try #require(try CheckOrder.take(at: 1_000, db))

            // Nothing fails yet, but that check may still find what fails by the former standards.
            #expect(try CheckOrder.isNeeded(for: row, db))
            try CheckOrder.add("home", at: 1_100, db)
            try former.finish(at: 1_200, db)

            let latter = try #require(try CheckOrder.take(at: 2_000, db))
            #expect(latter.plan == "home")
            try latter.finish(at: 2_100, db)
            #expect(try !CheckOrder.isNeeded(for: row, db))
        }
    }

    @Test func `the event of many findings with long texts can be sent`() {
        let text = String(repeating: "x", count: 5_000)
        let findings = (0..<600).map { PlanFinding(id: "\(text)/\($0)", text: text) }
        let (raised, resolved) = (
            FindingAlert(before: [], now: findings), FindingAlert(before: findings, now: [])
        )

        for alert in [raised, resolved] {
            let event = alert.event(of: Plan(id: "home"))
            #expect(!event.failing.isEmpty || !event.resolved.isEmpty)
            #expect(event.packed().count < 900_000)
        }
    }

    @Test func `the title of an alert counts all that fails, not only what is new`() {
        let findings = (0..<3).map { PlanFinding(id: "tek17/x/\($0)", text: "Too narrow.") }
        let alert = FindingAlert(before: Array(findings.prefix(2)), now: findings)
            .raised(
                of: Plan(id: "p", details: PlanDetails(name: "Home")), to: "kari", in: "o", at: 0)

        #expect(alert.title == "3 findings fail in “Home”")
        #expect(alert.body.contains("2 failed before and still fail."))
    }
}
