import Dates
import Messages
import Texts

/// Reads issues from a table: a row for each, in columns of any order. Only the subject is needed.
package struct IssueTableReader {
    /// The maximum number of relations in a cell.
    private static let mostRelations = 200

    private let columns: [IssueColumn: Int]
    private let names: [String]
    private var found = ImportedIssues()
    /// The index of the issue on each line.
    private var places: [Int: Int] = [:]
    /// The line of each issue by its number in the table.
    private var lines: [UInt32: Int] = [:]

    /// The issues of a file.
    ///
    /// - Throws: ``ProjectFileError`` with the line and the column of what can't be read.
    package static func read(_ bytes: [UInt8]) throws(ProjectFileError) -> ImportedIssues {
        let table = try CSVTable(bytes)
        var reader = try IssueTableReader(table.head)
        for row in table.rows { try reader.take(row) }
        for row in table.rows { try reader.relate(row) }
        guard !reader.found.issues.isEmpty else {
            throw ProjectFileError("the file has no issues", "give it a row for each")
        }
        return reader.found
    }

    private init(_ head: CSVTable.Row) throws(ProjectFileError) {
        var columns: [IssueColumn: Int] = [:]
        for (index, name) in head.cells.enumerated() where !name.isEmpty {
            guard let column = IssueColumn(head: name) else {
                found.leaveOut("line \(head.line): the column \(name.shown) isn't known")
                continue
            }
            guard columns.updateValue(index, forKey: column) == nil else {
                throw ProjectFileError(
                    line: head.line, column: "column \(name.shown)",
                    "there are two columns for the \(column.rawValue)", "keep one of them")
            }
        }
        guard columns[.subject] != nil else {
            throw ProjectFileError(
                line: head.line, "no column is called subject",
                "begin the file with the names of its columns, such as number,subject,start,due")
        }
        self.columns = columns
        names = head.cells
    }

    private func text(_ column: IssueColumn, _ row: CSVTable.Row) -> String? {
        guard let index = columns[column], index < row.cells.count, !row.cells[index].isEmpty
        else { return nil }
        return row.cells[index]
    }

    private func error(
        _ column: IssueColumn, _ row: CSVTable.Row, _ reason: String, _ cure: String
    ) -> ProjectFileError {
        let name = columns[column].map { names[$0] } ?? column.rawValue
        return ProjectFileError(line: row.line, column: "column \(name)", reason, cure)
    }

    // MARK: A row

    private mutating func take(_ row: CSVTable.Row) throws(ProjectFileError) {
        guard let subject = text(.subject, row) else {
            throw error(.subject, row, "the issue has no subject", "say what it is")
        }
        var issue = TrackedIssue(
            number: UInt32(row.line), subject: CSVRow.text(subject),
            description: CSVRow.text(text(.description, row) ?? "").withPlainLines,
            tracker: CSVRow.text(text(.tracker, row) ?? ""),
            status: CSVRow.text(text(.status, row) ?? ""))
        if let number = try number(.number, row) {
            if let other = lines.updateValue(row.line, forKey: number) {
                throw error(
                    .number, row, "line \(other) has the number \(number) too",
                    "give each issue a number of its own")
            }
        }
        issue.priority = try priority(row)
        if let name = text(.assignee, row) {
            issue.assignee = found.member(CSVRow.text(name))
        }
        if let name = text(.version, row) {
            issue.version = found.version(CSVRow.text(name))
        }
        issue.start = try day(.start, row)
        issue.due = try day(.due, row)
        if !issue.start.isEmpty, !issue.due.isEmpty, issue.due < issue.start {
            throw error(
                .due, row, "\(issue.due) is before the start, \(issue.start)",
                "change one of them")
        }
        if let text = text(.estimate, row) {
            guard let minutes = Effort.minutes(of: text) else {
                throw error(
                    .estimate, row, "\(text.shown) isn't a working time",
                    "write hours as 7:30, 7.5 or 450m")
            }
            issue.estimate = minutes
        }
        issue.done = try percent(row)
        issue.milestone = try flag(.milestone, row)
        issue.fixed = try flag(.fixed, row)
        if let text = text(.skills, row) {
            let skills = CSVRow.text(text).split(separator: ";").map {
                String($0).trimmingSpaces
            }.filter { !$0.isEmpty }
            issue.skills = Array(Set(skills)).sorted()
        }
        places[row.line] = found.issues.count
        found.issues.append(issue)
        // The number of a row's issue is its line.
        found.lines[issue.number] = row.line
    }

    private func number(
        _ column: IssueColumn, _ row: CSVTable.Row
    ) throws(ProjectFileError) -> UInt32? {
        guard let text = text(column, row) else { return nil }
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard let number = UInt32(digits), number > 0 else {
            throw error(column, row, "\(text.shown) isn't the number of an issue", "write it as 12")
        }
        return number
    }

    private func day(
        _ column: IssueColumn, _ row: CSVTable.Row
    ) throws(ProjectFileError) -> String {
        guard let text = text(column, row) else { return "" }
        guard text.utf8.count == 10, let day = CivilDate(iso: text) else {
            throw error(column, row, "\(text.shown) isn't a day", "write it as 2026-03-31")
        }
        return day.iso
    }

    private func percent(_ row: CSVTable.Row) throws(ProjectFileError) -> UInt32 {
        guard let text = text(.done, row) else { return 0 }
        let digits = (text.hasSuffix("%") ? String(text.dropLast()) : text).trimmingSpaces
        guard let percent = UInt32(digits), percent <= 100 else {
            throw error(.done, row, "\(text.shown) isn't a percentage", "write 0 to 100")
        }
        return percent
    }

    private func flag(
        _ column: IssueColumn, _ row: CSVTable.Row
    ) throws(ProjectFileError) -> Bool {
        switch text(column, row)?.lowercased() {
        case nil, "no", "false", "0": return false
        case "yes", "true", "1": return true
        case let text?:
            throw error(column, row, "\(text.shown) is neither yes nor no", "write one of them")
        }
    }

    private func priority(_ row: CSVTable.Row) throws(ProjectFileError) -> IssuePriority {
        guard let word = text(.priority, row)?.lowercased() else { return .normal }
        guard let priority = IssuePriority(name: word), priority != .unspecified else {
            throw error(
                .priority, row, "\(word.shown) isn't a priority",
                "write low, normal, high, urgent or immediate")
        }
        return priority
    }

    // MARK: What it refers to

    /// Sets the parent of a row's issue, and adds its relations.
    private mutating func relate(_ row: CSVTable.Row) throws(ProjectFileError) {
        if let parent = try number(.parent, row) {
            let line = try line(of: parent, .parent, row)
            guard let place = places[row.line] else { return }
            found.issues[place].parent = UInt32(line)
        }
        for column in IssueColumn.allCases {
            guard let kind = column.relation, let text = text(column, row) else { continue }
            try relate(row, column, kind, text)
        }
    }

    private mutating func relate(
        _ row: CSVTable.Row, _ column: IssueColumn, _ kind: RelationKind, _ text: String
    ) throws(ProjectFileError) {
        let parts = text.split { ";, ".contains($0) }
        guard parts.count <= Self.mostRelations else {
            throw error(
                column, row, "there are \(parts.count) numbers",
                "write at most \(Self.mostRelations)")
        }
        for part in parts {
            guard let match = part.wholeMatch(of: /#?(\d{1,9})([+-]\d{1,6})?d?/),
                let number = UInt32(match.1), let delay = Int32(match.2 ?? "0"),
                (-100_000...100_000).contains(delay), delay == 0 || kind == .precedes
            else {
                throw error(
                    column, row, "\(String(part).shown) isn't the number of an issue",
                    "write 3, and ; between several; in the column after also 3+2 for two working "
                        + "days in between")
            }
            let line = UInt32(try line(of: number, column, row))
            guard line != row.line else {
                throw error(column, row, "the issue is related to itself", "take it out")
            }
            let ends = kind == .precedes ? (line, UInt32(row.line)) : (UInt32(row.line), line)
            found.relations.append(
                IssueLink(
                    number: UInt32(found.relations.count + 1), kind: kind, from: ends.0,
                    to: ends.1, delay: delay))
        }
    }

    private func line(
        of number: UInt32, _ column: IssueColumn, _ row: CSVTable.Row
    ) throws(ProjectFileError) -> Int {
        guard let line = lines[number] else {
            throw error(
                column, row, "no row has the number \(number)",
                "add it, or give rows numbers in a column called number")
        }
        return line
    }
}

extension String {
    /// The text with line feeds as its only line ends.
    fileprivate var withPlainLines: String {
        replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }
}
