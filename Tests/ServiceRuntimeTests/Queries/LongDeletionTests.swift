import Foundation
import GRDB
import TestStore
import Testing

@testable import ServiceRuntime

/// The deletion of things with very many rows.
struct LongDeletionTests {
    private static let deletion = LongDeletion(
        of: "thing", named: "name",
        [
            LongDeletion.Part("part", by: "kind, number", contents: "body"),
            LongDeletion.Part("step", by: "number", contents: "body"),
        ])

    private let store: MemoryStore

    init() throws {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("things") { db in
            try db.execute(
                sql: """
                    CREATE TABLE thing (
                        id TEXT NOT NULL PRIMARY KEY, organisation TEXT NOT NULL,
                        name TEXT NOT NULL, UNIQUE (organisation, name)
                    ) WITHOUT ROWID, STRICT;
                    CREATE TABLE part (
                        thing TEXT NOT NULL REFERENCES thing ON DELETE CASCADE,
                        kind INTEGER NOT NULL, number INTEGER NOT NULL, body BLOB NOT NULL,
                        PRIMARY KEY (thing, kind, number)
                    ) WITHOUT ROWID, STRICT;
                    CREATE TABLE step (
                        thing TEXT NOT NULL REFERENCES thing ON DELETE CASCADE,
                        number INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (thing, number)
                    ) WITHOUT ROWID, STRICT;
                    INSERT INTO thing VALUES ('a', 'o', 'roof'), ('b', 'o', 'wall');
                    INSERT INTO part VALUES ('b', 1, 1, x'01');
                    INSERT INTO step VALUES ('b', 1, x'01');
                    """)
            try PartSizes(of: "thing").makeTable(for: ["part": ["body"], "step": ["body"]], db)
        }
        store = try MemoryStore(of: .plan, migrator)
    }

    /// Adds parts to the thing `a`, of two kinds in turn, and steps.
    private func add(parts: Int, steps: Int, bytes: Int = 1) throws {
        try store.run { transaction in
            for number in 0..<parts {
                try transaction.db.execute(
                    sql: "INSERT INTO part VALUES ('a', ?, ?, zeroblob(?))",
                    arguments: [number % 2, number, bytes])
            }
            for number in 0..<steps {
                try transaction.db.execute(
                    sql: "INSERT INTO step VALUES ('a', ?, zeroblob(?))",
                    arguments: [number, bytes])
            }
        }
    }

    private func count(_ rows: String) throws -> Int {
        try store.run { try Int.fetchOne($0.db, sql: "SELECT count(*) FROM \(rows)") ?? 0 }
    }

    /// The rows that are left of `a`.
    private func left() throws -> Int {
        try count("part WHERE thing = 'a'") + count("step WHERE thing = 'a'")
    }

    private func begin() throws {
        try store.run { try Self.deletion.begin("a", in: $0) { _ in } }
    }

    /// Carries out the stretch that is due.
    ///
    /// - Returns: false if none is.
    private func advance() throws -> Bool {
        guard try count("timer WHERE kind = 'delete' AND subject = 'a'") == 1 else { return false }
        try store.run { transaction in
            try transaction.cancelTimer("delete", subject: "a")
            try Self.deletion.timer.handle("a", 0, transaction)
        }
        return true
    }

    @Test func `a small thing is gone at once`() throws {
        try add(parts: 10, steps: 10)
        try begin()
        #expect(try left() == 0 && count("thing") == 1 && count("part") == 1 && count("step") == 1)
        #expect(try !advance())
    }

    @Test(arguments: [(2_500, 700, 1), (3, 5_000, 1), (30, 20, 200_000), (2, 2, 5 << 20)])
    func `a large thing goes in stretches with a limit of rows and bytes, and nothing else does`(
        parts: Int, steps: Int, bytes: Int
    ) throws {
        try add(parts: parts, steps: steps, bytes: bytes)
        var before = try left()
        try begin()
        var stretches = 1
        repeat {
            let after = try left()
            let most = min(LongDeletion.mostRows, (LongDeletion.mostBytes + bytes - 1) / bytes)
            #expect(before - after <= most)
            #expect(before - after == min(before, most) || after == 0)
            before = after
            stretches += 1
            try #require(stretches < 1_000)
        } while try advance()
        #expect(try left() == 0)
        #expect(try count("thing") == 1 && count("part") == 1 && count("step") == 1)
        #expect(stretches > 2)
    }

    @Test func `while it goes, it is hidden, its name is free, and its organisation has room`()
        throws
    {
        try add(parts: 3_000, steps: 0)
        try begin()
        #expect(try count("thing WHERE \(LongDeletion.visible)") == 1)
        #expect(try count("thing") == 2)
        let sizes = PartSizes(of: "thing")
        let total = try store.run { try sizes.total(of: "o", $0.db) }
        #expect(total.count == 1 && total.bytes == 2 * (PartSizes.overhead + 1))

        try store.run {
            try $0.db.execute(sql: "INSERT INTO thing VALUES ('c', 'o', 'roof')")
        }
        while try advance() {}

        #expect(try store.run { try sizes.total(of: "o", $0.db).count } == 2)
        #expect(try count("thing WHERE id = 'c'") == 1)
        #expect(try count("thingSize") == 2)
    }

    @Test func `of several things that go, one has its stretch in a turn`() throws {
        try add(parts: 3_000, steps: 0)
        try store.run { transaction in
            try transaction.db.execute(
                sql: """
                    INSERT INTO part SELECT 'b', 2, number, body FROM part WHERE thing = 'a'
                    """)
            try Self.deletion.begin("a", in: transaction) { _ in }
            try Self.deletion.begin("b", in: transaction) { _ in }
            func dues() throws -> [Int64] {
                try Int64.fetchAll(
                    transaction.db, sql: "SELECT due FROM timer ORDER BY subject"
                ).map { $0 - transaction.now }
            }
            #expect(try dues() == [50, 100])
            try transaction.cancelTimer("delete", subject: "a")
            try Self.deletion.timer.handle("a", 0, transaction)
            #expect(try dues() == [150, 100])
        }
    }

    @Test func `what is deleted after the clock was set back doesn't wait for what was before`()
        throws
    {
        try add(parts: 2_500, steps: 0)
        let (ahead, now): (Int64, Int64) = (2_000_000_000_000, 1_800_000_000_000)
        try store.run(at: ahead) { try $0.setTimer("delete", subject: "b", due: ahead + 50) }

        let due = try store.run(at: now) { transaction in
            try Self.deletion.begin("a", in: transaction) { _ in }
            return try Int64.fetchOne(
                transaction.db, sql: "SELECT due FROM timer WHERE subject = 'a'")
        }

        #expect((now...now + 1_000).contains(try #require(due)))
    }

    @Test func `several things go side by side`() throws {
        try add(parts: 3_000, steps: 0)
        try begin()
        try store.run { try Self.deletion.begin("b", in: $0) { _ in } }
        while try advance() {}
        #expect(try count("thing") == 0)
    }
}
