import FloorPlan
import Foundation
import Messages
import Testing

@testable import PlanService

/// A plan is bounded by its things, and by the corners of its rooms.
@Suite struct PlanSizeTests {
    /// A round room of 20 m, apart from those with other numbers.
    private static func room(_ number: Int, corners: Int) -> PlanItem {
        let (column, row) = (Double(number % 16), Double(number / 16))
        let places = (0..<corners).map { corner in
            let angle = 2 * Double.pi * Double(corner) / Double(corners)
            return PlanPoint(
                x: Int32((column * 30_000 + 10_000 * cos(angle)).rounded()),
                y: Int32((row * 30_000 + 10_000 * sin(angle)).rounded()))
        }
        return PlanItem(
            item: .room(Room(id: "r\(number)", name: "\(number)", use: .hall, corners: places)))
    }

    private static func plan(rooms: Int) -> OpenPlan {
        OpenPlan(
            (0..<rooms).map { DrawnItem(position: Int64($0) + 1, item: room($0, corners: 200)) })
    }

    private static func make(_ action: PlanAction, in plan: inout OpenPlan) throws {
        _ = try plan.make([action], force: false) { action, _ in action }
    }

    @Test func `the rooms of a plan have at most 50,000 corners together`() throws {
        var open = Self.plan(rooms: 250)
        let before = open.plan

        #expect(throws: Refusal.tooManyCorners) {
            try Self.make(.add([Self.room(250, corners: 3)]), in: &open)
        }
        #expect(open.plan == before && open.count == 250)

        try Self.make(.remove(["r7"]), in: &open)
        try Self.make(.add([Self.room(250, corners: 200)]), in: &open)
        #expect(open.count == 250)
    }

    @Test func `a larger plan from before the limit can still be edited and made smaller`() throws {
        var open = Self.plan(rooms: 252)

        try Self.make(.replace(Self.room(3, corners: 150)), in: &open)
        try Self.make(.remove(["r0"]), in: &open)
        #expect(open.count == 251)
        #expect(throws: Refusal.tooManyCorners) {
            try Self.make(.add([Self.room(0, corners: 3)]), in: &open)
        }
    }
}
