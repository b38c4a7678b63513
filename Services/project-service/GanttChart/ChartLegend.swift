import Papers
import Phrases

/// The legend of the signs that occur in a chart.
struct ChartLegend {
    /// A sign with its meaning.
    private enum Entry: CaseIterable {
        case issue, done, critical, closed, openBegin, openEnd, slack, milestone, whole, follows
        case baseline, today, freeDays
    }

    private let lines: [[(entry: Entry, text: String)]]

    private static let size = 2.3
    private static let lineHeight = 4.4
    private static let signWidth = 7.5
    private static let gap = 5.0

    /// The height, including the space between it and the chart.
    var height: Double { Double(lines.count) * Self.lineHeight + 3 }

    /// - Parameters:
    ///   - chart: the chart.
    ///   - days: the days that are shown.
    ///   - words: the texts in the language of the chart.
    ///   - width: the width in millimetres.
    ///   - hasFreeDays: whether days without work are shown.
    init(
        _ chart: GanttChart, days: Range<Int>, _ words: Words<ChartPhrase>, width: Double,
        hasFreeDays: Bool
    ) {
        var lines: [[(entry: Entry, text: String)]] = []
        var room = 0.0
        for entry in Entry.allCases
        where Self.occurs(entry, in: chart, days) && (hasFreeDays || entry != .freeDays) {
            let text = Self.words(entry, words)
            let length =
                Drawing.Text(text, at: Drawing.Point(0, 0), size: Self.size).length
                + Self.signWidth + Self.gap
            if length > room || lines.isEmpty {
                lines.append([])
                room = width
            }
            lines[lines.count - 1].append((entry, text))
            room -= length
        }
        self.lines = lines
    }

    private static func words(_ entry: Entry, _ words: Words<ChartPhrase>) -> String {
        switch entry {
        case .issue: words.say(.issue)
        case .done: words.say(.done)
        case .critical: words.say(.critical)
        case .closed: words.say(.closed)
        case .openBegin: words.say(.openBegin)
        case .openEnd: words.say(.openEnd)
        case .slack: words.say(.slack)
        case .milestone: words.say(.milestone)
        case .whole: words.say(.whole)
        case .follows: words.say(.follows)
        case .baseline: words.say(.baseline)
        case .today: words.say(.today)
        case .freeDays: words.say(.freeDays)
        }
    }

    private static func occurs(_ entry: Entry, in chart: GanttChart, _ days: Range<Int>) -> Bool {
        let issues = chart.rows.filter { $0.kind == .issue && $0.firstDay != nil }
        return switch entry {
        case .issue: issues.contains { !$0.isCritical && !$0.isClosed }
        case .done: issues.contains { $0.done > 0 }
        case .critical: chart.rows.contains(where: \.isCritical)
        case .closed: issues.contains(where: \.isClosed)
        case .openBegin: issues.contains { $0.span.start == nil }
        case .openEnd: issues.contains { $0.span.due == nil }
        case .slack: issues.contains { $0.latest != nil }
        case .milestone: chart.rows.contains { $0.kind == .milestone }
        case .whole: chart.rows.contains { $0.kind == .whole }
        case .follows: !chart.links.isEmpty
        case .baseline: chart.baseline != nil
        case .today: chart.today.map { days.contains($0.daysSince1970) } ?? false
        case .freeDays: chart.calendar != nil
        }
    }

    /// The legend, with its lower left corner at a position.
    func marks(x: Double, y: Double) -> [Drawing.Mark] {
        var marks: [Drawing.Mark] = []
        for (number, line) in lines.enumerated() {
            let middle = y - (Double(lines.count - number) - 0.5) * Self.lineHeight
            var at = x
            for (entry, words) in line {
                let sign = Drawing.Box(x: at, y: middle - 1.3, width: 6, height: 2.6)
                marks += Self.sign(entry, sign).map { Drawing.Mark(.path($0, $1)) }
                let text = Drawing.Text(
                    words, at: Drawing.Point(at + Self.signWidth, middle + 0.83), size: Self.size)
                marks.append(Drawing.Mark(.text(text)))
                at += Self.signWidth + text.length + Self.gap
            }
        }
        return marks
    }

    private static func sign(
        _ entry: Entry, _ box: Drawing.Box
    ) -> [(Drawing.Path, Drawing.Pen)] {
        func bar(
            _ fill: Colour, _ line: Colour, _ width: Double
        ) -> [(Drawing.Path, Drawing.Pen)] {
            [(box.path, Drawing.Pen(stroke: line, width: width, fill: fill))]
        }
        let centre = Drawing.Point(box.x + box.width / 2, box.middle)
        let upright = Drawing.Path(
            [Drawing.Point(centre.x, box.y), Drawing.Point(centre.x, box.bottom)], isClosed: false)
        switch entry {
        case .issue: return bar(ChartColours.bar, ChartColours.barLine, 0.22)
        case .critical: return bar(ChartColours.critical, ChartColours.criticalLine, 0.5)
        case .closed: return bar(ChartColours.closed, ChartColours.closedLine, 0.2)
        case .openBegin, .openEnd:
            let outline = BarDrawing.outline(
                box, opensLeft: entry == .openBegin, opensRight: entry == .openEnd)
            let pen = Drawing.Pen(
                stroke: ChartColours.barLine, width: 0.22, dash: [0.9, 0.6], fill: ChartColours.bar)
            return [(outline, pen)]
        case .freeDays: return bar(ChartColours.free, ChartColours.rule, 0.12)
        case .done:
            var part = box
            (part.y, part.height, part.width) = (box.y + 0.6, box.height - 1.2, box.width * 0.6)
            return bar(ChartColours.bar, ChartColours.barLine, 0.22)
                + [(part.path, Drawing.Pen(fill: ChartColours.barLine))]
        case .slack:
            return Drawing.Path.slack(from: box.x, to: box.right, box.middle).map {
                ($0, Drawing.Pen(stroke: ChartColours.barLine, width: 0.25, dash: $1))
            }
        case .milestone:
            return [(.diamond(centre, 1.5), Drawing.Pen(fill: ChartColours.barLine))]
        case .whole:
            let bracket = Drawing.Path(
                [
                    Drawing.Point(box.x, box.y), Drawing.Point(box.right, box.y),
                    Drawing.Point(box.right, box.bottom),
                    Drawing.Point(box.right - 1.2, box.y + 1.1),
                    Drawing.Point(box.x + 1.2, box.y + 1.1), Drawing.Point(box.x, box.bottom),
                ], isClosed: true)
            return [(bracket, Drawing.Pen(fill: .black))]
        case .follows:
            let path = LinkPath(
                from: Drawing.Box(x: box.x, y: box.y, width: 0, height: 1.2),
                to: Drawing.Box(x: box.right - 2.6, y: box.bottom, width: 2.6, height: 0.01),
                isBelow: true, rowHeight: box.height)
            return [
                (path.line, Drawing.Pen(stroke: ChartColours.link, width: 0.22)),
                (path.head, Drawing.Pen(fill: ChartColours.link)),
            ]
        case .baseline:
            var bar = box
            (bar.y, bar.height) = (box.middle - 0.55, 1.1)
            return [(bar.path, Drawing.Pen(fill: ChartColours.before))]
        case .today:
            return [
                (
                    upright,
                    Drawing.Pen(stroke: ChartColours.today, width: 0.45, dash: [0.9, 0.5])
                )
            ]
        }
    }
}
