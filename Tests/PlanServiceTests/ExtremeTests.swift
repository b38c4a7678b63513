import Bus
import Messages
import TestSupport
import Testing

@testable import PlanService

extension Processes {
    /// Absurd numbers: the service answers every message, whatever is in it.
    @Suite struct ExtremeTests {
        private static let chair = PlanItem(
            item: .element(
                Element(
                    id: "chair", kind: .wheelchair, centre: PlanPoint(x: 2_000, y: 1_500),
                    width: 650, depth: 1_100, height: 900, angle: 90_000,
                    wheelchair: Wheelchair(turningDiameter: 1_300, axleFromRear: 300))))
        private static let door = PlanItem(
            item: .opening(
                Opening(
                    id: "new", wall: "east", kind: .door, offset: 500, width: 900, height: 2_000,
                    clearWidth: 800, leafWidth: 850, threshold: 20)))
        private static let room = PlanItem(
            item: .room(
                Room(
                    id: "room-1", name: "Stue", use: .living,
                    corners: [(50, 50), (3_950, 50), (3_950, 2_950), (50, 2_950)].map {
                        PlanPoint(x: $0.0, y: $0.1)
                    }, height: 2_400)))
        private static let wall = PlanItem(
            item: .wall(
                Wall(
                    id: "wall", start: PlanPoint(x: 9_000, y: 0), end: PlanPoint(x: 9_000, y: 900),
                    thickness: 100, height: 2_400)))

        private static let actions: [PlanAction.Action] = [
            .add(wall), .add(door), .add(room), .add(chair),
            .drawRoom(
                DrawRoom(
                    room: Room(id: "drawn", name: "Bod", use: .living),
                    start: PlanPoint(x: 20_000, y: 20_000), angle: 0,
                    sides: [3_000, 2_000, 3_000, 2_000].map { RoomSide(length: $0) },
                    wallThickness: 100)),
            .move("bed-1", by: (100, 100)),
            .dock(DockOpening(opening: "door-1", wall: "north", offset: 200)),
            .resize(ResizeItem(id: "bed-1", width: 900, depth: 2_000, height: 500)),
            .setLength(SetWallLength(wall: "south", length: 4_100)),
            .rotate(RotateElement(element: "bed-1", angle: 45_000)),
            .turnWall(TurnWall(wall: "south", by: 1_000)),
            .setAngle(SetWallAngle(wall: "south", with: "north", angle: 1_000)),
            .moveCorner(MoveCorner(from: PlanPoint(), to: PlanPoint(x: 10, y: 10))),
            .copy(CopyItem(id: "bed-1", newId: "bed-9", by: PlanPoint(x: 5_000, y: 5_000))),
            .place(PlaceItem(name: "Bed", id: "placed", centre: PlanPoint(x: 7_000, y: 7_000))),
            .replace(.element("bed-1", at: (900, 1_600))),
        ]

        private static var home: [PlanItem] {
            PlanItem.room + [.element("bed-1", at: (900, 1_600))]
        }

        @Test func `no number in a message about plans stops the service`() throws {
            let office = try Office()
            let plan = try office.make("Storgata 1", Self.home) { $0.standards = ["tek17"] }
            try office.edit(plan.id, .move("bed-1", by: (1, 1)))
            _ = try office.ask(
                KeepInLibrary(item: LibraryItem(label: "Bed", item: .element("", at: (0, 0)))),
                for: LibraryItem.self)
            let messages: [any ProtobufMessage] = [
                CreatePlan(details: PlanDetails(name: "New", tolerance: 5), items: [Self.wall]),
                CreatePlan(details: PlanDetails(name: "New"), items: [Self.chair]),
                ChangePlanDetails(
                    plan: plan.id, details: PlanDetails(name: "Storgata 1", tolerance: 5)),
                ReadPlan(plan: plan.id, from: 1), ListPlans(limit: 1),
                ReadPlanHistory(plan: plan.id, before: 1, limit: 1),
                UndoEdits(plan: plan.id, steps: 1), RedoEdits(plan: plan.id, steps: 1),
                ChangePlanView(plan: plan.id, zoom: 50, pan: PlanPoint(x: 1, y: 1)),
                ReadPlanView(plan: plan.id), CheckPlan(plan: plan.id),
                ReachPlan(plan: plan.id, width: 650, length: 1_100),
                KeepInLibrary(item: LibraryItem(label: "Chair", item: Self.chair)),
                PutProducts(products: [.chair(1)]), FindProducts(limit: 1),
                ReadProduct(product: "H1"),
                EditPlan(plan: plan.id, expectedRevision: 1, actions: [], force: true),
                ReadBackupPiece(jobId: "x", name: "x", offset: 1),
                Replay(epoch: 1, after: 1, limit: 1),
            ]
            var number = 0
            let fresh = {
                number += 1
                return "Plan \(number)"
            }
            let edits: [any ProtobufMessage] = Self.actions.map {
                EditPlan(plan: "", actions: [PlanAction(action: $0)], force: true)
            }

            let wrong = try office.client.answersToExtremes(
                of: messages + edits, from: { office.service },
                prepare: { message in
                    if var create = message as? CreatePlan {
                        create.details.name = fresh()
                        return create
                    }
                    guard var edit = message as? EditPlan, edit.plan.isEmpty else { return message }
                    edit.plan = try office.make(fresh(), Self.home).id
                    return edit
                })

            #expect(wrong == [])
            try office.restart()
            for plan in try office.ask(ListPlans(limit: 1000), for: Messages.Plans.self).plans {
                _ = try office.read(plan.id)
                _ = try office.refusal(of: CheckPlan(plan: plan.id))
            }
            #expect(office.service.isRunning)
        }
    }
}
