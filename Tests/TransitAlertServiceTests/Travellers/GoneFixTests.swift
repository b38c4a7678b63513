import GRDB
import Messages
import TestStore
import Testing

@testable import ServiceRuntime
@testable import TransitAlertService

/// Positions that were given up, until the last of them is deleted.
@Suite struct GoneFixTests {
    @Test func `the files of the store lose the positions of each stretch, also of the last one`()
        throws
    {
        let store = try MemoryStore(of: .transitAlert, TransitStore.migrator)
        let rows = KeptFix.mostRows + 10
        try store.run { transaction in
            for number in 0..<rows {
                try transaction.db.execute(
                    sql: "INSERT INTO keptFix VALUES ('j', ?, 1, x'01')", arguments: [number])
            }
            try transaction.db.execute(sql: "INSERT INTO goneFix VALUES ('j')")
        }

        var left: [Int?] = []
        for _ in 1...2 {
            try store.run { transaction in
                try KeptFix.sweep(in: transaction)
                #expect(transaction.turn.mustErase)
                left.append(
                    try Int.fetchOne(transaction.db, sql: "SELECT count(*) FROM keptFix"))
            }
        }
        #expect(left == [10, 0])
        // When none are left, the log needn't be emptied.
        try store.run { transaction in
            try KeptFix.sweep(in: transaction)
            #expect(!transaction.turn.mustErase)
        }
    }
}
