import Foundation
import GRDB
import Messages

extension PlanView {
    /// An account's view of a plan: all of it, unless the account has changed it.
    static func of(_ plan: String, for account: String, _ db: Database) throws -> PlanView {
        try Data.fetchOne(
            db.cachedStatement(sql: "SELECT view FROM view WHERE plan = ? AND account = ?"),
            arguments: [plan, account]
        ).map { try PlanView(stored: [UInt8]($0)) } ?? PlanView(plan: plan)
    }

    /// Saves it for an account.
    func save(for account: String, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO view (plan, account, view) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET view = excluded.view
                """,
            arguments: [plan, account, Data(packed())])
    }
}
