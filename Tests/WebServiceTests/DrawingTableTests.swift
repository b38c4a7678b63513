import Messages
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

    @Test func `a revision's drawing is kept, and not used for another of the same number`() throws
    {
        let first = try drawn("Before", revision: 7, changed: 1_000)
        #expect(first.contains("Before"))
        #expect(try drawn("not drawn again", revision: 7, changed: 1_000) == first)

        // After a restore, the plan was changed in a different way.
        let second = try drawn("After", revision: 7, changed: 2_000)
        #expect(second.contains("After") && !second.contains("Before"))
        #expect(try drawn("not drawn again", revision: 7, changed: 1_000) == first)
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

    @Test func `a plan is a different one after its next change, or after a restore`() {
        let plan = Plan(id: "plan", revision: 7, changed: 1_000)

        #expect(plan.isSame(as: Plan(id: "plan", revision: 7, changed: 1_000)))
        #expect(!plan.isSame(as: Plan(id: "plan", revision: 8, changed: 1_000)))
        #expect(!plan.isSame(as: Plan(id: "plan", revision: 7, changed: 2_000)))
    }
}
