import Foundation
import TestSupport
import Testing

@testable import FloorPlan

/// Figures of real plans, if available, and of closed formulas.
struct RealPlanTests {
    static let folder = Recordings.folder("plan")
    static let isThere = folder != nil
    static let missing: Comment = "\(Recordings.variable) names no folder with plans"

    private static func read<Value: Decodable>(_ name: String) throws -> Value {
        let file = try #require(folder).appending(path: name)
        return try JSONDecoder().decode(Value.self, from: Data(contentsOf: file))
    }

    private struct Figures: Decodable {
        struct Circle: Decodable {
            let name: String
            let poly: [[Double]]
            let holes: [[[Double]]]?
            let r: Double?
            let d: Double?
        }
        struct Spin: Decodable {
            let w: Double
            let l: Double
            let square_side_min: Double
        }
        struct Pivot: Decodable {
            let w: Double
            let l: Double
            let axle_from_rear: Double
            let D: Double
        }
        struct Fit: Decodable {
            let box: [Double]?
            let name: String?
            let fits: Bool
            let max_scale: Double?
        }
        let max_inscribed_circle: [Circle]
        let spin_rectangle: [Spin]
        let pivot_circle_diameter: [Pivot]
        let rect_fit_1300x1800: [Fit]
    }

    @Test(.enabled(if: isThere, missing))
    func `every figure with a known formula is matched to within half a millimetre`() throws {
        let figures: Figures = try Self.read("geometry_test_vectors.json")
        func polygon(_ corners: [[Double]]) -> Polygon {
            Polygon(corners.map { Vector($0[0], $0[1]) })
        }
        for circle in figures.max_inscribed_circle {
            let floor = FreeSpace(
                areas: [polygon(circle.poly)], obstacles: (circle.holes ?? []).map(polygon))
            let found = try #require(floor.largestCircle(precision: 0.05)).radius
            let expected = circle.r ?? (circle.d ?? 0) / 2
            #expect(abs(found - expected) < 0.5, "\(circle.name)")
        }
        for spin in figures.spin_rectangle {
            let chair = Chair(width: spin.w, length: spin.l)
            #expect(abs(chair.spinSquare - spin.square_side_min) < 0.5)
        }
        for pivot in figures.pivot_circle_diameter {
            let chair = Chair(width: pivot.w, length: pivot.l)
            #expect(
                abs(chair.pivotDiameter(axleFromRear: pivot.axle_from_rear) - pivot.D) < 0.5)
        }
        let rectangle = FloorShape.rectangle(1_300, 1_800)
        for fit in figures.rect_fit_1300x1800 {
            let named = figures.max_inscribed_circle.first { $0.name == fit.name }
            let area =
                try fit.box.map { CircleTests.box($0[0], $0[1]) }
                ?? polygon(#require(named).poly)
            let floor = FreeSpace(areas: [area])
            #expect((floor.place(for: rectangle) != nil) == fit.fits)
            guard let scale = fit.max_scale else { continue }
            // 0.3 thousandths of 1800 mm are half a millimetre.
            #expect(floor.place(for: rectangle.scaled(by: scale - 0.000_6)) != nil)
            #expect(floor.place(for: rectangle.scaled(by: scale + 0.000_6)) == nil)
        }
    }

    @Test(.enabled(if: isThere, missing), arguments: [("r100", 43), ("r1000", 427)])
    func `the number of overlapping rectangles equals that of two other programs`(
        name: String, count: Int
    ) throws {
        let file = try #require(Self.folder).appending(path: "rects/\(name).txt")
        #expect(Self.pairs(try String(contentsOf: file, encoding: .utf8)) == count)
    }

    @Test(.enabled(if: isThere, missing))
    func `of 10,000 rectangles as many overlap as GEOS and two other programs find`() throws {
        let file = try #require(Self.folder).appending(path: "rects/r10000.txt.gz")
        let system = try System()
        let text = try withExtendedLifetime(system) {
            let gzip = try system.spawn(["/usr/bin/gzip", "-dc", file.path], environment: [:])
            #expect(try gzip.waitForEnd() == .exited(0))
            return gzip.out
        }
        #expect(Self.pairs(text) == 4_540)
    }

    /// The number of overlapping rectangles, each given as a line `x y angle halfWidth halfDepth`.
    static func pairs(_ text: String) -> Int {
        let rectangles = text.split(separator: "\n").dropFirst().map { line in
            let n = line.split(separator: " ").compactMap { Double($0) }
            return TurnedRectangle(
                centre: Vector(n[0], n[1]), width: 2 * n[3], depth: 2 * n[4], angle: n[2])
        }
        var index = SpatialIndex(cell: 2_000)
        for (number, rectangle) in rectangles.enumerated() {
            index.put(number, at: rectangle.bounds)
        }
        var pairs = 0
        for (number, rectangle) in rectangles.enumerated() {
            index.forEach(meeting: rectangle.bounds) {
                if $0 > number, rectangle.overlaps(rectangles[$0], tolerance: 0) { pairs += 1 }
            }
        }
        return pairs
    }

    private struct Picture: Decodable {
        struct Point: Decodable {
            let true_rel: [Double]
            let u_int: Double
            let v_int: Double
            let v_ceiling_int: Double
        }
        let image: [Double]
        let camera_height_mm: Double
        let ceiling_mm: Double
        let points: [String: Point]
    }

    @Test(.enabled(if: isThere, missing))
    func `a room is measured to within 4 mm from whole pixels of a picture`() throws {
        let example: Picture = try Self.read("panorama/panorama_example.json")
        let picture = Panorama(
            width: example.image[0], height: example.image[1], camera: example.camera_height_mm)
        var found: [String: Vector] = [:]
        for (name, point) in example.points {
            let place = try #require(picture.floorPoint(point.u_int, point.v_int))
            found[name] = place
            let ceiling = picture.ceilingHeight(
                point.u_int, point.v_ceiling_int, distance: place.length)
            #expect(abs(ceiling - example.ceiling_mm) < 4)
        }
        let lengths = [
            ("A", "B", 4_000.0), ("B", "C", 3_000), ("C", "D", 4_000), ("D", "A", 3_000),
            ("door_L", "door_R", 900),
        ]
        for (from, to, length) in lengths {
            let measured = try #require(found[from]).distance(to: #require(found[to]))
            #expect(abs(measured - length) < 4, "\(from) to \(to)")
        }
    }

    struct Home: Decodable, Sendable, CustomTestStringConvertible {
        struct Disc: Decodable, Sendable {
            let missing: [String]
        }
        enum Measure: Decodable, Sendable {
            case name(String)
            case diameter(Double)

            init(from decoder: any Decoder) throws {
                let value = try decoder.singleValueContainer()
                do { self = .diameter(try value.decode(Double.self)) } catch {
                    self = .name(try value.decode(String.self))
                }
            }
        }
        let plan: String
        let furnished: Bool
        let rooms_turnD: [[Measure]]
        let disc600: Disc
        let disc700: Disc
        let disc760: Disc
        let disc900: Disc

        var testDescription: String { "\(plan), \(furnished ? "furnished" : "empty")" }
    }

    static func homes() throws -> [Home] { isThere ? try read("sh3d_golden.json") : [] }

    @Test(.enabled(if: isThere, missing))
    func `the sample homes have rooms that discs reach, and rooms that they don't`() throws {
        let homes = try Self.homes()
        #expect(homes.count >= 6)
        #expect(Set(homes.map(\.plan)).count >= 3 && Set(homes.map(\.furnished)).count == 2)
        let discs = homes.flatMap { home in
            [home.disc600, home.disc700, home.disc760, home.disc900].map {
                ($0.missing.count, of: home.rooms_turnD.count)
            }
        }
        #expect(discs.contains { $0.0 == 0 } && discs.contains { $0.0 > 0 && $0.0 < $0.of })
    }

    private static func floor(_ home: Home) throws -> (RealHome, [Polygon]) {
        let file = try #require(folder).appending(path: "sh3d/\(home.plan).Home.xml")
        let plan = try RealHome(file)
        return (plan, home.furnished ? plan.furniture : [])
    }

    @Test(.enabled(if: isThere, missing), arguments: try homes())
    func `the largest circles in real rooms are found to within 2 mm`(home: Home) throws {
        let (plan, furniture) = try Self.floor(home)
        #expect(plan.rooms.count == home.rooms_turnD.count)
        for (room, measure) in zip(plan.rooms, home.rooms_turnD) {
            guard case .diameter(let diameter) = measure[1] else { continue }
            let floor = FreeSpace(areas: [room.outline], obstacles: furniture + plan.walls)
            let found = 2 * (floor.largestCircle()?.radius ?? 0)
            #expect(abs(found - diameter) <= 2, "\(room.name) \(found) \(diameter)")
        }
    }

    @Test(.enabled(if: isThere, missing), arguments: try homes())
    func `discs reach the same rooms of real plans as in another program`(home: Home) throws {
        let (plan, furniture) = try Self.floor(home)
        let floor = FreeSpace(
            areas: plan.rooms.map(\.outline) + plan.doors, obstacles: furniture + plan.walls)
        let largest = try #require(plan.rooms.max { $0.outline.area < $1.outline.area })
        for (diameter, disc) in [
            (600.0, home.disc600), (700, home.disc700), (760, home.disc760), (900, home.disc900),
        ] {
            // A polygon around it that is less than 1 mm larger everywhere.
            let shape = FloorShape(
                parts: [ConvexPolygon(aroundEllipse: diameter, diameter, sides: 64)],
                symmetry: 2 * .pi / 64)
            let resolution = ChairSpace.Resolution(cell: 20, headings: 1)
            func missing(_ bound: ChairSpace.Bound) -> Set<String> {
                let space = ChairSpace(shape, in: floor, resolution, bound)
                let reached = space.flood(from: space.places(in: largest.outline))
                return Set(rooms.filter { !space.reaches($0.outline, reached) }.map(\.name))
            }
            // The centre of a disc can enter at the door of a room in which the disc doesn't fit.
            let rooms = zip(plan.rooms, home.rooms_turnD).compactMap { room, measures in
                if case .diameter(let most) = measures[1], most >= diameter { room } else { nil }
            }
            #expect(!rooms.isEmpty)
            let expected = Set(disc.missing).intersection(rooms.map(\.name))
            let (never, perhaps) = (missing(.possibly), missing(.surely))
            #expect(never.isSubset(of: expected), "\(diameter)")
            #expect(expected.isSubset(of: perhaps), "\(diameter)")
            // A door of 773 mm leaves less than one square for a disc of 760 mm, which is
            // uncertain.
            if diameter != 760 { #expect(never == perhaps, "\(diameter)") }
        }
    }
}
