import Foundation
import GRDB
import Messages
import Texts

/// The libraries of the organisations.
enum LibraryStore {
    /// The item with a label.
    static func item(
        _ label: String, of organisation: String, _ db: Database
    ) throws -> LibraryItem? {
        try Data.fetchOne(
            db.cachedStatement(
                sql: "SELECT item FROM libraryItem WHERE organisation = ? AND name = ?"),
            arguments: [organisation, FoldedText.name(label)]
        ).map { try LibraryItem(stored: [UInt8]($0)) }
    }

    /// The items whose labels match every typed word, by label.
    static func all(
        of organisation: String, with typed: String, _ db: Database
    ) throws -> [LibraryItem] {
        try Data.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT item FROM libraryItem WHERE organisation = ?1 AND NOT EXISTS (
                        SELECT 1 FROM json_each(?2) WHERE instr(words, value) = 0)
                    ORDER BY name
                    """), arguments: [organisation, try SearchText.words(typed)]
        ).map { try LibraryItem(stored: [UInt8]($0)) }
    }

    /// The size of an organisation's items, in bytes, without the item with a label.
    static func bytes(
        of organisation: String, without label: String, _ db: Database
    ) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT ifnull(sum(length(item)), 0) FROM libraryItem
                    WHERE organisation = ? AND name != ?
                    """), arguments: [organisation, FoldedText.name(label)]) ?? 0
    }

    static func save(_ item: LibraryItem, of organisation: String, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO libraryItem (organisation, name, words, item)
                VALUES (?, ?, ?, ?)
                """,
            arguments: [
                organisation, FoldedText.name(item.label), FoldedText.line(item.label),
                Data(item.packed()),
            ])
    }

    static func delete(_ label: String, of organisation: String, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM libraryItem WHERE organisation = ? AND name = ?",
            arguments: [organisation, FoldedText.name(label)])
    }
}
