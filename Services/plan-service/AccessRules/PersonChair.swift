import FloorPlan
import Messages
import Phrases

/// A person's own chair, with the space that the person needs beside, behind and in front of it.
/// Its width, its length and its turning circle are three measures: a chair that passes through a
/// door may not be able to turn behind it.
package struct PersonChair: Hashable, Sendable {
    /// The floor that the chair and the person take.
    package let body: Chair
    /// The diameter of its ``TurningCircle``, in millimetres.
    package let turningDiameter: Double
    /// True if its size is a guess, as that of a product may be: then nothing is certainly large
    /// enough for it.
    package private(set) var isEstimated = false

    package init(width: Double, length: Double, turningDiameter: Double? = nil) {
        body = Chair(width: width, length: length)
        self.turningDiameter = turningDiameter ?? body.spinSquare
    }

    /// A chair of this width and length, in millimetres, with its build.
    package init(width: UInt32, length: UInt32, build: Wheelchair) {
        body = Chair(width: width, length: length, build: build)
        turningDiameter = TurningCircle(width: width, length: length, build: build).diameter
    }

    /// The chair of an element.
    package init(_ element: Element) {
        self.init(
            width: element.width, length: element.depth,
            build: element.wheelchair ?? Wheelchair())
        isEstimated = element.product?.sizeEstimated == true
    }

    /// The wheelchair in a plan with an id; nil if no id is given.
    /// - Throws: if there is no such wheelchair.
    package static func find(
        _ id: String, in plan: FloorPlan
    ) throws(Refusal) -> PersonChair? {
        guard !id.isEmpty else { return nil }
        guard let element = plan.elements[id] else {
            throw .notFound("the plan has no wheelchair “\(id.prefix(100))”")
        }
        guard element.kind == .wheelchair else {
            throw .invalid("\(PlanItem(item: .element(element)).words) isn't a wheelchair")
        }
        return PersonChair(element)
    }
}

extension Judge {
    /// What a width means for the chair.
    func passing(_ width: Double, more: UInt32 = 0) -> ChairAssessment? {
        span(width, more: more, (.chairPasses, .chairStops, .chairPerhaps))
    }

    /// What a free width beside an element means for the chair next to it.
    func standing(_ width: Double) -> ChairAssessment? {
        span(width, more: 0, (.chairStands, .chairStandsNot, .chairStandsPerhaps))
    }

    private func span(
        _ width: Double, more: UInt32,
        _ words: (yes: FindingPhrase, no: FindingPhrase, perhaps: FindingPhrase)
    ) -> ChairAssessment? {
        guard let chair else { return nil }
        let needed = Int32(chair.body.width.rounded(.up))
        let margin = Self.whole(width) - needed
        let verdict = Self.verdict(margin, tolerance: tolerance &+ more)
        let phrase =
            switch verdict {
            case .pass: words.yes
            case .fail: words.no
            default: words.perhaps
            }
        return ChairAssessment(
            verdict: verdict,
            text: Said(
                phrase,
                [
                    "needed": .number(Int(needed)), "spare": .number(Int(margin)),
                    "missing": .number(Int(margin.magnitude)),
                ]), needed: needed, margin: margin)
    }

    /// What a floor means for the chair turning there.
    /// - Parameter circle: the diameter of the largest circle on the floor, in millimetres.
    func turning(_ floor: FreeSpace, _ area: Polygon, circle: Double) -> ChairAssessment? {
        guard let chair else { return nil }
        let slack = Double(tolerance)
        let needed = Int32(chair.turningDiameter.rounded(.up))
        let margin = Self.whole(circle) - needed
        let values: KeyValuePairs<String, Said<FindingPhrase>.Value> = [
            "needed": .number(Int(needed)), "width": .number(Int(chair.body.width)),
            "length": .number(Int(chair.body.length)),
        ]
        if margin >= Int32(tolerance) {
            return ChairAssessment(
                verdict: .pass, text: Said(.chairTurns, values), needed: needed,
                margin: margin)
        }
        let verdict = chair.body.turning(on: floor, area, circle: circle, slack: slack)
        switch verdict {
        case .pass:
            return ChairAssessment(verdict: .pass, text: Said(.chairManoeuvres, values))
        case .fail:
            return ChairAssessment(
                verdict: .fail, text: Said(.chairTurnsNot, values), needed: needed,
                margin: margin)
        default:
            return ChairAssessment(
                verdict: .uncertain, text: Said(.chairTurnsPerhaps, values),
                needed: needed, margin: margin)
        }
    }
}

extension Chair {
    /// Whether it can make half a turn somewhere on a floor. Quick tests come first.
    /// - Parameters:
    ///   - circle: the diameter of the largest circle on the floor.
    ///   - slack: how much wider or narrower than drawn the floor may be.
    func turning(
        on floor: FreeSpace, _ area: Polygon, circle: Double, slack: Double
    ) -> Verdict {
        let (larger, smaller) = (grown(by: slack), grown(by: -slack))
        if circle >= larger.spinSquare { return .pass }
        guard circle >= min(smaller.width, smaller.length), !smaller.isStuck(on: floor) else {
            return .fail
        }
        // 50 mm and 10 degrees, then the usual 25 mm and 5 degrees.
        for resolution in [ChairSpace.Resolution(cell: 50, headings: 36), .standard] {
            if larger.turns(floor, area, resolution, .surely) { return .pass }
            if !smaller.turns(floor, area, resolution, .possibly) { return .fail }
        }
        return .uncertain
    }

    /// True if there is a heading at which it fits nowhere, because a turn passes every heading. It
    /// first tries those at which it is widest along a room's axes.
    private func isStuck(on floor: FreeSpace) -> Bool {
        let shape = FloorShape.rectangle(length, width)
        let broadest = Vector(length, width).angle
        let main = floor.areas.first?.sides.max { $0.length < $1.length }?.along.angle ?? 0
        return [
            main + broadest, main - broadest, main + .pi / 2 - broadest,
            main + .pi / 2 + broadest, main, main + .pi / 2, main + .pi / 4, main - .pi / 4,
        ].contains { floor.place(for: shape, at: $0) == nil }
    }

    private func turns(
        _ floor: FreeSpace, _ area: Polygon, _ resolution: ChairSpace.Resolution,
        _ bound: ChairSpace.Bound
    ) -> Bool {
        let space = ChairSpace(.rectangle(length, width), in: floor, resolution, bound)
        return space.turns(in: area, space.places(in: area))
    }
}
