import FloorPlan
import Messages
import Phrases

/// What one rule says of one place.
struct Assessment: Sendable {
    var at: Vector
    var verdict: Verdict
    /// What was measured, and what is to spare, in millimetres.
    var measured: Int32?
    var margin: Int32?
    var tolerance: UInt32
    /// The required measure, as it is cited.
    var required: String
    /// What was found, in sentences.
    var text: [Said<FindingPhrase>]
    var person: ChairAssessment?
}

/// What a place means for the chair of the person.
struct ChairAssessment: Hashable, Sendable {
    var verdict: Verdict
    var text: Said<FindingPhrase>
    /// What the chair needs, and what is to spare, in millimetres.
    var needed: Int32?
    var margin: Int32?
}

/// What all rules judge by: how exactly the plan was measured, for whom, and in which language.
struct Judge: Sendable {
    let tolerance: UInt32
    let chair: PersonChair?
    let phrases: Words<FindingPhrase>

    /// Whole millimetres of a measure that was found to a quarter of one, never too many.
    static func whole(_ value: Double) -> Int32 {
        Int32(clamping: Int64((value + 0.25).rounded(.down).clamped(to: -1e9...1e9)))
    }

    /// What a margin says that may be off by a tolerance. Exactly as required is enough.
    static func verdict(_ margin: Int32, tolerance: UInt32) -> Verdict {
        guard margin.magnitude >= tolerance else { return .uncertain }
        return margin >= 0 ? .pass : .fail
    }

    /// Judges a length of which there must be at least so much.
    func length(
        _ noun: FindingPhrase, _ measured: Double, atLeast least: Double, at place: Vector,
        more: UInt32 = 0
    ) -> Assessment {
        let (found, limit) = (Self.whole(measured), Int32(least))
        return assessment(
            noun, found, margin: found - limit, at: place, more: more,
            required: "\(limit) mm", missing: .fails)
    }

    /// Judges a length of which there may be at most so much.
    func length(
        _ noun: FindingPhrase, _ measured: Double, atMost most: Double, at place: Vector
    ) -> Assessment {
        let (found, limit) = (Self.whole(measured), Int32(most))
        return assessment(
            noun, found, margin: limit - found, at: place, more: 0,
            required: "≤ \(limit) mm", missing: .exceeds)
    }

    /// An assessment of a length.
    /// - Parameter more: by how much it may be off besides what the plan may be, in millimetres.
    func assessment(
        _ noun: FindingPhrase, _ measured: Int32, margin: Int32, at place: Vector, more: UInt32,
        required: String, missing: FindingPhrase
    ) -> Assessment {
        let tolerance = tolerance &+ more
        let verdict = Self.verdict(margin, tolerance: tolerance)
        let phrase: FindingPhrase =
            switch verdict {
            case .pass: .passes
            case .uncertain: .isUncertain
            default: missing
            }
        return Assessment(
            at: place, verdict: verdict, measured: measured, margin: margin,
            tolerance: tolerance, required: required,
            text: [
                Said(
                    phrase,
                    [
                        "noun": .word(noun), "measured": .number(Int(measured)),
                        "spare": .number(Int(margin)), "missing": .number(Int(margin.magnitude)),
                        "tolerance": .number(Int(tolerance)),
                    ])
            ])
    }

    /// An assessment of what the plan doesn't tell.
    func unknown(_ noun: FindingPhrase, required: String, at place: Vector) -> Assessment {
        Assessment(
            at: place, verdict: .unknown, tolerance: tolerance, required: required,
            text: [Said(.isUnknown, ["noun": .word(noun)])])
    }

    /// Sentences, in the language of this judge.
    func said(_ sentences: [Said<FindingPhrase>]) -> String {
        sentences.map { phrases.say($0) }.joined(separator: " ")
    }

    /// What a place means for the chair, as it is told.
    func finding(_ chair: ChairAssessment) -> PersonFinding {
        PersonFinding(
            verdict: chair.verdict, text: phrases.say(chair.text), needed: chair.needed,
            margin: chair.margin)
    }

    /// What fails by the clause, or else for the chair, to be said in any language.
    func line(_ assessment: Assessment, _ item: PlanItem) -> PhraseLine? {
        let sentences: [Said<FindingPhrase>]
        if assessment.verdict == .fail {
            sentences = assessment.text
        } else if let person = assessment.person, person.verdict == .fail {
            sentences = [person.text]
        } else {
            return nil
        }
        return PhraseLine([Said(.at, ["item": phrases.nameValue(item)])] + sentences)
    }

    /// What is required, in a few words.
    func requirement(_ rule: Rule, _ required: String) -> String {
        let noun = phrases.say(rule.measure.noun)
        switch rule.measure {
        case .swing: return "\(noun): \(phrases.say(.outward))"
        case .threshold where rule.atMost == nil: return "\(noun): \(phrases.say(.none))"
        case .sideSpace, .oneSideSpace, .toiletZone, .size, .turningSpace, .floorSpace,
            .centreLine:
            return "\(noun): \(required)"
        default: break
        }
        if let most = rule.atMost {
            return noun + " " + phrases.say(.atMost, ["value": "\(Int(most)) mm"])
        }
        return noun + " " + phrases.say(.atLeast, ["value": required])
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? range.lowerBound : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

extension Measure {
    /// What it is called.
    var noun: FindingPhrase {
        switch self {
        case .doorWidth: .doorWidth
        case .doorHeight: .doorHeight
        case .threshold: .threshold
        case .latchSpace: .latchSpace
        case .pushSpace: .pushSpace
        case .hingeSpace: .hingeSpace
        case .swing: .swing
        case .turningSpace: .turningSpace
        case .floorSpace: .floorSpace
        case .passage: .passage
        case .ceiling: .ceiling
        case .sideSpace: .sideSpace
        case .oneSideSpace: .oneSideSpace
        case .frontSpace: .frontSpace
        case .toiletZone: .toiletZone
        case .centreLine: .centreLine
        case .size: .size
        }
    }
}
