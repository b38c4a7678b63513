/// Facts about a file that it may not state itself. If the file states one, the option is ignored.
package struct PlanFileOptions: Hashable, Sendable {
    /// A unit of length.
    package enum Unit: String, Hashable, Sendable, CaseIterable {
        case centimetres = "cm"
        case millimetres = "mm"

        var millimetres: Double { self == .centimetres ? 10 : 1 }
    }

    /// The meaning of a rectangle's origin point.
    package enum Origin: String, Hashable, Sendable, CaseIterable {
        case centre
        /// The corner with the smallest coordinates, before the rectangle is turned about its
        /// centre.
        case corner
    }

    /// The direction in which angles increase.
    package enum Rotation: String, Hashable, Sendable, CaseIterable {
        case counterClockwise = "counter-clockwise"
        case clockwise
    }

    /// The direction in which y increases.
    package enum Axis: String, Hashable, Sendable, CaseIterable {
        case north
        /// Down the screen.
        case south
    }

    /// The unit of BoligApp's XML; Sweet Home 3D, RoomPlan and native files have their own.
    package var unit = Unit.centimetres
    /// The origin of rectangles in BoligApp's XML.
    package var origin = Origin.centre
    /// The direction of angles in BoligApp's XML.
    package var rotation = Rotation.counterClockwise
    /// The direction of y in BoligApp's XML.
    package var y = Axis.north
    /// The storey, by name or id, to read from a file that has several.
    package var level: String?
    /// The thickness of walls for which the file has none, in millimetres; nil means 100 in scans
    /// and panoramas, whose walls are surfaces, and 0 in BoligApp's XML, whose walls are lines.
    package var wallThickness: UInt32?

    package init() {}
}
