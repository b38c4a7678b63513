import Pictures

/// A picture made of lines, areas, texts and images, independent of a format: the same drawing
/// becomes SVG, PDF and PNG. Lengths are millimetres on paper, x to the right and y down from the
/// upper left corner.
package struct Drawing: Hashable, Sendable {
    package var width: Double
    package var height: Double
    /// The title, which also serves people who can't see the drawing.
    package var title: String
    /// The parts, from the back to the front.
    package var parts: [Part]

    package init(width: Double, height: Double, title: String, parts: [Part] = []) {
        self.width = width
        self.height = height
        self.title = title
        self.parts = parts
    }

    /// A position on the paper.
    package struct Point: Hashable, Sendable {
        package var x: Double
        package var y: Double

        package init(_ x: Double, _ y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// An upright rectangle.
    package struct Box: Hashable, Sendable {
        package var x: Double
        package var y: Double
        package var width: Double
        package var height: Double

        package init(x: Double, y: Double, width: Double, height: Double) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }

    /// Marks that belong together, such as a layer of a plan.
    package struct Part: Hashable, Sendable {
        /// The name of the layer: lower-case letters.
        package var name: String
        /// The rectangle outside of which nothing is shown; nil for no limit.
        package var clip: Box?
        package var marks: [Mark]

        package init(_ name: String, clip: Box? = nil, marks: [Mark] = []) {
            self.name = name
            self.clip = clip
            self.marks = marks
        }
    }

    /// One drawn element.
    package struct Mark: Hashable, Sendable {
        /// The form of a mark.
        package enum Shape: Hashable, Sendable {
            case path(Path, Pen)
            case text(Text)
            case image(Image)
        }

        package var shape: Shape
        /// The id of the object that it shows; empty for none.
        package var item: String

        package init(_ shape: Shape, item: String = "") {
            self.shape = shape
            self.item = item
        }
    }

    /// Lines and curves, possibly several after each other.
    package struct Path: Hashable, Sendable {
        /// A segment of a path.
        package enum Step: Hashable, Sendable {
            case move(Point)
            case line(Point)
            /// A cubic Bézier curve: two control points and its end.
            case curve(Point, Point, Point)
            case close
        }

        package var steps: [Step]

        package init(_ steps: [Step] = []) { self.steps = steps }

        /// Makes straight lines through points.
        package init(_ points: [Point], isClosed: Bool) {
            steps = []
            steps.reserveCapacity(points.count + 1)
            for point in points { steps.append(steps.isEmpty ? .move(point) : .line(point)) }
            if isClosed { steps.append(.close) }
        }
    }

    /// How a path is drawn.
    package struct Pen: Hashable, Sendable {
        /// The colour of its line; nil for none.
        package var stroke: Colour?
        /// The width of the line.
        package var width: Double
        /// The lengths of dashes and gaps; empty for a solid line.
        package var dash: [Double]
        /// The colour of its area; nil for none.
        package var fill: Colour?
        /// The opacity of the area's colour, from 0 to 1.
        package var opacity: Double

        package init(
            stroke: Colour? = nil, width: Double = 0.18, dash: [Double] = [], fill: Colour? = nil,
            opacity: Double = 1
        ) {
            self.stroke = stroke
            self.width = width
            self.dash = dash
            self.fill = fill
            self.opacity = opacity
        }
    }

    /// An image made of pixels.
    package struct Image: Hashable, Sendable {
        package var raster: Raster
        /// The box in which it is drawn, centred and as large as it fits without being distorted.
        package var box: Box

        package init(_ raster: Raster, in box: Box) {
            self.raster = raster
            self.box = box
        }

        /// The part of the box that the image fills.
        package var frame: Box {
            let scale = min(box.width / Double(raster.width), box.height / Double(raster.height))
            let width = Double(raster.width) * scale
            let height = Double(raster.height) * scale
            return Box(
                x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2,
                width: width, height: height)
        }
    }

    /// A line of text.
    package struct Text: Hashable, Sendable {
        /// The part of the text that is at its position.
        package enum Anchor: Hashable, Sendable {
            case start
            case middle
            case end
        }

        package let words: String
        /// The width of the words in thousandths of the size, when they aren't bold: measured once,
        /// because a text is tried in many places.
        let thousandths: Int
        /// A point on the baseline.
        package var place: Point
        /// The font size.
        package var size: Double
        package var anchor: Anchor
        package var isBold: Bool
        package var colour: Colour
        /// The rotation about its position, clockwise in degrees.
        package var turn: Double

        package init(
            _ words: String, at place: Point, size: Double, anchor: Anchor = .start,
            isBold: Bool = false, colour: Colour = .black, turn: Double = 0
        ) {
            self.words = words
            thousandths = Self.thousandths(of: words)
            self.place = place
            self.size = size
            self.anchor = anchor
            self.isBold = isBold
            self.colour = colour
            self.turn = turn
        }
    }
}
