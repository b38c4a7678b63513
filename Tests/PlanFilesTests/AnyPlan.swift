import FloorPlan
import Messages
import TestSupport

@testable import PlanFiles

extension ImportedPlan {
    /// Any valid plan, with everything that a plan can have.
    static func any(_ seed: inout Seed) -> ImportedPlan {
        var items: [PlanItem] = []
        for number in 0..<seed.below(6) {
            let wall = Wall.any(number, &seed)
            items.append(PlanItem(item: .wall(wall)))
            items += Opening.any(in: wall, &seed).map { PlanItem(item: .opening($0)) }
        }
        for number in 0..<seed.below(4) {
            items.append(PlanItem(item: .room(.any(number, &seed))))
        }
        for number in 0..<seed.below(6) {
            items.append(PlanItem(item: .element(.any(number, &seed))))
        }
        if seed.oneIn(2) { items.shuffle(using: &seed) }
        let details = PlanDetails(
            name: "Home " + .any(&seed), description: .any(&seed), address: .any(&seed),
            client: .any(&seed), author: .any(&seed), tolerance: UInt32(seed.below(100)),
            standards: (0..<seed.below(3)).map { _ in .any(&seed) }, chair: .any(&seed),
            assessment: .any(&seed), authorTitle: .any(&seed),
            north: seed.oneIn(2) ? nil : UInt32(seed.below(360_000)))
        return ImportedPlan(details: details, items: items)
    }
}

extension String {
    /// Any text, with everything that is hard to encode.
    static func any(_ seed: inout Seed) -> String {
        let pieces = [
            "", " ", "Bad", "å", "<b>", "&amp;", "\"'", "👩‍🦽", "\n", "\t", "\r", "\r\n", "\u{0}",
            "\u{7}", "\u{1b}[31m", "\u{7f}", "\u{fffe}", "\\", "\\u{7}", "]]>", "e\u{301}",
            "\u{10ffff}", "\u{2028}", "</plan>", "\u{85}",
        ]
        return (0..<seed.below(5)).map { _ in seed.pick(pieces) }.joined()
    }
}

extension PlanPoint {
    static func any(_ seed: inout Seed) -> PlanPoint {
        let most = seed.oneIn(5) ? 1_000_000 : 9_000
        return PlanPoint(
            x: Int32(seed.below(2 * most + 1) - most), y: Int32(seed.below(2 * most + 1) - most))
    }
}

extension Wall {
    static func any(_ number: Int, _ seed: inout Seed) -> Wall {
        var wall = Wall(
            id: "wall \(number)" + .any(&seed), start: .any(&seed), end: .any(&seed),
            thickness: UInt32(seed.below(400)), height: seed.oneIn(2) ? 0 : 3_000,
            label: .any(&seed))
        if wall.length < 1 { wall.end = PlanPoint(x: wall.from.x == 0 ? 1 : 0, y: 0) }
        return wall
    }
}

extension Opening {
    /// Openings one after another in a wall.
    static func any(in wall: Wall, _ seed: inout Seed) -> [Opening] {
        var openings: [Opening] = []
        var offset = UInt32(seed.below(500))
        while openings.count < 4, Double(offset) + 1_300 < wall.length {
            let width = UInt32(1 + seed.below(1_200))
            var opening = Opening(
                id: "\(wall.id)/\(openings.count)", wall: wall.id,
                kind: seed.oneIn(9) ? .unrecognized(77) : seed.pick(OpeningKind.allCases),
                offset: offset, width: width, height: UInt32(seed.below(2_000)),
                sill: UInt32(seed.below(900)))
            if seed.oneIn(2) { opening.clearWidth = UInt32(seed.below(Int(width))) }
            if seed.oneIn(2) { opening.leafWidth = UInt32(seed.below(Int(width))) }
            opening.threshold = UInt32(seed.below(40))
            opening.thresholdUnknown = seed.oneIn(2)
            opening.hingesAtEnd = seed.oneIn(2)
            opening.swingsRight = seed.oneIn(2)
            opening.hungUnknown = seed.oneIn(2)
            opening.hingesKnown = seed.oneIn(2)
            opening.swingKnown = seed.oneIn(2)
            opening.entrance = seed.oneIn(2)
            opening.label = .any(&seed)
            openings.append(opening)
            offset += width + UInt32(seed.below(300))
        }
        return openings
    }
}

extension Room {
    static func any(_ number: Int, _ seed: inout Seed) -> Room {
        let corner = PlanPoint(
            x: Int32(seed.below(9_000)) - 4_000, y: Int32(seed.below(9_000)) - 4_000)
        let (width, depth) = (Int32(100 + seed.below(5_000)), Int32(100 + seed.below(5_000)))
        return Room(
            id: "room \(number)" + .any(&seed), name: .any(&seed),
            use: seed.oneIn(9) ? .unrecognized(-3) : seed.pick(RoomUse.allCases),
            corners: [
                corner, PlanPoint(x: corner.x + width, y: corner.y),
                PlanPoint(x: corner.x + width, y: corner.y + depth),
                PlanPoint(x: corner.x, y: corner.y + depth),
            ], height: UInt32(seed.below(3_000)))
    }
}

extension Element {
    static func any(_ number: Int, _ seed: inout Seed) -> Element {
        var element = Element(
            id: "element \(number)" + .any(&seed),
            kind: seed.oneIn(9) ? .unrecognized(1_000) : seed.pick(ElementKind.allCases),
            label: .any(&seed), centre: .any(&seed), width: UInt32(1 + seed.below(2_000)),
            depth: UInt32(1 + seed.below(2_000)), height: UInt32(seed.below(2_000)),
            elevation: UInt32(seed.below(900)), angle: UInt32(seed.below(360_000)))
        if seed.oneIn(3) {
            element.product = PlacedProduct(
                id: .any(&seed), number: .any(&seed), name: .any(&seed), maker: .any(&seed),
                isoCode: .any(&seed), sizeEstimated: seed.oneIn(2))
        }
        if seed.oneIn(3) {
            element.wheelchair = Wheelchair(
                turningDiameter: UInt32(seed.below(2_000)),
                axleFromRear: UInt32(seed.below(2_000)), hands: UInt32(seed.below(200)),
                assistant: UInt32(seed.below(900)), legRests: UInt32(seed.below(500)))
        }
        element.custom = .any(&seed)
        element.aidClass = .any(&seed)
        return element
    }
}
