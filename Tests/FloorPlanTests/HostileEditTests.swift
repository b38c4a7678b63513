import Messages
import TestSupport
import Testing

@testable import FloorPlan

/// Edits that no honest program would send.
struct HostileEditTests {
    @Test(arguments: Seed.some(60))
    func `every edit is made or refused, and a refused edit leaves no trace`(
        seed: Seed
    ) throws {
        var seed = seed
        var editor = try PlanActionTests.room()
        for _ in 0..<40 {
            let before = editor.plan
            var reader = ActionReader(reserved: "bed-1") { _ in Self.item(&seed) }
            let count = 1 + seed.below(5)
            do {
                _ = try editor.make(count, force: seed.oneIn(2)) {
                    try reader.complete(PlanAction(action: Self.action(&seed)), in: $1)
                }
                #expect(throws: Never.self) { try editor.plan.validate(editor.plan.items) }
            } catch {
                #expect(error is Refusal && editor.plan == before)
            }
        }
    }

    private static func id(_ seed: inout Seed) -> String {
        seed.pick(["", "door", "room", "room-wall-1", "room-wall-2", "a", "b", "c", "nothing"])
    }

    private static func signed(_ seed: inout Seed) -> Int32 {
        seed.pick([.min, -1_000_001, -1_000_000, -1, 0, 1, 500, 4_000, 1_000_000, .max])
    }

    private static func size(_ seed: inout Seed) -> UInt32 {
        seed.pick([0, 1, 100, 900, 3_000, 90_000, 200_000, 200_001, 360_000, 1 << 31, .max])
    }

    private static func point(_ seed: inout Seed) -> PlanPoint? {
        seed.oneIn(6) ? nil : PlanPoint(x: signed(&seed), y: signed(&seed))
    }

    private static func place(_ seed: inout Seed) -> PlanPoint { point(&seed) ?? PlanPoint() }

    private static func item(_ seed: inout Seed) -> PlanItem {
        switch seed.below(5) {
        case 0:
            return PlanItem(
                item: .wall(
                    Wall(
                        id: id(&seed), start: point(&seed), end: point(&seed),
                        thickness: size(&seed), height: size(&seed))))
        case 1:
            return PlanItem(
                item: .opening(
                    Opening(
                        id: id(&seed), wall: id(&seed), kind: .door, offset: size(&seed),
                        width: size(&seed), height: size(&seed), sill: size(&seed),
                        clearWidth: size(&seed), leafWidth: size(&seed))))
        case 2:
            let corners = (0..<seed.below(6)).map { _ in place(&seed) }
            return PlanItem(
                item: .room(Room(id: id(&seed), corners: corners, height: size(&seed))))
        case 3:
            return PlanItem(
                item: .element(
                    Element(
                        id: id(&seed), kind: .wheelchair, centre: point(&seed),
                        width: size(&seed), depth: size(&seed), height: size(&seed),
                        elevation: size(&seed), angle: size(&seed))))
        default: return PlanItem()
        }
    }

    private static func action(_ seed: inout Seed) -> PlanAction.Action? {
        switch seed.below(15) {
        case 0: return .add(AddItems(items: (0..<seed.below(3)).map { _ in item(&seed) }))
        case 1:
            let sides = (0..<seed.below(6)).map { _ in
                RoomSide(length: size(&seed), turnsOutwards: seed.oneIn(3))
            }
            return .drawRoom(
                DrawRoom(
                    room: seed.oneIn(2) ? Room() : Room(id: id(&seed), height: size(&seed)),
                    start: place(&seed), angle: size(&seed), clockwise: seed.oneIn(2),
                    sides: sides, wallThickness: seed.oneIn(2) ? nil : size(&seed)))
        case 2: return .move(MoveItems(ids: [id(&seed), id(&seed)], by: place(&seed)))
        case 3:
            return .dock(
                DockOpening(opening: id(&seed), wall: id(&seed), offset: size(&seed)))
        case 4:
            return .resize(
                ResizeItem(id: id(&seed), width: size(&seed), depth: seed.oneIn(2) ? nil : 1))
        case 5: return .setLength(SetWallLength(wall: id(&seed), length: size(&seed)))
        case 6: return .rotate(RotateElement(element: id(&seed), angle: size(&seed)))
        case 7: return .turnWall(TurnWall(wall: id(&seed), by: signed(&seed)))
        case 8:
            return .setAngle(SetWallAngle(wall: id(&seed), with: id(&seed), angle: size(&seed)))
        case 9: return .moveCorner(MoveCorner(from: place(&seed), to: place(&seed)))
        case 10: return .copy(CopyItem(id: id(&seed), newId: id(&seed), by: place(&seed)))
        case 11: return .replace(item(&seed))
        case 12: return .remove(RemoveItems(ids: [id(&seed), id(&seed)]))
        case 13:
            return .place(PlaceItem(name: "x", centre: place(&seed), angle: size(&seed)))
        default: return nil
        }
    }
}
