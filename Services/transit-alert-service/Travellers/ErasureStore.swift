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

    static func delete(_ id: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM erasure WHERE id = ?", arguments: [id])
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
