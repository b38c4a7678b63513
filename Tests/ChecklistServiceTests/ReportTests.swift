import Foundation
import Messages
import TestSupport
import Testing

extension Processes {
    /// Tests of the reports that are mailed every week.
    @Suite struct ReportTests {
        @Test func `a report is mailed once a week, despite kills and downtime`() throws {
            let restaurant = try Restaurant()
            try restaurant.keep(.list())
            let shift = try #require(try restaurant.start().shift)
            _ = try restaurant.ask(EndShift(shift: shift.id, despiteOpen: true), for: Shift.self)
            try restaurant.schedule(in: 60)
            let report = try restaurant.report(daysAhead: 8, language: "nb")
            #expect(report.timeZone == "Etc/UTC" && report.sites == [restaurant.site])
            #expect(try restaurant.mails().isEmpty)

            restaurant.kill()
            try restaurant.pass(minutes: 8 * 24 * 60 + 1)
            for _ in 1...3 { try restaurant.restart() }
            try eventually("it is mailed") { try restaurant.mails().count == 1 }
            let mail = try #require(try restaurant.mails().first)
            #expect(mail.to == ["boss@example.org"])
            #expect(mail.subject.hasPrefix("Ukesrapport") && mail.subject.contains("Harbour"))
            #expect(mail.text.contains("Skift som ikke begynte"))
            #expect(mail.html.contains("Harbour") && mail.organisation == shift.organisation)

            try restaurant.pass(minutes: 4 * 7 * 24 * 60)
            try eventually("the newest one is mailed") { try restaurant.mails().count == 2 }
            try restaurant.restart()
            try restaurant.pass(minutes: 60)
            try restaurant.restart()
            #expect(Set(try restaurant.mails().map(\.key)).count == 2)
            #expect(try restaurant.mails().count == 2)
        }

        @Test func `a report has only the sites that its creator may still read`() throws {
            let restaurant = try Restaurant()
            try restaurant.keep(.list())
            let organisation = try restaurant.accounts.ask(
                CreateSite(name: "Quay", timeZone: "Etc/UTC"), for: Organisation.self)
            let quay = try #require(organisation.sites.first { $0.name == "Quay" }).id
            try restaurant.waitForSite(quay)
            let grants = [restaurant.site, quay].map { Grant(role: .supervisor, site: $0) }
            let sue = try restaurant.token("sue", grants[0], grants[1])
            let mia = try restaurant.token("mia", Grant(role: .siteManager, site: quay))
            let wanted = ScheduleReport(
                report: SiteReport(
                    weekday: restaurant.weekday(daysAhead: 1), to: ["boss@example.org"]))
            #expect(try restaurant.refusal(of: wanted, as: mia)?.code == .forbidden)
            let report = try restaurant.ask(wanted, for: SiteReport.self, as: sue)
            let before = try restaurant.person("sue")
            _ = try restaurant.accounts.ask(
                RevokeRole(account: "sue", grant: grants[1]), for: Account.self)
            try eventually("the service knows") { try restaurant.person("sue") != before }

            try restaurant.pass(minutes: 24 * 60)
            try eventually("it is mailed") { try restaurant.mails().count == 1 }

            let subject = try #require(try restaurant.mails().first).subject
            #expect(subject.contains("Harbour") && !subject.contains("Quay"))
            let listed = try restaurant.ask(ListSiteReports(), for: SiteReports.self).reports
            #expect(listed.map(\.id) == [report.id])
            _ = try restaurant.ask(UnscheduleReport(id: report.id), for: SiteReport.self)
            try restaurant.pass(minutes: 7 * 24 * 60)
            try restaurant.restart()
            #expect(try restaurant.mails().count == 1)
        }

        @Test func `a report has few recipients, each with an address`() throws {
            let restaurant = try Restaurant()
            let wanted = { (to: [String]) in
                ScheduleReport(report: SiteReport(weekday: 1, to: to))
            }
            for to in [[], ["nobody"], ["a@example.org", "a@example.org"], ["a b@example.org"]] {
                #expect(try restaurant.refusal(of: wanted(to)) != nil, "\(to)")
            }
            let many = (0...20).map { "a\($0)@example.org" }
            #expect(try restaurant.refusal(of: wanted(many))?.code == .invalid)
            for _ in 1...20 {
                _ = try restaurant.ask(wanted(Array(many.prefix(20))), for: SiteReport.self)
            }
            #expect(try restaurant.refusal(of: wanted([many[0]]))?.code == .conflict)
        }

        @Test func `a report is in one of the languages that Steward speaks`() throws {
            let restaurant = try Restaurant()
            let wanted = { (language: String) in
                ScheduleReport(
                    report: SiteReport(
                        weekday: 1, to: ["boss@example.org"], language: language))
            }
            let refusal = try restaurant.refusal(of: wanted("de"))
            #expect(refusal?.isBecause(.languageUnknown) == true, "\(refusal?.message ?? "")")
            for language in ["", "nb"] {
                _ = try restaurant.ask(wanted(language), for: SiteReport.self)
            }
        }

        @Test(arguments: [false, true])
        func `a clock that jumps mails one report, and the next at its time`(
            isRestarted: Bool
        ) throws {
            let restaurant = try Restaurant()
            try restaurant.report(daysAhead: 1)
            let years: Int64 = 10 * 365 * 24 * 60
            try restaurant.pass(minutes: years)
            try eventually("one is mailed") { try restaurant.mails().count == 1 }
            try restaurant.pass(minutes: -years)
            if isRestarted { try restaurant.restart() }
            #expect(try restaurant.mails().count == 1)
            // Two jumps in quick succession would look like one.
            try eventually("the service knows that the clock was wrong") {
                let reports = try restaurant.ask(ListSiteReports(), for: SiteReports.self).reports
                return reports.allSatisfy {
                    $0.sent < Int64(Date().timeIntervalSince1970 * 1000) + years * 30_000
                }
            }
            try restaurant.pass(minutes: 24 * 60 + 1)
            try eventually("the next one is mailed") { try restaurant.mails().count == 2 }
        }
    }
}

extension Restaurant {
    /// Schedules a report for midnight UTC, this many days from now.
    @discardableResult
    func report(daysAhead days: Int64, language: String = "en") throws -> SiteReport {
        try ask(
            ScheduleReport(
                report: SiteReport(
                    sites: ["Harbour"], weekday: weekday(daysAhead: days),
                    to: ["boss@example.org"], language: language)),
            for: SiteReport.self)
    }
}
