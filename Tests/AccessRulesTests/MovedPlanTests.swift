import FloorPlan
import Messages
import TestSupport
import Testing

@testable import AccessRules

/// How verdicts change with the plan: not at all if the plan is only turned, and never for the
/// better if there is less space.
struct MovedPlanTests {
    private static let standards = ["tek17", "husbanken", "adm", "ada"]

    /// A flat with random furniture.
    private static func flat(_ seed: inout Seed) throws -> [PlanItem] {
        // That shower is exactly at the limit of what counts as along a wall.
        var items = try InspectionTests.flat(0).plan.items.filter { $0.id != "shower" }
        let kinds: [ElementKind] = [
            .table, .cupboard, .seat, .bed, .washbasin, .toilet, .structure,
        ]
        for number in 0..<8 {
            items.append(
                Drawing.element(
                    "thing-\(number)", seed.pick(kinds), Int32(seed.below(8_000)),
                    Int32(seed.below(7_000)), UInt32(200 + seed.below(900)),
                    UInt32(200 + seed.below(900)), angle: UInt32(seed.below(360)),
                    elevation: seed.oneIn(3) ? 700 : 0))
        }
        return items
    }

    /// A movement of a whole plan.
    struct Move: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isExact: Bool
        let isMirrored: Bool
        /// Degrees.
        let turn: UInt32
        let point: @Sendable (PlanPoint) -> PlanPoint

        init(_ name: String, turn: UInt32, mirrored: Bool = false, by offset: PlanPoint) {
            testDescription = name
            isExact = turn % 90 == 0
            isMirrored = mirrored
            self.turn = turn
            let rotation = Vector(angle: Double(turn) / 180 * .pi)
            point = { place in
                var place = place
                if mirrored { place.x = -place.x }
                let turned = PlanPoint(place.vector.turned(by: rotation))
                return PlanPoint(x: turned.x + offset.x, y: turned.y + offset.y)
            }
        }

        func item(_ item: PlanItem) -> PlanItem {
            switch item.item {
            case .wall(var wall):
                (wall.start, wall.end) = (point(wall.from), point(wall.to))
                return PlanItem(item: .wall(wall))
            case .opening(var opening):
                if isMirrored { opening.swingsRight.toggle() }
                return PlanItem(item: .opening(opening))
            case .room(var room):
                room.corners = room.corners.map(point)
                return PlanItem(item: .room(room))
            case .element(var element):
                element.centre = point(element.centre ?? PlanPoint())
                let angle = isMirrored ? (360_000 - element.angle) % 360_000 : element.angle
                element.angle = (angle + turn * 1_000) % 360_000
                return PlanItem(item: .element(element))
            case nil: return item
            }
        }
    }

    static let moves = [
        Move("far away", turn: 0, by: PlanPoint(x: 543_210, y: -123_457)),
        Move("a quarter turn", turn: 90, by: PlanPoint(x: 10, y: 7)),
        Move("half a turn", turn: 180, by: PlanPoint(x: 0, y: 0)),
        Move("a mirror", turn: 0, mirrored: true, by: PlanPoint(x: 0, y: 0)),
        Move("a mirror and a turn", turn: 270, mirrored: true, by: PlanPoint(x: 999, y: 1)),
        Move("askew", turn: 29, by: PlanPoint(x: 50, y: 60)),
    ]

    @Test(arguments: moves, Seed.some(1))
    func `a plan that is moved or turned gets the same verdicts`(move: Move, seed: Seed) throws {
        var seed = seed
        let items = try Self.flat(&seed)
        func findings(_ items: [PlanItem]) throws -> [String: PlanFinding] {
            let found = try Drawing.inspection(items, Self.standards).findings()
            return Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
        }
        let before = try findings(items)
        let after = try findings(items.map(move.item))

        #expect(before.keys.sorted() == after.keys.sorted())
        // Corners are rounded to the millimetre, and each end of a measure may be off by one.
        let exact: Int32 = move.isExact ? 1 : 3
        for (id, old) in before {
            guard let new = after[id] else { continue }
            let (margin, moved) = (old.margin ?? 0, new.margin ?? 0)
            // What stands beside a door narrows the way there or not: a millimetre decides.
            let mayJump = !move.isExact && (id.contains("/passage") || id.contains("/corridor"))
            // A shape that doesn't fit at all has no exact margin.
            if abs(margin) <= 300, !mayJump { #expect(abs(margin - moved) <= exact, "\(id)") }
            if abs(margin) > exact { #expect(old.verdict == new.verdict, "\(id)") }
        }
    }

    /// Rules in which more room is never worse.
    private static func isMonotonic(_ rule: String) -> Bool {
        !rule.contains("centre") && !rule.contains("door") && !rule.contains("threshold")
    }

    @Test(arguments: Seed.some(3))
    func `adding an obstacle never makes a failing place pass`(seed: Seed) throws {
        var seed = seed
        var items = try Self.flat(&seed)
        var before = try Drawing.inspection(items, Self.standards).findings()
        for number in 0..<4 {
            items.append(
                Drawing.element(
                    "more-\(number)", .structure, Int32(seed.below(8_000)),
                    Int32(seed.below(7_000)), UInt32(100 + seed.below(600)),
                    UInt32(100 + seed.below(600)), angle: UInt32(seed.below(360))))
            let after = try Drawing.inspection(items, Self.standards).findings()
            let verdicts = Dictionary(uniqueKeysWithValues: after.map { ($0.id, $0) })
            for old in before where old.verdict == .fail && Self.isMonotonic(old.rule) {
                #expect(verdicts[old.id]?.verdict == .fail, "\(old.id)")
            }
            for old in before where old.verdict == .pass && Self.isMonotonic(old.rule) {
                guard let new = verdicts[old.id], let margin = old.margin,
                    let less = new.margin
                else { continue }
                #expect(less <= margin + 1, "\(old.id)")
            }
            before = after
        }
    }

    @Test(arguments: Seed.some(3))
    func `enlarging a room never makes it fail`(seed: Seed) throws {
        var seed = seed
        let uses: [RoomUse] = [.living, .bedroom, .bathroom, .kitchen]
        let use = seed.pick(uses)
        var (width, depth) = (Int32(1_500 + seed.below(3_000)), Int32(1_500 + seed.below(3_000)))
        let kinds: [ElementKind] = [.table, .bed, .toilet, .washbasin, .shower]
        let things = (0..<3).map { number in
            Drawing.element(
                "thing-\(number)", seed.pick(kinds), Int32(seed.below(Int(width))),
                Int32(seed.below(Int(depth))), UInt32(300 + seed.below(900)),
                UInt32(300 + seed.below(900)), angle: UInt32(seed.below(360)))
        }
        var before = try Drawing.inspection(
            things + [Drawing.room(width, depth, use: use)], Self.standards
        ).findings()
        for _ in 0..<4 {
            width += Int32(seed.below(400))
            depth += Int32(seed.below(400))
            let after = try Drawing.inspection(
                things + [Drawing.room(width, depth, use: use)], Self.standards
            ).findings()
            let verdicts = Dictionary(uniqueKeysWithValues: after.map { ($0.id, $0.verdict) })
            for old in before where old.verdict == .pass && Self.isMonotonic(old.rule) {
                #expect(verdicts[old.id] == .pass, "\(old.id) in \(width) x \(depth)")
            }
            before = after
        }
    }

    @Test(arguments: Seed.some(3))
    func `after any edits a plan gets the same verdicts as in a fresh inspection`(seed: Seed) throws
    {
        var seed = seed
        var editor = PlanEditor(FloorPlan(try Self.flat(&seed)))
        var inspection = try Drawing.inspection(editor.plan.items, ["tek17", "adm"])
        for step in 0..<10 {
            let edit = Self.edit(editor.plan, step, &seed)
            guard let outcome = try? editor.make(edit, force: true) else { continue }
            inspection.apply(outcome.changes)
            // Now and then, back again, as when an edit is undone.
            if seed.oneIn(4) {
                let back = outcome.changes.reversed().map {
                    ItemChange(before: $0.after, after: $0.before)
                }
                inspection.apply(back)
                inspection.apply(outcome.changes)
            }
            let fresh = try Drawing.inspection(editor.plan.items, ["tek17", "adm"])
            #expect(inspection.findings() == fresh.findings(), "\(edit)")
        }
    }

    private static func edit(_ plan: FloorPlan, _ step: Int, _ seed: inout Seed) -> PlanAction {
        func offset(_ most: Int) -> PlanPoint {
            PlanPoint(
                x: Int32(seed.below(2 * most)) - Int32(most),
                y: Int32(seed.below(2 * most)) - Int32(most))
        }
        let rooms = plan.rooms.keys.sorted()
        let (walls, doors) = (plan.walls.keys.sorted(), plan.openings.keys.sorted())
        switch seed.below(9) {
        case 0: return .remove([rooms.randomElement(using: &seed) ?? "none"])
        case 1: return .move([rooms.randomElement(using: &seed) ?? "none"], by: offset(300))
        case 2: return .move([walls.randomElement(using: &seed) ?? "none"], by: offset(300))
        case 3: return .remove([walls.randomElement(using: &seed) ?? "none"])
        case 4: return .move([doors.randomElement(using: &seed) ?? "none"], by: offset(900))
        case 5:
            return .add([
                Drawing.room(
                    Int32(1_000 + seed.below(3_000)), 2_000, use: .bathroom, id: "a-\(step)",
                    at: Int32(seed.below(6_000)), Int32(seed.below(6_000)))
            ])
        case 6:
            guard let id = plan.elements.keys.sorted().randomElement(using: &seed),
                var element = plan.elements[id]
            else { return .remove(["none"]) }
            element.elevation = seed.oneIn(2) ? 800 : 0
            element.kind = seed.pick([.toilet, .wheelchair, .shower, .cupboard])
            return .replace(PlanItem(item: .element(element)))
        case 7:
            guard let id = doors.randomElement(using: &seed), var door = plan.openings[id] else {
                return .remove(["none"])
            }
            door.entrance.toggle()
            door.swingsRight = seed.oneIn(2)
            return .replace(PlanItem(item: .opening(door)))
        default:
            let things = plan.elements.keys.sorted()
            return .move([things.randomElement(using: &seed) ?? "none"], by: offset(3_000))
        }
    }
}
