import Bus
import Messages
import ServiceRuntime

/// Keeps the checklists of places that work in shifts: templates, the shifts that use them,
/// reminders, the archive and its statistics.
@main struct ChecklistService: Service {
    static let name = ServiceName.checklist
    static let tokenIssuer = ServiceName.account
    static let migrator = ChecklistStore.migrator
    static let belongings = ChecklistStore.belongings

    static var handlers: [MessageHandler] {
        TemplateHandling.handlers + Settings.handlers + Shifts.handlers + Recording.handlers
            + Archive.handlers + ShiftStatistics.handlers + MailHandling.handlers
            + EquipmentCare.handlers + Handover.handlers + Schedules.handlers
            + Reports.handlers + PhotoHandling.handlers
    }
    static var timers: [TimerHandler] {
        Reminders.timers + Archive.timers + Schedules.timers + Reports.timers
    }
    static var errands: [ErrandHandler] { MailHandling.errands }
    static var follows: [ServiceName: [EventHandler]] {
        [.account: Sites.events, .notifier: Reminders.events]
    }

    static func prepare(_ transaction: Transaction) throws {
        try Archive.prepare(transaction)
        try MailHandling.prepare(transaction)
        try Schedules.prepare(transaction)
        try Reports.prepare(transaction)
    }

    static func pass(_ transaction: Transaction, to receiver: SnapshotReceiver) throws {
        try TemplateHandling.pass(transaction, to: receiver)
        try Settings.pass(transaction, to: receiver)
        try Shifts.pass(transaction, to: receiver)
        try EquipmentCare.pass(transaction, to: receiver)
        try Handover.pass(transaction, to: receiver)
        try Schedules.pass(transaction, to: receiver)
        try Reports.pass(transaction, to: receiver)
    }

    static func forget(
        _ producer: ServiceName, except present: [Envelope], _ transaction: Transaction
    ) throws {
        if producer == .account { try Sites.forget(except: present, transaction) }
    }
}
