import Bus
import Messages
import ServiceRuntime

/// Keeps the checklists of places that work in shifts: templates, the shifts that are run with
/// them, reminders, the archive, and what came of it all.
@main struct ChecklistService: Service {
    static let name = ServiceName.checklist
    static let tokenIssuer = ServiceName.account
    static let migrator = ChecklistStore.migrator

    static var commands: [CommandHandler] {
        Templates.commands + Settings.commands + Shifts.commands + Recording.commands
            + Mails.commands + EquipmentCare.commands
    }
    static var queries: [QueryHandler] {
        Templates.queries + Settings.queries + Shifts.queries + Archive.queries
            + ShiftStatistics.queries + EquipmentCare.queries
    }
    static var access: [String: Access] {
        [
            Templates.access, Settings.access, Shifts.access, Recording.access, Archive.access,
            ShiftStatistics.access, Mails.access,
            EquipmentCare.access,
        ].reduce(into: [:]) { $0.merge($1) { $1 } }
    }
    static var timers: [TimerHandler] { Reminders.timers + Archive.timers }
    static var errands: [ErrandHandler] { Mails.errands }
    static var follows: [ServiceName: [EventHandler]] {
        [.account: Sites.events, .notifier: Reminders.events]
    }

    static func prepare(_ transaction: Transaction) throws {
        try Archive.prepare(transaction)
        try Mails.prepare(transaction)
    }

    static func tell(
        _ transaction: Transaction
    ) throws -> [(any ProtobufMessage, subject: String)] {
        try Templates.tell(transaction) + Settings.tell(transaction) + Shifts.tell(transaction)
            + EquipmentCare.tell(transaction)
    }

    static func forget(
        _ producer: ServiceName, except present: [Envelope], _ transaction: Transaction
    ) throws {
        if producer == .account { try Sites.forget(transaction) }
    }
}
