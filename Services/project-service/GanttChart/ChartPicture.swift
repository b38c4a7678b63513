import Dates
import Papers
import Phrases
import ProjectNetwork
import WorkCalendar

/// A drawn chart: one picture, or sheets of paper.
package struct ChartPicture: Sendable {
    private let chart: GanttChart
    private let options: ChartOptions
    private let words: Words<ChartPhrase>
    private let days: ClosedRange<Int>

    /// Makes the picture of a chart.
    ///
    /// - Throws: a ``ChartError`` when the chart has no days.
    package init(_ chart: GanttChart, options: ChartOptions) throws(ChartError) {
        self.chart = chart
        self.options = options
        words = Words<ChartPhrase>(options.language)
        days = try options.days(of: chart)
    }

    /// The whole chart as one drawing, as large as necessary.
    ///
    /// - Throws: ``ChartError/tooLong(_:_:)``.
    package func drawing() throws(ChartError) -> Drawing {
        let scale = options.scale ?? (days.count <= 62 ? .day : days.count <= 400 ? .week : .month)
        let axis = try TimeAxis(days, scale, words)
        let layout = ChartLayout(
            whole: axis, rows: chart.rows.count, isCompared: chart.baseline != nil)
        let width =
            2 * ChartGrid.margin + layout.labelWidth + Double(axis.days.count) * layout.dayWidth
            // Room for the note next to the last bar.
            + 26
        let legend = ChartLegend(
            chart, days: axis.days, words, width: width - 16, hasFreeDays: scale != .month)
        let height =
            2 * ChartGrid.margin + ChartGrid.titleHeight + ChartGrid.headHeight
            + Double(chart.rows.count) * layout.rowHeight + legend.height
        let place = SheetPlace(axis: axis, rows: 0..<chart.rows.count, number: 1, count: 1)
        return sheet(place, layout, legend, width: width, height: height)
    }

    /// The whole chart on sheets of paper, row by row. Each sheet has the names of its rows.
    ///
    /// - Throws: ``ChartError/tooLong(_:_:)``.
    package func sheets() throws(ChartError) -> [Drawing] {
        let size = ChartLayout.size(options)
        func legend(hasFreeDays: Bool) -> ChartLegend {
            ChartLegend(
                chart, days: days.lowerBound..<days.upperBound + 1, words, width: size.width - 16,
                hasFreeDays: hasFreeDays)
        }
        let layout = try ChartLayout(
            chart, options, days: days, legend: legend(hasFreeDays: true).height, words)
        let shown = legend(hasFreeDays: layout.across.first?.scale != .month)
        var sheets: [Drawing] = []
        for rows in layout.down {
            for axis in layout.across {
                let place = SheetPlace(
                    axis: axis, rows: rows, number: sheets.count + 1,
                    count: layout.down.count * layout.across.count)
                sheets.append(
                    sheet(place, layout, shown, width: size.width, height: size.height))
            }
        }
        return sheets
    }

    /// The sheets as a PDF document.
    ///
    /// - Throws: a ``ChartError`` or a ``PaperError``.
    package func pdf() throws -> [UInt8] {
        try Drawing.pdf(of: try sheets(), title: chart.title)
    }

    /// The part of a chart on a sheet.
    private struct SheetPlace {
        let axis: TimeAxis
        let rows: Range<Int>
        let number: Int
        let count: Int
    }

    private func sheet(
        _ place: SheetPlace, _ layout: ChartLayout, _ legend: ChartLegend, width: Double,
        height: Double
    ) -> Drawing {
        let top = ChartGrid.margin + ChartGrid.titleHeight + ChartGrid.headHeight
        let left = ChartGrid.margin + layout.labelWidth
        let grid = ChartGrid(
            window: Drawing.Box(
                x: left, y: top, width: width - ChartGrid.margin - left,
                height: Double(place.rows.count) * layout.rowHeight),
            labelWidth: layout.labelWidth, rowHeight: layout.rowHeight,
            dayWidth: layout.dayWidth, days: place.axis.days, rows: place.rows,
            isCompared: chart.baseline != nil)
        var bars = BarDrawing(grid, words)
        for row in place.rows { bars.draw(chart.rows[row], number: row, today: chart.today) }
        let frame = FrameDrawing(chart, grid, place.axis, words)
        return Drawing(
            width: width, height: height, title: chart.title,
            parts: [
                frame.ground, frame.labels, bars.before, links(grid), bars.bars, frame.today,
                bars.notes, frame.lines,
                Drawing.Part("title", marks: title(width, place.number, of: place.count)),
                Drawing.Part(
                    "legend", marks: legend.marks(x: ChartGrid.margin, y: height - ChartGrid.margin)
                ),
            ])
    }

    private func links(_ grid: ChartGrid) -> Drawing.Part {
        var part = Drawing.Part("links", clip: grid.shown)
        for link in chart.links {
            let rows = min(link.from, link.to)..<max(link.from, link.to) + 1
            guard rows.overlaps(grid.rows),
                let from = chart.rows[link.from].drawnDays(today: chart.today),
                let to = chart.rows[link.to].drawnDays(today: chart.today)
            else { continue }
            let path = LinkPath(
                from: box(of: link.from, from, grid), to: box(of: link.to, to, grid),
                isBelow: link.to > link.from, rowHeight: grid.rowHeight)
            let colour = link.isCritical ? ChartColours.criticalLine : ChartColours.link
            let pen = Drawing.Pen(stroke: colour, width: link.isCritical ? 0.4 : 0.22)
            part.marks.append(Drawing.Mark(.path(path.line, pen)))
            part.marks.append(Drawing.Mark(.path(path.head, Drawing.Pen(fill: colour))))
        }
        return part
    }

    /// The box of a bar; for a milestone, that of its sign.
    private func box(of row: Int, _ days: Range<Int>, _ grid: ChartGrid) -> Drawing.Box {
        var box = grid.bar(days, row: row)
        guard chart.rows[row].kind == .milestone else { return box }
        box.x += box.width / 2 - 1.7
        box.width = 3.4
        return box
    }

    private func title(_ width: Double, _ number: Int, of count: Int) -> [Drawing.Mark] {
        let x = ChartGrid.margin
        let room = width - 2 * ChartGrid.margin
        var parts: [String] = []
        if let today = chart.today { parts.append(words.say(.asOf, ["date": today.iso])) }
        if let text = chart.comparison(words) { parts.append(text) }
        let title = Drawing.Text.shortened(chart.title, to: room, size: 5, isBold: true)
        let below = Drawing.Text.shortened(
            parts.joined(separator: " · "), to: room - 40, size: 2.6)
        var marks = [
            Drawing.Text(title, at: Drawing.Point(x, x + 4.6), size: 5, isBold: true),
            Drawing.Text(below, at: Drawing.Point(x, x + 9.6), size: 2.6, colour: .grey),
        ]
        if count > 1 {
            let page = words.say(.page, ["page": "\(number)", "pages": "\(count)"])
            marks.append(
                Drawing.Text(
                    page, at: Drawing.Point(width - x, x + 9.6), size: 2.6, anchor: .end,
                    colour: .grey))
        }
        return marks.filter { !$0.words.isEmpty }.map { Drawing.Mark(.text($0)) }
    }
}

/// The line from the end of one bar to the start of another.
struct LinkPath {
    let line: Drawing.Path
    let head: Drawing.Path

    /// - Parameters:
    ///   - from: the box of the first bar.
    ///   - to: the box of the other bar.
    ///   - isBelow: whether the other bar is below.
    ///   - rowHeight: the height of a row.
    init(from: Drawing.Box, to: Drawing.Box, isBelow: Bool, rowHeight: Double) {
        let turn = to.x + min(1.3, to.width / 2)
        if from.right <= turn {
            // Along to above the other bar, then down into it; or up if that bar is above.
            let tip = Drawing.Point(turn, isBelow ? to.y : to.bottom)
            let way = isBelow ? -1.0 : 1
            line = Drawing.Path(
                [
                    Drawing.Point(from.right, from.middle), Drawing.Point(turn, from.middle),
                    Drawing.Point(turn, tip.y + way * 1.2),
                ], isClosed: false)
            head = Drawing.Path(
                [
                    tip, Drawing.Point(turn - 0.65, tip.y + way * 1.5),
                    Drawing.Point(turn + 0.65, tip.y + way * 1.5),
                ], isClosed: true)
        } else {
            // Around the end of one bar and the start of the other, between the two rows.
            let between = isBelow ? to.middle - rowHeight / 2 : to.middle + rowHeight / 2
            let (out, back) = (from.right + 1, to.x - 2)
            line = Drawing.Path(
                [
                    Drawing.Point(from.right, from.middle), Drawing.Point(out, from.middle),
                    Drawing.Point(out, between), Drawing.Point(back, between),
                    Drawing.Point(back, to.middle), Drawing.Point(to.x - 1.2, to.middle),
                ], isClosed: false)
            head = Drawing.Path(
                [
                    Drawing.Point(to.x, to.middle), Drawing.Point(to.x - 1.5, to.middle - 0.65),
                    Drawing.Point(to.x - 1.5, to.middle + 0.65),
                ], isClosed: true)
        }
    }
}
