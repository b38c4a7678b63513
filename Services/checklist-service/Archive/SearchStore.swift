import Foundation
import GRDB
import Messages
import Texts

/// The words by which ended shifts are found.
enum ShiftText {
    /// Saves the words of a shift.
    ///
    /// - Returns: the number by which the figures of the shift refer to them.
    static func keep(_ text: String, _ db: Database) throws -> Int64 {
        try db.execute(sql: "INSERT INTO shiftText (text) VALUES (?)", arguments: [text])
        return db.lastInsertedRowID
    }

    /// Deletes the words of a shift.
    static func forget(_ shift: String, _ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM shiftText
                WHERE rowid = (SELECT text FROM shiftFigures WHERE shift = ?)
                """,
            arguments: [shift])
    }
}

extension FoundShift {
    /// The search result for a scheduled shift that did not begin.
    init(missed row: StartRow, zone: String) {
        self.init(
            shift: Shift(
                site: row.shift.site, siteName: row.siteName, manager: row.shift.manager,
                managerName: row.shift.managerName, dayPart: row.shift.dayPart,
                date: row.start.date, timeZone: zone, started: row.start.due),
            missed: row.start)
    }
}

extension FigureRange {
    /// The sites, dates and managers that a search is for.
    init(_ query: FindShifts, sites: [SiteRow]) {
        self.init(
            sites: sites.map(\.site.id), manager: FoldedText.name(query.manager),
            from: query.from, to: query.to)
    }
}

/// A search for shifts.
struct ShiftSearch {
    private let query: FindShifts
    private let scope: Scope
    private let words: String
    private let limit: Int

    init(_ query: FindShifts, in scope: Scope, limit: Int) {
        self.query = query
        self.scope = scope
        self.limit = limit
        words = SearchWords(query.text).expression
    }

    /// The shifts that were found, newest first.
    func found(_ db: Database) throws -> [FoundShift] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT shift.shift, totals, text FROM shift
                LEFT JOIN shiftFigures ON shiftFigures.shift = id
                WHERE (shift.site IN (SELECT value FROM json_each(:all))
                    OR shift.manager = :account
                        AND shift.site IN (SELECT value FROM json_each(:own)))
                    AND instr(shift.managerName, :name) > 0
                    AND (:from = '' OR shift.date >= :from) AND (:to = '' OR shift.date <= :to)
                    AND (:ended = 0 OR ended > 0) \(query.openOnly ? Self.isOpen : "")
                    AND (:before = 0 OR started < :before)
                    \(words.isEmpty ? "" : Self.matching)
                ORDER BY started DESC, shift.id DESC LIMIT :limit
                """,
            arguments: arguments())
        return try rows.map { row in
            var shift = try Shift(stored: [UInt8](row["shift"] as Data))
            shift.settings = []
            return FoundShift(
                shift: shift,
                totals: try (row["totals"] as Data?).map {
                    try ShiftTotals(stored: [UInt8]($0))
                },
                excerpt: try excerpt(of: row["text"], db))
        }
    }

    /// The same words as in the index of open shifts; without them all shifts would be read.
    private static let isOpen = "AND ended = 0"

    private static let matching = """
        AND text IN (SELECT rowid FROM shiftText WHERE shiftText MATCH :words)
        """

    private func arguments() throws -> StatementArguments {
        var arguments: StatementArguments = [
            "all": try Self.json(scope.sites), "own": try Self.json(scope.ownSites),
            "account": scope.account, "name": FoldedText.name(query.manager), "from": query.from,
            "to": query.to, "ended": query.endedOnly, "before": query.before, "limit": limit,
        ]
        if !words.isEmpty { arguments += ["words": words] }
        return arguments
    }

    /// The part of the text that contains the words.
    private func excerpt(of text: Int64?, _ db: Database) throws -> String {
        guard !words.isEmpty, let text else { return "" }
        return try String.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT snippet(shiftText, 0, '', '', '…', 12) FROM shiftText
                    WHERE shiftText MATCH ? AND rowid = ?
                    """), arguments: [words, text]) ?? ""
    }

    private static func json(_ sites: [SiteRow]) throws -> String {
        String(decoding: try JSONEncoder().encode(sites.map(\.site.id)), as: UTF8.self)
    }
}
