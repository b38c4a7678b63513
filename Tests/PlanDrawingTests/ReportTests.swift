import FloorPlan
import Messages
import Papers
import Phrases
import Testing

@testable import PlanDrawing

/// What a report says.
struct ReportTests {
    private static func finding(
        _ item: String, _ name: String, at place: (Int32, Int32), _ verdict: Verdict,
        person: Verdict
    ) -> PlanFinding {
        PlanFinding(
            id: "tek17/\(item)", standard: "tek17", edition: "FOR-2017-06-19-840",
            clause: "§ 12-13 (2) b", item: item, itemName: name,
            at: PlanPoint(x: place.0, y: place.1), verdict: verdict,
            requirement: "free width of an inner door", text: "770 mm are free.",
            required: "860 mm", measured: 770, margin: -90, tolerance: 5,
            person: PersonFinding(verdict: person, text: "The chair needs 780 mm.", needed: 780),
            repairs: [Repair(text: "hang a leaf of 911 mm")], source: "https://example.org/tek17")
    }

    static let findings = [
        finding("d-bath", "Bathroom door", at: (6_500, 4_800), .fail, person: .fail),
        finding("hall", "Hall", at: (3_800, 5_000), .pass, person: .pass),
        finding("d-bed", "Bedroom door", at: (5_250, 4_000), .pass, person: .fail),
        finding("bath", "Bathroom", at: (7_700, 5_500), .uncertain, person: .pass),
    ]

    static let reach = PlanReach(
        width: 680, length: 1_150,
        rooms: [
            RoomReach(room: "hall", name: "Hall", reached: .pass, turned: .uncertain),
            RoomReach(
                room: "bath", name: "Bathroom", reached: .fail, turned: .fail,
                obstruction: "the door is too narrow"),
        ],
        doors: [
            TightDoor(
                door: "d-bath", name: "Bathroom door", passage: 669, measured: false, missing: 11)
        ])

    private static func report(_ language: String) throws -> PlanReport {
        var items = Homes.flat
        var chair = Element(
            id: "own", kind: .wheelchair, label: "Kari’s chair",
            centre: PlanPoint(x: 1_500, y: 1_000), width: 680, depth: 1_150)
        chair.product = PlacedProduct(
            id: "p", number: "123456", name: "Netti 4U", maker: "Alu Rehab", isoCode: "122203",
            sizeEstimated: true)
        items.append(PlanItem(item: .element(chair)))
        let check = PlanCheck(
            plan: Plan(id: "p", revision: 7), findings: findings, passed: 12, failed: 2,
            undecided: 1, reach: reach)
        return try PlanReport(
            FloorPlan(items), PictureTests.details, check: check, language: language,
            date: "2026-11-21")
    }

    @Test func `a report shows the clause and the person's chair side by side`() throws {
        let page = String(decoding: try Self.report("en").html(), as: UTF8.self)
        let wanted = [
            "Home of Kari", "Storgata 1", "K-7", "revision 7", "2026-11-21",
            "Requirements met: 12 (where the chair doesn’t fit all the same: 1). Not met: 2. ",
            "Uncertain or not measured: 1.",
            "TEK17 § 12-13 (2) b", "✗ not met", "✗ doesn’t fit", "Conclusion", "Who pays",
            "ask the municipality for a grant", "Date and signature",
            "required 860 mm", "measured 770 mm", "90 mm missing", "± 5 mm",
            "hang a leaf of 911 mm", "FOR-2017-06-19-840", "123456", "Netti 4U", "Alu Rehab",
            "122203", "(guessed)", "the door is too narrow", "~66.9 cm", "1.1 cm",
            "What was not checked", "Please note", "<svg", "data-item=\"d-bath\"",
        ]
        for text in wanted { #expect(page.contains(text), "\(text)") }
        #expect(page.components(separatedBy: "<svg").count == 2)
        #expect(!page.contains("<script") && !page.contains("src="))
    }

    @Test func `the conclusion says what isn't binding`() throws {
        var advice = Self.findings[0]
        (advice.id, advice.advisory) = ("tek17/advice", true)
        let page = try PlanReport(
            FloorPlan(Homes.flat), PictureTests.details,
            check: PlanCheck(
                plan: Plan(id: "p", revision: 7), findings: [Self.findings[0], advice], failed: 2),
            language: "en", date: "2026-11-21"
        ).html()

        let cells = String(decoding: page, as: UTF8.self).components(separatedBy: "✗ not met")
        #expect(cells.dropFirst().prefix(2).map { $0.prefix(5) } == [": 770", " (not"])
    }

    @Test func `a failure of the chair alone has its own sign and words`() throws {
        let page = String(decoding: try Self.report("en").html(), as: UTF8.self)
        func sign(_ title: String) throws -> Substring {
            let item = try #require(page.components(separatedBy: title).first)
            return try #require(item.components(separatedBy: "<li class=\"").last).prefix {
                $0 != " "
            }
        }
        #expect(try sign("1  Bathroom door:") == "notOk")
        #expect(try sign("2  Bedroom door:") == "notOkForPerson")
        #expect(try sign("3  Bathroom:") == "uncertain")
        let document = try Reader.text(Self.report("en").pdf())
        #expect(document.contains("not met · TEK17"))
        #expect(document.contains("met, but the chair doesn’t fit · TEK17"))
        #expect(document.contains("uncertain · TEK17"))
    }

    @Test(arguments: [
        ("nb", "Brukerens rullestol", "å gå på"), ("sv", "Brukarens rullstol", "till godo"),
    ])
    func `a report is written in the language asked for`(
        language: String, chair: String, spare: String
    ) throws {
        let document = try Reader.text(Self.report(language).pdf())
        #expect(document.contains(chair))
        let words = Words<ReportPhrase>(.of(language))
        #expect(words.say(.margin, ["measure": "1 mm"]) == "1 mm \(spare)")
        #expect(document.contains(words.say(.disclaimer)))
    }

    @Test func `a report's document has the drawing and every finding`() throws {
        let document = try Reader.text(Self.report("en").pdf())
        for text in [
            "1 Bathroom door", "2 Bedroom door", "3 Bathroom:", "Scale 1:100", "Living room",
        ] {
            #expect(document.contains(text), "\(text)")
        }
    }

    @Test func `sizes that decide a verdict show half centimetres`() {
        let words = Words<DrawingPhrase>(.norwegian)
        #expect(words.exact(665, .centimetres) == "66,5" && words.exact(700, .centimetres) == "70")
        #expect(words.exact(4, .centimetres) == "0,4" && words.exact(665, .millimetres) == "665")
    }

    @Test func `an uncertain measurement isn't reported as not measured`() throws {
        func page(measured: Int32?) throws -> String {
            let finding = PlanFinding(
                id: "tek17/threshold/d-bed", standard: "tek17", item: "d-bed", verdict: .unknown,
                requirement: "threshold: none", measured: measured)
            let report = try PlanReport(
                FloorPlan(Homes.flat), PictureTests.details, check: PlanCheck(findings: [finding]))
            return String(decoding: report.html(), as: UTF8.self)
        }
        #expect(try page(measured: 25).contains("uncertain · TEK17"))
        #expect(try page(measured: nil).contains("not measured · TEK17"))
    }

    @Test func `a measurement above its maximum is reported as too much, not as missing`() throws {
        let finding = PlanFinding(
            id: "husbanken/threshold/d-bed", standard: "husbanken", item: "d-bed", verdict: .fail,
            requirement: "threshold at most 15 mm", required: "≤ 15 mm", measured: 25, margin: -10)
        let report = try PlanReport(
            FloorPlan(Homes.flat), PictureTests.details, check: PlanCheck(findings: [finding]))
        let page = String(decoding: report.html(), as: UTF8.self)
        #expect(page.contains("measured 25 mm · 10 mm too much<"))
    }

    @Test func `a report draws a small home larger`() throws {
        let report = try PlanReport(
            FloorPlan(Homes.bathroom), PictureTests.details, check: PlanCheck())
        #expect(try Reader.text(report.pdf()).contains("Scale 1:20"))
    }

    @Test func `a report without a check says that nothing was checked`() throws {
        let page = try Self.opening(PlanCheck())
        #expect(page.contains("No standard was checked."))
        #expect(page.contains("No chair is chosen, so none was looked at."))
        #expect(!page.contains("no entrance is marked"))
    }

    /// The page of a report on a bathroom with a wheelchair in it.
    private static func opening(_ check: PlanCheck, chair: String = "") throws -> String {
        var details = PictureTests.details
        details.chair = chair
        let report = try PlanReport(FloorPlan(Homes.bathroom), details, check: check)
        return String(decoding: report.html(), as: UTF8.self)
    }

    @Test func `a report on a chosen chair says that no entrance is marked`() throws {
        for page in [
            try Self.opening(PlanCheck(), chair: "chair-1"),
            try Self.opening(PlanCheck(findings: Self.findings)),
        ] {
            #expect(page.contains("gets to wasn’t examined: no entrance is marked."))
            #expect(!page.contains("No chair is chosen"))
        }
        let reached = try Self.opening(PlanCheck(reach: Self.reach), chair: "chair-1")
        #expect(!reached.contains("No chair is chosen") && !reached.contains("wasn’t examined"))
    }

    @Test func `a report names the standards that were checked, even without a finding`() throws {
        let standard = Standard(id: "tek17", edition: "FOR-2017-06-19-840")
        let page = try Self.opening(PlanCheck(standards: [standard]))
        #expect(!page.contains("No standard was checked."))
        #expect(page.contains("TEK17") && page.contains("FOR-2017-06-19-840"))
    }

    @Test func `a report says which clauses were applied, and that no other was`() throws {
        let check = PlanCheck(
            findings: Self.findings, standards: [Standard(id: "ada", edition: "2010")])
        let page = try Self.opening(check)
        #expect(page.contains("clauses were applied to what is drawn: § 12-13 (2) b. No other"))
        #expect(page.contains("Of TEK17,") && page.contains("No clause of ADA was applied"))
        // Of the findings of a large plan, an answer has the first.
        var part = check
        part.passed = 5
        let partly = try Self.opening(part)
        #expect(partly.contains("Of TEK17, at least these clauses were applied"))
        #expect(!partly.contains("No other") && !partly.contains("No clause of ADA"))
    }

    @Test func `a report names the rooms that rules passed over`() throws {
        func page(_ use: RoomUse) throws -> String {
            let corners = [(0, 0), (3_000, 0), (3_000, 2_000), (0, 2_000)].map {
                PlanPoint(x: $0, y: $1)
            }
            let room = Room(id: "room-1", name: "Loft", use: use, corners: corners)
            let report = try PlanReport(
                FloorPlan([PlanItem(item: .room(room))]), PictureTests.details, check: PlanCheck())
            return String(decoding: report.html(), as: UTF8.self)
        }
        #expect(try page(.unspecified).contains("because it isn’t said: Loft."))
        #expect(try !page(.other).contains("because it isn’t said"))
    }

    @Test func `a report's tables end after 500 rows, and say how many more there are`() throws {
        func blocks(_ count: Int) -> [Paper.Block] {
            let aids = (0..<count).map {
                Homes.element("aid-\($0)", .aid, "Rail", at: (Int32($0), 0), 100, 600)
            }
            let rooms = (0..<count).map {
                RoomReach(
                    room: "r\($0)", name: "Room \($0)",
                    reached: $0 == count - 1 ? .fail : .pass, turned: .pass)
            }
            let doors = (0..<count).map { TightDoor(door: "d\($0)", passage: 700, missing: 10) }
            let reach = PlanReach(width: 680, length: 1_150, rooms: rooms, doors: doors)
            let content = ReportContent(
                plan: FloorPlan(aids), details: PictureTests.details,
                check: PlanCheck(reach: reach), cleared: nil, words: Words(.english))
            return content.rest
        }
        func tables(_ blocks: [Paper.Block]) -> [[[String]]] {
            blocks.compactMap { if case .table(let table) = $0 { table.rows } else { nil } }
        }
        let more = Paper.Block.paragraph("3 more are not listed here.")

        #expect(tables(blocks(500)).map(\.count) == [500, 500, 500])
        #expect(!blocks(500).contains(more))
        let large = blocks(503)
        #expect(tables(large).map(\.count) == [500, 500, 500])
        #expect(large.count { $0 == more } == 3)
        // A room that can't be reached is never among those left out.
        #expect(tables(large).first?.first?.first == "Room 502")
    }

    @Test func `a door that may be wide enough is uncertain, whatever its width lacks`() throws {
        let doors = [
            TightDoor(door: "narrow", passage: 600, measured: true, missing: 80, verdict: .fail),
            TightDoor(door: "close", passage: 675, measured: true, missing: 5, verdict: .uncertain),
        ]
        func content(_ doors: ArraySlice<TightDoor>) -> [Paper.Block] {
            let reach = PlanReach(width: 680, length: 1_150, doors: Array(doors))
            return ReportContent(
                plan: FloorPlan([]), details: PictureTests.details, check: PlanCheck(reach: reach),
                cleared: nil, words: Words(.english)
            ).rest
        }
        func tables(_ blocks: [Paper.Block]) -> [[[String]]] {
            blocks.compactMap { if case .table(let table) = $0 { table.rows } else { nil } }
        }

        let lacking = tables(content(doors[...])).last?.compactMap(\.last)
        #expect(lacking == ["8 cm", "? uncertain"])
        #expect(content(doors[...]).contains(.heading("Doors that are too narrow, or may be")))
        #expect(content(doors.prefix(1)).contains(.heading("Doors that are too narrow")))
    }

    @Test func `every kind of thing and every use of a room has a name in a drawing`() {
        for language in Language.allCases {
            let words = Words<DrawingPhrase>(language)
            for kind in ElementKind.allCases {
                #expect(words.say(family: "kind", "\(kind)") != nil, "\(kind)")
            }
            for use in RoomUse.allCases where use != .unspecified && use != .other {
                #expect(words.say(family: "use", "\(use)") != nil, "\(use)")
            }
        }
    }

    @Test func `a report doesn't say that nothing fails while the chair is kept out of a room`()
        throws
    {
        func page(_ reached: Verdict) throws -> String {
            let reach = PlanReach(
                width: 680, length: 1_150,
                rooms: [
                    RoomReach(
                        room: "bath", name: "Bathroom", reached: reached, turned: reached,
                        obstruction: reached == .fail ? "no way leads there" : "")
                ])
            let report = try PlanReport(
                FloorPlan(Homes.flat), PictureTests.details, check: PlanCheck(reach: reach))
            return String(decoding: report.html(), as: UTF8.self)
        }
        let kept = try page(.fail)
        #expect(kept.contains("The chair doesn’t get in: no way leads there"))
        #expect(!kept.contains("Nothing that was checked fails."))
        #expect(try page(.pass).contains("Nothing that was checked fails."))
    }

    @Test func `what fails for the chair alone isn't called met where the clause is undecided`()
        throws
    {
        let finding = PlanFinding(
            id: "tek17/threshold/d-bed", standard: "tek17", item: "d-bed", verdict: .unknown,
            requirement: "threshold: none", measured: 60,
            person: PersonFinding(verdict: .fail, text: "The chair doesn't get over 60 mm."))
        let report = try PlanReport(
            FloorPlan(Homes.flat), PictureTests.details,
            check: PlanCheck(findings: [finding], undecided: 1))
        let page = String(decoding: report.html(), as: UTF8.self)
        #expect(page.contains("uncertain · TEK17") && !page.contains("met, but"))
        #expect(page.contains("Uncertain or not measured: 1 (where the chair certainly doesn’t"))
        let summary = Words<FindingPhrase>(.english).summary(
            PlanCheck(findings: [finding], undecided: 1))
        #expect(summary.hasSuffix("0 pass, surely not for this chair: 1 of the undecided"))
    }

    @Test(
        arguments: [(1_500, true), (1_100, true), (1_099, false), (750, false)]
            as [(UInt32, Bool)])
    func `a report states no turning circle that is shorter than the chair`(
        diameter: UInt32, isStated: Bool
    ) throws {
        let items = Homes.bathroom.map { item -> PlanItem in
            guard case .element(var chair) = item.item, chair.id == "chair-1" else { return item }
            chair.wheelchair = Wheelchair(turningDiameter: diameter, axleFromRear: 300, hands: 100)
            return PlanItem(item: .element(chair))
        }
        var details = PictureTests.details
        details.chair = "chair-1"
        let report = try PlanReport(FloorPlan(items), details, check: PlanCheck())
        let page = String(decoding: report.html(), as: UTF8.self)
        #expect(page.contains("Hands on the push rims"))
        #expect(page.contains("It turns in a circle of") == isStated)
    }

    @Test func `a report on part of a plan says what was passed over, not that nothing fails`()
        throws
    {
        func page(_ over: PassedOver) throws -> String {
            let report = try PlanReport(
                FloorPlan(Homes.flat), PictureTests.details, check: PlanCheck(passedOver: over))
            return String(decoding: report.html(), as: UTF8.self)
        }
        let bare = try page(PassedOver(withoutRooms: true))
        #expect(bare.contains("The check is incomplete") && bare.contains("No room is drawn"))
        #expect(!bare.contains("Nothing that was checked fails."))
        let outside = try page(PassedOver(things: [NamedItem(id: "toilet-1")], thingCount: 3))
        #expect(outside.contains("In no room, and so not checked: toilet-1 and 2 more."))
        #expect(!outside.contains("Nothing that was checked fails."))
        #expect(try page(PassedOver()).contains("Nothing that was checked fails."))
    }

    @Test func `a report draws only repairs that the check has found to go together`() throws {
        func page(_ combined: [String]) throws -> String {
            let findings = [(1, "south"), (2, "far south")].map { number, way in
                PlanFinding(
                    id: "tek17/rail-\(number)", standard: "tek17", item: "wc", verdict: .fail,
                    repairs: [
                        Repair(
                            text: "move the rail \(way)",
                            actions: [
                                PlanAction(
                                    action: .move(
                                        MoveItems(
                                            ids: ["rail"],
                                            by: PlanPoint(x: 0, y: Int32(number) * -100))))
                            ], kind: .move)
                    ])
            }
            let report = try PlanReport(
                FloorPlan(Homes.bathroom), PictureTests.details,
                check: PlanCheck(findings: findings, failed: 2, combined: combined))
            return String(decoding: report.html(), as: UTF8.self)
        }
        let heading = "After the remedies that move things"
        let second = try page(["tek17/rail-2"])
        #expect(second.contains(heading) && second.contains("2: move the rail far south"))
        #expect(!second.contains("1: move the rail south"))
        #expect(try page(["tek17/rail-1", "tek17/rail-2"]).contains("1: move the rail south; 2:"))
        #expect(try !page([]).contains(heading))
    }
}
