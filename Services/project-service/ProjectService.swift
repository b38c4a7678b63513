import Bus
import Messages
import ServiceRuntime

/// Keeps projects: what is to be done, who does it when, and what moves when something changes.
@main struct ProjectService: Service {
    static let name = ServiceName.project
    static let tokenIssuer = ServiceName.account
    static let migrator = ProjectStore.migrator
    static let belongings = ProjectStore.belongings

    static var handlers: [MessageHandler] {
        Projects.handlers + Edits.handlers + Issues.handlers + KeptFilters.handlers
            + MyIssueLists.handlers + WorkedTimes.handlers + Meetings.handlers + Schedules.handlers
            + PersonCalendarHandling.handlers + Redmines.handlers
    }

    static var errands: [ErrandHandler] { Mirrors.errands + CalendarFetches.errands }
    static func validate(_ settings: [String: String]) throws(ConfigurationError) {
        try AllowedHosts.validate(settings, CalendarFetches.hosts)
        try AllowedHosts.validate(settings, Redmines.hosts)
    }

    static func prepare(_ transaction: Transaction) throws {
        try MirrorRow.recover(transaction.db)
        try PersonCalendarRow.recover(transaction.db)
        try MirrorAlerts.prepare(transaction)
    }

    static var timers: [TimerHandler] {
        IssueWatch.timers + MirrorAlerts.timers + [ProjectRow.deletion.timer]
    }
    static var follows: [ServiceName: [EventHandler]] {
        [.account: People.events, .notifier: IssueWatch.events]
    }

    static func pass(_ transaction: Transaction, to receiver: SnapshotReceiver) throws {
        try Projects.pass(transaction, to: receiver)
        try Meetings.pass(transaction, to: receiver)
    }
}
