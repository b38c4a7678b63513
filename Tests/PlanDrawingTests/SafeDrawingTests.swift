import FloorPlan
import Messages
import Papers
import Phrases
import Testing

@testable import PlanDrawing

/// A drawing promises no more than a check finds.
struct SafeDrawingTests {
    /// The widths that a drawing writes at the door of a room, which opens out of it.
    private static func widths(
        _ things: [PlanItem] = [], _ change: (inout Opening) -> Void = { _ in }
    ) throws -> [Drawing.Text] {
        var door = Opening(
            id: "door", wall: "wall", kind: .door, offset: 1_000, width: 900, height: 2_000,
            clearWidth: 800, swingsRight: true)
        change(&door)
        let picture = try PictureTests.picture(
            [
                Homes.wall("wall", (0, -50), (3_000, -50)),
                Homes.room(
                    "room", "Room", .bedroom, [(0, 0), (3_000, 0), (3_000, 3_000), (0, 3_000)]),
                PlanItem(item: .opening(door)),
            ] + things)
        return PictureTests.texts(picture, ["dimensions"]).filter(\.isBold)
    }

    private static func chest(_ x: Int32, _ y: Int32, elevation: UInt32 = 0) -> PlanItem {
        PlanItem(
            item: .element(
                Element(
                    id: "chest", kind: .cupboard, label: "Chest", centre: PlanPoint(x: x, y: y),
                    width: 400, depth: 400, elevation: elevation)))
    }

    @Test func `a door in which something stands has the width that is left beside it`() throws {
        #expect(try Self.widths().map(\.words) == ["80"])

        // The chest covers the first 100 mm of 800.
        let narrowed = try Self.widths([Self.chest(950, 200)])
        #expect(narrowed.map(\.words) == ["70"] && narrowed.map(\.colour) == [.red])
        // Before the doorway, beside it and above it nothing is in the way.
        for chest in [
            Self.chest(950, 251), Self.chest(850, 200), Self.chest(950, 200, elevation: 2_000),
        ] {
            #expect(try Self.widths([chest]).map(\.words) == ["80"], "\(chest)")
        }
        #expect(
            try Self.widths([Self.chest(950, 200, elevation: 1_999)]).map(\.words) == ["70"])
    }

    @Test func `a partition that ends in a doorway takes from the width that is drawn`() throws {
        let partition = Homes.wall("partition", (1_600, -50), (1_600, 3_000))

        // From 1050 to 1550 mm, and from 1650 to 1850.
        #expect(try Self.widths([partition]).map(\.words) == ["50"])
    }

    @Test func `a passage in which something stands has the width that is left beside it`() throws {
        func passage(_ things: [PlanItem]) throws -> [String] {
            try Self.widths(things) { door in
                (door.kind, door.clearWidth) = (.passage, nil)
            }.map(\.words)
        }
        #expect(try passage([]) == ["90"])
        #expect(try passage([Self.chest(950, 200)]) == ["75"])
    }

    @Test func `a width that wasn't measured is rounded down`() throws {
        // 900 mm less a frame and the leaf are 769 mm.
        #expect(try Self.widths { $0.clearWidth = nil }.map(\.words) == ["~76"])
        let words = Words<DrawingPhrase>(.english)
        #expect(words.roundedDown(769, .millimetres) == "769")
        #expect(words.roundedDown(770, .centimetres) == "77")
        #expect(words.roundedDown(9, .centimetres) == "0")
    }
}
