import FloorPlan
import Messages
import Papers
import Phrases

/// The legend below the plan, which explains the signs of a drawing.
struct Legend {
    /// A sign with what it means.
    private struct Entry {
        let sign: Sketch.Sign?
        let words: String

        var width: Double { (sign == nil ? 0 : 8) + text(at: Drawing.Point(0, 0)).length + 5 }

        func text(at place: Drawing.Point) -> Drawing.Text {
            Drawing.Text(words, at: place, size: Sketch.TextSize.label)
        }
    }

    private var lines: [[Entry]] = []
    private let words: Words<DrawingPhrase>

    var count: Int { lines.count }

    /// - Parameter width: the width of the sheet between its margins.
    init(_ sketch: Sketch, width: Double) {
        self.init(sketch.signs, keys: sketch.keys, sketch.words, width: width)
    }

    /// A legend of signs, and of letters with what they stand for.
    init(
        _ signs: Set<Sketch.Sign> = [], keys: [(letter: String, name: String)],
        _ words: Words<DrawingPhrase>, width: Double
    ) {
        self.words = words
        let signs = Sketch.Sign.allCases.filter(signs.contains).map {
            Entry(sign: $0, words: Self.words(of: $0, words))
        }
        let keys = keys.map { key in
            Entry(
                sign: nil,
                words: Drawing.Text.shortened(
                    "\(key.letter) \(key.name)", to: min(width - 10, 60),
                    size: Sketch.TextSize.label))
        }
        var room = 0.0
        for entry in signs + keys {
            if lines.isEmpty || entry.width > room {
                lines.append([])
                room = width
            }
            lines[lines.count - 1].append(entry)
            room -= entry.width
        }
    }

    private static func words(of sign: Sketch.Sign, _ words: Words<DrawingPhrase>) -> String {
        switch sign {
        case .failure: words.say(.fails)
        case .chairFailure: words.say(.chairAlone)
        case .doubt: words.say(.undecided)
        case .reached: words.say(.reached)
        case .notReached: words.say(.notReached)
        case .perhapsReached: words.say(.perhapsReached)
        case .tightDoor: words.say(.tightDoor)
        case .perhapsTightDoor: words.say(.perhapsTightDoor)
        case .route: words.say(.route)
        case .turningCircle: words.say(.turningCircle)
        case .freeWidth: words.say(.freeWidth)
        case .unmeasuredThreshold: words.say(.unmeasuredThreshold)
        case .unhungDoor: words.say(.unhungDoor)
        }
    }

    /// The marks of the lines that there is room for, from an upper edge down.
    func marks(top: Double, most: Int) -> [Drawing.Mark] {
        var marks: [Drawing.Mark] = []
        for (index, line) in lines.prefix(most).enumerated() {
            let y = top + (Double(index) + 0.5) * Sheet.noteHeight
            var x = Sheet.margin
            for entry in line {
                var left = x
                if let sign = entry.sign {
                    marks += Self.icon(sign, Drawing.Point(x + 3, y))
                    left += 8
                }
                let text = entry.text(at: Drawing.Point(left, y + 0.8))
                marks.append(Drawing.Mark(.text(text)))
                x += entry.width
            }
        }
        return marks
    }

    private static func icon(_ sign: Sketch.Sign, _ at: Drawing.Point) -> [Drawing.Mark] {
        let box = Drawing.Box(middle: at, width: 6, height: 3.2)
        let area = Drawing.Path(box.corners, isClosed: true)
        let line = Drawing.Path([at + Vector(-3, 0), at + Vector(3, 0)], isClosed: false)
        func mark(_ path: Drawing.Path, _ pen: Drawing.Pen) -> Drawing.Mark {
            Drawing.Mark(.path(path, pen))
        }
        func hatched(_ colour: Colour, isCrossed: Bool) -> [Drawing.Mark] {
            var path = Drawing.Path()
            for start in [-3.0, -1, 1] {
                path.steps += [.move(at + Vector(start, 1.6)), .line(at + Vector(start + 2, -1.6))]
                guard isCrossed else { continue }
                path.steps += [.move(at + Vector(start, -1.6)), .line(at + Vector(start + 2, 1.6))]
            }
            return [
                mark(path, Drawing.Pen(stroke: colour, width: 0.14)),
                mark(area, Drawing.Pen(stroke: .grey, width: 0.1)),
            ]
        }
        switch sign {
        case .failure: return Sketch.findingMark("#", sign, at: at)
        case .chairFailure: return Sketch.findingMark("#", sign, at: at)
        case .doubt: return Sketch.findingMark("#", sign, at: at)
        case .reached:
            return [mark(area, Sketch.reachedPen), mark(area, .init(stroke: .grey, width: 0.1))]
        case .notReached: return hatched(.red, isCrossed: true)
        case .perhapsReached: return hatched(.orange, isCrossed: false)
        case .tightDoor: return [mark(line, Sketch.narrow)]
        case .perhapsTightDoor: return [mark(line, Sketch.perhapsNarrow)]
        case .route: return [mark(line, Drawing.Pen(stroke: Sketch.routeColour, width: 0.5))]
        case .turningCircle:
            var circle = Drawing.Path()
            circle.addEllipse(at, Vector(1.8, 0), Vector(0, 1.8))
            return [
                mark(
                    circle, Drawing.Pen(stroke: Sketch.aidColour, width: 0.25, dash: [0.9, 0.5]))
            ]
        case .freeWidth:
            let text = Drawing.Text(
                "~80", at: at + Vector(0, 0.7), size: Sketch.TextSize.small + 0.2, anchor: .middle,
                isBold: true, colour: Sketch.dimensionColour)
            return [Drawing.Mark(.text(text))]
        case .unmeasuredThreshold:
            return [-0.5, 0.5].map {
                let (left, right) = (at + Vector(-3, $0), at + Vector(3, $0))
                return mark(Drawing.Path([left, right], isClosed: false), Sketch.guessed)
            }
        case .unhungDoor: return door(at).map { mark($0.path, $0.pen) }
        }
    }

    /// A door whose hanging is a guess: its leaf, and a dashed quarter of a circle.
    private static func door(_ at: Drawing.Point) -> [(path: Drawing.Path, pen: Drawing.Pen)] {
        let (radius, pivot) = (3.0, at + Vector(-1.5, 1.5))
        let (open, shut) = (pivot + Vector(0, -radius), pivot + Vector(radius, 0))
        // The control points of a quarter are at 4/3 · tan 22.5° of its radius.
        let arm = radius * 0.5523
        let arc = Drawing.Path([
            .move(shut), .curve(shut + Vector(0, -arm), open + Vector(arm, 0), open),
        ])
        return [
            (
                Drawing.Path([pivot, open], isClosed: false),
                Drawing.Pen(stroke: .black, width: 0.2)
            ), (arc, Sketch.guessed),
        ]
    }
}
