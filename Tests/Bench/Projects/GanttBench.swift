import Dates
import GanttChart
import ProjectNetwork
import WorkCalendar

/// How long it takes to draw the chart of a large project, in processor time.
enum GanttBench {
    static func run(_ figures: inout Figures) throws {
        for count in [200, 2_000] {
            let network = try network(count)
            let issues = Dictionary(
                uniqueKeysWithValues: (1...count).map {
                    ($0, ChartIssue(title: "Issue \($0)", person: "Kari", done: $0 % 101))
                })
            var times: [Duration] = []
            var bytes = 0
            for _ in 0..<9 {
                times.append(
                    try processorTime {
                        let chart = try GanttChart(
                            "House", of: [.init(name: "House", network: network, issues: issues)],
                            today: CivilDate(daysSince1970: 20_530))
                        let picture = try ChartPicture(chart, options: ChartOptions())
                        bytes = try picture.drawing().svg().utf8.count
                    })
            }
            let median = times.sorted()[times.count / 2]
            figures.add(
                "gantt: SVG of \(count) issues, \(bytes / 1_000) kB",
                median / .milliseconds(1), "ms", goal: count == 2_000 ? .atMost(150) : .none)
        }
    }

    /// Issues that follow each other in chains of twenty, a fortnight apart.
    private static func network(_ count: Int) throws -> ProjectNetwork {
        var issues: [PlannedIssue] = []
        var relations: [IssueRelation] = []
        for number in 1...count {
            let place = (number - 1) % 20
            let start = 20_514 + (number - 1) / 20 + place / 2 * 7 + place % 2 * 3
            let span = Span(
                start: CivilDate(daysSince1970: start), due: CivilDate(daysSince1970: start + 1))
            issues.append(PlannedIssue(id: number, parent: nil, span: span))
            guard place > 0 else { continue }
            relations.append(
                IssueRelation(id: number, kind: .precedes, from: number - 1, to: number, delay: 0))
        }
        return try ProjectNetwork(
            issues: issues, relations: relations, calendar: try WorkCalendar())
    }
}
