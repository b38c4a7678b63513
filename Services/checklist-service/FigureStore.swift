import Foundation
import GRDB
import Messages
import ShiftLog

extension ShiftFigures {
    /// Keeps what a shift came to: a row for it, one for each to-do done, one for each task.
    func save(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO shiftFigures (shift, site, date, managerName, totals)
                VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [
                shift.id, shift.site, shift.date, SiteRow.folded(shift.managerName),
                Data(totals.packed()),
            ])
        let lead = try db.cachedStatement(sql: "INSERT INTO todoLead (shift, lead) VALUES (?, ?)")
        for time in leads { try lead.execute(arguments: [shift.id, time]) }
        let row = try db.cachedStatement(
            sql: """
                INSERT INTO taskFigures
                    (site, date, shift, list, task, name, ok, notOk, notApplicable, overdue)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        for task in tasks {
            try row.execute(
                arguments: [
                    shift.site, shift.date, shift.id, task.list, task.task, task.name,
                    task.state == .ok, task.state == .notOk, task.state == .notApplicable,
                    task.wasOverdue,
                ])
        }
    }
}

/// Which shifts the statistics are of.
struct FigureRange {
    /// The ids of the sites.
    let sites: [String]
    /// A part of the manager's name; may be empty.
    let manager: String
    /// First local date; may be empty.
    let from: String
    /// Last local date; may be empty.
    let to: String

    /// The shifts, with what each came to and the times of its to-dos.
    func shifts(_ db: Database) throws -> [(shift: Shift, totals: ShiftTotals, leads: [Int64])] {
        var leads: [String: [Int64]] = [:]
        let times = try Row.fetchCursor(
            db,
            sql: """
                SELECT todoLead.shift, lead FROM todoLead JOIN shiftFigures f
                ON f.shift = todoLead.shift WHERE \(Self.condition)
                """,
            arguments: arguments())
        while let row = try times.next() { leads[row[0], default: []].append(row[1]) }
        return try Row.fetchAll(
            db,
            sql: """
                SELECT shift.shift, totals FROM shiftFigures f JOIN shift ON id = f.shift
                WHERE \(Self.condition)
                """,
            arguments: arguments()
        ).map {
            let shift = try Shift(unpacking: [UInt8]($0[0] as Data))
            let totals = try ShiftTotals(unpacking: [UInt8]($0[1] as Data))
            return (shift, totals, leads[shift.id] ?? [])
        }
    }

    /// How each task was found, in order of its name.
    func tasks(_ db: Database) throws -> [StatisticsRow] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT max(name), count(*), sum(ok), sum(notOk), sum(notApplicable), sum(overdue)
                FROM taskFigures f WHERE \(manager.isEmpty ? Self.place : Self.led)
                GROUP BY list, task ORDER BY 1
                """,
            arguments: arguments(named: !manager.isEmpty)
        ).map { row in
            let count: (Int) -> UInt32 = { UInt32(clamping: row[$0] as Int64) }
            return StatisticsRow(
                name: row[0], shifts: count(1),
                totals: ShiftTotals(
                    tasks: count(1), ok: count(2), notOk: count(3), notApplicable: count(4),
                    overdue: count(5)))
        }
    }

    private static let place = """
        f.site IN (SELECT value FROM json_each(:sites))
        AND (:from = '' OR f.date >= :from) AND (:to = '' OR f.date <= :to)
        """
    private static let condition = """
        f.site IN (SELECT value FROM json_each(:sites))
        AND (:from = '' OR f.date >= :from) AND (:to = '' OR f.date <= :to)
        AND instr(f.managerName, :manager) > 0
        """
    private static let led = """
        f.shift IN (SELECT shift FROM shiftFigures f WHERE \(condition))
        """

    private func arguments(named: Bool = true) throws -> StatementArguments {
        let sites = String(decoding: try JSONEncoder().encode(sites), as: UTF8.self)
        let arguments: StatementArguments = ["sites": sites, "from": from, "to": to]
        return named ? arguments + ["manager": manager] : arguments
    }
}
