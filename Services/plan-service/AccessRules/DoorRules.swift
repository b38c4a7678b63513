import FloorPlan
import Messages
import Phrases

/// What rules say of a door by its own measures.
extension Judge {
    /// What is worked out from a leaf may be off by the frame and the hinges, what is worked out
    /// from the hole by the frame as well. Millimetres.
    static let leafUncertainty: UInt32 = 15
    static let holeUncertainty: UInt32 = 30
    /// What a frame takes off the height of a hole, in millimetres.
    static let frame = 40.0

    func doorWidth(_ rule: Rule, _ doorway: Doorway) -> Assessment {
        let passage = doorway.opening.passage
        let isDeep = Double(doorway.wall.thickness) > (rule.deepFrom ?? .infinity)
        let least = isDeep ? rule.deepAtLeast ?? rule.atLeast ?? 0 : rule.atLeast ?? 0
        let more = doorway.opening.widthUncertainty
        var assessment = length(
            .doorWidth, Double(passage.width), atLeast: least, at: doorway.middle, more: more)
        if !passage.isMeasured { assessment.text.append(Said(.guessed)) }
        assessment.person = passing(Double(passage.width), more: more)
        return assessment
    }

    func doorHeight(_ rule: Rule, _ doorway: Doorway) -> Assessment {
        let (opening, least) = (doorway.opening, rule.atLeast ?? 0)
        guard opening.height > 0 else {
            return unknown(.doorHeight, required: "\(Int(least)) mm", at: doorway.middle)
        }
        // The plan has the height of the hole.
        let clear = Double(opening.height) - Self.frame - Double(opening.threshold)
        return length(
            .doorHeight, clear, atLeast: least, at: doorway.middle, more: UInt32(Self.frame))
    }

    func threshold(_ rule: Rule, _ doorway: Doorway) -> Assessment {
        let height = doorway.opening.threshold
        // That there is none is seen, and needs no tape.
        if let most = rule.atMost, height > 0 {
            return length(.threshold, Double(height), atMost: most, at: doorway.middle)
        }
        let measured = Int32(clamping: height)
        return Assessment(
            at: doorway.middle, verdict: height == 0 ? .pass : .unknown, measured: measured,
            margin: height == 0 ? Int32(rule.atMost ?? 0) : nil, tolerance: tolerance,
            required: rule.atMost.map { "≤ \(Int($0)) mm" } ?? phrases.say(.none),
            text: height == 0
                ? [Said(.noThreshold)]
                : [Said(.noNumber, ["measured": .number(Int(measured))])])
    }
}

extension Opening {
    /// By how much its free width may be off besides what the plan may be, in millimetres.
    var widthUncertainty: UInt32 {
        if passage.isMeasured { return 0 }
        return leafWidth == nil ? Judge.holeUncertainty : Judge.leafUncertainty
    }

    /// True for what has a leaf.
    var isDoor: Bool { kind == .door || kind == .slidingDoor }
}
