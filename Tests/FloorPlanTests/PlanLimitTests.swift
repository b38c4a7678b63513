import Messages
import Testing

@testable import FloorPlan

/// What an edit may contain, and how much work it may cause.
struct PlanLimitTests {
    private static let spot = PlanPoint(x: 1_500, y: 1_500)

    private static func beds(_ count: Int) -> [PlanItem] {
        (0..<count).map { .bed("bed-\($0)", at: spot) }
    }

    @Test func `if one of several things to remove is missing, none is removed`() throws {
        var editor = try PlanActionTests.room()
        let before = editor.plan

        let refusal = #expect(throws: Refusal.self) {
            try editor.make(.remove(["door", "nothing"]))
        }
        #expect(refusal?.message == "the plan has no nothing")
        #expect(editor.plan == before)
        // A door may be named together with its wall, and an item twice.
        _ = try editor.make(.remove(["room-wall-1", "door", "door"]))
        #expect(editor.plan.openings.isEmpty)
    }

    @Test func `a thing that is named twice moves once`() throws {
        var editor = try PlanActionTests.room()
        _ = try editor.make(.add([.bed("bed", at: Self.spot)]))
        _ = try editor.make(.move(["bed", "bed", "room", "room"], by: PlanPoint(x: 100, y: 0)))

        #expect(editor.plan.elements["bed"]?.centre == PlanPoint(x: 1_600, y: 1_500))
        #expect(editor.plan.rooms["room"]?.corners.first == PlanPoint(x: 100, y: 0))
        #expect(editor.plan.walls["room-wall-1"]?.from == PlanPoint(x: 50, y: -50))
    }

    @Test func `a door that is named along with its room moves as far as the room`() throws {
        var editor = try PlanActionTests.room()
        _ = try editor.make(.move(["door", "room"], by: PlanPoint(x: 100, y: 0)))

        #expect(editor.plan.openings["door"]?.offset == 500)
    }

    @Test func `adding and removing a thing in one edit leaves nothing behind`() throws {
        var editor = try PlanActionTests.room()
        let bed = PlanItem.bed("bed", at: Self.spot)
        _ = try editor.make([.add([bed]), .remove(["bed"])])
        #expect(editor.plan.place(of: "bed") == nil)

        #expect(throws: Refusal.self) {
            try editor.make([.add([bed]), .remove(["bed"]), .remove(["nothing"])])
        }
        #expect(editor.plan.place(of: "bed") == nil)
    }

    @Test func `sizes that no home has are refused`() throws {
        var editor = try PlanActionTests.room()
        func chair(_ turning: UInt32, _ axle: UInt32) -> PlanItem {
            PlanItem(
                item: .element(
                    Element(
                        id: "chair", kind: .wheelchair, centre: Self.spot, width: 650,
                        depth: 1_100,
                        wheelchair: Wheelchair(turningDiameter: turning, axleFromRear: axle))))
        }
        for item in [chair(.max, 0), chair(0, .max)] {
            let refusal = #expect(throws: Refusal.self) { try editor.make(.add([item])) }
            #expect(refusal?.message.contains("200 m") == true)
        }
        var room = try #require(editor.plan.rooms["room"])
        room.height = .max
        #expect(throws: Refusal.self) { try editor.make(.replace(PlanItem(item: .room(room)))) }
        _ = try editor.make(.add([chair(1_500, 300)]))
    }

    @Test func `an id from which wall ids are made leaves room for their suffix`() throws {
        let plan = try PlanActionTests.room().plan
        var reader = ActionReader(reserved: "") { _ in throw Refusal.invalid("nothing") }
        let long = String(repeating: "x", count: 95)
        let sides = DrawRoom.rectangle(1_000, 1_000).map { RoomSide(length: $0.length) }
        for action: PlanAction.Action in [
            .drawRoom(DrawRoom(room: Room(id: long), sides: sides, wallThickness: 100)),
            .copy(CopyItem(id: "room-wall-1", newId: long)),
        ] {
            let refusal = #expect(throws: Refusal.self) {
                try reader.complete(PlanAction(action: action), in: plan)
            }
            #expect(refusal?.message.contains("1 to 80 characters") == true)
        }
        _ = try reader.complete(
            PlanAction(action: .copy(CopyItem(id: "room", newId: long))), in: plan)
    }

    @Test func `thousands of things in one place are refused unless forced`() throws {
        var editor = PlanEditor(FloorPlan())
        let beds = Self.beds(2_000)
        let refusal = #expect(throws: Refusal.self) { try editor.make(.add(beds)) }
        #expect(refusal?.code == .conflict)
        #expect(
            refusal?.message.contains("; “bed-1”, “bed-2” and at least ") == true)
        _ = try editor.make(.add(beds), force: true)

        let move = PlanAction.move(beds.map(\.id), by: PlanPoint(x: 1, y: 0))
        let tooMany = #expect(throws: Refusal.self) { try editor.make(move) }
        #expect(tooMany?.message.contains("too many things stand in or near each other") == true)
        #expect(try editor.make(move, force: true).changes.count == 2_000)
        #expect(
            try editor.make(.move(["bed-7"], by: PlanPoint(x: 1, y: 0))).changes.count == 1)
    }

    @Test(arguments: [
        (2, ""), (3, "; “bed-1” and “bed-2” would hit something too"),
        (4, "; “bed-1”, “bed-2” and “bed-3” would hit something too"),
        (6, "; “bed-1”, “bed-2” and 3 more would hit something too"),
    ])
    func `of many things that collide the first are named`(
        count: Int, others: String
    ) throws {
        var editor = PlanEditor(FloorPlan())
        let refusal = #expect(throws: Refusal.self) {
            try editor.make(.add(Self.beds(count)))
        }

        #expect(
            refusal?.message
                == "“bed-0” would stand 900 mm in “bed-1”; moved by (0, 900) mm it doesn't, or "
                + "force it" + others)
    }

    @Test func `thousands of things that nearly collide are refused unless forced`() throws {
        var editor = PlanEditor(FloorPlan())
        // Boards side by side at an angle: their bounds meet, but the boards don't.
        let boards = (0..<1_500).map { number in
            PlanItem(
                item: .element(
                    Element(
                        id: "board-\(number)", centre: PlanPoint(x: Int32(number) * 3, y: 0),
                        width: 20_000, depth: 1, height: 100, angle: 45_000)))
        }
        let refusal = #expect(throws: Refusal.self) { try editor.make(.add(boards)) }

        #expect(refusal?.message.contains("too many things stand in or near each other") == true)
        _ = try editor.make(.add(boards), force: true)
    }

    @Test func `a wall may have thousands of windows`() throws {
        var editor = PlanEditor(FloorPlan())
        let wall = PlanItem(
            item: .wall(
                Wall(
                    id: "wall", start: PlanPoint(), end: PlanPoint(x: 900_000, y: 0),
                    thickness: 100)))
        func window(_ number: Int, _ width: UInt32) -> PlanItem {
            PlanItem(
                item: .opening(
                    Opening(
                        id: "window-\(number)", wall: "wall", kind: .window,
                        offset: UInt32(number * 100), width: width)))
        }
        _ = try editor.make(.add([wall] + (0..<5_000).map { window($0, 100) }))

        let refusal = #expect(throws: Refusal.self) {
            try editor.make(.replace(window(7, 101)))
        }
        #expect(
            refusal?.message
                == "window-7 would overlap window-8, which goes from 800 to 900 mm")
    }

    @Test func `no more warnings are reported than a person would read`() throws {
        var editor = try PlanActionTests.room()
        let beds = (0..<200).map { PlanItem.bed("bed-\($0)", at: PlanPoint(x: 1_000, y: 300)) }

        #expect(
            try editor.make(.add(beds), force: true).warnings.count == PlanEditor.mostWarnings)
    }

    @Test func `an edit that costs too much is refused entirely`() throws {
        var editor = try PlanActionTests.room()
        let before = editor.plan
        editor.mostEffort = 10_000
        let refusal = #expect(throws: Refusal.self) {
            try editor.make((0..<100).map { .setLength("room-wall-1", 4_000 + $0, keeping: .end) })
        }
        #expect(refusal?.message.contains("too much at once") == true)
        #expect(editor.plan == before)
        // The next edit has its own limit.
        _ = try editor.make(.setLength("room-wall-1", 4_200, keeping: .end))
    }

    @Test func `a room that follows a wall costs as much as comparing its sides`() throws {
        let wall = Wall(
            id: "wall", start: PlanPoint(), end: PlanPoint(x: 20_000, y: 0), thickness: 100)
        // 200 corners, most of them along a jagged side in the north.
        let jags = (0..<197).map { PlanPoint(x: 20_000 - $0 * 100, y: 3_000 + $0 % 2 * 100) }
        let room = Room(
            id: "room",
            corners: [PlanPoint(x: 0, y: 50), PlanPoint(x: 20_000, y: 50)] + jags
                + [PlanPoint(x: 0, y: 3_000)])
        var editor = PlanEditor(
            FloorPlan([PlanItem(item: .wall(wall)), PlanItem(item: .room(room))]))
        let action = PlanAction.move(["wall"], by: PlanPoint(x: 0, y: -10))
        let usual = editor.mostEffort

        editor.mostEffort = 15_000
        #expect(throws: Refusal.self) { try editor.make(action) }
        editor.mostEffort = usual
        _ = try editor.make(action)
        #expect(editor.plan.rooms["room"]?.corners.first == PlanPoint(x: 0, y: 40))
    }
}
