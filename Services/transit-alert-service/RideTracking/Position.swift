import Foundation

/// A point on the earth: degrees north and degrees east, WGS 84.
package struct Position: Hashable, Sendable, Codable {
    package var latitude: Double
    package var longitude: Double

    package init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Whether both coordinates are within the earth's range.
    package var isOnEarth: Bool {
        (-90...90).contains(latitude) && (-180...180).contains(longitude)
    }

    /// Degrees east that may be beyond the date line, or the shorter way from one longitude to
    /// another: from -180 to 180.
    package static func wrapped(_ degrees: Double) -> Double {
        degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees
    }

    /// The distance to another position in metres, as the crow flies, in the plane that touches the
    /// earth between the two (see `Projection`); accurate to 0.1 % within one ride.
    package func metres(to other: Position) -> Double {
        let middle = (latitude + other.latitude) / 2
        let projection = Projection(around: Position(latitude: middle, longitude: longitude))
        let point = projection.point(other)
        let start = projection.point(self)
        return
            ((point.x - start.x) * (point.x - start.x)
            + (point.y - start.y) * (point.y - start.y)).squareRoot()
    }
}

/// Metres east and north of an origin, in a plane that touches the earth there.
///
/// The local equirectangular projection: x = N(φ₀)·cos φ₀·Δλ, y = M(φ₀)·Δφ, where M and N are the
/// radii of curvature of the WGS 84 ellipsoid along the meridian and along the prime vertical
/// (Snyder, Map Projections: A Working Manual, USGS Professional Paper 1395, 1987, equations 4-18
/// and 4-20). Over 25 km from the origin the error of lengths is less than 0.7 % up to 60° of
/// latitude, far less than that of a timetable.
struct Projection: Hashable, Sendable {
    struct Point: Hashable, Sendable {
        var x: Double
        var y: Double
    }

    private static let equatorialRadius = 6_378_137.0
    private static let eccentricitySquared = 0.006_694_379_990_14

    let origin: Position
    private let metresPerLatitude: Double
    private let metresPerLongitude: Double

    init(around origin: Position) {
        let radians = Double.pi / 180
        let sine = sin(origin.latitude * radians)
        let flattened = 1 - Self.eccentricitySquared * sine * sine
        let prime = Self.equatorialRadius / flattened.squareRoot()
        let meridian = prime * (1 - Self.eccentricitySquared) / flattened
        self.origin = origin
        metresPerLatitude = meridian * radians
        metresPerLongitude = prime * cos(origin.latitude * radians) * radians
    }

    /// Projects a position. A line across the date line stays in one piece, because the shorter way
    /// around is used.
    func point(_ position: Position) -> Point {
        Point(
            x: Position.wrapped(position.longitude - origin.longitude) * metresPerLongitude,
            y: (position.latitude - origin.latitude) * metresPerLatitude)
    }

    /// The position of a point. One beyond the date line has its longitude on that side.
    func position(_ point: Point) -> Position {
        Position(
            latitude: origin.latitude + point.y / metresPerLatitude,
            longitude: Position.wrapped(origin.longitude + point.x / metresPerLongitude))
    }
}
