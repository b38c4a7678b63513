import Foundation
import GRDB
import Messages
import ServiceRuntime
import ShiftLog

/// A mail that is still to be made.
struct MailOrder: Sendable {
    /// The key of the request to the notifier.
    let key: String
    let shift: String
    /// The area of the to-do list; empty for the pre-shift lists.
    let area: String
    /// The recipients' addresses.
    let to: [String]
    /// The newest sequence that the lists include.
    let head: UInt64

    /// Marks the next order as under way, and returns it with the state of its shift when it was
    /// ordered.
    static func take(_ transaction: Transaction) throws -> (order: MailOrder, state: ShiftState)? {
        let db = transaction.db
        let statement = try db.cachedStatement(
            sql: "SELECT * FROM mailOrder WHERE isTaken = 0 ORDER BY key LIMIT 1")
        guard let row = try Row.fetchOne(statement) else { return nil }
        let key: String = row["key"]
        return try transaction.sparingOthers("papers") {
            () -> (order: MailOrder, state: ShiftState)? in
            try mark(key, db)
            let order = try MailOrder(row)
            guard let shift = try ShiftRow.ofID(order.shift, db) else {
                try order.delete(db)
                return nil
            }
            return (order, try shift.folded(db, upTo: order.head))
        } putAside: { _ in
            // The order is tried again at the next start.
            try mark(key, db)
        }
    }

    private static func mark(_ key: String, _ db: Database) throws {
        try db.execute(sql: "UPDATE mailOrder SET isTaken = 1 WHERE key = ?", arguments: [key])
    }

    /// Unmarks the orders that were under way when the process was killed.
    static func putBack(_ db: Database) throws {
        try db.execute(sql: "UPDATE mailOrder SET isTaken = 0 WHERE isTaken = 1")
    }

    func save(_ db: Database) throws {
        let addresses = String(decoding: try JSONEncoder().encode(to), as: UTF8.self)
        try db.execute(
            sql: """
                INSERT INTO mailOrder (key, shift, area, addresses, head, isTaken)
                VALUES (?, ?, ?, ?, ?, 0)
                """,
            arguments: [key, shift, area, addresses, Int64(clamping: head)])
    }

    func delete(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM mailOrder WHERE key = ?", arguments: [key])
    }
}

extension MailOrder {
    private init(_ row: Row) throws {
        let addresses = Data((row["addresses"] as String).utf8)
        self.init(
            key: row["key"], shift: row["shift"], area: row["area"],
            to: try JSONDecoder().decode([String].self, from: addresses),
            head: UInt64(clamping: row["head"] as Int64))
    }
}
