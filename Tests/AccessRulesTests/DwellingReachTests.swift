import FloorPlan
import Messages
import Testing

@testable import AccessRules

/// Where a chair can go is computed for each dwelling separately.
struct DwellingReachTests {
    /// Flats side by side, each with a hall, an entrance from outside, and a room behind a door.
    private static func flats(_ count: Int32, clear: UInt32 = 800) -> FloorPlan {
        let items = (0..<count).flatMap { number -> [PlanItem] in
            let x = number * 4_000
            return [
                Drawing.room(3_800, 1_800, use: .hall, id: "hall-\(number)", at: x, 0),
                Drawing.room(3_800, 3_000, use: .living, id: "living-\(number)", at: x, 1_900),
                Drawing.wall("south-\(number)", x, -50, to: x + 3_800, -50),
                Drawing.wall("middle-\(number)", x, 1_850, to: x + 3_800, 1_850),
                Drawing.door(
                    "front-\(number)", in: "south-\(number)", at: 1_400, clear: 900, right: true,
                    entrance: true),
                Drawing.door(
                    "door-\(number)", in: "middle-\(number)", at: 1_400,
                    clear: number == 1 ? 500 : clear),
            ]
        }
        return FloorPlan(items)
    }

    private static let chair = PersonChair(width: 650, length: 1_100)

    @Test func `the result is the same as for the whole plan`() throws {
        let plan = Self.flats(3)
        #expect(DwellingPart.all(of: plan).count == 3)
        let whole = try Dwelling(plan).access(for: Self.chair.body)
        let found = try reach(plan, chair: Self.chair)
        #expect(found.rooms.count == 6 && found.doors.map(\.door) == ["door-1"])
        for room in found.rooms {
            let access = try #require(whole.first { $0.room == room.room })
            #expect((room.reached == .pass) == (access.reached == .yes), "\(room.room)")
            #expect((room.turned == .pass) == (access.turned == .yes), "\(room.room)")
        }
        #expect(found.rooms.first { $0.room == "living-1" }?.blockedBy == ["door-1"])
    }

    @Test func `after a change only the affected dwelling is inspected again`() throws {
        var known: [(plan: FloorPlan, rooms: [RoomReach])] = []
        var looks = 0
        func look(_ plan: FloorPlan) throws -> PlanReach {
            try reach(plan, chair: Self.chair) { (part, look) throws(Refusal) in
                if let before = known.first(where: { $0.plan == part }) { return before.rooms }
                looks += 1
                let rooms = try look()
                known.append((part, rooms))
                return rooms
            }
        }
        var plan = Self.flats(12)
        let before = try look(plan)
        #expect(looks == 12)
        let chest = Drawing.element("chest", .cupboard, 1_900, 800, 3_700, 400)
        plan.apply(ItemChange(after: chest))
        let after = try look(plan)
        // The dwellings within 6 m may be affected too.
        #expect((1...4).contains(looks - 12))
        #expect(after.rooms.first { $0.room == "living-0" }?.reached == .fail)
        let others = [after, before].map { $0.rooms.filter { !$0.room.hasSuffix("-0") } }
        #expect(others[0] == others[1])
    }

    @Test func `within the tolerance of a plan it is uncertain where a chair goes`() throws {
        func living(_ clear: UInt32, _ tolerance: UInt32) throws -> RoomReach {
            let found = try reach(
                Self.flats(1, clear: clear), chair: Self.chair, tolerance: tolerance)
            #expect(found.rooms.first { $0.room == "hall-0" }?.reached == .pass)
            return try #require(found.rooms.first { $0.room == "living-0" })
        }
        // The chair is 650 mm wide.
        #expect(try living(680, 0).reached == .pass)
        let wide = try living(680, 60)
        #expect(wide.reached == .uncertain && wide.turned == .uncertain)
        #expect(try living(610, 0).reached == .fail)
        let narrow = try living(610, 80)
        #expect(narrow.reached == .uncertain && narrow.blockedBy == [])
        for room in [wide, narrow] {
            #expect(
                room.obstruction.hasPrefix("too close to tell, measure the door"),
                "\(room.obstruction)")
        }
        #expect(try living(500, 80).reached == .fail)
    }

    @Test func `a door is certainly too narrow only if a check would be certain`() throws {
        let plan = Self.flats(1, clear: 650)
        for (width, tolerance) in [(645, 5), (646, 5), (650, 0), (651, 0), (654, 5), (655, 5)] {
            let chair = PersonChair(width: Double(width), length: 1_100)
            let check = try PlanInspection(
                plan, details: PlanDetails(tolerance: UInt32(tolerance)), standards: ["tek17"],
                chair: chair, language: "")
            let person = try #require(check.finding("tek17/door-inside/door-0")?.person)

            let doors = try reach(plan, chair: chair, tolerance: UInt32(tolerance)).doors

            let expected: [Verdict] = person.verdict == .pass ? [] : [person.verdict]
            #expect(doors.map(\.verdict) == expected, "\(width)")
            #expect(doors.allSatisfy { $0.missing == UInt32(max(width - 650, 0)) })
        }
    }

    @Test func `a door whose width wasn't measured, or depends on a guess, may be too narrow`()
        throws
    {
        func doors(_ width: Double, clear: UInt32?, _ things: [PlanItem] = []) throws -> [Verdict] {
            let plan = FloorPlan(
                [
                    Drawing.wall("wall", 0, 0, to: 3_000, 0),
                    Drawing.door("door", in: "wall", at: 500, clear: clear, leaf: 826, right: true),
                ] + things)
            return try reach(plan, chair: PersonChair(width: width, length: 1_200)).doors
                .map(\.verdict)
        }
        // A leaf of 826 mm leaves 775 mm, give or take 15.
        #expect(try doors(760, clear: nil) == [] && doors(770, clear: nil) == [.uncertain])
        #expect(try doors(780, clear: nil) == [.uncertain] && doors(790, clear: nil) == [.fail])
        #expect(try doors(770, clear: 775) == [] && doors(780, clear: 775) == [.fail])
        // It covers 100 mm of a doorway of 775 mm if it is as large as somebody guessed.
        var chest = Element(
            id: "chest", kind: .cupboard, centre: PlanPoint(x: 512, y: 250), width: 400, depth: 400)
        func beside(_ isGuessed: Bool) throws -> [Verdict] {
            chest.product = PlacedProduct(id: "p", sizeEstimated: isGuessed)
            return try doors(700, clear: 775, [PlanItem(item: .element(chest))])
        }
        #expect(try beside(false) == [.fail] && beside(true) == [.uncertain])
    }

    @Test(
        arguments: [(700, .pass), (770, .uncertain), (780, .uncertain), (850, .fail)]
            as [(Double, Verdict)])
    func `it is uncertain who gets through a door whose width wasn't measured`(
        width: Double, reached: Verdict
    ) throws {
        var plan = Self.flats(1)
        var door = try #require(plan.openings["door-0"])
        // It leaves 775 mm, give or take 15.
        (door.clearWidth, door.leafWidth) = (nil, 826)
        plan.apply(ItemChange(after: PlanItem(item: .opening(door))))
        let chair = PersonChair(width: width, length: 1_100)

        // The hall, and the living room.
        #expect(try reach(plan, chair: chair).rooms.map(\.reached) == [.pass, reached])
        let route = try Dwelling(plan).route(for: chair.body, to: "living-0")
        #expect((route != nil) == (reached == .pass))
    }

    @Test func `doors that are too narrow are listed before those that may be`() throws {
        let plan = FloorPlan([
            Drawing.wall("wall", 0, 0, to: 6_000, 0),
            Drawing.door("close", in: "wall", at: 500, leaf: 826),
            Drawing.door("wide", in: "wall", at: 2_500, clear: 900),
            Drawing.door("narrow", in: "wall", at: 4_500, clear: 779),
        ])

        let doors = try reach(plan, chair: PersonChair(width: 780, length: 1_200)).doors

        #expect(doors.map(\.door) == ["narrow", "close"])
    }

    @Test func `within the tolerance of a plan it is uncertain where a chair turns`() throws {
        // Without an entrance, each room is examined by itself.
        func turned(_ size: Int32, _ tolerance: UInt32) throws -> Verdict? {
            let plan = FloorPlan([Drawing.room(size, size, use: .bathroom)])
            return try reach(plan, chair: Self.chair, tolerance: tolerance).rooms.first?.turned
        }
        // The chair's diagonal is 1278 mm.
        #expect(try turned(1_290, 0) == .pass)
        #expect(try turned(1_290, 20) != .pass)
        #expect(try turned(1_300, 20) == .pass)
        #expect(try turned(1_000, 20) == .fail)
    }

    @Test func `it is uncertain where a chair gets over a threshold that nobody measured`() throws {
        func rooms(
            _ door: String, threshold: UInt32 = 0, clear: UInt32? = nil
        ) throws -> [RoomReach] {
            var plan = Self.flats(1)
            var opening = try #require(plan.openings[door])
            (opening.thresholdUnknown, opening.threshold) = (true, threshold)
            opening.clearWidth = clear ?? opening.clearWidth
            plan.apply(
                ItemChange(before: plan.item(door), after: PlanItem(item: .opening(opening))))
            // The hall, and the living room.
            return try reach(plan, chair: Self.chair).rooms
        }
        let inner = try rooms("door-0")
        #expect(inner.map(\.reached) == [.pass, .uncertain])
        #expect(
            inner.last?.obstruction == "the door (nobody measured whether it has a threshold)")
        #expect(try rooms("front-0").map(\.reached) == [.uncertain, .uncertain])
        #expect(try rooms("door-0", threshold: 20).map(\.reached) == [.pass, .pass])
        // A door that is too narrow is so whatever its threshold.
        let narrow = try rooms("door-0", clear: 500)
        #expect(narrow.map(\.reached) == [.pass, .fail])
        #expect(narrow.last?.obstruction.contains("500 mm free") == true)
    }

    @Test(
        arguments: [
            (20, 5, .pass), (21, 5, .uncertain), (29, 5, .uncertain), (30, 5, .fail),
            (0, 40, .pass), (25, 0, .pass), (26, 0, .fail),
        ] as [(UInt32, UInt32, Verdict)])
    func `it is uncertain where a chair gets over a threshold near the limit`(
        threshold: UInt32, tolerance: UInt32, reached: Verdict
    ) throws {
        var plan = Self.flats(1)
        var door = try #require(plan.openings["door-0"])
        (door.threshold, door.clearWidth) = (threshold, 900)
        plan.apply(ItemChange(after: PlanItem(item: .opening(door))))
        let found = try reach(plan, chair: Self.chair, tolerance: tolerance).rooms
        // The hall, and the living room.
        #expect(found.map(\.reached) == [.pass, reached])
        if reached == .uncertain {
            #expect(found.last?.obstruction.contains("threshold \(threshold) mm") == true)
        }
    }

    @Test(
        arguments: [
            (false, false, true, .pass), (true, false, true, .uncertain),
            (true, false, false, .pass), (true, true, true, .pass),
        ] as [(Bool, Bool, Bool, Verdict)])
    func `it is uncertain who gets past a door that may be hung so that it hardly opens`(
        isGuess: Bool, isEndSaid: Bool, isThere: Bool, reached: Verdict
    ) throws {
        var plan = Self.flats(1)
        var door = try #require(plan.openings["door-0"])
        // The cupboard would be in its way if it had its hinges at the other end.
        (door.hingesAtEnd, door.hungUnknown, door.hingesKnown) = (true, isGuess, isEndSaid)
        plan.apply(ItemChange(after: PlanItem(item: .opening(door))))
        let cupboard = Drawing.element("cupboard", .cupboard, 1_425, 2_750, 250, 200)
        if isThere { plan.apply(ItemChange(after: cupboard)) }
        // The hall, and the living room.
        let rooms = try reach(plan, chair: Self.chair).rooms
        #expect(rooms.map(\.reached) == [.pass, reached])
    }

    @Test func `a wall that stops a chair at the only entrance is named for each room`() throws {
        // A wall that leaves 350 mm of the doorway on one side, and 450 mm on the other.
        var plan = Self.flats(1)
        plan.apply(ItemChange(after: Drawing.wall("wall", 1_950, -20, to: 1_950, -1_000)))
        let found = try reach(plan, chair: Self.chair)
        #expect(found.doors.map(\.stoppedBy) == ["the wall"])
        let width = try #require(found.doors.first).passage
        let cause = "the door (\(width) mm free because the wall is in the way; "
        #expect(found.rooms.map(\.reached) == [.fail, .fail])
        for room in found.rooms {
            #expect(room.obstruction == cause + "the chair is 650 mm wide)")
            #expect(room.blockedBy == [])
        }

        // Another entrance that is only too narrow would be the way in if it were wider.
        plan.apply(
            ItemChange(
                after: Drawing.door(
                    "back-0", in: "south-0", at: 2_600, clear: 600, right: true, entrance: true)))
        #expect(try reach(plan, chair: Self.chair).rooms.first?.blockedBy == ["back-0"])
    }

    @Test func `a thing at the entrance isn't what keeps a chair out of a room behind a wall`()
        throws
    {
        var plan = Self.flats(1)
        // In the doorway of the living room.
        plan.apply(ItemChange(after: Drawing.wall("wall", 1_950, 1_870, to: 1_950, 2_850)))
        plan.apply(ItemChange(after: Drawing.element("chest", .cupboard, 1_900, -300, 500, 700)))

        let rooms = try reach(plan, chair: Self.chair).rooms

        #expect(rooms.map(\.reached) == [.fail, .fail])
        #expect(rooms.map(\.blockedBy) == [["chest"], []])
        #expect(rooms.last?.obstruction == "no way leads there")
    }

    @Test func `a room before the entrance of another dwelling may be in the way`() throws {
        var plan = Self.flats(2)
        // Before the eastern part of the first entrance, 300 mm away.
        plan.apply(
            ItemChange(
                after: Drawing.room(1_000, 1_000, use: .storage, id: "shed", at: 2_000, -1_400)))
        #expect(DwellingPart.all(of: plan).count == 3)
        let found = try reach(plan, chair: Self.chair).rooms
        let halls = ["hall-0", "hall-1"].map { id in found.first { $0.room == id }?.reached }
        #expect(halls == [.uncertain, .pass])
    }

    @Test func `a home whose doors lead nowhere is inspected as a whole`() throws {
        var plan = Self.flats(2)
        plan.apply(ItemChange(before: plan.item("living-0")))
        #expect(DwellingPart.all(of: plan).count == 1)
    }

    @Test func `rooms that touch without a wall are one dwelling`() throws {
        var plan = Self.flats(2)
        plan.apply(
            ItemChange(after: Drawing.room(200, 1_800, use: .other, id: "gap", at: 3_800, 0)))
        #expect(DwellingPart.all(of: plan).count == 1)
    }
}
