import Foundation
import GRDB
import Messages

/// A plan as it is kept.
struct PlanRow {
    var plan: Plan

    /// By what it is found.
    var foldedName: String { Self.folded(plan.details?.name ?? "") }

    /// A name without regard to case, accents written in one way.
    static func folded(_ name: String) -> String {
        name.trimmingCharacters(in: .whitespaces).precomposedStringWithCanonicalMapping
            .lowercased()
    }

    /// The plans of an organisation, or of all, the one changed last first.
    static func all(of organisation: String?, _ db: Database) throws -> [PlanRow] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT plan FROM plan WHERE ?1 IS NULL OR organisation = ?1
                    ORDER BY changed DESC, id DESC
                    """), arguments: [organisation]
        ).map { PlanRow(plan: try Plan(unpacking: [UInt8]($0["plan"] as Data))) }
    }

    func save(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO plan (id, organisation, name, changed, plan) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE
                SET name = excluded.name, changed = excluded.changed, plan = excluded.plan
                """,
            arguments: [
                plan.id, plan.organisation, foldedName, plan.changed, Data(plan.packed()),
            ])
    }
}
