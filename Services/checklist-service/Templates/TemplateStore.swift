import Foundation
import GRDB
import Messages
import ServiceRuntime
import ShiftLog
import Texts

/// A version of a template.
struct TemplateRow {
    let template: ChecklistTemplate

    /// The maximum size of a packed template in bytes, so that all lists of a shift fit into one
    /// message.
    static let mostBytes = 128 << 10

    /// The name by which it is found.
    var foldedName: String { FoldedText.name(template.name) }

    /// The newest versions of all templates of an organisation, or of all, ordered by kind and
    /// name.
    static func all(of scope: OrganisationScope, _ db: Database) throws -> [TemplateRow] {
        try fetch(
            db, "WHERE \(OrganisationScope.condition) ORDER BY name, site, id", scope.arguments
        ).sorted { $0.template.kind.rawValue < $1.template.kind.rawValue }
    }

    /// The templates that new shifts of a site use: its own, and those of the whole organisation
    /// that it has no own version of.
    static func inUse(at site: SiteRow, _ db: Database) throws -> [TemplateRow] {
        let all = try all(of: .one(site.organisation), db).filter { !$0.template.removed }
        let own = Set(all.filter { $0.template.site == site.site.id }.map(\.foldedName))
        return all.filter {
            $0.template.site == site.site.id
                || $0.template.site.isEmpty && !own.contains($0.foldedName)
        }
    }

    /// The template with a name: the one in use, or else the last one that was removed.
    static func named(
        _ name: String, site: String, of organisation: String, _ db: Database
    ) throws -> TemplateRow? {
        try fetch(
            db, "WHERE organisation = ? AND site = ? AND name = ? ORDER BY removed, id DESC",
            [organisation, site, FoldedText.name(name)]
        ).first
    }

    /// A version of a template.
    static func version(
        _ version: UInt32, of template: String, _ db: Database
    ) throws -> TemplateRow? {
        try body(version, of: template, db).map {
            TemplateRow(template: try ChecklistTemplate(stored: $0))
        }
    }

    /// The bytes of a version of a template, from which its digest was made.
    static func body(_ version: UInt32, of template: String, _ db: Database) throws -> [UInt8]? {
        try VersionStore(template: template).body(version, db)
    }

    /// Inserts or updates its row; a new version is added and never changed again.
    func save(isNew: Bool, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO template (id, organisation, site, name, version, removed)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, version = excluded.version,
                    removed = excluded.removed
                """,
            arguments: [
                template.id, template.organisation, template.site, foldedName,
                Int64(template.version), template.removed,
            ])
        guard isNew else { return }
        try VersionStore(template: template.id).add(template.version, template.packed(), db)
    }

    private static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [TemplateRow] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT body, removed FROM template JOIN templateVersion
                ON templateVersion.template = id AND templateVersion.version = template.version
                \(condition)
                """,
            arguments: arguments
        ).map { row in
            var template = try ChecklistTemplate(stored: [UInt8](row["body"] as Data))
            template.removed = row["removed"]
            return TemplateRow(template: template)
        }
    }
}
