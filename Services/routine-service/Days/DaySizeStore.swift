import Dates
import GRDB
import Messages
import ServiceRuntime

/// The size of a person's days, with what devices recorded for them, and whether there is room for
/// more.
enum DaySize {
    /// The size from which no day is added, in bytes: 256 MiB. A full day has some 20 KiB.
    static let most = 256 << 20
    /// How many days after its date a day may be deleted to make room for others.
    static let memory: Int64 = 400
    /// How many days are deleted at once.
    private static let portion = 20

    private static let sizes = RowSizes(in: "daySize", of: "person")

    static func makeTable(_ db: Database) throws {
        try sizes.makeTable(for: ["day": ["day"], "dayOperation": ["operation"]], db)
    }

    /// Deletes the oldest days of a person when all of them together are too large.
    ///
    /// - Throws: a `Refusal` if those that remain still are.
    static func makeRoom(for person: String, in transaction: Transaction) throws {
        let number = transaction.retentionTime / 86_400_000 - memory
        let date = CivilDate(daysSince1970: max(0, Int(number))).iso
        try makeRoom(for: person, deletingBefore: date, transaction.db)
    }

    /// The same, with the date before which days may be deleted.
    static func makeRoom(
        for person: String, deletingBefore date: String, _ db: Database
    ) throws {
        while try sizes.total(of: person, db).bytes >= most {
            let last = try String.fetchOne(
                db,
                sql: """
                    SELECT max(date) FROM (
                        SELECT date FROM day WHERE person = ? AND date < ? ORDER BY date LIMIT ?)
                    """, arguments: [person, date, portion])
            guard let last else { throw Refusal.daysFull }
            for table in ["dayOperation", "dayBefore", "day"] {
                try db.execute(
                    sql: "DELETE FROM \(table) WHERE person = ? AND date <= ?",
                    arguments: [person, last])
            }
        }
    }
}

extension Refusal {
    /// The refusal of another day of a person whose days are too large.
    fileprivate static let daysFull = Refusal.conflict(
        "the days have \(DaySize.most >> 20) MiB together, and no more are kept; plan fewer days "
            + "ahead, or fewer actions in a day"
    ).because(.dayLarge, ["most": "\(DaySize.most >> 20)"])
}
