import Bus
import Messages
import ServiceRuntime

/// Plans a person's day around fixed appointments, and accompanies the person through it.
@main struct RoutineService: Service {
    static let name = ServiceName.routine
    static let tokenIssuer = ServiceName.account
    static let migrator = RoutineStore.migrator
    static let belongings = RoutineStore.belongings

    static var handlers: [MessageHandler] {
        People.handlers + OwnActionHandling.handlers + OwnPictures.handlers
            + RoutineHandling.handlers + Days.handlers + DayRecording.handlers
            + TemplateHandling.handlers + Rhythms.handlers + Measures.handlers
    }
    static var timers: [TimerHandler] {
        DayWatch.timers + Rhythms.timers + OutsideEvents.timers
    }
    static var follows: [ServiceName: [EventHandler]] {
        [
            .account: People.events, .checklist: OutsideEvents.shifts,
            .notifier: [.acknowledgements()], .project: OutsideEvents.meetings,
        ]
    }

    static func pass(_ transaction: Transaction, to receiver: SnapshotReceiver) throws {
        try Days.pass(transaction, to: receiver)
    }

    static func forget(
        _ producer: ServiceName, except present: [Envelope], _ transaction: Transaction
    ) throws {
        try OutsideEvents.forget(producer, except: present, in: transaction)
    }
}
