import FloorPlan
import Messages
import Papers

/// How a plan is to be drawn.
package struct PictureOptions: Hashable, Sendable {
    /// How much smaller than the home its picture is.
    package enum Scale: Hashable, Sendable {
        /// 1:50, or the next scale at which the plan fits on A4 or A3; a part of a plan as large
        /// as it fits.
        case automatic
        /// The same, but 1:20 where all of the plan fits at that.
        case detailed
        /// As large as it fits on the paper, at whatever scale that is.
        case fit
        /// One millimetre for so many.
        case oneTo(UInt32)
    }

    /// The unit of measures in the drawing. Areas are square metres.
    package enum Unit: String, CaseIterable, Hashable, Sendable {
        /// Whole centimetres.
        case centimetres = "cm"
        case millimetres = "mm"
    }

    /// The part of the plan that is seen.
    package struct Region: Hashable, Sendable {
        /// Its middle.
        package var centre: Vector
        /// From the left edge of the picture to the right, in millimetres of the plan.
        package var width: Double

        package init(centre: Vector, width: Double) {
            self.centre = centre
            self.width = width
        }

        /// What somebody looks at; nil when that is all of the plan.
        package init?(_ view: PlanView) {
            guard view.width > 0 else { return nil }
            self.init(centre: (view.centre ?? PlanPoint()).vector, width: Double(view.width))
        }
    }

    /// Nil for all of the plan.
    package var region: Region?
    package var scale: Scale
    /// Nil for A4, or a larger sheet when the plan needs one.
    package var paper: PaperSize?
    package var unit: Unit
    /// Whether the chains of dimensions outside and the lengths inside of rooms are drawn.
    package var dimensions: Bool
    /// Whether rooms and elements say what they are.
    package var labels: Bool
    /// Whether the corners of walls are marked.
    package var corners: Bool
    /// ISO 639-1: `en`, `nb` or `sv`; any other is drawn in English.
    package var language: String
    /// The date in the title block, as it is to be written; empty for none.
    package var date: String
    /// The revision of the plan in the title block; 0 for none.
    package var revision: UInt64
    /// Pixels in a millimetre of a PNG; 6 are 152 dots per inch.
    package var resolution: Double

    package init(
        region: Region? = nil, scale: Scale = .automatic, paper: PaperSize? = nil,
        unit: Unit = .centimetres, dimensions: Bool = true, labels: Bool = true,
        corners: Bool = true, language: String = "en", date: String = "", revision: UInt64 = 0,
        resolution: Double = 6
    ) {
        self.region = region
        self.scale = scale
        self.paper = paper
        self.unit = unit
        self.dimensions = dimensions
        self.labels = labels
        self.corners = corners
        self.language = language
        self.date = date
        self.revision = revision
        self.resolution = resolution
    }
}
