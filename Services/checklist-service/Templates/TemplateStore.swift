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

    /// Calls `body` with the templates of all organisations that weren't removed, for a snapshot.
    static func each(
        in transaction: Transaction, _ body: (ChecklistTemplate) throws -> Void
    ) throws {
        try ChecklistTemplate.eachRow(
            "checklist", select("WHERE removed = 0 ORDER BY organisation, name, site, id"),
            in: transaction
        ) { template, row in
            var template = template
            template.removed = row["removed"]
            try body(template)
        }
    }

    /// The most bytes of templates that are read for one page.
    private static let mostBytesRead = 4 << 20

    /// Part of an organisation's templates, by name.
    ///
    /// - Parameters:
    ///   - organisation: the id of the organisation.
    ///   - after: the id of the template after which the page begins; empty for the first page.
    ///   - limit: the most templates of the page.
    ///   - db: the store.
    ///   - view: how the asker sees a template; nil to leave it out.
    /// - Throws: a `Refusal` if the organisation has no template with the id.
    static func page(
        of organisation: String, after: String, limit: Int, _ db: Database,
        view: (ChecklistTemplate) -> ChecklistTemplate?
    ) throws -> Messages.Templates {
        var condition = "WHERE organisation = ?"
        var arguments: StatementArguments = [organisation]
        if !after.isEmpty {
            guard
                let last = try Row.fetchOne(
                    db, sql: "SELECT name, site FROM template WHERE organisation = ? AND id = ?",
                    arguments: [organisation, after])
            else { throw Refusal.notFound("there is no checklist “\(after.prefix(100))”") }
            condition += " AND (name, site, id) > (?, ?, ?)"
            arguments += [last["name"] as String, last["site"] as String, after]
        }
        var page = Page<ChecklistTemplate>(limit: limit)
        var (read, last) = (0, "")
        let rows = try Row.fetchCursor(
            db, sql: select(condition + " ORDER BY name, site, id"), arguments: arguments)
        while let row = try rows.next() {
            let template = try Self(row).template
            let isRoom =
                read <= mostBytesRead
                && view(template).map { page.add($0, bytes: $0.packed().count) } ?? true
            guard isRoom else { return Messages.Templates(templates: page.rows, next: last) }
            (read, last) = (read + (row["body"] as Data).count, template.id)
        }
        return Messages.Templates(templates: page.rows)
    }

    /// The maximum size in bytes of the templates that a site uses. Even different ones for each
    /// weekday and part of the day, each time as many as a shift may have, are smaller.
    static let mostBytesInUse = 16 << 20

    /// The templates that new shifts of a site use: its own, and those of the whole organisation
    /// that it has no own version of; ordered by kind and name.
    ///
    /// - Throws: a `Refusal` when they are larger than ``mostBytesInUse``; then none is read.
    static func inUse(at site: SiteRow, _ db: Database) throws -> [TemplateRow] {
        let condition = """
            WHERE organisation = :organisation AND removed = 0 AND site IN ('', :site)
            AND (site <> '' OR NOT EXISTS (
                SELECT 1 FROM template AS own WHERE own.organisation = :organisation
                AND own.site = :site AND own.name = template.name AND own.removed = 0))
            """
        let arguments: StatementArguments = [
            "organisation": site.organisation, "site": site.site.id,
        ]
        let size =
            try Int.fetchOne(
                db, sql: "SELECT sum(length(body)) \(newest) \(condition)", arguments: arguments)
            ?? 0
        guard size <= mostBytesInUse else {
            throw Refusal.conflict(
                "the checklists of “\(site.site.name)” for all weekdays have \(size) bytes "
                    + "together, and a site works with at most \(mostBytesInUse); shorten or "
                    + "remove some"
            ).because(.checklistLarge, ["most": "\(mostBytesInUse)"])
        }
        return try fetch(db, condition + " ORDER BY name, site, id", arguments)
            .sorted { $0.template.kind.rawValue < $1.template.kind.rawValue }
    }

    /// What is known about a template without reading its tasks.
    struct Entry {
        let id: String
        let site: String
        let isRemoved: Bool
    }

    /// The templates with a name, removed ones too, ordered by site: that of the whole organisation
    /// comes first.
    static func entries(
        named name: String, of organisation: String, _ db: Database
    ) throws -> [Entry] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT id, site, removed FROM template WHERE organisation = ? AND name = ?
                ORDER BY site, id
                """, arguments: [organisation, FoldedText.name(name)]
        ).map { Entry(id: $0["id"], site: $0["site"], isRemoved: $0["removed"]) }
    }

    /// The newest version of the template with an id.
    static func ofID(
        _ id: String, of scope: OrganisationScope, _ db: Database
    ) throws -> TemplateRow? {
        try fetch(
            db, "WHERE id = :id AND \(OrganisationScope.condition)",
            scope.arguments + ["id": id]
        ).first
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
        try Row.fetchAll(db, sql: select(condition), arguments: arguments).map(Self.init)
    }

    private static func select(_ condition: String) -> String {
        "SELECT body, id, removed \(newest) \(condition)"
    }

    /// The templates with their newest versions.
    private static let newest = """
        FROM template JOIN templateVersion
        ON templateVersion.template = id AND templateVersion.version = template.version
        """
}

extension TemplateRow {
    fileprivate init(_ row: Row) throws {
        var template = try ChecklistTemplate(stored: [UInt8](row["body"] as Data))
        template.removed = row["removed"]
        self.init(template: template)
    }
}
