import FloorPlan
import Messages
import TestSupport
import Testing

extension Processes {
    @Suite struct EditTests {
        @Test func `an edit is one step, made completely or not at all`() throws {
            let office = try Office()
            try office.make("Storgata 1", PlanItem.room)
            let before = try office.read()

            let refusal = try office.refusal(
                of: EditPlan(
                    plan: "Storgata 1",
                    actions: [
                        PlanAction(action: .add(.element("", at: (1_000, 1_500)))),
                        PlanAction(action: .move("nothing", by: (100, 0))),
                    ]))
            #expect(refusal?.code == .notFound)
            #expect(refusal?.message == "action 2: the plan has no nothing")
            #expect(try office.read() == before)
            #expect(try office.history() == [])

            let edited = try office.edit(
                "Storgata 1", .add(.element("", at: (1_000, 1_500))),
                .move("bed-1", by: (100, 0)))
            #expect(edited.plan?.revision == 2 && edited.plan?.undoable == 1)
            #expect(edited.changed == 1 && edited.changes.count == 1)
            #expect(
                edited.changes[0]
                    == ItemChange(after: .element("bed-1", at: (1_100, 1_500))))
            let steps = try office.history()
            #expect(steps.map(\.text) == ["added bed-1, moved bed-1 by (100, 0) mm"])
            #expect(steps[0].number == 1 && !steps[0].undone && steps[0].by != "")
        }

        @Test func `a removed thing comes back in its place in the drawing, even after a restart`()
            throws
        {
            let office = try Office()
            try office.make("Storgata 1", PlanItem.room)
            let whole = try office.read().items
            try office.edit("Storgata 1", .remove("south"))
            try office.edit("Storgata 1", .add(.element("bed-1", at: (1_000, 1_500))))
            let last = try office.read().items

            try office.restart()
            let undone = try office.undo("Storgata 1", 2)
            #expect(undone.plan?.undoable == 0 && undone.plan?.redoable == 2)
            #expect(undone.changed == 3)
            #expect(try office.read().items == whole)
            #expect(try office.history().map(\.undone) == [true, true])

            try office.restart()
            #expect(try office.redo("Storgata 1", 2).plan?.revision == 5)
            #expect(try office.read().items == last)
            #expect(try office.refusal(of: RedoEdits(plan: "Storgata 1"))?.code == .conflict)
            #expect(
                try office.refusal(of: UndoEdits(plan: "Storgata 1", steps: 3))?.message
                    == "only 2 edits can be undone")
        }

        @Test func `an undo by somebody who hasn't seen the last edit undoes nothing`() throws {
            let office = try Office()
            try office.make("Storgata 1", PlanItem.beds(1))
            try office.edit("Storgata 1", .move("bed-1", by: (10, 0)))
            try office.edit("Storgata 1", .move("bed-1", by: (10, 0)))
            let seen = try office.read().plan.revision
            try office.undo()
            let present = try office.read()
            #expect(present.plan.undoable == 1 && present.plan.redoable == 1)
            for refusal in [
                try office.refusal(of: UndoEdits(plan: "Storgata 1", expectedRevision: seen)),
                try office.refusal(of: RedoEdits(plan: "Storgata 1", expectedRevision: seen)),
            ] {
                #expect(refusal?.code == .conflict)
                #expect(refusal?.message.contains("steward plan history") == true)
            }
            let left = try office.read()
            #expect(left.plan == present.plan && left.items == present.items)
            let now = present.plan.revision
            _ = try office.ask(
                UndoEdits(plan: "Storgata 1", expectedRevision: now), for: PlanEdited.self)
            #expect(try office.read().plan.undoable == 0)
        }

        @Test func `an edit after an undo leaves nothing to redo`() throws {
            let office = try Office()
            try office.make()
            try office.edit("Storgata 1", .add(.element("bed-1", at: (0, 0))))
            try office.edit("Storgata 1", .move("bed-1", by: (500, 0)))
            try office.undo()
            let edited = try office.edit("Storgata 1", .move("bed-1", by: (0, 700)))

            #expect(edited.plan?.undoable == 2 && edited.plan?.redoable == 0)
            let steps = try office.history()
            #expect(steps.map(\.text) == ["moved bed-1 by (0, 700) mm", "added bed-1"])
            #expect(steps.map(\.number) == [2, 1])
        }

        @Test func `an edit of an older revision is refused, and a no-op isn't an edit`()
            throws
        {
            let office = try Office()
            let plan = try office.make("Storgata 1", PlanItem.beds(1))
            let still = try office.edit(plan.id, .move("bed-1", by: (0, 0)))
            #expect(still.plan == plan && still.changed == 0)
            try office.edit(plan.id, .move("bed-1", by: (10, 0)))

            let refusal = try office.refusal(
                of: EditPlan(
                    plan: plan.id, expectedRevision: 1,
                    actions: [PlanAction(action: .move("bed-1", by: (10, 0)))]))
            #expect(refusal?.code == .conflict)
            #expect(refusal?.message.contains("revision 2") == true)
            #expect(try office.refusal(of: EditPlan(plan: plan.id))?.code == .invalid)
        }

        @Test func `a collision is refused with what it hits, unless forced`() throws {
            let office = try Office()
            try office.make("Storgata 1", PlanItem.beds(2))
            let action = PlanAction(action: .move("bed-1", by: (500, 0)))

            let refusal = try office.refusal(of: EditPlan(plan: "Storgata 1", actions: [action]))
            #expect(refusal?.code == .conflict && refusal?.message.contains("bed-2") == true)
            #expect(try office.read().plan.revision == 1)
            #expect(
                try office.edit("Storgata 1", .move("bed-1", by: (500, 0)), force: true).changed
                    == 1)
        }

        @Test func `removing the plan's chair gives a warning, even by an undo`() throws {
            let office = try Office()
            try office.make()
            try office.edit(
                "Storgata 1", .add(.element("chair", .wheelchair, at: (0, 0), 650, 1_100)))
            _ = try office.ask(
                ChangePlanDetails(
                    plan: "Storgata 1", details: PlanDetails(name: "Storgata 1", chair: "chair")),
                for: Plan.self)

            #expect(try office.undo().warnings.first?.contains("was the chair") == true)
            #expect(try office.redo().warnings == [])
            #expect(try office.edit("Storgata 1", .remove("chair")).warnings.count == 1)
        }

        @Test func `a missing id becomes the kind and an unused number`() throws {
            let office = try Office()
            try office.make("Storgata 1", PlanItem.room)
            let bed = PlanItem.element("", at: (0, 0))
            let edited = try office.edit(
                "Storgata 1", .add(.element("bed-2", at: (0, 9_000)), bed), .add(bed),
                .add(.door("", in: "south", at: 2_000), .element("", .wheelchair, at: (900, 900))),
                .drawRoom(
                    DrawRoom(
                        room: Room(name: "Bath", use: .bathroom), start: PlanPoint(x: 9_000, y: 0),
                        sides: [
                            RoomSide(length: 2_000), RoomSide(length: 1_500),
                            RoomSide(length: 2_000),
                        ], wallThickness: 100)),
                .copy(CopyItem(id: "south", by: PlanPoint(x: 0, y: -9_000))), force: true)
            #expect(
                edited.changes.compactMap { $0.after?.id } == [
                    "bed-2", "bed-1", "bed-3", "door-2", "wheelchair-1", "room-1-wall-1",
                    "room-1-wall-2", "room-1-wall-3", "room-1-wall-4", "room-1", "wall-1",
                    "wall-1-1", "wall-1-2",
                ])
            // Its walls stay, so the next room gets another number.
            let again = try office.edit(
                "Storgata 1", .remove("room-1", "bed-1"), .add(bed),
                .drawRoom(
                    DrawRoom(
                        start: PlanPoint(x: 19_000, y: 0),
                        sides: Array(repeating: RoomSide(length: 2_000), count: 3),
                        wallThickness: 100)), force: true)
            #expect(again.changes.last?.after == nil || again.changes.last?.after?.id == "room-2")
            #expect(try office.read().items.contains { $0.id == "room-2-wall-1" })
        }

        @Test func `the plan's chair may be removed, and undo restores it`() throws {
            let office = try Office()
            try office.make("Storgata 1", [.element("chair", .wheelchair, at: (0, 0), 650, 1_100)])
            {
                $0.chair = "chair"
            }
            let edited = try office.edit("Storgata 1", .remove("chair"))
            #expect(edited.warnings.count == 1 && edited.warnings[0].contains("chair"))
            #expect(edited.plan?.details?.chair == "chair")
            try office.undo()
            #expect(try office.read().items.map(\.id) == ["chair"])
        }

        @Test func `a plan has at most 10,000 things, and texts that a page can show`() throws {
            let office = try Office()
            let plan = try office.make("Storgata 1", PlanItem.beds(10_000), force: true)
            #expect(plan.items == 10_000)
            let more = PlanAction(action: .add(.element("", at: (-9_000, 0))))
            let refusal = try office.refusal(of: EditPlan(plan: plan.id, actions: [more]))
            #expect(refusal?.message.contains("at most 10000 things") == true)
            #expect(try office.read().items.count == 10_000)
            for id in ["a\u{1B}[2J", String(repeating: "x", count: 101)] {
                let action = PlanAction(action: .add(.element(id, at: (-9_000, 0))))
                #expect(
                    try office.refusal(of: EditPlan(plan: plan.id, actions: [action]))?.code
                        == .invalid)
            }
        }
    }
}
