import Foundation

/// A full panorama in equirectangular projection, taken with a camera at a known height, in which
/// places on the floor can be measured (single-view metrology).
///
/// For the centre of pixel (u, v): heading φ = 2π((u+½)/W − ½), elevation ϑ = π(½ − (v+½)/H). With
/// a level camera a point of the floor is d = h/tan(−ϑ) away; for a tilted camera the line of sight
/// is first rotated level.
package struct Panorama: Hashable, Sendable {
    /// Pixels across and down.
    package let width: Double
    package let height: Double
    /// The camera's height above the floor, in millimetres.
    package let camera: Double
    /// The direction in which the camera is tilted; its length is the angle in radians. Objects in
    /// that direction appear higher than they are.
    package let tilt: Vector

    package init(width: Double, height: Double, camera: Double, tilt: Vector = .zero) {
        self.width = width
        self.height = height
        self.camera = camera
        self.tilt = tilt
    }

    /// The heading of a column, clockwise from the picture's middle, in radians.
    package func heading(_ u: Double) -> Double { 2 * .pi * ((u + 0.5) / width - 0.5) }

    /// The elevation of a row above the horizon, in radians.
    package func elevation(_ v: Double) -> Double { .pi * (0.5 - (v + 0.5) / height) }

    /// The line of sight of a pixel as a unit vector: its part along the ground, and its part up.
    package func sight(_ u: Double, _ v: Double) -> (ground: Vector, up: Double) {
        let (heading, elevation) = (heading(u), elevation(v))
        let seen = Vector(sin(heading), cos(heading)) * cos(elevation)
        let (lean, angle) = (tilt.unit, tilt.length)
        let (along, up) = (seen.dot(lean), sin(elevation))
        let level = along * cos(angle) + up * sin(angle)
        return (seen + lean * (level - along), up * cos(angle) - along * sin(angle))
    }

    /// The place on the floor that a pixel shows, relative to the camera, with north in the middle
    /// of the picture; nil if the pixel isn't below the horizon.
    package func floorPoint(_ u: Double, _ v: Double) -> Vector? {
        let sight = sight(u, v)
        return sight.up < 0 ? sight.ground * (camera / -sight.up) : nil
    }

    /// The height of the ceiling above the floor, from a pixel of it above a place at a distance.
    package func ceilingHeight(_ u: Double, _ v: Double, distance: Double) -> Double {
        let sight = sight(u, v)
        return camera + distance * sight.up / sight.ground.length
    }

    /// The place of a corner whose foot is hidden, from its upper end at a ceiling of known height;
    /// nil if the pixel isn't above the horizon.
    package func cornerBelow(_ u: Double, _ v: Double, ceiling: Double) -> Vector? {
        let sight = sight(u, v)
        guard sight.up > 0, ceiling > camera else { return nil }
        return sight.ground * ((ceiling - camera) / sight.up)
    }

    /// How uncertain a place on the floor is: one standard deviation along the line of sight and
    /// across it, in millimetres. `pixels` is the deviation of a marked pixel, `cameraHeight` that
    /// of the camera's height in millimetres, `tilt` that of its level in radians.
    package func deviation(
        atDistance distance: Double, pixels: Double, cameraHeight: Double = 0, tilt: Double = 0
    ) -> (along: Double, across: Double) {
        let perRadian = (distance * distance + camera * camera) / camera
        let along = [
            perRadian * .pi / height * pixels, distance / camera * cameraHeight, perRadian * tilt,
        ]
        return (
            along.reduce(0) { $0 + $1 * $1 }.squareRoot(), distance * 2 * .pi / width * pixels
        )
    }
}
