import Foundation
import GRDB
import Messages
import RoutineDay

/// The operations that devices have sent for days.
enum DayOperationStore {
    /// The operations sent for a day, in the order in which they came.
    static func all(
        of person: String, _ date: String, _ db: Database
    ) throws -> [DayJournal.Entry] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT operation, effect, isUndone FROM dayOperation
                    WHERE person = ? AND date = ? ORDER BY number
                    """), arguments: [person, date]
        ).map {
            DayJournal.Entry(
                try DayOperation(stored: [UInt8]($0["operation"] as Data)),
                effect: DayJournal.Effect(rawValue: $0["effect"]) ?? .none,
                isUndone: $0["isUndone"])
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
    }
}
