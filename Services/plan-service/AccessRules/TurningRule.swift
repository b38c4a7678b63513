import FloorPlan
import Messages
import Phrases

extension FloorTerms {
    /// The terms for a chair itself, with someone in it: it passes over showers, and doors can be
    /// closed. 670 mm is the knee height of the guidance to TEK17 § 12-9.
    static let person = FloorTerms(kneeHeight: 670, swings: false, isSeated: true)
    /// The terms for things in a shower.
    static let shower = FloorTerms(kneeHeight: 2_000, swings: false)
}

extension Judge {
    /// Whether one of several shapes fits in a room. The largest circle is found first: it decides
    /// about circles, and a shape whose inscribed circle is larger doesn't fit either.
    func place(
        _ rule: Rule, _ terms: FloorTerms, in survey: inout Survey
    ) -> Assessment {
        let shapes = rule.shapes ?? []
        let ground = survey.ground(terms)
        let middle = ground.circle?.centre ?? survey.floor.outline.bounds.centre
        var best: Assessment?
        for shape in shapes {
            let found =
                if case .circle(let diameter) = shape {
                    length(rule.measure.noun, ground.diameter, atLeast: diameter, at: middle)
                } else {
                    assessment(rule.measure.noun, of: shape, on: ground, at: middle)
                }
            if best.map({ found.isBetter(than: $0) }) ?? true { best = found }
            if found.verdict == .pass { break }
        }
        let required = shapes.map(\.words).joined(separator: " \(phrases.say(.or)) ")
        var assessment = best ?? unknown(rule.measure.noun, required: required, at: middle)
        assessment.required = required
        if assessment.verdict == .pass, let choice = rule.before,
            let door = firstDoor(of: choice, without: shapes, terms, in: survey)
        {
            (assessment.verdict, assessment.measured, assessment.margin) = (.uncertain, nil, nil)
            assessment.text = [
                Said(
                    .placeElsewhere,
                    ["item": phrases.nameValue(PlanItem(item: .opening(door)))])
            ]
        }
        guard rule.measure == .turningSpace else { return assessment }
        if survey.turning[terms.error] == nil, chair != nil {
            let own = survey.ground(FloorTerms.person.off(by: terms.error))
            survey.turning[terms.error] = turning(
                own.space, survey.floor.outline, circle: own.diameter)
        }
        assessment.person = survey.turning[terms.error]
        return assessment
    }

    /// The first of some doors of a room before which none of the shapes fits for certain.
    private func firstDoor(
        of choice: Rule.DoorChoice, without shapes: [Shape], _ terms: FloorTerms,
        in survey: Survey
    ) -> Opening? {
        let floor = survey.floor
        let obstacles = floor.obstacles(terms, for: .staying)
        return floor.doorways.first { doorway in
            guard doorway.opening.isPassable, choice.includes(doorway.opening) else {
                return false
            }
            let swept = terms.swings ? survey.layout.reach(of: doorway, over: floor.room) : 0
            return !shapes.contains { shape in
                fits(shape, before: doorway, of: floor, beyond: swept, obstacles)
            }
        }?.opening
    }

    /// True if a shape certainly fits before a door.
    /// - Parameter swept: how far the door opens over the floor, in millimetres.
    private func fits(
        _ shape: Shape, before doorway: Doorway, of floor: RoomFloor, beyond swept: Double,
        _ obstacles: [ConvexPolygon]
    ) -> Bool {
        let grown = shape.grown(by: Double(tolerance))
        let space = DoorFront(doorway, floor, for: grown, beyond: swept).free(obstacles)
        let radius = grown.inscribedDiameter / 2
        let ground = Survey.Ground(
            space: space, circle: space.largestCircle(least: radius - 0.25, enough: radius))
        if case .circle(let diameter) = shape {
            let margin = Self.whole(ground.diameter) - Int32(diameter)
            return Self.verdict(margin, tolerance: tolerance) == .pass
        }
        return grown.place(on: ground) != nil
    }

    /// Whether a shape that isn't a circle fits.
    private func assessment(
        _ noun: FindingPhrase, of shape: Shape, on ground: Survey.Ground, at middle: Vector
    ) -> Assessment {
        let slack = Double(tolerance)
        let place = shape.grown(by: slack).place(on: ground)
        let verdict: Verdict =
            if place != nil {
                .pass
            } else if tolerance > 0, shape.grown(by: -slack).place(on: ground) != nil {
                .uncertain
            } else {
                .fail
            }
        // The margin is measured along the room's longest side. A circle as wide as the shape needs
        // less room than the shape, so it says how much is missing only where nothing else does.
        let circle = Judge.whole(ground.diameter - shape.shortest)
        let spare = shape.spare(on: ground)
        var margin = spare.map { verdict == .pass ? min($0, circle) : $0 } ?? circle
        if verdict == .pass { margin = max(margin, 0) }
        if verdict == .fail { margin = min(margin, -1) }
        let measured = Int32(shape.shortest) + margin
        var found = self.assessment(
            noun, measured, margin: margin, at: place?.centre ?? middle,
            more: 0, required: shape.words, missing: .fails)
        found.verdict = verdict
        if verdict == .pass { found.text = [Said(.shapeFits, ["shape": .text(shape.words)])] }
        return found
    }
}

extension Assessment {
    /// True if it passes and the other doesn't, or lacks less: if one of several shapes is enough,
    /// the nearest to fitting counts.
    fileprivate func isBetter(than other: Assessment) -> Bool {
        func rank(_ verdict: Verdict) -> Int {
            switch verdict {
            case .pass: 0
            case .uncertain: 1
            default: 2
            }
        }
        let (own, others) = (rank(verdict), rank(other.verdict))
        return own != others ? own < others : margin ?? .min > other.margin ?? .min
    }
}

extension Shape {
    /// The least of its two measures.
    var shortest: Double {
        switch self {
        case .circle(let size), .rectangle(let size, _), .ellipse(let size, _), .tee(let size, _):
            size
        }
    }

    fileprivate func grown(by slack: Double) -> Shape {
        switch self {
        case .circle(let size): .circle(size + slack)
        case .rectangle(let short, let long): .rectangle(short + slack, long + slack)
        case .ellipse(let short, let long): .ellipse(short + slack, long + slack)
        case .tee(let side, let bar): .tee(side + slack, bar + slack)
        }
    }

    /// How much larger it could be along the room's longest side, or how much is missing there, in
    /// millimetres; nil if that is more than is computed.
    fileprivate func spare(on ground: Survey.Ground) -> Int32? {
        let longest = ground.space.areas.first?.sides.max { $0.length < $1.length }
        let angle = longest?.along.angle ?? 0
        let shape = shape
        let turns = max(Int((shape.symmetry / (.pi / 2)).rounded()), 1)
        let margins = (0..<turns).compactMap {
            ground.space.bestPlace(
                for: shape, at: angle + Double($0) * .pi / 2, most: Self.mostMissing)?.margin
        }
        // The margin is the same at each side.
        return margins.max().map { Judge.whole(2 * $0) }
    }

    /// The maximum shortfall at each side that is computed, in millimetres.
    private static let mostMissing = 200.0

    /// A place for it. The headings along the room's sides come first, because in a rectangular
    /// room one of them is the best. Before trying all others, it tests a few headings with a shape
    /// that is smaller by the error between two of them: if that doesn't fit, this one doesn't
    /// either.
    fileprivate func place(on ground: Survey.Ground) -> FreeSpace.Place? {
        // A shape that touches on all sides fits, and the circle is accurate to a tenth of a
        // millimetre.
        guard ground.diameter + 0.25 >= inscribedDiameter else { return nil }
        let shape = shape
        if let place = ground.space.place(for: shape, step: .pi / 2) { return place }
        let few = Double.pi / 36
        let lost = 2 * FreeSpace.headingError(of: shape, step: few)
        guard ground.space.place(for: grown(by: -lost).shape, step: few) != nil else { return nil }
        return ground.space.place(for: shape, step: .pi / 90)
    }
}
