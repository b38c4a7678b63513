import Dates
import GanttChart
import Papers
import ProjectNetwork
import TestSupport
import WorkCalendar

/// A day of 2026, such as `03-31`.
func day(_ text: String) -> CivilDate {
    CivilDate(iso: "2026-\(text)") ?? CivilDate(daysSince1970: 0)
}

func span(_ start: String?, _ due: String?) -> Span {
    Span(start: start.map { day($0) }, due: due.map { day($0) })
}

func issue(
    _ id: Int, _ start: String? = nil, _ due: String? = nil, parent: Int? = nil
) -> PlannedIssue {
    PlannedIssue(id: id, parent: parent, span: span(start, due))
}

/// A chart of some issues; those without a title are named by their ids.
func chart(
    _ issues: [PlannedIssue], _ relations: [IssueRelation] = [], _ known: [Int: ChartIssue] = [:],
    today: String? = nil, baseline: Baseline? = nil
) throws -> GanttChart {
    let network = try ProjectNetwork(
        issues: issues, relations: relations, calendar: try WorkCalendar())
    var all = known
    for issue in issues where all[issue.id] == nil {
        all[issue.id] = ChartIssue(title: "Issue \(issue.id)")
    }
    return try GanttChart(
        "House", of: [.init(name: "House", network: network, issues: all, baseline: baseline)],
        today: today.map { day($0) })
}

extension GanttChart {
    /// Any chart: parts of parts, relations, open ends, and late, done and closed issues.
    static func any(_ seed: inout Seed) throws -> GanttChart {
        let calendar = try WorkCalendar()
        var issues: [PlannedIssue] = []
        var known: [Int: ChartIssue] = [:]
        let count = seed.below(60)
        for id in 1..<count + 1 {
            let start = CivilDate(daysSince1970: 20_500 + seed.below(300))
            let due = CivilDate(daysSince1970: start.daysSince1970 + seed.below(40))
            issues.append(
                PlannedIssue(
                    id: id, parent: id > 1 && seed.oneIn(3) ? 1 + seed.below(id - 1) : nil,
                    span: Span(
                        start: seed.oneIn(6) ? nil : start, due: seed.oneIn(6) ? nil : due)))
            known[id] = ChartIssue(
                title: seed.oneIn(5) ? String(repeating: "Long title ", count: 20) : "Nr \(id)",
                person: seed.oneIn(2) ? "Åsa" : "", done: seed.below(140) - 20,
                isClosed: seed.oneIn(5), isMilestone: seed.oneIn(6))
        }
        var network = try ProjectNetwork(issues: issues, relations: [], calendar: calendar)
        let baseline = try Baseline("then", of: network)
        for id in 0..<count where count > 1 {
            let relation = IssueRelation(
                id: id, from: 1 + seed.below(count), to: 1 + seed.below(count),
                delay: seed.below(9) - 4)
            // Skip relations that would form a circle.
            do { network = try network.adding(relation) } catch { continue }
        }
        let sections = (0..<1 + seed.below(2)).map { number in
            Section(
                name: "Project \(number)", network: network, issues: known,
                baseline: seed.oneIn(2) ? baseline : nil)
        }
        let today = CivilDate(daysSince1970: 20_500 + seed.below(400))
        return try GanttChart("Any", of: sections, today: seed.oneIn(3) ? nil : today)
    }
}

extension Drawing {
    /// The texts of a layer, or of all.
    func texts(_ layer: String? = nil) -> [Drawing.Text] {
        parts.filter { layer == nil || $0.name == layer }.flatMap { part in
            part.marks.compactMap { if case .text(let text) = $0.shape { text } else { nil } }
        }
    }

    /// The paths of a layer that show an issue.
    func paths(_ layer: String, of item: String) -> [(path: Drawing.Path, pen: Drawing.Pen)] {
        parts.filter { $0.name == layer }.flatMap { part in
            part.marks.filter { $0.item == item }.compactMap {
                if case .path(let path, let pen) = $0.shape { (path, pen) } else { nil }
            }
        }
    }
}

extension Drawing.Path {
    /// Its horizontal extent, from left to right.
    var across: ClosedRange<Double> {
        let places = steps.compactMap { step in
            switch step {
            case .move(let point), .line(let point), .curve(_, _, let point): point.x
            case .close: nil
            }
        }
        return (places.min() ?? 0)...(places.max() ?? 0)
    }
}
