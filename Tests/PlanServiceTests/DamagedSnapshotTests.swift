import GRDB
import Messages
import TestStore
import Testing

@testable import PlanService

/// Snapshots of a store in which some rows can't be read.
struct DamagedSnapshotTests {
    @Test func `a plan or a finding that can't be read keeps no other out of a snapshot`() throws {
        let store = try MemoryStore(of: .plan, PlanStore.migrator)
        let told = try store.run { transaction -> [String] in
            for id in ["a", "b", "c"] {
                try PlanRow(
                    plan: Plan(id: id, details: PlanDetails(name: id)), mark: "", changer: "",
                    changerOrganisation: ""
                ).save(transaction.db)
                try FailingStore.save([PlanFinding(id: "f")], of: id, transaction.db)
            }
            try transaction.db.execute(
                sql: """
                    UPDATE plan SET plan = x'FF' WHERE id = 'a';
                    UPDATE failing SET finding = x'FF' WHERE plan = 'b'
                    """)
            var told: [String] = []
            try PlanService.pass(transaction) { event, subject in
                if event is PlanChanged { told.append("plan \(subject)") }
                if !(event is PlanChanged) { told.append("findings \(subject)") }
            }
            return told
        }
        #expect(told == ["plan c", "findings c", "plan b"])
    }
}
