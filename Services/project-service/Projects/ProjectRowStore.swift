import Foundation
import GRDB
import Messages
import ServiceRuntime
import Texts

/// A project as it is kept.
struct ProjectRow {
    var project: Project
    /// The number of the newest step that is not undone; 0 for none.
    var step: UInt64 = 0
    /// The id of the command that last changed what is in it.
    var mark: String
    /// The size of the things in it, in bytes.
    var bytes = 0

    /// The project with an id.
    static func ofID(_ id: String, _ db: Database) throws -> ProjectRow? {
        try fetch(db, "WHERE id = ?", [id]).first
    }

    /// The projects with an identifier.
    static func identified(
        _ identifier: String, of scope: OrganisationScope, _ db: Database
    ) throws -> [ProjectRow] {
        try fetch(
            db, "WHERE identifier = :name AND \(OrganisationScope.condition) ORDER BY id LIMIT 10",
            ["name": identifier] + scope.arguments)
    }

    /// The projects with a name.
    static func named(
        _ name: String, of scope: OrganisationScope, _ db: Database
    ) throws -> [ProjectRow] {
        try fetch(
            db, "WHERE name = :name AND \(OrganisationScope.condition) ORDER BY id LIMIT 10",
            ["name": FoldedText.name(name)] + scope.arguments)
    }

    /// At most two projects that match an id or its beginning.
    static func matching(
        _ id: TypedID, of scope: OrganisationScope, _ db: Database
    ) throws -> [ProjectRow] {
        try fetch(
            db, "WHERE \(TypedID.condition) AND \(OrganisationScope.condition) LIMIT 2",
            id.arguments + scope.arguments)
    }

    private static let matches = """
        WHERE \(LongDeletion.visible) AND \(OrganisationScope.condition) AND NOT EXISTS (
            SELECT 1 FROM json_each(:words) WHERE instr(words, value) = 0)
        """

    /// The projects of an organisation, or of all, that have every typed word, most recently
    /// changed first.
    static func all(
        of scope: OrganisationScope, with typed: String = "", limit: Int = -1, skip: Int = 0,
        _ db: Database
    ) throws -> [ProjectRow] {
        try fetch(
            db, "\(matches) ORDER BY changed DESC, id DESC LIMIT :limit OFFSET :skip",
            ["words": try words(typed), "limit": limit, "skip": skip] + scope.arguments)
    }

    /// Calls `body` with every project, most recently changed first, for a snapshot.
    static func each(in transaction: Transaction, _ body: (Project) throws -> Void) throws {
        try Project.eachRow(
            "project",
            """
            SELECT project, id FROM project WHERE \(LongDeletion.visible)
            ORDER BY changed DESC, id DESC
            """, in: transaction
        ) { project, _ in try body(project) }
    }

    /// The number of projects in the list of which ``all(of:with:limit:skip:_:)`` returns a part.
    static func count(
        of scope: OrganisationScope, with typed: String, _ db: Database
    ) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(sql: "SELECT count(*) FROM project \(matches)"),
            arguments: ["words": try words(typed)] + scope.arguments) ?? 0
    }

    /// The words that a person types, as JSON.
    private static func words(_ typed: String) throws -> String {
        let words = FoldedText.words(String(typed.prefix(200)))
        return String(decoding: try JSONEncoder().encode(words), as: UTF8.self)
    }

    /// Writes it as it stands.
    func save(_ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO project (id, organisation, identifier, name, words, changed, step,
                    mark, bytes, project)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET identifier = excluded.identifier,
                    name = excluded.name, words = excluded.words, changed = excluded.changed,
                    step = excluded.step, mark = excluded.mark, bytes = excluded.bytes,
                    project = excluded.project
                """)
        try statement.execute(
            arguments: [
                project.id, project.organisation, project.identifier,
                FoldedText.name(project.name),
                FoldedText.line(
                    [project.name, project.identifier, project.description]
                        .joined(separator: "\n")),
                project.changed, Int64(clamping: step), mark, bytes, Data(project.packed()),
            ])
    }

    /// What a project may have very much of.
    static let deletion = LongDeletion(
        of: "project", named: "identifier",
        [
            LongDeletion.Part("meeting", by: "start, id", contents: "meeting"),
            LongDeletion.Part("journal", by: "issue, number", contents: "entry"),
            LongDeletion.Part("step", by: "number", contents: "changes"),
            LongDeletion.Part("item", by: "kind, number", contents: "item"),
            LongDeletion.Part("mirrored", by: "kind, number", contents: "base"),
        ])

    /// Deletes it with everything in it: if that is much, a part of it now and the rest soon.
    func delete(in transaction: Transaction) throws {
        let id = project.id
        try Self.deletion.begin(id, in: transaction) { db in
            let tables = [
                "redmineMirror", "mirrorMark", "mirrorTerm", "mirrorConflict", "personCalendar",
                "memberAccount",
            ]
            for table in tables {
                try db.execute(sql: "DELETE FROM \(table) WHERE project = ?", arguments: [id])
            }
            try db.execute(sql: "DELETE FROM sharedFilter WHERE owner = ?", arguments: [id])
        }
    }

    private static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [ProjectRow] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT step, mark, bytes, project
                FROM (SELECT * FROM project WHERE \(LongDeletion.visible)) \(condition)
                """)
        return try Row.fetchAll(statement, arguments: arguments).map {
            ProjectRow(
                project: try Project(stored: [UInt8]($0["project"] as Data)),
                step: UInt64(clamping: $0["step"] as Int64), mark: $0["mark"],
                bytes: $0["bytes"])
        }
    }
}
