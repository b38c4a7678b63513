import Foundation

/// Admits the fixes that can be true, one at a time and in order.
///
/// A step that is fast but possible is held back until the next fix confirms it, so that no single
/// bad fix raises or clears an alarm.
struct FixGate: Hashable, Sendable, Codable {
    private struct Passed: Hashable, Sendable, Codable {
        var time: Int64
        var position: Position
        /// The speed since the previous fix, in metres per second.
        var speed: Double
    }

    private var last: Passed?
    private var suspect: Passed?

    /// Whether a fix counts. `fastest` is the highest speed, in metres per second, at which the
    /// vehicle can have come from one fix to the next.
    mutating func admits(_ fix: RideFix, fastest: Double) -> Bool {
        guard fix.position.isOnEarth, !fix.isTooCoarse else { return false }
        guard let last else { return pass(fix, speed: 0) }
        guard fix.time > last.time else { return false }
        let speed = Self.speed(from: last, to: fix)
        let limit = max(Rules.unquestionedSpeed, Rules.unquestionedIncrease * last.speed)
        let silence = Double(fix.time - last.time) / 1_000
        if speed <= min(limit, fastest), silence <= Rules.longestSilence {
            return pass(fix, speed: speed)
        }
        // A vehicle can have come here from the fix held back, so that fix was true.
        if let suspect, fix.time > suspect.time,
            fix.time - suspect.time <= Int64(Rules.longestSilence * 1_000)
        {
            let speed = Self.speed(from: suspect, to: fix)
            if speed <= fastest { return pass(fix, speed: speed) }
        }
        suspect = Passed(time: fix.time, position: fix.position, speed: speed)
        return false
    }

    mutating func setBack(by length: Int64) {
        last?.time -= length
        suspect?.time -= length
    }

    private mutating func pass(_ fix: RideFix, speed: Double) -> Bool {
        last = Passed(time: fix.time, position: fix.position, speed: speed)
        suspect = nil
        return true
    }

    private static func speed(from earlier: Passed, to fix: RideFix) -> Double {
        let metres = earlier.position.metres(to: fix.position)
        let tolerance = Rules.fixTolerance + (fix.accuracy ?? 0)
        return max(0, metres - tolerance) / (Double(fix.time - earlier.time) / 1_000)
    }
}
