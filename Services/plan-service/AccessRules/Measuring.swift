import FloorPlan
import Messages
import Phrases

/// Chooses the function for what a rule measures.
extension Judge {
    /// The result of a rule for a room; nil if there is none.
    func room(
        _ rule: Rule, _ terms: FloorTerms, _ survey: inout Survey
    ) -> Assessment? {
        allow(forHeightsOf: terms, on: survey.floor) { measured(rule, $0, &survey) }
    }

    private func measured(
        _ rule: Rule, _ terms: FloorTerms, _ survey: inout Survey
    ) -> Assessment? {
        switch rule.measure {
        case .turningSpace, .floorSpace: place(rule, terms, in: &survey)
        case .passage: passage(rule, terms, in: &survey)
        case .ceiling: ceiling(rule, survey.floor.room)
        default: nil
        }
    }

    /// The result of a rule for an element; nil if there is none.
    func element(
        _ rule: Rule, _ terms: FloorTerms, _ element: Element, in floor: RoomFloor
    ) -> Assessment? {
        let found = allow(forHeightsOf: terms, on: floor) {
            measured(rule, $0, element, in: floor)
        }
        guard element.product?.sizeEstimated == true else { return found }
        return found.map { unmeasured($0, element) }
    }

    /// The same, but uncertain instead of a failure if the width of an element is too close to the
    /// limit to tell whether the rule applies to it.
    func allow(for found: Assessment?, askedBy rule: Rule, of element: Element) -> Assessment? {
        guard let limit = rule.nearLimit(element, off: tolerance) else { return found }
        let said = Said<FindingPhrase>(
            .widthNearLimit,
            [
                "item": phrases.nameValue(PlanItem(item: .element(element))),
                "width": .number(Int(element.width)), "limit": .number(Int(limit)),
            ])
        return allow(for: found, because: [said], [nil])
    }

    /// The same, but unknown instead of a pass: the size of the element is a guess.
    private func unmeasured(_ found: Assessment, _ element: Element) -> Assessment {
        var unknown = found
        // Nor does the chair have room beside it for certain.
        if found.person?.verdict != .fail { unknown.person = nil }
        guard found.verdict == .pass || found.verdict == .uncertain else { return unknown }
        (unknown.verdict, unknown.measured, unknown.margin) = (.unknown, nil, nil)
        unknown.text = [
            Said(
                .sizeUnmeasured,
                ["item": phrases.nameValue(PlanItem(item: .element(element)))])
        ]
        return unknown
    }

    private func measured(
        _ rule: Rule, _ terms: FloorTerms, _ element: Element, in floor: RoomFloor
    ) -> Assessment? {
        switch rule.measure {
        case .sideSpace: sideSpace(rule, terms, element, in: floor)
        case .oneSideSpace: oneSideSpace(rule, terms, element, in: floor)
        case .frontSpace: frontSpace(rule, terms, element, in: floor)
        case .toiletZone: toiletZone(rule, terms, element, in: floor)
        case .centreLine: centreLine(rule, element, in: floor)
        case .size: size(rule, element, in: floor)
        case .aidTurning: aidTurning(terms, element, in: floor)
        case .railReach: railReach(rule, element, in: floor)
        default: nil
        }
    }

    /// The result of a rule for a door, or for an opening without a leaf; nil if there is none.
    func door(
        _ rule: Rule, _ terms: FloorTerms, _ doorway: Doorway, in layout: PlanLayout
    ) -> Assessment? {
        switch rule.measure {
        case .doorWidth: doubted(doorWidth(rule, doorway, in: layout), rule)
        case .doorHeight: doorHeight(rule, doorway)
        case .threshold: threshold(rule, terms.ramps, doorway, in: layout)
        case .latchSpace: space(.pull, rule, terms, doorway, in: layout)
        case .pushSpace: space(.push, rule, terms, doorway, in: layout)
        case .hingeSpace: space(.hinges, rule, terms, doorway, in: layout)
        case .swing: swing(rule, doorway, in: layout)
        default: nil
        }
    }

    private func ceiling(_ rule: Rule, _ room: Room) -> Assessment {
        let (middle, least) = (room.polygon.bounds.centre, rule.atLeast ?? 0)
        guard room.height > 0 else {
            return unknown(.ceiling, required: "\(Int(least)) mm", at: middle)
        }
        return length(.ceiling, Double(room.height), atLeast: least, at: middle)
    }

    /// What a rule finds on a floor, but uncertain if that depends on heights of things that are
    /// within the tolerance of the plan.
    func allow(
        forHeightsOf terms: FloorTerms, on floor: RoomFloor, _ look: (FloorTerms) -> Assessment?
    ) -> Assessment? {
        let found = look(terms)
        guard tolerance > 0, found != nil else { return found }
        let (worst, best) = (
            Dwelling.worst(Double(tolerance)), Dwelling.best(Double(tolerance))
        )
        let things = floor.things(atHeightsOf: terms, off: worst)
        guard !things.isEmpty else { return found }
        let named = things.prefix(Self.mostNamed).map { thing in
            Said<FindingPhrase>(
                .heightUncertain,
                ["item": phrases.nameValue(PlanItem(item: .element(thing)))])
        }
        let others = [worst, best].map { look(terms.off(by: $0)) }
        return allow(for: found, because: named, others)
    }

    /// What a rule finds in a space, but uncertain instead of a pass if something beside the space
    /// may stand in it.
    /// - Parameter look: gets how far things may be off across the space, in millimetres.
    func allow(forThingsAside look: (Double) -> Assessment) -> Assessment {
        let found = look(0)
        guard tolerance > 0, found.verdict == .pass || found.person?.verdict == .pass else {
            return found
        }
        let (near, said) = (look(Double(tolerance)), Said<FindingPhrase>(.asideUncertain))
        var result = found
        if found.verdict == .pass, near.verdict != .pass {
            (result.verdict, result.measured, result.margin) = (.uncertain, nil, nil)
            result.text = [said]
        }
        if let person = found.person, person.verdict == .pass, near.person?.verdict != .pass {
            result.person = ChairAssessment(
                verdict: .uncertain, text: said, goesBySize: person.goesBySize)
        }
        return result
    }

    /// The same, but uncertain if a plan doesn't say enough to tell whether a pass is one.
    private func doubted(_ found: Assessment, _ rule: Rule) -> Assessment {
        guard let surely = rule.surely, found.verdict == .pass, let measured = found.measured,
            Self.verdict(measured - Int32(surely), tolerance: found.tolerance) != .pass
        else { return found }
        let (least, most) = (Int(rule.atLeast ?? 0), Int(surely))
        var doubted = found
        doubted.verdict = .uncertain
        doubted.required = phrases.say(
            .between, ["low": String(least), "high": "\(most) mm"])
        doubted.text[0] = Said(
            .dependsOnWay,
            [
                "noun": .word(.doorWidth),
                "measured": found.isEstimated ? .text("~\(measured)") : .number(Int(measured)),
                "least": .number(least), "most": .number(most), "clause": .text(rule.clause),
            ])
        return doubted
    }
}
