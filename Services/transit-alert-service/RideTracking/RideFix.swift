import Foundation

/// The position of the vehicle, or of a phone on it, at one moment.
package struct RideFix: Hashable, Sendable, Codable {
    /// Milliseconds since 1970.
    package var time: Int64
    package var position: Position
    /// The radius in metres within which the true position is with about 68 % probability; nil if
    /// unknown.
    package var accuracy: Double?
    /// The ground speed in metres per second; nil if unknown.
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
