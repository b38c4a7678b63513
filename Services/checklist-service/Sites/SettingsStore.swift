import Foundation
import GRDB
import Messages
import ServiceRuntime
import ShiftLog

extension SiteSettings {
    /// The settings of a site, or the standard ones.
    static func of(_ site: String, _ db: Database) throws -> SiteSettings {
        try Data.fetchOne(
            db, sql: "SELECT settings FROM settings WHERE site = ?", arguments: [site]
        ).map { try SiteSettings(stored: [UInt8]($0)) } ?? standard(for: site)
    }

    /// Calls `body` with all settings that were changed from the standard, for a snapshot.
    static func each(in transaction: Transaction, _ body: (SiteSettings) throws -> Void) throws {
        try eachRow(
            "settings", "SELECT settings, site FROM settings ORDER BY site", in: transaction
        ) { settings, _ in try body(settings) }
    }

    /// Inserts or replaces its row.
    func save(_ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO settings (site, settings) VALUES (?, ?)",
            arguments: [site, Data(packed())])
    }
}
