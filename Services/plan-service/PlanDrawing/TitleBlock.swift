import FloorPlan
import Foundation
import Messages
import Papers
import Phrases

/// The block below a drawing that says what it shows, how large it is and when it was made, with
/// the scale bar and the north arrow.
struct TitleBlock {
    private let sheet: Sheet
    private let details: PlanDetails
    private let options: PictureOptions
    private let words: Words<DrawingPhrase>
    private(set) var marks: [Drawing.Mark] = []

    private static let line = Drawing.Pen(stroke: .black, width: 0.25)

    init(_ sheet: Sheet, _ details: PlanDetails, _ options: PictureOptions) {
        self.sheet = sheet
        self.details = details
        self.options = options
        words = Words<DrawingPhrase>(.of(options.language))
        let margin = Sheet.margin
        let width = sheet.width - 2 * margin
        let top = sheet.height - margin - Sheet.titleHeight
        box(sheet.window)
        box(Drawing.Box(x: margin, y: top, width: width, height: Sheet.titleHeight))
        let (second, third) = (margin + width - 104, margin + width - 46)
        for x in [second, third] {
            marks.append(
                Drawing.Mark(
                    .path(
                        Drawing.Path(
                            [
                                Drawing.Point(x, top), Drawing.Point(x, top + Sheet.titleHeight),
                            ], isClosed: false), Self.line)))
        }
        drawNames(x: margin + 2.5, top: top, width: second - margin - 5)
        drawScale(x: second + 2.5, top: top)
        drawOrigin(x: third + 2.5, top: top)
        if let north = details.north {
            drawNorth(Drawing.Point(sheet.width - margin - 8, top + 7), north)
        }
    }

    private mutating func box(_ box: Drawing.Box) {
        marks.append(
            Drawing.Mark(.path(Drawing.Path(box.corners, isClosed: true), Self.line)))
    }

    private mutating func write(
        _ words: String, _ x: Double, _ y: Double, size: Double, width: Double, isBold: Bool = false
    ) {
        guard !words.isEmpty else { return }
        let text = Drawing.Text.shortened(words, to: width, size: size, isBold: isBold)
        marks.append(
            Drawing.Mark(
                .text(Drawing.Text(text, at: Drawing.Point(x, y), size: size, isBold: isBold))))
    }

    private mutating func drawNames(x: Double, top: Double, width: Double) {
        write(details.name.written, x, top + 6, size: 4.2, width: width, isBold: true)
        let client = details.client.written
        let lines = [
            details.address.written, client.isEmpty ? "" : words.say(.client, ["name": client]),
            details.description.written,
        ].filter { !$0.isEmpty }
        for (index, line) in lines.enumerated() {
            write(line, x, top + 11.6 + Double(index) * 4.6, size: 2.6, width: width)
        }
    }

    private mutating func drawScale(x: Double, top: Double) {
        // A scale that was chosen to fit is seldom a whole number.
        let decimals = !sheet.isFitted || sheet.scale >= 100 ? 0 : sheet.scale < 10 ? 2 : 1
        let scale = words.number(sheet.scale, decimals: decimals)
        write(
            words.say(.scale, ["scale": scale]), x, top + 5.4, size: 3.2, width: 53, isBold: true)
        if sheet.isFitted { write("(\(words.say(.fitted)))", x, top + 9, size: 2, width: 53) }
        drawBar(x: x, y: top + 11.5)
        let isMetric = options.unit == .centimetres
        let tolerance = words.number(
            Double(details.tolerance) / (isMetric ? 10 : 1), decimals: isMetric ? 1 : 0)
        let measures = words.say(
            details.tolerance > 0 ? .measuresWithin : .measuresIn,
            ["unit": options.unit.rawValue, "tolerance": tolerance])
        write(measures, x, top + 22.4, size: 2.2, width: 53)
    }

    /// Four pieces of a round length that are at most 44 mm long together.
    private mutating func drawBar(x: Double, y: Double) {
        let rounds = [
            1.0, 2, 5, 10, 20, 50, 100, 200, 250, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000,
            100_000,
        ]
        guard let piece = rounds.last(where: { 4 * $0 / sheet.scale <= 44 }) else { return }
        let length = piece / sheet.scale
        for index in 0..<4 {
            let box = Drawing.Box(x: x + Double(index) * length, y: y, width: length, height: 1.8)
            marks.append(
                Drawing.Mark(
                    .path(
                        Drawing.Path(box.corners, isClosed: true),
                        Drawing.Pen(
                            stroke: .black, width: 0.15,
                            fill: index.isMultiple(of: 2) ? .black : .white))))
        }
        let isWhole = piece.truncatingRemainder(dividingBy: 1_000) == 0
        let decimals = isWhole ? 0 : piece < 5 ? 3 : piece < 100 ? 2 : 1
        for index in [0, 2, 4] {
            let metres = Double(index) * piece / 1_000
            let label = words.number(metres, decimals: index == 0 ? 0 : decimals)
            marks.append(
                Drawing.Mark(
                    .text(
                        Drawing.Text(
                            index == 4 ? label + " m" : label,
                            at: Drawing.Point(x + Double(index) * length, y + 4.6), size: 2,
                            anchor: index == 0 ? .start : .middle))))
        }
    }

    private mutating func drawOrigin(x: Double, top: Double) {
        let author = details.author.written
        let lines = [
            options.date.isEmpty ? "" : words.say(.date, ["date": options.date.written]),
            options.revision > 0 ? words.say(.revision, ["revision": "\(options.revision)"]) : "",
            author.isEmpty ? "" : words.say(.author, ["name": author]),
        ].filter { !$0.isEmpty }
        // The last line may continue below the north arrow, if there is one.
        for (index, line) in lines.enumerated() {
            write(
                line, x, top + 6 + Double(index) * 6.4, size: 2.4,
                width: index < 2 && details.north != nil ? 29 : 41)
        }
    }

    private mutating func drawNorth(_ middle: Drawing.Point, _ north: UInt32) {
        // The paper's y axis points down.
        let turn = Double(north) / 180_000 * .pi
        let up = Vector(cos(turn), -sin(turn))
        let tip = middle + up * 4.5
        for (side, fill) in [(-1.0, Colour.black), (1, .white)] {
            let wing = up.left * (side * 2.2) + up * -3.0
            let half = Drawing.Path(
                [tip, middle + wing, middle + up * -1.6], isClosed: true)
            marks.append(
                Drawing.Mark(.path(half, Drawing.Pen(stroke: .black, width: 0.18, fill: fill))))
        }
        marks.append(
            Drawing.Mark(
                .text(
                    Drawing.Text(
                        words.say(.north), at: middle + Vector(0, 8), size: 2.8, anchor: .middle,
                        isBold: true))))
    }
}
