import Dates
import Papers
import Phrases

/// How much of people's time is planned, week by week, independent of a format.
package struct LoadChart: Sendable {
    /// The maximum number of weeks.
    package static let mostWeeks = 520

    /// A person's week, in minutes.
    package struct Week: Hashable, Sendable {
        package let planned: Int
        /// The minutes that the person has.
        package let available: Int

        package init(planned: Int, available: Int) {
            self.planned = planned
            self.available = available
        }

        /// The percentage of the time that is planned; nil when the person has none and nothing is
        /// planned.
        var share: Int? {
            if available <= 0 { return planned > 0 ? 999 : nil }
            // More than 100 whenever the planned time exceeds the available time.
            let share = Int(min(max(Double(planned) / Double(available) * 100, 0), 999))
            return planned > available ? max(101, share) : share
        }
    }

    /// A person and their weeks.
    package struct Row: Hashable, Sendable {
        package let name: String
        package let weeks: [Week]

        package init(name: String, weeks: [Week]) {
            self.name = name.written
            self.weeks = weeks
        }
    }

    private let title: String
    private let monday: CivilDate
    private let rows: [Row]
    private let words: Words<ChartPhrase>

    /// Makes a chart of people.
    ///
    /// - Parameters:
    ///   - title: the title.
    ///   - monday: the first day of everyone's first week.
    ///   - rows: the people.
    ///   - language: the language of the texts.
    /// - Throws: a ``ChartError`` when there are too many people or weeks.
    package init(
        _ title: String, from monday: CivilDate, _ rows: [Row], language: Language = .english
    ) throws(ChartError) {
        guard rows.count <= GanttChart.Limit.rows else { throw .tooManyRows(rows.count) }
        let weeks = rows.map(\.weeks.count).max() ?? 0
        guard weeks <= Self.mostWeeks else { throw .tooLong(weeks, .week) }
        self.title = title.written
        self.monday = monday
        self.rows = rows
        words = Words<ChartPhrase>(language)
    }

    private var weeks: Int { rows.map(\.weeks.count).max() ?? 0 }

    private func days(_ week: Int) -> CivilDate {
        CivilDate(daysSince1970: monday.daysSince1970 + 7 * week)
    }

    /// The names of the month of a week, the longest first, if the week is the first of that month;
    /// else none.
    private func months(_ week: Int) -> [String] {
        // As in ISO 8601, a week belongs to the month of its Thursday.
        func month(_ week: Int) -> (year: Int, month: Int, day: Int) {
            CivilDate(daysSince1970: monday.daysSince1970 + 7 * week + 3).parts
        }
        let (year, number, _) = month(week)
        if week > 0, month(week - 1).month == number { return [] }
        let short = words.shortMonth(number)
        return week == 0 || number == 1 ? ["\(short) \(year)", short] : [short]
    }

    /// The number of weeks from one to the next that has the name of a month; nil if none has.
    private func weeksToNextMonth(_ week: Int) -> Int? {
        (week + 1..<max(weeks, week + 1)).first { !months($0).isEmpty }.map { $0 - week }
    }
}

// MARK: As a drawing

extension LoadChart {
    private static let labelWidth = 46.0
    private static let cellWidth = 10.0
    private static let rowHeight = 6.0

    /// The chart as a drawing: a cell for each week, darker the more is planned, and framed if it
    /// exceeds the available time.
    package func drawing() -> Drawing {
        let (margin, top) = (ChartGrid.margin, ChartGrid.margin + 20.0)
        let left = margin + Self.labelWidth
        let width = left + Double(max(weeks, 6)) * Self.cellWidth + margin
        let height = top + Double(rows.count) * Self.rowHeight + 9 + margin
        var frame = Drawing.Part("frame")
        let room = width - 2 * margin
        frame.write(
            Drawing.Text.shortened(title, to: room, size: 4.6, isBold: true), margin, margin + 5,
            size: 4.6, isBold: true)
        for week in 0..<weeks {
            let x = left + Double(week) * Self.cellWidth
            let space = weeksToNextMonth(week).map { Double($0) * Self.cellWidth - 1.5 }
            let month = months(week).first {
                Drawing.Text($0, at: Drawing.Point(0, 0), size: 2.5, isBold: true).length
                    <= space ?? .infinity
            }
            frame.write(month ?? "", x + 0.5, top - 5.2, size: 2.5, isBold: true)
            let number = words.say(.week, ["week": "\(days(week).week.number)"])
            frame.write(
                number, x + Self.cellWidth / 2, top - 1.4, size: 2.3, anchor: .middle)
        }
        var labels = Drawing.Part("labels")
        var cells = Drawing.Part("cells")
        var over = Drawing.Part("over")
        for (number, row) in rows.enumerated() {
            let y = top + Double(number) * Self.rowHeight
            let name = Drawing.Text.shortened(row.name, to: Self.labelWidth - 2, size: 2.7)
            labels.write(name, margin, y + Self.rowHeight / 2 + 1, size: 2.7)
            for (week, load) in row.weeks.enumerated() {
                let box = Drawing.Box(
                    x: left + Double(week) * Self.cellWidth, y: y, width: Self.cellWidth,
                    height: Self.rowHeight)
                draw(load, box, &cells, &over)
            }
        }
        frame.marks += legend(margin, height - margin - 3)
        return Drawing(
            width: width, height: height, title: title, parts: [cells, over, labels, frame])
    }

    private func draw(
        _ load: Week, _ box: Drawing.Box, _ cells: inout Drawing.Part, _ over: inout Drawing.Part
    ) {
        let share = load.share
        let isOver = load.planned > load.available
        let fill: Colour? =
            isOver
            ? ChartColours.critical
            : share.map { Self.tint(Double($0) / 100) } ?? ChartColours.free
        let pen = Drawing.Pen(stroke: ChartColours.rule, width: 0.12, fill: fill)
        cells.marks.append(Drawing.Mark(.path(box.path, pen)))
        if isOver {
            var inner = box
            (inner.x, inner.y) = (box.x + 0.3, box.y + 0.3)
            (inner.width, inner.height) = (box.width - 0.6, box.height - 0.6)
            let pen = Drawing.Pen(stroke: ChartColours.criticalLine, width: 0.6)
            over.marks.append(Drawing.Mark(.path(inner.path, pen)))
        }
        guard let share, share > 0 else { return }
        over.write(
            "\(share)", box.x + box.width / 2, box.middle + 0.9, size: 2.4, anchor: .middle,
            isBold: isOver)
    }

    /// A bluer tint the more time is planned, light enough for text on it.
    private static func tint(_ part: Double) -> Colour {
        let (bar, part) = (ChartColours.bar, min(max(part, 0), 1))
        return Colour(
            red: 1 + (bar.red - 1) * part, green: 1 + (bar.green - 1) * part,
            blue: 1 + (bar.blue - 1) * part)
    }

    private func legend(_ x: Double, _ y: Double) -> [Drawing.Mark] {
        var part = Drawing.Part("legend")
        part.write(words.say(.shares), x, y, size: 2.3)
        return part.marks
    }
}

extension Drawing.Part {
    fileprivate mutating func write(
        _ words: String, _ x: Double, _ y: Double, size: Double,
        anchor: Drawing.Text.Anchor = .start, isBold: Bool = false
    ) {
        guard !words.isEmpty else { return }
        marks.append(
            Drawing.Mark(
                .text(
                    Drawing.Text(
                        words, at: Drawing.Point(x, y), size: size, anchor: anchor, isBold: isBold))
            ))
    }
}

// MARK: On a terminal

extension LoadChart {
    /// The chart in characters for a terminal: a column for each week, with a mark where the plan
    /// exceeds the available time. Weeks that don't fit are counted below.
    ///
    /// - Throws: ``ChartError/narrow(_:)``.
    package func lines(columns: Int, isColoured: Bool) throws(ChartError) -> [String] {
        guard columns >= CharacterChart.leastColumns else { throw .narrow(columns) }
        let columns = min(columns, 1_000)
        let longest = rows.map(\.name.roughColumns).max() ?? 0
        let nameWidth = min(max(longest, 8), columns / 3)
        let count = min(weeks, (columns - nameWidth) / Self.columns)
        var names = CharacterLine(width: columns - nameWidth)
        var numbers = CharacterLine(width: columns - nameWidth)
        for week in 0..<count {
            let space =
                weeksToNextMonth(week).map { $0 * Self.columns - 1 }
                ?? columns - nameWidth - week * Self.columns - 1
            let month = months(week).first { $0.roughColumns <= space }
            names.write(month ?? "", at: week * Self.columns + 1, .bold)
            let number = words.say(.week, ["week": "\(days(week).week.number)"])
            numbers.write(number.leading(Self.columns - 1), at: week * Self.columns, .none)
        }
        let margin = String(repeating: " ", count: nameWidth)
        var lines = [
            StyledText.bold.text(title.shortened(columns: columns), isColoured),
            (margin + names.text(isColoured)).withoutBlanksAtEnd,
            (margin + numbers.text(isColoured)).withoutBlanksAtEnd,
        ]
        for row in rows {
            var line = CharacterLine(width: columns - nameWidth)
            for (week, load) in row.weeks.prefix(count).enumerated() {
                let isOver = load.planned > load.available
                let text = load.share.map { $0 == 0 ? "·" : "\($0)\(isOver ? "!" : "")" } ?? "-"
                let place = isOver ? Self.columns : Self.columns - 1
                line.write(
                    text.leading(place), at: week * Self.columns,
                    isOver ? .red : load.share ?? 0 > 0 ? .none : .dim)
            }
            let name = row.name.shortened(columns: nameWidth).padded(to: nameWidth)
            lines.append((name + line.text(isColoured)).withoutBlanksAtEnd)
        }
        lines.append("")
        for note in notes(after: count) {
            lines.append(StyledText.bold.text(note.shortened(columns: columns), isColoured))
        }
        let legend = words.say(.shares).shortened(columns: columns)
        lines.append(StyledText.dim.text(legend, isColoured))
        return lines
    }

    /// How many weeks don't fit after the first ones, and in how many of them somebody has too
    /// much planned.
    private func notes(after shown: Int) -> [String] {
        guard shown < weeks else { return [] }
        let over = (shown..<weeks).count { week in
            rows.contains { row in
                row.weeks.indices.contains(week)
                    && row.weeks[week].planned > row.weeks[week].available
            }
        }
        let later = words.say(.laterWeeks, ["count": "\(weeks - shown)"])
        return over == 0 ? [later] : [later, words.say(.laterOver, ["count": "\(over)"])]
    }

    /// The number of columns of a week: a blank, three digits and a mark.
    private static let columns = 5
}

extension String {
    /// The text with leading blanks up to a number of columns.
    fileprivate func leading(_ columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - roughColumns)) + self
    }
}
