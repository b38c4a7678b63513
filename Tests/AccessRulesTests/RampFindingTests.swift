import FloorPlan
import Messages
import Testing

@testable import AccessRules

/// What a finding says about ramps, and the ramps that repairs offer.
struct RampFindingTests {
    private static func ramp(
        _ id: String, _ width: UInt32, _ depth: UInt32, height: UInt32, y: Int32,
        product: PlacedProduct? = nil
    ) -> PlanItem {
        PlanItem(
            item: .element(
                Element(
                    id: id, kind: .aid, label: id, centre: PlanPoint(x: 1_450, y: y), width: width,
                    depth: depth, height: height, product: product, aidClass: "183015")))
    }

    /// A bedroom and a hall with a threshold of 40 mm between them.
    private static func home(_ things: [PlanItem], depth: Int32 = 3_000) -> [PlanItem] {
        [
            Drawing.room(3_000, depth, use: .bedroom, id: "Den"),
            Drawing.room(3_000, 3_000, use: .hall, id: "Hall", at: 0, -3_100),
            Drawing.wall("wall", 0, -50, to: 3_000, -50),
            Drawing.door("door", in: "wall", at: 1_000, hole: 900, clear: 800, threshold: 40),
        ] + things
    }

    private static func finding(
        _ items: [PlanItem], _ id: String = "tek10/threshold/door", language: String = ""
    ) throws -> PlanFinding {
        let standard = String(id.prefix { $0 != "/" })
        return try #require(
            try Drawing.inspection(items, [standard], language: language).findings(repairs: true)
                .first { $0.id == id })
    }

    /// A good ramp in the hall.
    private static let hall = ramp("Good", 900, 480, height: 40, y: -340)

    @Test(arguments: [
        ("en", "B is too steep: it climbs 40 mm and is 200 mm long; it has to be 480 mm long"),
        ("nb", "B har for bratt stigning: 40 mm på en lengde av 200 mm; lengden må være 480 mm"),
        ("sv", "B har för brant lutning: 40 mm på en längd av 200 mm; längden måste vara 480 mm"),
    ])
    func `a finding says how long a ramp would have to be, and by what clause`(
        language: String, text: String
    ) throws {
        let steep = Self.home([Self.hall, Self.ramp("B", 900, 200, height: 40, y: 100)])
        let finding = try Self.finding(steep, language: language)
        #expect(finding.verdict == .fail && finding.margin == -15)
        #expect(finding.text.contains(text + " (TEK17 § 12-16)"), "\(finding.text)")
    }

    @Test func `a finding says what else is wrong with a ramp`() throws {
        func text(_ ramp: PlanItem, _ id: String = "tek10/threshold/door") throws -> String {
            try Self.finding(Self.home([Self.hall, ramp]), id).text
        }
        #expect(
            try text(Self.ramp("B", 500, 480, height: 40, y: 240))
                .contains("B doesn't cover the door: 500 mm of its width count, and 900 mm"))
        #expect(
            try text(Self.ramp("B", 900, 840, height: 70, y: 420))
                .contains("B is 70 mm high and the threshold 40 mm: a step of 30 mm is left."))
        #expect(
            try text(Self.ramp("B", 900, 2_000, height: 1_001, y: 1_000))
                .contains("which is too much for one ramp (TEK17 § 12-16): it needs a landing."))
        // TEK17 has no number for thresholds, but has them for ramps.
        let steep = Self.home([Self.hall, Self.ramp("B", 900, 200, height: 40, y: 100)])
        #expect(try Self.finding(steep, "tek17/threshold/door").verdict == .fail)
    }

    @Test func `what the plan doesn't say of a ramp has to be measured`() throws {
        func finding(_ product: PlacedProduct) throws -> PlanFinding {
            try Self.finding(
                Self.home([
                    Self.hall, Self.ramp("B", 900, 720, height: 60, y: 360, product: product),
                ]))
        }
        let high = try finding(PlacedProduct(id: "p", name: "B", isoCode: "18301505"))
        #expect(high.verdict == .unknown && high.measured == nil && high.repairs.isEmpty)
        #expect(high.text.contains("By its catalogue, B can be 60 mm high"))
        let guessed = try finding(
            PlacedProduct(id: "p", name: "B", isoCode: "183015", sizeEstimated: true))
        #expect(guessed.verdict == .unknown)
        #expect(guessed.text.contains("The catalogue doesn't give the size of B"))
    }

    @Test func `a repair offers ramps that pass, only where one is missing`() throws {
        let both = try Self.finding(Self.home([])).repairs.first
        #expect(
            both?.text == "lay a ramp on each side of the door, 900 mm wide, 480 mm long and "
                + "40 mm high")
        #expect(both?.kind == .aid && both?.actions == [])
        let one = try Self.finding(Self.home([Self.hall])).repairs.first
        #expect(
            one?.text == "lay a ramp before the door in “Den”, 900 mm wide, 480 mm long and "
                + "40 mm high")
        let exchanged = try Self.finding(
            Self.home([Self.hall, Self.ramp("B", 900, 200, height: 40, y: 100)]))
        #expect(exchanged.repairs.first?.text == one?.text)
        // What is offered passes, as far as it is known what the standard asks of ramps.
        let offered = Self.home([Self.hall, Self.ramp("B", 900, 480, height: 40, y: 240)])
        #expect(try Self.finding(offered).verdict == .unknown)
        let inside = "husbanken/threshold-inside/door"
        #expect(try Self.finding(Self.home([Self.hall]), inside).verdict == .fail)
        #expect(try Self.finding(offered, inside).verdict == .pass)
    }

    @Test(arguments: [
        ("en", "What this standard asks of ramps isn't known here. B meets TEK17 § 12-16:"),
        ("nb", "krever av ramper, er ikke kjent her. B oppfyller TEK17 § 12-16:"),
        ("sv", "kräver av ramper är inte känt här. B uppfyller TEK17 § 12-16:"),
    ])
    func `no ramp passes for certain by the limits of another standard`(
        language: String, text: String
    ) throws {
        let ramps = Self.home([Self.hall, Self.ramp("B", 900, 480, height: 40, y: 240)])
        let finding = try Self.finding(ramps, language: language)
        #expect(finding.verdict == .unknown && finding.measured == nil && finding.margin == nil)
        #expect(finding.text.contains(text), "\(finding.text)")
        // What it leaves is too high by any limits.
        let low = Self.home([Self.hall, Self.ramp("B", 900, 480, height: 10, y: 240)])
        #expect(try Self.finding(low).verdict == .fail)
    }

    @Test func `a ramp at a threshold that is low enough without it changes nothing`() throws {
        func verdict(height: UInt32) throws -> Verdict {
            let ramps = [
                Self.ramp("A", 900, 480, height: height, y: 240),
                Self.ramp("B", 900, 480, height: height, y: -340),
            ]
            let items = Self.home(ramps).map { item -> PlanItem in
                guard case .opening(var door) = item.item else { return item }
                door.threshold = 25
                return PlanItem(item: .opening(door))
            }
            return try Self.finding(items).verdict
        }
        #expect(try verdict(height: 25) == .pass)
        // If a ramp that is higher doesn't count, it is a step itself.
        #expect(try verdict(height: 40) == .unknown)
    }

    @Test func `no ramp is offered where there is no room for it`() throws {
        func isOffered(_ items: [PlanItem]) throws -> Bool {
            try Self.finding(items).repairs.contains { $0.kind == .aid }
        }
        #expect(try isOffered(Self.home([Self.hall], depth: 480)))
        #expect(try !isOffered(Self.home([Self.hall], depth: 478)))
        let chest = Drawing.element("chest", .cupboard, 1_000, 400, 200, 200)
        #expect(try !isOffered(Self.home([Self.hall, chest])))
    }

    @Test func `no ramp is offered where it would meet something far outside`() throws {
        func isOffered(_ things: [PlanItem]) throws -> Bool {
            let home = [
                Drawing.room(3_000, 3_000, use: .storage, id: "Den"),
                Drawing.wall("wall", 0, -50, to: 3_000, -50),
                Drawing.door(
                    "door", in: "wall", at: 1_000, hole: 900, clear: 800, threshold: 200),
            ]
            return try Self.finding(home + things).repairs.contains { $0.kind == .aid }
        }
        // They are 2400 mm long.
        #expect(try isOffered([]))
        #expect(try isOffered([Drawing.wall("fence", 0, -2_600, to: 3_000, -2_600)]))
        #expect(try !isOffered([Drawing.wall("fence", 0, -2_400, to: 3_000, -2_400)]))
        let shed = Drawing.room(3_000, 1_000, use: .storage, id: "Shed", at: 0, -3_000)
        #expect(try !isOffered([shed]))
        #expect(try !isOffered([Self.ramp("Other", 900, 600, height: 50, y: -1_800)]))
    }

    @Test func `a ramp is offered as wide as the passages that it lies in`() throws {
        let inside = "husbanken/threshold-inside/door"
        // A hall's passages should be 1500 mm wide.
        let wide = try Self.finding(Self.home([]), inside).repairs.first { $0.kind == .aid }
        #expect(
            wide?.text == "lay a ramp on each side of the door, 1500 mm wide, 480 mm long and "
                + "40 mm high")
    }

    @Test func `a door that opens over the ramp of another is as wide as that leaves it`() throws {
        func finding(threshold: UInt32, height: UInt32) throws -> PlanFinding {
            let side = [
                Drawing.wall("side", 3_050, 0, to: 3_050, 3_000),
                Drawing.door(
                    "side-door", in: "side", at: 100, hole: 1_300, leaf: 1_200,
                    threshold: threshold),
            ]
            return try Self.finding(
                Self.home([Self.ramp("B", 900, 1_200, height: height, y: 600)]) + side,
                "tek17/door-inside/side-door")
        }
        // The leaf of 1200 mm reaches the ramp, which leads to the other door.
        let high = try finding(threshold: 0, height: 100)
        #expect(high.verdict == .fail && high.text.contains("B"), "\(high.text)")
        #expect(try finding(threshold: 100, height: 100).verdict == .pass)
        #expect(try finding(threshold: 0, height: 20).verdict == .pass)
    }

    @Test func `a chair is kept out by a ramp that doesn't make up for its threshold`() throws {
        let front = [
            Drawing.wall("facade", 0, -3_150, to: 3_000, -3_150),
            Drawing.door("front", in: "facade", at: 1_000, hole: 900, clear: 800, entrance: true),
        ]
        func kept(_ length: UInt32) throws -> RoomReach? {
            let ramp = Self.ramp("B", 900, length, height: 40, y: Int32(length / 2))
            return try reach(
                FloorPlan(Self.home([Self.hall, ramp]) + front),
                chair: PersonChair(width: 650, length: 1_100)
            ).rooms.first { $0.room == "Den" }
        }
        #expect(try kept(480)?.reached == .pass)
        let steep = try kept(300)
        #expect(steep?.reached == .fail)
        #expect(
            steep?.obstruction
                == "the door (threshold 40 mm; “B” isn't known to make up for it)")
    }
}
