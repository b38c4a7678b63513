import FloorPlan
import Foundation
import GRDB
import Messages

/// The items of plans, one row each.
enum ItemStore {
    /// All items of a plan, in drawing order.
    static func all(of plan: String, _ db: Database) throws -> [DrawnItem] {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: "SELECT position, item FROM item WHERE plan = ? ORDER BY position"),
            arguments: [plan])
        var items: [DrawnItem] = []
        while let row = try rows.next() {
            items.append(
                DrawnItem(
                    position: row[0],
                    item: try PlanItem(stored: [UInt8](row[1] as Data))))
        }
        return items
    }

    /// The items of a plan after the first `count`, as many as fit into a message.
    static func part(
        of plan: String, skipping: Int, bytes: Int, _ db: Database
    ) throws -> [PlanItem] {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: "SELECT item FROM item WHERE plan = ? ORDER BY position LIMIT -1 OFFSET ?"),
            arguments: [plan, skipping])
        var items: [PlanItem] = []
        var size = 0
        while let row = try rows.next() {
            let packed = [UInt8](row[0] as Data)
            size += packed.count
            if size > bytes, !items.isEmpty { break }
            items.append(try PlanItem(stored: packed))
        }
        return items
    }

    /// One item of a plan.
    static func item(_ id: String, of plan: String, _ db: Database) throws -> PlanItem? {
        try Data.fetchOne(
            db.cachedStatement(sql: "SELECT item FROM item WHERE plan = ? AND id = ?"),
            arguments: [plan, id]
        ).map { try PlanItem(stored: [UInt8]($0)) }
    }

    /// Saves changes. Deletes first, so that places become free.
    static func save(_ changes: [DrawnChange], of plan: String, _ db: Database) throws {
        let remove = try db.cachedStatement(sql: "DELETE FROM item WHERE plan = ? AND id = ?")
        for drawn in changes where drawn.change.after == nil {
            try remove.execute(arguments: [plan, drawn.change.id])
        }
        let put = try db.cachedStatement(
            sql: """
                INSERT INTO item (plan, id, position, item) VALUES (?, ?, ?, ?)
                ON CONFLICT (plan, id) DO UPDATE SET item = excluded.item
                """)
        for drawn in changes {
            guard let after = drawn.change.after else { continue }
            try put.execute(
                arguments: [plan, drawn.change.id, drawn.position, Data(after.packed())])
        }
    }

    /// Copies the items of a plan into another, which is empty.
    static func copy(from plan: String, to copy: String, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO item (plan, id, position, item)
                SELECT ?, id, position, item FROM item WHERE plan = ?
                """,
            arguments: [copy, plan])
    }
}
