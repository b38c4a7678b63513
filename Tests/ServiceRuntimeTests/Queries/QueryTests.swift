import GRDB
import Messages
import ServiceRuntime
import Testing

/// Ids as they are typed, organisations and page limits, in a store.
@Suite struct QueryTests {
    private static let ids = [
        "0192e4a1-7b3c-7def-8123-456789abcdef", "0192e4a1-7b3c-7def-8123-456789abcdee",
        "0192ffff-0000-7000-8000-000000000000",
    ]

    private func found(
        _ typed: String, _ scope: OrganisationScope = .all
    ) throws -> String {
        let id = try TypedID(typed, of: "thing")
        return try store().read { db in
            let rows = try String.fetchAll(
                db,
                sql: """
                    SELECT id FROM thing WHERE \(TypedID.condition)
                        AND \(OrganisationScope.condition) ORDER BY id LIMIT 2
                    """, arguments: id.arguments + scope.arguments)
            #expect(rows.allSatisfy(id.matches))
            return try id.only(rows)
        }
    }

    private func store() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE thing (id TEXT NOT NULL, organisation TEXT NOT NULL)")
            for (id, organisation) in zip(Self.ids, ["a", "a", "b"]) {
                try db.execute(
                    sql: "INSERT INTO thing VALUES (?, ?)", arguments: [id, organisation])
            }
        }
        return queue
    }

    @Test func `a thing is found by its id or the beginning of it, in either case`() throws {
        #expect(try found(Self.ids[0]) == Self.ids[0])
        #expect(try found("0192F") == Self.ids[2])
        #expect(try found("0192", .one("b")) == Self.ids[2])
    }

    @Test(arguments: [
        ("019", Refusal.Code.invalid), ("", .invalid), ("0192e", .conflict), ("0192", .conflict),
        ("0193", .notFound), ("0192%", .notFound), ("____", .notFound),
        ("0192ffff-0000-7000-8000-0000000000001", .notFound),
    ])
    func `an id that matches nothing, or several things, is refused`(
        typed: String, code: Refusal.Code
    ) {
        let refusal = #expect(throws: Refusal.self) { try found(typed) }
        #expect(refusal?.code == code)
    }

    @Test func `an organisation finds nothing that belongs to another`() {
        #expect(OrganisationScope.all.includes("a") && OrganisationScope.one("a").includes("a"))
        #expect(!OrganisationScope.one("a").includes("b"))
        let refusal = #expect(throws: Refusal.self) { try found(Self.ids[2], .one("a")) }
        #expect(refusal?.code == .notFound)
    }

    @Test func `only the owner of the machine and the service itself see all organisations`() {
        #expect(Principal.machineOwner.scope == .all && Principal.system.scope == .all)
        #expect(Principal.anonymous.scope == .one(""))
    }

    @Test(arguments: [(0, 50), (1, 1), (500, 500), (501, 500), (UInt32.max, 500)])
    func `a page has as many rows as requested, within limits`(wanted: UInt32, rows: Int) {
        #expect(pageLimit(wanted, usual: 50, most: 500) == rows)
    }

    @Test func `a page is full when the next row would be too many, or too large`() {
        func taken(_ sizes: [Int], limit: Int = .max) -> [Int] {
            var page = Page<Int>(limit: limit, bytes: 100)
            for size in sizes where !page.add(size, bytes: size) { break }
            return page.rows
        }
        #expect(taken([]) == [])
        #expect(taken([1, 2, 3], limit: 2) == [1, 2])
        #expect(taken([60, 40, 1]) == [60, 40])
        // Otherwise a row that is too large would never be sent, and nor would those after it.
        #expect(taken([101, 1]) == [101])
        #expect(taken([1, 101, 1]) == [1])
    }
}
