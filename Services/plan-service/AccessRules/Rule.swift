import FloorPlan
import Messages

/// A standard as read from its file: facts about its clauses, not their text.
struct RuleSet: Decodable, Sendable {
    let standard: String
    let title: String
    let country: String
    let edition: String
    /// What counts as free floor unless a rule says otherwise.
    let floor: FloorTerms
    /// Addresses by the names that rules use for them.
    let sources: [String: String]
    /// What the standard asks of ramps; nil for the limits taken if a standard says nothing.
    let ramps: RampLimits?
    /// True if the standard asks something of ramps that isn't known here.
    var areRampsUnknown: Bool?
    let rules: [Rule]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case standard, title, country, edition, floor, sources, ramps, rules
        case areRampsUnknown = "ramps-unknown"
    }

    var published: Standard {
        Standard(
            id: standard, title: title, country: country, edition: edition,
            rules: UInt32(rules.count))
    }

    /// The index of the rule that a rule of dwellings counts as, which is its own unless it says
    /// otherwise.
    func need(_ rule: Int) -> Int {
        guard let id = rules[rule].countsAs else { return rule }
        return rules.firstIndex { $0.id == id } ?? rule
    }

    /// The terms of a rule: its own, or else the standard's.
    func terms(_ rule: Rule) -> FloorTerms {
        var terms = rule.floor.map(floor.overridden) ?? floor
        if let ramps { terms.ramps = ramps }
        terms.ramps.areAssumed = areRampsUnknown == true
        return terms
    }

    /// The same with the limits of ramps that are taken instead of unknown ones, as if they were
    /// the standard's own.
    var takingRamps: RuleSet {
        var taking = self
        taking.areRampsUnknown = nil
        return taking
    }
}

/// One requirement of a standard.
struct Rule: Decodable, Sendable {
    /// Its id, unique in the standard.
    let id: String
    /// As it is cited.
    let clause: String
    /// The name of a source of the standard.
    let source: String
    let level: Level
    let confidence: Confidence
    let measure: Measure
    /// Where it has to be met; by default in each room.
    let scope: Scope?
    /// The id of the rule of dwellings that a room meets, too, by meeting this one.
    let countsAs: String?

    /// The doors and the openings without a leaf that it applies to.
    let doors: DoorChoice?
    /// The uses of the rooms that it applies to, or whose doors or elements it applies to.
    let rooms: [RoomUse]?
    /// True if it applies only to rooms with an entrance, false if only to those without.
    let entered: Bool?
    /// True if it applies only to rooms into which a door opens.
    let swept: Bool?
    /// The kinds of elements that it applies to.
    let elements: [ElementKind]?
    /// The role of the aids that it applies to.
    let role: Role?
    /// The minimum width of elements that it applies to, in millimetres.
    let widerThan: Double?
    /// The width below which it applies to elements, in millimetres.
    let upToWidth: Double?

    /// The required minimum, in millimetres.
    let atLeast: Double?
    /// What is enough whatever a plan doesn't say, in millimetres; nil if the minimum is.
    let surely: Double?
    /// The allowed maximum, in millimetres.
    let atMost: Double?
    /// The required minimum for the other of two sides, or of a size's two measures, in
    /// millimetres.
    let other: Double?
    /// The side of a square that is enough for a size, too, neither less nor more, in millimetres.
    let square: Double?
    /// The required minimum in a wall thicker than `deepFrom`, in millimetres.
    let deepAtLeast: Double?
    let deepFrom: Double?
    /// The width of the space, from the wall at its side or in front of an element, in millimetres.
    let width: Double?
    /// How far the space must extend from the wall, or along the element from its rear, in
    /// millimetres.
    let depth: Double?
    /// How far such a space at a door extends at least for someone who comes along the wall, in
    /// millimetres: whoever comes straight to the door needs `depth`.
    let alongDepth: Double?
    /// The length from an element's rear that needs no space beside it, in millimetres.
    let exceptRear: Double?
    /// The required minimum beside a local obstruction of a passage, in millimetres.
    let obstructed: Double?
    /// How far a basin above the knees may extend into the space, in millimetres; 0 if it may not,
    /// nil for as far as it may be passed under.
    let encroach: Double?
    /// The basins that may be in the space in a home.
    let homeBasin: HomeBasin?
    /// True if a basin may be in the space at one end of a bath; a plan doesn't say which.
    let endBasin: Bool?
    /// Shapes, at least one of which must fit.
    let shapes: [Shape]?
    /// The doors before each of which one of the shapes, as wide as long, must fit; nil for
    /// anywhere in the room.
    let before: DoorChoice?
    /// What must be reachable from each door of the room.
    let to: [Target]?
    /// Where it differs from the standard's terms.
    let floor: FloorTerms.Change?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, clause, source, level, confidence, measure, scope, doors, rooms, entered, swept
        case countsAs = "counts-as"
        case elements, role
        case widerThan = "wider-than"
        case upToWidth = "up-to-width"
        case atLeast = "at-least"
        case atMost = "at-most"
        case other, square, surely
        case deepAtLeast = "deep-at-least"
        case deepFrom = "deep-from"
        case width, depth
        case alongDepth = "along-depth"
        case exceptRear = "except-rear"
        case obstructed, encroach
        case homeBasin = "home-basin"
        case endBasin = "end-basin"
        case shapes, before, to, floor
    }

    /// A basin beside a toilet, on the wall behind it. Millimetres.
    struct HomeBasin: Decodable, Sendable {
        /// The least distance from the centre line of the toilet to its side.
        let aside: Double
        /// How deep the basin may be.
        let upTo: Double
        /// How far the space must extend from the wall then.
        let depth: Double

        enum CodingKeys: String, CodingKey {
            case aside, depth
            case upTo = "up-to"
        }
    }

    /// Whether a rule is binding.
    enum Level: String, Decodable {
        case binding
        /// Guidance or a recommendation.
        case advisory
    }

    /// How often a rule has to be met.
    enum Scope: String, Decodable {
        /// Everywhere.
        case room
        /// In one room of a dwelling.
        case dwelling
        /// At one thing of a dwelling.
        case thing
    }

    /// How certain it is that the standard says so.
    enum Confidence: String, Decodable {
        /// From the standard itself, or from its publisher.
        case high
        /// From secondary sources, or from sources that differ.
        case medium
    }

    /// The doors of a plan, and its openings without a leaf.
    enum DoorChoice: String, Decodable {
        case entrance, inside, all
    }

    /// What an aid does.
    enum Role: String, Decodable {
        case hoist
        case grabRail = "grab-rail"

        var role: AidRole {
            switch self {
            case .hoist: .hoist
            case .grabRail: .grabRail
            }
        }
    }

    /// What a passage leads to.
    enum Target: String, Decodable {
        case doors, windows, toilets, showers
    }
}

/// What is measured. There is a function for each; rules that need other measures can't be checked.
enum Measure: String, Decodable, CaseIterable, Sendable {
    /// The clear width of a door or of an opening without a leaf.
    case doorWidth = "door-width"
    /// The clear height of a door or of an opening without a leaf.
    case doorHeight = "door-height"
    /// The height of a threshold; without a number there must be none.
    case threshold
    /// The space beside the handle of a door, on the side that it opens to.
    case latchSpace = "latch-space"
    /// The space beside the handle of a door, on the side from which it is pushed open.
    case pushSpace = "push-space"
    /// The space beside the hinges of a door, on the side that it opens to.
    case hingeSpace = "hinge-space"
    /// That no door opens into the room.
    case swing
    /// A place to turn.
    case turningSpace = "turning-space"
    /// A free place on the floor for a chair.
    case floorSpace = "floor-space"
    /// The narrowest place on the path from a door of a room to something else in it.
    case passage
    /// The height of a room.
    case ceiling
    /// The free floor at the sides of an element.
    case sideSpace = "side-space"
    /// The free floor at the sides of an element, one of which is enough.
    case oneSideSpace = "one-side-space"
    /// The free floor in front of an element.
    case frontSpace = "front-space"
    /// The free floor around a toilet: from its centre line to both sides and from the wall behind
    /// it.
    case toiletZone = "toilet-zone"
    /// The distance from the centre line of an element to the nearer wall at its side.
    case centreLine = "centre-line"
    /// The two measures of an element.
    case size
    /// The room to turn an aid on the spot.
    case aidTurning = "aid-turning"
    /// The distance of a rail from what it serves.
    case railReach = "rail-reach"
}

/// A shape in which a chair can turn according to a standard. Millimetres.
enum Shape: Decodable, Sendable, Hashable {
    case circle(Double)
    case rectangle(Double, Double)
    case ellipse(Double, Double)
    /// A T in a square: the side of the square, and the width of its bar and stem.
    case tee(Double, Double)

    private enum CodingKeys: String, CodingKey {
        case circle, rectangle, ellipse, tee
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func pair(_ key: CodingKeys) throws -> (Double, Double) {
            var list = try values.nestedUnkeyedContainer(forKey: key)
            return (try list.decode(Double.self), try list.decode(Double.self))
        }
        if values.contains(.circle) {
            self = .circle(try values.decode(Double.self, forKey: .circle))
        } else if values.contains(.rectangle) {
            let (short, long) = try pair(.rectangle)
            self = .rectangle(short, long)
        } else if values.contains(.ellipse) {
            let (short, long) = try pair(.ellipse)
            self = .ellipse(short, long)
        } else {
            let (side, bar) = try pair(.tee)
            self = .tee(side, bar)
        }
    }

    /// As it is cited.
    var words: String {
        func text(_ value: Double) -> String { String(Int(value)) }
        return switch self {
        case .circle(let diameter): "Ø \(text(diameter)) mm"
        case .rectangle(let short, let long): "\(text(short)) x \(text(long)) mm"
        case .ellipse(let short, let long): "Ø \(text(short))/\(text(long)) mm"
        case .tee(let side, let bar): "T \(text(side))/\(text(bar)) mm"
        }
    }

    /// The diameter of the largest circle in it: where that circle doesn't fit, the shape doesn't
    /// either. For the T it is the circle through its two inner corners that touches the far side
    /// of the bar; with ADA's measures it has a diameter of 1143 mm.
    var inscribedDiameter: Double {
        switch self {
        case .circle(let diameter): diameter
        case .rectangle(let short, _), .ellipse(let short, _): short
        case .tee(_, let bar): 1.25 * bar
        }
    }

    var shape: FloorShape {
        switch self {
        case .circle(let diameter): .ellipse(diameter, diameter)
        case .rectangle(let short, let long): .rectangle(short, long)
        case .ellipse(let short, let long): .ellipse(short, long)
        case .tee(let side, let bar): .tee(width: side, depth: side, bar: bar, stem: bar)
        }
    }
}

/// What counts as free floor.
struct FloorTerms: Decodable, Hashable, Sendable {
    /// The height above the floor from which an object can be passed under, in millimetres.
    var kneeHeight: UInt32
    /// True if the floor that a door sweeps isn't free.
    var swings: Bool
    /// How far one can go under such an object from its front, in millimetres; nil for all of it.
    var underDepth: Double?
    /// How far one can go over a shower, in millimetres; nil for all of it.
    var overShower: Double?
    /// True if the head, too, has to pass under what one doesn't sit at. Standards speak of the
    /// knees only.
    var isSeated = false
    /// What ramps have to be like.
    var ramps = RampLimits.usual
    /// By how much what one passes under is supposed to be lower than measured, in millimetres.
    var error = 0

    enum CodingKeys: String, CodingKey {
        case kneeHeight = "knee-height"
        case swings
        case underDepth = "under-depth"
        case overShower = "over-shower"
    }

    /// The same for someone who walks, or needs more than room for their knees: anything that hangs
    /// lower than the height of a door, 2000 mm by TEK17 § 12-13 (2) e, is an obstacle.
    var upright: FloorTerms {
        FloorTerms(
            kneeHeight: max(kneeHeight, 2_000), swings: swings, underDepth: nil,
            overShower: overShower, error: error)
    }

    /// The same, supposing that what one passes under is lower than measured by this many
    /// millimetres; higher for a negative number.
    func off(by error: Int) -> FloorTerms {
        var terms = self
        terms.error = error
        return terms
    }

    /// True if there is room for knees under an element.
    func leaveKnees(under element: Element) -> Bool {
        guard !isSeated else {
            return element.isPassedUnder(kneeHeight: kneeHeight, off: error)
        }
        // Anyone can see what stands on the floor, without a tape.
        guard element.elevation > 0 || error >= 0 else { return false }
        return Int(element.elevation) >= Int(kneeHeight) + error
    }

    /// The terms that a rule changes.
    struct Change: Decodable, Hashable, Sendable {
        var kneeHeight: UInt32?
        var swings: Bool?
        var underDepth: Double?
        var overShower: Double?

        typealias CodingKeys = FloorTerms.CodingKeys
    }

    func overridden(by change: Change) -> FloorTerms {
        FloorTerms(
            kneeHeight: change.kneeHeight ?? kneeHeight, swings: change.swings ?? swings,
            underDepth: change.underDepth ?? underDepth,
            overShower: change.overShower ?? overShower, isSeated: isSeated, error: error)
    }
}
