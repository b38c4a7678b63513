import Foundation

/// How long a line takes, from its timetable or the speed of a typical city bus.
package struct Pace: Hashable, Sendable {
    /// A remaining time in seconds: the typical one, and the minimum it may be.
    struct Remaining: Hashable, Sendable {
        var typical: Double
        var cautious: Double
        /// How long NOW may wait for a position that should come soon; 0 if nothing was learned.
        var patience = 0.0
    }

    /// The line according to its timetable.
    private let scheduled: Course
    /// The same with the times learned from earlier rides; nil if there are none.
    private var taught: Course?
    /// How much of the time between each stop and the next was learned, 0 to 1.
    private var certainties: [Double] = []
    /// How long vehicles are assumed to stand at each stop, in seconds, where that wasn't learned.
    private var assumedDwells: [Double] = []
    private let serviceDay: Int64?
    /// Whether the times come from a timetable rather than from the typical speed.
    let isScheduled: Bool
    /// The highest average speed by the timetable, in metres per second, from a call to a later one
    /// that is at least `Rules.longTimed` seconds away; 0 if none is.
    let fastest: Double

    init(alongs: [Double], timetable: Timetable?) {
        let known = Self.knownCalls(of: timetable, alongs)
        isScheduled = !known.isEmpty
        scheduled = Course(
            knots: Self.knots(alongs: alongs, timetable: timetable, known: known))
        serviceDay = timetable?.serviceDay
        fastest = isScheduled ? Self.fastest(of: scheduled.knots) : 0
    }

    private static func fastest(of knots: [Course.Knot]) -> Double {
        var (fastest, end) = (0.0, 0)
        for start in knots {
            while end < knots.count, knots[end].arrival - start.departure < Rules.longTimed {
                end += 1
            }
            guard end < knots.count else { break }
            let seconds = knots[end].arrival - start.departure
            fastest = max(fastest, (knots[end].along - start.along) / seconds)
        }
        return fastest
    }

    /// The line's expected pace.
    private var course: Course { taught ?? scheduled }

    /// Whether anything was learned about it.
    package var isTaught: Bool { taught != nil }

    /// About how much memory it takes, in bytes.
    package var size: Int { 100 * scheduled.knots.count }

    /// The minimum time of a ride with this typical duration, in seconds.
    static func cautious(_ typical: Double) -> Double {
        guard typical > 0 else { return 0 }
        return max(0, Rules.cautiousShare * typical - Rules.cautiousSpread * typical.squareRoot())
    }

    /// How long NOW may wait for a position that should come soon, with this typical duration.
    static func patience(_ typical: Double) -> Double {
        Rules.patientShare * typical - Rules.patientSpread * typical.squareRoot()
            - Rules.patientLead
    }

    /// The typical duration that has this cautious one: the inverse of `cautious`.
    static func typical(cautious: Double) -> Double {
        let (share, spread) = (Rules.cautiousShare, Rules.cautiousSpread)
        let root = (spread + (spread * spread + 4 * share * cautious).squareRoot()) / (2 * share)
        return root * root
    }

    /// The typical time in seconds from one place to a later one, including the waits at the stops
    /// between.
    package func seconds(from start: Double, to end: Double) -> Double {
        course.seconds(from: start, to: end)
    }

    /// Where a vehicle that reaches `end` in `seconds` typically is.
    func along(seconds: Double, before end: Double) -> Double {
        course.along(seconds: seconds, before: end)
    }

    /// The remaining metres at which the notice (milliseconds) is due: the distance that the
    /// timetable covers in the typical time whose cautious time is the notice.
    package func noticeDistance(to call: Int, notice: Int64) -> Double {
        guard scheduled.knots.indices.contains(call) else { return 0 }
        let end = scheduled.knots[call].along
        let seconds = Self.typical(cautious: Double(notice) / 1_000)
        return end - along(seconds: seconds, before: end)
    }

    /// The scheduled arrival at a call, in milliseconds since 1970.
    func scheduledArrival(at call: Int) -> Int64? {
        guard scheduled.knots.indices.contains(call) else { return nil }
        return serviceDay.map { $0 + Int64(scheduled.knots[call].arrival * 1_000) }
    }

    /// Whether a vehicle that stands at a place waits there for its departure time.
    func waits(at along: Double, at time: Int64) -> Bool {
        let knots = scheduled.knots
        let waiting = knots.filter {
            abs($0.along - along) < Rules.atStop
                && ($0.isTimepoint || $0 == knots.first
                    || $0.departure - $0.arrival >= Rules.layover)
        }
        guard let serviceDay else { return !waiting.isEmpty }
        let clock = Double(time - serviceDay) / 1_000
        return waiting.contains { clock < $0.departure + Rules.lateDeparture }
    }

    /// The remaining time from a place to a call. With the times of the ridden trip, a vehicle is
    /// not expected to leave a layover on the way before its departure time. `isStanding` says that
    /// the vehicle stands, so that every timepoint where it stands counts as a layover.
    /// `recentSpeed`, in metres per second, is used only without a timetable.
    func remaining(
        from along: Double, to call: Int, at time: Int64, isStanding: Bool, recentSpeed: Double?
    ) -> Remaining {
        let knots = scheduled.knots
        guard knots.indices.contains(call) else { return Remaining(typical: 0, cautious: 0) }
        let end = knots[call].along
        var remaining = running(from: along, to: end)
        if !isScheduled, let recentSpeed, recentSpeed > Rules.priorSpeed {
            let seconds = max(0, end - along) / recentSpeed
            remaining.typical = min(remaining.typical, seconds)
            remaining.cautious = min(remaining.cautious, Self.cautious(seconds))
        }
        guard let serviceDay else { return remaining }
        let clock = Double(time - serviceDay) / 1_000
        guard abs(clock - scheduled.departure(from: along)) < Rules.believedDelay else {
            return remaining
        }
        for knot in knots[..<call] where knot.along > along - Rules.atStop {
            let isHere =
                isStanding && abs(knot.along - along) < Rules.atStop
                && (knot.isTimepoint || knot == knots[0])
            guard isHere || knot.departure - knot.arrival >= Rules.layover else { continue }
            let wait = knot.departure - clock
            let onward = running(from: knot.along, to: end)
            remaining.typical = max(remaining.typical, wait + onward.typical)
            remaining.cautious = max(
                remaining.cautious, wait - Rules.earlyDeparture + onward.cautious)
            remaining.patience = max(
                remaining.patience, wait - Rules.earlyDeparture + onward.patience)
        }
        return remaining
    }

    /// The time of a stretch without waits for departure times. What was learned makes it more
    /// certain, but never longer than the timetable, taken literally: so an alarm is never too late
    /// for a vehicle on time, and NOW waits for no position beyond the scheduled arrival.
    private func running(from along: Double, to end: Double) -> Remaining {
        let usual = scheduled.seconds(from: along, to: end)
        let plain = Remaining(typical: usual, cautious: Self.cautious(usual))
        guard let taught else { return plain }
        let typical = taught.seconds(from: along, to: end)
        let certainty = self.certainty(from: along, to: end)
        let certain =
            Rules.taughtShare * typical - Rules.taughtSpread * typical.squareRoot()
        let cautious = certainty * certain + (1 - certainty) * Self.cautious(typical)
        let driving = max(0, typical - stood(before: along))
        return Remaining(
            typical: driving, cautious: max(0, min(cautious, usual - Rules.nowBlind)),
            patience: min(usual, Self.patience(driving)))
    }

    /// The part of a stretch's learned time for which a vehicle stood at the stop before this
    /// place, so that less time is left than the distance suggests.
    private func stood(before along: Double) -> Double {
        let knots = scheduled.knots
        guard let next = knots.firstIndex(where: { $0.along > along }), next > 0 else { return 0 }
        let metres = knots[next].along - knots[next - 1].along
        return assumedDwells[next - 1] * (knots[next].along - along) / metres
    }

    /// How much of a stretch was learned, 0 to 1.
    private func certainty(from along: Double, to end: Double) -> Double {
        let knots = scheduled.knots
        var (sum, metres) = (0.0, 0.0)
        for (index, certainty) in certainties.enumerated() {
            let part = min(end, knots[index + 1].along) - max(along, knots[index].along)
            guard part > 0 else { continue }
            (sum, metres) = (sum + part * certainty, metres + part)
        }
        return metres > 0 ? sum / metres : 0
    }

    /// The same with what was learned from earlier rides, from each call to the next.
    func taught(_ lessons: [Lesson?]) -> Pace {
        guard lessons.count == scheduled.knots.count - 1, lessons.contains(where: { $0 != nil })
        else { return self }
        var pace = self
        var knots = [scheduled.knots[0]]
        (pace.certainties, pace.assumedDwells) = ([], [])
        for (index, lesson) in lessons.enumerated() {
            let (from, to) = (scheduled.knots[index], scheduled.knots[index + 1])
            let usual = to.arrival - from.arrival
            let rides = lesson?.rides ?? 0
            let certainty = rides / (rides + Rules.doubtedLessons)
            let taught = min(max(lesson?.seconds ?? 0, 0.3 * usual), 3 * usual)
            let least = min(usual, (to.along - from.along) / Rules.fastestSchedule)
            let seconds = max(least, certainty * taught + (1 - certainty) * usual)
            let wait = from.departure - from.arrival
            let dwell = max(wait, lesson?.dwell ?? 0)
            let isUnknown = lesson != nil && lesson?.dwell == nil
            pace.assumedDwells.append(
                isUnknown ? max(0, min(Rules.usualDwell, seconds / 2) - wait) : 0)
            knots[index].departure = knots[index].arrival + min(dwell, seconds / 2)
            knots.append(
                Course.Knot(
                    along: to.along, arrival: knots[index].arrival + seconds,
                    departure: knots[index].arrival + seconds, isTimepoint: to.isTimepoint))
            pace.certainties.append(certainty)
        }
        let last = scheduled.knots.count - 1
        knots[last].departure += scheduled.knots[last].departure - scheduled.knots[last].arrival
        pace.taught = Course(knots: knots)
        return pace
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
    ) -> [Course.Knot] {
        guard let calls = timetable?.calls, !known.isEmpty else {
            return alongs.map { along in
                let time = along / Rules.priorSpeed
                return Course.Knot(along: along, arrival: time, departure: time, isTimepoint: false)
            }
        }
        var knots: [Course.Knot] = []
        var left = 0.0
        for (index, along) in alongs.enumerated() {
            let stated = time(at: index, alongs: alongs, calls: calls, known: known)
            var arrival = stated
            if let before = knots.last {
                let metres = along - before.along
                arrival = max(arrival, before.departure + metres / Rules.fastestTrain)
                // Times are in whole minutes, so short ones say little, but none is a minute off.
                if stated - left < Rules.shortestTimed {
                    let usual = before.departure + metres / Rules.fastestSchedule
                    arrival = max(arrival, min(usual, stated + 60))
                }
            }
            let departure = (calls[index].departure ?? calls[index].arrival).map(Double.init)
            left = departure ?? stated
            knots.append(
                Course.Knot(
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
