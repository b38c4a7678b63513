import FloorPlan
import Messages
import Papers

/// How to draw a plan.
package struct PictureOptions: Hashable, Sendable {
    /// How much smaller than the home its picture is.
    package enum Scale: Hashable, Sendable {
        /// 1:50, or the next scale at which the plan fits on A4 or A3. A part of a plan is drawn as
        /// large as fits.
        case automatic
        /// The same, but 1:20 where the whole plan fits at that scale.
        case detailed
        /// As large as fits on the paper, at any scale.
        case fit
        /// One millimetre stands for this many.
        case oneTo(UInt32)
    }

    /// The unit of measures in the drawing. Areas are square metres.
    package enum Unit: String, CaseIterable, Hashable, Sendable {
        /// Whole centimetres.
        case centimetres = "cm"
        case millimetres = "mm"
    }

    /// The part of the plan that is visible.
    package struct Region: Hashable, Sendable {
        /// Its middle.
        package var centre: Vector
        /// From the left edge of the picture to the right, in millimetres of the plan.
        package var width: Double

        package init(centre: Vector, width: Double) {
            self.centre = centre
            self.width = width
        }

        /// The part that somebody looks at; nil for the whole plan.
        package init?(_ view: PlanView) {
            guard view.width > 0 else { return nil }
            self.init(centre: (view.centre ?? PlanPoint()).vector, width: Double(view.width))
        }
    }

    /// Nil for the whole plan.
    package var region: Region?
    package var scale: Scale
    /// Nil for A4, or a larger sheet if the plan needs one.
    package var paper: PaperSize?
    package var unit: Unit
    /// Whether to draw the chains of dimensions outside and the lengths inside rooms.
    package var dimensions: Bool
    /// Whether to label rooms and elements.
    package var labels: Bool
    /// Whether to mark the corners of walls.
    package var corners: Bool
    /// ISO 639-1: `en`, `nb` or `sv`; any other is drawn in English.
    package var language: String
    /// The date in the title block, as it is printed; empty for none.
    package var date: String
    /// The revision of the plan in the title block; 0 for none.
    package var revision: UInt64
    /// Pixels per millimetre of a PNG; 6 are 152 dots per inch.
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
