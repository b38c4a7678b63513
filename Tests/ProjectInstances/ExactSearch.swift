/// Searches all schedules that may be shorter than a known one, and so proves whether any is.
///
/// It moves forward in time and, at each moment, tries every choice of which eligible activities
/// begin (E. Demeulemeester and W. Herroelen, "A branch-and-bound procedure for the multiple
/// resource-constrained project scheduling problem", 1992). It skips only branches that can't lead
/// to a shorter schedule: those whose remaining work is too long for the time left, those in which
/// an activity could have begun sooner, and those whose activities had all begun in an earlier
/// branch and ended no later there (the cutset rule of the paper).
final class ExactSearch {
    /// The maximum number of activities: the bits of a word mark those that have begun.
    static let mostActivities = 64
    /// The maximum number of states that are remembered.
    private static let mostStates = 1_000_000

    /// The result of the search.
    struct Result {
        /// A schedule shorter than the known one, in the order of the flat network.
        var starts: [Int32]?
        /// Whether no schedule is shorter than the best known now.
        var isProved: Bool
    }

    private let flat: FlatNetwork
    private let resources: Int
    private let demands: [Int32]
    private let predecessors: [UInt64]
    private let all: UInt64
    /// The activities by the length of what must follow them, longest first.
    private let byTail: [Int]
    private let capacities: [Int32]

    private var limit: Int32 = 0
    private var steps = 0
    private var isCut = false
    private var finish: [Int32]
    private var earliest: [Int32]
    private var best: [Int32]?
    private var states: [UInt64: Int32] = [:]
    private var stateTimes: [Int32] = []
    private var nextStates: [Int32] = []
    private var firstEnds: [Int32] = [0]
    private var ends: [(activity: Int32, end: Int32)] = []

    /// Returns nil if the network has too many activities.
    init?(_ network: ActivityNetwork, _ flat: FlatNetwork) {
        guard flat.count <= Self.mostActivities, flat.count > 0 else { return nil }
        self.flat = flat
        resources = network.capacities.count
        capacities = network.capacities.map(Int32.init)
        demands = (0..<flat.count).flatMap { activity in
            network.capacities.indices.map { Int32(flat.demand(activity, $0)) }
        }
        predecessors = (0..<flat.count).map { activity in
            let places = Int(flat.firstBefore[activity])..<Int(flat.firstBefore[activity + 1])
            return places.reduce(0) { $0 | 1 << UInt64(flat.before[$1]) }
        }
        all = flat.count == 64 ? .max : (1 << UInt64(flat.count)) - 1
        byTail = (0..<flat.count).sorted { flat.tails[$0] > flat.tails[$1] }
        finish = Array(repeating: 0, count: flat.count)
        earliest = finish
    }

    /// Searches for a schedule shorter than a known one.
    ///
    /// - Parameters:
    ///   - known: the length of the known schedule.
    ///   - steps: the number of moments to visit before giving up.
    func run(below known: Int, steps: Int) -> Result {
        limit = Int32(known)
        self.steps = steps
        isCut = false
        best = nil
        states.removeAll(keepingCapacity: true)
        stateTimes.removeAll(keepingCapacity: true)
        nextStates.removeAll(keepingCapacity: true)
        firstEnds = [0]
        ends.removeAll(keepingCapacity: true)
        visit(Moment(time: 0, begun: 0, running: 0, left: capacities, before: nil), isNew: false)
        return Result(starts: best, isProved: !isCut)
    }

    /// A moment at which an activity has ended and another may begin.
    private struct Moment {
        var time: Int32
        var begun: UInt64
        var running: UInt64
        /// The free amount of each resource.
        var left: [Int32]
        /// The amounts that were free just before this moment; nil at the beginning.
        var before: [Int32]?
    }

    private func visit(_ arrived: Moment, isNew: Bool) {
        guard steps > 0 else {
            isCut = true
            return
        }
        steps -= 1
        var moment = arrived
        beginMilestones(&moment)
        if moment.begun == all {
            let end = finish.max() ?? 0
            if end < limit {
                limit = end
                best = (0..<flat.count).map { finish[$0] - flat.durations[$0] }
            }
            return
        }
        if isTooLong(moment) || isNew && isDominated(moment) { return }
        let done = moment.begun & ~moment.running
        var ready: [Int] = []
        for activity in 0..<flat.count where moment.begun & 1 << UInt64(activity) == 0 {
            if predecessors[activity] & ~done == 0 { ready.append(activity) }
        }
        ready.sort { rest($0) != rest($1) ? rest($0) > rest($1) : $0 < $1 }
        choose(ready, 0, moment, began: 0, putOff: 0)
    }

    /// Returns the time from the beginning of an activity to the end of the project.
    private func rest(_ activity: Int) -> Int32 { flat.tails[activity] + flat.durations[activity] }

    private func beginMilestones(_ moment: inout Moment) {
        var hasBegun = true
        while hasBegun {
            hasBegun = false
            for activity in 0..<flat.count
            where flat.durations[activity] == 0 && moment.begun & 1 << UInt64(activity) == 0
                && predecessors[activity] & ~(moment.begun & ~moment.running) == 0
            {
                moment.begun |= 1 << UInt64(activity)
                finish[activity] = moment.time
                hasBegun = true
            }
        }
    }

    /// Tries both choices for each activity, starting at a place: it begins now, or later.
    private func choose(
        _ ready: [Int], _ place: Int, _ moment: Moment, began: UInt64, putOff: UInt64
    ) {
        guard place < ready.count else {
            leave(ready, moment, began: began, putOff: putOff)
            return
        }
        let activity = ready[place]
        if fits(activity, moment.left), !couldBeginSooner(activity, moment) {
            var next = moment
            next.begun |= 1 << UInt64(activity)
            next.running |= 1 << UInt64(activity)
            for resource in 0..<resources {
                next.left[resource] -= demands[activity * resources + resource]
            }
            finish[activity] = moment.time + flat.durations[activity]
            choose(
                ready, place + 1, next, began: began | 1 << UInt64(activity), putOff: putOff)
        }
        // An activity that is put off must still be able to begin later.
        if moment.time + 1 + rest(activity) < limit {
            choose(
                ready, place + 1, moment, began: began, putOff: putOff | 1 << UInt64(activity))
        }
    }

    private func fits(_ activity: Int, _ left: [Int32]) -> Bool {
        for resource in 0..<resources
        where demands[activity * resources + resource] > left[resource] { return false }
        return true
    }

    private func couldBeginSooner(_ activity: Int, _ moment: Moment) -> Bool {
        guard let before = moment.before else { return false }
        for other in 0..<flat.count
        where predecessors[activity] & 1 << UInt64(other) != 0 && finish[other] >= moment.time {
            return false
        }
        return fits(activity, before)
    }

    /// Advances to the next moment at which an activity ends.
    private func leave(_ ready: [Int], _ moment: Moment, began: UInt64, putOff: UInt64) {
        guard moment.running != 0 else { return }
        var time = Int32.max
        for activity in 0..<flat.count where moment.running & 1 << UInt64(activity) != 0 {
            time = min(time, finish[activity])
        }
        // An activity that would have ended by then was put off for nothing.
        for activity in ready where putOff & 1 << UInt64(activity) != 0 {
            let end = moment.time + flat.durations[activity]
            if end <= time, fits(activity, moment.left) { return }
        }
        var next = moment
        next.time = time
        next.before = moment.left
        for activity in 0..<flat.count
        where moment.running & 1 << UInt64(activity) != 0 && finish[activity] == time {
            next.running &= ~(1 << UInt64(activity))
            for resource in 0..<resources {
                next.left[resource] += demands[activity * resources + resource]
            }
        }
        let saved = finish
        visit(next, isNew: began != 0)
        finish = saved
    }

    /// Returns whether the longest path, or the work for a resource, takes more time than is left.
    private func isTooLong(_ moment: Moment) -> Bool {
        for activity in 0..<flat.count where moment.begun & 1 << UInt64(activity) == 0 {
            var start = moment.time
            for place in flat.firstBefore[activity]..<flat.firstBefore[activity + 1] {
                let other = Int(flat.before[Int(place)])
                let isBegun = moment.begun & 1 << UInt64(other) != 0
                start = max(
                    start, isBegun ? finish[other] : earliest[other] + flat.durations[other])
            }
            earliest[activity] = start
            if start + rest(activity) >= limit { return true }
        }
        for activity in 0..<flat.count where moment.running & 1 << UInt64(activity) != 0 {
            if finish[activity] + flat.tails[activity] >= limit { return true }
        }
        for resource in 0..<resources where capacities[resource] > 0 {
            var work = 0
            for activity in byTail {
                let bit: UInt64 = 1 << UInt64(activity)
                let demand = Int(demands[activity * resources + resource])
                if demand == 0 { continue }
                if moment.running & bit != 0 {
                    work += demand * Int(finish[activity] - moment.time)
                } else if moment.begun & bit == 0 {
                    work += demand * Int(flat.durations[activity])
                } else {
                    continue
                }
                let room = Int(limit - 1 - flat.tails[activity] - moment.time)
                if work > Int(capacities[resource]) * room { return true }
            }
        }
        return false
    }

    /// Returns whether the same activities had begun at a moment no later than this one and all
    /// ended no later. If not, the moment is remembered.
    private func isDominated(_ moment: Moment) -> Bool {
        let first = states[moment.begun]
        var state = first ?? -1
        while state >= 0 {
            let index = Int(state)
            if stateTimes[index] <= moment.time {
                let places = Int(firstEnds[index])..<Int(firstEnds[index + 1])
                if places.allSatisfy({
                    ends[$0].end <= max(moment.time, finish[Int(ends[$0].activity)])
                }) {
                    return true
                }
            }
            state = nextStates[index]
        }
        guard stateTimes.count < Self.mostStates else { return false }
        states[moment.begun] = Int32(stateTimes.count)
        stateTimes.append(moment.time)
        nextStates.append(first ?? -1)
        for activity in 0..<flat.count where moment.running & 1 << UInt64(activity) != 0 {
            ends.append((Int32(activity), finish[activity]))
        }
        firstEnds.append(Int32(ends.count))
        return false
    }
}
