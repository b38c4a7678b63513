import FloorPlan
import Messages
import TestSupport
import Testing

@testable import PlanFiles

/// How high imported rooms are.
struct HomeHeightTests {
    /// An attic of 4 by 3 m between four walls with these attributes, in a home with others.
    private static func attic(
        _ walls: [String], home: String = "wallHeight='250'"
    ) throws -> (height: UInt32?, warnings: [String]) {
        let ends = [(0, 0, 400, 0), (400, 0, 400, 300), (400, 300, 0, 300), (0, 300, 0, 0)]
        let drawn = zip(ends, walls).map { end, attributes in
            "<wall xStart='\(end.0)' yStart='\(end.1)' xEnd='\(end.2)' yEnd='\(end.3)' "
                + "thickness='10' \(attributes)/>"
        }
        let text = """
            <home version='7000' name='Attic' \(home)>\(drawn.joined())
            <room name='Attic'><point x='5' y='5'/><point x='395' y='5'/>
            <point x='395' y='295'/><point x='5' y='295'/></room></home>
            """
        let read = try PlanFile.read(Array(text.utf8), named: "Home.xml")
        return (FloorPlan(read.items).rooms["room-1"]?.height, read.warnings)
    }

    @Test func `a room is as high as its lowest wall`() throws {
        let low = try Self.attic(Array(repeating: "height='210'", count: 4))
        #expect(low.height == 2_100 && low.warnings == [])
        #expect(try Self.attic(["height='212'", "height='210'", "", ""]).height == 0)
        let close = try Self.attic(["height='212'", "height='210'", "height='215'", "height='211'"])
        #expect(close.height == 2_100)
        #expect(try Self.attic(["", "", "", ""]).height == 2_500)
    }

    @Test func `a room under a sloping roof has no known height`() throws {
        let slopes = try Self.attic([
            "height='240'", "height='240' heightAtEnd='120'", "height='120'",
            "height='120' heightAtEnd='240'",
        ])
        #expect(slopes.height == 0)
        #expect(slopes.warnings.count { $0.contains("slopes from 1200 to 2400 mm") } == 2)
        #expect(slopes.warnings.last?.contains("how high it is in “Attic”") == true)
        let knee = try Self.attic(["height='240'", "height='240'", "height='120'", "height='240'"])
        #expect(knee.height == 0 && knee.warnings.count == 1)
    }

    @Test func `a room whose walls have no height has none`() throws {
        let unsaid = try Self.attic(["", "", "", ""], home: "")
        #expect(unsaid.height == 0 && unsaid.warnings.count == 1)
    }

    @Test(arguments: [(2.4, 2.4, 2_400), (2.4, 2.37, 2_370), (2.4, 1.2, 0)])
    func `a scanned room has a height if its walls agree`(
        height: Double, other: Double, expected: UInt32
    ) throws {
        let text = RoomScanTests.room(height: height)
            .replacing("[4.0, \(height), 0.0]", with: "[4.0, \(other), 0.0]", maxReplacements: 1)
        let read = try RoomScanTests.read(text)
        #expect(FloorPlan(read.items).rooms["room-1"]?.height == expected)
        let told = read.warnings.count { $0.contains("the height of “bathroom” is unknown") }
        #expect(told == (expected == 0 ? 1 : 0))
    }
}
