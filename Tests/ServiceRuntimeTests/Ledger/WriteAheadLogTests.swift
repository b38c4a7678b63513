import Foundation
import GRDB
import TestSupport
import Testing

@testable import ServiceRuntime

/// The frames of a commit are written to the write-ahead log together. What is in the files must
/// be what it would be if each were written by itself.
struct WriteAheadLogTests {
    /// A store with one table of numbered rows, in a directory of its own.
    private final class Fixture {
        let directory: String
        let store: Store
        /// The stamp of each row that is committed.
        var committed: [Int: Int] = [:]

        init() throws {
            directory = NSTemporaryDirectory() + "log-\(UUID().uuidString)"
            var migrator = DatabaseMigrator()
            migrator.registerMigration("rows") { db in
                try db.execute(
                    sql: """
                        CREATE TABLE numbered (
                            id INTEGER NOT NULL PRIMARY KEY, stamp INTEGER NOT NULL,
                            filling BLOB NOT NULL
                        ) STRICT
                        """)
            }
            store = try Store(
                service: "toy-service", directory: directory, migrator: migrator, now: 0)
        }

        deinit { try? FileManager.default.removeItem(atPath: directory) }

        /// What a process that starts after a SIGKILL finds: the files as they are now.
        func rowsOnDisk() throws -> [Int: Int] {
            let copy = NSTemporaryDirectory() + "log-\(UUID().uuidString)"
            try FileManager.default.createDirectory(
                atPath: copy, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(atPath: copy) }
            for ending in ["", "-wal"] {
                try FileManager.default.copyItem(
                    atPath: store.path + ending, toPath: "\(copy)/store\(ending)")
            }
            return try DatabaseQueue(path: copy + "/store").read { db in
                #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
                return try Self.rows(db)
            }
        }

        static func rows(_ db: Database) throws -> [Int: Int] {
            let rows = try Row.fetchAll(db, sql: "SELECT id, stamp FROM numbered")
            return Dictionary(uniqueKeysWithValues: rows.map { ($0["id"], $0["stamp"]) })
        }
    }

    private struct Undone: Error {}

    private static func put(_ id: Int, _ stamp: Int, bytes: Int, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO numbered VALUES (?, ?, zeroblob(?))",
            arguments: [id, stamp, bytes])
    }

    @Test func `a commit of hundreds of pages is written by a few system calls`() throws {
        let fixture = try Fixture()
        try fixture.store.queue.inDatabase { db in
            let ledger = try Ledger(db)
            var before = 0
            try ledger.transaction {
                for id in 1...500 { try Self.put(id, id, bytes: 4000, db) }
                before = try ThreadWrites.count()
            }
            #expect(try ThreadWrites.count() - before < 50)
        }
        #expect(try fixture.rowsOnDisk().count == 500)
    }

    @Test func `a commit fails, and leaves nothing, if one piece of it isn't written`() throws {
        for piece in [0, 1, 8] {
            let fixture = try Fixture()
            try fixture.store.queue.inDatabase { db in
                let ledger = try Ledger(db)
                try ledger.transaction { try Self.put(1, 1, bytes: 10, db) }

                try FailingDisk.failing(afterWrites: piece) {
                    #expect(throws: DatabaseError.self) {
                        try ledger.transaction {
                            for id in 2...500 { try Self.put(id, id, bytes: 4000, db) }
                        }
                    }
                }

                #expect(try Fixture.rows(db) == [1: 1])
                #expect(try fixture.rowsOnDisk() == [1: 1])
                try ledger.transaction { try Self.put(2, 2, bytes: 10, db) }
                #expect(try fixture.rowsOnDisk() == [1: 1, 2: 2])
            }
        }
    }

    /// Savepoints, rollbacks, pages that leave a small cache before their commit, checkpoints, and
    /// commits of other connections in between. Without `FULL` no flush of the disk follows a
    /// commit, which would write what is gathered, too.
    @Test(arguments: Seed.some(6), ["FULL", "OFF"])
    func `the files hold what was committed, whatever happened before`(
        seed: Seed, synchronous: String
    ) throws {
        var seed = seed
        let fixture = try Fixture()
        let other = try Store.other(fixture.store.path)
        try fixture.store.queue.inDatabase { db in
            try db.execute(sql: "PRAGMA cache_size = 10; PRAGMA synchronous = \(synchronous)")
            let ledger = try Ledger(db)
            for step in 1...40 {
                switch seed.below(8) {
                case 0:
                    try db.execute(
                        sql: "PRAGMA wal_checkpoint(\(seed.pick(["PASSIVE", "TRUNCATE"])))")
                case 1:
                    try other.write { try Self.put(step, step, bytes: 5000, $0) }
                    fixture.committed[step] = step
                default: try change(fixture, ledger, db, step, &seed)
                }
                #expect(try Fixture.rows(db) == fixture.committed)
                #expect(try other.read(Fixture.rows) == fixture.committed)
                #expect(try fixture.rowsOnDisk() == fixture.committed)
            }
        }
    }

    /// A transaction that puts some rows, some of them in vain, and may be undone as a whole.
    private func change(
        _ fixture: Fixture, _ ledger: Ledger, _ db: Database, _ step: Int, _ seed: inout Seed
    ) throws {
        let before = fixture.committed
        var rows = before
        var random = seed
        defer { seed = random }
        do {
            try ledger.transaction {
                for _ in 0..<random.below(12) {
                    let ids = (0..<1 + random.below(6)).map { _ in 1 + random.below(200) }
                    let isUndone = random.oneIn(4)
                    do {
                        try ledger.attempt {
                            for id in ids { try Self.put(id, step, bytes: 9000, db) }
                            if isUndone { throw Undone() }
                        }
                        for id in ids { rows[id] = step }
                    } catch is Undone {}
                }
                #expect(try fixture.rowsOnDisk() == before)
                if random.oneIn(4) { throw Undone() }
            }
            fixture.committed = rows
        } catch is Undone {}
    }
}
