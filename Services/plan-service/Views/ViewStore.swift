import Foundation
import GRDB
import Messages

extension PlanView {
    /// What an account looks at in a plan: all of it, unless it was changed.
    static func of(_ plan: String, for account: String, _ db: Database) throws -> PlanView {
        try Data.fetchOne(
            db.cachedStatement(sql: "SELECT view FROM view WHERE plan = ? AND account = ?"),
            arguments: [plan, account]
        ).map { try PlanView(stored: [UInt8]($0)) } ?? PlanView(plan: plan)
    }

    /// Keeps it for an account.
    func save(for account: String, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO view (plan, account, view) VALUES (?, ?, ?)",
            arguments: [plan, account, Data(packed())])
    }
}
