import Papers

/// The day as a list to hang up: each item has its time or its number, its picture, its name, and a
/// circle to tick.
struct DaySheet {
    private let desk: DrawingDesk
    private let page: (width: Double, height: Double)
    private let margin: Double
    private let heading: [FittedText]

    init(_ desk: DrawingDesk) {
        self.desk = desk
        page = (desk.options.paper.sides.short, desk.options.paper.sides.long)
        margin = 13 * desk.scale
        let width = page.width - 2 * margin
        func text(_ words: String, _ largest: Double, _ smallest: Double, isBold: Bool)
            -> FittedText
        {
            let room = FittedText.Room(
                width: width, height: 40 * desk.scale, largest: largest * desk.scale,
                smallest: smallest * desk.scale, mostLines: 2, isBold: isBold)
            return FittedText(words, in: room, desk.ruler)
        }
        var heading: [FittedText] = []
        let (title, date) = (desk.day.title, desk.date)
        if !title.isEmpty { heading.append(text(title, 11, 6.5, isBold: true)) }
        if !date.isEmpty {
            heading.append(text(date, title.isEmpty ? 11 : 7, 5, isBold: title.isEmpty))
        }
        self.heading = heading
    }

    /// The maximum number of items on a page, so that names can be read from a metre away.
    private var mostRows: Int { desk.options.paper == .a4 ? 12 : 8 }

    var pages: [Drawing] {
        let items = Array(desk.day.items.enumerated())
        guard !items.isEmpty else {
            return [desk.page(saying: .nothing, width: page.width, height: page.height)]
        }
        let count = (items.count + mostRows - 1) / mostRows
        // The items are spread evenly over the pages, so that none has a single item.
        let rows = (items.count + count - 1) / count
        return (0..<count).map { number in
            let part = items[(number * rows)..<min(items.count, (number + 1) * rows)]
            return drawing(Array(part), rows: rows, page: number + 1, of: count)
        }
    }

    private func drawing(
        _ items: [(offset: Int, element: PaperDay.Item)], rows: Int, page number: Int, of count: Int
    ) -> Drawing {
        var drawing = Drawing(width: page.width, height: page.height, title: desk.title)
        var y = margin
        var head = Drawing.Part("heading")
        for text in heading {
            head.marks += text.marks(x: margin, top: y, anchor: .start, colour: desk.colours.ink)
            y += text.height + 1.5 * desk.scale
        }
        if !heading.isEmpty { y += 3 * desk.scale }
        let footer = count > 1 ? 8 * desk.scale : 0
        if count > 1 { head.marks.append(pageNumber(number, of: count)) }
        drawing.parts.append(head)
        let gap = 2.4 * desk.scale
        let room = page.height - margin - footer - y
        let height = min(50 * desk.scale, (room + gap) / Double(rows) - gap)
        for (index, item) in items {
            let box = Drawing.Box(x: margin, y: y, width: page.width - 2 * margin, height: height)
            drawing.parts.append(row(item, number: index + 1, in: box))
            y += height + gap
        }
        return drawing
    }

    private func pageNumber(_ number: Int, of count: Int) -> Drawing.Mark {
        let words = desk.words.say(.page, ["page": "\(number)", "pages": "\(count)"])
        return Drawing.Mark(
            .text(
                Drawing.Text(
                    words, at: Drawing.Point(page.width - margin, page.height - margin),
                    size: 4 * desk.scale, anchor: .end, colour: desk.colours.soft)))
    }

    private func row(_ item: PaperDay.Item, number: Int, in box: Drawing.Box) -> Drawing.Part {
        let id = "item-\(number)"
        let start = desk.options.hasTimes ? item.start : nil
        let tile = Drawing.Path(roundedBox: box, radius: min(box.height * 0.2, 5 * desk.scale))
        var part = Drawing.Part("item", clip: box)
        part.marks.append(
            Drawing.Mark(.path(tile, Drawing.Pen(fill: desk.colours.area(start))), item: id))
        let pad = min(box.height * 0.09, 3 * desk.scale)
        let side = box.height - 2 * pad
        var x = box.x + pad * 2
        let column = columnWidth(box.height)
        part.marks += when(
            item, number, in: Drawing.Box(x: x, y: box.y, width: column, height: box.height), id)
        x += column + pad * 1.5
        let square = Drawing.Box(x: x, y: box.y + pad, width: side, height: side)
        part.marks += desk.picture(of: item, in: square, named: id)
        x += side + pad * 2 + 1.5 * desk.scale
        let round = min(box.height * 0.5, 15 * desk.scale)
        let right = box.x + box.width - pad * 2 - round
        let circle = Drawing.Box(
            x: right, y: box.y + (box.height - round) / 2, width: round, height: round)
        part.marks += desk.sign(item.mark, in: circle, named: id)
        let room = Drawing.Box(
            x: x, y: box.y + pad / 2, width: right - x - 3 * desk.scale, height: box.height - pad)
        part.marks += name(of: item, in: room, id)
        return part
    }

    /// Returns the width of the column of times or numbers in a row of this height.
    private func columnWidth(_ height: Double) -> Double {
        let size = timeSize(height)
        guard desk.options.hasTimes, desk.day.items.contains(where: { $0.start != nil }) else {
            return desk.ruler.length(of: "00", size: size, isBold: true)
        }
        return desk.ruler.length(of: "00:00", size: size, isBold: true)
    }

    private func timeSize(_ height: Double) -> Double { min(height * 0.36, 9.5 * desk.scale) }

    /// Returns the times of an item, or its number in the order.
    private func when(
        _ item: PaperDay.Item, _ number: Int, in box: Drawing.Box, _ id: String
    ) -> [Drawing.Mark] {
        let size = timeSize(box.height)
        let middle = box.x + box.width / 2
        func line(_ words: String, _ size: Double, _ y: Double, _ colour: Colour, isBold: Bool)
            -> Drawing.Mark
        {
            Drawing.Mark(
                .text(
                    Drawing.Text(
                        words, at: Drawing.Point(middle, y), size: size, anchor: .middle,
                        isBold: isBold, colour: colour)), item: id)
        }
        let centre = box.y + box.height / 2
        guard desk.options.hasTimes else {
            return [line("\(number)", size, centre + size * 0.36, desk.colours.ink, isBold: true)]
        }
        guard let start = item.start else { return [] }
        let begin = DrawingDesk.clock(start)
        guard let end = item.end, end != start else {
            return [line(begin, size, centre + size * 0.36, desk.colours.ink, isBold: true)]
        }
        return [
            line(begin, size, centre - size * 0.06, desk.colours.ink, isBold: true),
            line(
                "– " + DrawingDesk.clock(end), size * 0.7, centre + size * 0.85, desk.colours.soft,
                isBold: false),
        ]
    }

    /// Returns the name and, below it, whether the item is done or skipped.
    private func name(of item: PaperDay.Item, in box: Drawing.Box, _ id: String) -> [Drawing.Mark] {
        var room = FittedText.Room(
            width: box.width, height: box.height, largest: min(box.height * 0.42, 13 * desk.scale),
            smallest: 3.8 * desk.scale, mostLines: 2)
        guard item.mark != .open else {
            let text = FittedText(item.name, in: room, desk.ruler)
            return text.marks(
                x: box.x, top: box.y + (box.height - text.height) / 2, anchor: .start,
                colour: desk.colours.ink, item: id)
        }
        room.height = box.height * 0.68
        room.largest = min(box.height * 0.36, 13 * desk.scale)
        let text = FittedText(item.name, in: room, desk.ruler)
        let small = FittedText.Room(
            width: box.width, height: box.height * 0.3,
            largest: min(box.height * 0.23, 6 * desk.scale),
            smallest: box.height * 0.12, mostLines: 1, isBold: false)
        let remark = FittedText(
            desk.words.say(item.mark == .done ? .done : .skipped), in: small, desk.ruler)
        let top = box.y + (box.height - text.height - remark.height) / 2
        return text.marks(
            x: box.x, top: top, anchor: .start, colour: desk.colours.soft, item: id)
            + remark.marks(
                x: box.x, top: top + text.height, anchor: .start, colour: desk.colours.done,
                item: id)
    }
}
