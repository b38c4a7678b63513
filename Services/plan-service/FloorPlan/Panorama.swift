import Foundation

/// A picture all around in equirectangular projection, taken with a level camera at a known height:
/// what is on the floor can be measured in it (single-view metrology).
///
/// For the centre of pixel (u, v): heading φ = 2π((u+½)/W − ½), elevation ϑ = π(½ − (v+½)/H). A
/// point of the floor is d = h/tan(−ϑ) away.
package struct Panorama: Hashable, Sendable {
    /// Pixels across and down.
    package let width: Double
    package let height: Double
    /// The camera's height above the floor, in millimetres.
    package let camera: Double

    package init(width: Double, height: Double, camera: Double) {
        self.width = width
        self.height = height
        self.camera = camera
    }

    /// The heading of a column, clockwise from the picture's middle, in radians.
    package func heading(_ u: Double) -> Double { 2 * .pi * ((u + 0.5) / width - 0.5) }

    /// The elevation of a row above the horizon, in radians.
    package func elevation(_ v: Double) -> Double { .pi * (0.5 - (v + 0.5) / height) }

    /// The place on the floor that a pixel shows, from the camera, north where the picture's middle
    /// is; nothing when the pixel isn't below the horizon.
    package func floorPoint(_ u: Double, _ v: Double) -> Vector? {
        let below = -elevation(v)
        guard below > 0 else { return nil }
        return place(u, distance: camera / tan(below))
    }

    /// The height of the ceiling above the floor, from a pixel of it above a place at a distance.
    package func ceilingHeight(_ v: Double, distance: Double) -> Double {
        camera + distance * tan(elevation(v))
    }

    /// The place of a corner whose foot is hidden, from its upper end at a ceiling of known height;
    /// nothing when the pixel isn't above the horizon.
    package func cornerBelow(_ u: Double, _ v: Double, ceiling: Double) -> Vector? {
        let above = elevation(v)
        guard above > 0, ceiling > camera else { return nil }
        return place(u, distance: (ceiling - camera) / tan(above))
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

    private func place(_ u: Double, distance: Double) -> Vector {
        let heading = heading(u)
        return Vector(distance * sin(heading), distance * cos(heading))
    }
}
