import Messages
import RideTracking

extension Fix {
    /// A position as transit-alert-service expects it. A measurement that can't be one is left out.
    ///
    /// - Parameter time: when it was measured, in milliseconds since 1970 on the journey's clock;
    ///   nil for the time that it says.
    package init(_ fix: RideFix, at time: Int64? = nil) {
        self.init(
            time: time ?? fix.time,
            place: Coordinate(latitude: fix.position.latitude, longitude: fix.position.longitude),
            accuracy: fix.accuracy.flatMap { Self.whole($0, 10) },
            speed: fix.speed.flatMap { Self.whole($0, 100) })
    }

    /// Whether it is too coarse to count.
    package var isTooCoarse: Bool {
        RideFix(time: time, latitude: 0, longitude: 0, accuracy: accuracy.map { Double($0) / 10 })
            .isTooCoarse
    }

    /// A measurement in the integer units of the message; nil when it is below 0 or no number.
    private static func whole(_ value: Double, _ units: Double) -> UInt32? {
        let whole = (value * units).rounded()
        return whole >= 0 ? UInt32(min(whole, Double(UInt32.max))) : nil
    }
}

extension Coordinate {
    /// A place in degrees, which must be on earth.
    package init(latitude: Double, longitude: Double) {
        self.init(
            latitudeE7: Int32((latitude * 1e7).rounded()),
            longitudeE7: Int32((longitude * 1e7).rounded()))
    }
}

extension RideFix {
    /// The age from which a position says nothing about where the vehicle is now, in milliseconds.
    package static let oldest: Int64 = 600_000
}
