import Dates
import LocalTime
import Messages
import RoutineDay
import ServiceRuntime

/// Follows the days of all people: wakes when something changes by itself, and sends alerts about
/// it.
enum DayWatch {
    static var timers: [TimerHandler] { [.init(watch, atAnyTime: wake)] }

    /// The timer kind for something in a day that changes by itself.
    static let watch = "day"

    /// How many days after a date that day may still be going on somewhere on earth.
    private static let longest: Int64 = 3

    static func wake(_ subject: String, due: Int64, in transaction: Transaction) throws {
        // The subject ends in `/` and a date of ten characters.
        let (person, date) = (String(subject.dropLast(11)), String(subject.suffix(10)))
        // A timer that fails is reported and tried again, but not after the day is over.
        let today = transaction.retentionTime / 86_400_000
        guard let number = LocalTime.day(date), number + longest < today else {
            return try update(person, date, wasAhead: due > transaction.now, in: transaction)
        }
        _ = try transaction.sparingOthers("day") { () -> String? in
            try update(person, date, wasAhead: false, in: transaction)
            return date
        } putAside: { _ in
        }
    }

    private static func update(
        _ person: String, _ date: String, wasAhead: Bool, in transaction: Transaction
    ) throws {
        guard var day = try Day.of(person, date, transaction.db),
            let row = try PersonRow.ofAccount(person, in: transaction)
        else { return }
        let before = day
        let time = try transaction.time(of: day)
        try day.settle(
            at: transaction.now, time, urgent: row.settings.urgent, wasAhead: wasAhead)
        try keep(day, unlike: before, of: row, time, in: transaction)
    }

    /// Saves a day and sends its alerts. `before` is the saved version, or nil for a new day.
    static func keep(
        _ day: Day, unlike before: Day?, of person: PersonRow, _ time: DayTime,
        in transaction: Transaction
    ) throws {
        if day != before {
            var day = day
            day.revision = (before?.revision ?? 0) + 1
            try day.save(transaction.db)
            try transaction.publish(
                DayChanged(day: day), subject: "\(day.person)/\(day.date)")
            let today = min(time.number, transaction.retentionTime / 86_400_000)
            try MeasureStore.keep(day, today, transaction.db)
        }
        if transaction.now >= time.end, nextLook(at: time, in: transaction) == nil {
            try day.forgetBefore(transaction.db)
        }
        try settle(day, of: person, time, in: transaction)
    }

    /// The longest leap of the clock that is believed at once: six hours, in milliseconds.
    private static let longestLeap: Int64 = 6 * 3_600_000

    /// When to look again whether a day is over; nil if it is over for good. A clock that was ahead
    /// may be set right: then a timer that was set meanwhile fires at once, and the day goes on.
    private static func nextLook(at time: DayTime, in transaction: Transaction) -> Int64? {
        transaction.nextLook(until: time.end + longestLeap, since: time.begin)
    }

    /// Sends the alerts of a person's days around now, after the settings have changed. A day that
    /// can't be read is put aside, because the settings concern others too.
    static func settle(_ person: PersonRow, in transaction: Transaction) throws {
        for date in dates(around: transaction.now) {
            _ = try transaction.sparingOthers("day") { () -> PersonRow? in
                try settle(person, on: date, in: transaction)
                return person
            } putAside: { _ in
            }
        }
    }

    /// Sends the alerts of all days of a person that may not be over, and sets their timers, after
    /// the person has changed how long before something begins they are alerted.
    static func settleAll(_ person: PersonRow, in transaction: Transaction) throws {
        let today = max(0, transaction.now) / 86_400_000
        let dates = [max(0, today - 1), today + RoutineLimits.daysAhead + 1].map {
            CivilDate(daysSince1970: Int($0)).iso
        }
        for day in try Day.all(
            of: person.account, from: dates[0], until: dates[1], transaction.db)
        {
            guard let time = DayTime(of: day) else { continue }
            _ = try transaction.sparingOthers("day") { () -> PersonRow? in
                try settle(day, of: person, time, in: transaction)
                return person
            } putAside: { _ in
            }
        }
    }

    /// Sends the alerts of a person's days around now, after an account has become a carer or no
    /// longer is one. What can't be read is put aside, because the account may care for others too.
    /// A former carer keeps no copy of an alert, even about a day that can't be read.
    ///
    /// - Parameters:
    ///   - account: the account of the person.
    ///   - person: the person; nil if what is kept of it can't be read.
    ///   - former: the former carer; nil for a new one.
    ///   - transaction: the transaction of the change.
    static func settle(
        _ account: String, _ person: PersonRow?, former: String?, in transaction: Transaction
    ) throws {
        for date in dates(around: transaction.now) {
            let subject = "\(account)/\(date)"
            for key in try transaction.standingKeys(of: subject)
            where former.map({ DayAlerts.isCopy(key, for: $0, of: subject) }) == true {
                _ = try transaction.sparingOthers("day") { () -> String? in
                    try transaction.withdraw(key)
                    return key
                } putAside: { _ in
                }
            }
        }
        if let person { try settle(person, in: transaction) }
    }

    /// The dates of the days that may have alerts at a time, which are not the same everywhere.
    private static func dates(around now: Int64) -> [String] {
        let today = Int(max(0, now) / 86_400_000)
        return (max(0, today - 1)...(today + 2)).map { CivilDate(daysSince1970: $0).iso }
    }

    private static func settle(
        _ person: PersonRow, on date: String, in transaction: Transaction
    ) throws {
        // A machine that doesn't know the zone of a day leaves its alerts unchanged.
        guard let day = try Day.of(person.account, date, transaction.db),
            let time = DayTime(of: day)
        else { return }
        try settle(day, of: person, time, in: transaction)
    }

    /// Returns the keys of the events of a day that the day before announces, because it is
    /// confirmed and has them: those that go on over midnight. If the person has travelled between
    /// the days, some lie in both, and others in neither before midnight.
    private static func keysAnnounced(
        before day: Day, _ time: DayTime, to person: PersonRow, in transaction: Transaction
    ) throws -> Set<String> {
        guard day.items.contains(where: { !$0.event.isEmpty }) else { return [] }
        let date = CivilDate(daysSince1970: Int(time.number) - 1).iso
        let before = try Day.all(of: person.account, from: date, until: date, transaction.db).first
        guard let before, before.state == .confirmed, let span = DayTime(of: before) else {
            return []
        }
        let known = Set(before.items.map(\.event))
        let events = try DayEvent.all(
            of: person.account, in: time.begin..<time.end, transaction.db)
        return Set(
            events.filter { known.contains($0.key) && $0.part(of: span) != nil }.map(\.key))
    }

    /// Raises the alerts that are missing, withdraws those that no longer apply, and sets the timer
    /// for the next time that something changes by itself.
    private static func settle(
        _ day: Day, of person: PersonRow, _ time: DayTime, in transaction: Transaction
    ) throws {
        var day = day
        // A day that was planned earlier follows the settings too.
        day.warning = person.settings.warning
        let subject = "\(day.person)/\(day.date)"
        let begun = try keysAnnounced(before: day, time, to: person, in: transaction)
        let wanted = DayAlerts(
            day: day, time: time, organisation: person.organisation,
            told: try person.carersTold(transaction.db), name: person.settings.name,
            urgent: person.settings.urgent, begun: begun
        ).wanted(at: transaction.now)
        let present = try transaction.standingKeys(of: subject)
        for alert in wanted { try transaction.raise(alert.raised, occasion: alert.occasion) }
        for key in Set(present).subtracting(wanted.map(\.key)).sorted() {
            try transaction.withdraw(key)
        }
        let change = day.nextChange(after: transaction.now, time)
        if let next = change ?? nextLook(at: time, in: transaction) {
            try transaction.setTimer(watch, subject: subject, due: next)
        } else {
            try transaction.cancelTimer(watch, subject: subject)
        }
    }
}

extension Transaction {
    /// Returns the times of a day.
    ///
    /// - Throws: a refusal if this machine doesn't know its zone.
    func time(of day: Day) throws(Refusal) -> DayTime {
        guard let time = DayTime(of: day) else { throw .noZone(day.timeZone) }
        return time
    }
}
