import Dates
import Papers
import Phrases

/// Draws what is around and behind the bars of a sheet.
struct FrameDrawing {
    private let chart: GanttChart
    private let grid: ChartGrid
    private let axis: TimeAxis
    private let words: Words<ChartPhrase>
    /// The free days and the lines between rows, behind everything.
    private(set) var ground = Drawing.Part("ground")
    private(set) var labels = Drawing.Part("labels")
    private(set) var today = Drawing.Part("today")
    /// The names above the days, and the edges.
    private(set) var lines = Drawing.Part("frame")

    private static let edge = Drawing.Pen(stroke: .black, width: 0.25)
    private static let rule = Drawing.Pen(stroke: ChartColours.rule, width: 0.12)
    private static let month = Drawing.Pen(stroke: ChartColours.link, width: 0.16)
    /// The depth beyond which rows are not indented further.
    private static let mostDepth = 10

    init(_ chart: GanttChart, _ grid: ChartGrid, _ axis: TimeAxis, _ words: Words<ChartPhrase>) {
        self.chart = chart
        self.grid = grid
        self.axis = axis
        self.words = words
        drawGround()
        for row in grid.rows { draw(chart.rows[row], number: row) }
        drawToday()
        drawHead()
    }

    private var box: Drawing.Box { grid.window }
    /// The left edge of the sheet's table, and the right edge of its days.
    private var left: Double { box.x - grid.labelWidth }
    private var end: Double { min(grid.x(grid.days.upperBound), box.right) }

    private mutating func drawGround() {
        if axis.scale != .month, let calendar = chart.calendar {
            for days in axis.freeDays(calendar) {
                let free = Drawing.Box(
                    x: grid.x(days.lowerBound), y: box.y,
                    width: Double(days.count) * grid.dayWidth, height: box.height)
                ground.marks.append(
                    Drawing.Mark(.path(free.path, Drawing.Pen(fill: ChartColours.free))))
            }
        }
        for row in grid.rows.dropFirst() {
            let y = grid.y(row)
            let isProject = chart.rows[row].kind == .project
            ground.add(left, y, box.right, y, isProject ? Self.month : Self.rule)
        }
        for unit in axis.units.dropFirst() {
            // When days are shown, only weeks are separated by lines.
            let begin = unit.days.lowerBound
            guard axis.scale != .day || TimeScale.week.begin(of: begin) == begin else { continue }
            ground.add(grid.x(begin), box.y, grid.x(begin), box.bottom, Self.rule)
        }
        for group in axis.groups.dropFirst() {
            let x = grid.x(group.days.lowerBound)
            ground.add(x, box.y, x, box.bottom, Self.month)
        }
    }

    private mutating func draw(_ row: ChartRow, number: Int) {
        let indent = Double(min(row.depth, Self.mostDepth)) * 2.6
        let isBold = row.kind == .whole || row.kind == .project
        let size = row.kind == .project ? 3.0 : 2.7
        let y = grid.y(number) + grid.rowHeight / 2 + size * 0.36
        let text = Drawing.Text.shortened(
            row.label, to: grid.labelWidth - indent - 3, size: size, isBold: isBold)
        let colour: Colour = row.late > 0 ? .red : row.isClosed ? ChartColours.closedLine : .black
        labels.marks.append(
            Drawing.Mark(
                .text(
                    Drawing.Text(
                        text, at: Drawing.Point(left + 1.5 + indent, y), size: size,
                        isBold: isBold, colour: colour)),
                item: row.issue.map { "\($0)" } ?? ""))
    }

    private mutating func drawToday() {
        guard let day = chart.today?.daysSince1970, grid.days.contains(day) else { return }
        // The line is in the middle of the day, if days are wide enough to distinguish.
        let x = grid.x(day) + grid.dayWidth / 2
        today.add(
            x, box.y, x, box.bottom,
            Drawing.Pen(stroke: ChartColours.today, width: 0.45, dash: [1.6, 0.9]))
        let mark = Drawing.Path(
            [
                Drawing.Point(x, box.y + 0.3), Drawing.Point(x - 1.1, box.y - 1.5),
                Drawing.Point(x + 1.1, box.y - 1.5),
            ], isClosed: true)
        today.marks.append(Drawing.Mark(.path(mark, Drawing.Pen(fill: ChartColours.today))))
    }

    private mutating func drawHead() {
        let top = box.y - ChartGrid.headHeight
        let middle = box.y - ChartGrid.headHeight / 2
        for group in axis.groups {
            write(group, y: middle - 1.3, size: 2.7, isBold: true, isCentred: false)
            lines.add(
                grid.x(group.days.lowerBound), top, grid.x(group.days.lowerBound), middle,
                Self.month)
        }
        for unit in axis.units {
            write(unit, y: box.y - 1.3, size: 2.3, isBold: false, isCentred: true)
            let x = grid.x(unit.days.lowerBound)
            lines.add(x, middle, x, box.y, Self.rule)
        }
        lines.add(box.x, middle, end, middle, Self.rule)
        lines.add(left, top, box.right, top, Self.edge)
        lines.add(left, box.y, box.right, box.y, Self.edge)
        lines.add(left, box.bottom, box.right, box.bottom, Self.edge)
        lines.add(box.x, top, box.x, box.bottom, Self.edge)
        lines.add(left, top, left, box.bottom, Self.edge)
        lines.add(box.right, top, box.right, box.bottom, Self.edge)
    }

    /// Writes the longest name of a cell that fits above its days.
    private mutating func write(
        _ cell: TimeAxis.Cell, y: Double, size: Double, isBold: Bool, isCentred: Bool
    ) {
        let width = Double(cell.days.count) * grid.dayWidth
        let name = cell.names.first {
            Drawing.Text($0, at: Drawing.Point(0, 0), size: size, isBold: isBold).length
                <= width - (isCentred ? 0.5 : 1.6)
        }
        guard let name else { return }
        let x = grid.x(cell.days.lowerBound) + (isCentred ? width / 2 : 1)
        lines.marks.append(
            Drawing.Mark(
                .text(
                    Drawing.Text(
                        name, at: Drawing.Point(x, y), size: size,
                        anchor: isCentred ? .middle : .start, isBold: isBold))))
    }
}

extension Drawing.Part {
    fileprivate mutating func add(
        _ x: Double, _ y: Double, _ toX: Double, _ toY: Double, _ pen: Drawing.Pen
    ) {
        let path = Drawing.Path(
            [Drawing.Point(x, y), Drawing.Point(toX, toY)], isClosed: false)
        marks.append(Drawing.Mark(.path(path, pen)))
    }
}
