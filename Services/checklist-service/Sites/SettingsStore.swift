import Foundation
import GRDB
import Messages
import ShiftLog

extension SiteSettings {
    /// The settings of a site, or the standard ones.
    static func of(_ site: String, _ db: Database) throws -> SiteSettings {
        try Data.fetchOne(
            db, sql: "SELECT settings FROM settings WHERE site = ?", arguments: [site]
        ).map { try SiteSettings(stored: [UInt8]($0)) } ?? standard(for: site)
    }

    /// All settings that were changed from the standard.
    static func all(_ db: Database) throws -> [SiteSettings] {
        try Data.fetchAll(db, sql: "SELECT settings FROM settings ORDER BY site")
            .map { try SiteSettings(stored: [UInt8]($0)) }
    }

    /// Inserts or replaces its row.
    func save(_ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO settings (site, settings) VALUES (?, ?)",
            arguments: [site, Data(packed())])
    }
}
