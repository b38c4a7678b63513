import Foundation
import GRDB
import ServiceRuntime

/// The erasures that are not complete.
extension Erasure {
    static func kept(_ id: String, _ db: Database) throws -> Erasure? {
        try String.fetchOne(db, sql: "SELECT erasure FROM erasure WHERE id = ?", arguments: [id])
            .map { try JSONDecoder().decode(Erasure.self, from: Data($0.utf8)) }
    }

    func save(_ id: String, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO erasure (id, erasure) VALUES (?, ?)",
            arguments: [id, String(decoding: try JSONEncoder().encode(self), as: UTF8.self)])
    }

    /// The id of the erasure that waits for the end of another.
    static func next(after id: String) -> String { id + " next" }

    /// Deletes an erasure, and puts the one that waits for its end in its place.
    ///
    /// - Returns: false if none waits.
    static func replaceByNext(_ id: String, _ db: Database) throws -> Bool {
        try db.execute(sql: "DELETE FROM erasure WHERE id = ?", arguments: [id])
        try db.execute(
            sql: "UPDATE erasure SET id = ? WHERE id = ?", arguments: [id, next(after: id)])
        return db.changesCount > 0
    }
}

extension JourneyWatch {
    static func hasActive(owner: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM journey WHERE owner = ? AND isActive = 1)",
            arguments: [owner]) ?? false
    }

    static func ids(owner: String, _ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT id FROM journey WHERE owner = ?", arguments: [owner])
    }

    static func deleteAll(of owner: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM journey WHERE owner = ?", arguments: [owner])
    }
}
