import Messages
import ServiceRuntime

/// The messages about an organisation's policies.
extension EscalationPolicy {
    static var handlers: [MessageHandler] {
        [
            .command(keep, .administrators), .command(remove, .administrators),
            .query(list, .administrators),
        ]
    }

    private static func keep(
        _ command: KeepPolicy, in transaction: Transaction
    ) throws -> EscalationPolicy {
        let (policy, db) = (command.policy, transaction.db)
        let organisation = transaction.principal.organisation
        try policy.validate()
        let isNew = try named(policy.name, of: organisation, db) == nil
        guard try !isNew || count(of: organisation, db) < most else {
            throw Refusal.conflict("the organisation has \(most) policies; remove one first")
        }
        try policy.save(organisation, db)
        return policy
    }

    private static func remove(
        _ command: RemovePolicy, in transaction: Transaction
    ) throws -> EscalationPolicy {
        let organisation = transaction.principal.organisation
        guard let policy = try named(command.name, of: organisation, transaction.db) else {
            throw Refusal.notFound("there is no policy “\(command.name.prefix(50))”")
        }
        try policy.delete(organisation, transaction.db)
        return policy
    }

    static func list(
        _ query: ListPolicies, in transaction: Transaction
    ) throws -> EscalationPolicies {
        let policies = try all(
            of: transaction.principal.organisation, after: query.after, transaction.db)
        let page = Page.first(of: policies)
        return EscalationPolicies(
            policies: page, next: page.count < policies.count ? page.last?.name ?? "" : "")
    }
}
