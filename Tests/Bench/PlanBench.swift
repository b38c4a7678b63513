import FloorPlan
import Foundation

/// Geometry of floor plans, in processor time. The reference is GEOS through shapely, if python3 on
/// the PATH has it.
enum PlanBench {
    static func run(_ figures: inout Figures) throws {
        let flat = Flat()
        let boxes = Box.some(10_000)
        let shapely = Shapely.measure(boxes, flat)
        pairs(boxes, shapely, &figures)
        moves(boxes, shapely, &figures)
        ways(flat, &figures)
        circles(flat, shapely, &figures)
    }

    private static func pairs(_ boxes: [Box], _ shapely: Shapely?, _ figures: inout Figures) {
        var pairs = 0
        let seconds = best(5) {
            pairs = 0
            let rectangles = boxes.map(\.rectangle)
            var index = SpatialIndex(cell: 2_000)
            for (number, rectangle) in rectangles.enumerated() {
                index.put(number, at: rectangle.bounds)
            }
            for (number, rectangle) in rectangles.enumerated() {
                index.forEach(meeting: rectangle.bounds) {
                    if $0 > number, rectangle.overlaps(rectangles[$0], tolerance: 0) { pairs += 1 }
                }
            }
        }
        figures.add(
            "plan: all \(pairs) overlaps of 10,000 things", seconds * 1e3, "ms",
            goal: .atMost(20),
            reference: shapely.map { ("ms GEOS, \($0.pairs) overlaps", $0.pairsMilliseconds) })
    }

    private static func moves(_ boxes: [Box], _ shapely: Shapely?, _ figures: inout Figures) {
        var rectangles = boxes.map(\.rectangle)
        var index = SpatialIndex(cell: 2_000)
        for (number, rectangle) in rectangles.enumerated() {
            index.put(number, at: rectangle.bounds)
        }
        var hits = 0
        let seconds = best(5) {
            for (number, box) in boxes.enumerated() {
                let moved = Box(
                    x: box.x + 100, y: box.y, angle: box.angle, width: box.width,
                    depth: box.depth
                ).rectangle
                rectangles[number] = moved
                index.put(number, at: moved.bounds)
                index.forEach(meeting: moved.bounds) {
                    if $0 != number, rectangles[$0].overlaps(moved) { hits += 1 }
                }
            }
        }
        figures.add(
            "plan: move one of 10,000 things, with what it hits",
            seconds * 1e6 / Double(boxes.count), "us", goal: .atMost(20),
            reference: shapely.map { ("us GEOS, a query alone", $0.queryMicroseconds) })
    }

    private static func ways(_ flat: Flat, _ figures: inout Figures) {
        let floor = FreeSpace(areas: flat.rooms + flat.doors, obstacles: flat.furniture)
        for bound in [ChairSpace.Bound.surely, .possibly] {
            let seconds = best(3) {
                let space = ChairSpace(.rectangle(1_200, 700), in: floor, .standard, bound)
                let reached = space.flood(from: space.places(in: flat.rooms[0]))
                _ = flat.rooms.map { space.reaches($0, reached) }
            }
            figures.add(
                "plan: where a chair \(bound) gets in 9 rooms, 25 mm, 5°", seconds * 1e3, "ms",
                goal: .atMost(100))
        }
    }

    private static func circles(_ flat: Flat, _ shapely: Shapely?, _ figures: inout Figures) {
        var radii: [Double] = []
        let seconds = best(5) {
            radii = flat.rooms.map {
                FreeSpace(areas: [$0], obstacles: flat.furniture).largestCircle()?.radius ?? 0
            }
        }
        figures.add(
            "plan: the largest circles of 9 furnished rooms", seconds * 1e3, "ms",
            goal: shapely == nil ? .none : .atMostTimes(1),
            reference: shapely.map { ("ms GEOS", $0.circlesMilliseconds) })
        guard let shapely else { return }
        let differences = zip(radii, shapely.radii).map { abs($0 - $1) }
        figures.add(
            "plan: those circles' radii against GEOS, at most", differences.max() ?? 0, "mm",
            goal: .atMost(0.5))
    }

    /// The processor time of the fastest of some runs, in seconds.
    private static func best(_ runs: Int, _ body: () -> Void) -> Double {
        (0..<runs).map { _ in processorTime(body) / .seconds(1) }.min() ?? 0
    }
}

/// A rectangle with an angle.
struct Box: Codable {
    var x: Double
    var y: Double
    var angle: Double
    var width: Double
    var depth: Double

    var rectangle: TurnedRectangle {
        TurnedRectangle(centre: Vector(x, y), width: width, depth: depth, angle: angle)
    }

    var polygon: Polygon { rectangle.outline.polygon }

    /// This many boxes that cover a fifth of a floor, half of them along its sides.
    static func some(_ count: Int) -> [Box] {
        var state: UInt64 = 7
        func next(_ range: ClosedRange<Double>) -> Double {
            // The generator of P. L'Ecuyer (1999) with modulus 2^64.
            state = state &* 2_862_933_555_777_941_757 &+ 3_037_000_493
            return range.lowerBound
                + Double(state >> 11) / 9_007_199_254_740_992
                * (range.upperBound - range.lowerBound)
        }
        let side = (Double(count) * 1_000_000 / 0.2).squareRoot()
        return (0..<count).map { number in
            Box(
                x: next(0...side), y: next(0...side), angle: number % 2 == 0 ? 0 : next(0...3),
                width: next(500...1_500), depth: next(500...1_500))
        }
    }
}

/// Nine rooms of 4.1 by 3 m with doors of 860 mm and 126 items in them.
struct Flat: Codable {
    var boxes: [Box] = []
    var corners: [Box] = []

    init() {
        for column in 0..<3 {
            for row in 0..<3 {
                let (x, y) = (Double(column) * 4_200, Double(row) * 3_100)
                corners.append(
                    Box(x: x + 2_050, y: y + 1_500, angle: 0, width: 4_100, depth: 3_000))
                for number in 0..<14 {
                    boxes.append(
                        Box(
                            x: x + 300 + Double(number % 4) * 1_100,
                            y: y + (number < 7 ? 250 : 2_800), angle: Double(number) * 0.1,
                            width: 600, depth: 500))
                }
            }
        }
    }

    var rooms: [Polygon] { corners.map(\.polygon) }
    var furniture: [Polygon] { boxes.map(\.polygon) }

    var doors: [Polygon] {
        (0..<3).flatMap { column in
            (0..<3).flatMap { row in
                let (x, y) = (Double(column) * 4_200, Double(row) * 3_100)
                return [
                    column < 2
                        ? Box(x: x + 4_150, y: y + 1_430, angle: 0, width: 140, depth: 860) : nil,
                    row < 2
                        ? Box(x: x + 1_430, y: y + 3_050, angle: 0, width: 860, depth: 140) : nil,
                ].compactMap { $0?.polygon }
            }
        }
    }
}

/// The time that shapely takes for the same.
struct Shapely: Codable {
    let pairs: Int
    let pairsMilliseconds: Double
    let queryMicroseconds: Double
    let circlesMilliseconds: Double
    let radii: [Double]

    private static let script = """
        import json, math, sys, time, shapely
        from shapely import affinity
        data = json.load(sys.stdin)
        def box(b):
            box = shapely.box(-b['width']/2, -b['depth']/2, b['width']/2, b['depth']/2)
            turned = affinity.rotate(box, b['angle'], (0, 0), True)
            return affinity.translate(turned, b['x'], b['y'])
        def best(runs, body):
            times = []
            for _ in range(runs):
                start = time.thread_time()
                result = body()
                times.append(time.thread_time() - start)
            return min(times), result
        boxes = [box(b) for b in data['boxes']]
        def all_pairs():
            a, b = shapely.STRtree(boxes).query(boxes, predicate='intersects')
            return int((a < b).sum())
        pair_time, pairs = best(5, all_pairs)
        tree = shapely.STRtree(boxes)
        query_time, _ = best(3, lambda: [tree.query(b, predicate='intersects') for b in boxes])
        furniture = shapely.union_all([box(b) for b in data['flat']['boxes']])
        rooms = [box(b) for b in data['flat']['corners']]
        def circles():
            return [shapely.maximum_inscribed_circle(max(shapely.get_parts(
                shapely.difference(room, furniture)), key=lambda p: p.area), 0.1).length
                for room in rooms]
        circle_time, radii = best(3, circles)
        print(json.dumps(dict(pairs=pairs, pairsMilliseconds=pair_time * 1e3,
            queryMicroseconds=query_time * 1e6 / len(boxes),
            circlesMilliseconds=circle_time * 1e3, radii=radii)))
        """

    private struct Task: Codable {
        let boxes: [Box]
        let flat: Flat
    }

    /// Nil if shapely isn't available.
    static func measure(_ boxes: [Box], _ flat: Flat) -> Shapely? {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        do {
            let task = try JSONEncoder().encode(Task(boxes: boxes, flat: flat))
            try process.run()
            try input.fileHandleForWriting.write(contentsOf: task)
            try input.fileHandleForWriting.close()
            let result = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return try JSONDecoder().decode(Shapely.self, from: result)
        } catch {
            return nil
        }
    }
}
