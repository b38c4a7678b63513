import Papers
import Phrases

/// The next two open items of the day, "first" and "then": each half a page in landscape, with an
/// arrow from one to the other.
struct FirstThenSheet {
    private let desk: DrawingDesk
    private let width: Double
    private let height: Double
    private let margin: Double

    init(_ desk: DrawingDesk) {
        self.desk = desk
        (height, width) = (desk.options.paper.sides.short, desk.options.paper.sides.long)
        margin = 12 * desk.scale
    }

    var page: Drawing {
        let open = desk.day.items.enumerated().filter { $0.element.mark == .open }
        guard let first = open.first else {
            return desk.page(
                saying: desk.day.items.isEmpty ? .nothing : .allDone, width: width, height: height)
        }
        var drawing = Drawing(width: width, height: height, title: desk.title)
        let gap = 26 * desk.scale
        let half = (width - 2 * margin - gap) / 2
        let left = Drawing.Box(x: margin, y: margin, width: half, height: height - 2 * margin)
        var right = left
        right.x += half + gap
        let between = Drawing.Box(x: left.x + half, y: margin, width: gap, height: left.height)
        drawing.parts = [
            tile(first.element, number: first.offset + 1, said: .first, in: left),
            arrow(in: between),
        ]
        if open.count > 1 {
            drawing.parts.append(
                tile(open[1].element, number: open[1].offset + 1, said: .then, in: right))
        } else {
            drawing.parts.append(end(in: right))
        }
        return drawing
    }

    private func ground(_ box: Drawing.Box, _ start: Int?) -> Drawing.Mark {
        let tile = Drawing.Path(roundedBox: box, radius: 7 * desk.scale)
        return Drawing.Mark(.path(tile, Drawing.Pen(fill: desk.colours.area(start))))
    }

    private func heading(_ phrase: DayPaperPhrase, in box: Drawing.Box) -> [Drawing.Mark] {
        let room = FittedText.Room(
            width: box.width * 0.9, height: 16 * desk.scale, largest: 12 * desk.scale,
            smallest: 6 * desk.scale, mostLines: 1)
        return FittedText(desk.words.say(phrase), in: room, desk.ruler).marks(
            x: box.x + box.width / 2, top: box.y + 5 * desk.scale, anchor: .middle,
            colour: desk.colours.soft)
    }

    private func tile(
        _ item: PaperDay.Item, number: Int, said phrase: DayPaperPhrase, in box: Drawing.Box
    ) -> Drawing.Part {
        let id = "item-\(number)"
        let start = desk.options.hasTimes ? item.start : nil
        var part = Drawing.Part("item", clip: box)
        part.marks = [ground(box, start)] + heading(phrase, in: box)
        let pad = 6 * desk.scale
        let top = box.y + 22 * desk.scale
        let below = start == nil ? 0 : 11 * desk.scale
        let words = 38 * desk.scale
        let side = min(box.width - 2 * pad, box.y + box.height - top - words - below - pad)
        let square = Drawing.Box(
            x: box.x + (box.width - side) / 2, y: top, width: side, height: side)
        part.marks += desk.picture(of: item, in: square, named: id)
        let room = FittedText.Room(
            width: box.width - 2 * pad, height: words, largest: 15 * desk.scale,
            smallest: 5 * desk.scale, mostLines: 2)
        let name = FittedText(item.name, in: room, desk.ruler)
        let nameTop = square.y + side + 2 * desk.scale
        part.marks += name.marks(
            x: box.x + box.width / 2, top: nameTop + (words - name.height) / 2, anchor: .middle,
            colour: desk.colours.ink, item: id)
        if let start {
            let place = Drawing.Point(
                box.x + box.width / 2, box.y + box.height - 6 * desk.scale)
            part.marks.append(
                Drawing.Mark(
                    .text(
                        Drawing.Text(
                            DrawingDesk.clock(start), at: place, size: 9 * desk.scale,
                            anchor: .middle, colour: desk.colours.soft)), item: id))
        }
        return part
    }

    /// Returns the second half when only one item is open: a tick, and the words that everything is
    /// done then.
    private func end(in box: Drawing.Box) -> Drawing.Part {
        var part = Drawing.Part("item", clip: box)
        part.marks = [ground(box, nil)] + heading(.then, in: box)
        let side = box.width * 0.5
        let circle = Drawing.Box(
            x: box.x + (box.width - side) / 2, y: box.y + 40 * desk.scale, width: side, height: side
        )
        part.marks += desk.sign(.done, in: circle, named: "")
        let room = FittedText.Room(
            width: box.width * 0.9, height: 38 * desk.scale, largest: 13 * desk.scale,
            smallest: 5 * desk.scale, mostLines: 2)
        let text = FittedText(desk.words.say(.allDone), in: room, desk.ruler)
        part.marks += text.marks(
            x: box.x + box.width / 2, top: circle.y + side + 12 * desk.scale, anchor: .middle,
            colour: desk.colours.ink)
        return part
    }

    private func arrow(in box: Drawing.Box) -> Drawing.Part {
        let middle = box.y + box.height / 2
        let (left, right) = (box.x + box.width * 0.2, box.x + box.width * 0.8)
        let head = box.width * 0.26
        let pen = Drawing.Pen(stroke: desk.colours.soft, width: 2 * desk.scale)
        let shaft = [Drawing.Point(left, middle), Drawing.Point(right, middle)]
        let tip = [
            Drawing.Point(right - head, middle - head), Drawing.Point(right, middle),
            Drawing.Point(right - head, middle + head),
        ]
        return Drawing.Part(
            "arrow",
            marks: [shaft, tip].map {
                Drawing.Mark(.path(Drawing.Path($0, isClosed: false), pen))
            })
    }
}
