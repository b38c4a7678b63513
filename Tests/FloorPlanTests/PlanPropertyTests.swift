import Foundation
import Messages
import TestSupport
import Testing

@testable import FloorPlan

/// Properties that every sequence of edits preserves.
struct PlanPropertyTests {
    /// The number of edits: `EDITS` in the environment, otherwise 1,800; in sequences of sixty.
    static let sequences: Int = {
        let text = ProcessInfo.processInfo.environment["EDITS"] ?? ""
        return max(1, (Int(text) ?? 1_800) / 60)
    }()

    /// An item of the plan, changed in a way for which there is no separate edit.
    private static func changed(_ plan: FloorPlan, _ seed: inout Seed) -> PlanItem {
        guard let id = plan.order.randomElement(using: &seed), let item = plan.item(id) else {
            return PlanItem()
        }
        switch item.item {
        case .wall(var wall):
            wall.thickness = UInt32(seed.below(400))
            return PlanItem(item: .wall(wall))
        case .opening(var opening):
            (opening.hingesAtEnd, opening.leafWidth) = (seed.oneIn(2), UInt32(seed.below(1_200)))
            return PlanItem(item: .opening(opening))
        case .room(var room):
            guard !room.corners.isEmpty else { return item }
            let corner = seed.below(room.corners.count)
            room.corners[corner].x += Int32(seed.below(400)) - 200
            return PlanItem(item: .room(room))
        case .element(var element):
            (element.elevation, element.kind) = (UInt32(seed.below(900)), .shower)
            return PlanItem(item: .element(element))
        case nil: return item
        }
    }

    /// Any edit of a plan, most of them sensible.
    static func any(_ plan: FloorPlan, _ number: Int, _ seed: inout Seed) -> PlanAction {
        func length(_ most: Int) -> UInt32 { UInt32(seed.below(most)) }
        func offset() -> PlanPoint {
            PlanPoint(x: Int32(seed.below(2_001)) - 1_000, y: Int32(seed.below(2_001)) - 1_000)
        }
        func some(_ ids: some Collection<String>) -> String {
            seed.oneIn(30) || ids.isEmpty ? "nothing" : seed.pick(ids.sorted())
        }
        let all = plan.order
        let wall = some(plan.walls.keys)
        let corner = plan.walls[wall]?.to ?? PlanPoint()
        switch seed.below(15) {
        case 0: return .move([some(all), some(all)], by: offset())
        case 1: return .moveCorner(corner, to: corner.moved(by: offset()))
        case 2: return .dock(some(plan.openings.keys), wall: wall, offset: length(4_000))
        case 3:
            return .resize(
                some(all), width: length(1_500), depth: seed.oneIn(2) ? nil : length(900),
                height: nil)
        case 4: return .setLength(wall, length(6_000), keeping: seed.oneIn(2) ? .start : .end)
        case 5: return .rotate(some(plan.elements.keys), to: length(400_000))
        case 6:
            return .turnWall(
                wall, about: seed.oneIn(2) ? .start : .end, by: Int32(length(360_000)) - 180_000)
        case 7:
            return .setAngle(
                of: wall, with: some(plan.walls.keys), to: length(180_001),
                opposite: seed.oneIn(2))
        case 8: return .copy(some(all), as: "copy-\(number)", by: offset())
        case 9: return .remove([some(all)])
        case 10: return .add([.door("door-\(number)", in: wall, at: length(4_000))])
        case 13: return .replace(changed(plan, &seed))
        case 11: return .add([.bed("bed-\(number)", at: offset())])
        case 12:
            let start = offset()
            return .add([
                PlanItem(
                    item: .wall(
                        Wall(
                            id: "wall-\(number)", start: seed.oneIn(2) ? corner : start,
                            end: start.moved(by: offset()), thickness: 100)))
            ])
        default:
            return .drawRoom(
                DrawRoom(
                    room: Room(id: "room-\(number)"), start: offset(), angle: length(360_000),
                    clockwise: seed.oneIn(2),
                    sides: DrawRoom.rectangle(length(4_000), length(4_000)),
                    wallThickness: seed.oneIn(3) ? nil : 120))
        }
    }

    static func expectSound(_ plan: FloorPlan) {
        #expect(throws: Never.self) { try plan.validate(plan.items) }
        for item in plan.items {
            #expect(item.outline?.corners.allSatisfy(\.isFinite) != false)
        }
        let outlines = WallOutlines(plan.walls.values).outlines
        #expect(outlines.count == plan.walls.count)
        #expect(outlines.values.allSatisfy { $0.corners.allSatisfy(\.isFinite) })
        for opening in plan.openings.values {
            guard let wall = plan.walls[opening.wall] else {
                Issue.record("\(opening.id) has no wall")
                continue
            }
            #expect(Double(opening.endOffset) <= wall.length + FloorPlan.rounding)
        }
        for wall in plan.walls.keys {
            let openings = plan.openings(in: wall)
            for (index, opening) in openings.enumerated() {
                for other in openings[(index + 1)...] {
                    #expect(
                        opening.endOffset <= other.offset || opening.isBelow(other)
                            || other.isBelow(opening))
                }
            }
        }
    }

    /// The pairs of walls that share a corner.
    static func joins(_ plan: FloorPlan) -> Set<[String]> {
        var joins: Set<[String]> = []
        for wall in plan.walls.values {
            for corner in [wall.from, wall.to] {
                for other in plan.walls(at: corner) where other.id > wall.id {
                    joins.insert([wall.id, other.id])
                }
            }
        }
        return joins
    }

    @Test(arguments: Seed.some(sequences))
    func `no sequence of edits breaks a plan, and each can be undone and redone`(
        seed: Seed
    ) throws {
        var seed = seed
        var editor = try PlanActionTests.room()
        var history: [(before: FloorPlan, changes: [ItemChange], after: FloorPlan)] = []
        for number in 0..<60 {
            let before = editor.plan
            let edits = (0..<(seed.oneIn(4) ? 3 : 1)).map {
                Self.any(before, number * 3 + $0, &seed)
            }
            do {
                let outcome = try editor.make(edits, force: seed.oneIn(2))
                history.append((before, outcome.changes, editor.plan))
            } catch {
                #expect(editor.plan == before, "\(edits)")
                #expect(editor.plan.order == before.order)
            }
            Self.expectSound(editor.plan)
            let torn = Self.joins(before).subtracting(Self.joins(editor.plan)).filter {
                $0.allSatisfy { editor.plan.walls[$0] != nil }
            }
            #expect(torn.isEmpty, "\(edits)")
        }
        #expect(history.count > 10)
        for step in history.reversed() {
            editor.apply(step.changes.reversed)
            #expect(editor.plan == step.before)
            #expect(editor.plan.order == step.before.order)
        }
        for step in history {
            editor.apply(step.changes)
            #expect(editor.plan == step.after)
            #expect(editor.plan.order == step.after.order)
        }
    }

    @Test(arguments: Seed.some(20))
    func `the index finds the same collisions as a fresh comparison`(
        seed: Seed
    ) throws {
        var seed = seed
        var editor = try PlanActionTests.room()
        for number in 0..<60 {
            let edit = Self.any(editor.plan, number, &seed)
            do {
                let changes = try editor.make(edit, force: true).changes
                if seed.oneIn(3) { editor.apply(changes.reversed) }
            } catch {}
        }
        let fresh = Collisions(editor.plan)
        for item in editor.plan.items { #expect(editor.hits(of: item) == fresh.hits(of: item)) }
    }
}

extension Vector {
    fileprivate var isFinite: Bool { x.isFinite && y.isFinite }
}
