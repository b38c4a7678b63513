import FloorPlan
import Messages
import Phrases

/// The rules about the measures of a door, or of an opening without a leaf.
extension Judge {
    /// The height of a frame in an opening, in millimetres.
    static let frame = 40.0

    /// A door that something keeps from opening fully, or that something stands in, has the
    /// remaining width.
    func doorWidth(_ rule: Rule, _ doorway: Doorway, in layout: PlanLayout) -> Assessment {
        let passage = doorway.opening.passage
        let clear = layout.clearWidth(of: doorway)
        let more = doorway.opening.widthUncertainty
        var assessment = doorWidth(rule, doorway, clear.width, more: more)
        if !passage.isMeasured { assessment.text.append(Said(.guessed)) }
        if let stop = clear.stop, let item = layout.plan.item(stop.id) {
            // A stop with the id of a room is a wall of it that isn't drawn.
            let phrase: FindingPhrase =
                layout.plan.rooms[stop.id] == nil ? .doorStopped : .doorStoppedByWall
            assessment.text.append(
                Said(
                    phrase,
                    ["item": phrases.nameValue(item), "angle": .number(stop.degrees)]))
        }
        if clear.isNarrowed, let item = clear.obstacle.flatMap(layout.plan.item) {
            assessment.text.append(Said(.doorNarrowed, ["item": phrases.nameValue(item)]))
        }
        assessment.person = passing(clear.width, more: more)
        return assessment
    }

    /// The result for a clear width: uncertain if that depends on the thickness of the wall, and
    /// the thickness is too close to tell.
    private func doorWidth(
        _ rule: Rule, _ doorway: Doorway, _ width: Double, more: UInt32
    ) -> Assessment {
        let usual = rule.atLeast ?? 0
        func found(_ least: Double) -> Assessment {
            length(.doorWidth, width, atLeast: least, at: doorway.middle, more: more)
        }
        guard let limit = rule.deepFrom, let deep = rule.deepAtLeast else { return found(usual) }
        let thickness = Double(doorway.wall.thickness)
        let drawn = found(thickness > limit ? deep : usual)
        guard abs(thickness - limit) < Double(tolerance) else { return drawn }
        let said = Said<FindingPhrase>(
            .wallNearLimit,
            [
                "thickness": .number(Int(thickness)), "limit": .number(Int(limit)),
                "least": .number(Int(usual)), "most": .number(Int(deep)),
            ])
        return allow(for: drawn, because: [said], [found(usual), found(deep)]) ?? drawn
    }

    func doorHeight(_ rule: Rule, _ doorway: Doorway) -> Assessment {
        let (opening, least) = (doorway.opening, rule.atLeast ?? 0)
        guard opening.height > 0 else {
            return unknown(.doorHeight, required: "\(Int(least)) mm", at: doorway.middle)
        }
        // The plan has the height of the opening.
        let frame = opening.isBare ? 0 : Self.frame
        let clear = Double(opening.height) - frame - Double(opening.threshold)
        let found = length(
            .doorHeight, clear, atLeast: least, at: doorway.middle, more: UInt32(frame))
        // A threshold that nobody measured takes an unknown part of it.
        guard opening.isRiseUnknown, found.verdict != .fail else { return found }
        var lower = unknown(.doorHeight, required: found.required, at: doorway.middle)
        lower.text = [
            Said(
                .heightUnmeasured,
                ["item": phrases.nameValue(PlanItem(item: .opening(opening)))])
        ]
        return lower
    }

    /// Ramps lower a threshold by their height, each on its side; the side where more is left
    /// counts.
    func threshold(
        _ rule: Rule, _ limits: RampLimits, _ doorway: Doorway, in layout: PlanLayout
    ) -> Assessment {
        var found = clauseThreshold(rule, limits, doorway, in: layout)
        found.person = crossing(doorway, in: layout)
        return found
    }

    /// What a threshold means for the chair, as `reach` sees it, whether or not the standard has a
    /// number.
    private func crossing(_ doorway: Doorway, in layout: PlanLayout) -> ChairAssessment? {
        guard chair != nil else { return nil }
        let (terms, opening) = (Dwelling.Terms(), doorway.opening)
        let most = Int32(terms.threshold)
        func margin(_ step: UInt32) -> Int32 { most - Int32(clamping: step) }
        func verdict(_ step: UInt32) -> Verdict {
            // Anyone can see that there is no threshold, without a tape.
            step == 0 && opening.rise == 0
                ? .pass : Self.verdict(margin(step), tolerance: tolerance)
        }
        let sides = layout.sides(of: opening, terms.ramps)
        // If what isn't known turns out well, and if it doesn't.
        var (hoped, feared) = (
            sides.map(\.step).max() ?? opening.rise, sides.map(\.surely).max() ?? opening.rise
        )
        if opening.isRiseUnknown { (hoped, feared) = (0, .max) }
        let known = verdict(hoped) == verdict(feared) ? verdict(hoped) : .uncertain
        let phrase: FindingPhrase =
            switch known {
            case .pass: .chairCrosses
            case .fail: .chairCrossesNot
            default: .chairCrossesPerhaps
            }
        return ChairAssessment(
            verdict: known,
            text: Said(phrase, ["measured": .number(Int(hoped)), "most": .number(Int(most))]),
            margin: known == .fail || hoped == feared ? margin(hoped) : nil, goesBySize: false)
    }

    private func clauseThreshold(
        _ rule: Rule, _ limits: RampLimits, _ doorway: Doorway, in layout: PlanLayout
    ) -> Assessment {
        guard !doorway.opening.isRiseUnknown else {
            return unknown(
                .threshold, required: Self.required(rule) ?? phrases.say(.none), at: doorway.middle)
        }
        let whole = doorway.opening.rise
        let sides = layout.sides(of: doorway.opening, limits)
        guard sides.contains(where: { $0.ramp != nil }) else {
            return threshold(rule, doorway, height: whole)
        }
        let step = sides.map(\.step).max() ?? whole
        var found = threshold(rule, doorway, height: step, isThere: whole > 0)
        // Even if ramps make up for all of it, there still is a threshold.
        if step == 0, found.verdict == .pass { found.text = [] }
        // Where no height is given, the ramp itself may still break a rule.
        if rule.atMost == nil, sides.contains(where: { !$0.faults.isEmpty }) {
            found.verdict = .fail
        }
        let isDoubtful = sides.contains { side in
            guard side.doubt == .limits, let ramp = side.ramp else { return side.doubt != nil }
            // Even where the ramp doesn't count, no more than this is left.
            return threshold(rule, doorway, height: max(whole, ramp.height)).verdict != .pass
        }
        if isDoubtful, found.verdict == .pass || found.verdict == .uncertain {
            (found.verdict, found.measured, found.margin) = (.unknown, nil, nil)
            found.text = []
        }
        for said in sides.flatMap({ self.said($0, among: sides, whole, limits) })
        where !found.text.contains(said) {
            found.text.append(said)
        }
        return found
    }

    /// What a ramp does on one side of a door, and what would be needed.
    private func said(
        _ side: DoorSide, among sides: [DoorSide], _ whole: UInt32, _ limits: RampLimits
    ) -> [Said<FindingPhrase>] {
        guard let ramp = side.ramp else {
            guard let other = sides.compactMap(\.ramp).first, whole > 0 else { return [] }
            return [Said(.rampOneSide, ["item": name(other), "height": .number(Int(whole))])]
        }
        guard side.faults.isEmpty else {
            return side.faults.map { said($0, of: ramp, limits) }
        }
        let phrase: FindingPhrase =
            switch side.doubt {
            case .ground: .rampFromGround
            case .height: .rampUpTo
            case .size: .sizeUnmeasured
            case .limits, nil: ramp.height > whole ? .rampOver : .ramped
            }
        let found = Said<FindingPhrase>(
            phrase,
            [
                "item": name(ramp), "height": .number(Int(whole)),
                "rise": .number(Int(ramp.height)), "left": .number(Int(side.step)),
            ])
        guard side.doubt == .limits else { return [found] }
        return [
            found,
            Said(.rampByOther, ["item": name(ramp), "clause": .text(limits.clause)]),
        ]
    }

    private func said(
        _ fault: RampFault, of ramp: Element, _ limits: RampLimits
    ) -> Said<FindingPhrase> {
        switch fault {
        case .askew: return Said(.rampAskew, ["item": name(ramp)])
        case .narrow(let width, let needed):
            return Said(
                .rampNarrow,
                [
                    "item": name(ramp), "width": .number(Int(width)),
                    "needed": .number(Int(needed)),
                ])
        case .steep(let rise, let length, let least):
            guard let needed = least else {
                return Said(
                    .rampEndless,
                    [
                        "item": name(ramp), "rise": .number(Int(rise)),
                        "clause": .text(limits.clause),
                    ])
            }
            return Said(
                .rampSteep,
                [
                    "item": name(ramp), "rise": .number(Int(rise)),
                    "length": .number(Int(length)), "needed": .number(Int(needed)),
                    "clause": .text(limits.clause),
                ])
        }
    }

    /// The highest threshold that a rule allows; nil if it names none.
    private static func required(_ rule: Rule) -> String? {
        rule.atMost.map { "≤ \(Int($0)) mm" }
    }

    private func name(_ ramp: Element) -> Said<FindingPhrase>.Value {
        phrases.nameValue(PlanItem(item: .element(ramp)))
    }

    /// - Parameter isThere: true if there is a threshold, even if ramps make up for all of it.
    private func threshold(
        _ rule: Rule, _ doorway: Doorway, height: UInt32, isThere: Bool = false
    ) -> Assessment {
        // Anyone can see that there is no threshold, without a tape.
        if let most = rule.atMost, height > 0 || isThere, most > 0 || height > 0 {
            return length(.threshold, Double(height), atMost: most, at: doorway.middle)
        }
        let measured = Int32(clamping: height)
        return Assessment(
            at: doorway.middle, verdict: height == 0 ? .pass : .unknown, measured: measured,
            margin: height == 0 ? Int32(rule.atMost ?? 0) : nil, tolerance: tolerance,
            required: Self.required(rule) ?? phrases.say(.none),
            text: height == 0
                ? [Said(.noThreshold)]
                : [Said(.noNumber, ["measured": .number(Int(measured))])])
    }
}

extension Opening {
    /// True if it has a leaf.
    var isDoor: Bool { kind == .door || kind == .slidingDoor }

    /// True if it has neither a leaf nor a frame, so that all of it is clear.
    var isBare: Bool { kind == .passage && frameWidth == 0 }

    /// The width of the frame in an opening without a leaf, in millimetres.
    var frameWidth: UInt32 { width - min(width, passage.width) }
}
