import Messages
import Testing

@testable import PlanSpeech

@Suite struct PlanMeasureTests {
    @Test(
        arguments: [
            ("900", 900), ("900mm", 900), ("90cm", 900), ("90 cm", 900), ("2.4m", 2400),
            ("2,4m", 2400), ("0", 0), ("7dm", 700), ("0.5cm", 5), ("+3", 3), ("1.234m", 1234),
            ("200000", 200_000), ("2000m", 2_000_000),
        ] as [(String, UInt32)])
    func `a length is in millimetres, or has a unit`(_ text: String, _ length: UInt32) throws {
        #expect(try PlanMeasure.length(text) == length)
    }

    @Test(
        arguments: [
            "", "m", "-1", "1.5", "0.05cm", "3 feet", "1e3", "٣", "1.2.3", ".5m", "5.m", "nan",
            "99999999999m", "1,2,3", "0x10",
        ])
    func `anything but whole millimetres is refused`(_ text: String) {
        #expect(throws: MeasureError.self) { try PlanMeasure.length(text) }
    }

    @Test func `a length beyond a plan's limits is refused with the limit`() {
        let error = #expect(throws: MeasureError.self) { try PlanMeasure.length("2001m") }
        #expect(error?.description == "“2001m” is farther than a plan reaches, which is 2 km")
    }

    @Test(
        arguments: [
            ("1000,1200", 1000, 1200), ("-1000, 1200", -1000, 1200), ("1m,2m", 1000, 2000),
            ("1,2m", 1000, 2000), ("10cm,5", 100, 5),
        ] as [(String, Int32, Int32)])
    func `an offset is two lengths, and a unit at the end applies to both`(
        _ text: String, _ x: Int32, _ y: Int32
    ) throws {
        #expect(try PlanMeasure.offset(text) == PlanPoint(x: x, y: y))
    }

    @Test func `a place is an offset from the origin or an end of a wall`() throws {
        #expect(try PlanMeasure.place("1,2") == .point(PlanPoint(x: 1, y: 2)))
        #expect(try PlanMeasure.place("wall-2:end") == .corner(wall: "wall-2", isEnd: true))
        #expect(try PlanMeasure.place("a:start") == .corner(wall: "a", isEnd: false))
        for text in ["wall-2", "wall-2:middle", ":end", "1,2,3", "1", "1;2", ""] {
            #expect(throws: MeasureError.self) { try PlanMeasure.place(text) }
        }
    }

    @Test(arguments: ["900x2000", "90x200cm", "90cmx2m", "900 × 2000", "900X2000", "0.9x2m"])
    func `a size is a width and a depth`(_ text: String) throws {
        #expect(try PlanMeasure.size(text) == PlanSize(width: 900, depth: 2000))
    }

    @Test(arguments: ["900", "900x", "x", "900x2000x3", "-900x2000", "90y200"])
    func `anything else isn't a size`(_ text: String) {
        #expect(throws: MeasureError.self) { try PlanMeasure.size(text) }
    }

    @Test(
        arguments: [
            ("90", 90_000), ("-90", 270_000), ("22.5", 22_500), ("360", 0), ("45°", 45_000),
            ("0.001", 1),
        ] as [(String, UInt32)])
    func `an angle is in degrees, counter-clockwise`(_ text: String, _ angle: UInt32) throws {
        #expect(try PlanMeasure.angle(text) == angle)
    }

    @Test func `a turn keeps its sign`() throws {
        #expect(try PlanMeasure.turn("-22.5") == -22_500)
        for text in ["", "east", "1.2345", "99999", "°"] {
            #expect(throws: MeasureError.self) { try PlanMeasure.turn(text) }
        }
    }

    @Test func `out: turns outwards before its side`() throws {
        let sides = try PlanMeasure.sides("4000,2m,2000,out:1000,2000").sides

        #expect(sides.map(\.length) == [4000, 2000, 2000, 1000, 2000])
        #expect(sides.map(\.turnsOutwards) == [false, false, true, false, false])
    }

    @Test func `all sides of a room may be given, including the last`() throws {
        #expect(
            try PlanMeasure.sides("4000,3000,4000,3000") == PlanMeasure.sides("4000,3000,4000"))
        let corner = "4000,2000,2000,out:1000,2000"
        #expect(try PlanMeasure.sides(corner + ",3000") == PlanMeasure.sides(corner))
        #expect(try PlanMeasure.sides("4000,3000,4000,2990").sides.count == 4)
    }

    @Test(arguments: ["", "4000", "4000,3000", "4000,0,3", "out:4000,1,2", "4000,,3", "1,2,-3"])
    func `a room needs at least three sides with a length`(_ text: String) {
        #expect(throws: MeasureError.self) { try PlanMeasure.sides(text) }
    }
}
