import Messages
import ServiceRuntime

/// The plans of an organisation: made, listed.
enum Plans {
    static var commands: [CommandHandler] { [] }
    static var queries: [QueryHandler] { [.init(list)] }
    static var access: [String: Access] { [ListPlans.protobufName: .person] }

    static func list(_ query: ListPlans, in transaction: Transaction) throws -> Messages.Plans {
        let principal = transaction.principal
        let rows = try PlanRow.all(
            of: principal.kind == .account ? principal.organisation : nil, transaction.db)
        return Messages.Plans(plans: rows.map(\.plan))
    }
}
