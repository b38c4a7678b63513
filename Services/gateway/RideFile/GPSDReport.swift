import Foundation
import RideTracking
import Texts

/// Reads positions from the reports of gpsd: its object TPV, a line of JSON.
package enum GPSDReport {
    /// The command that makes gpsd report.
    package static let watch = "?WATCH={\"enable\":true,\"json\":true};\n"
    /// The longest report, in bytes: gpsd's own limit.
    package static let longestReport = 10_240

    private struct TPV: Decodable {
        let `class`: String
        let mode: Int?
        let time: String?
        let lat: Double?
        let lon: Double?
        let speed: Double?
        let eph: Double?
        let epx: Double?
        let epy: Double?
    }

    /// The position in a report; nil for any other, and for one without a valid position.
    package static func read(_ report: String) -> RideFix? {
        guard report.utf8.count <= longestReport, MarkRun.permits(json: Array(report.utf8)),
            report.contains("\"TPV\"")
        else { return nil }
        let value: TPV
        do { value = try JSONDecoder().decode(TPV.self, from: Data(report.utf8)) } catch {
            return nil
        }
        guard value.class == "TPV", (value.mode ?? 0) >= 2, let latitude = value.lat,
            let longitude = value.lon, (-90...90).contains(latitude),
            (-180...180).contains(longitude),
            let time = value.time.flatMap({ Timestamp.milliseconds($0[...]) })
        else { return nil }
        let sides = [value.epx, value.epy].compactMap(\.self)
        let error = value.eph ?? sides.max()
        return RideFix(
            time: time, latitude: latitude, longitude: longitude,
            accuracy: error.flatMap { (0...1_000_000).contains($0) ? $0 : nil },
            speed: value.speed.flatMap { (0...1_000).contains($0) ? $0 : nil })
    }
}
