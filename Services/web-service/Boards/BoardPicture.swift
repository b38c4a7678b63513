import HTTPExchange
import Messages
import Papers
import Phrases
import Pictures
import ShiftClient
import ShiftLog
import Speech

/// The board of a site as a picture, for displays without a browser. It is pure: the same shift
/// gives the same picture until something on it changes, so that an e-ink display has to redraw
/// only then. That is why it has no clock. It says how long it is valid, so that a display that has
/// stopped can be told from a quiet kitchen.
struct BoardPicture {
    let site: Site
    let state: BoardState
    /// Milliseconds since 1970.
    let now: Int64
    let size: Size
    /// The language until the language of the shift is known.
    let fallback: Language

    /// The size of a picture in pixels, and its colours.
    struct Size: Hashable, Sendable {
        /// From 200 to 1920.
        let width: Int
        /// From 120 to 1920.
        let height: Int
        let depth: PNGDepth

        /// Reads `width=800&height=480&bits=1`; nil if a number is missing or out of bounds.
        /// Without `bits` the picture has colours.
        init?(_ query: Fields) {
            guard let width = query["width"].flatMap({ Int($0) }),
                let height = query["height"].flatMap({ Int($0) }),
                (200...1920).contains(width), (120...1920).contains(height),
                let depth = Int(query["bits"] ?? "24").flatMap({ PNGDepth(rawValue: $0) })
            else { return nil }
            (self.width, self.height, self.depth) = (width, height, depth)
        }
    }

    /// The minimum time for which a picture is valid, in milliseconds.
    static let validity: Int64 = 900_000

    private typealias Point = Drawing.Point

    private var language: Language { state.shift.map { Language.of($0.language) } ?? fallback }
    private var screen: Words<ScreenPhrase> { Words(language) }
    private var words: Words<WebPhrase> { Words(language) }
    private let ruler = TextRuler()

    init(site: Site, state: BoardState, now: Int64, size: Size, fallback: Language) {
        (self.site, self.state, self.now) = (site, state, now)
        (self.size, self.fallback) = (size, fallback)
    }

    private var width: Double { Double(size.width) }
    private var height: Double { Double(size.height) }
    /// The unit of all measures: 16 pixels on a display of 800 by 480.
    private var unit: Double { min(width / 50, height / 30) }

    /// The file.
    ///
    /// - Throws: `PaperError` if it can't be drawn, e.g. for lack of memory.
    func png() throws(PaperError) -> [UInt8] {
        try drawing.png(resolution: 1, depth: size.depth)
    }

    /// The picture, with one pixel per unit of length.
    private var drawing: Drawing {
        var marks = head + path
        let items = BoardItem.attention(state, at: now, zone: site.timeZone, language)
        if state.shift != nil || !items.isEmpty {
            marks += column(
                0, words.say(BoardItem.heading(of: items, hasShift: state.shift != nil)), items,
                empty: words.say(.nothingDue))
        }
        if let shift = state.shift {
            marks += column(
                1, words.say(.todos), BoardItem.todos(of: shift, language),
                empty: screen.say(.noTodo))
        }
        marks += foot
        return Drawing(
            width: width, height: height, title: site.name, parts: [.init("board", marks: marks)])
    }

    private func clock(_ time: Int64) -> String { Wording.time(time, in: site.timeZone) }

    // MARK: Parts

    private var head: [Drawing.Mark] {
        let line = 2.2 * unit
        let until = words.say(
            .pictureUntil, ["clock": clock((now / Self.validity + 2) * Self.validity)])
        let right = text(until, at: .init(width - unit, line), 1.2, anchor: .end)
        let rest = width - 3 * unit - ruler.length(of: until, size: 1.2 * unit, isBold: false)
        guard let shift = state.shift else {
            return [fitted(site.name, at: .init(unit, line), 1.8, isBold: true, in: rest), right]
        }
        let part = screen.say(shift.shift.dayPart == 2 ? .eveningShift : .dayShift)
        let progress = screen.say(
            .tasksDone,
            ["done": "\(shift.progress.lookedAt)", "count": "\(shift.progress.tasks)"])
        let about = [part, shift.shift.managerName, progress].joined(separator: " · ")
        return [
            fitted(site.name, at: .init(unit, line), 1.8, isBold: true, in: rest), right,
            fitted(about, at: .init(unit, line + 1.8 * unit), 1.2, in: width - 2 * unit),
        ]
    }

    private var path: [Drawing.Mark] {
        let box = Drawing.Box(x: unit, y: 5 * unit, width: width - 2 * unit, height: 5.5 * unit)
        guard let shift = state.shift else {
            guard state.heard > 0 else { return [] }
            let place = Point(2 * unit, 8.4 * unit)
            return [
                frame(box, fill: nil),
                fitted(screen.say(.noShift), at: place, 1.6, in: width - 4 * unit),
            ]
        }
        let sign = TravelPathSign(shift, at: now, language)
        let due = shift.travelPathDue(at: now)?.due
        let time = due ?? shift.nextTravelPath(after: now)
        let colour: Colour = sign.isLate ? .white : .black
        let big = time.map(clock) ?? "–"
        let bigWidth = ruler.length(of: big, size: 3.6 * unit, isBold: true)
        let word: WebPhrase = sign.isLate ? .late : due != nil ? .dueNow : .onTime
        let left = 3 * unit + bigWidth
        // The sign of a path that is due has no minutes, because they would change.
        let sentence =
            due != nil ? sign.words : time == nil ? "" : words.say(.pictureNext)
        return [
            frame(box, fill: sign.isLate ? .red : due != nil ? .orange : nil),
            text(big, at: .init(2 * unit, 9 * unit), 3.6, isBold: true, colour),
            fitted(
                words.say(word), at: .init(left, 7.4 * unit), 1.6, isBold: true, colour,
                in: width - left - 2 * unit),
            fitted(
                sentence, at: .init(left, 9.4 * unit), 1.2, colour, in: width - left - 2 * unit),
        ]
    }

    /// The left half for 0, the right one for 1.
    private func column(
        _ half: Double, _ title: String, _ items: [BoardItem], empty: String
    ) -> [Drawing.Mark] {
        let left = half * width / 2 + unit
        let room = width / 2 - 1.5 * unit
        let heading = items.isEmpty ? title : "\(title) \(items.count)"
        let line = 2 * unit
        var base = 12.6 * unit
        var marks = [fitted(heading, at: .init(left, base), 1.4, isBold: true, in: room)]
        guard !items.isEmpty else {
            return marks + [fitted(empty, at: .init(left, base + line), 1.3, in: room)]
        }
        // The foot takes two and a half units.
        let rows = max(1, Int((height - 2.5 * unit - base) / line))
        let shown = items.count <= rows ? items.count : rows - 1
        for item in items.prefix(shown) {
            base += line
            marks.append(
                fitted(
                    Self.sign(item.kind) + (item.before.isEmpty ? "" : item.before + "  ")
                        + item.text,
                    at: .init(left, base), 1.3, isBold: item.kind != .plain,
                    item.kind == .late ? .red : .black, in: room))
        }
        if shown < items.count {
            let more = screen.say(.andMore, ["count": "\(items.count - shown)"])
            marks.append(fitted(more, at: .init(left, base + line), 1.3, in: room))
        }
        return marks
    }

    /// Without colours, a sign shows what is late or urgent.
    private static func sign(_ kind: BoardItem.Kind) -> String {
        switch kind {
        case .late, .urgent: "! "
        case .review: "? "
        case .plain: ""
        }
    }

    private var foot: [Drawing.Mark] {
        let place = Point(unit, height - 0.8 * unit)
        guard let text = state.obstacleLine(language, zone: site.timeZone) else {
            guard let todos = state.shift?.todos, !todos.isEmpty else { return [] }
            let done = todos.count { $0.mark == .done }
            let text = screen.say(.todosDone, ["done": "\(done)", "count": "\(todos.count)"])
            return [fitted(text, at: place, 1.2, in: width - 2 * unit)]
        }
        let box = Drawing.Box(x: 0, y: height - 2.2 * unit, width: width, height: 2.2 * unit)
        return [
            frame(box, fill: .red),
            fitted(text, at: place, 1.2, isBold: true, .white, in: width - 2 * unit),
        ]
    }

    // MARK: Marks

    private func frame(_ box: Drawing.Box, fill: Colour?) -> Drawing.Mark {
        let corners = [
            Point(box.x, box.y), Point(box.x + box.width, box.y),
            Point(box.x + box.width, box.y + box.height), Point(box.x, box.y + box.height),
        ]
        return .init(
            .path(
                .init(corners, isClosed: true),
                .init(stroke: .black, width: unit / 8, fill: fill)))
    }

    private func text(
        _ words: String, at place: Drawing.Point, _ size: Double,
        anchor: Drawing.Text.Anchor = .start, isBold: Bool = false, _ colour: Colour = .black
    ) -> Drawing.Mark {
        .init(
            .text(
                .init(
                    words, at: place, size: size * unit, anchor: anchor, isBold: isBold,
                    colour: colour)))
    }

    /// A text that ends with `…` if it would otherwise be too long.
    private func fitted(
        _ words: String, at place: Drawing.Point, _ size: Double, isBold: Bool = false,
        _ colour: Colour = .black, in room: Double
    ) -> Drawing.Mark {
        func fits(_ words: some StringProtocol) -> Bool {
            ruler.length(of: String(words), size: size * unit, isBold: isBold) <= room
        }
        guard !fits(words) else { return text(words, at: place, size, isBold: isBold, colour) }
        // Find the longest beginning that fits, by bisection.
        var (low, high) = (0, words.count)
        while low + 1 < high {
            let middle = (low + high) / 2
            if fits(words.prefix(middle) + "…") { low = middle } else { high = middle }
        }
        return text(words.prefix(low) + "…", at: place, size, isBold: isBold, colour)
    }
}
