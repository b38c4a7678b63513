import FloorPlan
import Foundation
import Messages
import TestSupport
import Testing

@testable import AccessRules

/// Small rooms at random, each made as small as passes, are given to `judge.py`, which seeks by
/// brute force whether what passed really fits.
/// `SEEDS=500 swift test --filter JudgeTests` tries 20,000.
struct JudgeTests {
    /// Plans a room with a depth.
    private struct Sketch {
        let width: Int32
        let cut: (x: Int32, y: Int32)
        let things: [Element]
        let door: Opening

        init(_ seed: inout Seed) {
            width = Int32(1_500 + seed.below(1_000))
            cut =
                seed.oneIn(2)
                ? (0, 0) : (Int32(100 + seed.below(500)), Int32(100 + seed.below(700)))
            let kinds: [ElementKind] = [.cupboard, .washbasin, .table, .shower, .structure]
            let width = width
            things = (0..<seed.below(4)).map { number in
                Element(
                    id: "thing-\(number)", kind: number == 0 ? .toilet : seed.pick(kinds),
                    centre: PlanPoint(
                        x: Int32(seed.below(Int(width))), y: Int32(seed.below(2_200))),
                    width: UInt32(150 + seed.below(600)), depth: UInt32(150 + seed.below(600)),
                    elevation: seed.oneIn(4) ? 700 : 0,
                    angle: seed.oneIn(2)
                        ? UInt32(seed.below(360_000)) : UInt32(seed.below(4)) * 90_000)
            }
            let hole = UInt32(750 + seed.below(300))
            let leaf = hole - UInt32(seed.below(100))
            door = Opening(
                id: "door", wall: "wall", kind: .door,
                offset: UInt32(seed.below(Int(width) - Int(hole))), width: hole,
                clearWidth: leaf - UInt32(seed.below(60)), leafWidth: leaf,
                hingesAtEnd: seed.oneIn(2), swingsRight: seed.oneIn(3))
        }

        func outline(_ depth: Int32) -> [PlanPoint] {
            [
                PlanPoint(x: 0, y: 0), PlanPoint(x: width, y: 0),
                PlanPoint(x: width, y: depth - cut.y), PlanPoint(x: width - cut.x, y: depth),
                PlanPoint(x: 0, y: depth),
            ]
        }

        func items(_ depth: Int32) -> [PlanItem] {
            let corners = outline(depth)
            let distinct = cut.x == 0 ? corners.filter { $0 != corners[3] } : corners
            return [
                PlanItem(item: .room(Room(id: "room", use: .bathroom, corners: distinct))),
                PlanItem(
                    item: .wall(
                        Wall(
                            id: "wall", start: PlanPoint(x: 0, y: -50),
                            end: PlanPoint(x: width, y: -50), thickness: 100))),
                PlanItem(item: .opening(door)),
            ] + things.map { PlanItem(item: .element($0)) }
        }
    }

    /// What passed, in the words of the judge.
    private static func claim(_ finding: PlanFinding, _ sketch: Sketch) -> [String: Any]? {
        guard finding.verdict == .pass else { return nil }
        let at = finding.at ?? PlanPoint()
        switch finding.rule {
        case "turning-bathroom":
            guard finding.standard == "tek17" else {
                return ["kind": "circle", "diameter": 1_500, "knees": 670]
            }
            return [
                "kind": "rectangle", "diameter": 1_500, "short": 1_300, "long": 1_800,
                "knees": 670, "at": [Int(at.x), Int(at.y)],
            ]
        case "door-inside": return ["kind": "door", "door": 0, "width": 760]
        case "passage-toilet":
            guard finding.margin ?? 100 < 40, let toilet = sketch.things.first else { return nil }
            let start = Int(sketch.door.offset)
            let (across, back) = (Vector(angle: toilet.turn), Vector(angle: toilet.turn).left)
            let half = (Double(toilet.width) / 2, Double(toilet.depth) / 2)
            let sides = [1.0, -1].map { side in
                [1.0, -1].map { end in
                    let place = toilet.place + across * (side * half.0) + back * (end * half.1)
                    return [place.x, place.y]
                }
            }
            return [
                "kind": "path", "width": 900, "knees": 2_000,
                "from": [[start, 0], [start + Int(sketch.door.width), 0]], "to": sides,
            ]
        default: return nil
        }
    }

    /// A room for the judge.
    private static func json(
        _ sketch: Sketch, _ depth: Int32, _ claims: [[String: Any]], id: String
    ) throws -> Data {
        let (door, width) = (sketch.door, Int(sketch.width))
        let things: [[String: Any]] = sketch.things.map {
            [
                "x": Int($0.place.x), "y": Int($0.place.y), "width": Int($0.width),
                "depth": Int($0.depth), "angle": Double($0.angle) / 1_000,
                "elevation": Int($0.elevation), "solid": $0.isSolid,
            ]
        }
        let outline = sketch.outline(depth).map { [Int($0.x), Int($0.y)] }
        let value: [String: Any] = [
            "id": id, "things": things, "claims": claims,
            "outline": sketch.cut.x == 0
                ? outline.enumerated().filter { $0.offset != 3 }.map(\.element) : outline,
            "doors": [
                [
                    "wall": [[0, -50], [width, -50]], "thickness": 100,
                    "offset": Int(door.offset), "width": Int(door.width),
                    "leaf": Int(door.leafWidth ?? door.width), "clear": Int(door.clearWidth ?? 0),
                    "atEnd": door.hingesAtEnd, "right": door.swingsRight,
                    "opensInto": !door.swingsRight,
                ]
            ],
        ]
        return try JSONSerialization.data(withJSONObject: value) + Data("\n".utf8)
    }

    /// The claims about a sketch in the smallest room in which a rule passes; nil if none does.
    private static func smallest(
        _ sketch: Sketch, _ rule: String
    ) throws -> (depth: Int32, findings: [PlanFinding])? {
        func findings(_ depth: Int32) throws -> [PlanFinding] {
            try Drawing.inspection(sketch.items(depth), ["tek17", "tek10"]).findings()
        }
        func passes(_ found: [PlanFinding]) -> Bool {
            found.contains { $0.id == rule && $0.verdict == .pass }
        }
        var (small, large) = (Int32(1_300), Int32(3_600))
        var best = try findings(large)
        guard passes(best) else { return nil }
        while large - small > 1 {
            let depth = (small + large) / 2
            let found = try findings(depth)
            if passes(found) { (large, best) = (depth, found) } else { small = depth }
        }
        return (large, best)
    }

    @Test func `nothing that passes is too small by the judge`() throws {
        var input = Data()
        var claims = 0
        for seed in Seed.some(40) {
            var random = seed
            let sketch = Sketch(&random)
            let rule = random.pick([
                "tek10/turning-bathroom/room", "tek17/turning-bathroom/room",
                "tek17/passage-toilet/room",
            ])
            guard let (depth, findings) = try Self.smallest(sketch, rule) else { continue }
            let claimed = findings.compactMap { Self.claim($0, sketch) }
            claims += claimed.count
            input += try Self.json(sketch, depth, claimed, id: "\(seed)")
        }
        let lines = try Self.judged(input)
        #expect(lines.last == "judged \(claims)")
        #expect(lines.dropLast() == [], "\(lines.dropLast().joined(separator: "\n"))")
    }

    @Test func `the judge finds what doesn't fit`() throws {
        var random = Seed(1)
        let sketch = Sketch(&random)
        let wrong: [[String: Any]] = [
            ["kind": "circle", "diameter": Int(sketch.width) + 1, "knees": 670],
            ["kind": "door", "door": 0, "width": 1_200],
        ]
        let lines = try Self.judged(try Self.json(sketch, 3_000, wrong, id: "wrong"))
        #expect(lines.count == 3 && lines[0].hasPrefix("wrong: ") && lines[2] == "judged 2")
    }

    private static func judged(_ input: Data) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (source, result) = (folder.appending(path: "in"), folder.appending(path: "out"))
        try input.write(to: source)
        try Data().write(to: result)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [
            URL(filePath: #filePath).deletingLastPathComponent().appending(path: "judge.py").path()
        ]
        process.standardInput = try FileHandle(forReadingFrom: source)
        process.standardOutput = try FileHandle(forWritingTo: result)
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return try String(decoding: Data(contentsOf: result), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }
}
