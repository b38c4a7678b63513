import LocalTime
import Messages
import Testing

@testable import ShiftLog

/// Tests of the rules for weekly reports by mail.
struct SiteReportTests {
    private static let week: Int64 = 7 * 24 * 3_600_000

    private let berlin: LocalTime
    /// 2026-11-02, a Monday.
    private let monday: Int64
    private let report = SiteReport(
        weekday: 1, minutes: 7 * 60, to: ["boss@example.org"], language: "sv")

    init() throws {
        berlin = try #require(LocalTime(zone: "Europe/Berlin"))
        monday = try #require(LocalTime.day("2026-11-02"))
    }

    @Test func `a report is due once a week, however long the service was down`() {
        let first = berlin.instant(day: monday, minutes: 7 * 60)
        #expect(report.next(after: first - 1, berlin) == first)
        #expect(report.due(at: first, berlin) == first)
        var sent = report
        sent.sent = first
        #expect(sent.due(at: first + Self.week - 1, berlin) == nil)
        #expect(sent.due(at: first + Self.week, berlin) == first + Self.week)
        #expect(sent.due(at: first + 9 * Self.week + 5, berlin) == first + 9 * Self.week)
        var new = report
        new.since = first + 1
        #expect(new.due(at: first + Self.week - 1, berlin) == nil)
    }

    @Test func `a report covers the four whole weeks before it`() {
        for day in Int64(0)..<7 {
            let time = berlin.instant(day: monday + day, minutes: 12 * 60)
            let span = SiteReport.span(before: time, berlin)
            #expect(span.from == "2026-10-05" && span.to == "2026-11-01")
        }
    }

    @Test func `a report that is out of range can't be scheduled`() throws {
        try report.validate()
        let changes: [(inout SiteReport) -> Void] = [
            { $0.weekday = 0 }, { $0.weekday = 8 }, { $0.minutes = 1_440 }, { $0.to = [] },
            { $0.to = ["a", "a"] }, { $0.to = (0...20).map { "a\($0)" } },
            { $0.sites = (0...100).map { "\($0)" } },
        ]
        for (number, change) in changes.enumerated() {
            var wrong = report
            change(&wrong)
            #expect(throws: Refusal.self, "\(number)") { try wrong.validate() }
        }
    }
}
