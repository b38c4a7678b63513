import GRDB
import Testing

@testable import ChecklistService

/// How old records of an archive are deleted.
struct ForgettingTests {
    private static let all = 2 * ArchiveEnd.mostForgotten + 500

    /// A site's archive with a shift that is over for long, and another that is not.
    private func archive() throws -> DatabaseQueue {
        let store = try DatabaseQueue()
        try ChecklistStore.migrator.migrate(store)
        try store.write { db in
            for (id, ended) in [("old", 10), ("new", 0)] {
                try db.execute(
                    sql: """
                        INSERT INTO shift (id, organisation, site, manager, managerName, date,
                            started, ended, head, shift)
                        VALUES (?, 'o', 'bar', '', '', '', 1, ?, 0, x'')
                        """, arguments: [id, ended])
            }
            try db.execute(
                sql: """
                    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
                    INSERT INTO operation (site, sequence, shift, id, time, isContradiction, hash,
                        body)
                    SELECT 'bar', i, 'old', CAST(i AS BLOB), 5, 0, CAST('h' || i AS BLOB), x''
                    FROM n;
                    """, arguments: [Self.all])
            try db.execute(
                sql: """
                    INSERT INTO archive (site, sequence, hash, beginsAfter, beginsWith)
                    VALUES ('bar', ?, CAST('end' AS BLOB), 0, x'')
                    """, arguments: [Self.all])
        }
        return store
    }

    @Test(arguments: [
        1, 2, ArchiveEnd.mostForgotten, ArchiveEnd.mostForgotten + 1,
        ArchiveEnd.mostForgotten + 2, all - 1, all, all + 1,
    ])
    func `old records are deleted in stretches, up to the first one to keep`(kept: Int) throws {
        try archive().write { db in
            try db.execute(
                sql: "UPDATE operation SET shift = 'new' WHERE sequence >= ?", arguments: [kept])
            var stretches: [Int] = []
            var isDone = false
            while !isDone {
                var end = try ArchiveEnd.of("bar", db)
                let before = end.beginsAfter
                isDone = try end.forget(before: 100, db)
                stretches.append(Int(end.beginsAfter - before))
                try #require(stretches.count < 10)
            }
            let left = try Int.fetchAll(db, sql: "SELECT sequence FROM operation ORDER BY sequence")
            #expect(left == Array(kept..<max(kept, Self.all + 1)))
            #expect(stretches.reduce(0, +) == kept - 1)
            #expect(stretches.allSatisfy { $0 <= ArchiveEnd.mostForgotten })
            let hasOld = try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM shift WHERE id = 'old')")
            // Without records it goes, if any were deleted.
            #expect(hasOld == (kept == 1))
        }
    }
}
