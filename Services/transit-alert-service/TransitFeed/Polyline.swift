import Foundation

extension Feed {
    /// The line on the ground that a pattern follows.
    package struct Polyline: Equatable, Sendable {
        /// Its points, in the direction of travel.
        package let points: [Position]

        /// Its length in centimetres, the sum of the straight lines between its points.
        package let length: Int32

        /// Makes the line through points.
        package init(_ points: [Position]) {
            self.points = points
            var total = 0.0
            for (from, to) in zip(points, points.dropFirst()) {
                total += from.metres(to: to)
            }
            length = centimetres(total)
        }

        /// The distance of each point along the line, in metres.
        package var distances: [Double] {
            var total = 0.0
            var result = points.isEmpty ? [] : [0.0]
            for (from, to) in zip(points, points.dropFirst()) {
                total += from.metres(to: to)
                result.append(total)
            }
            return result
        }

        /// The packed line: latitude and longitude of each point, each as the signed difference
        /// from the previous point.
        package var packed: [UInt8] {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(points.count * 4)
            var last = Position(latitude: 0, longitude: 0)
            for point in points {
                let north = Int64(point.latitude) - Int64(last.latitude)
                let east = Int64(point.longitude) - Int64(last.longitude)
                Varint.append(signed: north, to: &bytes)
                Varint.append(signed: east, to: &bytes)
                last = point
            }
            return bytes
        }

        /// Unpacks a line; `nil` when it is damaged.
        package init?(unpacking bytes: [UInt8]) {
            let slice = bytes[...]
            var position = 0
            var points: [Position] = []
            var latitude: Int64 = 0
            var longitude: Int64 = 0
            while position < slice.endIndex {
                guard let north = Varint.readSigned(slice, &position),
                    let east = Varint.readSigned(slice, &position)
                else { return nil }
                latitude &+= north
                longitude &+= east
                guard latitude.magnitude <= 900_000_000, longitude.magnitude <= 1_800_000_000
                else { return nil }
                points.append(Position(latitude: Int32(latitude), longitude: Int32(longitude)))
            }
            self.init(points)
        }
    }
}

extension Feed.Position {
    /// The distance to a nearby position, in metres.
    ///
    /// Equirectangular: the east-west part is scaled by the cosine of the middle latitude. Compared
    /// with the great circle the error is less than 1 in 100,000 up to 10 km, away from the poles.
    package func metres(to other: Feed.Position) -> Double {
        let middle = (latitudeDegrees + other.latitudeDegrees) / 2 * .pi / 180
        let north = Double(Int64(other.latitude) - Int64(latitude)) * metresPerUnit
        let east = Double(eastward(to: other)) * metresPerUnit * cos(middle)
        return (north * north + east * east).squareRoot()
    }

    /// The difference in longitude, the shorter way around, in 1e-7 degrees.
    func eastward(to other: Feed.Position) -> Int64 {
        let difference = Int64(other.longitude) - Int64(longitude)
        if difference > 1_800_000_000 { return difference - 3_600_000_000 }
        if difference < -1_800_000_000 { return difference + 3_600_000_000 }
        return difference
    }
}

/// The length of 1e-7 degrees of a great circle in metres, for the mean radius of the earth,
/// 6,371,008.8 m (Moritz, "Geodetic Reference System 1980").
let metresPerUnit = 6_371_008.8 * Double.pi / 180 / 1e7

/// Metres as whole centimetres, clamped to 32 bits (21,474 km).
func centimetres(_ metres: Double) -> Int32 {
    Int32(min(max(0, (metres * 100).rounded()), Double(Int32.max)))
}
