import Papers

/// A card for each item, to cut out along dashed lines: a picture, the name below it, and
/// optionally the time. A card doesn't show whether the item is done, because it is used again.
struct DayCards {
    private let desk: DrawingDesk
    private let page: (width: Double, height: Double)
    /// The margin that a printer can't print on, in millimetres.
    private let margin = 8.0
    private let columns: Int
    private let rows: Int

    init(_ desk: DrawingDesk) {
        self.desk = desk
        page = (desk.options.paper.sides.short, desk.options.paper.sides.long)
        (columns, rows) = desk.options.paper == .a4 ? (3, 4) : (2, 3)
    }

    private var card: (width: Double, height: Double) {
        (
            (page.width - 2 * margin) / Double(columns), (page.height - 2 * margin) / Double(rows)
        )
    }

    var pages: [Drawing] {
        let items = Array(desk.day.items.enumerated())
        guard !items.isEmpty else {
            return [desk.page(saying: .nothing, width: page.width, height: page.height)]
        }
        let each = columns * rows
        return stride(from: 0, to: items.count, by: each).map { first in
            let part = items[first..<min(items.count, first + each)]
            var drawing = Drawing(width: page.width, height: page.height, title: desk.title)
            let used = (part.count + columns - 1) / columns
            drawing.parts.append(cuts(rows: used))
            for (place, (index, item)) in part.enumerated() {
                let box = Drawing.Box(
                    x: margin + Double(place % columns) * card.width,
                    y: margin + Double(place / columns) * card.height, width: card.width,
                    height: card.height)
                drawing.parts.append(draw(item, number: index + 1, in: box.inset(by: 2.5)))
            }
            return drawing
        }
    }

    /// Returns the lines along which the cards of these rows are cut.
    private func cuts(rows: Int) -> Drawing.Part {
        let pen = Drawing.Pen(stroke: desk.colours.cut, width: 0.25, dash: [2, 1.5])
        let (right, bottom) = (page.width - margin, margin + Double(rows) * card.height)
        var part = Drawing.Part("cuts")
        for column in 0...columns {
            let x = margin + Double(column) * card.width
            let line = [Drawing.Point(x, margin), Drawing.Point(x, bottom)]
            part.marks.append(Drawing.Mark(.path(Drawing.Path(line, isClosed: false), pen)))
        }
        for row in 0...rows {
            let y = margin + Double(row) * card.height
            let line = [Drawing.Point(margin, y), Drawing.Point(right, y)]
            part.marks.append(Drawing.Mark(.path(Drawing.Path(line, isClosed: false), pen)))
        }
        return part
    }

    private func draw(_ item: PaperDay.Item, number: Int, in box: Drawing.Box) -> Drawing.Part {
        let id = "item-\(number)"
        let start = desk.options.hasTimes ? item.start : nil
        var part = Drawing.Part("card", clip: box)
        part.marks.append(
            Drawing.Mark(
                .path(
                    Drawing.Path(roundedBox: box, radius: 4),
                    Drawing.Pen(fill: desk.colours.area(start))), item: id))
        let pad = 3.0
        let below = start == nil ? 0 : 6.5
        let words = 15.0
        let side = min(box.width - 2 * pad, box.height - 2 * pad - words - below)
        let square = Drawing.Box(
            x: box.x + (box.width - side) / 2, y: box.y + pad, width: side, height: side)
        part.marks += desk.picture(of: item, in: square, named: id)
        let top = square.y + side + 1
        let room = FittedText.Room(
            width: box.width - 2 * pad, height: box.y + box.height - top - below - 1.5, largest: 8,
            smallest: 3.9, mostLines: 3)
        let name = FittedText(item.name, in: room, desk.ruler)
        part.marks += name.marks(
            x: box.x + box.width / 2, top: top + (room.height - name.height) / 2, anchor: .middle,
            colour: desk.colours.ink, item: id)
        if let start {
            let place = Drawing.Point(box.x + box.width / 2, box.y + box.height - 3)
            part.marks.append(
                Drawing.Mark(
                    .text(
                        Drawing.Text(
                            DrawingDesk.clock(start), at: place, size: 5.5, anchor: .middle,
                            colour: desk.colours.soft)), item: id))
        }
        return part
    }
}
