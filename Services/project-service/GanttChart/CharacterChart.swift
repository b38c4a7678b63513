import Dates
import Papers
import Phrases
import ProjectNetwork
import WorkCalendar

/// A chart in the characters of a terminal.
package struct CharacterChart: Sendable {
    /// The minimum number of columns, for names and bars.
    package static let leastColumns = 40

    private let chart: GanttChart
    private let words: Words<ChartPhrase>
    private let axis: TimeAxis
    private let nameWidth: Int
    private let barWidth: Int
    private let isColoured: Bool
    /// The columns of the terminal; the bars may need fewer.
    private let columns: Int

    /// The number of columns between names and bars: a blank, the share done, and an edge.
    private static let shareWidth = 6

    /// Makes a chart for a terminal.
    ///
    /// - Parameters:
    ///   - chart: the chart.
    ///   - options: its range, scale and language.
    ///   - columns: the number of columns of the terminal.
    ///   - isColoured: whether it shows colours. Characters convey everything that colours do.
    /// - Throws: a ``ChartError`` when the chart has no days, or there are too few columns.
    package init(
        _ chart: GanttChart, options: ChartOptions, columns: Int, isColoured: Bool
    ) throws(ChartError) {
        guard columns >= Self.leastColumns else { throw .narrow(columns) }
        let columns = min(columns, 1_000)
        self.columns = columns
        self.chart = chart
        self.isColoured = isColoured
        words = Words<ChartPhrase>(options.language)
        let longest = chart.rows.map { $0.label.roughColumns + 2 * min($0.depth, 8) }.max() ?? 0
        nameWidth = min(max(longest, 12), columns * 2 / 5)
        let room = columns - nameWidth - Self.shareWidth
        axis = try Self.axis(of: chart, options, room: room, words)
        barWidth = min(room, axis.days.count * 3)
    }

    /// The minimum number of columns for the name of a day, week or month.
    private static func width(_ scale: TimeScale) -> Int { scale == .day ? 3 : 4 }

    private static func axis(
        of chart: GanttChart, _ options: ChartOptions, room: Int, _ words: Words<ChartPhrase>
    ) throws(ChartError) -> TimeAxis {
        let days = try options.days(of: chart)
        if let scale = options.scale { return try TimeAxis(days, scale, words) }
        for scale in [TimeScale.day, .week]
        where Double(days.count) / scale.days * Double(width(scale)) <= Double(room) {
            let axis = try TimeAxis(days, scale, words)
            if axis.units.count * width(scale) <= room { return axis }
        }
        return try TimeAxis(days, .month, words)
    }

    /// The column in which a day begins.
    private func column(_ day: Int) -> Int {
        let days = axis.days
        let day = min(max(day, days.lowerBound), days.upperBound)
        return (day - days.lowerBound) * barWidth / max(1, days.count)
    }

    /// The lines of the chart, without trailing blanks.
    package func lines() -> [String] {
        var lines = [StyledText.bold.text(chart.title.shortened(columns: columns), isColoured)]
        if let text = chart.comparison(words) { lines.append(text.shortened(columns: columns)) }
        lines += [head(axis.groups), head(named)]
        for row in chart.rows {
            lines.append(line(of: row))
            if let before = lineBefore(row) { lines.append(before) }
        }
        lines.append("")
        lines += legend()
        return lines
    }

    /// The days, weeks or months with names: all of them, or as many at equal distances as have
    /// room for their numbers. Of days, these are Mondays.
    private var named: [TimeAxis.Cell] {
        // Months have names of one letter. Narrower ones would cover each other.
        if axis.scale == .month { return axis.units.count > barWidth ? [] : axis.units }
        var step = 1
        // Two digits and a blank.
        while step * barWidth < 3 * axis.units.count {
            step = step == 1 && axis.scale == .day ? 7 : 2 * step
        }
        // 1 January 1970 was a Thursday.
        return axis.units.filter { ($0.days.lowerBound + 3) / $0.days.count % step == 0 }
    }

    /// The names above days; each ends before the next begins.
    private func head(_ cells: [TimeAxis.Cell]) -> String {
        var line = CharacterLine(width: barWidth)
        for (place, cell) in cells.enumerated() {
            let next = place + 1 < cells.count ? cells[place + 1].days.lowerBound : Int.max
            let (begin, end) = (column(cell.days.lowerBound), column(next))
            let name = cell.names.first { $0.roughColumns < max(2, end - begin) }
            if let name { line.write(name, at: begin, cell.names.count > 2 ? .bold : .none) }
        }
        let margin = String(repeating: " ", count: nameWidth + Self.shareWidth)
        return (margin + line.text(isColoured)).withoutBlanksAtEnd
    }

    private func line(of row: ChartRow) -> String {
        let indent = String(repeating: "  ", count: min(row.depth, 8))
        let name = (indent + row.label).shortened(columns: nameWidth).padded(to: nameWidth)
        let share =
            row.kind == .milestone || row.firstDay == nil ? "" : "\(row.done)%"
        let style: StyledText =
            row.late > 0
            ? .red
            : row.isClosed ? .dim : row.kind == .whole || row.kind == .project ? .bold : .none
        let blanks = String(repeating: " ", count: max(0, 5 - share.count))
        return
            (style.text(name, isColoured) + blanks + share + "│" + bars(of: row).text(isColoured))
            .withoutBlanksAtEnd
    }

    private func bars(of row: ChartRow) -> CharacterLine {
        var line = ground()
        guard let days = row.drawnDays(today: chart.today) else {
            line.write(words.say(.undated), at: 0, .dim)
            return line
        }
        guard days.overlaps(axis.days) else {
            // An arrow shows on which side it is.
            let isBefore = days.upperBound <= axis.days.lowerBound
            line.write(isBefore ? "«" : "»", at: isBefore ? 0 : barWidth - 1, .dim)
            return line
        }
        let begin = column(days.lowerBound)
        let end = max(column(days.upperBound), begin + 1)
        var last = end
        switch row.kind {
        case .milestone:
            line.write("◆", at: min(begin, barWidth - 1), row.isCritical ? .red : .none)
        case .whole, .project:
            for place in begin..<end { line.write("━", at: place, .bold) }
            line.write("┏", at: begin, .bold)
            if end - begin > 1 { line.write("┓", at: end - 1, .bold) }
        case .issue:
            drawBar(row, begin, end, on: &line)
            if let latest = row.latest {
                last = max(end, column(latest.daysSince1970 + 1))
                for place in end..<last where line[place] != "┊" {
                    line.write("─", at: place, .dim)
                }
            }
        }
        let notes = [
            (row.late > 0 ? words.say(.late, ["count": "\(row.late)"]) : "", StyledText.red),
            (words.slip(row.slip), .yellow),
        ].filter { !$0.0.isEmpty }
        let width = notes.reduce(0) { $0 + $1.0.roughColumns + 1 }
        // Beside the slack, or over it, or to the left of the bar.
        var place = [last, end].first { $0 + width <= barWidth }.map { $0 + 1 } ?? begin - width
        for (note, style) in notes {
            line.write(note, at: place, style)
            place += note.roughColumns + 1
        }
        return line
    }

    private func drawBar(_ row: ChartRow, _ begin: Int, _ end: Int, on line: inout CharacterLine) {
        let done = begin + (end - begin) * row.done / 100
        let style: StyledText = row.isClosed ? .dim : row.isCritical ? .red : .blue
        let open = row.isClosed ? "░" : row.isCritical ? "▓" : "▒"
        for place in begin..<end {
            line.write(place < done ? "█" : open, at: place, style)
        }
        if row.span.start == nil { line.write("◄", at: begin, style) }
        if row.span.due == nil { line.write("►", at: end - 1, style) }
    }

    /// The bar of a row in the baseline, if it differs.
    private func lineBefore(_ row: ChartRow) -> String? {
        guard let before = row.before, before != row.span, let days = before.days,
            days.overlaps(axis.days)
        else { return nil }
        var line = ground()
        let begin = column(days.lowerBound)
        for place in begin..<max(column(days.upperBound), begin + 1) {
            line.write("╌", at: place, .dim)
        }
        let margin = String(repeating: " ", count: nameWidth + Self.shareWidth - 1)
        return (margin + "│" + line.text(isColoured)).withoutBlanksAtEnd
    }

    /// The background of the bars: today and, if the scale permits, the days without work.
    private func ground() -> CharacterLine {
        var line = CharacterLine(width: barWidth)
        if axis.scale == .day, barWidth >= axis.days.count, let calendar = chart.calendar {
            for days in axis.freeDays(calendar) {
                for place in column(days.lowerBound)..<column(days.upperBound) {
                    line.write("·", at: place, .dim)
                }
            }
        }
        if let day = chart.today?.daysSince1970, axis.days.contains(day) {
            line.write("┊", at: column(day), .yellow)
        }
        return line
    }

    /// The meaning of the signs that occur.
    private func legend() -> [String] {
        let issues = chart.rows.filter { $0.kind == .issue && $0.firstDay != nil }
        var entries: [String] = []
        func add(_ sign: String, _ key: ChartPhrase, if occurs: Bool) {
            if occurs { entries.append("\(sign) \(words.say(key))") }
        }
        add("█", .done, if: issues.contains { $0.done > 0 })
        add("▒", .issue, if: issues.contains { !$0.isClosed && !$0.isCritical })
        add("▓", .critical, if: issues.contains(where: \.isCritical))
        add("░", .closed, if: issues.contains(where: \.isClosed))
        add("◄", .openBegin, if: issues.contains { $0.span.start == nil })
        add("►", .openEnd, if: issues.contains { $0.span.due == nil })
        add("─", .slack, if: issues.contains { $0.latest != nil })
        add("◆", .milestone, if: chart.rows.contains { $0.kind == .milestone })
        add("╌", .baseline, if: chart.rows.contains { $0.before != nil && $0.before != $0.span })
        let isNow = chart.today.map { axis.days.contains($0.daysSince1970) } ?? false
        add("┊", .today, if: isNow)
        var lines: [String] = []
        for entry in entries.map({ $0.shortened(columns: columns) }) {
            if let last = lines.last, last.roughColumns + entry.roughColumns + 3 <= columns {
                lines[lines.count - 1] = last + "   " + entry
            } else {
                lines.append(entry)
            }
        }
        return lines.map { StyledText.dim.text($0, isColoured) }
    }
}
