import Foundation
import GRDB
import Messages

extension ShiftAlert {
    /// The alerts that a shift has raised and not taken back.
    static func all(of shift: String, _ db: Database) throws -> [ShiftAlert] {
        try fetch(db, "WHERE shift = ? ORDER BY key", [shift]).map(\.alert)
    }

    /// The alert of a key, and its shift.
    static func ofKey(
        _ key: String, _ db: Database
    ) throws -> (shift: String, alert: ShiftAlert)? {
        try fetch(db, "WHERE key = ?", [key]).first
    }

    /// Writes it as it stands.
    func save(of shift: String, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO shiftAlert (key, shift, due, since, isAcknowledged, alert)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [key, shift, due, since, isAcknowledged, Data(raised.packed())])
    }

    /// Forgets the alert of a key.
    static func delete(_ key: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM shiftAlert WHERE key = ?", arguments: [key])
    }

    private static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [(shift: String, alert: ShiftAlert)] {
        let statement = try db.cachedStatement(
            sql: "SELECT shift, key, due, since, isAcknowledged, alert FROM shiftAlert \(condition)"
        )
        return try Row.fetchAll(statement, arguments: arguments).map {
            let alert = ShiftAlert(
                key: $0["key"], due: $0["due"], since: $0["since"],
                isAcknowledged: $0["isAcknowledged"],
                raised: try AlertRaised(stored: [UInt8]($0["alert"] as Data)))
            return ($0["shift"], alert)
        }
    }
}
