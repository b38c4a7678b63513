import CCairo
import Phrases

/// Makes one PDF document of papers on A4, with page numbers and the paper's title on every page.
package enum PDFPaper {
    /// The document. The same papers give the same bytes when the same fonts are installed.
    ///
    /// - Throws: ``PaperError`` when the libraries fail to draw.
    package static func document(of papers: [Paper]) throws(PaperError) -> [UInt8] {
        let title = papers.map(\.title).joined(separator: "; ")
        return try CairoOutput.document(
            title: title, dated: papers.first?.dated ?? "", size: PageFlow.page
        ) { _, context in
            for paper in papers { PaperDrawing(paper, context).draw() }
        }
    }
}

/// Draws one paper, from its first page to its last.
private struct PaperDrawing {
    private let paper: Paper
    private let context: OpaquePointer
    private let words: Words<PaperPhrase>
    /// The font sizes in points. A lower-case letter of 18 points is 3.4 mm high and can be read
    /// from two metres.
    private let sizes: (heading: Double, title: Double, detail: Double, sign: Double)

    init(_ paper: Paper, _ context: OpaquePointer) {
        self.paper = paper
        self.context = context
        words = Words(Language.of(paper.language))
        sizes = paper.size == .wall ? (18, 18, 13, 24) : (14, 12.5, 10, 18)
    }

    func draw() {
        let header = headerRow
        var flow = PageFlow(first: PageFlow.margin + header.height + 14, top: PageFlow.margin + 34)
        for block in paper.blocks {
            switch block {
            case .heading(let text):
                flow.close()
                flow.open(
                    [headingRow(text)],
                    repeated: [headingRow(words.say(.pageHeading, ["heading": text]))])
            case .item(let item): flow.add(row(item))
            case .table(let table): add(table, &flow)
            case .remark(let text): flow.add(remarkRow(text, size: 20))
            case .paragraph(let text): flow.add(remarkRow(text, size: sizes.detail))
            case .drawing(let drawing): flow.add(drawing)
            case .photos(let photos): for row in rows(of: photos) { flow.add(row) }
            }
        }
        flow.close()
        let pages = flow.pages.enumerated().filter { $0 == 0 || !$1.isEmpty }.map(\.element)
        for (index, marks) in pages.enumerated() {
            if case .drawing(let drawing) = marks.first {
                drawing.drawPage(on: context)
                cairo_pdf_surface_set_size(
                    cairo_get_target(context), PageFlow.page.width, PageFlow.page.height)
                continue
            }
            if index == 0 { draw(header, y: PageFlow.margin) } else { drawSmallHeader() }
            drawFooter(page: index + 1, of: pages.count)
            for mark in marks { draw(mark) }
            cairo_show_page(context)
        }
    }

    private func layout(
        _ text: String, _ size: Double, isBold: Bool = false,
        _ colour: Colour = .black, width: Double = PageFlow.width
    ) -> TypeLayout? {
        TypeLayout(
            text, .init(size: size, isBold: isBold, colour: colour), width: width, on: context)
    }

    private var headerRow: PageFlow.Row {
        var row = PageFlow.Row()
        let lines: [(String, Double, Bool)] = [
            (paper.title, 27, true), (paper.site, 15, true), (paper.occasion, 13, false),
            (paper.summary, 12, false),
        ]
        for (text, size, isBold) in lines where !text.isEmpty {
            if let layout = layout(text, size, isBold: isBold) {
                row.add(layout, x: PageFlow.margin, gap: 2)
            }
        }
        return row
    }

    private func headingRow(_ text: String) -> PageFlow.Row {
        var row = PageFlow.Row(above: sizes.title * 0.7)
        row.bars = [(.pale, PageFlow.margin, PageFlow.width)]
        let width = PageFlow.width - 16
        if let layout = layout(text, sizes.heading, isBold: true, width: width) {
            row.add(layout, x: PageFlow.margin + 8)
        }
        return row
    }

    private func row(_ item: Paper.Item) -> PageFlow.Row {
        let left = PageFlow.margin + 8 + Double(min(item.depth, 4)) * (sizes.sign + 6)
        let x = left + sizes.sign + 9
        let width = PageFlow.page.width - PageFlow.margin - x
        var row = PageFlow.Row(above: paper.size == .wall ? 9 : 5)
        row.sign = (item.sign, left, sizes.sign)
        if item.isGeneral { row.bars = [(.orange, PageFlow.margin, 4)] }
        let isLoud =
            paper.size == .wall
            ? item.sign != .ok : [.notOk, .notOkForPerson].contains(item.sign)
        let colour: Colour =
            item.isGeneral ? .darkOrange : paper.size == .wall && item.sign == .ok ? .grey : .black
        if let title = layout(item.title, sizes.title, isBold: isLoud, colour, width: width) {
            row.add(title, x: x)
        }
        if !item.detail.isEmpty,
            let detail = layout(item.detail, sizes.detail, .grey, width: width)
        {
            row.add(detail, x: x)
        }
        for note in item.notes {
            if let dash = layout("–", sizes.detail),
                let note = layout(
                    note, sizes.detail, width: width - sizes.detail)
            {
                let first = row.lines.count
                row.add(note, x: x + sizes.detail, gap: 1)
                row.lines.insert((dash, 0, x, row.lines[first].down), at: first)
            }
        }
        return row
    }

    /// Photos side by side: smaller on a paper that is held in the hand.
    private func rows(of photos: [Paper.Photo]) -> [PageFlow.Row] {
        let (count, gap) = (paper.size == .wall ? 2 : 3, 12.0)
        let width = (PageFlow.width - gap * Double(count - 1)) / Double(count)
        return stride(from: 0, to: photos.count, by: count).map { first in
            var row = PageFlow.Row(above: 10)
            row.box = (width, width * 0.72)
            for (place, photo) in photos[first..<min(first + count, photos.count)].enumerated() {
                let x = PageFlow.margin + Double(place) * (width + gap)
                row.pictures.append((photo.picture, x))
                var down = row.box.height + 3
                let size = sizes.detail * 0.85
                for (text, isBold) in [(photo.title, true), (photo.detail, false)] {
                    let colour: Colour = isBold ? .black : .grey
                    guard let text = layout(text, size, isBold: isBold, colour, width: width)
                    else { continue }
                    for line in 0..<min(2, text.lines) {
                        row.lines.append((text, line, x, down))
                        down += text.style.leading
                    }
                }
            }
            row.lines.sort { $0.down < $1.down }
            return row
        }
    }

    private func remarkRow(_ text: String, size: Double) -> PageFlow.Row {
        var row = PageFlow.Row(above: size)
        if let layout = layout(text, size) { row.add(layout, x: PageFlow.margin) }
        return row
    }

    private func add(_ table: Paper.Table, _ flow: inout PageFlow) {
        flow.close()
        let head = row(table.columns.map(\.title), table, isBold: true)
        flow.open([head], repeated: [head])
        for (index, cells) in table.rows.enumerated() {
            let isTotal = table.hasTotal && index == table.rows.count - 1
            var row = row(cells, table, isBold: isTotal)
            // Every other row is shaded, to guide the eye along the line.
            if !isTotal, index.isMultiple(of: 2) {
                row.bars = [(.pale, PageFlow.margin, PageFlow.width)]
            }
            flow.add(row)
        }
        flow.close()
        flow.open([], repeated: [])
    }

    private func row(_ cells: [String], _ table: Paper.Table, isBold: Bool) -> PageFlow.Row {
        var row = PageFlow.Row(above: isBold ? 10 : 5)
        let shares = table.columns.reduce(0) { $0 + $1.weight }
        var x = PageFlow.margin
        for (column, cell) in zip(table.columns, cells) {
            let width = PageFlow.width * Double(column.weight) / Double(max(1, shares))
            defer { x += width }
            guard !cell.isEmpty,
                let text = layout(cell, 10, isBold: isBold, width: width - 8)
            else { continue }
            for line in 0..<text.lines {
                let room = column.isNumber ? width - 8 - text.length(ofLine: line) : 0
                row.lines.append((text, line, x + room, Double(line) * text.style.leading))
            }
        }
        row.lines.sort { $0.down < $1.down }
        return row
    }

    private func draw(_ row: PageFlow.Row, y: Double) {
        for entry in row.lines {
            entry.layout.draw(line: entry.line, x: entry.x, y: y + entry.down, on: context)
        }
        drawRule(y: y + row.height + 5, width: 2.4)
    }

    /// Draws as much of the first page's header as fits in one line.
    private func drawSmallHeader() {
        var parts = [paper.title, paper.site, paper.occasion].filter { !$0.isEmpty }
        while let layout = layout(parts.joined(separator: " · "), 11, isBold: true) {
            if layout.lines == 1 || parts.count < 2 {
                layout.draw(line: 0, x: PageFlow.margin, y: PageFlow.margin, on: context)
                break
            }
            parts.removeLast()
        }
        drawRule(y: PageFlow.margin + 20, width: 1.2)
    }

    private func drawFooter(page: Int, of pages: Int) {
        let y = PageFlow.page.height - 38
        let text = words.say(.page, ["page": "\(page)", "pages": "\(pages)"])
        guard let number = layout(text, 11, isBold: true) else { return }
        let x = PageFlow.page.width - PageFlow.margin - number.length(ofLine: 0)
        number.draw(line: 0, x: x, y: y, on: context)
        let room = x - PageFlow.margin - 12
        let about = [paper.site, paper.title].filter { !$0.isEmpty }.joined(separator: " · ")
        layout(about, 10, .grey, width: room)?
            .draw(line: 0, x: PageFlow.margin, y: y, on: context)
    }

    private func drawRule(y: Double, width: Double) {
        Colour.black.use(on: context)
        cairo_rectangle(context, PageFlow.margin, y, PageFlow.width, width)
        cairo_fill(context)
    }

    private func draw(_ mark: PageFlow.Mark) {
        switch mark {
        case .line(let layout, let line, let x, let y):
            layout.draw(line: line, x: x, y: y, on: context)
        case .sign(let sign, let x, let y, let side):
            PageSign.draw(sign, x: x, y: y, side: side, on: context)
        case .bar(let colour, let x, let y, let width, let height):
            colour.use(on: context)
            cairo_rectangle(context, x, y, width, height)
            cairo_fill(context)
        case .picture(let picture, let box): picture.draw(in: box, on: context)
        case .drawing: break
        }
    }
}
