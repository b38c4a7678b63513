import Dates

/// Why a chart can't be drawn, and how to fix it.
package enum ChartError: Error, Hashable, CustomStringConvertible {
    /// It would have this many rows.
    case tooManyRows(Int)
    /// Nothing in it has a date, and no range was chosen.
    case noDates
    /// The range ends before it begins.
    case backwards(CivilDate, CivilDate)
    /// It would have this many days, weeks or months.
    case tooLong(Int, TimeScale)
    /// The terminal has only this many columns.
    case narrow(Int)

    package var description: String {
        switch self {
        case .tooManyRows(let count):
            "a chart has at most \(GanttChart.Limit.rows) rows, not \(count); choose a part of it"
        case .noDates:
            "no issue has a date; give one a start or a due date, or choose the first and the last "
                + "day of the chart"
        case .backwards(let first, let last):
            "the chart would end on \(last.iso), before it begins on \(first.iso)"
        case .tooLong(let count, let scale):
            "the chart would have \(count) \(scale)s, and may have \(GanttChart.Limit.units); "
                + "choose the first and the last day"
                + (scale == .month ? "" : ", or a coarser scale")
        case .narrow(let columns):
            "a chart needs \(CharacterChart.leastColumns) columns, not \(columns)"
        }
    }
}
