import Bus
import Foundation
import GRDBSQLite
import Messages

/// The reference: plain SQLite commits the rows of a command through its C interface.
final class BareSQLite {
    private var db: OpaquePointer?
    private let begin, commit, inbox, outbox, counter: OpaquePointer?
    private var sequence: Int64 = 0
    private var ids = MessageID.Generator()
    private let row: [UInt8]

    /// A fresh file with the tables of a service.
    ///
    /// - Parameter bytes: the length of the kept reply, and of the event.
    init(_ path: String, bytes: Int) {
        row = [UInt8](repeating: 7, count: bytes)
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        var connection: OpaquePointer?
        check(sqlite3_open(path, &connection), connection)
        check(
            sqlite3_exec(
                connection,
                """
                PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
                CREATE TABLE inbox (id BLOB NOT NULL PRIMARY KEY, time INTEGER NOT NULL,
                    reply BLOB NOT NULL) WITHOUT ROWID, STRICT;
                CREATE TABLE outbox (sequence INTEGER NOT NULL PRIMARY KEY, time INTEGER NOT NULL,
                    envelope BLOB NOT NULL) STRICT;
                CREATE TABLE counter (id INTEGER NOT NULL PRIMARY KEY, count INTEGER NOT NULL,
                    note TEXT NOT NULL) STRICT;
                """, nil, nil, nil), connection)
        func prepare(_ sql: String) -> OpaquePointer? {
            var statement: OpaquePointer?
            check(sqlite3_prepare_v2(connection, sql, -1, &statement, nil), connection)
            return statement
        }
        begin = prepare("BEGIN IMMEDIATE")
        commit = prepare("COMMIT")
        inbox = prepare("INSERT INTO inbox VALUES (?, ?, ?)")
        outbox = prepare("INSERT INTO outbox VALUES (?, ?, ?)")
        counter = prepare(
            """
            INSERT INTO counter (id, count, note) VALUES (?, 1, ?)
            ON CONFLICT DO UPDATE SET count = count + 1, note = excluded.note
            """)
        db = connection
    }

    deinit {
        for statement in [begin, commit, inbox, outbox, counter] { sqlite3_finalize(statement) }
        sqlite3_close(db)
    }

    /// Runs one statement on the file of a service, which may be running.
    static func run(_ path: String, _ sql: String) {
        var connection: OpaquePointer?
        check(sqlite3_open(path, &connection), connection)
        sqlite3_busy_timeout(connection, 5000)
        check(sqlite3_exec(connection, sql, nil, nil, nil), connection)
        sqlite3_close(connection)
    }

    /// Commits the rows of this number of commands in one transaction.
    func commit(_ commands: Int, note: String) {
        step(begin)
        for _ in 0..<commands {
            sequence += 1
            bind(inbox, ids.next(at: WallClock.milliseconds()).bytes, place: 1)
            sqlite3_bind_int64(inbox, 2, sequence)
            bind(inbox, row, place: 3)
            step(inbox)
            sqlite3_bind_int64(counter, 1, Int64(Workload.entity(Int(sequence))))
            let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            sqlite3_bind_text(counter, 2, note, -1, copies)
            step(counter)
            sqlite3_bind_int64(outbox, 1, sequence)
            sqlite3_bind_int64(outbox, 2, sequence)
            bind(outbox, row, place: 3)
            step(outbox)
        }
        step(commit)
    }

    private func bind(_ statement: OpaquePointer?, _ bytes: [UInt8], place: Int32) {
        let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        sqlite3_bind_blob(statement, place, bytes, Int32(bytes.count), copies)
    }

    private func step(_ statement: OpaquePointer?) {
        let code = sqlite3_step(statement)
        check(code == SQLITE_DONE ? SQLITE_OK : code, db)
        sqlite3_reset(statement)
    }
}

private func check(_ code: Int32, _ db: OpaquePointer?) {
    precondition(code == SQLITE_OK, String(cString: sqlite3_errmsg(db)))
}
