import FloorPlan
import Messages
import ServiceRuntime

/// The handlers that create, copy, describe, list, read and delete plans of an organisation.
enum PlanHandling {
    static var handlers: [MessageHandler] {
        [
            .slow(prepare: prepare, work: draw, finish: create, .member), .command(copy, .member),
            .command(change, .member),
            .command(delete, .member),
            .query(list, .member),
            .query(read, .member),
        ]
    }

    /// The approximate size of the part of a plan in one message, in bytes.
    static let partBytes = 400_000

    // MARK: Making. A large file is validated outside the loop.

    private static func prepare(
        _ command: CreatePlan, in transaction: Transaction
    ) throws -> CreatePlan {
        guard command.items.count <= OpenPlan.mostItems else { throw Refusal.tooManyItems }
        try OrganisationLimits.requireRoomForPlan(
            of: transaction.principal.organisation, transaction.db)
        try validate(details(of: command), chairsIn: command.items, in: transaction)
        return command
    }

    private static func draw(_ command: CreatePlan) throws -> OpenPlan {
        var open = OpenPlan([])
        guard !command.items.isEmpty else { return open }
        var reader = ActionReader(reserved: "") { _ in throw Refusal.invalid("draw it instead") }
        let action = PlanAction(action: .add(AddItems(items: command.items)))
        _ = try open.make([action], force: command.force) { try reader.complete($0, in: $1) }
        return open
    }

    private static func create(
        _ command: CreatePlan, _ open: OpenPlan, in transaction: Transaction
    ) throws -> Plan {
        let details = details(of: command)
        try validate(details, chairsIn: command.items, in: transaction)
        let row = try begin(details, items: open.count, in: transaction)
        let changes = open.items.map {
            DrawnChange(change: ItemChange(after: $0.item), position: $0.position)
        }
        try ItemStore.save(changes, of: row.plan.id, transaction.db)
        OpenPlans.shared.put(open, of: row)
        return row.plan
    }

    static func copy(_ command: CopyPlan, in transaction: Transaction) throws -> Plan {
        let row = try transaction.plan(command.plan)
        var details = row.details
        details.name = command.name
        details = details.tidied
        try validate(details, in: transaction) { _ in true }
        let copy = try begin(
            details, items: Int(row.plan.items), of: row.plan.organisation, in: transaction)
        try ItemStore.copy(from: row.plan.id, to: copy.plan.id, transaction.db)
        return copy.plan
    }

    /// A new plan with the id of the command.
    private static func begin(
        _ details: PlanDetails, items: Int, of organisation: String? = nil,
        in transaction: Transaction
    ) throws -> PlanRow {
        let id = "\(transaction.id)"
        var row = PlanRow(
            plan: Plan(
                id: id, organisation: organisation ?? transaction.principal.organisation,
                details: details, revision: 1, items: UInt32(items), created: transaction.now),
            mark: id, changer: "", changerOrganisation: "")
        try requireFree(details.name, for: row.plan, in: transaction)
        try OrganisationLimits.requireRoomForPlan(of: row.plan.organisation, transaction.db)
        row.sign(transaction)
        try row.keep(transaction)
        return row
    }

    // MARK: What is known about a plan

    static func change(_ command: ChangePlanDetails, in transaction: Transaction) throws -> Plan {
        var row = try transaction.plan(command.plan)
        // Replacing details unseen would undo what someone else has just changed.
        guard command.expected == nil || command.expected == row.details else {
            throw Refusal.changedSince("the details of the plan")
        }
        let details = command.details.tidied
        let db = transaction.db
        try validate(details, in: transaction) { chair in
            // A removed chair may come back by undo, so its id may stay.
            try chair == row.details.chair
                || ItemStore.item(chair, of: row.plan.id, db)?.isWheelchair == true
        }
        guard details != row.details else { return row.plan }
        try requireFree(details.name, for: row.plan, in: transaction)
        row.plan.details = details
        row.sign(transaction)
        try row.keep(transaction)
        return row.plan
    }

    static func delete(_ command: DeletePlan, in transaction: Transaction) throws -> PlanDeleted {
        let row = try transaction.plan(command.plan)
        let deleted = PlanDeleted(plan: row.plan.id, name: row.details.name)
        try transaction.withdrawAlerts(of: row.plan.id)
        try row.delete(in: transaction)
        try transaction.publish(deleted, subject: row.plan.id)
        transaction.afterCommit {
            OpenPlans.shared.forget(deleted.plan)
            CheckedPlans.shared.forget(deleted.plan)
        }
        return deleted
    }

    // MARK: Looking

    static func list(_ query: ListPlans, in transaction: Transaction) throws -> Messages.Plans {
        let limit = pageLimit(query.limit, usual: 100, most: 1000)
        let rows = try PlanRow.all(
            of: transaction.principal.scope, with: query.text, limit: limit + 1, transaction.db)
        let page = Page.first(of: rows.lazy.map(\.plan), limit: limit)
        return Messages.Plans(plans: page, more: page.count < rows.count)
    }

    static func read(_ query: ReadPlan, in transaction: Transaction) throws -> PlanContents {
        let row = try transaction.plan(query.plan)
        let items = try ItemStore.part(
            of: row.plan.id, skipping: Int(query.from), bytes: partBytes, transaction.db)
        let next = query.from.addingReportingOverflow(UInt32(items.count)).partialValue
        return PlanContents(
            plan: row.plan, items: items, next: next < row.plan.items ? next : 0)
    }

    /// Publishes every plan, and what fails in it, for a snapshot.
    static func pass(_ transaction: Transaction, to receiver: SnapshotReceiver) throws {
        try PlanRow.each(in: transaction) { plan in
            try receiver(PlanChanged(plan: plan), plan.id)
            try Checks.pass(plan, transaction, to: receiver)
        }
    }

    // MARK: What the handlers share

    private static func details(of command: CreatePlan) -> PlanDetails {
        command.details.tidied
    }

    private static func validate(
        _ details: PlanDetails, chairsIn items: [PlanItem], in transaction: Transaction
    ) throws {
        try validate(details, in: transaction) { chair in
            items.contains { $0.id == chair && $0.isWheelchair }
        }
    }

    private static func validate(
        _ details: PlanDetails, in transaction: Transaction,
        isChair: (String) throws -> Bool
    ) throws {
        try details.validate(known: StandardHandling.known, isChair: isChair)
    }

    /// Refuses a name that another plan of the organisation has.
    private static func requireFree(
        _ name: String, for plan: Plan, in transaction: Transaction
    ) throws {
        let others = try PlanRow.named(name, of: .one(plan.organisation), transaction.db)
        guard others.allSatisfy({ $0.plan.id == plan.id }) else {
            throw Refusal.conflict("there is a plan “\(name)” already; choose another name")
        }
    }
}
