import FloorPlan
import Messages

/// A standard as its file gives it: facts about its clauses, no words of it.
struct RuleSet: Decodable, Sendable {
    let standard: String
    let title: String
    let country: String
    let edition: String
    /// What counts as free floor unless a rule says otherwise.
    let floor: FloorTerms
    /// Addresses, by the names that the rules use for them.
    let sources: [String: String]
    let rules: [Rule]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case standard, title, country, edition, floor, sources, rules
    }

    var published: Standard {
        Standard(
            id: standard, title: title, country: country, edition: edition,
            rules: UInt32(rules.count))
    }

    /// The terms of a rule: its own, or else the standard's.
    func terms(_ rule: Rule) -> FloorTerms { rule.floor.map(floor.overridden) ?? floor }
}

/// One requirement of a standard.
struct Rule: Decodable, Sendable {
    /// Unique in the standard.
    let id: String
    /// As it is cited.
    let clause: String
    /// The name of a source of the standard.
    let source: String
    let level: Level
    let confidence: Confidence
    let measure: Measure

    /// The doors that it is about.
    let doors: DoorChoice?
    /// The uses of the rooms that it is about, or in which what it is about is found.
    let rooms: [RoomUse]?
    /// True when it is only about rooms with an entrance, false when only about those without.
    let entered: Bool?
    /// True when it is only about rooms into which a door opens.
    let swept: Bool?
    /// The kinds of elements that it is about.
    let elements: [ElementKind]?
    /// Only elements at least so wide, in millimetres.
    let widerThan: Double?
    /// Only elements narrower than this, in millimetres.
    let upToWidth: Double?

    /// The least that is required, in millimetres.
    let atLeast: Double?
    /// The most that is allowed, in millimetres.
    let atMost: Double?
    /// For the other one of two sides, or of the two measures of a size: the least, in millimetres.
    let other: Double?
    /// What is required instead in a wall that is thicker than `deepFrom`, in millimetres.
    let deepAtLeast: Double?
    let deepFrom: Double?
    /// How wide the space must be, from the wall at its side or before an element, in millimetres.
    let width: Double?
    /// How far from the wall, or along the element from its rear, the space must go, in
    /// millimetres.
    let depth: Double?
    /// How much of an element's length from its rear needs no space beside it, in millimetres.
    let exceptRear: Double?
    /// The least beside what may narrow a passage at one spot, in millimetres.
    let obstructed: Double?
    /// Any one of these shapes must find a place.
    let shapes: [Shape]?
    /// What must be reached from each door of the room.
    let to: [Target]?
    /// What differs from the standard's terms.
    let floor: FloorTerms.Change?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, clause, source, level, confidence, measure, doors, rooms, entered, swept, elements
        case widerThan = "wider-than"
        case upToWidth = "up-to-width"
        case atLeast = "at-least"
        case atMost = "at-most"
        case other
        case deepAtLeast = "deep-at-least"
        case deepFrom = "deep-from"
        case width, depth
        case exceptRear = "except-rear"
        case obstructed, shapes, to, floor
    }

    /// Whether one must do it.
    enum Level: String, Decodable {
        case binding
        /// Guidance or a recommendation.
        case advisory
    }

    /// How sure it is that the standard says so.
    enum Confidence: String, Decodable {
        /// Read in the standard itself, or in what its publisher writes.
        case high
        /// Read elsewhere, or in sources that differ.
        case medium
    }

    /// The doors of a plan.
    enum DoorChoice: String, Decodable {
        case entrance, inside, all
    }

    /// What a passage leads to.
    enum Target: String, Decodable {
        case doors, windows, toilets, showers
    }
}

/// What is measured. Each is looked at by one function; a rule that needs another can't be checked.
enum Measure: String, Decodable, CaseIterable, Sendable {
    /// The free width of a door.
    case doorWidth = "door-width"
    /// The free height of a door.
    case doorHeight = "door-height"
    /// The height of a threshold; without a number it must not be there.
    case threshold
    /// The room beside the handle of a door, on the side to which it opens.
    case latchSpace = "latch-space"
    /// The room beside the handle of a door, on the side from which it is pushed open.
    case pushSpace = "push-space"
    /// The room beside the hinges of a door, on the same side.
    case hingeSpace = "hinge-space"
    /// That no door opens into the room.
    case swing
    /// A place to turn.
    case turningSpace = "turning-space"
    /// A free place on the floor for a chair.
    case floorSpace = "floor-space"
    /// The narrowest place on the way from a door of a room to something else in it.
    case passage
    /// The height of a room.
    case ceiling
    /// The free floor at the sides of an element.
    case sideSpace = "side-space"
    /// The free floor at the sides of an element, of which one is enough.
    case oneSideSpace = "one-side-space"
    /// The free floor before an element.
    case frontSpace = "front-space"
    /// The free floor about a toilet: from its middle to both sides and from the wall behind it.
    case toiletZone = "toilet-zone"
    /// From the middle of an element to the nearer wall at its side.
    case centreLine = "centre-line"
    /// The two measures of an element.
    case size
}

/// A shape of which a standard says that a chair turns in it. Millimetres.
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

    /// The largest circle in it: where that has no place, the shape has none. For the T the circle
    /// through its two inner corners, which touches the far side of the bar; at ADA's measures
    /// that has a diameter of 1143 mm.
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
    /// What begins at least so high above the floor is passed under, in millimetres.
    var kneeHeight: UInt32
    /// True when the floor that a door sweeps isn't free.
    var swings: Bool
    /// How deep one comes under such a thing from its front, in millimetres; all of it when absent.
    var underDepth: Double?
    /// How far a shower may be used, in millimetres; all of it when absent.
    var overShower: Double?

    enum CodingKeys: String, CodingKey {
        case kneeHeight = "knee-height"
        case swings
        case underDepth = "under-depth"
        case overShower = "over-shower"
    }

    /// The same for who walks, or sits and doesn't only reach with his knees: what hangs lower than
    /// a door is high, 2000 mm by TEK17 § 12-13 (2) e, is in the way.
    var upright: FloorTerms {
        FloorTerms(
            kneeHeight: max(kneeHeight, 2_000), swings: swings, underDepth: nil,
            overShower: overShower)
    }

    /// What a rule changes of them.
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
            overShower: change.overShower ?? overShower)
    }
}
