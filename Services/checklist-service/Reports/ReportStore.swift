import Foundation
import GRDB
import Messages
import ServiceRuntime

/// The reports that are mailed every week.
enum ReportRow {
    /// The table.
    static let schema = """
        CREATE TABLE siteReport (
            id TEXT NOT NULL PRIMARY KEY, organisation TEXT NOT NULL, report BLOB NOT NULL
        ) WITHOUT ROWID, STRICT;
        """

    /// The report with an id.
    static func ofID(_ id: String, _ db: Database) throws -> SiteReport? {
        try Data.fetchOne(
            db, sql: "SELECT report FROM siteReport WHERE id = ?", arguments: [id]
        ).map { try SiteReport(stored: [UInt8]($0)) }
    }

    /// All reports that can be read, in the order in which they were scheduled.
    static func all(_ db: Database) throws -> [SiteReport] {
        try Data.fetchAll(db, sql: "SELECT report FROM siteReport ORDER BY id")
            .compactMap(SiteReport.readable)
    }

    /// Calls `body` with all reports, for a snapshot.
    static func each(in transaction: Transaction, _ body: (SiteReport) throws -> Void) throws {
        try SiteReport.eachRow(
            "report", "SELECT report, id FROM siteReport ORDER BY id", in: transaction
        ) { report, _ in try body(report) }
    }

    /// The ids of all reports.
    static func ids(_ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT id FROM siteReport ORDER BY id")
    }

    static func save(_ report: SiteReport, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO siteReport (id, organisation, report) VALUES (?, ?, ?)",
            arguments: [report.id, report.organisation, Data(report.packed())])
    }

    static func delete(_ id: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM siteReport WHERE id = ?", arguments: [id])
    }
}
