/// When a line is at each place: the times of its calls, and between them in proportion to the
/// distance.
struct Course: Hashable, Sendable {
    /// A call of the line: metres along it, and seconds of the service day.
    struct Knot: Hashable, Sendable {
        var along: Double
        var arrival: Double
        var departure: Double
        var isTimepoint: Bool
    }

    let knots: [Knot]

    /// The time in seconds from one place to a later one, with the waits at the stops between.
    func seconds(from start: Double, to end: Double) -> Double {
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

    /// The time at which the timetable reaches a place, in seconds of the service day.
    func arrival(at along: Double) -> Double {
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
    func departure(from along: Double) -> Double {
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
}
