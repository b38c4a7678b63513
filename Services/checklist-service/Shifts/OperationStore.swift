import Foundation
import GRDB
import Messages
import ServiceRuntime
import ShiftLog

/// The archive of a site: every operation of every shift, in order, each chained to the previous
/// one.
struct ArchiveEnd {
    let site: String
    /// The newest position.
    private(set) var sequence: UInt64
    /// The hash at that position.
    private(set) var hash: [UInt8]
    /// The position after which it begins; 0 when it is complete.
    var beginsAfter: UInt64 = 0
    /// The hash at that position; empty when it is complete.
    var beginsWith: [UInt8] = []

    /// The end of a site's archive.
    static func of(_ site: String, _ db: Database) throws -> ArchiveEnd {
        let statement = try db.cachedStatement(
            sql: "SELECT sequence, hash, beginsAfter, beginsWith FROM archive WHERE site = ?")
        guard let row = try Row.fetchOne(statement, arguments: [site]) else {
            return ArchiveEnd(site: site, sequence: 0, hash: ArchiveChain.beginning(of: site))
        }
        return ArchiveEnd(
            site: site, sequence: UInt64(clamping: row["sequence"] as Int64),
            hash: [UInt8](row["hash"] as Data),
            beginsAfter: UInt64(clamping: row["beginsAfter"] as Int64),
            beginsWith: [UInt8](row["beginsWith"] as Data))
    }

    /// Appends an operation with the next sequence.
    mutating func append(
        _ operation: ShiftOperation, isContradiction: Bool, _ db: Database
    ) throws {
        let body = operation.packed()
        hash = ArchiveChain.hash(after: hash, body)
        sequence += 1
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO operation
                    (site, sequence, shift, id, time, isContradiction, hash, body)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.execute(
            arguments: [
                site, Int64(clamping: sequence), operation.shift, Data(operation.id),
                operation.time, isContradiction, Data(hash), Data(body),
            ])
    }

    func save(_ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO archive (site, sequence, hash, beginsAfter, beginsWith)
                VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash,
                    beginsAfter = excluded.beginsAfter, beginsWith = excluded.beginsWith
                """)
        try statement.execute(
            arguments: [
                site, Int64(clamping: sequence), Data(hash), Int64(clamping: beginsAfter),
                Data(beginsWith),
            ])
    }
}

/// What happened to an operation that was sent before.
enum KnownOperation {
    /// It was accepted.
    case takenIn(ShiftOperation, isContradiction: Bool)
    /// It was refused, in this shift.
    case refused(Refusal, shift: String)

    /// The result of the operation with an id; nil for an unknown one.
    static func of(_ id: [UInt8], _ db: Database) throws -> KnownOperation? {
        let kept = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT body, isContradiction FROM operation WHERE id = ?"),
            arguments: [Data(id)])
        if let kept {
            return .takenIn(
                try ShiftOperation(stored: [UInt8](kept["body"] as Data)),
                isContradiction: kept["isContradiction"])
        }
        let refused = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT shift, code, message, reason, parts FROM refusedOperation WHERE id = ?
                    """), arguments: [Data(id)])
        guard let refused else { return nil }
        // Parts that can't be read are left out; an error would keep the device from sending
        // anything else.
        let parts = Refusal.readable(refused["parts"]) ?? Refusal()
        return .refused(
            Refusal(
                code: .init(rawValue: refused["code"]), message: refused["message"],
                reason: refused["reason"], subject: parts.subject, arguments: parts.arguments),
            shift: refused["shift"])
    }

    /// Records that an operation was refused, so that it is never accepted later, out of order.
    static func remember(
        _ refusal: Refusal, of id: [UInt8], in shift: String, by account: String, _ db: Database
    ) throws {
        let parts = Refusal(subject: refusal.subject, arguments: refusal.arguments)
        try db.cachedStatement(
            sql: """
                INSERT INTO refusedOperation (id, shift, account, code, message, reason, parts)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                Data(id), shift, account, refusal.code.rawValue, refusal.message, refusal.reason,
                Data(parts.packed()),
            ])
    }

    /// The ids of an account's operations that were refused in a shift.
    static func refused(
        of account: String, in shift: String, _ db: Database
    ) throws -> Set<[UInt8]> {
        let ids = try Data.fetchAll(
            db.cachedStatement(
                sql: "SELECT id FROM refusedOperation WHERE shift = ? AND account = ?"),
            arguments: [shift, account])
        return Set(ids.map { [UInt8]($0) })
    }
}

extension ShiftOperation {
    /// The maximum size of a page of operations in bytes.
    static let pageBytes = 512 << 10

    /// The operations of a shift after a position: at most `limit`, and about `bytes` bytes.
    ///
    /// - Parameters:
    ///   - shift: the id of the shift.
    ///   - sequence: the position.
    ///   - limit: the maximum number of operations.
    ///   - bytes: the approximate maximum size of all together.
    ///   - account: when given, only this account's operations and the end of the shift are
    ///     returned.
    ///   - db: the store.
    static func all(
        of shift: String, after sequence: UInt64 = 0, limit: Int = .max, bytes: Int = .max,
        by account: String? = nil, _ db: Database
    ) throws -> [ShiftOperation] {
        let rows = try Data.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT body FROM operation WHERE shift = ? AND sequence > ?
                    ORDER BY sequence
                    """), arguments: [shift, Int64(clamping: sequence)])
        var operations: [ShiftOperation] = []
        var size = 0
        while operations.count < limit, let row = try rows.next() {
            let operation = try ShiftOperation(stored: [UInt8](row))
            if let account, operation.actor != account, !operation.isEnd { continue }
            size += row.count
            if size > bytes, !operations.isEmpty { break }
            operations.append(operation)
        }
        return operations
    }

    /// Calls `body` with the operations of a shift, page by page, for a snapshot.
    static func eachPage(
        of shift: String, in transaction: Transaction, _ body: ([ShiftOperation]) throws -> Void
    ) throws {
        var page: [ShiftOperation] = []
        var size = 0
        try eachRow(
            "operation",
            """
            SELECT body, shift, length(body) FROM operation WHERE shift = ? ORDER BY sequence
            """, [shift], in: transaction
        ) { operation, row in
            let bytes: Int = row[2]
            if size + bytes > pageBytes, !page.isEmpty {
                try body(page)
                (page, size) = ([], 0)
            }
            page.append(operation)
            size += bytes
        }
        if !page.isEmpty { try body(page) }
    }

    private var isEnd: Bool {
        if case .ended = change { true } else { false }
    }
}
