import Messages
import ServiceRuntime
import ShiftLog

/// Alerts people to what is due, and their superiors to unacknowledged alerts.
enum Reminders {
    static var timers: [TimerHandler] {
        [.init(watch, atAnyTime: wake), .init(people, atAnyTime: wakeAlerted)]
    }
    /// Once someone has acknowledged an alert, superiors need not know.
    static var events: [EventHandler] {
        [
            .acknowledgements { alert, transaction in
                try wake(alert.raised.subject, due: transaction.now, in: transaction)
            }
        ]
    }

    /// The timer kind for the next time at which something in a shift becomes due.
    static let watch = "watch"
    /// The timer kind for a change of an organisation's people.
    private static let people = "people"

    static func wake(_ shift: String, due: Int64, in transaction: Transaction) throws {
        guard let row = try ShiftRow.ofID(shift, transaction.db), row.shift.ended == 0 else {
            return
        }
        try settle(row, row.state(transaction.db), in: transaction)
    }

    /// Raises the alerts that are due, withdraws those that no longer apply, and sets the timer for
    /// the next time that something changes by itself.
    static func settle(
        _ row: ShiftRow, _ state: ShiftState, in transaction: Transaction
    ) throws {
        let shift = row.shift.id
        let present = try transaction.standingAlerts(of: shift)
        let alerts = ShiftAlerts(
            state: state,
            present: Dictionary(
                present.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first }),
            substitute: try substitute(row.shift, state.settings, in: transaction))
        let wanted = try alerts.wanted(at: transaction.now) {
            try above(row.shift, state.settings, in: transaction)
        } account: { name in
            guard
                let person = try Person.named(
                    name, of: row.shift.organisation, transaction.db, reportedIn: transaction),
                person.holdsRole(at: row.shift.site)
            else { return nil }
            return recipient(person, in: transaction)
        }
        try transaction.settle(wanted, of: shift)
        if let next = alerts.next(after: transaction.now) {
            try transaction.setTimer(watch, subject: shift, due: next)
        } else {
            try transaction.cancelTimer(watch, subject: shift)
        }
    }

    /// Settles the open shifts of an organisation that have alerts soon: a change of its people may
    /// change who is above the shift manager. Of very many changes at once, as in a snapshot, all
    /// have the same timer.
    static func wakeAlertedSoon(of organisation: String, in transaction: Transaction) throws {
        try transaction.setTimer(people, subject: organisation, due: transaction.now)
    }

    static func wakeAlerted(
        of organisation: String, due: Int64, in transaction: Transaction
    ) throws {
        for shift in try ShiftRow.alerted(of: organisation, transaction.db) {
            try transaction.setTimer(watch, subject: shift, due: transaction.now)
        }
    }

    /// Who gets the alerts of a shift manager who can no longer log in or holds no role at the
    /// site; nil while the shift manager gets them, and if it isn't known whether that person has
    /// left.
    static func substitute(
        _ shift: Shift, _ settings: SiteSettings, in transaction: Transaction
    ) throws -> String? {
        let known = try Person.ofID(shift.manager, transaction.db)
        guard let person = known, !person.isSalvaged, !person.holdsRole(at: shift.site),
            !Person.isUnbound(shift.manager, person, in: transaction)
        else { return nil }
        return try above(shift, settings, in: transaction).first
    }

    /// The recipients of alerts that the shift manager hasn't acknowledged: those of the people in
    /// the settings who are still there, or else the supervisors of the site, else its managers,
    /// and otherwise the shift manager once more.
    private static func above(
        _ shift: Shift, _ settings: SiteSettings, in transaction: Transaction
    ) throws -> [String] {
        let named = try settings.escalateTo.compactMap {
            try Person.named(
                $0, of: shift.organisation, transaction.db, reportedIn: transaction)
        }.filter { $0.holdsRole(at: shift.site) }
        if !named.isEmpty { return named.map { recipient($0, in: transaction) } }
        for role in [Role.supervisor, .siteManager] {
            let people = try Person.holding(
                role, at: shift.site, of: shift.organisation, transaction.db,
                reportedIn: transaction)
            if !people.isEmpty { return people.map { recipient($0, in: transaction) } }
        }
        return [shift.manager]
    }

    /// The recipient name of a person's feed: where no log-in is needed, the owner of the machine
    /// reads that of the machine account.
    static func recipient(_ person: Person, in transaction: Transaction) -> String {
        let owner = Principal.machineOwner.account
        return !transaction.isBusShared && person.account.name == owner ? owner : person.account.id
    }
}
