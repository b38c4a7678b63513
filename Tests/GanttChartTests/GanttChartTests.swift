import Dates
import Phrases
import ProjectNetwork
import Testing
import WorkCalendar

@testable import GanttChart

/// The rows of a chart, and the time that it covers.
struct GanttChartTests {
    @Test func `parts are below their whole, and earlier issues come first`() throws {
        let rows = try chart([
            issue(1, "03-20", "03-24"), issue(2), issue(3, "03-10", "03-12", parent: 2),
            issue(4, "03-02", "03-05", parent: 2), issue(5), issue(6, nil, "03-03"),
        ]).rows

        #expect(rows.map(\.issue) == [2, 4, 3, 6, 1, 5])
        #expect(rows.map(\.depth) == [0, 1, 1, 0, 0, 0])
        #expect(rows.map(\.kind) == [.whole, .issue, .issue, .issue, .issue, .issue])
        #expect(rows[0].span == span("03-02", "03-12"))
    }

    @Test func `an issue that can't slip is critical, with its whole, unless it is closed`() throws
    {
        let rows = try chart(
            [
                issue(1), issue(2, "03-02", "03-03", parent: 1),
                issue(3, "03-04", "03-10", parent: 1), issue(4, "03-02", "03-05"), issue(5),
                issue(6, "03-10", "03-10", parent: 5),
            ], [.init(id: 1, from: 2, to: 3)], [6: ChartIssue(title: "Done", isClosed: true)]
        ).rows

        let critical = rows.filter(\.isCritical).compactMap(\.issue)
        #expect(Set(critical) == [1, 2, 3])
        let latest = rows.first { $0.issue == 4 }?.latest
        #expect(latest == day("03-10"), "it can be done until the end of all")
        #expect(rows.filter { $0.issue != 4 }.allSatisfy { $0.latest == nil })
    }

    @Test func `an open issue that was due before today is late, in working days`() throws {
        let rows = try chart(
            [
                issue(1, "03-02", "03-06"), issue(2, "03-02", "03-07"),
                issue(3, "03-02", "03-06"), issue(4, "03-02", "03-09"), issue(5, "03-02"),
            ], [], [3: ChartIssue(title: "Closed", isClosed: true)], today: "03-09"
        ).rows

        let late = Dictionary(uniqueKeysWithValues: rows.map { ($0.issue ?? 0, $0.late) })
        // Due on a Friday and on a Saturday, and today is the Monday after.
        #expect(late == [1: 1, 2: 1, 3: 0, 4: 0, 5: 0])
    }

    @Test func `a chart of several projects has a row for each, and theirs below it`() throws {
        let network = try ProjectNetwork(
            issues: [issue(1, "03-02", "03-03"), issue(2, "03-04", "03-07")],
            relations: [.init(id: 1, from: 1, to: 2)], calendar: try WorkCalendar())
        let issues = [1: ChartIssue(title: "One", done: 100), 2: ChartIssue(title: "Two")]
        let chart = try GanttChart(
            "All",
            of: ["House", "Boat"].map { .init(name: $0, network: network, issues: issues) })

        #expect(
            chart.rows.map(\.label) == ["House", "#1 One", "#2 Two", "Boat", "#1 One", "#2 Two"])
        #expect(chart.rows.map(\.depth) == [0, 1, 1, 0, 1, 1])
        #expect(chart.rows[0].span == span("03-02", "03-07"))
        #expect(chart.rows[0].done == 40, "two of five working days")
        #expect(chart.links.map(\.from) == [1, 4])
        #expect(chart.links.map(\.to) == [2, 5])
    }

    @Test func `a row shows how far it has slipped from the baseline`() throws {
        let before = try ProjectNetwork(
            issues: [issue(1, "03-02", "03-04"), issue(2, "03-05", "03-06")],
            relations: [], calendar: try WorkCalendar())
        let chart = try chart(
            [issue(1, "03-02", "03-03"), issue(2, "03-05", "03-10"), issue(3, "03-02", "03-02")],
            baseline: Baseline("kick-off", of: before))

        let slips = Dictionary(uniqueKeysWithValues: chart.rows.map { ($0.issue ?? 0, $0.slip) })
        #expect(slips == [1: -1, 2: 2, 3: 0])
        #expect(chart.slip == 2)
        #expect(chart.rows.first { $0.issue == 3 }?.before == nil)
    }

    @Test func `other people's text has no line breaks or control characters`() throws {
        let row = try chart(
            [issue(1, "03-02", "03-03")], [],
            [1: ChartIssue(title: "Evil\u{1B}[2J\n\u{202E}title", person: "A\u{7}b", done: 900)]
        ).rows[0]

        #expect(row.title == "Evil [2J title")
        #expect(row.person == "A b")
        #expect(row.done == 100)
    }

    @Test func `thousands of nested parts are handled`() throws {
        let issues = (1...5_000).map {
            PlannedIssue(id: $0, parent: $0 > 1 ? $0 - 1 : nil, span: span("03-02", "03-03"))
        }
        let rows = try chart(issues).rows
        #expect(rows.count == 5_000)
        #expect(rows.last?.depth == 4_999)
    }
}

/// The time axis of a chart.
struct TimeAxisTests {
    private let english = Words<ChartPhrase>(.english)

    private func axis(_ first: String, _ last: String, _ scale: TimeScale) throws -> TimeAxis {
        try TimeAxis(day(first).daysSince1970...day(last).daysSince1970, scale, english)
    }

    @Test func `weeks are whole ISO 8601 weeks, and months are above their days`() throws {
        let axis = try axis("01-01", "02-02", .week)
        #expect(axis.units.map { $0.names[0] } == ["W1", "W2", "W3", "W4", "W5", "W6"])
        // From the Monday before to the Sunday after.
        #expect(axis.days.lowerBound == day("01-01").daysSince1970 - 3)
        #expect(axis.days.upperBound == day("02-09").daysSince1970)
        #expect(
            axis.groups.map { $0.names[0] } == ["December 2025", "January 2026", "February 2026"])
        #expect(axis.groups.map(\.days.count) == [3, 31, 8])
    }

    @Test func `months are whole, and years are above them`() throws {
        let axis = try axis("11-15", "11-16", .month)
        #expect(axis.units.map { $0.names } == [["November", "Nov", "N"]])
        #expect(axis.units[0].days.count == 30)
        #expect(axis.groups.map { $0.names[0] } == ["2026"])
        let more = try TimeAxis(
            day("12-31").daysSince1970...day("12-31").daysSince1970 + 40, .month, english)
        #expect(more.units.map { $0.names[0] } == ["December", "January", "February"])
        #expect(more.groups.map { $0.names[0] } == ["2026", "2027"])
    }

    @Test(arguments: TimeScale.allCases)
    func `days, weeks and months follow one another without a gap`(scale: TimeScale) throws {
        let axis = try axis("01-20", "12-05", scale)
        for cells in [axis.units, axis.groups] {
            #expect(cells.first?.days.lowerBound == axis.days.lowerBound)
            #expect(cells.last?.days.upperBound == axis.days.upperBound)
            for (one, next) in zip(cells, cells.dropFirst()) {
                #expect(one.days.upperBound == next.days.lowerBound)
            }
        }
    }

    @Test func `a range that is too long is refused with advice`() throws {
        let all = 0...WorkCalendar.Limit.days.upperBound
        for scale in TimeScale.allCases {
            let error = #expect(throws: ChartError.self) { try TimeAxis(all, scale, english) }
            #expect(error?.description.contains("choose the first and the last day") == true)
        }
        #expect(try axis("01-01", "12-31", .day).units.count == 365)
    }

    @Test func `the last days of the calendar have an axis too`() throws {
        let last = WorkCalendar.Limit.days.upperBound
        for scale in TimeScale.allCases {
            let axis = try TimeAxis(last - 40...last, scale, english)
            #expect(axis.days.contains(last))
            #expect(!axis.freeDays(try WorkCalendar()).isEmpty)
        }
    }

    @Test func `a chart covers the chosen days, or those of the issues and a nearby today`() throws
    {
        let near = try chart([issue(1, "03-02", "03-13")], today: "03-30")
        #expect(
            try ChartOptions().days(of: near)
                == day("03-02").daysSince1970...day("03-30").daysSince1970)
        let far = try chart([issue(1, "03-02", "03-13")], today: "08-30")
        #expect(try ChartOptions().days(of: far).upperBound == day("03-13").daysSince1970)
        let chosen = ChartOptions(first: day("03-05"), last: day("03-06"))
        #expect(
            try chosen.days(of: near) == day("03-05").daysSince1970...day("03-06").daysSince1970)
        #expect(throws: ChartError.backwards(day("03-06"), day("03-05"))) {
            try ChartOptions(first: day("03-06"), last: day("03-05")).days(of: near)
        }
        #expect(throws: ChartError.noDates) {
            try ChartOptions().days(of: chart([issue(1)], today: "03-02"))
        }
        #expect(
            try ChartOptions(first: day("03-06")).days(of: chart([issue(1)])).lowerBound
                == day("03-06").daysSince1970)
    }

    @Test func `a chart that begins after all issues, or ends before them, covers a month`() throws
    {
        let plan = try chart([issue(1, "06-01", "06-12")], today: "01-05")
        let (late, early) = (day("08-01"), day("04-30"))
        #expect(
            try ChartOptions(first: late).days(of: plan)
                == late.daysSince1970...late.daysSince1970 + 30)
        #expect(
            try ChartOptions(last: early).days(of: plan)
                == early.daysSince1970 - 30...early.daysSince1970)
        // Days of which some are inside determine it.
        #expect(
            try ChartOptions(first: day("06-12")).days(of: plan)
                == day("06-12").daysSince1970...day("06-12").daysSince1970)
    }
}
