import Foundation
import HTTPExchange
import Messages
import Phrases
import Testing

@testable import WebService

/// Tests which drawings of plans are cached.
@Suite struct DrawingTableTests {
    private let table = DrawingTable()

    /// The picture of an empty plan with this name.
    private func drawn(_ name: String, revision: UInt64, changed: Int64) throws -> String {
        let order = DrawingTable.Order(plan: "plan", revision: revision, changed: changed)
        let picture = try table.picture(order, .init([]), PlanDetails(name: name), nil)
        return String(decoding: picture.svg(), as: UTF8.self)
    }

    @Test func `a drawing is kept, and not used for another revision with the same number`() throws
    {
        let first = try drawn("Before", revision: 7, changed: 1_000)
        #expect(first.contains("Before"))
        #expect(try drawn("not drawn again", revision: 7, changed: 1_000) == first)

        // After a restore, the plan was changed in a different way.
        let second = try drawn("After", revision: 7, changed: 2_000)
        #expect(second.contains("After") && !second.contains("Before"))
        #expect(try drawn("not drawn again", revision: 7, changed: 1_000) == first)
    }

    @Test func `the drawing on a page has the date of the plan's last change`() throws {
        let wish = PlanWish(try #require(Fields([])))
        func drawn(on date: String) throws -> String {
            let order = wish.order(
                Plan(id: "plan", revision: 7, changed: 1_000), .english, changedOn: date)
            let picture = try table.picture(order, .init([]), PlanDetails(name: "Home"), nil)
            return String(decoding: picture.svg(), as: UTF8.self)
        }
        #expect(try drawn(on: "2026-11-21").contains("Date: 2026-11-21"))
        // Elsewhere it was another day.
        #expect(try drawn(on: "2026-11-22").contains("Date: 2026-11-22"))
    }

    @Test func `drawings are kept as long as they don't have too many marks together`() throws {
        func order(_ revision: UInt64) -> DrawingTable.Order {
            DrawingTable.Order(plan: "plan", revision: revision, changed: 1_000)
        }
        func title(_ revision: UInt64, _ name: String, on table: DrawingTable) throws -> String {
            try table.picture(order(revision), .init([]), PlanDetails(name: name), nil)
                .drawing.title
        }
        let size = try table.picture(order(1), .init([]), PlanDetails(name: "A"), nil).drawing.size
        #expect(size > 0)

        let roomy = DrawingTable(keeping: 2 * size)
        #expect(try title(1, "A", on: roomy) == "A")
        #expect(try title(2, "B", on: roomy) == "B")
        #expect(try title(1, "not drawn again", on: roomy) == "A")

        // A single drawing is kept however large it is, because its page loads it next.
        let small = DrawingTable(keeping: 2 * size - 1)
        #expect(try title(1, "A", on: small) == "A")
        #expect(try title(2, "B", on: small) == "B")
        #expect(try title(2, "not drawn again", on: small) == "B")
        #expect(try title(1, "drawn again", on: small) == "drawn again")
    }

    /// Rooms with round outlines, full of things.
    private static func hall(rooms: Int, things: Int) -> [PlanItem] {
        func place(_ room: Int, _ angle: Double, _ away: Double) -> PlanPoint {
            let x = Double(room % 16) * 30_000 + cos(angle) * away
            let y = Double(room / 16) * 30_000 + sin(angle) * away
            return PlanPoint(x: Int32(x.rounded()), y: Int32(y.rounded()))
        }
        let outlines = (0..<rooms).map { room in
            let corners = (0..<200).map { place(room, 2 * .pi * Double($0) / 200, 14_000) }
            return PlanItem(
                item: .room(Room(id: "r\(room)", name: "Room", use: .hall, corners: corners)))
        }
        let contents = (0..<things).map { thing in
            let centre = place(thing % rooms, Double(thing), Double(thing % 97) * 100)
            return PlanItem(
                item: .element(
                    Element(
                        id: "t\(thing)", kind: .table, label: "Table \(thing)", centre: centre,
                        width: 900, depth: 700)))
        }
        return outlines + contents
    }

    @Test func `a drawing that takes too long is refused, and not kept as it is`() throws {
        let items = Self.hall(rooms: 200, things: 9_000)
        let order = DrawingTable.Order(plan: "plan", revision: 1, changed: 1_000)
        let begin = ContinuousClock.now

        #expect(throws: Refusal.tooMuchToDraw) {
            try DrawingTable.limited(to: 0.05) {
                try table.picture(order, .init(items), PlanDetails(name: "Hall"), nil)
            }
        }
        // Work that can't be stopped at once takes less than a minute, even on a busy machine.
        #expect(ContinuousClock.now - begin < .seconds(60))
        let next = try DrawingTable.limited {
            try table.picture(order, .init([]), PlanDetails(name: "Small"), nil)
        }
        #expect(next.drawing.title == "Small")
    }

    @Test func `a plan is a different one after its next change, or after a restore`() {
        let plan = Plan(id: "plan", revision: 7, changed: 1_000)

        #expect(plan.isSame(as: Plan(id: "plan", revision: 7, changed: 1_000)))
        #expect(!plan.isSame(as: Plan(id: "plan", revision: 8, changed: 1_000)))
        #expect(!plan.isSame(as: Plan(id: "plan", revision: 7, changed: 2_000)))
    }
}
