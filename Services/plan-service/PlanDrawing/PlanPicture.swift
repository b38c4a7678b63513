import FloorPlan
import Foundation
import Messages
import Papers
import Phrases

/// The drawing of a floor plan for paper or a screen.
package struct PlanPicture: Sendable {
    let plan: FloorPlan
    let details: PlanDetails
    let options: PictureOptions
    let findings: [PlanFinding]
    let reach: PlanReach?
    let measures: PlanMeasures
    /// What is drawn, on its sheet.
    package let drawing: Drawing
    /// The scale: one millimetre of the sheet stands for this many of the home.
    package let scale: Double
    /// Sentences in English that the person who asked should read, e.g. that the plan didn't fit at
    /// 1:50.
    package let remarks: [String]
    private let sheet: Sheet

    /// Draws a plan.
    ///
    /// - Parameters:
    ///   - findings: those that don't pass are marked at their places, numbered from 1 in their
    ///     order, as in a ``PlanReport`` of the same findings.
    ///   - reach: where a chair can go; nil to leave that out.
    /// - Throws: if the plan doesn't fit on the paper at the requested scale.
    package init(
        _ plan: FloorPlan, _ details: PlanDetails, options: PictureOptions = PictureOptions(),
        findings: [PlanFinding] = [], reach: PlanReach? = nil
    ) throws(Refusal) {
        self.plan = plan
        self.details = details
        self.options = options
        self.findings = findings
        self.reach = reach
        measures = PlanMeasures(plan, along: options.dimensions ? PlanFrame(plan) : .upright)
        let (sheet, sketch, legend, lines) = try Self.laidOut(
            plan, measures, options, findings, reach)
        let explained = legend.marks(top: sheet.window.y + sheet.window.height + 1.6, most: lines)
        let title = TitleBlock(sheet, details, options).marks
        drawing = Drawing(
            width: sheet.width, height: sheet.height, title: details.name.written,
            parts: sketch.parts + [Drawing.Part("legend", marks: explained)]
                + [Drawing.Part("title", marks: title)])
        scale = sheet.scale
        remarks = sheet.remarks
        self.sheet = sheet
    }

    /// Where a place of the plan is on the sheet, in millimetres from its top left corner.
    package func spot(of place: PlanPoint) -> Drawing.Point { sheet.point(place.vector) }

    /// The most lines that a legend may have.
    private static let mostLines = 6
    /// The number of things from which it pays to estimate the legend: see
    /// ``expectedLines(_:_:_:)``.
    private static let many = 100

    /// Draws the plan, and the legend with as many lines as it needs, up to ``mostLines``.
    private static func laidOut(
        _ plan: FloorPlan, _ measures: PlanMeasures, _ options: PictureOptions,
        _ findings: [PlanFinding], _ reach: PlanReach?
    ) throws(Refusal) -> (sheet: Sheet, sketch: Sketch, legend: Legend, lines: Int) {
        func drawn(_ lines: Int) throws(Refusal) -> (
            sheet: Sheet, sketch: Sketch, legend: Legend, lines: Int
        ) {
            let sheet = try Sheet(measures, options, notes: lines)
            let sketch = draw(plan, measures, options, sheet, findings, reach)
            return (sheet, sketch, Legend(sketch, width: sheet.width - 2 * Sheet.margin), lines)
        }
        var result = try drawn(expectedLines(plan, measures, options))
        if result.legend.count < result.lines { result = try drawn(result.legend.count) }
        // The legend takes room from the plan, which is then drawn again and may leave out more
        // names.
        while result.legend.count > result.lines, result.lines < mostLines {
            result = try drawn(min(result.legend.count, mostLines))
        }
        return result
    }

    /// The number of lines that the legend will probably have, so that a plan of many things need
    /// not be drawn twice: those of the names that are too long for their things in the window. 0
    /// if a legend of this size makes the plan smaller.
    private static func expectedLines(
        _ plan: FloorPlan, _ measures: PlanMeasures, _ options: PictureOptions
    ) -> Int {
        guard options.labels, plan.elements.count >= many else { return 0 }
        do {
            let without = try Sheet(measures, options, notes: 0)
            let words = Words<DrawingPhrase>(.of(options.language))
            var lengths: [String: Double] = [:]
            var names: Set<String> = []
            for element in plan.elements.values
            where options.region == nil || without.shows(element.outline.bounds) {
                let name = words.name(of: element)
                let length =
                    lengths[name]
                    ?? Drawing.Text(name, at: Drawing.Point(0, 0), size: Sketch.TextSize.small)
                    .length
                lengths[name] = length
                let diagonal = hypot(Double(element.width), Double(element.depth))
                if length > without.length(diagonal) { names.insert(name) }
            }
            let legend = Legend(
                keys: names.sorted().map { ("a", $0) }, words,
                width: without.width - 2 * Sheet.margin)
            let lines = min(legend.count, mostLines)
            let with = try Sheet(measures, options, notes: lines)
            let isAsLarge =
                with.scale == without.scale
                && (with.width, with.height) == (without.width, without.height)
            return isAsLarge ? lines : 0
        } catch { return 0 }
    }

    /// Draws all layers. What is drawn first gets its place, and texts are put around it.
    private static func draw(
        _ plan: FloorPlan, _ measures: PlanMeasures, _ options: PictureOptions, _ sheet: Sheet,
        _ findings: [PlanFinding], _ reach: PlanReach?
    ) -> Sketch {
        var sketch = Sketch(plan, measures, options, sheet)
        let doors = reach?.doors ?? []
        let tooNarrow = Dictionary(doors.map { ($0.door, $0) }) { first, _ in first }
        sketch.drawRooms(reach: reach)
        sketch.drawElements()
        sketch.drawWalls()
        sketch.drawOpenings(tooNarrow: tooNarrow)
        if options.dimensions {
            sketch.drawChains()
            sketch.writeFreeWidths(tooNarrow: tooNarrow)
        }
        sketch.drawFindings(findings)
        if options.labels { sketch.labelRooms() }
        if options.dimensions { sketch.drawInnerLengths() }
        if let reach { sketch.drawRoute(reach) }
        sketch.drawTurningCircles()
        if options.labels { sketch.labelElements() }
        return sketch
    }

    /// The drawing as SVG at true size. Texts remain texts, and each thing has its id as
    /// `data-item`.
    package func svg() -> [UInt8] { drawing.svgBytes() }

    /// The drawing as a PDF document of one page, to scale.
    ///
    /// - Throws: if the libraries can't draw.
    package func pdf() throws(PaperError) -> [UInt8] { try drawing.pdf() }

    /// The drawing as a picture with ``PictureOptions/resolution``.
    ///
    /// - Throws: if the libraries can't draw.
    package func png() throws(PaperError) -> [UInt8] {
        try drawing.png(resolution: options.resolution)
    }

    /// The plan drawn with characters, for a terminal.
    ///
    /// - Parameters:
    ///   - columns: fewer than 20 count as 20, and fewer than 8 `rows` as 8.
    ///   - coloured: true for a terminal that shows colours.
    package func text(columns: Int, rows: Int, coloured: Bool) -> String {
        CharacterPlan(self, columns: max(columns, 20), rows: max(rows, 8)).text(coloured: coloured)
    }
}
