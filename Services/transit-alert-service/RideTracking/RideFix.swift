import Foundation

/// Where the vehicle, or the phone on it, was at one moment.
package struct RideFix: Hashable, Sendable, Codable {
    /// Milliseconds since 1970.
    package var time: Int64
    package var position: Position
    /// Radius in metres in which the true place lies with about 68 %; nothing when not told.
    package var accuracy: Double?
    /// Metres per second over ground; nothing when not told.
    package var speed: Double?

    package init(
        time: Int64, latitude: Double, longitude: Double, accuracy: Double? = nil,
        speed: Double? = nil
    ) {
        self.time = time
        position = Position(latitude: latitude, longitude: longitude)
        self.accuracy = accuracy
        self.speed = speed
    }
}
