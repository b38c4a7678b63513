import Dates
import Papers
import Phrases
import ProjectNetwork
import WorkCalendar

/// The schedule of the issues of projects, row by row, independent of a format: the same chart
/// becomes SVG, PDF, PNG and characters on a terminal.
package struct GanttChart: Sendable {
    /// The maximum size of a chart.
    package enum Limit {
        package static let rows = 20_000
        /// The maximum number of days, weeks or months.
        package static let units = 1_500
    }

    /// A project, or a part of one, as a chart shows it.
    package struct Section: Sendable {
        package var name: String
        package var network: ProjectNetwork
        /// The facts about the issues, by their ids; other issues have no title.
        package var issues: [Int: ChartIssue]
        /// The baseline to compare the dates with.
        package var baseline: Baseline?

        package init(
            name: String, network: ProjectNetwork, issues: [Int: ChartIssue],
            baseline: Baseline? = nil
        ) {
            self.name = name
            self.network = network
            self.issues = issues
            self.baseline = baseline
        }
    }

    /// A relation: one row waits for another.
    struct Link: Hashable, Sendable {
        /// The numbers of the rows.
        let from: Int
        let to: Int
        /// The number of working days between them.
        let delay: Int
        let isCritical: Bool
    }

    package let title: String
    package let rows: [ChartRow]
    let links: [Link]
    /// The calendar for shading days without work; nil for several projects with different
    /// calendars.
    let calendar: WorkCalendar?
    package let today: CivilDate?
    /// The name of the baseline; nil when there is none.
    let baseline: String?
    /// The number of working days by which the end of what is in the baseline has moved since, in
    /// the project in which it has moved furthest.
    package let slip: Int
    /// The number of issues that were added since the baseline.
    private let added: Int

    /// Makes a chart of projects. With more than one, each has a row of its own above its issues.
    ///
    /// - Parameters:
    ///   - title: the title.
    ///   - sections: the projects.
    ///   - today: open issues due before it are late; nil to mark none.
    ///   - withPeople: whether an issue also waits for what the same person does before it.
    /// - Throws: ``ChartError/tooManyRows(_:)``.
    package init(
        _ title: String, of sections: [Section], today: CivilDate? = nil, withPeople: Bool = false
    ) throws(ChartError) {
        let count = sections.reduce(0) { $0 + $1.network.issues.count + 1 }
        guard count <= Limit.rows else { throw .tooManyRows(count) }
        var rows: [ChartRow] = []
        var links: [Link] = []
        var slips: [Int] = []
        for section in sections {
            let begin = rows.count
            let reader = SectionReader(section, today: today, withPeople: withPeople)
            if sections.count > 1 { rows.append(reader.project) }
            if section.baseline != nil { slips.append(reader.project.slip) }
            let depth = rows.count - begin
            rows += reader.rows.map { $0.moved(by: depth) }
            links += reader.links.map { $0.moved(by: begin + depth) }
        }
        self.title = title.written
        self.rows = rows
        self.links = links
        self.today = today
        let first = sections.first?.network.calendar
        calendar = sections.allSatisfy { $0.network.calendar == first } ? first : nil
        baseline = sections.compactMap(\.baseline?.name.written).first
        slip = slips.max() ?? 0
        added = sections.reduce(0) { $0 + ($1.baseline?.added(in: $1.network).count ?? 0) }
    }

    /// The baseline, how far the end of what is in it has moved, and how much was added since; nil
    /// without a baseline.
    func comparison(_ words: Words<ChartPhrase>) -> String? {
        guard let name = baseline else { return nil }
        var text = words.say(.comparedWith, ["name": name])
        if slip != 0 { text += ": " + words.slip(slip) }
        if added > 0 { text += " · " + words.say(.addedSince, ["count": "\(added)"]) }
        return text
    }

    /// The range of all dates, including baseline dates; nil when there are none.
    var days: ClosedRange<Int>? {
        var days: [Int] = []
        for row in rows {
            days += [
                row.firstDay, row.lastDay, row.before?.start?.daysSince1970,
                row.before?.due?.daysSince1970,
            ].compactMap { $0 }
        }
        guard let first = days.min(), let last = days.max() else { return nil }
        return first...last
    }
}

extension GanttChart.Link {
    fileprivate func moved(by rows: Int) -> Self {
        Self(from: from + rows, to: to + rows, delay: delay, isCritical: isCritical)
    }
}

extension ChartRow {
    fileprivate func moved(by depth: Int) -> ChartRow {
        ChartRow(
            kind: kind, issue: issue, title: title, depth: self.depth + depth, span: span,
            person: person, done: done, isClosed: isClosed, isCritical: isCritical,
            latest: latest, late: late, before: before, slip: slip)
    }
}

/// Makes the rows of a project.
private struct SectionReader {
    private let section: GanttChart.Section
    private let slip: Int
    private(set) var rows: [ChartRow] = []
    private(set) var links: [GanttChart.Link] = []

    init(_ section: GanttChart.Section, today: CivilDate?, withPeople: Bool) {
        let network = section.network
        let path = network.criticalPath(withPeople: withPeople)
        let slacks = Dictionary(path.slacks.map { ($0.issue, $0) }) { first, _ in first }
        let slips = Dictionary(
            (section.baseline?.slippages(in: network) ?? []).map { ($0.issue, $0.due ?? 0) },
            uniquingKeysWith: { first, _ in first })
        self.section = section
        slip = section.baseline?.slippageOfAll(in: network) ?? 0
        let tree = Tree(network.issues)
        var places: [Int: Int] = [:]
        for (index, depth) in tree.order {
            let issue = network.issues[index]
            places[issue.id] = rows.count
            rows.append(
                Self.row(
                    issue, section.issues[issue.id] ?? ChartIssue(title: ""), depth: depth,
                    isWhole: tree.isWhole(index), slack: slacks[issue.id],
                    calendar: network.calendar, today: today,
                    before: section.baseline?.spans[issue.id], slip: slips[issue.id] ?? 0))
        }
        markWholes()
        for relation in network.relations where relation.kind == .precedes {
            guard let from = places[relation.from], let to = places[relation.to] else { continue }
            links.append(
                GanttChart.Link(
                    from: from, to: to, delay: relation.delay,
                    isCritical: rows[from].isCritical && rows[to].isCritical))
        }
    }

    /// The row of the project itself.
    var project: ChartRow {
        let starts = rows.compactMap(\.span.start)
        let dues = rows.compactMap(\.span.due)
        return ChartRow(
            kind: .project, issue: nil, title: section.name.written, depth: 0,
            span: Span(start: starts.min() ?? dues.min(), due: dues.max() ?? starts.max()),
            person: "", done: Self.done(rows, section.network.calendar),
            isClosed: !rows.isEmpty && rows.allSatisfy(\.isClosed), isCritical: false,
            latest: nil, late: 0, before: nil, slip: slip)
    }

    private static func row(
        _ issue: PlannedIssue, _ known: ChartIssue, depth: Int, isWhole: Bool,
        slack: CriticalPath.Slack?, calendar: WorkCalendar, today: CivilDate?, before: Span?,
        slip: Int
    ) -> ChartRow {
        let done = min(max(known.done, 0), 100)
        let isClosed = known.isClosed
        var late = 0
        if let today, let due = issue.span.due, due < today, !isClosed {
            // At least 1, even if it was due on a free day and all days since were free.
            late = max(1, calendar.workingDays(from: due, to: today))
        }
        let latest = slack.flatMap { $0.days > 0 && !isClosed ? $0.latest.due : nil }
        return ChartRow(
            kind: isWhole ? .whole : known.isMilestone ? .milestone : .issue, issue: issue.id,
            title: known.title.written, depth: depth, span: issue.span,
            person: known.person.written,
            done: done, isClosed: isClosed,
            isCritical: !isWhole && !isClosed && slack?.isCritical == true,
            latest: latest, late: late, before: before, slip: slip)
    }

    /// Marks issues with critical parts as critical.
    private mutating func markWholes() {
        /// Whether a row at each depth, below the current one, is critical.
        var isCritical: [Int: Bool] = [:]
        for number in rows.indices.reversed() {
            let depth = rows[number].depth
            if isCritical.removeValue(forKey: depth + 1) == true { rows[number].isCritical = true }
            if rows[number].isCritical { isCritical[depth] = true }
        }
    }

    /// The percentage done of all issues, weighted by working days.
    private static func done(_ rows: [ChartRow], _ calendar: WorkCalendar) -> Int {
        var (part, all) = (0, 0)
        for row in rows where row.kind == .issue {
            guard let start = row.span.start, let due = row.span.due else { continue }
            let end = CivilDate(daysSince1970: due.daysSince1970 + 1)
            let days = max(1, calendar.workingDays(from: start, to: end))
            part += days * (row.isClosed ? 100 : row.done)
            all += days
        }
        return all > 0 ? part / all : 0
    }
}

/// The issues in the order of a chart: each before its parts, and earlier starts first.
private struct Tree {
    /// The indexes of the issues, and their nesting depths.
    private(set) var order: [(index: Int, depth: Int)] = []
    private var parts: [Int: [Int]] = [:]

    init(_ issues: [PlannedIssue]) {
        func isSooner(_ left: Int, _ right: Int) -> Bool {
            let (one, other) = (issues[left], issues[right])
            let far = Int.max
            let first = (one.span.start ?? one.span.due)?.daysSince1970 ?? far
            let second = (other.span.start ?? other.span.due)?.daysSince1970 ?? far
            return (first, one.span.due?.daysSince1970 ?? far, one.id)
                < (second, other.span.due?.daysSince1970 ?? far, other.id)
        }
        let places = Dictionary(
            issues.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        var roots: [Int] = []
        for (index, issue) in issues.enumerated() {
            if let whole = issue.parent.flatMap({ places[$0] }) {
                parts[whole, default: []].append(index)
            } else {
                roots.append(index)
            }
        }
        var open = roots.sorted(by: isSooner).reversed().map { (index: $0, depth: 0) }
        while let next = open.popLast() {
            order.append(next)
            guard let inner = parts[next.index] else { continue }
            open += inner.sorted(by: isSooner).reversed().map { ($0, next.depth + 1) }
        }
    }

    func isWhole(_ index: Int) -> Bool { parts[index] != nil }
}
