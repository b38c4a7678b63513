import FloorPlan
import Foundation
import Messages
import TestSupport

@testable import AccessRules

/// A random small room with a door and a few things, for the judge. It is made tighter by the
/// millimetre, so that each rule is tested at its limit.
struct JudgedRoom {
    /// Its shape. A cut corner lacks so much in the east and in the north.
    private enum Outline {
        case rectangle, triangle
        case cut(Int32, Int32)
    }

    /// What makes it tighter.
    private enum Squeeze {
        case depth
        case move(Int, PlanPoint)
    }

    let standard: String
    private let use: RoomUse
    private let width: Int32
    private let depth: Int32
    private let outline: Outline
    private let things: [Element]
    private let door: Opening
    private let squeeze: Squeeze

    init(_ seed: inout Seed) {
        standard = seed.pick(RuleBook.sets.map(\.standard))
        use = seed.pick([.bathroom, .bathroom, .toilet, .bedroom, .kitchen, .living])
        width = Int32(1_500 + seed.below(1_500))
        depth = Int32(2_400 + seed.below(1_400))
        let cut = (Int32(100 + seed.below(500)), Int32(100 + seed.below(700)))
        outline = seed.pick([.rectangle, .triangle, .cut(cut.0, cut.1)])
        let fixture = Self.fixture(use, &seed)
        let kinds: [ElementKind] = [.cupboard, .washbasin, .table, .shower, .structure]
        let (wide, deep) = (Int(width), Int(depth))
        let drawn = (0..<seed.below(5)).map { number in
            var thing = Element(
                id: "thing-\(number)", kind: number == 0 ? fixture : seed.pick(kinds),
                centre: PlanPoint(x: Int32(seed.below(wide)), y: Int32(seed.below(deep))),
                width: UInt32(150 + seed.below(number == 0 ? 900 : 600)),
                depth: UInt32(150 + seed.below(600)),
                elevation: seed.oneIn(4) ? UInt32(600 + seed.below(150)) : 0,
                angle: seed.oneIn(2)
                    ? UInt32(seed.below(360_000)) : UInt32(seed.below(4)) * 90_000)
            // Its side is at the wall in the west or up to 3 mm from it.
            if seed.oneIn(8) {
                thing.angle = UInt32(seed.below(2)) * 180_000
                thing.centre?.x = Int32(thing.width + 1) / 2 + Int32(seed.below(4))
            }
            return thing
        }
        let hole = UInt32(750 + seed.below(350))
        let leaf = hole - UInt32(seed.below(100))
        let span = seed.oneIn(8) ? 4 : Int(width) - Int(hole)
        door = Opening(
            id: "door", wall: "wall", kind: .door,
            offset: UInt32(seed.below(span)), width: hole,
            clearWidth: leaf - UInt32(seed.below(60)), leafWidth: leaf,
            hingesAtEnd: seed.oneIn(2), swingsRight: seed.oneIn(3), entrance: seed.oneIn(3))
        let ways = [(1, 0), (-1, 0), (0, 1), (0, -1)].map { PlanPoint(x: $0.0, y: $0.1) }
        squeeze =
            drawn.count > 1 && seed.oneIn(2)
            ? .move(1 + seed.below(drawn.count - 1), seed.pick(ways)) : .depth
        things = drawn + (seed.oneIn(3) ? [Self.ramp(in: (wide, deep), &seed)] : [])
    }

    /// A ramp somewhere in a room of this size.
    private static func ramp(in room: (width: Int, depth: Int), _ seed: inout Seed) -> Element {
        Element(
            id: "ramp", kind: .aid,
            centre: PlanPoint(
                x: Int32(seed.below(room.width)), y: Int32(seed.below(room.depth))),
            width: UInt32(300 + seed.below(900)), depth: UInt32(200 + seed.below(900)),
            height: seed.pick([0, 20, 60]),
            angle: seed.oneIn(2)
                ? UInt32(seed.below(360_000)) : UInt32(seed.below(4)) * 90_000,
            aidClass: "183015")
    }

    /// A kind of element for which there are rules in a room of that use.
    private static func fixture(_ use: RoomUse, _ seed: inout Seed) -> ElementKind {
        switch use {
        case .bathroom: seed.pick([.toilet, .toilet, .washbasin, .bath])
        case .bedroom: .bed
        case .kitchen: .kitchenBench
        default: .toilet
        }
    }

    /// How much tighter the room can become, in millimetres.
    private var most: Int32 {
        if case .depth = squeeze { depth - 900 } else { 1_500 }
    }

    /// The things in the room after making it this much tighter.
    private func things(_ tighter: Int32) -> [Element] {
        var things = things
        if case .move(let number, let way) = squeeze {
            let from = things[number].centre ?? PlanPoint()
            things[number].centre = PlanPoint(
                x: from.x + way.x * tighter, y: from.y + way.y * tighter)
        }
        return things
    }

    private func corners(_ tighter: Int32) -> [PlanPoint] {
        var depth = depth
        if case .depth = squeeze { depth -= tighter }
        let (left, right) = (PlanPoint(x: 0, y: 0), PlanPoint(x: width, y: 0))
        switch outline {
        case .rectangle:
            return [left, right, PlanPoint(x: width, y: depth), PlanPoint(x: 0, y: depth)]
        case .triangle: return [left, right, PlanPoint(x: 0, y: depth)]
        case .cut(let x, let y):
            return [
                left, right, PlanPoint(x: width, y: depth - y), PlanPoint(x: width - x, y: depth),
                PlanPoint(x: 0, y: depth),
            ]
        }
    }

    private func items(_ tighter: Int32) -> [PlanItem] {
        let wall = Wall(
            id: "wall", start: PlanPoint(x: 0, y: -50), end: PlanPoint(x: width, y: -50),
            thickness: 100)
        let room = Room(id: "room", use: use, corners: corners(tighter))
        return [
            PlanItem(item: .room(room)), PlanItem(item: .wall(wall)),
            PlanItem(item: .opening(door)),
        ] + things(tighter).map { PlanItem(item: .element($0)) }
    }

    private func findings(_ tighter: Int32) throws -> [PlanFinding] {
        try Drawing.inspection(items(tighter), [standard]).findings()
    }

    /// The tightest room that a rule still passes, as input for the judge; nil if nothing passes
    /// that the judge knows.
    func limit(_ seed: inout Seed, id: String) throws -> (json: Data, claims: Int)? {
        func isJudged(_ finding: PlanFinding) -> Bool {
            finding.verdict == .pass && claim(finding, 0) != nil
        }
        let roomy = try findings(0).filter(isJudged)
        guard !roomy.isEmpty else { return nil }
        let wanted = seed.pick(roomy).id
        func passes(_ found: [PlanFinding]) -> Bool {
            found.contains { $0.id == wanted && $0.verdict == .pass }
        }
        var (low, high) = (Int32(0), most)
        var (found, tighter) = (roomy, Int32(0))
        while high - low > 1 {
            let middle = (low + high) / 2
            let next = try findings(middle)
            if passes(next) {
                (low, found, tighter) = (middle, next, middle)
            } else {
                high = middle
            }
        }
        var claims = found.filter(isJudged).compactMap { claim($0, tighter) }
        if let entry = try entry(&seed, tighter) { claims.append(entry) }
        return (try json(tighter, claims, id: id), claims.count)
    }

    /// A passed finding as a claim for the judge; nil if the judge doesn't know its rule.
    private func claim(_ finding: PlanFinding, _ tighter: Int32) -> [String: Any]? {
        guard let set = RuleBook.sets.first(where: { $0.standard == standard }),
            let rule = set.rules.first(where: { $0.id == finding.rule })
        else { return nil }
        let terms = set.terms(rule)
        let hasShower = things.contains { $0.kind == .shower }
        guard terms.overShower == nil || !hasShower else { return nil }
        var claim: [String: Any] = ["terms": Self.words(terms)]
        let at = finding.at ?? PlanPoint()
        switch rule.measure {
        case .turningSpace, .floorSpace:
            claim["kind"] = "place"
            claim["shapes"] = (rule.shapes ?? []).map(Self.words)
            claim["at"] = [Int(at.x), Int(at.y)]
        case .doorWidth:
            claim["kind"] = "door"
            claim["door"] = 0
            claim["width"] = Int(rule.atLeast ?? 0)
        case .passage:
            return rule.to == [.toilets] && finding.margin ?? 100 < 40
                ? path(to: .toilet, tighter, rule) : nil
        case .latchSpace, .pushSpace, .hingeSpace:
            claim["kind"] = "beside"
            claim["beside"] =
                rule.measure == .latchSpace
                ? "latch" : rule.measure == .pushSpace ? "push" : "hinges"
            claim["door"] = 0
            claim["least"] = rule.atLeast
            claim["depth"] = rule.depth ?? 300
        default: return beside(finding, rule, tighter, claim)
        }
        return claim
    }

    /// A claim about the floor next to a thing.
    private func beside(
        _ finding: PlanFinding, _ rule: Rule, _ tighter: Int32, _ claim: [String: Any]
    ) -> [String: Any]? {
        // The judge considers only obstacles.
        let solid = things.filter(\.isSolid)
        guard let thing = solid.firstIndex(where: { $0.id == finding.item }) else { return nil }
        var claim = claim
        claim["thing"] = thing
        claim["most"] = rule.atLeast
        claim["other"] = rule.other
        claim["exceptRear"] = rule.exceptRear
        claim["width"] = rule.width
        switch rule.measure {
        case .sideSpace: claim["kind"] = "sides"
        case .oneSideSpace: claim["kind"] = "oneSide"
        case .frontSpace:
            // The judge doesn't know what is one unit.
            let drawn = things(tighter)
            let isUnit = drawn.filter { $0.id == finding.item }.contains { bench in
                drawn.contains { bench.before(asOneUnitWith: $0) != nil }
            }
            guard !isUnit else { return nil }
            claim["kind"] = solid[thing].kind == .bath ? "along" : "front"
            claim["depth"] = rule.depth ?? rule.atLeast
            claim["under"] = rule.depth != nil
        case .toiletZone:
            claim["kind"] = "zone"
            claim["depth"] = rule.depth
        case .centreLine:
            claim["kind"] = "centre"
            claim["least"] = rule.atLeast
            claim["most"] = rule.atMost
        default: return nil
        }
        return claim
    }

    /// The claim that some chair gets into the room; nil if it perhaps doesn't.
    private func entry(_ seed: inout Seed, _ tighter: Int32) throws -> [String: Any]? {
        let (length, width) = (900 + seed.below(500), 500 + seed.below(400))
        guard door.entrance else { return nil }
        let chair = PersonChair(width: Double(width), length: Double(length))
        let found = try reach(FloorPlan(items(tighter)), chair: chair)
        guard found.rooms.first?.reached == .pass else { return nil }
        return ["kind": "enters", "chair": [length, width], "from": front]
    }

    /// The line of the door on the room's side.
    private var front: [[Int]] {
        let start = Int(door.offset)
        return [[start, 0], [start + Int(door.width), 0]]
    }

    private func path(
        to kind: ElementKind, _ tighter: Int32, _ rule: Rule
    ) -> [String: Any]? {
        guard let goal = things(tighter).first(where: { $0.kind == kind }) else { return nil }
        let (across, back) = (Vector(angle: goal.turn), Vector(angle: goal.turn).left)
        let half = (Double(goal.width) / 2, Double(goal.depth) / 2)
        let sides = [1.0, -1].map { side in
            [1.0, -1].map { end in
                let place = goal.place + across * (side * half.0) + back * (end * half.1)
                return [place.x, place.y]
            }
        }
        return [
            "kind": "path", "width": rule.atLeast ?? 0,
            "from": front, "to": sides,
        ]
    }

    private static func words(_ terms: FloorTerms) -> [String: Any] {
        var words: [String: Any] = ["knees": Int(terms.kneeHeight), "swings": terms.swings]
        words["under"] = terms.underDepth
        return words
    }

    private static func words(_ shape: Shape) -> [String: Any] {
        switch shape {
        case .circle(let size): ["circle": size]
        case .rectangle(let short, let long): ["rectangle": [short, long]]
        case .ellipse(let short, let long): ["ellipse": [short, long]]
        case .tee(let side, let bar): ["tee": [side, bar]]
        }
    }

    /// The room as input for the judge.
    func json(_ tighter: Int32, _ claims: [[String: Any]], id: String) throws -> Data {
        let sittingAt: [ElementKind] = [.washbasin, .table, .kitchenBench]
        let things: [[String: Any]] = things(tighter).map {
            [
                "x": $0.place.x, "y": $0.place.y, "width": Int($0.width),
                "depth": Int($0.depth), "angle": Double($0.angle) / 1_000,
                "elevation": Int($0.elevation), "solid": $0.isSolid, "height": Int($0.height),
                "ramp": $0.kind == .aid, "satAt": sittingAt.contains($0.kind),
            ]
        }
        let value: [String: Any] = [
            "id": id, "things": things, "claims": claims,
            "outline": corners(tighter).map { [Int($0.x), Int($0.y)] },
            "doors": [
                [
                    "wall": [[0, -50], [Int(width), -50]], "thickness": 100,
                    "offset": Int(door.offset), "width": Int(door.width),
                    "leaf": Int(door.leafWidth ?? door.width), "clear": Int(door.clearWidth ?? 0),
                    "atEnd": door.hingesAtEnd, "right": door.swingsRight,
                    "opensInto": !door.swingsRight,
                ]
            ],
        ]
        return try JSONSerialization.data(withJSONObject: value) + Data("\n".utf8)
    }
}
