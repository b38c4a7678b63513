import Messages
import Testing

@testable import FloorPlan

/// Several edits as one gesture, and undoing it.
struct PlanGestureTests {
    @Test func `several edits form one gesture with one change for each thing`() throws {
        var editor = try PlanActionTests.room()
        let before = editor.plan
        let bed = PlanItem.bed("bed", at: PlanPoint(x: 2_500, y: 2_000))
        let outcome = try editor.make([
            .add([bed]), .move(["bed"], by: PlanPoint(x: 100, y: 0)), .rotate("bed", to: 90_000),
            .dock("door", wall: "room-wall-1", offset: 600),
            .dock("door", wall: "room-wall-1", offset: 500),
        ])

        #expect(outcome.changes.count == 1)
        #expect(outcome.changes.first?.before == nil)
        #expect(editor.plan.elements["bed"]?.centre == PlanPoint(x: 2_600, y: 2_000))
        #expect(editor.plan.elements["bed"]?.angle == 90_000)
        editor.apply(outcome.changes.reversed)
        #expect(editor.plan == before)
    }

    @Test func `if one of several edits can't be made, none is`() throws {
        var editor = try PlanActionTests.room()
        let before = editor.plan

        #expect(throws: Refusal.self) {
            try editor.make([
                .add([.bed("bed", at: PlanPoint(x: 2_500, y: 2_000))]), .remove(["nothing"]),
            ])
        }
        #expect(editor.plan == before)
        #expect(editor.hits(of: .bed("other", at: PlanPoint(x: 2_500, y: 2_000))) == [])
        #expect(editor.plan.place(of: "bed") == nil)
    }

    @Test func `two beds can swap places although they meet on the way`() throws {
        var editor = try PlanActionTests.room()
        _ = try editor.make(
            .add([
                .bed("a", at: PlanPoint(x: 1_500, y: 500)),
                .bed("b", at: PlanPoint(x: 1_500, y: 2_500)),
            ]))
        _ = try editor.make([
            .move(["a"], by: PlanPoint(x: 0, y: 2_000)),
            .move(["b"], by: PlanPoint(x: 0, y: -2_000)),
        ])

        #expect(editor.plan.elements["a"]?.centre?.y == 2_500)
    }

    @Test func `a removed thing comes back at its place in the order`() throws {
        var editor = try PlanActionTests.room()
        let order = editor.plan.order
        let places = Dictionary(
            uniqueKeysWithValues: order.map { ($0, editor.plan.place(of: $0) ?? 0) })
        let changes = try editor.make(.remove(["room-wall-1", "room"])).changes

        // Loaded again from the store.
        var fresh = PlanEditor(
            FloorPlan(
                drawn: editor.plan.items.map { (editor.plan.place(of: $0.id) ?? 0, $0) }))
        fresh.apply(changes.reversed, at: places)
        #expect(fresh.plan.order == order)

        editor.apply(changes.reversed)
        #expect(editor.plan.order == order)
        editor.apply(changes)
        _ = try editor.make(.add([.bed("bed", at: PlanPoint(x: 2_500, y: 2_000))]))
        #expect(editor.plan.order.last == "bed")
    }

    @Test func `a wide door collides even with things far from its hinges`() throws {
        var editor = try PlanActionTests.room()
        var door = try #require(editor.plan.openings["door"])
        (door.width, door.leafWidth) = (2_500, 2_500)
        _ = try editor.make(.replace(PlanItem(item: .opening(door))))
        let bed = PlanItem.bed("bed", at: PlanPoint(x: 1_500, y: 2_450))

        #expect(
            try editor.make(.add([bed])).warnings == [
                "door opens against “bed”: only to 53 degrees, which leaves 949 mm clear"
            ])
    }

    @Test func `a size that was probably given in centimetres gives a warning`() throws {
        var editor = try PlanActionTests.room()
        var chair = Element(
            id: "chair", kind: .wheelchair, centre: PlanPoint(x: 3_000, y: 2_000), width: 65,
            depth: 110)
        func warnings(_ action: PlanAction) throws -> [String] {
            try editor.make(action, force: true).warnings
        }

        #expect(
            try warnings(.add([PlanItem(item: .element(chair))]))
                == ["chair is only 65 x 110 mm; were centimetres meant?"])
        // It is repeated only if the size changes.
        #expect(try warnings(.move(["chair"], by: PlanPoint(x: 100, y: 0))) == [])
        (chair.width, chair.depth) = (650, 1_100)
        #expect(try warnings(.replace(PlanItem(item: .element(chair)))) == [])
        let door = Opening(id: "side", wall: "room-wall-3", kind: .door, offset: 500, width: 90)
        #expect(
            try warnings(.add([PlanItem(item: .opening(door))]))
                == ["door side is only 90 mm wide; were centimetres meant?"])
        let corners = [(9_000, 0), (9_210, 0), (9_210, 240), (9_000, 240)]
            .map { PlanPoint(x: $0.0, y: $0.1) }
        #expect(
            try warnings(.add([PlanItem(item: .room(Room(id: "bath", corners: corners)))]))
                == ["room bath is only 0.05 m²; were centimetres meant?"])
        let rail = Element(
            id: "rail", kind: .aid, centre: PlanPoint(x: 2_000, y: 1_000), width: 40, depth: 60)
        #expect(try warnings(.add([PlanItem(item: .element(rail))])) == [])
    }
}
