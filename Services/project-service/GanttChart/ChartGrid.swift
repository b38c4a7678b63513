import Dates
import Papers
import Phrases

/// The positions of the rows and the days of a chart on a sheet. Lengths are millimetres.
struct ChartGrid: Hashable, Sendable {
    static let margin = 8.0
    static let titleHeight = 14.0
    /// The height of the two lines above the days.
    static let headHeight = 9.0
    static let lineHeight = 4.6

    /// The box in which bars are drawn.
    let window: Drawing.Box
    /// The width of the issues' names.
    let labelWidth: Double
    let rowHeight: Double
    let dayWidth: Double
    let days: Range<Int>
    /// The numbers of the rows on this sheet.
    let rows: Range<Int>
    /// Whether rows also show bars of the baseline.
    let isCompared: Bool

    /// The part of the window in which bars are drawn: its days, and the halves of signs at their
    /// end.
    var shown: Drawing.Box {
        var box = window
        box.width = min(window.right, x(days.upperBound) + 2) - window.x
        return box
    }

    /// The left edge of a day.
    func x(_ day: Int) -> Double {
        window.x + Double(day - days.lowerBound) * dayWidth
    }

    /// The upper edge of a row.
    func y(_ row: Int) -> Double {
        window.y + Double(row - rows.lowerBound) * rowHeight
    }

    /// The box of an issue's bar, over all its days.
    func bar(_ days: Range<Int>, row: Int) -> Drawing.Box {
        let height = 3.1
        let top = y(row) + (isCompared ? 1.0 : (rowHeight - height) / 2)
        return Drawing.Box(
            x: x(days.lowerBound), y: top, width: Double(days.count) * dayWidth, height: height)
    }

    /// The box of a bar in the baseline.
    func bar(before days: Range<Int>, row: Int) -> Drawing.Box {
        Drawing.Box(
            x: x(days.lowerBound), y: y(row) + 4.7, width: Double(days.count) * dayWidth,
            height: 1.1)
    }

    /// Whether some of these days are on this sheet.
    func shows(_ days: Range<Int>) -> Bool { days.overlaps(self.days) }
}

extension Drawing.Box {
    var right: Double { x + width }
    var bottom: Double { y + height }
    var middle: Double { y + height / 2 }

    /// The outline.
    var path: Drawing.Path {
        Drawing.Path(
            [
                Drawing.Point(x, y), Drawing.Point(right, y), Drawing.Point(right, bottom),
                Drawing.Point(x, bottom),
            ], isClosed: true)
    }
}

/// The division of a chart into sheets.
struct ChartLayout {
    /// The time axis of each column of sheets, and the rows of each row of sheets.
    private(set) var across: [TimeAxis] = []
    private(set) var down: [Range<Int>] = []
    let dayWidth: Double
    let rowHeight: Double
    let labelWidth: Double

    /// The minimum, usual and maximum width of a day. Even the minimum has room for the number of a
    /// day or a week, and for a short name of a month.
    private static func widths(_ scale: TimeScale) -> (least: Double, usual: Double, most: Double) {
        switch scale {
        case .day: (3.5, 5.5, 8)
        case .week: (6.2 / 7, 2, 22.0 / 7)
        case .month: (7 / 30.4, 0.55, 34 / 30.4)
        }
    }

    /// Puts a chart on one sheet, as large as necessary.
    init(whole axis: TimeAxis, rows: Int, isCompared: Bool) {
        across = [axis]
        down = [0..<rows]
        dayWidth = Self.widths(axis.scale).usual
        rowHeight = Self.rowHeight(isCompared)
        labelWidth = 74
    }

    /// Divides a chart into sheets of paper.
    ///
    /// - Parameters:
    ///   - chart: the chart.
    ///   - options: its paper, scale and range.
    ///   - days: the days to show; more are shown if there is room and nobody chose the end.
    ///   - legend: the height of the legend below the chart.
    ///   - words: the texts in the language of the chart.
    init(
        _ chart: GanttChart, _ options: ChartOptions, days: ClosedRange<Int>, legend: Double,
        _ words: Words<ChartPhrase>
    ) throws(ChartError) {
        let size = Self.size(options)
        rowHeight = Self.rowHeight(chart.baseline != nil)
        labelWidth = options.isWide ? 74 : 58
        let width = size.width - 2 * ChartGrid.margin - labelWidth
        let axis = try Self.axis(of: days, options, width: width, words)
        let widths = Self.widths(axis.scale)
        // Each sheet has whole days, weeks or months, and about as many as the others.
        let most = max(1, Int(width / (widths.least * axis.scale.days)))
        let sheets = (axis.units.count + most - 1) / most
        let each = (axis.units.count + sheets - 1) / sheets
        for begin in stride(from: 0, to: axis.units.count, by: each) {
            let units = begin..<min(begin + each, axis.units.count)
            across.append(TimeAxis(axis, units: units, words))
        }
        dayWidth = min(width / Double(across.map(\.days.count).max() ?? 1), widths.most)
        let height =
            size.height - 2 * ChartGrid.margin - ChartGrid.titleHeight - ChartGrid.headHeight
            - legend
        let rows = max(1, Int(height / rowHeight))
        for begin in stride(from: 0, to: max(1, chart.rows.count), by: rows) {
            down.append(begin..<min(begin + rows, chart.rows.count))
        }
    }

    /// The axis of the chosen scale, or of the finest that fits on one sheet.
    private static func axis(
        of days: ClosedRange<Int>, _ options: ChartOptions, width: Double,
        _ words: Words<ChartPhrase>
    ) throws(ChartError) -> TimeAxis {
        for scale in options.scale == nil ? [TimeScale.day, .week] : [] {
            let widths = widths(scale)
            guard Double(days.count) * widths.least <= width else { continue }
            let axis = try TimeAxis(
                filled(days, options, Int(width / widths.most)), scale, words)
            if Double(axis.days.count) * widths.least <= width { return axis }
        }
        let scale = options.scale ?? .month
        return try TimeAxis(
            filled(days, options, Int(width / widths(scale).most)), scale, words)
    }

    /// The days to show, extended to fill a sheet.
    private static func filled(
        _ days: ClosedRange<Int>, _ options: ChartOptions, _ least: Int
    ) -> ClosedRange<Int> {
        guard options.last == nil else { return days }
        return days.lowerBound...max(days.upperBound, days.lowerBound + least - 1)
    }

    private static func rowHeight(_ isCompared: Bool) -> Double { isCompared ? 7 : 5.4 }

    /// The width and the height of the paper.
    static func size(_ options: ChartOptions) -> (width: Double, height: Double) {
        let sides = options.paper.sides
        return options.isWide ? (sides.long, sides.short) : (sides.short, sides.long)
    }
}
