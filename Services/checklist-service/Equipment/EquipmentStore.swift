import Foundation
import GRDB
import Messages
import ServiceRuntime
import Texts

extension Equipment {
    /// The maximum number of pieces of equipment that an account may name at a site. It is higher
    /// for an account that leads shifts, since one person may enter everything that a large site
    /// has.
    static let (mostNamed, mostNamedByLeader) = (500, 2_000)
    /// The maximum numbers of entries of a history that are read and that are kept.
    static let (entriesTold, entriesKept) = (100, 1_000)
    /// The size in bytes that all histories of a list share, and the maximum size of a page of it,
    /// which has room for the pieces as well. The newest entry of each is read even if it is larger
    /// than its share; then there are more pages.
    static let (bytesTold, bytesOfPage) = (512 << 10, 768 << 10)

    /// The equipment of a site, ordered by name, without its history.
    static func all(at site: String, _ db: Database) throws -> [Equipment] {
        try fetch(db, "WHERE site = ? ORDER BY name", [site])
    }

    /// Calls `body` with the equipment of all sites, without its history, for a snapshot.
    static func each(in transaction: Transaction, _ body: (Equipment) throws -> Void) throws {
        try eachRow(
            "equipment", "SELECT equipment, id FROM equipment ORDER BY name", in: transaction
        ) { equipment, _ in try body(equipment) }
    }

    /// The piece of equipment with a name.
    static func named(_ name: String, at site: String, _ db: Database) throws -> Equipment? {
        try fetch(db, "WHERE site = ? AND name = ?", [site, FoldedText.name(name)]).first
    }

    /// How many pieces of equipment an account has named at a site.
    static func count(namedBy account: String, at site: String, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db, sql: "SELECT count(*) FROM equipment WHERE site = ? AND account = ?",
            arguments: [site, account]) ?? 0
    }

    /// Its history, newest first: the newest entry, and as many before it as fit into `bytes`.
    func entries(bytes: Int, _ db: Database) throws -> [EquipmentEntry] {
        let bodies = try Data.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT entry FROM equipmentEntry WHERE equipment = ? ORDER BY id DESC LIMIT ?
                    """), arguments: [id, Self.entriesTold])
        var entries: [EquipmentEntry] = []
        var size = 0
        while let body = try bodies.next() {
            size += body.count
            guard entries.isEmpty || size <= bytes else { break }
            entries.append(try EquipmentEntry(stored: [UInt8](body)))
        }
        return entries
    }

    /// Saves it, and adds an entry to its history, of which the newest ``entriesKept`` are kept.
    ///
    /// - Parameter account: the account that has named it, if it is new.
    func save(_ entry: EquipmentEntry, namedBy account: String, _ db: Database) throws {
        var bare = self
        bare.history = []
        try db.execute(
            sql: """
                INSERT INTO equipment (id, site, name, account, equipment) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET equipment = excluded.equipment
                """,
            arguments: [id, site, FoldedText.name(name), account, Data(bare.packed())])
        try db.execute(
            sql: "INSERT INTO equipmentEntry (equipment, entry) VALUES (?, ?)",
            arguments: [id, Data(entry.packed())])
        try db.execute(
            sql: """
                DELETE FROM equipmentEntry WHERE id IN (
                    SELECT id FROM equipmentEntry WHERE equipment = ?
                    ORDER BY id DESC LIMIT -1 OFFSET ?)
                """, arguments: [id, Self.entriesKept])
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
    /// The maximum number of spare parts of a site.
    static let most = 5_000

    /// The parts of a site, ordered by name.
    static func all(at site: String, _ db: Database) throws -> [SparePart] {
        try Data.fetchAll(
            db, sql: "SELECT part FROM sparePart WHERE site = ? ORDER BY name, number",
            arguments: [site]
        ).map { try SparePart(stored: [UInt8]($0)) }
    }

    /// Inserts or replaces its row.
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
