import Foundation
import RideTracking
import Texts

/// Reads positions from the messages of OwnTracks, a program for telephones: JSON with the
/// `_type` `location` (the OwnTracks booklet, chapter “JSON”).
package enum OwnTracksReport: Equatable {
    /// Where the phone was.
    case position(RideFix)
    /// A message that only a key can read.
    case encrypted
    /// Any other message, such as a waypoint or a card.
    case other

    /// The longest message, in bytes. A location has a few hundred; a card may have a picture.
    package static let longest = 64 << 10
    private static let metresPerSecondPerKilometre = 1_000.0 / 3_600
    /// The end of the year 9999, in seconds since 1970.
    private static let latest: Int64 = 253_402_300_799

    private struct Location: Decodable {
        let type: String
        let latitude: Double?
        let longitude: Double?
        let time: Double?
        let accuracy: Double?
        let speed: Double?

        enum CodingKeys: String, CodingKey {
            case type = "_type"
            case latitude = "lat"
            case longitude = "lon"
            case time = "tst"
            case accuracy = "acc"
            case speed = "vel"
        }
    }

    /// Reads a message. One that isn't valid is ``other``.
    package static func read(_ message: [UInt8]) -> OwnTracksReport {
        guard message.count <= longest, MarkRun.permits(json: message) else { return .other }
        let value: Location
        do { value = try JSONDecoder().decode(Location.self, from: Data(message)) } catch {
            return .other
        }
        if value.type == "encrypted" { return .encrypted }
        guard value.type == "location", let latitude = value.latitude,
            let longitude = value.longitude, let time = value.time,
            (-90...90).contains(latitude), (-180...180).contains(longitude),
            (1...Double(latest)).contains(time)
        else { return .other }
        return .position(
            RideFix(
                time: Int64(time * 1_000), latitude: latitude, longitude: longitude,
                accuracy: value.accuracy.flatMap { (0...1_000_000).contains($0) ? $0 : nil },
                // Without a measurement it is -1.
                speed: value.speed.flatMap { (0...3_600).contains($0) ? $0 : nil }
                    .map { $0 * metresPerSecondPerKilometre }))
    }
}
