import Dates
import Foundation
import Papers
import Pictures

@testable import DayPapers

/// Realistic days, in three languages.
enum SomeDay {
    static let names: [String: [(name: String, emoji: String)]] = [
        "en": [
            ("Get up", "🌅"), ("Take a shower", "🚿"), ("Brush your teeth", "🪥"),
            ("Take medicine with a glass of water", "💊"),
            ("Occupational therapy appointment at the hospital", "🏥"), ("Lunch", ""),
            ("Video call with Grandmother", "👵🏽"),
        ],
        "nb": [
            ("Stå opp", "🌅"), ("Dusje", "🚿"), ("Pusse tennene", "🪥"),
            ("Ta medisin med et glass vann", "💊"),
            ("Ergoterapeutundersøkelse på Haukeland universitetssjukehus", "🏥"), ("Lunsj", ""),
            ("Videosamtale med bestemor", "👵🏽"),
        ],
        "sv": [
            ("Stiga upp", "🌅"), ("Duscha", "🚿"), ("Borsta tänderna", "🪥"),
            ("Ta medicin med ett glas vatten", "💊"),
            ("Arbetsterapeutundersökning på Akademiska sjukhuset", "🏥"), ("Lunch", ""),
            ("Videosamtal med mormor", "👵🏽"),
        ],
    ]

    /// A day with this number of items. Every fourth has no time, some have no end, and if the day
    /// has begun the first is done and the second skipped.
    static func day(_ count: Int, _ language: String, isBegun: Bool = true) -> PaperDay {
        let names = names[language] ?? []
        let items = (0..<count).map { number in
            let name = names[number % names.count]
            let start = 420 + number * 17
            return PaperDay.Item(
                name: name.name, emoji: name.emoji, start: number % 4 == 3 ? nil : start,
                end: number % 3 == 0 ? nil : start + 15,
                mark: !isBegun || number > 1 ? .open : number == 0 ? .done : .skipped)
        }
        return PaperDay(title: "Åse", date: CivilDate(iso: "2026-11-23"), items: items)
    }
}

/// The boxes that are drawn on a page.
struct Geometry {
    /// A drawn box, with the box of the part that it must stay in.
    struct Piece {
        let box: Drawing.Box
        let clip: Drawing.Box?
        let item: String
        let text: Drawing.Text?
        let isImage: Bool
    }

    let page: Drawing
    let pieces: [Piece]

    init(_ page: Drawing) {
        self.page = page
        let ruler = TextRuler()
        pieces = page.parts.flatMap { part in
            part.marks.compactMap { mark in
                switch mark.shape {
                case .path(let path, let pen):
                    Piece(
                        box: Self.box(path, pen.stroke == nil ? 0 : pen.width / 2), clip: part.clip,
                        item: mark.item, text: nil, isImage: false)
                case .image(let image):
                    Piece(
                        box: image.frame, clip: part.clip, item: mark.item, text: nil,
                        isImage: true)
                case .text(let text):
                    Piece(
                        box: Self.box(text, ruler), clip: part.clip, item: mark.item, text: text,
                        isImage: false)
                }
            }
        }
    }

    /// All texts that aren't empty.
    var texts: [Piece] { pieces.filter { $0.text.map { !$0.words.isEmpty } ?? false } }

    /// Letters reach up from the baseline by three quarters of their size, or nine tenths with a
    /// ring above, and down by a quarter.
    private static func box(_ text: Drawing.Text, _ ruler: TextRuler) -> Drawing.Box {
        let length = ruler.length(of: text.words, size: text.size, isBold: text.isBold)
        let back: Double =
            switch text.anchor {
            case .start: 0
            case .middle: length / 2
            case .end: length
            }
        return Drawing.Box(
            x: text.place.x - back, y: text.place.y - text.size * 0.92, width: length,
            height: text.size * 1.15)
    }

    private static func box(_ path: Drawing.Path, _ margin: Double) -> Drawing.Box {
        let points = path.steps.flatMap { step -> [Drawing.Point] in
            switch step {
            case .move(let to), .line(let to): [to]
            case .curve(let first, let second, let to): [first, second, to]
            case .close: []
            }
        }
        let (x, y) = (points.map(\.x), points.map(\.y))
        let (left, top) = (x.min() ?? 0, y.min() ?? 0)
        return Drawing.Box(
            x: left - margin, y: top - margin, width: (x.max() ?? 0) - left + 2 * margin,
            height: (y.max() ?? 0) - top + 2 * margin)
    }
}

extension Drawing.Box {
    /// True if the other box is inside this one, within a hundredth of a millimetre.
    func holds(_ other: Drawing.Box) -> Bool {
        other.x >= x - 0.01 && other.y >= y - 0.01 && other.x + other.width <= x + width + 0.01
            && other.y + other.height <= y + height + 0.01
    }

    /// True if the boxes share more than a hundredth of a millimetre in each direction.
    func overlaps(_ other: Drawing.Box) -> Bool {
        min(x + width, other.x + other.width) - max(x, other.x) > 0.01
            && min(y + height, other.y + other.height) - max(y, other.y) > 0.01
    }
}

extension Raster {
    /// True if the pixel is visible and isn't grey.
    var isColoured: Bool {
        var at = 0
        while at < pixels.count {
            let (red, green, blue) = (pixels[at], pixels[at + 1], pixels[at + 2])
            if pixels[at + 3] > 200, red != green || green != blue { return true }
            at += 4
        }
        return false
    }
}
