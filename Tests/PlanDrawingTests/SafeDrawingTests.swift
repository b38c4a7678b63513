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

    @Test func `no length inside a room is written longer than it is`() throws {
        let words = Words<DrawingPhrase>(.english)
        #expect(words.inside(896, .centimetres) == "89.6")
        #expect(words.inside(1_495, .centimetres) == "149.5")
        #expect(words.inside(1_499.99, .centimetres) == "149.9")
        #expect(words.inside(1_499.99, .millimetres) == "1499")
        #expect(words.inside(900, .centimetres) == "90")

        let corners = [(0, 0), (896, 0), (896, 5_000), (0, 5_000)] as [(Int32, Int32)]
        let corridor = Room(
            id: "room", name: "Hall", use: .hall,
            corners: corners.map { PlanPoint(x: $0.0, y: $0.1) })
        let picture = try PictureTests.picture([PlanItem(item: .room(corridor))])
        let written = PictureTests.texts(picture, ["dimensions"]).map(\.words)
        #expect(written.contains("89.6") && !written.contains("90"), "\(written)")
        let lines = picture.text(columns: 120, rows: 60, coloured: false)
        #expect(!lines.contains("90 × 500"))
    }

    @Test(arguments: [OpeningKind.door, .slidingDoor, .passage])
    func `a lower edge above the floor is drawn as the threshold that a check counts`(
        kind: OpeningKind
    ) throws {
        func lines(threshold: UInt32, sill: UInt32) throws -> Int {
            let opening = Opening(
                id: "opening", wall: "wall", kind: kind, offset: 1_000, width: 900, height: 2_000,
                sill: sill, threshold: threshold)
            let picture = try PictureTests.picture([
                Homes.wall("wall", (0, 0), (3_000, 0)), PlanItem(item: .opening(opening)),
            ])
            let marks = picture.drawing.parts.first { $0.name == "openings" }?.marks ?? []
            return marks.count { mark in
                guard case .path(let path, let pen) = mark.shape, pen.dash.isEmpty,
                    case .move(let from)? = path.steps.first,
                    case .line(let to)? = path.steps.last
                else { return false }
                return path.steps.count == 2 && abs(from.y - to.y) < 1e-6
                    && abs(abs(to.x - from.x) * picture.scale - 900) < 1e-6
            }
        }
        #expect(try lines(threshold: 0, sill: 0) == 0)
        #expect(try lines(threshold: 20, sill: 0) == 2)
        #expect(try lines(threshold: 0, sill: 30) == 2)
    }

    /// The circle that a drawing of a chair of 700 by 1250 mm shows, and the measure written at it.
    private static func circle(
        _ build: Wheelchair?
    ) throws -> (low: Vector, high: Vector, words: [String]) {
        let chair = Element(
            id: "chair", kind: .wheelchair, centre: PlanPoint(x: 2_000, y: 2_000), width: 700,
            depth: 1_250, wheelchair: build)
        let picture = try PictureTests.picture([
            Homes.room("hall", "Hall", .hall, [(0, 0), (4_000, 0), (4_000, 4_000), (0, 4_000)]),
            PlanItem(item: .element(chair)),
        ])
        let middle = picture.spot(of: PlanPoint(x: 2_000, y: 2_000)).vector
        var bounds = Bounds([Vector]())
        for mark in picture.drawing.parts.first(where: { $0.name == "circles" })?.marks ?? [] {
            // The label has a white ground.
            guard case .path(let path, let pen) = mark.shape, pen.stroke != nil else { continue }
            for step in path.steps {
                guard case .curve(_, _, let end) = step else { continue }
                bounds.extend(to: (end.vector - middle) * picture.scale)
            }
        }
        let words = PictureTests.texts(picture, ["circles"]).map(\.words)
        // On paper, y points down.
        return (
            Vector(bounds.low.x, -bounds.high.y), Vector(bounds.high.x, -bounds.low.y), words
        )
    }

    @Test func `the circle of a chair includes hands, an assistant and leg rests`() throws {
        func expect(
            _ build: Wheelchair?, _ words: String, diameter: Double, north: Double
        ) throws {
            let drawn = try Self.circle(build)
            #expect(drawn.words == [words])
            let (size, centre) = (drawn.high - drawn.low, (drawn.low + drawn.high) * 0.5)
            #expect(abs(size.x - diameter) < 1 && abs(size.y - diameter) < 1, "\(size)")
            #expect(abs(centre.x) < 1 && abs(centre.y - north) < 1, "\(centre)")
        }
        // The diagonal of 700 by 1250 mm is 1432.7 mm, which isn't 143 cm.
        try expect(nil, "Ø 143.3", diameter: 1_432.7, north: 0)
        // Of 800 by 1900 mm: 400 mm behind the chair, which faces south, and 250 mm before it.
        try expect(
            Wheelchair(hands: 100, assistant: 400, legRests: 250), "Ø 206.2", diameter: 2_061.6,
            north: 75)
        try expect(
            Wheelchair(turningDiameter: 1_500, legRests: 250), "Ø 200", diameter: 2_000, north: 0)
        // From an axle 300 mm before the rear to corners 350 mm aside and 1200 mm ahead.
        try expect(
            Wheelchair(axleFromRear: 300, legRests: 250), "Ø 250", diameter: 2_500, north: 325)
    }
}
