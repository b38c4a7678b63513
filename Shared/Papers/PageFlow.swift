import CCairo
import Pictures

/// Lays a paper out on pages of A4 before anything is drawn. Lengths are in points, 1/72 inch, from
/// the upper left corner.
struct PageFlow {
    /// An element at a position on a page.
    enum Mark {
        case line(TypeLayout, Int, x: Double, y: Double)
        case sign(Paper.Sign, x: Double, y: Double, side: Double)
        case bar(Colour, x: Double, y: Double, width: Double, height: Double)
        /// A picture that fills a box as far as it can.
        case picture(Picture, Drawing.Box)
        /// The only mark of its page, which has the drawing's size.
        case drawing(Drawing)
    }

    /// Lines that stay together if they fit on a page, with the sign and bars next to them.
    struct Row {
        /// Sorted by `down`, the distance of a line's upper edge from that of the row.
        var lines: [(layout: TypeLayout, line: Int, x: Double, down: Double)] = []
        var sign: (sign: Paper.Sign, x: Double, side: Double)?
        var bars: [(colour: Colour, x: Double, width: Double)] = []
        /// Pictures side by side, each in a box of this size, above its lines.
        var pictures: [(picture: Picture, x: Double)] = []
        var box = (width: 0.0, height: 0.0)
        /// The space above the row, unless it is the first on a page.
        var above = 0.0

        /// The height without the space above.
        var height: Double {
            let text = lines.map { $0.down + $0.layout.style.leading }.max() ?? 0
            return max(text, sign.map { $0.side + 2 } ?? 0, pictures.isEmpty ? 0 : box.height)
        }

        /// Adds the lines of a text below the present ones.
        mutating func add(_ layout: TypeLayout, x: Double, gap: Double = 0) {
            var down = lines.map { $0.down + $0.layout.style.leading }.max() ?? 0
            down += gap
            for line in 0..<layout.lines {
                lines.append((layout, line, x, down))
                down += layout.style.leading
            }
        }
    }

    static let page = (width: 595.28, height: 841.89)
    static let margin = 36.0
    static let width = page.width - 2 * margin
    private static let bottom = page.height - 48

    private(set) var pages: [[Mark]] = [[]]
    private var y: Double
    /// Where text begins on the second and later pages.
    private let top: Double
    /// The rows to place above the next one on its page, such as a heading.
    private var pending: [Row] = []
    /// The rows at the top of a new page: the heading of a group that continues.
    private var repeated: [Row] = []

    /// - Parameters:
    ///   - first: where text begins on the first page.
    ///   - top: where it begins on the others.
    init(first: Double, top: Double) {
        y = first
        self.top = top
    }

    /// Opens a group. Its heading is placed together with its first row.
    mutating func open(_ heading: [Row], repeated: [Row]) {
        pending = heading
        self.repeated = repeated
    }

    /// Adds a row below the last one, on a new page if it doesn't fit.
    mutating func add(_ row: Row) {
        let headings = pending.reduce(0) { $0 + $1.above + $1.height }
        if y + headings + row.above + row.height > Self.bottom {
            let isLong = row.height > Self.bottom - top - 80
            // A row longer than any page is broken, if at least some of it fits here.
            if !isLong || y + headings + 120 > Self.bottom { turn() }
        }
        for heading in pending { place(heading) }
        pending = []
        place(row)
    }

    /// Places a heading that no row followed.
    mutating func close() {
        for heading in pending { place(heading) }
        pending = []
    }

    /// Adds a page for a drawing alone; what follows begins on the next page.
    mutating func add(_ drawing: Drawing) {
        close()
        pages.append([.drawing(drawing)])
        pages.append([])
        y = top
    }

    private mutating func turn() {
        pages.append([])
        y = top
        if pending.isEmpty { pending = repeated }
    }

    private mutating func place(_ row: Row) {
        if y > top || pages.count == 1 { y += row.above }
        /// Where the row begins, or would begin if the end of a page had not broken it.
        var base = y
        /// Where its part on this page begins.
        var begin = y
        var end = y
        if let sign = row.sign {
            mark(.sign(sign.sign, x: sign.x, y: y + 1, side: sign.side))
            end += sign.side + 2
        }
        for (picture, x) in row.pictures {
            mark(.picture(picture, .init(x: x, y: y, width: row.box.width, height: row.box.height)))
            end = max(end, y + row.box.height)
        }
        for entry in row.lines {
            let leading = entry.layout.style.leading
            if base + entry.down + leading > Self.bottom {
                addBars(row, from: begin, to: end)
                pages.append([])
                base = top - entry.down
                (begin, end) = (top, top)
            }
            let at = base + entry.down
            mark(.line(entry.layout, entry.line, x: entry.x, y: at))
            end = max(end, at + leading)
        }
        addBars(row, from: begin, to: end)
        y = end
    }

    /// Bars are drawn behind the lines, so they come first on their page.
    private mutating func addBars(_ row: Row, from begin: Double, to end: Double) {
        for bar in row.bars {
            pages[pages.count - 1].insert(
                .bar(bar.colour, x: bar.x, y: begin, width: bar.width, height: end - begin), at: 0)
        }
    }

    private mutating func mark(_ mark: Mark) { pages[pages.count - 1].append(mark) }
}
