import FloorPlan
import Messages
import Testing

@testable import AccessRules

/// A failure names the least change that would help, and what stands in the way.
struct NearestTests {
    private static func finding(
        _ id: String, _ items: [PlanItem], _ standard: String = "tek17"
    ) throws -> PlanFinding {
        try #require(try Drawing.inspection(items, [standard]).finding(id))
    }

    @Test(arguments: [
        (Int32(1_276), Int32(1_800), Int32(-24)), (1_299, 1_800, -1), (1_300, 1_797, -3),
    ])
    func `of several allowed shapes, the nearest to fitting tells how much is missing`(
        width: Int32, depth: Int32, margin: Int32
    ) throws {
        let found = try Self.finding(
            "tek17/turning-bathroom/room", [Drawing.room(width, depth, use: .bathroom)])
        #expect(found.verdict == .fail)
        #expect(found.margin == margin, "\(found)")
    }

    @Test func `a thing that protrudes slightly beside an element must move only that far`() throws
    {
        // To the left of the toilet, 150 mm are free up to a cupboard, and 200 are required; but
        // only the cupboard's rear, from y = 2301 on, is next to the toilet.
        func sides(_ y: Int32) throws -> PlanFinding {
            try Self.finding(
                "tek17/toilet-sides/toilet",
                [
                    Drawing.room(3_000, 3_000, use: .bathroom),
                    Drawing.element("toilet", .toilet, 1_500, 2_650, 400, 700),
                    Drawing.element("left", .cupboard, 600, y, 1_100, 600),
                    Drawing.element("right", .cupboard, 2_400, 1_000, 1_100, 600),
                ])
        }
        #expect(try sides(2_000).verdict == .pass)
        #expect(try sides(2_024).verdict == .fail && sides(2_024).margin == -23)
        #expect(try sides(2_300).margin == -50)
    }

    @Test func `a finding on a narrow passage names the things on both sides`() throws {
        let found = try Self.finding(
            "tek17/passage-toilet/room",
            [
                Drawing.room(2_000, 4_000, use: .bathroom),
                Drawing.wall("wall", 0, -50, to: 2_000, -50),
                Drawing.door("door", in: "wall", at: 500, clear: 900, right: true),
                Drawing.element("toilet", .toilet, 1_000, 3_650, 400, 700, label: "WC"),
                Drawing.element("chest", .cupboard, 500, 2_000, 1_000, 500, label: "Chest"),
                Drawing.element("chair", .seat, 1_677, 2_000, 646, 500, label: "Shower chair"),
            ])
        #expect(found.verdict == .fail)
        #expect(
            found.text.hasSuffix(
                "The narrowest place is 354 mm wide, between Shower chair and Chest."),
            "\(found.text)")
        #expect(found.at == PlanPoint(x: 1_177, y: found.at?.y ?? 0))
    }

    @Test func `a chair is in a room when all of it is, and a room too small for that is named so`()
        throws
    {
        func toilet(_ depth: Int32) throws -> RoomReach? {
            let plan = FloorPlan([
                Drawing.room(3_000, 3_000, use: .hall, id: "hall", at: 0, 0),
                Drawing.room(3_000, depth, use: .toilet, id: "toilet", at: 0, 3_100),
                Drawing.wall("front", -50, -50, to: 3_050, -50),
                Drawing.wall("between", -50, 3_050, to: 3_050, 3_050),
                Drawing.door("entrance", in: "front", at: 500, clear: 900, entrance: true),
                Drawing.door("inner", in: "between", at: 500, clear: 900, right: true),
            ])
            return try reach(plan, chair: PersonChair(width: 700, length: 1_100)).rooms
                .first { $0.room == "toilet" }
        }
        #expect(try toilet(1_300)?.reached == .pass)
        let small = try toilet(600)
        #expect(small?.reached == .fail && small?.turned == .fail && small?.blockedBy == [])
        #expect(small?.obstruction == "the room is too small for all of the chair")
    }

    @Test(arguments: [0, 5] as [UInt32])
    func `an entrance that is too narrow is named, however much is missing`(
        tolerance: UInt32
    ) throws {
        func kept(_ width: UInt32) throws -> RoomReach? {
            let plan = FloorPlan([
                Drawing.room(2_500, 2_500, use: .hall, id: "hall", at: 0, 0),
                Drawing.wall("front", -50, -50, to: 2_550, -50),
                Drawing.door("entrance", in: "front", at: 500, clear: 780, entrance: true),
            ])
            let chair = PersonChair(width: Double(width), length: 1_000)
            return try reach(plan, chair: chair, tolerance: tolerance).rooms.first
        }
        for width in [850, 900, 1_000] as [UInt32] {
            let room = try kept(width)
            #expect(room?.reached == .fail && room?.blockedBy == ["entrance"])
            #expect(
                room?.obstruction == "the door (780 mm free; the chair is \(width) mm wide)")
        }
        let close = try kept(779)
        #expect(close?.reached == .uncertain)
        #expect(close?.obstruction.hasPrefix("too close to tell, measure the door") == true)
        #expect(try kept(600)?.reached == .pass)
    }

    @Test func `whatever keeps a chair out is named with its size`() throws {
        func kept(_ door: PlanItem) throws -> RoomReach? {
            let plan = FloorPlan([
                Drawing.room(3_000, 3_000, use: .hall, id: "hall", at: 0, 0),
                Drawing.room(3_000, 3_000, use: .bedroom, id: "bed", at: 0, 3_100),
                Drawing.wall("front", -50, -50, to: 3_050, -50),
                Drawing.wall("between", -50, 3_050, to: 3_050, 3_050),
                Drawing.door("entrance", in: "front", at: 500, clear: 900, entrance: true), door,
            ])
            return try reach(plan, chair: PersonChair(width: 700, length: 1_100)).rooms
                .first { $0.room == "bed" }
        }
        let threshold = try kept(
            Drawing.door("inner", in: "between", at: 500, clear: 900, threshold: 40))
        #expect(
            threshold?.obstruction == "the door (threshold 40 mm; at most 25 can be passed)")
        let narrow = try kept(Drawing.door("inner", in: "between", at: 500, clear: 610))
        #expect(narrow?.obstruction == "the door (610 mm free; the chair is 700 mm wide)")
        let close = try kept(Drawing.door("inner", in: "between", at: 500, clear: 702))
        #expect(close?.reached != .fail)
        if close?.reached == .uncertain {
            #expect(close?.obstruction.hasPrefix("too close to tell, measure the door") == true)
        }
    }
}
