import Foundation
import GRDB
import Messages
import Testing

@testable import PlanService

@Suite struct FoldedWordsTests {
    @Test func `words stored by an earlier version are found as they are compared now`() throws {
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

        try migrator.migrate(queue, upTo: "plan: more letters that are compared as others")

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

    @Test func `products stored by an earlier version are found only by their organisation`()
        throws
    {
        let queue = try DatabaseQueue()
        let migrator = PlanStore.migrator
        try migrator.migrate(queue, upTo: "plan: more letters that are compared as others")
        try queue.write { db in
            for (key, organisation) in [(1, "organisation-a"), (2, "organisation-b")] {
                let product = Product(id: "id-\(key)", name: "Bed", isoCode: "18121001")
                try db.execute(
                    sql: """
                        INSERT INTO product VALUES (?, ?, ?, 'n', 's', '18121001', 'bed', 0, 1, ?)
                        """,
                    arguments: [key, organisation, product.id, Data(product.packed())])
                try db.execute(
                    sql: """
                        INSERT INTO productText (rowid, name, maker, number, class)
                        VALUES (?, 'bed', 'maker', 'n', '18121001')
                        """, arguments: [key])
            }
        }

        try migrator.migrate(queue)

        #expect(try found("", of: "organisation-a", queue) == ["id-1"])
        #expect(try found("1812", of: "organisation-b", queue) == ["id-2"])
        #expect(try found("1222", of: "organisation-b", queue) == [])
        #expect(try found("", of: "organisation", queue) == [])
    }

    /// The ids of the beds of an organisation whose class begins with `isoCode`.
    private func found(
        _ isoCode: String, of organisation: String, _ queue: DatabaseQueue
    ) throws -> [String] {
        let query = FindProducts(text: "bed", isoCode: isoCode)
        let products = try queue.read { try ProductSearch(query, of: organisation).found($0) }
        #expect(products.matching == products.products.count)
        return products.products.map(\.id)
    }
}
