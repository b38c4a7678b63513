import Foundation
import TestSupport
import Testing

/// Random small rooms, each as tight as a rule allows, are given to `judge.py`, which finds out by
/// brute force whether what passed really fits. `make rooms` tries 20,000 fresh ones.
struct JudgeTests {
    private static let parts = 4

    @Test(arguments: 0..<parts)
    func `the independent judge agrees that whatever passes fits`(part: Int) throws {
        let seeds = Seed.some(200).enumerated().filter { $0.offset % Self.parts == part }
        var (input, claims) = (Data(), 0)
        for (_, seed) in seeds {
            var random = seed
            let room = JudgedRoom(&random)
            let id = "\(seed) \(room.standard)"
            guard let judged = try room.limit(&random, id: id) else { continue }
            input += judged.json
            claims += judged.claims
        }
        let told = try Self.judged(input)
        // A run with one seed has parts without a room.
        #expect(told.last == "judged \(claims)")
        #expect(2 * claims > seeds.count || seeds.count < 2, "\(claims) of \(seeds.count) rooms")
        #expect(told.dropLast() == [], "\(told.dropLast().joined(separator: "\n"))")
    }

    @Test func `the judge finds the only angle at which a shape fits, and none for a larger one`()
        throws
    {
        // In each room a rectangle or a T has some hundredths of a millimetre to spare, and one
        // that is larger by 0.5 mm doesn't fit.
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "hard-rooms.txt")
        let rooms = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let told = try Self.judged(Data(rooms.joined(separator: "\n").utf8))
        #expect(told.last == "judged \(2 * rooms.count)" && told.count == rooms.count + 1)
        for (line, room) in zip(told, rooms) {
            let id = line.prefix { $0 != ":" }
            #expect(room.hasPrefix("{\"id\": \"\(id)\","), "\(line)")
            #expect(line.hasSuffix("doesn't fit"), "\(line)")
            #expect(line.contains("760.5, 1220.5") || line.contains("1525.5, 915.5"), "\(line)")
        }
    }

    @Test func `the judge finds what doesn't fit`() throws {
        var random = Seed(1)
        let room = JudgedRoom(&random)
        let terms: [String: Any] = ["knees": 670, "swings": true]
        let wrong: [[String: Any]] = [
            ["kind": "place", "shapes": [["circle": 3_001]], "terms": terms, "at": [0, 0]],
            ["kind": "door", "door": 0, "width": 1_200],
            [
                "kind": "beside", "beside": "latch", "door": 0, "least": 3_001, "depth": 300,
                "terms": terms,
            ],
            ["kind": "enters", "chair": [5_000, 500], "from": [[0, 0], [1_000, 0]]],
        ]
        let lines = try Self.judged(try room.json(0, wrong, id: "wrong"))
        #expect(lines.count == 5 && lines[0].hasPrefix("wrong: ") && lines[4] == "judged 4")
    }

    @Test(arguments: [(60, ["place", "path", "enters"]), (20, ["place", "enters"])])
    func `the judge turns nobody on a ramp, and lets nobody over its sides or half into a room`(
        height: Int, wrong: [String]
    ) throws {
        func told(_ size: Int, _ claims: [[String: Any]]) throws -> [String] {
            // Across the room, from 850 to 1,150 mm, with a side to the door.
            let ramp: [String: Any] = [
                "x": size / 2, "y": 1_000, "width": 300, "depth": size, "angle": 90,
                "elevation": 0, "solid": false, "ramp": true, "height": height,
            ]
            let door: [String: Any] = [
                "wall": [[0, -50], [size, -50]], "thickness": 100, "offset": 0, "width": 900,
                "leaf": 880, "clear": 850, "atEnd": false, "right": true, "opensInto": false,
            ]
            let room: [String: Any] = [
                "id": "ramp", "outline": [[0, 0], [size, 0], [size, size], [0, size]],
                "things": [ramp], "doors": [door], "claims": claims,
            ]
            return try Self.judged(JSONSerialization.data(withJSONObject: room))
        }
        let front = [[0, 0], [900, 0]]
        let terms: [String: Any] = ["knees": 670, "swings": false]
        let turning: [String: Any] = [
            "kind": "place", "shapes": [["circle": 1_500]], "at": [1_000, 1_000],
            "terms": terms,
        ]
        let beyond: [String: Any] = [
            "kind": "path", "width": 700, "from": front, "to": [[[0, 2_000], [2_000, 2_000]]],
        ]
        let entering: [String: Any] = ["kind": "enters", "chair": [1_300, 500], "from": front]
        let lines = try told(2_000, [turning, beyond, entering]) + told(900, [entering])
        #expect(lines.filter { $0.hasPrefix("judged") } == ["judged 3", "judged 1"])
        let found = lines.filter { !$0.hasPrefix("judged") }
        #expect(found.count == wrong.count)
        for (line, kind) in zip(found, wrong) { #expect(line.contains("\"\(kind)\""), "\(line)") }
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
