/// What a file doesn't say about itself. What it does say counts.
package struct PlanFileOptions: Hashable, Sendable {
    /// A unit of length.
    package enum Unit: String, Hashable, Sendable, CaseIterable {
        case centimetres = "cm"
        case millimetres = "mm"

        var millimetres: Double { self == .centimetres ? 10 : 1 }
    }

    /// What the origin point of a rectangle is.
    package enum Origin: String, Hashable, Sendable, CaseIterable {
        case centre
        /// The corner with the smallest coordinates before it is turned about its centre.
        case corner
    }

    /// The sense in which an angle grows.
    package enum Rotation: String, Hashable, Sendable, CaseIterable {
        case counterClockwise = "counter-clockwise"
        case clockwise
    }

    /// Where y grows to.
    package enum Axis: String, Hashable, Sendable, CaseIterable {
        case north
        /// Down the screen.
        case south
    }

    /// Of BoligApp's XML; Sweet Home 3D, RoomPlan and native files have a unit of their own.
    package var unit = Unit.centimetres
    /// Of the rectangles of BoligApp's XML.
    package var origin = Origin.centre
    /// Of the angles of BoligApp's XML.
    package var rotation = Rotation.counterClockwise
    /// Of BoligApp's XML.
    package var y = Axis.north
    /// The storey, by name or id, of a file that has several.
    package var level: String?
    /// The thickness of walls that the file knows no thickness of, in millimetres: nil for 100 in
    /// scans and panoramas, whose walls are surfaces, and 0 in BoligApp's XML, whose walls are
    /// lines.
    package var wallThickness: UInt32?

    package init() {}
}
