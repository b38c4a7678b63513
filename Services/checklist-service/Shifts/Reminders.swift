import Bus
import Messages
import ServiceRuntime
import ShiftLog

/// Tells people what is due, and those above what nobody has answered.
enum Reminders {
    static var timers: [TimerHandler] { [.init(watch, wake)] }
    static var events: [EventHandler] { [.init(acknowledged)] }

    /// Timer kind: something in a shift becomes due.
    static let watch = "watch"

    static func wake(_ shift: String, due: Int64, in transaction: Transaction) throws {
        guard let row = try ShiftRow.ofID(shift, transaction.db), row.shift.ended == 0 else {
            return
        }
        try settle(row, row.state(transaction.db), in: transaction)
    }

    /// Someone has taken notice of an alert: those above need not be told.
    static func acknowledged(
        _ event: AlertAcknowledged, _ envelope: Envelope, in transaction: Transaction
    ) throws {
        guard let alert = event.alert, alert.source == ServiceName.checklist.rawValue,
            let key = alert.raised?.key,
            var known = try ShiftAlert.ofKey(key, transaction.db), !known.alert.isAcknowledged
        else { return }
        known.alert.isAcknowledged = true
        try known.alert.save(of: known.shift, transaction.db)
        try wake(known.shift, due: transaction.now, in: transaction)
    }

    /// Raises what is to be told and isn't, takes back what is told and no longer so, and sets the
    /// timer for the next time that something changes by itself.
    static func settle(
        _ row: ShiftRow, _ state: ShiftState, in transaction: Transaction
    ) throws {
        let shift = row.shift.id
        let present = Dictionary(
            uniqueKeysWithValues: try ShiftAlert.all(of: shift, transaction.db)
                .map { ($0.key, $0) })
        let alerts = ShiftAlerts(state: state, present: present)
        let wanted = try alerts.wanted(at: transaction.now) {
            try above(row.shift, state.settings, in: transaction)
        }
        for alert in wanted where present[alert.key] != alert {
            try alert.save(of: shift, transaction.db)
            try transaction.publish(alert.raised, subject: shift)
        }
        for key in Set(present.keys).subtracting(wanted.map(\.key)).sorted() {
            try ShiftAlert.delete(key, transaction.db)
            try transaction.publish(AlertWithdrawn(key: key), subject: shift)
        }
        if let next = alerts.next(after: transaction.now) {
            try transaction.setTimer(watch, subject: shift, due: next)
        } else {
            try transaction.cancelTimer(watch, subject: shift)
        }
    }

    /// Who is told what the shift manager hasn't answered: those that the settings name, or else
    /// the supervisors of the site, its managers, and at last the shift manager once more.
    private static func above(
        _ shift: Shift, _ settings: SiteSettings, in transaction: Transaction
    ) throws -> [String] {
        let named = try settings.escalateTo.compactMap {
            try Person.named($0, of: shift.organisation, transaction.db)
        }
        if !named.isEmpty { return named.map { recipient($0, in: transaction) } }
        for role in [Role.supervisor, .siteManager] {
            let people = try Person.holding(
                role, at: shift.site, of: shift.organisation, transaction.db)
            if !people.isEmpty { return people.map { recipient($0, in: transaction) } }
        }
        return [shift.manager]
    }

    /// Whose feed a person reads: the owner of the machine has that of the machine account where
    /// no log-in is needed.
    private static func recipient(_ person: Person, in transaction: Transaction) -> String {
        let owner = Principal.machineOwner.account
        return !transaction.isBusShared && person.account.name == owner ? owner : person.account.id
    }
}
