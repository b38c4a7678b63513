import FloorPlan
import Foundation
import Messages
import Papers

/// A sheet of paper with the plan on it: how large, at which scale, and what is where.
struct Sheet {
    /// Millimetres.
    let width: Double
    let height: Double
    /// One millimetre of the sheet is so many of the home.
    let scale: Double
    /// Where the plan is drawn.
    let window: Drawing.Box
    /// The place of the plan in the middle of the window.
    let centre: Vector
    /// True when the scale was not chosen by whoever prints, but by what fits.
    let isFitted: Bool
    private(set) var remarks: [String] = []

    static let margin = 8.0
    static let titleHeight = 25.0
    /// The height of a line of the legend.
    static let noteHeight = 4.6

    /// Around the plan, on paper: to the left and below for two chains of dimensions and the mark
    /// of an entrance, to the right and above for one chain.
    private struct Surroundings {
        let wide: Double
        let narrow: Double

        init(_ options: PictureOptions) {
            (wide, narrow) = options.dimensions ? (20.5, 15) : (9, 9)
        }

        var both: Double { wide + narrow }

        /// The place in the middle of the window when all of an extent is to be seen.
        func centre(_ extent: Bounds, _ scale: Double) -> Vector {
            let shift = (wide - narrow) / 2 * scale
            return extent.centre - Vector(shift, shift)
        }
    }

    /// The scales that are tried, the largest first.
    private static let scales: [UInt32] = [50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000]

    /// - Parameter notes: lines that the legend needs.
    /// - Throws: when no sheet, or not the one that was asked for, is large enough.
    init(_ plan: FloorPlan, _ options: PictureOptions, notes: Int) throws(Refusal) {
        let extent = plan.extent
        if let region = options.region {
            let paper = options.paper ?? .a4
            self.init(paper, isWide: true, notes: notes) { _ in
                region.centre
            } scale: { window in
                switch options.scale {
                case .oneTo(let scale): Double(max(scale, 1))
                case .automatic, .fit: max(region.width, 1) / window.width
                }
            }
            return
        }
        let surroundings = Surroundings(options)
        let around = surroundings.both
        func fits(_ paper: PictureOptions.PaperSize, _ isWide: Bool, _ scale: Double) -> Bool {
            let window = Self.window(Self.size(paper, isWide), notes)
            return extent.size.x / scale + around <= window.width
                && extent.size.y / scale + around <= window.height
        }
        switch options.scale {
        case .fit:
            let paper = options.paper ?? .a4
            self.init(paper, isWide: extent.size.x >= extent.size.y, notes: notes) {
                surroundings.centre(extent, $0)
            } scale: { window in
                max(
                    extent.size.x / max(window.width - around, 1),
                    extent.size.y / max(window.height - around, 1), 1)
            }
        case .automatic, .oneTo:
            var papers = options.paper.map { [$0] } ?? [.a4, .a3]
            var scales = Self.scales
            if case .oneTo(let scale) = options.scale {
                scales = [max(scale, 1)]
                papers = options.paper.map { [$0] } ?? PictureOptions.PaperSize.allCases
            }
            for scale in scales {
                for paper in papers {
                    for isWide in [true, false] where fits(paper, isWide, Double(scale)) {
                        self.init(paper, isWide: isWide, notes: notes) {
                            surroundings.centre(extent, $0)
                        } scale: { _ in
                            Double(scale)
                        }
                        tell(scale, paper, wanted: options.scale, options.paper)
                        if scale == Self.scales[0], options.scale == .automatic, fits(.a4, true, 20)
                        {
                            remarks.append("At 1:20 the plan fits on A4 too.")
                        }
                        return
                    }
                }
            }
            let last = scales[scales.count - 1]
            let metres = [extent.size.x, extent.size.y].map {
                String(format: "%.1f", $0 / 1_000)
            }
            let name = papers[papers.count - 1].rawValue.uppercased()
            throw .invalid(
                "the plan is \(metres[0]) by \(metres[1]) m and doesn't fit on \(name) at "
                    + "1:\(last); choose a smaller scale, e.g. 1:\(last * 2), or larger paper")
        }
    }

    private init(
        _ paper: PictureOptions.PaperSize, isWide: Bool, notes: Int,
        centre: (_ scale: Double) -> Vector, scale: (Drawing.Box) -> Double
    ) {
        let size = Self.size(paper, isWide)
        (width, height) = size
        window = Self.window(size, notes)
        let exact = scale(window)
        self.scale = exact
        self.centre = centre(exact)
        isFitted = exact != exact.rounded()
    }

    private mutating func tell(
        _ scale: UInt32, _ paper: PictureOptions.PaperSize,
        wanted: PictureOptions.Scale, _ wantedPaper: PictureOptions.PaperSize?
    ) {
        let name = paper.rawValue.uppercased()
        if wanted == .automatic, scale != Self.scales[0] {
            remarks.append(
                "The plan is drawn 1:\(scale) on \(name); it is too large for 1:\(Self.scales[0]).")
        } else if wantedPaper == nil, paper != .a4 {
            remarks.append("The plan is drawn on \(name); at 1:\(scale) it is too large for A4.")
        }
    }

    private static func size(
        _ paper: PictureOptions.PaperSize, _ isWide: Bool
    ) -> (width: Double, height: Double) {
        let sides = paper.sides
        return isWide ? (sides.long, sides.short) : (sides.short, sides.long)
    }

    private static func window(
        _ size: (width: Double, height: Double), _ notes: Int
    ) -> Drawing.Box {
        let below = titleHeight + Double(notes) * noteHeight + (notes > 0 ? 2 : 0)
        return Drawing.Box(
            x: margin, y: margin, width: size.width - 2 * margin,
            height: size.height - 2 * margin - below)
    }
}

extension Sheet {
    /// Where a place of the plan is on the sheet.
    func point(_ place: Vector) -> Drawing.Point {
        Drawing.Point(
            window.x + window.width / 2 + (place.x - centre.x) / scale,
            window.y + window.height / 2 - (place.y - centre.y) / scale)
    }

    /// A length of the plan on the sheet, in millimetres.
    func length(_ millimetres: Double) -> Double { millimetres / scale }

    /// The place of the plan at a point of the sheet.
    func place(_ point: Drawing.Point) -> Vector {
        Vector(
            centre.x + (point.x - window.x - window.width / 2) * scale,
            centre.y - (point.y - window.y - window.height / 2) * scale)
    }
}

extension FloorPlan {
    /// What everything in it covers; a square metre when there is nothing.
    var extent: Bounds {
        var extent = Bounds([])
        for outline in WallOutlines(walls.values).outlines.values {
            extent = extent.union(outline.bounds)
        }
        for room in rooms.values { extent = extent.union(room.polygon.bounds) }
        for element in elements.values { extent = extent.union(element.outline.bounds) }
        for opening in openings.values {
            if let swing = walls[opening.wall]?.swing(of: opening) {
                extent = extent.union(swing.bounds)
            }
        }
        return extent.isEmpty
            ? Bounds(low: Vector(-500, -500), high: Vector(500, 500)) : extent
    }
}
