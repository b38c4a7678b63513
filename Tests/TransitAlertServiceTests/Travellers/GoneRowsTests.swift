import GRDB
import Messages
import TestStore
import Testing

@testable import ServiceRuntime
@testable import TransitAlertService

/// Rows that were given up, until the last of them is deleted.
@Suite struct GoneRowsTests {
    @Test func `the files of the store lose the positions of each stretch, also of the last one`()
        throws
    {
        let store = try MemoryStore(of: .transitAlert, TransitStore.migrator)
        let rows = GoneRows.mostRows + 10
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
                try KeptFix.gone.sweep(in: transaction)
                #expect(transaction.turn.mustErase)
                left.append(
                    try Int.fetchOne(transaction.db, sql: "SELECT count(*) FROM keptFix"))
            }
        }
        #expect(left == [10, 0])
        // When none are left, the log needn't be emptied.
        try store.run { transaction in
            try KeptFix.gone.sweep(in: transaction)
            #expect(!transaction.turn.mustErase)
        }
    }

    /// Gives up ten more landmarks and ten more travel times than are deleted in a stretch.
    private func fill(_ db: Database) throws {
        let count = GoneRows.mostRows + 10
        let counter = """
            WITH RECURSIVE counter (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM counter WHERE i < ?)
            """
        try db.execute(
            sql: """
                \(counter) INSERT INTO landmark (name, version, north, east, type, landmark)
                SELECT 'town', 1, 0, 0, 'bridge', x'01' FROM counter
                """, arguments: [count])
        try db.execute(
            sql: """
                \(counter) INSERT INTO travelTime
                SELECT 'city', '1', 'a', 'b' || i, 0, 1, 60, 0, 0, 1780300800000 FROM counter
                """, arguments: [count])
        try GoneLandmarks.add("town", version: 1, db)
        try GoneTravelTimes.add("city", db)
    }

    @Test(arguments: [("landmarks", "landmark"), ("travelTimes", "travelTime")])
    func `a timer of the service deletes what was given up, and is set until nothing is left`(
        kind: String, table: String
    ) throws {
        let store = try MemoryStore(of: .transitAlert, TransitStore.migrator)
        try store.run { try fill($0.db) }
        let timer = try #require(TransitAlertService.timers.first { $0.kind == kind })

        var left: [Int?] = []
        for _ in 1...2 {
            try store.run { transaction in
                try transaction.cancelTimer(kind, subject: "")
                try timer.handle("", transaction.now, transaction)
                let count = try Int.fetchOne(
                    transaction.db, sql: "SELECT count(*) FROM \(table)")
                left.append(count)
                #expect(try (transaction.timerDue(kind, subject: "") == nil) == (count == 0))
            }
        }
        #expect(left == [10, 0])
    }

    @Test func `the deletion of what is old also goes on with what was given up`() throws {
        let store = try MemoryStore(of: .transitAlert, TransitStore.migrator)
        try store.run { transaction in
            try fill(transaction.db)
            try JourneyHandling.prune("", due: 0, in: transaction)

            for table in ["landmark", "travelTime"] {
                let left = try Int.fetchOne(
                    transaction.db, sql: "SELECT count(*) FROM \(table)")
                #expect(left == 10, "\(table)")
            }
        }
    }
}
