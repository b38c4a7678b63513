import Bus
import Messages
import ServiceRuntime

/// Keeps timetables, follows passengers to their stops, and raises the alerts to get ready and to
/// get off.
@main struct TransitAlertService: Service {
    static let name = ServiceName.transitAlert
    static let tokenIssuer = ServiceName.account
    static let migrator = TransitStore.migrator
    static let belongings = TransitStore.belongings

    static var handlers: [MessageHandler] {
        FeedHandling.handlers + JourneyHandling.handlers + Travellers.handlers
            + RideRecords.handlers + Erasures.handlers + Landmarks.handlers
    }
    static var follows: [ServiceName: [EventHandler]] { [.notifier: [.acknowledgements()]] }
    static var timers: [TimerHandler] {
        JourneyHandling.timers + Erasures.timers + JourneyHandling.gone.map { $0.timer }
    }

    static func prepare(_ transaction: Transaction) throws {
        try FeedHandling.removeUnused(transaction)
        try transaction.setTimer(JourneyHandling.pruning, subject: "", due: transaction.now)
    }

    static func pass(_ transaction: Transaction, to receiver: SnapshotReceiver) throws {
        try JourneyHandling.pass(transaction, to: receiver)
    }
}
