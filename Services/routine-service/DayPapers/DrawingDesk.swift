import Papers
import Phrases
import Pictures

/// What all papers of a day share. Lengths are in millimetres.
struct DrawingDesk {
    let day: PaperDay
    let options: DayPaperOptions
    let words: Words<DayPaperPhrase>
    let colours: CalmColours
    let ruler = TextRuler()
    /// The scale of everything that is drawn: 1 on A4.
    let scale: Double

    init(_ day: PaperDay, _ options: DayPaperOptions) {
        self.day = day
        self.options = options
        words = Words(.of(options.language))
        colours = CalmColours(isGrey: options.isGrey)
        scale = options.paper == .a4 ? 1 : 0.74
    }

    /// The date in words; empty when the paper serves every day.
    var date: String {
        guard let date = day.date else { return "" }
        let parts = date.parts
        return words.say(
            .date,
            [
                "weekday": words.say(family: "weekday", "\(date.weekday)") ?? "",
                "day": "\(parts.day)",
                "month": words.say(family: "month", "\(parts.month)") ?? "",
                "year": "\(parts.year)",
            ])
    }

    /// The title of the paper, for screen readers and for the document.
    var title: String {
        [day.title, date].filter { !$0.isEmpty }.joined(separator: " · ")
    }

    /// Returns a time of the day as a clock shows it.
    static func clock(_ minutes: Int) -> String {
        let minute = (minutes % 1_440 + 1_440) % 1_440
        func digits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return digits(minute / 60) + ":" + digits(minute % 60)
    }

    /// Returns the picture of an item on a white field, or the first letter of its name when it has
    /// none.
    func picture(
        of item: PaperDay.Item, in box: Drawing.Box, named id: String
    ) -> [Drawing.Mark] {
        let field = Drawing.Path(roundedBox: box, radius: box.width * 0.14)
        var marks = [Drawing.Mark(.path(field, Drawing.Pen(fill: .white)), item: id)]
        let inner = box.inset(by: box.width * 0.09)
        // A printer prints about twelve dots per millimetre.
        let edge = max(16, Int(inner.width * 12))
        if let raster = raster(of: item)?.reduced(to: edge) {
            let shown = options.isGrey ? raster.grey : raster
            marks.append(Drawing.Mark(.image(Drawing.Image(shown, in: inner)), item: id))
            return marks
        }
        let letter = String(item.name.first { !$0.isWhitespace } ?? "•").uppercased()
        let size = inner.height * 0.75
        let place = Drawing.Point(box.x + box.width / 2, box.y + box.height / 2 + size * 0.36)
        marks.append(
            Drawing.Mark(
                .text(
                    Drawing.Text(
                        letter, at: place, size: size, anchor: .middle, isBold: true,
                        colour: colours.soft)), item: id))
        return marks
    }

    private func raster(of item: PaperDay.Item) -> Raster? {
        if let picture = item.picture {
            // A picture that can no longer be decoded is left out; the name still identifies the
            // item.
            do { return try picture.raster() } catch {}
        }
        return Raster.ofEmoji(item.emoji)
    }

    /// Returns the sign for the state of an item: an empty circle, one with a tick, or one with a
    /// line.
    func sign(_ mark: PaperDay.Item.Mark, in box: Drawing.Box, named id: String) -> [Drawing.Mark] {
        let circle = Drawing.Path(roundedBox: box, radius: box.width / 2)
        let width = box.width * 0.07
        func point(_ x: Double, _ y: Double) -> Drawing.Point {
            Drawing.Point(box.x + box.width * x, box.y + box.height * y)
        }
        func draw(_ points: [Drawing.Point], _ colour: Colour) -> Drawing.Mark {
            let pen = Drawing.Pen(stroke: colour, width: box.width * 0.11)
            return Drawing.Mark(.path(Drawing.Path(points, isClosed: false), pen), item: id)
        }
        let outline = Drawing.Pen(stroke: colours.soft, width: width, fill: .white)
        switch mark {
        case .open: return [Drawing.Mark(.path(circle, outline), item: id)]
        case .done:
            let pen = Drawing.Pen(stroke: colours.done, width: width, fill: colours.done)
            let tick = [point(0.26, 0.53), point(0.44, 0.70), point(0.76, 0.33)]
            return [Drawing.Mark(.path(circle, pen), item: id), draw(tick, .white)]
        case .skipped:
            let line = [point(0.28, 0.5), point(0.72, 0.5)]
            return [Drawing.Mark(.path(circle, outline), item: id), draw(line, colours.soft)]
        }
    }

    /// Returns a paper with a single sentence.
    func page(saying phrase: DayPaperPhrase, width: Double, height: Double) -> Drawing {
        let room = FittedText.Room(
            width: width * 0.8, height: height * 0.5, largest: 14 * scale, smallest: 6 * scale,
            mostLines: 3)
        let text = FittedText(words.say(phrase), in: room, ruler)
        let marks = text.marks(
            x: width / 2, top: (height - text.height) / 2, anchor: .middle, colour: colours.ink)
        return Drawing(
            width: width, height: height, title: title, parts: [Drawing.Part("text", marks: marks)])
    }
}

/// The colours of a paper: pale areas, dark letters, and no red.
struct CalmColours {
    private let isGrey: Bool
    let ink: Colour
    let soft: Colour
    let done: Colour
    let cut: Colour

    init(isGrey: Bool) {
        self.isGrey = isGrey
        func grey(_ value: Double) -> Colour { Colour(red: value, green: value, blue: value) }
        ink = isGrey ? grey(0.1) : Colour(red: 0.11, green: 0.16, blue: 0.22)
        soft = isGrey ? grey(0.4) : Colour(red: 0.35, green: 0.42, blue: 0.48)
        done = isGrey ? grey(0.3) : Colour(red: 0.18, green: 0.49, blue: 0.46)
        cut = grey(0.6)
    }

    /// Returns the colour behind an item, by its part of the day: morning, from noon, from six in
    /// the evening, or no time. It only helps orientation; the times give the same information.
    func area(_ start: Int?) -> Colour {
        if isGrey { return Colour(red: 0.945, green: 0.945, blue: 0.945) }
        return switch start.map({ ($0 % 1_440 + 1_440) % 1_440 }) {
        case nil: Colour(red: 0.91, green: 0.955, blue: 0.93)
        case (..<720)?: Colour(red: 0.995, green: 0.955, blue: 0.84)
        case (..<1_080)?: Colour(red: 0.885, green: 0.945, blue: 0.985)
        default: Colour(red: 0.93, green: 0.91, blue: 0.975)
        }
    }
}

extension Drawing.Box {
    func inset(by length: Double) -> Drawing.Box {
        Drawing.Box(
            x: x + length, y: y + length, width: max(0, width - 2 * length),
            height: max(0, height - 2 * length))
    }
}

extension Drawing.Path {
    /// Creates a box with rounded corners, each a Bézier curve close to a quarter of a circle.
    init(roundedBox box: Drawing.Box, radius: Double) {
        let radius = min(radius, box.width / 2, box.height / 2)
        let bend = radius * (1 - 0.552_285)
        let (left, top) = (box.x, box.y)
        let (right, bottom) = (box.x + box.width, box.y + box.height)
        func at(_ x: Double, _ y: Double) -> Drawing.Point { Drawing.Point(x, y) }
        self.init([
            .move(at(left + radius, top)), .line(at(right - radius, top)),
            .curve(at(right - bend, top), at(right, top + bend), at(right, top + radius)),
            .line(at(right, bottom - radius)),
            .curve(at(right, bottom - bend), at(right - bend, bottom), at(right - radius, bottom)),
            .line(at(left + radius, bottom)),
            .curve(at(left + bend, bottom), at(left, bottom - bend), at(left, bottom - radius)),
            .line(at(left, top + radius)),
            .curve(at(left, top + bend), at(left + bend, top), at(left + radius, top)), .close,
        ])
    }
}
