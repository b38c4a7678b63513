import FloorPlan
import Foundation
import Messages

/// A room as Apple's RoomPlan measured it (a `CapturedRoom` as JSON), in the coordinates of a plan,
/// before rounding: millimetres, x to the east and y to the north.
///
/// Each surface has a `transform` of 16 numbers, column by column, in metres with Y up: X is its
/// direction (0 to 2), Z its normal (8 to 10) and t its centre (12 to 14). In the plan the ends of
/// a wall are t ± X·width/2, seen from above as (x, -z). Walls are surfaces: they enclose the room,
/// and their lengths are clear lengths.
///
/// A curved wall has the ends of a straight one and a `curve` between them: its `center` is in the
/// wall's own X and Z, and its angles run from X to Z (Apple's documentation of
/// `CapturedRoom.Surface.Curve`).
package struct RoomScan: Hashable, Sendable {
    /// A wall's surface.
    package struct Surface: Hashable, Sendable {
        package let identifier: String
        package let start: Vector
        package let end: Vector
        /// Its height, in millimetres.
        package let height: Double
        /// True if the file calls it curved.
        let isCurved: Bool
        /// Its curve; nil if there is none, or if the curve in the file doesn't fit the ends.
        let arc: Arc?
        /// True if its outline isn't a rectangle.
        package let isSloped: Bool
        let path: String

        /// Its direction, counter-clockwise from east, in degrees.
        package var angle: Double { (end - start).angle / .pi * 180 }
    }

    /// A door, window or opening.
    package struct Hole: Hashable, Sendable {
        package let identifier: String
        /// The identifier of its wall; nil if the file doesn't have it.
        package let wall: String?
        package let kind: OpeningKind
        package let centre: Vector
        /// The distance of its centre from its wall's start, in millimetres; nil without a wall.
        package let offset: Double?
        /// The distance of its centre from its wall's surface, in millimetres; nil without a wall.
        package let aside: Double?
        package let width: Double
        package let height: Double
        /// The height of its lower edge above the floor, in millimetres.
        package let sill: Double
        let path: String
    }

    /// An object in the room.
    package struct Thing: Hashable, Sendable {
        package let identifier: String
        /// RoomPlan's name for it, such as `bed`.
        package let category: String
        package let centre: Vector
        /// Its angle, counter-clockwise in degrees.
        package let angle: Double
        package let width: Double
        package let depth: Double
        package let height: Double
        package let elevation: Double
        let path: String
    }

    package let walls: [Surface]
    package let holes: [Hole]
    package let things: [Thing]
    /// The outline of the floor if the file has it; otherwise empty.
    package let floor: [Vector]
    /// The named parts of the room.
    package let sections: [Section]

    /// The maximum number of parts: each outline is searched for each part.
    private static let mostSections = 1_000

    /// A part of the room with a name.
    package struct Section: Hashable, Sendable {
        package let label: String
        package let centre: Vector
    }

    /// Reads a scan.
    /// - Parameter story: The number of the storey; nil for the only one.
    /// - Throws: A refusal with the path of what is wrong.
    package init(
        _ bytes: [UInt8], named file: String, story: Int? = nil
    ) throws(Refusal) {
        try self.init(try JSONFile(bytes, named: file), story: story)
    }

    init(_ json: JSONFile, story: Int?) throws(Refusal) {
        let room = try json.decode(CapturedRoom.self)
        let stories = Set(room.walls.compactMap(\.story)).sorted()
        let choice = "say one with --level: " + stories.map(String.init).joined(separator: ", ")
        if let story {
            guard stories.contains(story) else {
                throw json.refusal(
                    "walls", "have no storey \(story)", choice)
            }
        } else if stories.count > 1 {
            throw json.refusal(
                "walls", "are of \(stories.count) storeys, and a plan is one",
                choice)
        }
        func here(
            _ surfaces: [CapturedRoom.Surface]?, _ name: String
        ) throws(Refusal) -> [Placed] {
            var placed: [Placed] = []
            for (index, surface) in (surfaces ?? []).enumerated() {
                guard story == nil || surface.story == nil || surface.story == story else {
                    continue
                }
                placed.append(try Placed(surface, "\(name)[\(index)]", json))
            }
            return placed
        }
        let scanned = try here(room.walls, "walls")
        let floors = try here(room.floors, "floors")
        let level =
            floors.map(\.middle.y).min() ?? scanned.map { $0.middle.y - $0.height / 2 }.min() ?? 0
        walls = scanned.map(\.wall)
        let byIdentifier = Dictionary(
            scanned.map { ($0.surface.identifier ?? "", $0) }, uniquingKeysWith: { one, _ in one })
        var holes: [Hole] = []
        for (surfaces, name, kind) in [
            (room.doors, "doors", OpeningKind.door), (room.windows, "windows", .window),
            (room.openings, "openings", .passage),
        ] {
            holes += try here(surfaces, name).map { placed in
                placed.hole(
                    kind, in: placed.surface.parentIdentifier.flatMap { byIdentifier[$0] }, level)
            }
        }
        self.holes = holes
        things = try here(room.objects, "objects").map { $0.thing(level) }
        floor = floors.first?.outline ?? []
        guard (room.sections ?? []).count <= Self.mostSections else {
            throw json.refusal(
                "sections", "are over \(Self.mostSections)", "scan the rooms one by one")
        }
        var sections: [Section] = []
        for (index, section) in (room.sections ?? []).enumerated()
        where story == nil || section.story == nil || section.story == story {
            guard section.center.count == 3 else {
                throw json.refusal(
                    "sections[\(index)].center", "has \(section.center.count) numbers",
                    "a place has 3")
            }
            let centre = Vector(section.center[0] * 1_000, -section.center[2] * 1_000)
            sections.append(Section(label: section.label, centre: centre))
        }
        self.sections = sections
    }

    /// A surface of the file with validated numbers, in millimetres.
    private struct Placed {
        let surface: CapturedRoom.Surface
        let path: String
        /// x to the east, y up, z to the south.
        let middle: (x: Double, y: Double, z: Double)
        let width: Double
        let height: Double
        let depth: Double

        init(_ surface: CapturedRoom.Surface, _ path: String, _ json: JSONFile) throws(Refusal) {
            self.surface = surface
            self.path = path
            guard surface.transform.count == 16 else {
                throw json.refusal(
                    "\(path).transform", "has \(surface.transform.count) numbers",
                    "a transform has 16")
            }
            guard surface.dimensions.count == 3 else {
                throw json.refusal(
                    "\(path).dimensions", "has \(surface.dimensions.count) numbers",
                    "a size has 3: width, height, depth")
            }
            let farthest = Double(FloorPlan.farthest) / 1_000
            guard surface.transform.allSatisfy({ abs($0) <= farthest }) else {
                throw json.refusal(
                    "\(path).transform", "is farther than 1 km", "lengths are in metres")
            }
            let largest = Double(FloorPlan.largest) / 1_000
            guard surface.dimensions.allSatisfy({ (0...largest).contains($0) }) else {
                throw json.refusal(
                    "\(path).dimensions", "has a size that isn't from 0 to \(Int(largest)) m",
                    "lengths are in metres")
            }
            let corners = surface.polygonCorners ?? []
            guard corners.allSatisfy({ $0.count > 1 && $0.allSatisfy { abs($0) <= largest } })
            else {
                throw json.refusal(
                    "\(path).polygonCorners", "has a corner that isn't within \(Int(largest)) m",
                    "each is two or three numbers in metres")
            }
            let m = surface.transform
            for column in [0, 4, 8] {
                let square = m[column...column + 2].reduce(0) { $0 + $1 * $1 }
                guard (0.8...1.2).contains(square) else {
                    throw json.refusal(
                        "\(path).transform", "isn't a turn and a move",
                        "its columns have the length 1")
                }
            }
            middle = (m[12] * 1_000, m[13] * 1_000, m[14] * 1_000)
            width = surface.dimensions[0] * 1_000
            height = surface.dimensions[1] * 1_000
            depth = surface.dimensions[2] * 1_000
        }

        var centre: Vector { Vector(middle.x, -middle.z) }
        var across: Vector { Vector(surface.transform[0], -surface.transform[2]) }

        var wall: Surface {
            // The corners of a surface that isn't a rectangle are relative to its centre, like the
            // ends.
            let corners = surface.polygonCorners ?? []
            let xs = corners.map { $0[0] * 1_000 }
            let from = xs.min() ?? -width / 2
            let to = xs.max() ?? width / 2
            let (start, end) = (centre + across * from, centre + across * to)
            return Surface(
                identifier: surface.identifier ?? "", start: start, end: end, height: height,
                isCurved: surface.curve != nil,
                arc: extent(from: start, to: end).flatMap { Arc(from: start, to: end, extent: $0) },
                isSloped: corners.count > 2, path: path)
        }

        /// How far the ends of a curve may be from its circle, in millimetres.
        private static let offCircle = 50.0
        /// How far its angles may be from those of its ends, in radians.
        private static let offAngle = 0.2

        /// The angle by which the curve turns left between two ends; nil if there is none that
        /// fits.
        private func extent(from start: Vector, to end: Vector) -> Double? {
            guard let curve = surface.curve, let local = curve.center, local.count == 2,
                let first = curve.startAngle?.radians, let last = curve.endAngle?.radians
            else { return nil }
            let normal = Vector(surface.transform[8], -surface.transform[10])
            func place(_ x: Double, _ z: Double) -> Vector {
                centre + (across * x + normal * z) * 1_000
            }
            let middle = place(local[0], local[1])
            let isOnCircle = [start, end].allSatisfy {
                abs($0.distance(to: middle) - curve.radius * 1_000) <= Self.offCircle
            }
            guard isOnCircle else { return nil }
            let turned = (end - middle).angle - (start - middle).angle
            let left = turned < 0 ? turned + 2 * .pi : turned
            // Of the two directions choose the one through the middle of the curve.
            let half = (first + last) / 2
            let top = place(
                local[0] + curve.radius * cos(half), local[1] + curve.radius * sin(half))
            let isOnRight = (end - start).cross(top - start) < 0
            let extent = isOnRight ? left : left - 2 * .pi
            return abs(abs(extent) - abs(last - first)) <= Self.offAngle ? extent : nil
        }

        func hole(_ kind: OpeningKind, in wall: Placed?, _ level: Double) -> Hole {
            let m = wall?.surface.transform
            func share(_ column: Int) -> Double? {
                guard let m, let wall else { return nil }
                return (middle.x - wall.middle.x) * m[column]
                    + (middle.y - wall.middle.y) * m[column + 1]
                    + (middle.z - wall.middle.z) * m[column + 2]
            }
            return Hole(
                identifier: surface.identifier ?? "", wall: wall?.surface.identifier, kind: kind,
                centre: centre,
                offset: share(0).map { along in
                    along + (wall.map { $0.centre - $0.wall.start }?.length ?? 0)
                },
                aside: share(8), width: width, height: height,
                sill: middle.y - height / 2 - level, path: path)
        }

        func thing(_ level: Double) -> Thing {
            Thing(
                identifier: surface.identifier ?? "", category: surface.category?.word ?? "",
                centre: centre, angle: across.angle / .pi * 180, width: width, depth: depth,
                height: height, elevation: middle.y - height / 2 - level, path: path)
        }

        /// The corners of a floor, which is in the plane of its X and Y.
        var outline: [Vector] {
            let m = surface.transform
            let up = Vector(m[4], -m[6])
            return (surface.polygonCorners ?? []).map {
                centre + across * ($0[0] * 1_000) + up * ($0[1] * 1_000)
            }
        }
    }
}

/// The part of RoomPlan's JSON that this program reads.
private struct CapturedRoom: Decodable {
    struct Surface: Decodable {
        let identifier: String?
        let category: Category?
        let dimensions: [Double]
        let transform: [Double]
        let parentIdentifier: String?
        let polygonCorners: [[Double]]?
        let curve: Curve?
        let story: Int?
    }

    /// An enum with values, as Swift encodes it: `{"wall": {}}`, or a bare word.
    struct Category: Decodable {
        let word: String

        private struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            do {
                let keys = try decoder.container(keyedBy: Key.self).allKeys
                word = keys.map(\.stringValue).min() ?? ""
            } catch DecodingError.typeMismatch {
                word = try decoder.singleValueContainer().decode(String.self)
            }
        }
    }

    struct Curve: Decodable {
        /// Files of RoomPlan's first version have none.
        let center: [Double]?
        let radius: Double
        let startAngle: Angle?
        let endAngle: Angle?
    }

    /// A `Measurement` as Foundation encodes it: a unit has the factor to degrees.
    struct Angle: Decodable {
        struct Unit: Decodable {
            struct Converter: Decodable { let coefficient: Double }

            let converter: Converter?
            let symbol: String
        }

        let value: Double
        let unit: Unit

        /// The angle in radians; nil in an unknown unit.
        var radians: Double? {
            if let converter = unit.converter { return value * converter.coefficient / 180 * .pi }
            switch unit.symbol {
            case "rad": return value
            case "°", "deg": return value / 180 * .pi
            default: return nil
            }
        }
    }

    struct Section: Decodable {
        let label: String
        let center: [Double]
        let story: Int?
    }

    let walls: [Surface]
    let doors: [Surface]?
    let windows: [Surface]?
    let openings: [Surface]?
    let objects: [Surface]?
    let floors: [Surface]?
    let sections: [Section]?
}
