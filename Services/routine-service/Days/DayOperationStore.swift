import Foundation
import GRDB
import Messages
import RoutineDay
import ServiceRuntime

/// The operations that devices have sent for days.
enum DayOperationStore {
    /// The operations sent for a day, in the order in which they came. One that can't be read is
    /// left out and reported, so that the day can still be changed.
    static func all(
        of person: String, _ date: String, in transaction: Transaction
    ) throws -> [DayJournal.Entry] {
        try Row.fetchAll(
            transaction.db.cachedStatement(
                sql: """
                    SELECT operation, effect, isUndone FROM dayOperation
                    WHERE person = ? AND date = ? ORDER BY number
                    """), arguments: [person, date]
        ).compactMap { row in
            let operation = try transaction.readable("day operation") {
                try DayOperation(stored: [UInt8](row["operation"] as Data))
            }
            return operation.map {
                DayJournal.Entry(
                    $0, effect: DayJournal.Effect(rawValue: row["effect"]) ?? .none,
                    isUndone: row["isUndone"])
            }
        }
    }

    /// Replaces the operations of a day.
    static func save(
        _ entries: [DayJournal.Entry], of person: String, _ date: String, _ db: Database
    ) throws {
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO dayOperation
                    (person, date, number, operation, effect, isUndone) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET operation = excluded.operation,
                    effect = excluded.effect, isUndone = excluded.isUndone
                """)
        for (number, entry) in entries.enumerated() {
            try insert.execute(
                arguments: [
                    person, date, number, Data(entry.operation.packed()), entry.effect.rawValue,
                    entry.isUndone,
                ])
        }
        // Their numbers have changed if one of them could not be read.
        try db.cachedStatement(
            sql: "DELETE FROM dayOperation WHERE person = ? AND date = ? AND number >= ?"
        ).execute(arguments: [person, date, entries.count])
    }
}
