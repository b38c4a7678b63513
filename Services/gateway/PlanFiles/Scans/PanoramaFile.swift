import FloorPlan
import Foundation
import Messages

/// A room marked in a panorama: the corners of its floor as pixels of an equirectangular picture,
/// taken with a nearly level camera at a known height.
///
/// ```json
/// {
///   "panorama": 1,
///   "name": "Bathroom",
///   "use": "bathroom",
///   "image": {"width": 4096, "height": 2048},
///   "cameraHeight": 1500,
///   "corners": [
///     {"u": 540, "v": 1509, "ceiling": 694},
///     {"u": 3316, "v": 1325},
///     {"u": 2683, "v": 1296},
///     {"u": 1680, "v": 1407}
///   ],
///   "openings": [
///     {"kind": "door", "wall": 1, "from": {"u": 3529, "v": 1494}, "to": {"u": 3374, "v": 1380}}
///   ],
///   "taped": [{"wall": 1, "length": 4000}],
///   "deviation": {"pixels": 2, "cameraHeight": 10, "tilt": 0.3}
/// }
/// ```
///
/// | Field | Meaning |
/// |---|---|
/// | `panorama` | the version of this format, 1 |
/// | `name`, `use` | of the room; may be left out |
/// | `image` | pixels across and down; across is twice down |
/// | `cameraHeight` | millimetres from the floor to the lens |
/// | `ceilingHeight` | millimetres, where it was taped; otherwise it follows from `ceiling` |
/// | `corners` | 3 to 200 in order, either way round; pixels from 0 at the upper left, `v` down |
/// | `corners[].v` | the foot of the corner; may be left out where `ceiling` is marked and the height of the ceiling is known |
/// | `corners[].ceiling` | the row of the corner's upper end, in the same column |
/// | `openings[].kind` | `door`, `slidingDoor`, `window` or `passage` |
/// | `openings[].wall` | 1 is the wall from the first corner to the second |
/// | `openings[].from`, `to` | its two edges; `u` places them in the wall, `v` is the lower edge of a window and may be left out |
/// | `openings[].top` | the row of its upper edge at `from`; may be left out |
/// | `openings[].label` | its name; may be left out |
/// | `taped` | walls whose length was measured: one gives the scale of all, several also show how the camera was tilted; one that contradicts the others is reported |
/// | `deviation` | one standard deviation of a marked pixel, of the camera's height in millimetres and of its level in degrees; 2, 10 and 0.3 when left out |
///
/// The plan's origin is below the camera, and north is the middle of the picture. Twice the largest
/// standard deviation of a wall's length becomes the plan's tolerance.
package struct PanoramaFile: Decodable, Sendable {
    struct Pixels: Decodable {
        let width: Double
        let height: Double
    }

    struct Corner: Decodable {
        let u: Double
        let v: Double?
        let ceiling: Double?
    }

    struct Edge: Decodable {
        let u: Double
        let v: Double?
    }

    struct Hole: Decodable {
        let kind: String
        let wall: Int
        let from: Edge
        let to: Edge
        let top: Double?
        let label: String?
    }

    struct Taped: Decodable {
        let wall: Int
        let length: Double
    }

    struct Deviation: Decodable {
        let pixels: Double?
        let cameraHeight: Double?
        let tilt: Double?
    }

    /// The version that this program reads.
    static let version = 1

    let panorama: Int
    let name: String?
    let use: String?
    let image: Pixels
    let cameraHeight: Double
    let ceilingHeight: Double?
    let corners: [Corner]
    let openings: [Hole]?
    let taped: [Taped]?
    let deviation: Deviation?
}
