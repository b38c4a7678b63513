import GRDB
import Testing

@testable import PlanService

@Suite struct FoldedWordsTests {
    @Test func `words that an earlier version kept are found as they are compared now`() throws {
        let queue = try DatabaseQueue()
        let migrator = PlanStore.migrator
        try migrator.migrate(queue, upTo: "catalogue: products and their words")
        try queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO libraryItem VALUES ('a', 'n', 'ısıklar ħal ŋ αθηνας', x''),
                        ('a', 'm', 'plain words', x'');
                    INSERT INTO productText (rowid, name, maker, number, class)
                        VALUES (1, 'ısık', 'ħ', '1', 'αθηνας'), (2, 'bed', 'b', '2', 'c');
                    """)
        }

        try migrator.migrate(queue)

        try queue.read { db in
            let words = try String.fetchAll(db, sql: "SELECT words FROM libraryItem ORDER BY name")
            #expect(words == ["plain words", "isiklar hal n αθηνασ"])
            for (typed, wanted) in [("isik", 1), ("h", 1), ("αθηνασ", 1), ("bed", 2)] {
                let found = try Int.fetchAll(
                    db, sql: "SELECT rowid FROM productText WHERE productText MATCH ?",
                    arguments: ["\"\(typed)\"*"])
                #expect(found == [wanted], "\(typed)")
            }
        }
    }
}
