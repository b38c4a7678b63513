import Foundation
import GRDB
import Messages
import ServiceRuntime
import Texts

/// A plan's row in the store.
struct PlanRow {
    var plan: Plan
    /// The number of the newest step that is not undone; 0 for none.
    var step: UInt64 = 0
    /// The id of the command that last changed its items.
    var mark: String
    /// The account that changed it last, and that account's organisation.
    var changer: String
    var changerOrganisation: String

    /// The details by which it is found.
    var details: PlanDetails { plan.details ?? PlanDetails() }

    /// The plan with an id.
    static func ofID(_ id: String, _ db: Database) throws -> PlanRow? {
        try fetch(db, "WHERE id = ?", [id]).first
    }

    /// The plans with a name.
    static func named(
        _ name: String, of scope: OrganisationScope, _ db: Database
    ) throws -> [PlanRow] {
        try fetch(
            db,
            "WHERE name = :name AND \(OrganisationScope.condition) ORDER BY id LIMIT 10",
            ["name": FoldedText.name(name)] + scope.arguments)
    }

    /// The plans that match, at most two.
    static func matching(
        _ id: TypedID, of scope: OrganisationScope, _ db: Database
    ) throws -> [PlanRow] {
        try fetch(
            db, "WHERE \(TypedID.condition) AND \(OrganisationScope.condition) LIMIT 2",
            id.arguments + scope.arguments)
    }

    /// The plans of an organisation, or of all, that match every word, most recently changed first.
    static func all(
        of scope: OrganisationScope, with typed: String = "", limit: Int? = nil, _ db: Database
    ) throws -> [PlanRow] {
        try fetch(
            db,
            """
            WHERE \(OrganisationScope.condition) AND NOT EXISTS (
                SELECT 1 FROM json_each(:words) WHERE instr(words, value) = 0)
            ORDER BY changed DESC, id DESC LIMIT :limit
            """, ["words": try SearchText.words(typed), "limit": limit ?? -1] + scope.arguments)
    }

    /// Calls `body` with every plan, most recently changed first, for a snapshot.
    static func each(in transaction: Transaction, _ body: (Plan) throws -> Void) throws {
        try Plan.eachRow(
            "plan",
            """
            SELECT plan, id FROM plan WHERE \(LongDeletion.visible)
            ORDER BY changed DESC, id DESC
            """, in: transaction
        ) { plan, _ in try body(plan) }
    }

    /// Saves it.
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
                plan.id, plan.organisation, FoldedText.name(details.name),
                FoldedText.line(
                    [
                        details.name, details.description, details.address, details.client,
                        details.author,
                    ].joined(separator: "\n")), plan.changed, Int64(clamping: step), mark, changer,
                changerOrganisation,
                Data(plan.packed()),
            ])
    }

    /// What a plan may have very much of.
    static let deletion = LongDeletion(
        of: "plan", named: "name",
        [
            LongDeletion.Part("step", by: "number", contents: "changes"),
            LongDeletion.Part("item", by: "id", contents: "item"),
        ])

    /// Deletes it with everything that belongs to it: if that is much, a part of it now and the
    /// rest soon.
    func delete(in transaction: Transaction) throws {
        let id = plan.id
        try Self.deletion.begin(id, in: transaction) { db in
            for table in ["view", "checkOrder", "failing"] {
                try db.execute(sql: "DELETE FROM \(table) WHERE plan = ?", arguments: [id])
            }
        }
    }

    private static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [PlanRow] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT step, mark, changer, changerOrganisation, plan
                FROM (SELECT * FROM plan WHERE \(LongDeletion.visible)) \(condition)
                """)
        return try Row.fetchAll(statement, arguments: arguments).map {
            PlanRow(
                plan: try Plan(stored: [UInt8]($0["plan"] as Data)),
                step: UInt64(clamping: $0["step"] as Int64), mark: $0["mark"],
                changer: $0["changer"], changerOrganisation: $0["changerOrganisation"])
        }
    }
}
