import FloorPlan
import Foundation
import Messages
import Papers

/// A sheet of paper with the plan on it: how large it is, its scale, and where everything is.
struct Sheet {
    /// Millimetres.
    let width: Double
    let height: Double
    /// One millimetre of the sheet stands for this many of the home.
    let scale: Double
    /// Where the plan is drawn.
    let window: Drawing.Box
    /// The place of the plan in the middle of the window.
    let centre: Vector
    /// The directions along which the plan is measured.
    let frame: PlanFrame
    /// True if the scale was chosen to fit, not by the person who prints.
    let isFitted: Bool
    private(set) var remarks: [String] = []

    static let margin = 8.0
    static let titleHeight = 25.0
    /// The height of a line of the legend.
    static let noteHeight = 4.6

    /// The plan with what surrounds it on paper: two chains of dimensions and the mark of an
    /// entrance to the left and below, one chain to the right and above.
    private struct Surroundings {
        private let home: Bounds
        /// The ends of the outermost chains: the place on the plan, and how far from there on
        /// paper.
        private let ends: [(place: Vector, out: Vector)]

        init(_ measures: PlanMeasures, _ options: PictureOptions) {
            let (wide, narrow) = options.dimensions ? (20.5, 15.0) : (9, 9)
            let (extent, measured) = (measures.extent, measures.measured)
            home = measures.home
            ends = Sketch.Side.all(measures.frame).enumerated().flatMap { index, side in
                let (low, high) = side.span(measured.isEmpty ? extent : measured)
                let out = side.out * (index.isMultiple(of: 2) ? wide : narrow)
                return [low, high].map {
                    (side.along * $0 + side.out * side.level(extent), out)
                }
            }
        }

        private func bounds(_ scale: Double) -> Bounds {
            ends.reduce(into: home) { $0.extend(to: $1.place + $1.out * scale) }
        }

        /// The size of everything together on paper.
        func size(_ scale: Double) -> Vector { bounds(scale).size * (1 / scale) }

        /// The place in the middle of the window if everything is visible.
        func centre(_ scale: Double) -> Vector { bounds(scale).centre }

        /// The scale at which it fills a window.
        func scale(filling window: Drawing.Box) -> Double {
            var (low, high) = (1.0, 1e7)
            while high / low > 1 + 1e-9 {
                let scale = (low * high).squareRoot()
                let size = size(scale)
                let isSmall = size.x <= window.width && size.y <= window.height
                (low, high) = isSmall ? (low, scale) : (scale, high)
            }
            return high
        }
    }

    /// The scales to try, largest first.
    private static let scales: [UInt32] = [50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000]
    /// The scale for a room or two.
    private static let detailed: UInt32 = 20

    /// - Parameter notes: the number of lines that the legend needs.
    /// - Throws: if no sheet, or not the requested one, is large enough.
    init(_ measures: PlanMeasures, _ options: PictureOptions, notes: Int) throws(Refusal) {
        let frame = measures.frame
        if let region = options.region {
            let paper = options.paper ?? .a4
            self.init(paper, isWide: true, notes: notes, frame) { _ in
                region.centre
            } scale: { window in
                switch options.scale {
                case .oneTo(let scale): Double(max(scale, 1))
                case .automatic, .detailed, .fit: max(region.width, 1) / window.width
                }
            }
            return
        }
        let surroundings = Surroundings(measures, options)
        func fits(_ paper: PaperSize, _ isWide: Bool, _ scale: Double) -> Bool {
            let window = Self.window(Self.size(paper, isWide), notes)
            let size = surroundings.size(scale)
            return size.x <= window.width && size.y <= window.height
        }
        switch options.scale {
        case .fit:
            let paper = options.paper ?? .a4
            let size = surroundings.size(1)
            self.init(
                paper, isWide: size.x >= size.y, notes: notes, frame, centre: surroundings.centre,
                scale: surroundings.scale)
        case .automatic, .detailed, .oneTo:
            var papers = options.paper.map { [$0] } ?? [.a4, .a3]
            var scales = options.scale == .detailed ? [Self.detailed] + Self.scales : Self.scales
            if case .oneTo(let scale) = options.scale {
                scales = [max(scale, 1)]
                papers = options.paper.map { [$0] } ?? PaperSize.allCases.filter { $0 != .a5 }
            }
            for scale in scales {
                for paper in papers {
                    for isWide in [true, false] where fits(paper, isWide, Double(scale)) {
                        self.init(
                            paper, isWide: isWide, notes: notes, frame,
                            centre: surroundings.centre, scale: { _ in Double(scale) })
                        tell(scale, paper, wanted: options.scale, options.paper)
                        let detailed = Self.detailed
                        if scale == Self.scales[0], options.scale == .automatic,
                            fits(.a4, true, Double(detailed))
                        {
                            remarks.append("At 1:\(detailed) the plan fits on A4 too.")
                        }
                        return
                    }
                }
            }
            let last = scales[scales.count - 1]
            let metres = [measures.home.size.x, measures.home.size.y].map {
                String(format: "%.1f", $0 / 1_000)
            }
            let name = papers[papers.count - 1].rawValue.uppercased()
            throw Refusal.invalid(
                "the plan is \(metres[0]) by \(metres[1]) m and doesn't fit on \(name) at "
                    + "1:\(last); choose a smaller scale, e.g. 1:\(last * 2), or larger paper"
            ).because(
                .planPaper, of: name,
                ["width": metres[0], "height": metres[1], "scale": "\(last)"])
        }
    }

    private init(
        _ paper: PaperSize, isWide: Bool, notes: Int,
        _ frame: PlanFrame, centre: (_ scale: Double) -> Vector, scale: (Drawing.Box) -> Double
    ) {
        let size = Self.size(paper, isWide)
        (width, height) = size
        window = Self.window(size, notes)
        self.frame = frame
        let exact = scale(window)
        self.scale = exact
        self.centre = centre(exact)
        isFitted = exact != exact.rounded()
    }

    private mutating func tell(
        _ scale: UInt32, _ paper: PaperSize,
        wanted: PictureOptions.Scale, _ wantedPaper: PaperSize?
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
        _ paper: PaperSize, _ isWide: Bool
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

/// What of the plan is in the window.
extension Sheet {
    private var view: Bounds { Bounds(window.corners.map(place)) }

    /// True if bounds are partly in the window.
    func shows(_ bounds: Bounds) -> Bool {
        let (low, high) = (point(bounds.low), point(bounds.high))
        return high.x >= window.x && low.x <= window.x + window.width && low.y >= window.y
            && high.y <= window.y + window.height
    }

    /// True if part of a line is in the window.
    func shows(_ line: Segment) -> Bool {
        guard view.meets(line.bounds) else { return false }
        // Then it misses the window only if that is wholly on one side of it.
        let sides = window.corners.map { line.along.cross(place($0) - line.start) }
        return sides.contains { $0 <= 0 } && sides.contains { $0 >= 0 }
    }

    /// True if part of an area is in the window.
    func shows(_ area: Polygon) -> Bool {
        shows(area.bounds)
            && (area.sides.contains { shows($0) } || area.contains(view.centre))
    }

    /// True if part of a circle, not only of its inside, is in the window.
    func showsCircle(about centre: Vector, radius: Double) -> Bool {
        let view = view
        let nearest = Vector(
            min(max(centre.x, view.low.x), view.high.x), min(max(centre.y, view.low.y), view.high.y)
        )
        let farthest = Vector(
            max(abs(view.low.x - centre.x), abs(view.high.x - centre.x)),
            max(abs(view.low.y - centre.y), abs(view.high.y - centre.y)))
        return nearest.distance(to: centre) <= radius && radius <= farthest.length
    }
}
