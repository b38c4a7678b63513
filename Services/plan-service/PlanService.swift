import Bus
import Messages
import ServiceRuntime

/// Keeps floor plans: a home, the furniture in it, and whether someone in a wheelchair can live
/// there.
@main struct PlanService: Service {
    static let name = ServiceName.plan
    static let tokenIssuer = ServiceName.account
    static let migrator = PlanStore.migrator
    static let belongings = PlanStore.belongings

    static var handlers: [MessageHandler] {
        PlanHandling.handlers + Edits.handlers + LibraryHandling.handlers + Views.handlers
            + StandardHandling.handlers + Checks.handlers + Catalogue.handlers
            + PlanMails.handlers
    }

    static var timers: [TimerHandler] { [PlanRow.deletion.timer] }
    static var errands: [ErrandHandler] { Checks.errands }
    static var follows: [ServiceName: [EventHandler]] { [.notifier: Checks.events] }

    static func prepare(_ transaction: Transaction) throws {
        try Checks.prepare(transaction)
    }

    static func beat(_ transaction: Transaction) {
        CheckedPlans.shared.forgetIdle(at: transaction.now)
    }

    static func pass(_ transaction: Transaction, to receiver: SnapshotReceiver) throws {
        try PlanHandling.pass(transaction, to: receiver)
    }
}
