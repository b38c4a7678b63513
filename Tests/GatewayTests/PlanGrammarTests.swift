import ArgumentParser
import FloorPlan
import Messages
import PlanSpeech
import Speech
import Testing

@testable import Gateway

/// The meaning of plan commands, shown by what they would send.
@Suite struct PlanGrammarTests {
    /// A room with a door, and a bed in it.
    static let drawing = FloorPlan([
        PlanItem(
            item: .wall(
                Wall(
                    id: "wall-1", start: PlanPoint(x: 0, y: 0), end: PlanPoint(x: 4000, y: 0),
                    thickness: 100))),
        PlanItem(
            item: .opening(
                Opening(id: "door-1", wall: "wall-1", kind: .door, offset: 300, width: 900))),
        PlanItem(
            item: .element(
                Element(
                    id: "bed-1", kind: .bed, label: "Guest bed",
                    centre: PlanPoint(x: 1000, y: 2000),
                    width: 900, depth: 2000, angle: 350_000))),
        PlanItem(
            item: .element(
                Element(
                    id: "table-1", kind: .table, centre: PlanPoint(x: 3000, y: 2000),
                    width: 800, depth: 800))),
        PlanItem(
            item: .element(
                Element(
                    id: "table-2", kind: .table, centre: PlanPoint(x: 3000, y: 3000),
                    width: 800, depth: 800))),
        PlanItem(
            item: .element(
                Element(
                    id: "chair-1", kind: .wheelchair, centre: PlanPoint(x: 1000, y: 4000),
                    width: 700, depth: 1200))),
    ])

    /// What a command would send.
    static func actions(_ line: String) throws -> [PlanAction.Action] {
        let words = try PlanScript.words(of: line[...], at: 1, "").map(\.text)
        let command = try #require(
            try PlanCommand.parseAsRoot(words) as? any PlanEditCommand, "\(line) is no edit")
        return try command.actions(PlanAtHand { drawing }).compactMap(\.action)
    }

    /// The walls that a command would draw.
    static func walls(_ line: String) throws -> [Wall] {
        try actions(line).flatMap { action -> [Wall] in
            guard case .add(let add) = action else { return [] }
            return add.items.compactMap { item in
                guard case .wall(let wall) = item.item else { return nil }
                return wall
            }
        }
    }

    /// A kept item, as it would be placed.
    private static func placed(_ line: String, _ kept: PlanItem.Item) throws -> PlaceItem? {
        let words = try PlanScript.words(of: line[...], at: 1, "").map(\.text)
        let command = try #require(
            try PlanCommand.parseAsRoot(words) as? any PlanEditCommand, "\(line) is no edit")
        let plan = PlanAtHand({ drawing }, placing: { _ in PlanItem(item: kept) })
        guard case .place(let place)? = try command.actions(plan).first?.action else { return nil }
        return place
    }

    @Test func `a chair, a product and a thing of the library stand against a wall, too`() throws {
        // The wall is 100 mm thick. Things stand to its north, or to its south.
        let line = " --against wall-1 --from start --offset 300"
        guard
            case .add(let add)? = try Self.actions("wheelchair --size 700x1200" + line).first,
            case .element(let chair)? = add.items.first?.item
        else {
            Issue.record("no chair is added")
            return
        }
        let isNorth = chair.angle == 180_000
        #expect(isNorth || chair.angle == 0)
        #expect(chair.centre == PlanPoint(x: 650, y: isNorth ? 650 : -650))

        var kept = Element(id: "", kind: .bed, centre: PlanPoint(), width: 900, depth: 2_000)
        for angle: UInt32 in [0, 90_000] {
            kept.angle = angle
            for command in ["product 123456", "place 'Guest bed'"] {
                let place = try #require(try Self.placed(command + line, .element(kept)))
                #expect(place.product == command.hasPrefix("product"))
                #expect(place.centre == PlanPoint(x: 750, y: isNorth ? 1_050 : -1_050))
                #expect((place.angle + angle) % 360_000 == chair.angle)
            }
        }
        let place = try #require(
            try Self.placed("product 123456 --at 10,20 --angle 30", .element(kept)))
        #expect(place.centre == PlanPoint(x: 10, y: 20) && place.angle == 30_000)
    }

    @Test func `a wall or a room of the library has no rear to stand against a wall`() throws {
        let wall = Wall(id: "", start: PlanPoint(x: -500, y: 0), end: PlanPoint(x: 500, y: 0))
        #expect(
            throws: Failure(
                .refused, "“Partition” is a wall, which has no rear",
                advice: "say where its middle is: --at X,Y")
        ) { _ = try Self.placed("place Partition --against wall-1", .wall(wall)) }
    }

    @Test(arguments: ["wheelchair --size 700x1200", "product 123456", "place Bed"])
    func `whatever is placed needs a place, and only one`(line: String) throws {
        for rest in ["", " --at 1,2 --against wall-1", " --against wall-1 --angle 90"] {
            let words = try PlanScript.words(of: (line + rest)[...], at: 1, "").map(\.text)
            #expect(throws: (any Error).self) { try PlanCommand.parseAsRoot(words) }
        }
    }

    @Test(arguments: ["", " "])
    func `nothing typed names nothing, even if only one thing is in the plan`(text: String) {
        let plan = PlanAtHand { FloorPlan(Array(Self.drawing.items.prefix(1))) }

        #expect(
            throws: Failure(
                .refused, "nothing in the plan was named",
                advice: "give an id or a label; see steward plan show")
        ) { _ = try plan.item(text) }
    }

    @Test(
        arguments: [
            ("wall --from 0,0 --to 4000,0", 4000, 0), ("wall --from 0,0 --east 4m", 4000, 0),
            ("wall --from 0,0 --north -3000", 0, -3000), ("wall --from 0,0 --west 1m", -1000, 0),
            ("wall --from 0,0 --south 50cm", 0, -500),
            ("wall --from 0,0 --length 2500 --angle 180", -2500, 0),
            ("wall --from 0,0 --length 2000 --angle 30", 1732, 1000),
        ] as [(String, Int32, Int32)])
    func `a wall leads to a place, a length in a direction, or at an angle`(
        _ line: String, _ x: Int32, _ y: Int32
    ) throws {
        let wall = try #require(try Self.walls(line).first)

        #expect(wall.from == PlanPoint())
        #expect(wall.to == PlanPoint(x: x, y: y))
        #expect(wall.thickness == 100)
    }

    @Test func `a wall continues from a corner, or from the wall drawn last`() throws {
        #expect(try Self.walls("wall --from wall-1:end --north 1m").first?.from.x == 4000)
        #expect(try Self.walls("wall --from wall-1:start --north 1m").first?.from.x == 0)
        #expect(try Self.walls("wall --north 1m").first?.from.x == 4000)
    }

    @Test func `several places make several walls, and close leads back`() throws {
        let walls = try Self.walls("wall --from 0,0 --to 4000,0 --to 4000,3000 --to 0,3000 --close")

        #expect(walls.count == 4)
        #expect(zip(walls, walls.dropFirst()).allSatisfy { $0.to == $1.from })
        #expect(walls.last?.to == walls.first?.from)
    }

    @Test(arguments: [
        "wall --from 0,0", "wall --from 0,0 --to 1,1 --east 3", "wall --from 0,0 --length 4",
        "wall --from 0,0 --to 5,5 --close", "door wall-1 --width 900",
        "door wall-1 --offset 1 --from-end 1 --width 900", "room Bath --at 0,0",
        "room Bath --size 1x1 --sides 1,2,3", "move bed-1", "move bed-1 table-1 --to 1,1",
        "move bed-1 --to 1,1 --east 2", "rotate bed-1", "resize bed-1",
        "resize bed-1 --size 1x1 --width 4", "angle a b --to 270", "change bed-1",
        "add sled --at 0,0 --size 1x1", "wheelchair --at 0,0",
        "wheelchair --at 0,0 --size 65x110", "view pan", "view zoom 0",
        "reach --chair a --size 1x1", "details", "export flat.docx", "report flat.png",
        "send a@example.org --format doc", "check --all --failing", "draw --columns 3",
    ])
    func `an edit that says too little or too much is refused`(_ line: String) throws {
        let words = try PlanScript.words(of: line[...], at: 1, "").map(\.text)

        #expect(throws: (any Error).self) { try PlanCommand.parseAsRoot(words) }
    }

    @Test func `a door is measured from either end of its wall`() throws {
        func door(_ line: String) throws -> Opening? {
            guard case .add(let add) = try Self.actions(line).first,
                case .opening(let opening) = add.items.first?.item
            else { return nil }
            return opening
        }

        let first = try #require(
            try door(
                "door wall-1 --offset 30cm --width 900 --clear 824 --hinges end --swing right "
                    + "--threshold 15 --entrance"))
        #expect(
            (first.offset, first.width, first.clearWidth, first.threshold) == (300, 900, 824, 15))
        #expect(first.hingesAtEnd && first.swingsRight && first.entrance && first.kind == .door)
        #expect(try Self.actions("door wall-1 --from-end 500 --width 900").count == 1)
        let sliding = try #require(
            try door("door wall-1 --from-end 500 --width 900 --sliding"))
        #expect((sliding.offset, sliding.kind) == (2600, .slidingDoor))
        #expect(throws: Failure.self) {
            try Self.actions("door wall-1 --from-end 3500 --width 900")
        }
    }

    @Test(arguments: ["door", "door --sliding", "passage"])
    func `a door drawn without mention of its threshold isn't taken for step-free`(
        command: String
    ) throws {
        func drawn(_ options: String) throws -> Opening {
            let words = command.split(separator: " ")
            let rest = words.dropFirst().joined(separator: " ")
            let line = "\(words[0]) wall-1 --from-end 500 --width 900 \(rest) \(options)"
            guard case .add(let add) = try Self.actions(line).first,
                case .opening(let opening) = add.items.first?.item
            else { throw Failure(.broken, "nothing is drawn") }
            return opening
        }
        #expect(try drawn("").isRiseUnknown)
        let none = try drawn("--threshold 0")
        #expect(!none.thresholdUnknown && none.threshold == 0)
        let high = try drawn("--threshold 15")
        #expect(!high.thresholdUnknown && high.threshold == 15)
    }

    @Test func `a door drawn without a word about its hanging is printed with the one it got`()
        throws
    {
        func printed(_ options: String) throws -> String {
            let line = "door wall-1 --from-end 500 --width 900 \(options)"
            guard case .add(let add) = try Self.actions(line).first,
                let door = add.items.first
            else { throw Failure(.broken, "nothing is drawn") }
            let lines = PlanWords.lines(PlanEdited(changes: [ItemChange(after: door)], changed: 1))
            // The list of the plan has the same words.
            #expect(lines.count == 1 && lines[0].contains(door.measures))
            return door.measures
        }
        #expect(try printed("").hasSuffix(", hinges at its start, swings left"))
        #expect(try printed("--hinges end").hasSuffix(", hinges at its end, swings left"))
        #expect(try printed("--swing right").hasSuffix(", hinges at its start, swings right"))
        #expect(try !printed("--sliding").contains("hinges"))
    }

    @Test func `a thing can move to a place or by an offset`() throws {
        for line in [
            "move bed-1 --to 1500,1000", "move 'guest bed' --by 500,-1000",
            "move bed --east 50cm --south 1m",
        ] {
            #expect(
                try Self.actions(line)
                    == [.move(MoveItems(ids: ["bed-1"], by: PlanPoint(x: 500, y: -1000)))])
        }
        #expect(throws: Failure.self) { try Self.actions("move door-1 --to 1,1") }
    }

    @Test func `a thing can turn to an angle or by one`() throws {
        #expect(
            try Self.actions("rotate bed-1 --to 90")
                == [.rotate(RotateElement(element: "bed-1", angle: 90_000))])
        #expect(
            try Self.actions("rotate bed-1 --by 20")
                == [.rotate(RotateElement(element: "bed-1", angle: 10_000))])
        #expect(
            try Self.actions("rotate bed-1 --by -360")
                == [.rotate(RotateElement(element: "bed-1", angle: 350_000))])
    }

    @Test func `a change keeps what it doesn't mention, and applies to one kind of thing`() throws {
        guard
            case .replace(let item) = try Self.actions("change door-1 --clear 824 --hinges end")
                .first, case .opening(let door) = item.item
        else { throw Failure(.broken, "no change") }
        #expect(
            (door.clearWidth, door.hingesAtEnd, door.width, door.offset) == (824, true, 900, 300))
        var scanned = door
        scanned.thresholdUnknown = true
        let traits = try PlanTraits.parse(["--threshold", "0"])
        #expect(
            try traits.applied(to: PlanItem(item: .opening(scanned))) == .opening(door),
            "what a person says was measured")
        let wrong = #expect(throws: Failure.self) { try Self.actions("change bed-1 --clear 824") }
        #expect(wrong?.sentence == "bed-1 is a bed, and --clear isn't for that")
        #expect(wrong?.advice == "it can have --label, --height, --elevation, --kind")
        #expect(throws: Failure.self) { try Self.actions("change bed-1 --turning 1500") }
    }

    @Test func `a door is hung once both its hinges and its swing are said, also one by one`()
        throws
    {
        var scanned = Opening(id: "door-1", wall: "wall-1", kind: .door, width: 900)
        scanned.hungUnknown = true
        func changed(_ door: Opening, _ options: String...) throws -> Opening {
            let item = try PlanTraits.parse(options).applied(to: PlanItem(item: .opening(door)))
            guard case .opening(let opening) = item else {
                throw Failure(.broken, "it is no door any more")
            }
            return opening
        }
        var known = scanned
        (known.hingesAtEnd, known.swingsRight, known.hungUnknown) = (true, true, false)
        #expect(try changed(scanned, "--hinges", "end", "--swing", "right") == known)
        // Where its hinges are says nothing of the side to which it swings, and the reverse.
        let hinges = try changed(scanned, "--hinges", "end")
        #expect(hinges.isUnhung && hinges.hingesAtEnd && hinges.hangings.count == 2)
        #expect(hinges.hangings.allSatisfy { $0.hingesAtEnd })
        #expect(try changed(hinges, "--hinges", "end") == hinges)
        #expect(try changed(hinges, "--swing", "right") == known)
        let swing = try changed(scanned, "--swing", "right")
        #expect(swing.isUnhung && swing.swingsRight && swing.hangings.count == 2)
        #expect(swing.hangings.allSatisfy { $0.swingsRight })
        #expect(try changed(swing, "--hinges", "end") == known)
    }

    @Test func `what becomes a door may have a threshold, and may be hung in any way`() throws {
        let window = Opening(id: "window-1", wall: "wall-1", kind: .window, width: 900)
        let item = PlanItem(item: .opening(window))
        for options in [["--sliding"], ["--no-sliding"]] {
            guard case .opening(let door) = try PlanTraits.parse(options).applied(to: item) else {
                throw Failure(.broken, "it is no door")
            }
            #expect(door.isRiseUnknown && door.isUnhung == (door.kind == .door))
        }
    }

    @Test func `a class that would do nothing is refused`() throws {
        let aid = PlanItem(item: .element(Element(id: "aid-1", kind: .aid)))
        func changed(_ item: PlanItem, _ options: String...) throws -> Element? {
            let traits = try PlanTraits.parse(options)
            guard case .element(let element) = try traits.applied(to: item) else { return nil }
            return element
        }
        #expect(try changed(aid, "--class", "18 30 15")?.aidClass == "183015")
        for code in ["banana", "183", "183015051", "", "１８３０"] {
            #expect(throws: (any Error).self, "\(code)") { try changed(aid, "--class", code) }
        }
        let bed = #expect(throws: Failure.self) { try Self.actions("change bed-1 --class 183015") }
        #expect(bed?.sentence == "bed-1 isn't an aid, so --class isn't for it")
        #expect(
            try Self.actions("change bed-1 --kind aid --class 183015").count == 1,
            "it becomes one")
        var product = Element(id: "aid-1", kind: .aid)
        product.product = PlacedProduct(id: "p", name: "Chair", isoCode: "12230303")
        let own = #expect(throws: Failure.self) {
            try changed(PlanItem(item: .element(product)), "--class", "183015")
        }
        #expect(own?.sentence.contains("has the class 12230303") == true)
        // A product without a class does what it is told to.
        product.product?.isoCode = ""
        let told = try changed(PlanItem(item: .element(product)), "--class", "183015")
        #expect(told?.aidClass == "183015")
    }

    @Test(arguments: [
        "wheelchair --at 0,0 --size 700x1200 --turning 750",
        "change chair-1 --turning 750",
    ])
    func `the radius of a turning circle is refused where its diameter belongs`(
        line: String
    ) throws {
        let refused = #expect(throws: Failure.self) { try Self.actions(line) }
        #expect(
            refused?.sentence == "a chair of 700 x 1200 mm can't turn in a circle of 750 mm")
        #expect(refused?.advice?.contains("--turning 1500") == true)
    }

    @Test func `an ambiguous name is refused with the ids that it may mean`() throws {
        let several = #expect(throws: Failure.self) { try Self.actions("remove table") }
        #expect(several?.advice == "give the id: table-1, table-2")
        let none = #expect(throws: Failure.self) { try Self.actions("remove tabel-1") }
        #expect(none?.advice?.contains("table-1") == true)
        let wrong = #expect(throws: Failure.self) { try Self.actions("length bed-1 3m") }
        #expect(wrong?.sentence == "bed-1 is a bed, not a wall")
    }

    @Test func `a room is a rectangle, its sides, or its corners`() throws {
        guard
            case .drawRoom(let bath) = try Self.actions(
                "room Bath --at 1m,1m --size 2100x3000 --walls 100 --use bathroom --clockwise"
            ).first
        else { throw Failure(.broken, "no room") }
        #expect(bath.sides.map(\.length) == [2100, 3000, 2100])
        #expect(bath.clockwise && bath.wallThickness == 100 && bath.room.use == .bathroom)
        #expect(bath.start == PlanPoint(x: 1000, y: 1000))
        guard
            case .add(let add) = try Self.actions(
                "room Nook --corner 0,0 --corner 2000,0 --corner 1000,1500"
            ).first, case .room(let nook) = add.items.first?.item
        else { throw Failure(.broken, "no room") }
        #expect(nook.corners.count == 3)
    }

    @Test(arguments: ["kitchen-bench", "Kitchen bench", "KITCHEN_BENCH", "bench"])
    func `a kind of thing has several names`(_ text: String) {
        #expect(KindArgument(argument: text)?.kind == .kitchenBench)
    }
}
