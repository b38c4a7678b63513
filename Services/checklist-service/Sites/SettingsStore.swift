import Foundation
import GRDB
import Messages
import ShiftLog

extension SiteSettings {
    /// What a site has set, or how a site usually works.
    static func of(_ site: String, _ db: Database) throws -> SiteSettings {
        try Data.fetchOne(
            db, sql: "SELECT settings FROM settings WHERE site = ?", arguments: [site]
        ).map { try SiteSettings(stored: [UInt8]($0)) } ?? standard(for: site)
    }

    /// Those that were set.
    static func all(_ db: Database) throws -> [SiteSettings] {
        try Data.fetchAll(db, sql: "SELECT settings FROM settings ORDER BY site")
            .map { try SiteSettings(stored: [UInt8]($0)) }
    }

    /// Writes them as they stand.
    func save(_ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO settings (site, settings) VALUES (?, ?)",
            arguments: [site, Data(packed())])
    }
}
