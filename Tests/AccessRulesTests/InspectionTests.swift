import FloorPlan
import Messages
import Testing

@testable import AccessRules

/// Inspecting a plan piece by piece gives the same findings as inspecting the whole. Also tests
/// where a chair can go.
struct InspectionTests {
    /// Four rooms in a square with doors between them, and furniture.
    static func flat(_ things: Int = 6) throws -> PlanEditor {
        var editor = PlanEditor(FloorPlan())
        let uses: [RoomUse] = [.hall, .bedroom, .bathroom, .living]
        for (number, use) in uses.enumerated() {
            let (x, y) = (Int32(number % 2) * 4_100, Int32(number / 2) * 3_600)
            _ = try editor.make(
                .drawRoom(
                    DrawRoom(
                        room: Room(id: "\(use)", name: "\(use)", use: use, height: 2_400),
                        start: PlanPoint(x: x, y: y), clockwise: false,
                        sides: DrawRoom.rectangle(4_000, 3_500), wallThickness: 100)))
        }
        var items = [
            Drawing.door("entrance", in: "hall-wall-1", at: 1_500, clear: 860, entrance: true),
            Drawing.door("east", in: "hall-wall-2", at: 1_500, clear: 760, right: true),
            Drawing.door("north", in: "hall-wall-3", at: 1_500, clear: 700),
            Drawing.element("toilet", .toilet, 700, 6_700, 400, 700),
            Drawing.element("shower", .shower, 3_500, 6_600, 900, 900),
            Drawing.element("bed", .bed, 5_500, 2_300, 1_000, 2_200),
        ]
        for number in 0..<things {
            items.append(
                Drawing.element(
                    "thing-\(number)", number % 2 == 0 ? .table : .cupboard,
                    4_600 + Int32(number % 3) * 1_200, 4_200 + Int32(number / 3) * 1_100, 600,
                    500, angle: UInt32(number * 7)))
        }
        _ = try editor.make(.add(items), force: true)
        return editor
    }

    private static let standards = ["tek17", "husbanken", "adm"]
    private static let chair = PersonChair(width: 700, length: 1_200)

    private static func fresh(_ plan: FloorPlan) throws -> [PlanFinding] {
        try PlanInspection(
            plan, details: PlanDetails(tolerance: 5), standards: standards, chair: nil
        ).findings()
    }

    @Test(arguments: 0..<5)
    func `after any change a plan gets the same verdicts as in a fresh inspection`(seed: Int) throws
    {
        var editor = try Self.flat()
        var inspection = try PlanInspection(
            editor.plan, details: PlanDetails(tolerance: 5), standards: Self.standards)
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 7
        func next(_ limit: Int32) -> Int32 {
            state = state &* 2_862_933_555_777_941_757 &+ 3_037_000_493
            return Int32(state >> 33) % limit
        }
        for step in 0..<8 {
            let thing = "thing-\(next(6))"
            let edit: PlanAction
            switch next(8) {
            case 0: edit = .remove([thing])
            case 1: edit = .move(["east"], by: PlanPoint(x: 0, y: next(800) - 400))
            case 2: edit = .rotate(thing, to: UInt32(next(360)) * 1_000)
            case 3: edit = .move(["hall-wall-2"], by: PlanPoint(x: next(200) - 100, y: 0))
            case 4: edit = .remove(["bathroom"])
            case 5:
                edit = .add([
                    Drawing.element("new-\(step)", .seat, next(8_000), next(7_000), 400, 400)
                ])
            case 6: edit = .move(["bed"], by: PlanPoint(x: next(400) - 200, y: 0))
            default:
                edit = .move([thing], by: PlanPoint(x: next(6_000) - 3_000, y: next(4_000) - 2_000))
            }
            guard let outcome = try? editor.make(edit, force: true) else { continue }
            inspection.apply(outcome.changes)
            #expect(inspection.findings() == (try Self.fresh(editor.plan)), "\(edit)")
        }
    }

    @Test func `a finding keeps its id`() throws {
        let findings = try Self.fresh(Self.flat().plan)

        #expect(Set(findings.map(\.id)).count == findings.count)
        #expect(findings == (try Self.fresh(FloorPlan(Self.flat().plan.items))))
        #expect(findings.allSatisfy { !$0.source.isEmpty && !$0.text.isEmpty })
    }

    @Test func `failures come first`() throws {
        let verdicts = try Self.fresh(Self.flat().plan).map(\.verdict)
        let order: [Verdict] = [.fail, .uncertain, .unknown, .pass]
        let ranks = verdicts.map { order.firstIndex(of: $0) ?? 9 }

        #expect(ranks == ranks.sorted())
        #expect(ranks.first == 0)
    }

    @Test func `choosing a wheelchair lists every door that is too narrow for it`() throws {
        // One wall, one door, one wheelchair: no room and no entrance.
        let plan = FloorPlan([
            Drawing.wall("wall", 0, 0, to: 3_000, 0),
            Drawing.door("door", in: "wall", at: 500, clear: 680),
            Drawing.element("chair", .wheelchair, 1_500, 1_500, 700, 1_200),
        ])
        let chair = try #require(try PersonChair.find("chair", in: plan))
        let found = try reach(plan, chair: chair)

        #expect(
            found.doors == [
                TightDoor(
                    door: "door", name: "the door", passage: 680, measured: true, missing: 20,
                    verdict: .fail)
            ])
        #expect(found.rooms == [])
        #expect(chair.turningDiameter.rounded() == 1_389)
    }

    @Test func `a door that is too narrow beside what stands in it is listed with that thing`()
        throws
    {
        let plan = FloorPlan([
            Drawing.wall("wall", 0, 0, to: 3_000, 0),
            Drawing.door("door", in: "wall", at: 500, clear: 900),
            // From 200 to 700 mm; the door is clear from 550 to 1450.
            Drawing.element("chest", .cupboard, 450, -250, 500, 400, label: "Chest"),
        ])
        let found = try reach(plan, chair: PersonChair(width: 800, length: 1_200))

        #expect(
            found.doors == [
                TightDoor(
                    door: "door", name: "the door", passage: 750, measured: true, missing: 50,
                    stoppedBy: "Chest", verdict: .fail)
            ])
    }

    @Test func `for each room that the chair can't reach, the report names what keeps it out`()
        throws
    {
        let found = try reach(try Self.flat().plan, chair: PersonChair(width: 720, length: 1_200))

        #expect(found.rooms.first { $0.room == "hall" }?.reached == .pass)
        #expect(found.rooms.first { $0.room == "hall" }?.turned == .pass)
        let bathroom = try #require(found.rooms.first { $0.room == "bathroom" })
        #expect(bathroom.reached == .fail)
        #expect(bathroom.blockedBy == ["north"])
        #expect(bathroom.obstruction == "the door (700 mm free; the chair is 720 mm wide)")
        let living = try #require(found.rooms.first { $0.room == "living" })
        #expect(living.reached == .fail)
        #expect(living.obstruction == "no way leads there")
    }

    @Test func `a wheelchair is judged by its own turning circle if it has one`() throws {
        func diameter(_ wheelchair: Wheelchair?) -> Double {
            PersonChair(
                Element(kind: .wheelchair, width: 700, depth: 1_200, wheelchair: wheelchair)
            ).turningDiameter.rounded()
        }
        #expect(diameter(nil) == 1_389)
        #expect(diameter(Wheelchair(axleFromRear: 300)) == 1_931)
        #expect(diameter(Wheelchair(turningDiameter: 1_650, axleFromRear: 300)) == 1_650)
    }

    @Test func `the chair of a plan must be a wheelchair in it`() throws {
        let plan = FloorPlan([Drawing.element("bed", .bed, 0, 0, 900, 2_000)])

        #expect(throws: Refusal.notFound("the plan has no wheelchair “chair”")) {
            _ = try PersonChair.find("chair", in: plan)
        }
        #expect(throws: Refusal.invalid("bed isn't a wheelchair")) {
            _ = try PersonChair.find("bed", in: plan)
        }
        #expect(try PersonChair.find("", in: plan) == nil)
    }

    @Test func `rooms of unknown use, and what rules are about but is in no room, are passed over`()
        throws
    {
        func passedOver(_ items: [PlanItem]) throws -> PassedOver {
            try Drawing.inspection(items).passedOver
        }
        let toilet = Drawing.element("toilet", .toilet, 5_000, 500, 400, 700)
        // No rule is about a table, wherever it stands.
        let table = Drawing.element("table", .table, 5_000, 3_000, 800, 800)
        let bath = Drawing.room(2_400, 2_400, use: .bathroom, id: "bath")
        #expect(try passedOver([bath]).isEmpty)
        let outside = try passedOver([bath, toilet, table])
        #expect(outside == PassedOver(things: [NamedItem(id: "toilet")], thingCount: 1))
        #expect(
            try passedOver([Drawing.room(6_000, 2_400, use: .unspecified, id: "loft"), toilet])
                == PassedOver(rooms: [NamedItem(id: "loft", name: "loft")], roomCount: 1))
        let bare = try passedOver([toilet])
        #expect(bare.withoutRooms && bare.thingCount == 1)
        let rooms = (10..<40).map {
            Drawing.room(1_000, 1_000, use: .unspecified, id: "\($0)", at: 2_000 * $0)
        }
        let many = try passedOver(rooms)
        #expect(many.roomCount == 30 && many.rooms.map(\.id) == (10..<30).map { "\($0)" })
    }
}
