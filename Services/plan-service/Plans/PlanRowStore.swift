import Foundation
import GRDB
import Messages

/// A plan as it is kept.
struct PlanRow {
    var plan: Plan
    /// The number of the newest step that is not taken back; 0 for none.
    var step: UInt64 = 0
    /// The id of the command that last changed what is in it.
    var mark: String
    /// The account that changed it last, and that account's organisation.
    var changer: String
    var changerOrganisation: String

    /// By what it is found.
    var details: PlanDetails { plan.details ?? PlanDetails() }

    /// The plan of an id.
    static func ofID(_ id: String, _ db: Database) throws -> PlanRow? {
        try fetch(db, "WHERE id = ?", [id]).first
    }

    /// The plans of a name.
    static func named(
        _ name: String, of organisation: String?, _ db: Database
    ) throws -> [PlanRow] {
        try fetch(
            db, "WHERE name = ?1 AND (?2 IS NULL OR organisation = ?2) ORDER BY id LIMIT 10",
            [SearchText.name(name), organisation])
    }

    /// Two at most of the plans whose ids begin so.
    static func beginning(
        with id: String, of organisation: String?, _ db: Database
    ) throws -> [PlanRow] {
        try fetch(
            db, "WHERE id >= ?1 AND id < ?2 AND (?3 IS NULL OR organisation = ?3) LIMIT 2",
            [id, id + "\u{10FFFF}", organisation])
    }

    /// The plans of an organisation, or of all, that have every word typed, the one changed last
    /// first.
    static func all(
        of organisation: String?, with typed: String = "", limit: Int? = nil, _ db: Database
    ) throws -> [PlanRow] {
        try fetch(
            db,
            """
            WHERE (?1 IS NULL OR organisation = ?1) AND NOT EXISTS (
                SELECT 1 FROM json_each(?2) WHERE instr(words, value) = 0)
            ORDER BY changed DESC, id DESC LIMIT ?3
            """, [organisation, try SearchText.words(typed), limit ?? -1])
    }

    /// Writes it as it stands.
    func save(_ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO plan (id, organisation, name, words, changed, step, mark, changer,
                    changerOrganisation, plan)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, words = excluded.words,
                    changed = excluded.changed, step = excluded.step, mark = excluded.mark,
                    changer = excluded.changer,
                    changerOrganisation = excluded.changerOrganisation, plan = excluded.plan
                """)
        let details = details
        try statement.execute(
            arguments: [
                plan.id, plan.organisation, SearchText.name(details.name),
                SearchText.folded([
                    details.name, details.description, details.address, details.client,
                    details.author,
                ]), plan.changed, Int64(clamping: step), mark, changer, changerOrganisation,
                Data(plan.packed()),
            ])
    }

    /// Deletes it with all that is in it and belongs to it.
    func delete(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM plan WHERE id = ?", arguments: [plan.id])
    }

    private static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [PlanRow] {
        let statement = try db.cachedStatement(
            sql: "SELECT step, mark, changer, changerOrganisation, plan FROM plan \(condition)")
        return try Row.fetchAll(statement, arguments: arguments).map {
            PlanRow(
                plan: try Plan(stored: [UInt8]($0["plan"] as Data)),
                step: UInt64(clamping: $0["step"] as Int64), mark: $0["mark"],
                changer: $0["changer"], changerOrganisation: $0["changerOrganisation"])
        }
    }
}
