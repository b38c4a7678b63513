import Foundation

/// A ride to a stop to which no line is known. It is judged by the distance as the crow flies,
/// which is never longer than the route, so its alarm is too early rather than too late.
extension Ride {
    /// The nearest that the vehicle came to the stop, and when it was last about that near.
    struct Nearest: Hashable, Sendable, Codable {
        var metres: Double
        var time: Int64
    }

    /// Starts a ride to a place.
    package init(
        to target: String, at place: Position, notice: Int64 = Ride.usualNotice,
        distance: Double = 0
    ) throws(Unusable) {
        try Self.validate(notice)
        self.target = target
        self.notice = notice
        self.distance = distance
        self.place = place
        candidates = []
    }

    /// Handles a fix on the way to a place.
    mutating func approach(_ place: Position, _ fix: RideFix) -> [Signal] {
        let crow = fix.position.metres(to: place)
        if hasPassed(crow, at: fix.time) { return [give(.passed(metres: crow))] }
        recent.note(-crow, at: fix.time)
        let seen = recent.metresPerSecond(at: -crow, fix.time) ?? 0
        let speed = max(Rules.priorSpeed, seen)
        let typical = crow / speed
        let remaining = sharpened(
            Pace.Remaining(typical: typical, cautious: Pace.cautious(typical)), at: fix.time)
        estimate = Estimate(
            time: fix.time, line: 0, call: 0, along: 0, metres: crow,
            typical: remaining.typical)
        let distance = self.distance ?? 0
        let isDue =
            remaining.cautious * 1_000 <= Double(notice) || crow <= distance
            || crow <= Rules.nowDistance
        strayNear = isDue ? strayNear + 1 : 0
        // One position may be wrong: leave time for another.
        let least = strayNear == 1 ? patience(Rules.unsurePatience) : 0
        let byDistance: Double =
            distance > 0 ? Rules.cautiousShare * (crow - distance) / speed : .infinity
        let ready = min(remaining.cautious - Double(notice) / 1_000, byDistance)
        readyDue = fix.time + Int64(max(least, ready) * 1_000)
        nowDue = fix.time + Int64(max(least, nowWait(remaining)) * 1_000)
        wasOnLine = true
        lastShown = fix.time
        return strayNear < 2 ? [] : dueSignals(remaining, crow)
    }

    /// Whether the vehicle was at the place, and rides away from it. Someone who has got off walks.
    private mutating func hasPassed(_ crow: Double, at time: Int64) -> Bool {
        let before = nearest ?? Nearest(metres: crow, time: time)
        if crow <= before.metres + Rules.fixTolerance {
            nearest = Nearest(metres: min(crow, before.metres), time: time)
        }
        let away = crow - before.metres
        let seconds = Double(time - before.time) / 1_000
        let isAway =
            before.metres <= Rules.nowDistance && away >= Rules.crowPassed
            && away >= Rules.ridingSpeed * seconds
        fixesBehind = isAway ? fixesBehind + 1 : 0
        return fixesBehind >= 2
    }
}
