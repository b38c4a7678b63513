import FloorPlan
import Messages
import Phrases

/// The result of one rule at one place.
struct Assessment: Hashable, Sendable {
    var at: Vector
    var verdict: Verdict
    /// The measured value, and the margin, in millimetres.
    var measured: Int32?
    var margin: Int32?
    var tolerance: UInt32
    /// True if the value follows from another measure, or from a usual value.
    var isEstimated = false
    /// The required value, as cited.
    var required: String
    /// The result in sentences.
    var text: [Said<FindingPhrase>]
    var person: ChairAssessment?
}

/// What a place means for the chair of the person.
struct ChairAssessment: Hashable, Sendable {
    var verdict: Verdict
    var text: Said<FindingPhrase>
    /// What the chair needs, and the margin, in millimetres.
    var needed: Int32?
    var margin: Int32?
    /// False if it is the same for a chair of any size.
    var goesBySize = true
}

/// What all rules need: the tolerance of the plan, the person's chair, and the language.
struct Judge: Sendable {
    let tolerance: UInt32
    let chair: PersonChair?
    let phrases: Words<FindingPhrase>

    /// Rounds a measure, which is computed to a hundredth of a millimetre, down to whole ones.
    static func whole(_ value: Double) -> Int32 {
        Int32(clamping: Int64((value + 0.01).rounded(.down).clamped(to: -1e9...1e9)))
    }

    /// The verdict for a margin with a tolerance. Exactly the required value passes.
    static func verdict(_ margin: Int32, tolerance: UInt32) -> Verdict {
        guard margin.magnitude >= tolerance else { return .uncertain }
        return margin >= 0 ? .pass : .fail
    }

    /// Assesses a length that must be at least this.
    func length(
        _ noun: FindingPhrase, _ measured: Double, atLeast least: Double, at place: Vector,
        more: UInt32 = 0
    ) -> Assessment {
        let (found, limit) = (Self.whole(measured), Int32(least))
        return assessment(
            noun, found, margin: found - limit, at: place, more: more,
            required: "\(limit) mm", missing: .fails)
    }

    /// Assesses a length that must be at most this. What is measured is rounded up, so that nothing
    /// passes that is too large.
    func length(
        _ noun: FindingPhrase, _ measured: Double, atMost most: Double, at place: Vector
    ) -> Assessment {
        let (found, limit) = (-Self.whole(-measured), Int32(most))
        return assessment(
            noun, found, margin: limit - found, at: place, more: 0,
            required: "≤ \(limit) mm", missing: .exceeds)
    }

    /// An assessment of a length.
    /// - Parameter more: its uncertainty in addition to the plan's tolerance, in millimetres.
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
            tolerance: tolerance, isEstimated: more > 0, required: required,
            text: [
                Said(
                    phrase,
                    [
                        "noun": .word(noun),
                        "measured": more > 0 ? .text("~\(measured)") : .number(Int(measured)),
                        "spare": .number(Int(margin)), "missing": .number(Int(margin.magnitude)),
                        "tolerance": .number(Int(tolerance)),
                    ])
            ])
    }

    /// An assessment of a value that the plan doesn't have.
    func unknown(_ noun: FindingPhrase, required: String, at place: Vector) -> Assessment {
        Assessment(
            at: place, verdict: .unknown, tolerance: tolerance, required: required,
            text: [Said(.isUnknown, ["noun": .word(noun)])])
    }

    /// Sentences, in the language of this judge.
    func said(_ sentences: [Said<FindingPhrase>]) -> String {
        sentences.map { phrases.say($0) }.joined(separator: " ")
    }

    /// What a place means for the chair, as a message.
    func finding(_ found: ChairAssessment) -> PersonFinding {
        var finding = PersonFinding(
            verdict: found.verdict, text: phrases.say(found.text), needed: found.needed,
            margin: found.margin)
        guard found.verdict == .pass, found.goesBySize, let chair, chair.isEstimated else {
            return finding
        }
        finding.verdict = .uncertain
        finding.text = phrases.say(
            .chairGuessed,
            [
                "width": String(Int(chair.body.width)),
                "length": String(Int(chair.body.length)),
            ])
        return finding
    }

    /// The failure by the clause, or else for the chair, for texts in any language.
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

    /// The requirement in a few words.
    func requirement(_ rule: Rule, _ required: String) -> String {
        let noun = phrases.say(rule.measure.noun)
        switch rule.measure {
        case .swing: return "\(noun): \(phrases.say(.outward))"
        case .threshold where rule.atMost == nil: return "\(noun): \(phrases.say(.none))"
        case .sideSpace, .oneSideSpace, .toiletZone, .size, .turningSpace, .floorSpace,
            .centreLine, .aidTurning:
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
    /// The name of the measure.
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
        case .aidTurning: .turningSpace
        case .railReach: .railReach
        }
    }
}
