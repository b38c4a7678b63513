import FloorPlan
import Foundation
import Messages
import TestSupport
import Testing

@testable import PlanFiles

/// Rooms from marked pixels of a panorama.
struct PanoramaFileTests {
    /// A room of 4 by 3 m, marked to the whole pixel, and a door of 900 mm.
    static let example = """
        {"panorama": 1, "name": "Bathroom", "image": {"width": 4096, "height": 2048},
         "cameraHeight": 1500,
         "corners": [{"u": 540, "v": 1509, "ceiling": 694}, {"u": 3316, "v": 1325, "ceiling": 834},
                     {"u": 2683, "v": 1296, "ceiling": 854}, {"u": 1680, "v": 1407}],
         "openings": [{"kind": "door", "wall": 1, "from": {"u": 3529, "v": 1494},
                       "to": {"u": 3374, "v": 1380}, "label": "Door"}]}
        """

    static func read(_ old: String = "", _ new: String = "") throws -> ImportedPlan {
        let text = old.isEmpty ? example : example.replacing(old, with: new)
        return try PlanFile.read(Array(text.utf8), named: "bath.json")
    }

    @Test func `a room is measured to within 4 mm from whole pixels`() throws {
        let read = try Self.read()
        let plan = FloorPlan(read.items)
        let room = try #require(plan.rooms["room-1"])
        #expect(room.use == .bathroom && read.details.name == "Bathroom")
        for (side, length) in zip(room.polygon.sides, [4_000.0, 3_000, 4_000, 3_000]) {
            #expect(abs(side.length - length) <= 4, "\(side.length)")
        }
        #expect(abs(Double(room.height) - 2_400) <= 4)
        let door = try #require(plan.openings["door-1"])
        #expect(door.wall == "wall-1" && abs(Double(door.width) - 900) <= 4)
        // 2500 mm from the room's corner; the wall's own corner is half a wall's thickness farther.
        #expect(abs(Double(door.offset) - 2_550) <= 6, "\(door.offset)")
        #expect((60...120).contains(read.details.tolerance), "\(read.details.tolerance)")
        #expect(read.warnings.count == 3 && read.warnings[0].contains("tape a wall"))
        // A picture shows neither thresholds nor hinges.
        #expect(door.thresholdUnknown && door.hungUnknown)
        #expect(read.warnings[1].contains("a threshold at door-1"))
        #expect(read.warnings[2].contains("which way a door is hung"))
    }

    @Test func `a wall measured by tape gives the scale and makes the plan more certain`() throws {
        let text = Self.example.replacing("\"cameraHeight\": 1500", with: "\"cameraHeight\": 1470")
        let loose = try PlanFile.read(Array(text.utf8), named: "a.json")
        let taped = try PlanFile.read(
            Array(
                text.replacing(
                    "\"corners\"",
                    with: "\"taped\": [{\"wall\": 1, \"length\": 4000}], \"corners\""
                ).utf8), named: "a.json")
        let room = try #require(FloorPlan(taped.items).rooms["room-1"])
        for (side, length) in zip(room.polygon.sides, [4_000.0, 3_000, 4_000, 3_000]) {
            #expect(abs(side.length - length) <= 4, "\(side.length)")
        }
        #expect(taped.details.tolerance < loose.details.tolerance)
    }

    /// The example as seen by a tilted camera, with all its walls taped.
    static func leaning(_ degrees: Double, taped: [Int]) -> String {
        let picture = Panorama(
            width: 4_096, height: 2_048, camera: 1_480,
            tilt: Vector(angle: 1.2) * (degrees / 180 * .pi))
        let corners = [(-1_200.0, -1_100.0), (2_800, -1_100), (2_800, 1_900), (-1_200, 1_900)]
        let marks = corners.map { x, y -> String in
            // Find the pixel that shows the corner by bisection.
            var (u, v) = (picture.width * (0.5 + atan2(x, y) / 2 / .pi) - 0.5, 1_400.0)
            for _ in 0..<50 {
                guard let seen = picture.floorPoint(u, v) else { break }
                u +=
                    picture.width / 2 / .pi
                    * remainder(atan2(x, y) - atan2(seen.x, seen.y), 2 * .pi)
                v +=
                    picture.height / .pi
                    * (atan2(1_480, Vector(x, y).length) - atan2(1_480, seen.length))
            }
            return "{\"u\": \(u.rounded()), \"v\": \(v.rounded())}"
        }
        let tapes = taped.enumerated().filter { $0.element > 0 }.map {
            "{\"wall\": \($0.offset + 1), \"length\": \($0.element)}"
        }
        return """
            {"panorama": 1, "image": {"width": 4096, "height": 2048}, "cameraHeight": 1500,
             "corners": [\(marks.joined(separator: ","))],
             "taped": [\(tapes.joined(separator: ","))]}
            """
    }

    static func errors(_ read: ImportedPlan) throws -> [Double] {
        let room = try #require(FloorPlan(read.items).rooms["room-1"])
        return zip(room.polygon.sides, [4_000.0, 3_000, 4_000, 3_000]).map {
            abs($0.length - $1)
        }
    }

    @Test func `several walls measured by tape also show how the camera was tilted`() throws {
        let tapes = [4_000, 3_000, 4_000, 3_000]
        func read(_ count: Int) throws -> ImportedPlan {
            let taped = tapes.enumerated().map { $0.offset < count ? $0.element : 0 }
            return try PlanFile.read(
                Array(Self.leaning(0.5, taped: taped).utf8), named: "a.json")
        }
        let (one, four) = (try read(1), try read(4))
        #expect(try Self.errors(one).max() ?? 0 > 60)
        let errors = try Self.errors(four)
        #expect(errors.count >= 4 && errors.allSatisfy { $0 <= 25 }, "\(errors)")
        #expect(four.details.tolerance < one.details.tolerance)
        #expect(four.warnings.filter { $0.contains("taped") } == [])
    }

    @Test func `walls measured by tape make the example room accurate to 2 mm`() throws {
        let read = try Self.read(
            "\"corners\"",
            "\"taped\": [{\"wall\": 1, \"length\": 4000}, {\"wall\": 2, \"length\": 3000},"
                + " {\"wall\": 4, \"length\": 3000}], \"corners\"")
        let errors = try Self.errors(read)
        #expect(errors.count >= 4 && errors.allSatisfy { $0 <= 2 }, "\(errors)")
    }

    @Test(arguments: 0..<4, [-300, 200, 1_000])
    func `a misread length is reported, and no other`(wall: Int, off: Int) throws {
        var tapes = [4_000, 3_000, 4_000, 3_000]
        tapes[wall] += off
        let text = Self.leaning(0.1, taped: tapes)
        let read = try PlanFile.read(Array(text.utf8), named: "a.json")
        let told = read.warnings.filter { $0.hasPrefix("taped[") }
        #expect(told.count == 1, "\(told)")
        #expect(
            told.first?.hasPrefix(
                "taped[\(wall)]: says that wall \(wall + 1) is \(tapes[wall]) mm long") == true)
    }

    @Test func `a taped wall may make the camera higher than any ceiling`() throws {
        // The fit first tries a camera at 25 m.
        let text = Self.example
            .replacing("\"cameraHeight\": 1500", with: "\"cameraHeight\": 10000")
            .replacing(
                "\"corners\"",
                with: "\"taped\": [{\"wall\": 1, \"length\": 51000}], \"corners\"")
        let read = try PlanFile.read(Array(text.utf8), named: "hall.json")
        let room = try #require(FloorPlan(read.items).rooms["room-1"])
        let longest = room.polygon.sides.map(\.length).max() ?? 0
        #expect(abs(longest - 51_000) < 100 && room.height == 0, "\(longest)")
    }

    @Test func `two contradictory tape measurements are both reported`() throws {
        let text = Self.leaning(0, taped: [4_000, 3_500])
        let read = try PlanFile.read(Array(text.utf8), named: "a.json")
        #expect(read.warnings.filter { $0.hasPrefix("taped[") }.count == 2)
    }

    @Test func `a corner whose foot is hidden is found by its upper end`() throws {
        let read = try Self.read(
            "{\"u\": 1680, \"v\": 1407}", "{\"u\": 1680, \"ceiling\": 775}")
        let room = try #require(FloorPlan(read.items).rooms["room-1"])
        for (side, length) in zip(room.polygon.sides, [4_000.0, 3_000, 4_000, 3_000]) {
            #expect(abs(side.length - length) <= 12, "\(side.length)")
        }
    }

    @Test func `a window's sill and height come from its pixel rows`() throws {
        let read = try Self.read(
            "\"kind\": \"door\", \"wall\": 1, \"from\": {\"u\": 3529, \"v\": 1494}",
            "\"kind\": \"window\", \"top\": 850, \"wall\": 1, \"from\": {\"u\": 3529, \"v\": 1200}")
        let window = try #require(FloorPlan(read.items).openings["window-1"])
        // By the projection that `Panorama` documents, 514 and 1,451 mm.
        #expect((508...520).contains(window.sill), "\(window.sill)")
        #expect((1_441...1_461).contains(window.height), "\(window.height)")
    }

    @Test func `corners may be marked in either direction`() throws {
        let text = """
            {"panorama": 1, "image": {"width": 4096, "height": 2048}, "cameraHeight": 1500,
             "corners": [{"u": 1680, "v": 1407}, {"u": 2683, "v": 1296}, {"u": 3316, "v": 1325},
                         {"u": 540, "v": 1509}],
             "openings": [{"kind": "passage", "wall": 3, "from": {"u": 3529}, "to": {"u": 3374}}]}
            """
        let plan = FloorPlan(try PlanFile.read(Array(text.utf8), named: "a.json").items)
        let opening = try #require(plan.openings["door-1"])
        #expect(opening.wall == "wall-3" && abs(Double(opening.width) - 900) <= 4)
        let wall = try #require(plan.walls["wall-3"])
        #expect(abs(wall.length - 4_100) < 8 && wall.from.y < -1_100)
    }

    @Test(arguments: [
        ("\"panorama\": 1", "\"panorama\": 2", "this program knows 1; update"),
        ("\"v\": 1509", "\"v\": 900", "corners[0] isn't below the horizon"),
        ("\"v\": 1509", "\"v\": \"1509\"", "corners[0].v isn't a number"),
        ("\"v\": 1509", "\"v\": 5000", "corners[0] is outside the picture"),
        ("{\"u\": 1680, \"v\": 1407}", "{\"u\": 1680}", "corners[3] has no v; mark its foot"),
        ("{\"u\": 1680, \"v\": 1407}", "{\"u\": 2683, \"v\": 1296}", "the same place as the one"),
        ("\"cameraHeight\": 1500", "\"cameraHeight\": 0", "cameraHeight is 0.0; give 100"),
        ("\"wall\": 1", "\"wall\": 5", "openings[0].wall is 5; give 1 to 4"),
        ("\"wall\": 1", "\"wall\": 3", "openings[0].from isn't seen in that wall"),
        ("\"kind\": \"door\"", "\"kind\": \"gate\"", "openings[0].kind is “gate”"),
        ("\"width\": 4096", "\"width\": 1e300", "image is 1e+300 x 2048.0 pixels"),
        (
            "\"corners\"", "\"taped\": [{\"wall\": 1, \"length\": 400}], \"corners\"",
            "taped differ from the picture by a factor of 0.1"
        ),
    ])
    func `an impossible value is refused with its path and the remedy`(
        old: String, new: String, words: String
    ) {
        expectRefusal(Self.example.replacing(old, with: new), words)
    }
}
