import Dates
import GRDB
import Messages
import RoutineDay

/// Stores how long actions really took, by day.
enum MeasureStore {
    /// How many days measures are kept.
    private static let memory = 400

    /// Replaces the measures of a day, and deletes those that are too old.
    ///
    /// - Parameters:
    ///   - day: the day.
    ///   - number: the day from which age is counted, in days since 1970-01-01.
    ///   - db: the store.
    static func keep(_ day: Day, _ number: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM measure WHERE person = ? AND date = ?")
            .execute(arguments: [day.person, day.date])
        let measures = day.measures
        guard !measures.isEmpty else { return }
        let insert = try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO measure (person, date, step, action, ended, length)
                VALUES (?, ?, ?, ?, ?, ?)
                """)
        for measure in measures {
            try insert.execute(
                arguments: [
                    day.person, day.date, measure.step, measure.action, measure.ended,
                    measure.length,
                ])
        }
        let oldest = CivilDate(daysSince1970: max(0, Int(number) - memory)).iso
        try db.cachedStatement(sql: "DELETE FROM measure WHERE person = ? AND date < ?")
            .execute(arguments: [day.person, oldest])
    }

    /// Returns the latest measures of each action of a person, in milliseconds, the newest first.
    static func lengths(of person: String, _ db: Database) throws -> [String: [Int64]] {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: "SELECT action, length FROM measure WHERE person = ? ORDER BY ended DESC"),
            arguments: [person])
        var lengths: [String: [Int64]] = [:]
        while let row = try rows.next() {
            let action: String = row["action"]
            guard lengths[action, default: []].count < Measure.most else { continue }
            lengths[action, default: []].append(row["length"])
        }
        return lengths
    }
}
