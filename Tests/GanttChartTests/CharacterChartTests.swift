import Dates
import Phrases
import ProjectNetwork
import TestSupport
import Testing
import WorkCalendar

@testable import GanttChart

/// A chart on a terminal.
struct CharacterChartTests {
    private func lines(
        _ chart: GanttChart, columns: Int = 80, _ options: ChartOptions = ChartOptions(),
        isColoured: Bool = false
    ) throws -> [String] {
        try CharacterChart(chart, options: options, columns: columns, isColoured: isColoured)
            .lines()
    }

    /// The line of an issue.
    private func line(_ lines: [String], _ id: Int) throws -> String {
        try #require(lines.first { $0.contains("#\(id) ") })
    }

    @Test func `a day is three columns, and a bar shows what is done`() throws {
        let lines = try lines(
            chart(
                [issue(1, "03-02", "03-06"), issue(2, "03-04", "03-05")], [],
                [1: ChartIssue(title: "Walls", done: 40), 2: ChartIssue(title: "Floor")]))
        #expect(try line(lines, 1).hasSuffix("40%│██████▓▓▓▓▓▓▓▓▓"))
        #expect(try line(lines, 2).hasSuffix("0%│      ▒▒▒▒▒▒───"))
        #expect(lines[0] == "House")
        #expect(lines[1].hasSuffix("March 2026"))
        #expect(lines[2].hasSuffix("2  3  4  5  6"))
    }

    @Test func `the numbers of narrow days are left out, except those of Mondays`() throws {
        let chart = try chart([issue(1, "03-02", "04-30")])
        func numbers(columns: Int, _ scale: TimeScale = .day) throws -> [String] {
            try lines(chart, columns: columns, ChartOptions(scale: scale))[2]
                .split(separator: " ").map(String.init)
        }
        #expect(try numbers(columns: 198).count == 60)
        let mondays = ["2", "9", "16", "23", "30", "6", "13", "20", "27"]
        for columns in [197, 120, 80] { #expect(try numbers(columns: columns) == mondays) }
        #expect(try numbers(columns: 40) == ["9", "23", "6", "20"])
        #expect(try numbers(columns: 40, .week) == ["W11", "W13", "W15", "W17"])
    }

    @Test(arguments: 40...240)
    func `each number of a day stands where the day begins`(columns: Int) throws {
        let head = try lines(
            chart([issue(1, "03-02", "04-30")]), columns: columns, ChartOptions(scale: .day))[2]
        let width = min(columns - 18, 180)
        let characters = Array(head) + [" "]
        for place in characters.indices.dropFirst()
        where characters[place].isNumber && !characters[place - 1].isNumber {
            let number = String(characters[place...].prefix { $0.isNumber })
            let days = (0..<60).filter { 18 + $0 * width / 60 == place }
            let numbers = days.map { CivilDate(daysSince1970: 20_514 + $0).parts.day }
            #expect(numbers.map { "\($0)" }.contains(number))
        }
    }

    @Test func `months that are narrower than a column have no names`() throws {
        let chart = try chart([issue(1, "03-02", "03-06")])
        func months(until last: String) throws -> String {
            let options = ChartOptions(first: day("01-01"), last: CivilDate(iso: last))
            return try lines(chart, columns: 40, options)[2]
        }
        #expect(try months(until: "2026-12-31").contains("M"))
        #expect(try months(until: "2045-12-31").isEmpty)
    }

    @Test func `milestones, wholes, open ends and issues without dates look different`() throws {
        let lines = try lines(
            chart(
                [
                    issue(1), issue(2, "03-02", "03-03", parent: 1), issue(3, "03-06", "03-06"),
                    issue(4, "03-02", nil), issue(5),
                ], [], [3: ChartIssue(title: "Hand-over", isMilestone: true)]))
        #expect(try line(lines, 1).hasSuffix("│┏━━━━┓"))
        #expect(try line(lines, 3).contains("◆"))
        #expect(try line(lines, 4).hasSuffix("►"))
        #expect(try line(lines, 5).hasSuffix("│no dates"))
        #expect(lines.last?.contains("◆ milestone") == true)
    }

    @Test func `the legend explains the signs of issues without a start or a due date`() throws {
        func legend(_ issues: [PlannedIssue]) throws -> String {
            try lines(chart(issues)).joined(separator: "\n")
        }
        let late = try legend([issue(1, "03-02", "03-06"), issue(2, nil, "03-05")])
        #expect(late.contains("◄ no start date") && !late.contains("► no"))
        let early = try legend([issue(1, "03-02", "03-06"), issue(2, "03-03", nil)])
        #expect(early.contains("► no due date") && !early.contains("◄ no"))
    }

    @Test func `a late issue says so, even if there is no room to the right`() throws {
        let lines = try lines(
            chart([issue(1, "03-02", "03-04"), issue(2, "03-02", "03-20")], today: "03-12"))
        #expect(try line(lines, 1).contains("6 d late"))
        let tight = try self.lines(
            chart([issue(1, "03-02", "03-11"), issue(2, "03-11", "03-11")], today: "03-12"))
        #expect(try line(tight, 2).contains("1 d late"))
    }

    @Test func `the mark for today crosses all rows`() throws {
        let lines = try lines(
            chart(
                [issue(1, "03-02", "03-03"), issue(2, "03-09", "03-10"), issue(3)], [],
                [1: ChartIssue(title: "Closed", isClosed: true)], today: "03-05"))
        let places = try [1, 2].map { id in
            let line = try line(lines, id)
            return line.firstIndex(of: "┊").map { line.distance(from: line.startIndex, to: $0) }
        }
        #expect(places[0] != nil)
        #expect(places[0] == places[1])
    }

    @Test func `the baseline has its own line where it differs`() throws {
        let before = try ProjectNetwork(
            issues: [issue(1, "03-02", "03-03"), issue(2, "03-02", "03-03")], relations: [],
            calendar: try WorkCalendar())
        let lines = try lines(
            chart(
                [issue(1, "03-02", "03-03"), issue(2, "03-04", "03-05")],
                baseline: Baseline("Kick-off", of: before)))
        #expect(lines.filter { $0.hasSuffix("│╌╌╌╌╌╌") }.count == 1)
        #expect(lines[1] == "compared with Kick-off: +2 d")
        #expect(try line(lines, 2).contains("+2 d"))
    }

    @Test func `what was added since the baseline is counted, and not called later`() throws {
        let before = try ProjectNetwork(
            issues: [issue(1, "03-02", "03-03")], relations: [], calendar: try WorkCalendar())
        let chart = try chart(
            [issue(1, "03-02", "03-03"), issue(2, "03-04", "03-05")],
            baseline: Baseline("Kick-off", of: before))
        #expect(try lines(chart)[1] == "compared with Kick-off · added since: 1")
    }

    @Test(arguments: Language.allCases)
    func `the legend of a short chart may use the whole terminal`(language: Language) throws {
        let chart = try chart([issue(1, "03-02", "03-03")])
        let lines = try lines(chart, ChartOptions(language: language))
        #expect(lines.last == "▓ " + Words<ChartPhrase>(language).say(.critical))
    }

    @Test(arguments: Seed.some(80))
    func `no line is wider than the terminal, and colours change only the colour`(
        seed: Seed
    ) throws {
        var seed = seed
        let chart = try GanttChart.any(&seed)
        guard chart.days != nil else { return }
        let columns = CharacterChart.leastColumns + seed.below(160)
        let options = ChartOptions(language: Language.allCases[seed.below(3)])
        let plain = try lines(chart, columns: columns, options)
        #expect(plain.allSatisfy { $0.count <= columns && !$0.hasSuffix(" ") })
        #expect(!plain.contains { $0.contains("\u{1B}") })
        for row in chart.rows.compactMap(\.issue) {
            #expect(plain.contains { $0.contains("#\(row)") })
        }
        let coloured = try lines(chart, columns: columns, options, isColoured: true)
        let stripped = coloured.map {
            $0.replacing(/\u{1B}\[[0-9;]*m/, with: "").replacing(/\s+$/, with: "")
        }
        #expect(stripped == plain)
    }

    @Test func `too few columns are refused`() throws {
        let error = #expect(throws: ChartError.narrow(39)) {
            try lines(chart([issue(1, "03-02", "03-03")]), columns: 39)
        }
        #expect(error?.description == "a chart needs 40 columns, not 39")
    }
}
