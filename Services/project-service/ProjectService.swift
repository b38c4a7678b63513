import Bus
import Messages
import ServiceRuntime

/// Keeps projects: what is to be done, who does it when, and what moves when something changes.
@main struct ProjectService: Service {
    static let name = ServiceName.project
    static let tokenIssuer = ServiceName.account
    static let migrator = ProjectStore.migrator

    static var handlers: [MessageHandler] {
        Projects.handlers + Edits.handlers + Issues.handlers + WorkedTimes.handlers
            + Schedules.handlers + Redmines.handlers
    }

    static var errands: [ErrandHandler] { Mirrors.errands }
    static func prepare(_ transaction: Transaction) throws { try MirrorRow.recover(transaction.db) }
    static var timers: [TimerHandler] { IssueWatch.timers }
    static var follows: [ServiceName: [EventHandler]] { [.notifier: IssueWatch.events] }

    static func tell(_ transaction: Transaction, to teller: Teller) throws {
        try Projects.tell(transaction, to: teller)
    }
}
