import Messages
import Papers
import Testing

@testable import ShiftPapers

struct SiteReportPaperTests {
    private func comparison(_ language: String, isEmpty: Bool = false) -> SiteComparison {
        let totals = ShiftTotals(
            tasks: 40, ok: 27, notOk: 3, notApplicable: 2, overdue: 5, travelPathsDue: 9,
            travelPathsDone: 6, travelPathsLate: 1)
        let task = StatisticsRow(
            name: "Opening: Fryer", shifts: 4, totals: ShiftTotals(tasks: 4, ok: 1, notOk: 3))
        let row = StatisticsRow(
            shifts: 2, totals: totals, site: "Harbour\u{1B}[2J", week: "2026-W47", missed: 1)
        return SiteComparison(
            sites: ["Harbour", "Quay"], rows: isEmpty ? [] : [row], tasks: isEmpty ? [] : [task],
            missed: isEmpty ? [] : [.init(time: "2026-11-20 06:00", reason: "Harbour: off")],
            from: "2026-10-26", to: "2026-11-22", language: language)
    }

    @Test(arguments: [
        ("en", "Weekly report", "Shifts that did not begin"),
        ("nb", "Ukesrapport", "Skift som ikke begynte"),
        ("sv", "Veckorapport", "Pass som inte började"),
    ])
    func `the weekly report has its figures, in each language`(
        _ language: String, _ title: String, _ heading: String
    ) {
        let paper = comparison(language).paper
        let text = PlainPaper.text(of: [paper], width: 100, isColoured: false)

        #expect(paper.title == title && paper.site == "Harbour, Quay")
        for part in [heading, "2026-W47", "80\u{A0}%", "9\u{A0}%", "7/9", "75\u{A0}%", "3/4"] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        #expect(!text.contains("\u{1B}"))
        #expect(HTMLPaper.page(of: [paper]).contains("2026-11-20 06:00"))
    }

    @Test func `a report of weeks without a shift says so`() {
        let text = PlainPaper.text(
            of: [comparison("en", isEmpty: true).paper], width: 100, isColoured: false)
        #expect(text.contains("No shift ended, and none was missed."))
    }
}
