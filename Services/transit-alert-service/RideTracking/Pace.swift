import Foundation

/// How long a line takes, from its timetable or the speed of a typical city bus.
package struct Pace: Hashable, Sendable {
    /// A call of the line: metres along it, and seconds of the service day.
    private struct Knot: Hashable, Sendable {
        var along: Double
        var arrival: Double
        var departure: Double
        var isTimepoint: Bool
    }

    /// A remaining time in seconds: the typical one, and the minimum it may be.
    struct Remaining: Hashable, Sendable {
        var typical: Double
        var cautious: Double
    }

    private let knots: [Knot]
    private let serviceDay: Int64?
    /// Whether the times come from a timetable rather than from the typical speed.
    let isScheduled: Bool

    init(alongs: [Double], timetable: Timetable?) {
        let known = Self.knownCalls(of: timetable, alongs)
        isScheduled = !known.isEmpty
        knots = Self.knots(alongs: alongs, timetable: timetable, known: known)
        serviceDay = timetable?.serviceDay
    }

    /// The minimum time of a ride with this typical duration, in seconds.
    static func cautious(_ typical: Double) -> Double {
        guard typical > 0 else { return 0 }
        return max(0, Rules.cautiousShare * typical - Rules.cautiousSpread * typical.squareRoot())
    }

    /// The typical duration with this cautious one: the inverse of `cautious`.
    static func typical(cautious: Double) -> Double {
        let (share, spread) = (Rules.cautiousShare, Rules.cautiousSpread)
        let root = (spread + (spread * spread + 4 * share * cautious).squareRoot()) / (2 * share)
        return root * root
    }

    /// The typical time in seconds from one place to a later one, including the waits at the stops
    /// between.
    package func seconds(from start: Double, to end: Double) -> Double {
        guard end > start else { return 0 }
        return max(0, arrival(at: end) - departure(from: start))
    }

    /// Where a vehicle that reaches `end` in `seconds` typically is.
    func along(seconds: Double, before end: Double) -> Double {
        let time = arrival(at: end) - seconds
        guard let first = knots.first, time > first.departure else {
            let missing = (knots.first?.departure ?? 0) - time
            return (knots.first?.along ?? 0) - missing * Rules.priorSpeed
        }
        for (earlier, later) in zip(knots, knots.dropFirst()) where time <= later.departure {
            guard time < later.arrival else { return min(end, later.along) }
            let share = (time - earlier.departure) / (later.arrival - earlier.departure)
            return min(end, earlier.along + share * (later.along - earlier.along))
        }
        return end
    }

    /// The remaining metres at which the notice (milliseconds) is due: the distance that the
    /// timetable covers in the typical time whose cautious time is the notice.
    package func noticeDistance(to call: Int, notice: Int64) -> Double {
        guard knots.indices.contains(call) else { return 0 }
        let end = knots[call].along
        let seconds = Self.typical(cautious: Double(notice) / 1_000)
        return end - along(seconds: seconds, before: end)
    }

    /// The scheduled arrival at a call, in milliseconds since 1970.
    func scheduledArrival(at call: Int) -> Int64? {
        guard knots.indices.contains(call) else { return nil }
        return serviceDay.map { $0 + Int64(knots[call].arrival * 1_000) }
    }

    /// The remaining time from a place to a call. With the times of the ridden trip, a vehicle is
    /// not expected to leave a layover on the way before its departure time. `isStanding` says that
    /// the vehicle stands, so that every timepoint where it stands counts as a layover.
    /// `recentSpeed`, in metres per second, is used only without a timetable.
    func remaining(
        from along: Double, to call: Int, at time: Int64, isStanding: Bool, recentSpeed: Double?
    ) -> Remaining {
        guard knots.indices.contains(call) else { return Remaining(typical: 0, cautious: 0) }
        let end = knots[call].along
        var running = seconds(from: along, to: end)
        if !isScheduled, let recentSpeed, recentSpeed > Rules.priorSpeed {
            running = max(0, end - along) / recentSpeed
        }
        var remaining = Remaining(typical: running, cautious: Self.cautious(running))
        guard let serviceDay else { return remaining }
        let clock = Double(time - serviceDay) / 1_000
        guard abs(clock - departure(from: along)) < Rules.believedDelay else { return remaining }
        for knot in knots[..<call] where knot.along > along - Rules.atStop {
            let isHere =
                isStanding && abs(knot.along - along) < Rules.atStop
                && (knot.isTimepoint || knot == knots[0])
            guard isHere || knot.departure - knot.arrival >= Rules.layover else { continue }
            let wait = knot.departure - clock
            let onward = arrival(at: end) - knot.departure
            remaining.typical = max(remaining.typical, wait + onward)
            remaining.cautious = max(
                remaining.cautious, wait - Rules.earlyDeparture + Self.cautious(onward))
        }
        return remaining
    }

    /// The time at which the timetable reaches a place, in seconds of the service day.
    private func arrival(at along: Double) -> Double {
        guard let first = knots.first, let last = knots.last else { return 0 }
        guard along > first.along else {
            return first.arrival - (first.along - along) / Rules.priorSpeed
        }
        guard along <= last.along else {
            return last.departure + (along - last.along) / Rules.priorSpeed
        }
        let after = firstKnot { $0.along >= along }
        return between(knots[after - 1], knots[after], along)
    }

    /// The same for leaving it: after the wait, if the place is a stop.
    private func departure(from along: Double) -> Double {
        guard let first = knots.first, let last = knots.last else { return 0 }
        guard along >= first.along else {
            return first.departure - (first.along - along) / Rules.priorSpeed
        }
        guard along < last.along else {
            return last.departure + (along - last.along) / Rules.priorSpeed
        }
        let after = firstKnot { $0.along > along }
        return between(knots[after - 1], knots[after], along)
    }

    private func between(_ earlier: Knot, _ later: Knot, _ along: Double) -> Double {
        guard later.along > earlier.along else { return later.arrival }
        let share = (along - earlier.along) / (later.along - earlier.along)
        return earlier.departure + share * (later.arrival - earlier.departure)
    }

    private func firstKnot(where isReached: (Knot) -> Bool) -> Int {
        var low = 0
        var high = knots.count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if isReached(knots[middle]) { high = middle } else { low = middle }
        }
        return high
    }

    /// The calls with a time; none when they do not span a distance, so that no pace can be
    /// derived.
    private static func knownCalls(of timetable: Timetable?, _ alongs: [Double]) -> [Int] {
        let calls = timetable?.calls ?? []
        let known = calls.indices.filter { calls[$0].arrival != nil || calls[$0].departure != nil }
        guard let first = known.first, let last = known.last,
            alongs[last] > alongs[first]
        else { return [] }
        return known
    }

    private static func knots(
        alongs: [Double], timetable: Timetable?, known: [Int]
    ) -> [Knot] {
        guard let calls = timetable?.calls, !known.isEmpty else {
            return alongs.map { along in
                let time = along / Rules.priorSpeed
                return Knot(along: along, arrival: time, departure: time, isTimepoint: false)
            }
        }
        var knots: [Knot] = []
        for (index, along) in alongs.enumerated() {
            var arrival = time(at: index, alongs: alongs, calls: calls, known: known)
            if let before = knots.last {
                let least = (along - before.along) / Rules.fastestSchedule
                arrival = max(arrival, before.departure + least)
            }
            let departure = (calls[index].departure ?? calls[index].arrival).map(Double.init)
            knots.append(
                Knot(
                    along: along, arrival: arrival, departure: max(arrival, departure ?? arrival),
                    isTimepoint: calls[index].isTimepoint))
        }
        return knots
    }

    /// The arrival at a call, interpolated by distance where the timetable has none.
    private static func time(
        at index: Int, alongs: [Double], calls: [Timetable.Call], known: [Int]
    ) -> Double {
        if let time = calls[index].arrival ?? calls[index].departure { return Double(time) }
        let before = known.last { $0 < index }
        let after = known.first { $0 > index }
        let left = before.flatMap { calls[$0].departure ?? calls[$0].arrival }.map(Double.init)
        let right = after.flatMap { calls[$0].arrival ?? calls[$0].departure }.map(Double.init)
        switch (before, left, after, right) {
        case (let before?, let left?, let after?, let right?) where alongs[after] > alongs[before]:
            let share = (alongs[index] - alongs[before]) / (alongs[after] - alongs[before])
            return left + share * (right - left)
        case (let before?, let left?, _, _):
            return left + (alongs[index] - alongs[before]) / Rules.priorSpeed
        case (_, _, let after?, let right?):
            return right - (alongs[after] - alongs[index]) / Rules.priorSpeed
        default:
            return alongs[index] / Rules.priorSpeed
        }
    }
}
