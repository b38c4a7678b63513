import CalendarFeeds
import Calendars
import Messages
import Phrases
import ProjectRecord
import RedmineClient
import ServiceRuntime

/// Fetches people's calendars regularly, outside the loop. What was read last is kept until the
/// calendar is read again.
enum CalendarFetches {
    static var errands: [ErrandHandler] {
        [
            ErrandHandler(
                "calendar", atOnce: 2, take: take, name: \.id, work: { $0.fetch.run() },
                finish: { try finish($0, $1, in: $2) },
                giveUp: { try giveUp($0, $1, in: $2) })
        ]
    }

    /// The variable that names the hosts in private networks that calendars may be fetched from if
    /// others use the service.
    static let hosts = "STEWARD_CALENDAR_HOSTS"
    /// How long to wait before fetching a calendar again, in milliseconds.
    static let interval: Int64 = 900_000
    /// How long fetching a calendar may fail before somebody is alerted, in milliseconds.
    private static let patience: Int64 = 86_400_000
    /// How long an alert stays open unless it is withdrawn, in milliseconds: 30 days.
    private static let life: Int64 = 30 * 86_400_000
    /// The waits after failures, in milliseconds, by how long the failures have lasted.
    private static let waits: [(lasted: Int64, wait: Int64)] = [
        (3_600_000, 3_600_000), (600_000, interval), (0, 60_000),
    ]
    /// For how many days after now the times of a calendar are kept, and for how many before.
    private static let (ahead, back): (Int64, Int64) = (500, 3)

    /// A calendar that is fetched.
    struct Errand: Sendable {
        let id: String
        /// The mark of its address.
        let mark: [UInt8]
        let fetch: CalendarFetch
        let window: TimeSpan
        let zone: String
    }

    /// The period for which a calendar that is read now gives times, in seconds since 1970.
    static func window(at now: Int64) -> TimeSpan {
        let seconds = now / 1_000
        return TimeSpan(max(0, seconds - back * 86_400), seconds + ahead * 86_400)
    }

    /// Where an address may lead. On a person's own machine that is everywhere; if others use the
    /// service, only the operator can open the private network to them.
    static func reach(
        of address: CalendarAddress, in transaction: Transaction
    ) -> CalendarFetch.Reach {
        guard transaction.isBusShared else { return .everywhere }
        return AllowedHosts(transaction.settings, hosts).contains(address.host)
            ? .everywhere : .outside
    }

    // MARK: Beginning

    private static func take(_ transaction: Transaction) throws -> Errand? {
        let db = transaction.db
        guard let id = try PersonCalendarRow.due(at: transaction.now, db) else { return nil }
        let key = try Redmines.sealingKey(transaction)
        return try transaction.sparingOthers("calendar") {
            guard let row = try PersonCalendarRow.ofID(id, db) else { return nil }
            return try begin(row, key, in: transaction)
        } putAside: { _ in
            try PersonCalendarRow.putOff(id, to: transaction.now + CalendarWait.longest, db)
        }
    }

    private static func begin(
        _ row: PersonCalendarRow, _ key: SealingKey, in transaction: Transaction
    ) throws -> Errand? {
        var row = row
        guard let project = try ProjectRow.ofID(row.project, transaction.db),
            let member = try project.record(transaction).members[Int(row.calendar.person)]
        else {
            try row.forget(in: transaction)
            return nil
        }
        guard let address = address(of: row, key),
            let zone = Zone(named: member.timeZone)
        else {
            let reason =
                Zone(named: member.timeZone) == nil
                ? "this machine doesn't know the time zone of \(member.name)"
                : "its address can't be read; remove it, and add it again"
            row.fail(reason, after: nil, at: transaction.now)
            try row.save(transaction.db)
            try settle(row, of: project.project, member, in: transaction)
            return nil
        }
        let window = window(at: transaction.now)
        // Once a day it is read in any case, because time passes.
        let isOld = window.end - row.calendar.knownUntil / 1_000 >= 86_400
        let isSame = row.zone == member.timeZone && !isOld
        row.isUnderWay = true
        try row.save(transaction.db)
        return Errand(
            id: row.calendar.id,
            mark: key.mark(of: address.text),
            fetch: CalendarFetch(
                address, reach(of: address, in: transaction), known: isSame ? row.version : nil,
                window: window, zone: zone),
            window: window, zone: member.timeZone)
    }

    /// The address of a calendar; nil when it can't be opened.
    private static func address(of row: PersonCalendarRow, _ key: SealingKey) -> CalendarAddress? {
        guard let text = key.opened(row.sealed) else { return nil }
        do { return try CalendarAddress(text) } catch { return nil }
    }

    // MARK: Ending

    /// Stops fetching a calendar for a day, because the service itself fails while fetching it.
    private static func giveUp(
        _ errand: Errand, _ reason: String, in transaction: Transaction
    ) throws {
        let failure = "the service fails while it fetches it: \(reason)"
        try finish(errand, .failed(failure, after: 86_400), isOurs: true, in: transaction)
    }

    private static func finish(
        _ errand: Errand, _ outcome: CalendarFetch.Outcome, isOurs: Bool = false,
        in transaction: Transaction
    ) throws {
        if case .failed(_, let seconds) = outcome {
            try CalendarWait.keep(
                errand.mark, seconds: seconds, isOurs: isOurs, in: transaction)
        }
        // Somebody may have removed it meanwhile.
        guard var row = try PersonCalendarRow.ofID(errand.id, transaction.db),
            let project = try ProjectRow.ofID(row.project, transaction.db)
        else { return }
        row.isUnderWay = false
        switch outcome {
        case .unchanged: row.succeed(at: transaction.now)
        case .read(let contents):
            row.take(
                PersonCalendarHandling.Found(
                    contents: contents, window: errand.window, zone: errand.zone),
                at: transaction.now)
        case .failed(let reason, let seconds):
            row.fail(reason, after: seconds, at: transaction.now)
        }
        try row.save(transaction.db)
        let member = try project.record(transaction).members[Int(row.calendar.person)]
        try settle(row, of: project.project, member, in: transaction)
    }

    fileprivate static func wait(failingFor lasted: Int64) -> Int64 {
        waits.first { lasted >= $0.lasted }?.wait ?? interval
    }

    // MARK: Alerts

    /// Alerts the person who added a calendar that hasn't been fetched for a long time, or the
    /// administrators if that person has left.
    private static func settle(
        _ row: PersonCalendarRow, of project: Project, _ member: Member?,
        in transaction: Transaction
    ) throws {
        let subject = row.alertSubject
        let calendar = row.calendar
        guard calendar.failingSince > 0, transaction.now - calendar.fetched >= patience else {
            return try transaction.withdrawAlerts(of: subject)
        }
        let isFormer = try FormerAccount.includes(calendar.account, transaction.db)
        let key = "project/\(row.project)/calendar/\(calendar.id)"
        var raised = AlertRaised(
            key: isFormer ? "\(key)/administrators" : key, kind: "project.calendarOld",
            severity: .warning, subject: subject, recipient: isFormer ? "" : calendar.account,
            needsAcknowledgement: true, expiresAt: transaction.now + life,
            actions: [
                Action(
                    name: "show", Said(.seeCalendars),
                    target: "steward meet calendar list -p \(row.project)")
            ], organisation: project.organisation,
            audience: isFormer ? Audience(role: .administrator) : nil)
        raised.say(
            Said(
                .calendarOld,
                ["project": .text(project.name), "person": .text(member?.name ?? "")]),
            [
                PhraseLine([
                    Said<AlertPhrase>(.calendarOldBody, ["server": .text(calendar.server)])
                ])
            ])
        let standing = try transaction.standingAlert(raised.key)
        try transaction.settle(
            [.lasting(raised, after: standing, at: transaction.now)], of: subject)
    }
}

extension PersonCalendarRow {
    /// Records that it could not be fetched.
    ///
    /// - Parameters:
    ///   - reason: why.
    ///   - seconds: the minimum wait in seconds, for example because the server asks for it; nil
    ///     for none.
    ///   - now: the present time in milliseconds since 1970.
    mutating func fail(_ reason: String, after seconds: Int?, at now: Int64) {
        // A later time was recorded before the clock was set back.
        if calendar.failingSince == 0 || calendar.failingSince > now { calendar.failingSince = now }
        calendar.fetched = min(calendar.fetched, now)
        calendar.failure = reason.prefix(bytes: 1_000)
        let asked = CalendarWait.length(seconds: seconds)
        earliest = asked > 0 ? now + asked : 0
        calendar.due =
            now + max(CalendarFetches.wait(failingFor: now - calendar.failingSince), asked)
    }
}
