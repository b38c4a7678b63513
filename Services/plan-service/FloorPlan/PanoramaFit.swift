import Foundation

/// The camera of a ``Panorama`` from taped lengths: its height, which is the scale of everything,
/// and its tilt, by weighted least squares (Gauss and Newton).
///
/// The height is free; the tilt, two angles, is kept near level with the deviation that a camera is
/// likely to have, so that a single length gives only the scale. The residuals' cofactors reveal a
/// misread length (W. Baarda, “A testing procedure for use in geodetic networks”, 1968): its
/// residual divided by its own deviation is the largest.
package struct PanoramaFit: Sendable {
    /// A length between two of the measured places.
    package struct Length: Sendable {
        package let from: Int
        package let to: Int
        /// The taped length, in millimetres.
        package let taped: Double
        /// One standard deviation of it and of its ends in the picture, in millimetres.
        package let deviation: Double

        package init(from: Int, to: Int, taped: Double, deviation: Double) {
            self.from = from
            self.to = to
            self.taped = taped
            self.deviation = deviation
        }
    }

    /// How a taped length agrees with the picture and the other lengths.
    package struct Agreement: Sendable {
        /// The length that follows from all others, in millimetres.
        package let expected: Double
        /// The residual in its own standard deviations; 0 if no other measurement determines the
        /// length.
        package let residual: Double
    }

    /// The picture with the fitted camera.
    package let picture: Panorama
    /// One standard deviation of the remaining tilt, in radians.
    package let tilt: Double
    /// The agreement of each length.
    package let agreements: [Agreement]

    /// The logarithm of the factor of the camera's height, and the tilt.
    private typealias Unknowns = SIMD3<Double>

    /// Fits the camera.
    /// - Parameters:
    ///   - tilt: One standard deviation of the camera's tilt, in radians.
    ///   - places: Returns the places measured in a picture; nil if the picture doesn't show one of
    ///     them.
    /// - Returns: Nil if no camera fits.
    package static func of(
        _ picture: Panorama, _ lengths: [Length], tilt: Double,
        places: (Panorama) -> [Vector]?
    ) -> PanoramaFit? {
        func camera(_ unknowns: Unknowns) -> Panorama {
            Panorama(
                width: picture.width, height: picture.height,
                camera: picture.camera * exp(unknowns.x),
                tilt: Vector(unknowns.y, unknowns.z))
        }
        func measured(_ unknowns: Unknowns) -> [Double]? {
            places(camera(unknowns)).map { places in
                lengths.map { places[$0.from].distance(to: places[$0.to]) }
            }
        }
        let held = 1 / max(tilt * tilt, 1e-12)
        var unknowns = Unknowns.zero
        for _ in 0..<rounds {
            guard let equations = Equations(lengths, at: unknowns, held: held, measured) else {
                return nil
            }
            let change = equations.change
            if size(of: change) < 1e-7 {
                return PanoramaFit(
                    picture: camera(unknowns), tilt: equations.tilt,
                    agreements: lengths.indices.map { equations.agreement($0, lengths[$0]) })
            }
            unknowns += change
            guard size(of: unknowns) < 1 else { return nil }
        }
        return nil
    }

    private static let rounds = 20

    private static func size(of unknowns: Unknowns) -> Double {
        max(abs(unknowns.x), abs(unknowns.y), abs(unknowns.z))
    }

    /// The normal equations of one iteration.
    private struct Equations {
        /// The lengths in the picture.
        private let seen: [Double]
        /// How they change with the unknowns.
        private var slopes: [Unknowns]
        /// The cofactors of the unknowns.
        private let inverse: [Unknowns]
        /// The change of the unknowns.
        let change: Unknowns

        /// The step for computing slopes.
        private static let step = 1e-5

        init?(
            _ lengths: [Length], at unknowns: Unknowns, held: Double,
            _ measured: (Unknowns) -> [Double]?
        ) {
            guard let seen = measured(unknowns) else { return nil }
            self.seen = seen
            slopes = lengths.map { _ in .zero }
            for index in 0..<3 {
                var beside = unknowns
                beside[index] += Self.step
                guard let there = measured(beside) else { return nil }
                for number in lengths.indices {
                    slopes[number][index] = (there[number] - seen[number]) / Self.step
                }
            }
            var normal = [Unknowns.zero, Unknowns(0, held, 0), Unknowns(0, 0, held)]
            var right = Unknowns(0, -held * unknowns.y, -held * unknowns.z)
            for (number, length) in lengths.enumerated() {
                let weighed = slopes[number] / (length.deviation * length.deviation)
                for index in 0..<3 { normal[index] += weighed * slopes[number][index] }
                right += weighed * (length.taped - seen[number])
            }
            guard let inverse = Self.inverse(of: normal) else { return nil }
            self.inverse = inverse
            change = Self.product(inverse, right)
        }

        /// One standard deviation of the tilt.
        var tilt: Double { max(inverse[1].y, inverse[2].z).squareRoot() }

        func agreement(_ number: Int, _ length: Length) -> Agreement {
            let variance = length.deviation * length.deviation
            let known = (slopes[number] * Self.product(inverse, slopes[number])).sum()
            // The share of the length that the others determine.
            let share = 1 - known / variance
            guard share > 1e-6 else { return Agreement(expected: length.taped, residual: 0) }
            let residual = seen[number] - length.taped
            return Agreement(
                expected: length.taped + residual / share,
                residual: residual / (variance * share).squareRoot())
        }

        private static func product(_ rows: [Unknowns], _ column: Unknowns) -> Unknowns {
            Unknowns(
                (rows[0] * column).sum(), (rows[1] * column).sum(), (rows[2] * column).sum())
        }

        /// The inverse of a symmetric matrix; nil if it has none.
        private static func inverse(of rows: [Unknowns]) -> [Unknowns]? {
            func cross(_ a: Unknowns, _ b: Unknowns) -> Unknowns {
                Unknowns(
                    a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
            }
            let first = cross(rows[1], rows[2])
            let determinant = (rows[0] * first).sum()
            guard determinant.isNormal else { return nil }
            return [first, cross(rows[2], rows[0]), cross(rows[0], rows[1])]
                .map { $0 / determinant }
        }
    }
}
