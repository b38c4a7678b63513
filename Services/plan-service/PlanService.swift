import Bus
import Messages
import ServiceRuntime

/// Keeps floor plans: how a home is, what stands in it, and whether somebody in a chair can live
/// there.
@main struct PlanService: Service {
    static let name = ServiceName.plan
    static let tokenIssuer = ServiceName.account
    static let migrator = PlanStore.migrator

    static var commands: [CommandHandler] {
        Plans.commands + Edits.commands + Library.commands + Views.commands
            + Catalogue.commands
    }
    static var slowCommands: [SlowCommandHandler] {
        Plans.slowCommands + Checks.slowCommands + PlanMails.slowCommands
    }
    static var queries: [QueryHandler] {
        Plans.queries + Edits.queries + Library.queries + Views.queries + Standards.queries
            + Catalogue.queries
    }
    static var access: [String: Access] {
        [
            Plans.access, Edits.access, Library.access, Views.access, Standards.access,
            Checks.access, Catalogue.access, PlanMails.access,
        ].reduce(into: [:]) { $0.merge($1) { $1 } }
    }

    static var errands: [ErrandHandler] { Checks.errands }
    static var follows: [ServiceName: [EventHandler]] { [.notifier: Checks.events] }

    static func prepare(_ transaction: Transaction) throws {
        try Checks.prepare(transaction)
    }

    static func beat(_ transaction: Transaction) {
        CheckedPlans.shared.forgetIdle(at: transaction.now)
    }

    static func tell(
        _ transaction: Transaction
    ) throws -> [(any ProtobufMessage, subject: String)] {
        try Plans.tell(transaction)
    }
}
