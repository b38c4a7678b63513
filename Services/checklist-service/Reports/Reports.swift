import LocalTime
import Messages
import Papers
import Phrases
import ServiceRuntime
import ShiftLog
import ShiftPapers
import Texts

/// The reports about sites that are mailed every week, each once.
enum Reports {
    static var handlers: [MessageHandler] {
        [
            .command(schedule, .role(minimum: .supervisor, at: .site)),
            .command(unschedule, .role(minimum: .supervisor, at: .site)),
            .query(list, .role(minimum: .supervisor, at: .site)),
        ]
    }
    static var timers: [TimerHandler] { [.init(timer, atAnyTime: settle)] }

    /// The timer kind for the next time at which a report is due.
    static let timer = "report"
    /// The maximum number of reports of an organisation.
    static let most = 20
    /// How late a timer may be, in milliseconds, before other due timers come first.
    static let mostLate: Int64 = 10_000
    /// The most tasks and missed shifts in a report.
    static let (mostTasks, mostMissed) = (10, 50)

    /// Sets the timer of every report again, since the clock may have been set back meanwhile.
    static func prepare(_ transaction: Transaction) throws {
        for report in try ReportRow.ids(transaction.db) {
            // Scheduled shifts are decided first.
            try transaction.setTimer(timer, subject: report, due: transaction.now + 1)
        }
    }

    // MARK: Scheduling

    static func schedule(
        _ command: ScheduleReport, in transaction: Transaction
    ) throws -> SiteReport {
        var report = command.report
        let own = try transaction.sites(for: .supervisor)
        let known = Dictionary(
            own.flatMap { [($0.site.id, $0), ($0.foldedName, $0)] },
            uniquingKeysWith: { first, _ in first })
        let named = try report.sites.prefix(SiteReport.mostSites + 1).map { name in
            guard let row = known[name] ?? known[FoldedText.name(name)] else {
                throw Refusal.noSite(name)
            }
            return row
        }
        let sites = named.isEmpty ? own : named
        guard let first = sites.first else {
            throw Refusal.notFound("there is no site that you may report on")
        }
        guard sites.allSatisfy({ $0.organisation == first.organisation }) else {
            throw Refusal.invalid("name the sites of one organisation")
        }
        report.sites = named.map(\.site.id)
        if report.timeZone.isEmpty { report.timeZone = first.site.timeZone }
        if report.language.isEmpty {
            let language = try SiteSettings.of(first.site.id, transaction.db).language
            report.language = Language.of(language).rawValue
        }
        _ = try Language.required(report.language)
        try report.validate()
        guard LocalTime.isKnown(report.timeZone) else {
            throw Refusal.invalid("there is no time zone “\(report.timeZone.prefix(100))”")
        }
        (report.organisation, report.account) = (first.organisation, transaction.principal.account)
        _ = try addresses(of: report, isStrict: true, in: transaction)
        let others = try ReportRow.all(transaction.db)
        guard others.count(where: { $0.organisation == report.organisation }) < most else {
            throw Refusal.conflict("the organisation has \(most) reports, the most there may be")
        }
        (report.id, report.by) = ("\(transaction.id)", try transaction.askerName())
        (report.since, report.sent, report.removed) = (transaction.now, 0, false)
        try ReportRow.save(report, transaction.db)
        try transaction.publish(SiteReportChanged(report: report), subject: report.id)
        try transaction.setTimer(timer, subject: report.id, due: transaction.now)
        return report
    }

    static func unschedule(
        _ command: UnscheduleReport, in transaction: Transaction
    ) throws -> SiteReport {
        let typed = try TypedID(command.id, of: "report")
        var report = try typed.only(visible(transaction).filter { typed.matches($0.id) })
        try ReportRow.delete(report.id, transaction.db)
        try transaction.cancelTimer(timer, subject: report.id)
        report.removed = true
        try transaction.publish(SiteReportChanged(report: report), subject: report.id)
        return report
    }

    static func list(
        _ query: ListSiteReports, in transaction: Transaction
    ) throws -> SiteReports {
        SiteReports(reports: try visible(transaction))
    }

    static func pass(_ transaction: Transaction, to receiver: SnapshotReceiver) throws {
        try ReportRow.each(in: transaction) { report in
            try receiver(SiteReportChanged(report: report), report.id)
        }
    }

    /// The reports that the asker scheduled; for administrators, all reports of their organisation.
    private static func visible(_ transaction: Transaction) throws -> [SiteReport] {
        let asker = transaction.principal
        let reports = try ReportRow.all(transaction.db)
        guard asker.kind != .machineOwner else { return reports }
        return reports.filter {
            $0.organisation == asker.organisation
                && ($0.account == asker.account || asker.holds(.administrator, at: ""))
        }
    }

    // MARK: Mailing

    /// Mails a report that is due, and sets the timer for the next one.
    static func settle(_ id: String, due: Int64, in transaction: Transaction) throws {
        let now = transaction.now
        guard now - due < mostLate else {
            // The clock has jumped. Scheduled shifts are decided first.
            return try transaction.setTimer(timer, subject: id, due: now + 1)
        }
        guard var report = try ReportRow.ofID(id, transaction.db),
            let localTime = LocalTime(zone: report.timeZone)
        else { return }
        // Times in the future were recorded while the clock was wrong.
        let ahead = now + StartDecision.mostAhead
        if report.since > ahead { report.since = now }
        if report.sent > ahead { report.sent = now }
        if let due = report.due(at: now, localTime) {
            try mail(report, due: due, localTime, in: transaction)
            report.sent = due
        }
        try ReportRow.save(report, transaction.db)
        let next = report.next(after: now, localTime) ?? .max
        try transaction.setTimer(timer, subject: id, due: min(next, now + Starts.interval))
    }

    private static func mail(
        _ report: SiteReport, due: Int64, _ localTime: LocalTime, in transaction: Transaction
    ) throws {
        let to = try addresses(of: report, isStrict: false, in: transaction)
        let sites = try self.sites(of: report, in: transaction)
        guard !to.isEmpty, !sites.isEmpty else { return }
        let paper = try comparison(
            of: sites, report, due: due, localTime, in: transaction
        ).paper
        let text = PlainPaper.text(of: [paper], width: 100, isColoured: false)
        let page = HTMLPaper.page(of: [paper])
        let isShort = text.utf8.count <= PaperMail.mostText
        try transaction.request(
            MailRequested(
                key: "report/\(report.id)/\(localTime.reading(at: due).date)", to: to,
                subject: PaperMail.line("\(paper.title), \(paper.occasion): \(paper.site)"),
                text: isShort ? text : Words<MailPhrase>(.of(report.language)).say(.tooLong),
                html: page.utf8.count <= PaperMail.mostText ? page : "",
                organisation: report.organisation))
    }

    private static func comparison(
        of sites: [SiteRow], _ report: SiteReport, due: Int64, _ localTime: LocalTime,
        in transaction: Transaction
    ) throws -> SiteComparison {
        let db = transaction.db
        let span = SiteReport.span(before: due, localTime)
        let range = FigureRange(
            sites: sites.map(\.site.id), manager: "", from: span.from, to: span.to)
        let tasks = try range.tasks(db).filter { ($0.totals?.notOk ?? 0) > 0 }
        let words = Words<AlertPhrase>(.of(report.language))
        let missed = try StartRow.missed(in: range, limit: mostMissed, db)
            .filter { $0.start.outcome == .missed }
            .map { row in
                let zone = sites.first { $0.site.id == row.shift.site }?.site.timeZone ?? ""
                let reading = (LocalTime(zone: zone) ?? localTime).reading(at: row.start.due)
                return SiteComparison.Missed(
                    time: "\(reading.date) \(reading.time)",
                    reason: words.say(row.reason(at: row.siteName)))
            }
        return SiteComparison(
            sites: sites.map(\.site.name), rows: try range.gathered(by: .siteWeek, db),
            tasks: Array(tasks.prefix(mostTasks)), missed: missed, from: span.from, to: span.to,
            language: report.language)
    }

    /// The sites of a report that its creator may still read.
    private static func sites(
        of report: SiteReport, in transaction: Transaction
    ) throws -> [SiteRow] {
        let db = transaction.db
        let all = try SiteRow.all(of: .one(report.organisation), db).filter {
            report.sites.isEmpty || report.sites.contains($0.site.id)
        }
        let known = try Person.ofID(report.account, db, reportedIn: transaction)
        guard !Person.isUnbound(report.account, known, in: transaction) else { return all }
        guard let person = known, !person.account.isDisabled else { return [] }
        let principal = Principal.account(
            report.account, organisation: report.organisation, grants: person.account.grants)
        return all.filter { principal.holds(.supervisor, at: $0.site.id) }
    }

    /// The addresses of the recipients. Names of accounts stand for their present address.
    ///
    /// - Throws: a `Refusal` for a recipient without a valid address, if `isStrict`.
    private static func addresses(
        of report: SiteReport, isStrict: Bool, in transaction: Transaction
    ) throws -> [String] {
        var addresses: [String] = []
        for recipient in report.to {
            let person = try Person.named(
                recipient, of: report.organisation, transaction.db, reportedIn: transaction)
            let email = person.flatMap { $0.account.isDisabled ? nil : $0.account.email } ?? ""
            let address = person == nil || email.isEmpty ? recipient : email
            if isStrict, !address.contains("@") {
                throw Refusal.notFound(
                    "“\(recipient.prefix(100))” is neither an address nor an account with one")
            }
            do { try MailRequested.validate(address: address) } catch {
                if isStrict { throw error }
                continue
            }
            if !addresses.contains(address) { addresses.append(address) }
        }
        return addresses
    }
}
