import Foundation
import GRDB
import Messages
import Texts

extension ShiftFigures {
    /// Saves the figures of a shift: a row for the shift, one for each done to-do, one for each
    /// list. `text` is the number of the words by which the shift is found.
    func save(text: Int64, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO shiftFigures
                    (shift, site, siteName, date, manager, managerName, text, totals)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                shift.id, shift.site, shift.siteName, shift.date, shift.managerName,
                FoldedText.name(shift.managerName), text, Data(totals.packed()),
            ])
        let lead = try db.cachedStatement(sql: "INSERT INTO todoLead (shift, lead) VALUES (?, ?)")
        for time in leads { try lead.execute(arguments: [shift.id, time]) }
        for list in lists {
            try db.execute(
                sql: """
                    INSERT INTO listFigures (shift, template, version, findings)
                    VALUES (?, ?, ?, ?)
                    """,
                arguments: [shift.id, list.template, Int64(list.version), Data(list.findings)])
        }
    }
}

/// The shifts that statistics cover.
struct FigureRange {
    /// The ids of the sites.
    let sites: [String]
    /// A part of the manager's name; may be empty.
    let manager: String
    /// The first local date; may be empty.
    let from: String
    /// The last local date; may be empty.
    let to: String

    /// The figures of the shifts, grouped.
    func gathered(by gathering: Gathering, _ db: Database) throws -> [StatisticsRow] {
        var leads: [String: [Int64]] = [:]
        let times = try Row.fetchCursor(
            db,
            sql: """
                SELECT f.shift, lead FROM shiftFigures f JOIN todoLead USING (shift)
                WHERE \(Self.condition)
                """,
            arguments: try arguments())
        while let row = try times.next() { leads[row[0], default: []].append(row[1]) }
        var gathered: [String: GatheredFigures] = [:]
        let shifts = try Row.fetchCursor(
            db,
            sql: """
                SELECT shift, date, manager, siteName, totals FROM shiftFigures f
                WHERE \(Self.condition)
                """,
            arguments: try arguments())
        while let row = try shifts.next() {
            let group = gathering.group(date: row[1], manager: row[2], site: row[3])
            gathered[group.name, default: GatheredFigures(group)].add(
                try ShiftTotals(stored: [UInt8](row[4] as Data)), leads: leads[row[0]] ?? [])
        }
        for (group, count) in try missed(by: gathering, db) {
            gathered[group.name, default: GatheredFigures(group)].addMissed(count)
        }
        return gathered.values.map(\.row).sorted { $0.name < $1.name }
    }

    /// The numbers of the scheduled shifts that did not begin, grouped.
    private func missed(by gathering: Gathering, _ db: Database) throws -> [FigureGroup: UInt32] {
        var counts: [FigureGroup: UInt32] = [:]
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT f.date, f.manager, f.siteName, count(*) FROM scheduledStart f
                WHERE \(Self.condition) AND outcome = :missed AND isAside = 0
                GROUP BY f.date, f.manager, f.siteName
                """,
            arguments: try arguments() + ["missed": Int(StartOutcome.missed.rawValue)])
        while let row = try rows.next() {
            let group = gathering.group(date: row[0], manager: row[1], site: row[2])
            counts[group, default: 0] += UInt32(clamping: row[3] as Int64)
        }
        return counts
    }

    /// The findings of each task, under its latest name: first what was most often not ok, then by
    /// name.
    func tasks(_ db: Database) throws -> [StatisticsRow] {
        var counts: [String: [UInt32: TaskCounts]] = [:]
        let lists = try Row.fetchCursor(
            db,
            sql: """
                SELECT template, version, findings
                FROM shiftFigures f JOIN listFigures USING (shift) WHERE \(Self.condition)
                """,
            arguments: try arguments())
        while let row = try lists.next() {
            let version = UInt32(clamping: row[1] as Int64)
            counts[row[0], default: [:]][version, default: TaskCounts()].add(row[2] as Data)
        }
        var rows: [StatisticsRow] = []
        for (template, versions) in counts {
            var tasks: [String: StatisticsRow] = [:]
            for (version, counts) in versions.sorted(by: { $0.key < $1.key }) {
                guard let list = try TemplateRow.version(version, of: template, db) else {
                    continue
                }
                for (task, row) in counts.rows(of: list.template) {
                    tasks[task] = row.adding(tasks[task])
                }
            }
            rows += tasks.values
        }
        return rows.sorted {
            ($0.totals?.notOk ?? 0, $1.name) > ($1.totals?.notOk ?? 0, $0.name)
        }
    }

    static let condition = """
        f.site IN (SELECT value FROM json_each(:sites))
        AND (:from = '' OR f.date >= :from) AND (:to = '' OR f.date <= :to)
        AND instr(f.managerName, :manager) > 0
        """

    func arguments() throws -> StatementArguments {
        let sites = String(decoding: try JSONEncoder().encode(sites), as: UTF8.self)
        return ["sites": sites, "manager": manager, "from": from, "to": to]
    }
}

extension StatisticsRow {
    /// The sum with the figures of an older version.
    func adding(_ other: StatisticsRow?) -> StatisticsRow {
        guard let other else { return self }
        var sum = self
        sum.shifts += other.shifts
        sum.totals?.add(other.totals ?? ShiftTotals())
        return sum
    }
}
