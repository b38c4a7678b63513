import Dates
import Papers
import Phrases
import ProjectNetwork

/// Draws the bars of the rows on a sheet, and the notes beside them.
struct BarDrawing {
    private let grid: ChartGrid
    private let words: Words<ChartPhrase>
    private(set) var bars = Drawing.Part("bars")
    private(set) var before = Drawing.Part("baseline")
    /// The notes beside bars, which are not clipped at the edge of the window.
    private(set) var notes = Drawing.Part("notes")

    init(_ grid: ChartGrid, _ words: Words<ChartPhrase>) {
        self.grid = grid
        self.words = words
        bars.clip = grid.shown
        before.clip = grid.shown
    }

    /// Draws a row.
    mutating func draw(_ row: ChartRow, number: Int, today: CivilDate?) {
        let item = row.issue.map { "\($0)" } ?? ""
        if let days = row.before?.days, grid.shows(days) {
            let box = grid.bar(before: days, row: number)
            before.marks.append(
                Drawing.Mark(.path(box.path, Drawing.Pen(fill: ChartColours.before)), item: item))
        }
        guard let days = row.drawnDays(today: today) else {
            let box = grid.bar(grid.days.lowerBound..<grid.days.lowerBound, row: number)
            write(Note([(words.say(.undated), .grey, false)]), beside: box, item)
            return
        }
        let box = grid.bar(days, row: number)
        var end = box
        if grid.shows(days) {
            switch row.kind {
            case .milestone: end = drawMoment(row, box, item)
            case .whole, .project: drawBracket(row, box, item)
            case .issue: drawBar(row, box, item)
            }
        }
        guard grid.shows(days) else {
            let first = grid.days.lowerBound
            if row.kind == .issue, let latest = row.latest, days.upperBound <= first,
                latest.daysSince1970 >= first
            {
                drawSlack(after: box, latest, from: box.right, item)
            } else {
                write(days, number, item)
            }
            return
        }
        let note = Note(row, words)
        // Put the note after the slack or, where there is no room, between the slack and the bar.
        let slackEnd = row.latest.map { grid.x($0.daysSince1970 + 1) } ?? end.right
        if row.kind == .issue, slackEnd + note.length <= grid.window.right || note.isEmpty {
            drawSlack(after: box, row.latest, from: box.right, item)
            end.width = max(end.width, slackEnd - end.x)
        } else if row.kind == .issue {
            drawSlack(after: box, row.latest, from: box.right + note.length, item)
        }
        write(note, beside: end, item)
    }

    /// Writes when a bar ends that is before the days of the sheet, or begins that is after them.
    private mutating func write(_ days: Range<Int>, _ number: Int, _ item: String) {
        let isBefore = days.upperBound <= grid.days.lowerBound
        let edge = isBefore ? grid.days.lowerBound : grid.days.upperBound
        let day = CivilDate(daysSince1970: isBefore ? days.upperBound - 1 : days.lowerBound).iso
        let note = Note([(isBefore ? "« \(day)" : "\(day) »", .grey, false)])
        write(note, beside: grid.bar(edge..<edge, row: number), item)
    }

    private mutating func drawBar(_ row: ChartRow, _ box: Drawing.Box, _ item: String) {
        let look = BarLook(row)
        let path = Self.outline(
            box, opensLeft: row.span.start == nil, opensRight: row.span.due == nil)
        add(path, Drawing.Pen(fill: look.fill), item)
        if row.done > 0 {
            var part = box
            part.width *= Double(row.done) / 100
            part.y += 0.75
            part.height -= 1.5
            add(part.path, Drawing.Pen(fill: look.line), item)
        }
        add(path, Drawing.Pen(stroke: look.line, width: look.width, dash: look.dash), item)
    }

    /// A box with a pointed side where it is open.
    static func outline(
        _ box: Drawing.Box, opensLeft: Bool, opensRight: Bool
    ) -> Drawing.Path {
        let point = min(1.6, box.width / 2)
        var corners: [Drawing.Point] = []
        if opensLeft {
            corners += [
                Drawing.Point(box.x + point, box.bottom), Drawing.Point(box.x, box.middle),
                Drawing.Point(box.x + point, box.y),
            ]
        } else {
            corners += [Drawing.Point(box.x, box.bottom), Drawing.Point(box.x, box.y)]
        }
        if opensRight {
            corners += [
                Drawing.Point(box.right - point, box.y), Drawing.Point(box.right, box.middle),
                Drawing.Point(box.right - point, box.bottom),
            ]
        } else {
            corners += [Drawing.Point(box.right, box.y), Drawing.Point(box.right, box.bottom)]
        }
        return Drawing.Path(corners, isClosed: true)
    }

    /// Draws an issue with parts, or a project: a bar whose ends point down.
    private mutating func drawBracket(_ row: ChartRow, _ box: Drawing.Box, _ item: String) {
        let look = BarLook(row)
        let thick = 1.3
        let foot = min(1.5, box.width / 2)
        let path = Drawing.Path(
            [
                Drawing.Point(box.x, box.y), Drawing.Point(box.right, box.y),
                Drawing.Point(box.right, box.bottom),
                Drawing.Point(box.right - foot, box.y + thick),
                Drawing.Point(box.x + foot, box.y + thick), Drawing.Point(box.x, box.bottom),
            ], isClosed: true)
        add(path, Drawing.Pen(fill: row.isCritical ? look.line : .black), item)
        guard row.done > 0 else { return }
        let part = Drawing.Box(
            x: box.x, y: box.y + thick + 0.35, width: box.width * Double(row.done) / 100,
            height: 0.6)
        add(part.path, Drawing.Pen(fill: .black), item)
    }

    /// Draws a milestone on its day, and returns its box.
    private mutating func drawMoment(
        _ row: ChartRow, _ box: Drawing.Box, _ item: String
    ) -> Drawing.Box {
        let look = BarLook(row)
        let (x, half) = (box.x + box.width / 2, 1.7)
        let path = Drawing.Path.diamond(Drawing.Point(x, box.middle), half)
        add(
            path,
            Drawing.Pen(
                stroke: look.line, width: look.width, fill: row.isClosed ? look.fill : look.line),
            item)
        return Drawing.Box(x: x - half, y: box.y, width: 2 * half, height: box.height)
    }

    private mutating func drawSlack(
        after box: Drawing.Box, _ latest: CivilDate?, from begin: Double, _ item: String
    ) {
        guard let latest else { return }
        let end = grid.x(latest.daysSince1970 + 1)
        guard end > max(begin, box.right) else { return }
        for (path, dash) in Drawing.Path.slack(from: begin, to: end, box.middle) {
            add(path, Drawing.Pen(stroke: ChartColours.barLine, width: 0.25, dash: dash), item)
        }
    }

    private mutating func add(_ path: Drawing.Path, _ pen: Drawing.Pen, _ item: String) {
        bars.marks.append(Drawing.Mark(.path(path, pen), item: item))
    }

    /// Writes to the right of a bar or, where there is no room, to its left; not at all if neither
    /// has room.
    private mutating func write(_ note: Note, beside box: Drawing.Box, _ item: String) {
        var x = box.right
        if x + note.length > grid.window.right { x = box.x - note.length - Note.gap }
        guard !note.isEmpty, x + Note.gap >= grid.window.x else { return }
        x += Note.gap
        // Lines that cross the text would make it hard to read.
        let ground = Drawing.Box(
            x: x - 0.3, y: box.middle - 1.3, width: note.length - Note.gap, height: 2.6)
        notes.marks.append(
            Drawing.Mark(.path(ground.path, Drawing.Pen(fill: .white, opacity: 0.8)), item: item))
        for var text in note.texts {
            text.place = Drawing.Point(x, box.middle + Note.size * 0.36)
            notes.marks.append(Drawing.Mark(.text(text), item: item))
            x += text.length + Note.space
        }
    }
}

/// The note next to a bar.
private struct Note {
    static let size = 2.3
    /// The space between a bar and its note, where links leave the bar.
    static let gap = 2.0
    static let space = 1.2

    let texts: [Drawing.Text]

    var isEmpty: Bool { texts.isEmpty }

    /// The length including the gap before it.
    var length: Double { texts.reduce(Self.gap) { $0 + $1.length + Self.space } }

    init(_ words: [(String, Colour, isBold: Bool)]) {
        texts = words.filter { !$0.0.isEmpty }.map {
            Drawing.Text(
                $0.0, at: Drawing.Point(0, 0), size: Self.size, isBold: $0.isBold, colour: $0.1)
        }
    }

    /// Makes the note of a row: its lateness, its slip, its person and the share that is done.
    init(_ row: ChartRow, _ words: Words<ChartPhrase>) {
        let isPlain = row.kind == .milestone || row.isClosed || row.done == 0
        let share = isPlain ? "" : "\(row.done) %"
        self.init([
            (row.late > 0 ? words.say(.late, ["count": "\(row.late)"]) : "", .red, true),
            (words.slip(row.slip), .darkOrange, false),
            ([row.person, share].filter { !$0.isEmpty }.joined(separator: " · "), .black, false),
        ])
    }
}

/// The colours and the line of a bar.
private struct BarLook {
    let fill: Colour
    let line: Colour
    let width: Double
    var dash: [Double] = []

    init(_ row: ChartRow) {
        if row.isClosed {
            (fill, line, width) = (ChartColours.closed, ChartColours.closedLine, 0.2)
        } else if row.isCritical {
            (fill, line, width) = (ChartColours.critical, ChartColours.criticalLine, 0.5)
        } else {
            (fill, line, width) = (ChartColours.bar, ChartColours.barLine, 0.22)
        }
        if row.span.due == nil || row.span.start == nil { dash = [0.9, 0.6] }
    }
}

extension Drawing.Path {
    static func diamond(_ middle: Drawing.Point, _ half: Double) -> Self {
        Self(
            [
                Drawing.Point(middle.x, middle.y - half), Drawing.Point(middle.x + half, middle.y),
                Drawing.Point(middle.x, middle.y + half), Drawing.Point(middle.x - half, middle.y),
            ], isClosed: true)
    }

    /// The dashed line of the slack, and the stroke at its end.
    static func slack(from x: Double, to end: Double, _ y: Double) -> [(Self, [Double])] {
        [
            (Self([Drawing.Point(x, y), Drawing.Point(end, y)], isClosed: false), [0.7, 0.6]),
            (
                Self([Drawing.Point(end, y - 0.8), Drawing.Point(end, y + 0.8)], isClosed: false),
                []
            ),
        ]
    }
}

extension Span {
    /// Its days; nil when it has none.
    var days: Range<Int>? {
        guard let first = (start ?? due)?.daysSince1970, let last = (due ?? start)?.daysSince1970
        else { return nil }
        return first <= last ? first..<last + 1 : nil
    }
}

extension ChartRow {
    /// The days over which it is drawn. Without a due date it continues to today, and for at least
    /// a week; without a start it begins a week before it is due.
    func drawnDays(today: CivilDate?) -> Range<Int>? {
        if let moment { return moment.daysSince1970..<moment.daysSince1970 + 1 }
        guard let days = span.days, kind == .issue else { return span.days }
        if span.due == nil {
            let end = max(days.lowerBound + 6, today?.daysSince1970 ?? 0)
            return days.lowerBound..<end + 1
        }
        return span.start == nil ? days.upperBound - 7..<days.upperBound : days
    }
}
