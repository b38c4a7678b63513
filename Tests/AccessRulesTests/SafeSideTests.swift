import FloorPlan
import Messages
import Testing

@testable import AccessRules

/// What is a millimetre too small never passes.
struct SafeSideTests {
    private static func door(_ things: [PlanItem], clear: UInt32 = 800) throws -> PlanFinding {
        try #require(
            try Drawing.inspection(
                [
                    Drawing.room(3_000, 3_000, use: .bedroom),
                    Drawing.wall("wall", 0, -50, to: 3_000, -50),
                    Drawing.door("door", in: "wall", at: 1_000, hole: 900, clear: clear),
                ] + things, chair: PersonChair(width: 650, length: 1_100)
            ).finding("tek17/door-inside/door"))
    }

    @Test func `a door that furniture keeps from opening fails, and the text says what does`()
        throws
    {
        let free = try Self.door([])
        #expect(free.verdict == .pass && free.margin == 40)

        let stopped = try Self.door([
            Drawing.element("desk", .table, 1_300, 800, 400, 400, label: "Desk")
        ])
        #expect(stopped.verdict == .fail && stopped.person?.verdict == .fail)
        #expect(stopped.text.hasSuffix("The door opens only to 50 degrees: Desk is in the way."))
        // 800 less 900 times the cosine of 50.2 degrees.
        #expect(stopped.measured == 224 && stopped.margin == 224 - 760)
    }

    @Test func `a partition keeps a door from opening as furniture does`() throws {
        let stopped = try Self.door([Drawing.wall("partition", 1_100, 600, to: 1_800, 600)])
        #expect(stopped.verdict == .fail)
    }

    @Test func `a circle that misses the arc of a door by half a millimetre fails`() throws {
        // The hinges are in a corner of the room. A circle of 1500 that touches the two walls
        // opposite and the arc has its centre 750 + 900 from them: with a width of 1990 the room
        // is 750 + √(1650² − 1240²) = 1838.53 deep.
        func turning(_ depth: Int32) throws -> PlanFinding {
            try #require(
                try Drawing.inspection(
                    [
                        Drawing.room(1_990, depth, use: .bathroom),
                        Drawing.wall("wall", 0, -50, to: 1_990, -50),
                        Drawing.door("door", in: "wall", at: 0, hole: 900, clear: 860),
                    ], ["tek10"]
                ).finding("tek10/turning-bathroom/room"))
        }
        #expect(try turning(1_838).verdict == .fail)
        #expect(try turning(1_839).verdict == .pass)
    }

    @Test func `what sticks a millimetre into a room counts`() throws {
        func turning(_ y: Int32) throws -> PlanFinding {
            try #require(
                try Drawing.inspection(
                    [
                        Drawing.room(2_000, 1_500, use: .bathroom),
                        Drawing.element("shelf", .cupboard, 1_000, y, 500, 100),
                    ], ["tek10"]
                ).finding("tek10/turning-bathroom/room"))
        }
        // The circle touches the wall where the shelf is.
        #expect(try turning(1_550).verdict == .pass)
        #expect(try turning(1_549).verdict == .fail)
    }

    @Test func `a measure is never rounded up to what is asked for`() {
        #expect(Judge.whole(1_499.98) == 1_499)
        #expect(Judge.whole(1_499.9999) == 1_500)
        #expect(Judge.whole(-0.5) == -1)
    }
}
