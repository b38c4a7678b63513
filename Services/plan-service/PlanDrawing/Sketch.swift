import FloorPlan
import Messages
import Papers
import Phrases

/// A drawing in progress: what has been drawn in each layer, and where there is still room for
/// texts.
struct Sketch {
    /// The layers of a plan, from the back to the front.
    enum Layer: Int, CaseIterable {
        case rooms
        case elements
        case circles
        case walls
        case openings
        case corners
        case dimensions
        case route
        case labels
        case findings
    }

    let plan: FloorPlan
    /// The outlines of the rooms.
    let rooms: [Polygon]
    /// Where they are in the plan.
    let roomIndex: SpatialIndex
    /// The elements as obstacles on the sheet, in the order in which they are drawn.
    let things: [Obstacle]
    /// Where they are in the plan.
    let thingIndex: SpatialIndex
    let options: PictureOptions
    let words: Words<DrawingPhrase>
    let sheet: Sheet
    let measures: PlanMeasures
    /// What is drawn in each layer, in the order of the layers.
    private var layers = [[Drawing.Mark]](repeating: [], count: Layer.allCases.count)
    var taken: Occupancy
    /// What the letters that replace names without room stand for. Numbers stand for findings.
    var keys: [(letter: String, name: String)] = []
    /// The signs that are drawn in the window and have to be explained.
    var signs: Set<Sign> = []

    /// A sign that the legend explains.
    enum Sign: Int, CaseIterable {
        case failure
        case chairFailure
        case doubt
        case reached
        case notReached
        case perhapsReached
        case tightDoor
        case perhapsTightDoor
        case route
        case turningCircle
        case freeWidth
        /// The threshold of an opening that nobody measured.
        case unmeasuredThreshold
        /// A door for which nobody said how it is hung.
        case unhungDoor
    }

    /// Sizes of letters on paper in millimetres.
    enum TextSize {
        static let room = 3.0
        static let area = 2.4
        static let label = 2.2
        /// Nothing is written smaller.
        static let small = 2.0
        static let dimension = 2.1
    }

    init(
        _ plan: FloorPlan, _ measures: PlanMeasures, _ options: PictureOptions, _ sheet: Sheet
    ) {
        self.plan = plan
        self.measures = measures
        self.options = options
        self.sheet = sheet
        words = Words<DrawingPhrase>(.of(options.language))
        taken = Occupancy(sheet.window)
        rooms = plan.rooms.values.map(\.polygon)
        var places = SpatialIndex(cell: 4_000)
        for (number, room) in rooms.enumerated() { places.put(number, at: room.bounds) }
        roomIndex = places
        let outlines = plan.order.compactMap { plan.elements[$0]?.outline }
        things = outlines.map {
            Obstacle(ConvexPolygon(hullOf: $0.corners.map { sheet.point($0).vector }))
        }
        var index = SpatialIndex()
        for (number, outline) in outlines.enumerated() { index.put(number, at: outline.bounds) }
        thingIndex = index
    }

    mutating func add(
        _ path: Drawing.Path, _ pen: Drawing.Pen, to layer: Layer, item: String = ""
    ) {
        layers[layer.rawValue].append(Drawing.Mark(.path(path, pen), item: item))
    }

    mutating func add(_ marks: [Drawing.Mark], to layer: Layer) {
        layers[layer.rawValue] += marks
    }

    /// Adds a text. Its area counts as taken.
    mutating func add(
        _ text: Drawing.Text, to layer: Layer, item: String = "", onWhite: Bool = true
    ) {
        let box = text.box
        if onWhite { back(box, text, layer, item) }
        layers[layer.rawValue].append(Drawing.Mark(.text(text), item: item))
        taken.take(box)
    }

    /// Covers what is behind a text, so that it shows through only a little.
    private mutating func back(
        _ box: Drawing.Box, _ text: Drawing.Text, _ layer: Layer, _ item: String
    ) {
        let corners =
            text.turn == 0 || text.turn == -90
            ? box.corners : text.turnedCorners
        add(
            Drawing.Path(corners, isClosed: true),
            Drawing.Pen(fill: .white, opacity: 0.78), to: layer, item: item)
    }

    /// The letter of the next key: a to z, then aa and so on.
    var nextLetter: String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz").map(String.init)
        let (more, last) = keys.count.quotientAndRemainder(dividingBy: letters.count)
        return (more > 0 ? letters[(more - 1) % letters.count] : "") + letters[last]
    }

    /// The parts of the finished drawing, back to front.
    var parts: [Drawing.Part] {
        Layer.allCases.compactMap { layer in
            let marks = layers[layer.rawValue]
            guard !marks.isEmpty else { return nil }
            return Drawing.Part("\(layer)", clip: sheet.window, marks: marks)
        }
    }
}

extension Drawing.Text {
    /// About the height of capital letters, as a fraction of the size.
    static let capital = 0.73

    /// The upright box that it covers, with a little space around it.
    var box: Drawing.Box {
        let (low, high) = corners
        guard turn != 0 else {
            return Drawing.Box(
                x: place.x + low.x, y: place.y + low.y, width: high.x - low.x,
                height: high.y - low.y)
        }
        let rotation = Vector(angle: turn / 180 * .pi)
        func turned(_ x: Double, _ y: Double) -> Drawing.Point {
            place + Vector(x, y).turned(by: rotation)
        }
        let (a, b) = (turned(low.x, low.y), turned(high.x, low.y))
        let (c, d) = (turned(high.x, high.y), turned(low.x, high.y))
        let (left, right) = (
            min(min(a.x, b.x), min(c.x, d.x)), max(max(a.x, b.x), max(c.x, d.x))
        )
        let (top, bottom) = (
            min(min(a.y, b.y), min(c.y, d.y)), max(max(a.y, b.y), max(c.y, d.y))
        )
        return Drawing.Box(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// The corners of its box, rotated as it is.
    var turnedCorners: [Drawing.Point] {
        let (low, high) = corners
        let rotation = Vector(angle: turn / 180 * .pi)
        return [low, Vector(high.x, low.y), high, Vector(low.x, high.y)].map {
            let turned = $0.turned(by: rotation)
            return Drawing.Point(place.x + turned.x, place.y + turned.y)
        }
    }

    /// The upper left and the lower right corner, relative to its place, before rotation.
    private var corners: (Vector, Vector) {
        let length = length
        let begin =
            switch anchor {
            case .start: 0.0
            case .middle: -length / 2
            case .end: -length
            }
        return (Vector(begin - 0.3, -size * 0.82), Vector(begin + length + 0.3, size * 0.26))
    }
}

extension Drawing.Box {
    var corners: [Drawing.Point] {
        [
            Drawing.Point(x, y), Drawing.Point(x + width, y),
            Drawing.Point(x + width, y + height), Drawing.Point(x, y + height),
        ]
    }

    var middle: Drawing.Point { Drawing.Point(x + width / 2, y + height / 2) }

    /// True if something holds for each of its corners.
    func allCorners(_ holds: (Drawing.Point) -> Bool) -> Bool {
        holds(Drawing.Point(x, y)) && holds(Drawing.Point(x + width, y))
            && holds(Drawing.Point(x + width, y + height)) && holds(Drawing.Point(x, y + height))
    }

    /// The box, moved from the origin to another point.
    func moved(by point: Drawing.Point) -> Drawing.Box {
        Drawing.Box(x: point.x + x, y: point.y + y, width: width, height: height)
    }

    /// A box about a point.
    init(middle: Drawing.Point, width: Double, height: Double) {
        self.init(
            x: middle.x - width / 2, y: middle.y - height / 2, width: width, height: height)
    }
}

extension Drawing.Point {
    static func + (point: Drawing.Point, way: Vector) -> Drawing.Point {
        Drawing.Point(point.x + way.x, point.y + way.y)
    }

    /// The vector from another point to this one.
    static func - (a: Drawing.Point, b: Drawing.Point) -> Vector { Vector(a.x - b.x, a.y - b.y) }
}
