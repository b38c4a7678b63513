import Foundation
import GRDB
import ServiceRuntime
import Testing

/// How much organisations and people keep, as triggers add it up.
@Suite struct PartSizesTests {
    private static let tables = """
        CREATE TABLE thing (
            id TEXT NOT NULL PRIMARY KEY, organisation TEXT NOT NULL, name TEXT NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE part (
            thing TEXT NOT NULL REFERENCES thing ON DELETE CASCADE, number INTEGER NOT NULL,
            body BLOB NOT NULL, note TEXT NOT NULL, PRIMARY KEY (thing, number)
        ) WITHOUT ROWID, STRICT;
        INSERT INTO thing VALUES ('a', 'north', ''), ('b', 'north', ''), ('c', 'south', '');
        INSERT INTO part VALUES ('a', 1, x'0102', 'abc'), ('c', 1, x'01', '');
        """

    private func store() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { try $0.execute(sql: Self.tables) }
        return queue
    }

    /// The size of a number of rows with so many bytes together.
    private func size(_ rows: Int, _ bytes: Int) -> Int { rows * PartSizes.overhead + bytes }

    @Test func `what organisations keep is added up as it is written, and as it is deleted`()
        throws
    {
        let sizes = PartSizes(of: "thing")
        try store().write { db in
            func expect(
                _ organisation: String, _ count: Int, _ bytes: Int,
                _ location: SourceLocation = #_sourceLocation
            ) throws {
                let total = try sizes.total(of: organisation, db)
                #expect(total.count == count, sourceLocation: location)
                #expect(total.bytes == bytes, sourceLocation: location)
            }
            try sizes.makeTable(for: ["part": ["body", "note"]], db)
            try expect("north", 2, size(1, 5))
            try expect("south", 1, size(1, 1))
            try expect("east", 0, 0)

            let put = """
                INSERT INTO part VALUES ('b', 1, ?, '')
                ON CONFLICT DO UPDATE SET body = excluded.body
                """
            try db.execute(sql: put, arguments: [Data(count: 10)])
            try expect("north", 2, size(2, 15))
            try db.execute(sql: put, arguments: [Data(count: 3)])
            try expect("north", 2, size(2, 8))
            try db.execute(sql: "UPDATE thing SET name = 'x'")
            try db.execute(sql: "DELETE FROM part WHERE thing = 'b'")
            try expect("north", 2, size(1, 5))

            try db.execute(sql: "DELETE FROM thing WHERE id = 'a'")
            try expect("north", 1, 0)
            try db.execute(sql: "INSERT INTO thing VALUES ('a', 'south', '')")
            try db.execute(sql: "INSERT INTO part VALUES ('a', 1, x'010203', '')")
            try expect("south", 2, size(2, 4))
        }
    }

    @Test func `the rows of each owner are counted in several tables`() throws {
        let sizes = RowSizes(in: "personSize", of: "person")
        try store().write { db in
            try db.execute(
                sql: """
                    CREATE TABLE day (person TEXT NOT NULL, body BLOB NOT NULL) STRICT;
                    CREATE TABLE deed (person TEXT NOT NULL, body BLOB NOT NULL) STRICT;
                    INSERT INTO day VALUES ('ada', x'01'), ('ada', x'0102'), ('bob', x'01');
                    INSERT INTO deed VALUES ('ada', x'01');
                    """)
            try sizes.makeTable(for: ["day": ["body"], "deed": ["body"]], db)
            let ada = try sizes.total(of: "ada", db)
            #expect(ada.count == 3 && ada.bytes == size(3, 4))
            #expect(try sizes.total(of: "cam", db).count == 0)

            try db.execute(
                sql: """
                    INSERT INTO deed VALUES ('cam', x'010203');
                    UPDATE day SET body = x'01020304' WHERE person = 'bob';
                    DELETE FROM day WHERE person = 'ada';
                    """)
            let (cam, bob) = (try sizes.total(of: "cam", db), try sizes.total(of: "bob", db))
            #expect(cam.count == 1 && cam.bytes == size(1, 3))
            #expect(bob.count == 1 && bob.bytes == size(1, 4))
            #expect(try sizes.total(of: "ada", db).bytes == size(1, 1))
        }
    }
}
