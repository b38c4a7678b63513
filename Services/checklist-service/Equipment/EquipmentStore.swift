import Foundation
import GRDB
import Messages
import Texts

extension Equipment {
    /// Most entries of a history that are read; all are kept.
    static let entriesTold = 100
    /// Most bytes of the histories that are read together, so that they fit into one message.
    static let bytesTold = 512 << 10

    /// The pieces of a site, or of all, in order of their name, without their history.
    static func all(at site: String?, _ db: Database) throws -> [Equipment] {
        try fetch(db, "WHERE ?1 IS NULL OR site = ?1 ORDER BY name", [site])
    }

    /// The piece of a name.
    static func named(_ name: String, at site: String, _ db: Database) throws -> Equipment? {
        try fetch(db, "WHERE site = ? AND name = ?", [site, FoldedText.name(name)]).first
    }

    /// What happened to it, newest first: the newest entry, and those before it that fit into so
    /// many bytes.
    func entries(bytes: Int = .max, _ db: Database) throws -> [EquipmentEntry] {
        let bodies = try Data.fetchAll(
            db,
            sql: "SELECT entry FROM equipmentEntry WHERE equipment = ? ORDER BY id DESC LIMIT ?",
            arguments: [id, Self.entriesTold])
        var size = 0
        return try bodies.enumerated().prefix { index, body in
            size += body.count
            return index == 0 || size <= bytes
        }.map { try EquipmentEntry(stored: [UInt8]($1)) }
    }

    /// Writes it as it stands, and what happened to it.
    func save(_ entry: EquipmentEntry, _ db: Database) throws {
        var bare = self
        bare.history = []
        try db.execute(
            sql: """
                INSERT INTO equipment (id, site, name, equipment) VALUES (?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET equipment = excluded.equipment
                """,
            arguments: [id, site, FoldedText.name(name), Data(bare.packed())])
        try db.execute(
            sql: "INSERT INTO equipmentEntry (equipment, entry) VALUES (?, ?)",
            arguments: [id, Data(entry.packed())])
    }

    private static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [Equipment] {
        try Data.fetchAll(
            db, sql: "SELECT equipment FROM equipment \(condition)", arguments: arguments
        ).map { try Equipment(stored: [UInt8]($0)) }
    }
}

extension SparePart {
    /// The parts of a site, in order of their name.
    static func all(at site: String, _ db: Database) throws -> [SparePart] {
        try Data.fetchAll(
            db, sql: "SELECT part FROM sparePart WHERE site = ? ORDER BY name, number",
            arguments: [site]
        ).map { try SparePart(stored: [UInt8]($0)) }
    }

    /// Writes it as it stands.
    func save(_ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO sparePart (site, name, number, part) VALUES (?, ?, ?, ?)",
            arguments: [site, FoldedText.name(name), number, Data(packed())])
    }

    /// Deletes it.
    func delete(_ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM sparePart WHERE site = ? AND name = ? AND number = ?",
            arguments: [site, FoldedText.name(name), number])
    }
}
