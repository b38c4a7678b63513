import GRDB
import GRDBSQLite

/// A prepared statement on the store's own connection, for the few statements that run for every
/// message: it saves the microsecond that a general-purpose layer costs each time.
///
/// Not Sendable: it belongs to the thread of the connection.
final class Statement {
    private let handle: OpaquePointer
    private let connection: OpaquePointer

    /// Prepares one statement.
    init(_ db: Database, _ sql: String) throws {
        guard let connection = db.sqliteConnection else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the connection is closed")
        }
        var handle: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let code = sqlite3_prepare_v3(connection, sql, -1, flags, &handle, nil)
        guard code == SQLITE_OK, let handle else {
            throw Self.error(connection, code)
        }
        self.handle = handle
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    /// Runs the statement to completion.
    func run() throws {
        defer { sqlite3_reset(handle) }
        let code = sqlite3_step(handle)
        guard code == SQLITE_DONE || code == SQLITE_ROW else { throw Self.error(connection, code) }
    }

    /// Runs the statement and calls `body` for each row.
    func forEach(_ body: (Statement) throws -> Void) throws {
        defer { sqlite3_reset(handle) }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: try body(self)
            case SQLITE_DONE: return
            case let code: throw Self.error(connection, code)
            }
        }
    }

    @discardableResult
    func bind(_ place: Int32, _ value: Int64) -> Statement {
        sqlite3_bind_int64(handle, place, value)
        return self
    }

    @discardableResult
    func bind(_ place: Int32, _ value: [UInt8]) -> Statement {
        // SQLite copies the bytes (SQLITE_TRANSIENT), so they may be freed when the call returns.
        let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        value.withUnsafeBytes {
            // A NULL pointer would bind NULL instead of an empty blob.
            _ =
                $0.isEmpty
                ? sqlite3_bind_zeroblob(handle, place, 0)
                : sqlite3_bind_blob(handle, place, $0.baseAddress, Int32($0.count), copies)
        }
        return self
    }

    @discardableResult
    func bind(_ place: Int32, _ value: String) -> Statement {
        let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        sqlite3_bind_text(handle, place, value, -1, copies)
        return self
    }

    func blob(_ column: Int32) -> [UInt8] {
        guard let bytes = sqlite3_column_blob(handle, column) else { return [] }
        return [UInt8](
            UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
    }

    private static func error(_ connection: OpaquePointer, _ code: Int32) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: String(cString: sqlite3_errmsg(connection)))
    }
}
