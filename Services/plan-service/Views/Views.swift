import Messages
import ServiceRuntime

/// The handlers for each account's view of a plan.
enum Views {
    static var handlers: [MessageHandler] {
        [
            .command(change, .member),
            .query(read, .member),
        ]
    }

    static func change(_ command: ChangePlanView, in transaction: Transaction) throws -> PlanView {
        let row = try transaction.plan(command.plan)
        let account = transaction.principal.account
        let present = try PlanView.of(row.plan.id, for: account, transaction.db)
        let view = try present.changed(by: command) { try row.open(transaction).plan.bounds }
        if view != present { try view.save(for: account, transaction.db) }
        return view
    }

    static func read(_ query: ReadPlanView, in transaction: Transaction) throws -> PlanView {
        let row = try transaction.plan(query.plan)
        return try PlanView.of(row.plan.id, for: transaction.principal.account, transaction.db)
    }
}
