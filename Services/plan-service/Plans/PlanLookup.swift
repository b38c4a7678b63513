import Messages
import ServiceRuntime

extension Access {
    /// Anyone with a role in the organisation of the plans, even at only one of its sites, except
    /// displays. An account without a role may be a stranger who has just signed up.
    static let member = Access.role(minimum: .crew, at: .site)
}

extension Transaction {
    /// The plan with an id or a name, or the only one whose id begins with the text.
    ///
    /// - Throws: a `Refusal`; it is the same for a plan of another organisation and for an unknown
    ///   one.
    func plan(_ reference: String) throws -> PlanRow {
        guard !reference.isEmpty else { throw Refusal.invalid("name the plan") }
        if let row = try PlanRow.ofID(reference, db),
            principal.scope.includes(row.plan.organisation)
        {
            return row
        }
        let named = try PlanRow.named(reference, of: principal.scope, db)
        let own = named.filter { $0.plan.organisation == principal.organisation }
        if let row = own.first ?? named.first {
            guard !own.isEmpty || named.count == 1 else {
                throw Refusal.conflict(
                    "several organisations have a plan “\(reference.prefix(100))”; give its id"
                ).because(.planAmbiguous, of: reference)
            }
            return row
        }
        guard reference.utf8.count >= TypedID.shortest else { throw Refusal.noPlan(reference) }
        let found = try PlanRow.matching(
            TypedID(reference, of: "plan"), of: principal.scope, db)
        guard let row = found.first else { throw Refusal.noPlan(reference) }
        guard found.count == 1 else {
            throw Refusal.conflict(
                "several plans begin with \(reference.prefix(100)); give more of the id"
            ).because(.planAmbiguous, of: reference)
        }
        return row
    }

}

extension PlanRow {
    /// Records who changes it, and when.
    mutating func sign(_ transaction: Transaction) {
        let principal = transaction.principal
        plan.changed = transaction.now
        plan.changedBy = principal.name
        changer = principal.account
        changerOrganisation = principal.organisation
    }

    /// Saves it, publishes it, and has it checked.
    func keep(_ transaction: Transaction) throws {
        try save(transaction.db)
        try Checks.order(self, in: transaction)
        try transaction.publish(PlanChanged(plan: plan), subject: plan.id)
    }

    /// Takes out its items for editing. The caller has to put them back.
    func take(_ transaction: Transaction) throws -> OpenPlan {
        if let open = OpenPlans.shared.take(self) { return open }
        return OpenPlan(try ItemStore.all(of: plan.id, transaction.db))
    }

    /// Its items, for reading.
    func open(_ transaction: Transaction) throws -> OpenPlan {
        let open = try take(transaction)
        OpenPlans.shared.put(open, of: self)
        return open
    }
}

extension Refusal {
    /// The refusal if there is no such plan, or none that the asker may see.
    static func noPlan(_ reference: String) -> Refusal {
        .notFound("there is no plan “\(reference.prefix(100))” in your organisation")
            .because(.planMissing, of: reference)
    }
}
