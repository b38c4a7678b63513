import Calendars

/// Why there is no time for a meeting, and what would make one possible.
package struct Impasse: Hashable, Sendable {
    /// A required person, and the number of beginnings at which they can't come.
    package struct Blocker: Hashable, Sendable {
        package let id: String
        /// The number of beginnings at which they don't work throughout the meeting.
        package let outsideWork: Int
        /// The number of beginnings at which they work, but are busy during the meeting.
        package let busy: Int
        /// The number of beginnings at which they are busy only in the buffer around it.
        package let buffer: Int
        /// The number of beginnings at which everyone else who is required is available.
        package let alone: Int
    }

    /// A relaxation that would make a time possible, from the smallest request to the largest.
    package enum Relaxation: Hashable, Sendable {
        /// Tentatively taken times may be used.
        case tentative
        /// No buffer is kept around the meeting.
        case noBuffer
        /// The meeting takes this many seconds, the longest for which there is time.
        case shorter(Int64)
        /// All work this many seconds longer at both ends, the minimum that makes a time possible.
        case overtime(Int64)
        /// These people, as few as possible, are not required.
        case without([String])
    }

    /// A relaxation, and the earliest time that it makes possible.
    package struct Way: Hashable, Sendable {
        package let relaxation: Relaxation
        package let span: TimeSpan
    }

    /// Lengths are reduced in steps of five minutes; work is extended in steps of a quarter of an
    /// hour, by at most four hours.
    static let shortening: Int64 = 300
    static let overtimeStep: Int64 = 900
    static let mostOvertime: Int64 = 4 * 3_600

    /// The number of beginnings that were considered.
    package let beginnings: Int
    /// The blockers: those who most often block alone come first, then those who most often block.
    package let blockers: [Blocker]
    package let ways: [Way]

    init(_ request: MeetingRequest, _ people: [Attendee]) {
        let required = people.filter(\.isRequired)
        let rules = Beginnings(request)
        let window = TimeSpan(request.window.start, request.window.end - request.length + 1)
        let grid = Grid(request).all(in: [window])
        beginnings = grid.count
        let found = Self.blockers(grid, required, rules)
        blockers = found.blockers
        var ways: [Way] = []
        func first(_ change: (inout Beginnings) -> Void) -> TimeSpan? {
            Self.first(request, required, rules.with(change))
        }
        func tryOut(_ relaxation: Relaxation, _ change: (inout Beginnings) -> Void) {
            guard let span = first(change) else { return }
            ways.append(Way(relaxation: relaxation, span: span))
        }
        if !request.usesTentative { tryOut(.tentative) { $0.usesTentative = true } }
        if request.before + request.after > 0 {
            tryOut(.noBuffer) { ($0.before, $0.after) = (0, 0) }
        }
        // The shorter the meeting, the more times there are, so a binary search finds the longest.
        let longest = Self.most(below: (request.length - 1) / Self.shortening) { count in
            first { $0.length = count * Self.shortening } != nil
        }
        if let longest {
            let length = longest * Self.shortening
            tryOut(.shorter(length)) { $0.length = length }
        }
        let most = Self.mostOvertime / Self.overtimeStep
        let least = Self.most(below: most) { count in
            first { $0.overtime = (most + 1 - count) * Self.overtimeStep } != nil
        }
        if let least {
            let overtime = (most + 1 - least) * Self.overtimeStep
            tryOut(.overtime(overtime)) { $0.overtime = overtime }
        }
        if let fewest = found.fewest {
            ways.append(
                Way(
                    relaxation: .without(fewest.people),
                    span: TimeSpan(fewest.beginning, fewest.beginning + request.length)))
        }
        self.ways = ways
    }

    /// The earliest time for the required people.
    private static func first(
        _ request: MeetingRequest, _ required: [Attendee], _ rules: Beginnings
    ) -> TimeSpan? {
        var common = [TimeSpan(rules.window.start, rules.window.end - rules.length + 1)]
        for person in required {
            common = TimeSpan.intersection(common, rules.suiting(person))
            if common.isEmpty { return nil }
        }
        return Grid(request).first(in: common).map { TimeSpan($0, $0 + rules.length) }
    }

    /// The largest number up to a limit that holds, when all below it hold; nil when none does.
    private static func most(below limit: Int64, _ holds: (Int64) -> Bool) -> Int64? {
        guard limit >= 1, holds(1) else { return nil }
        var (low, high) = (Int64(1), limit + 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if holds(middle) { low = middle } else { high = middle }
        }
        return low
    }

    /// The blockers of all beginnings, and the first beginning with the fewest of them, unless
    /// nobody would be left to meet.
    private static func blockers(
        _ grid: [Int64], _ required: [Attendee], _ rules: Beginnings
    ) -> (blockers: [Blocker], fewest: (people: [String], beginning: Int64)?) {
        var counts = [Int](repeating: 0, count: grid.count)
        var only = [Int](repeating: -1, count: grid.count)
        var causes: [(outside: Int, busy: Int, buffer: Int)] = []
        for (number, person) in required.enumerated() {
            var bare = rules
            (bare.before, bare.after) = (0, 0)
            var working = Sweep(rules.working(person))
            var suiting = Sweep(rules.suiting(person))
            var free = Sweep(bare.suiting(person))
            var cause = (outside: 0, busy: 0, buffer: 0)
            for (index, beginning) in grid.enumerated() where !suiting.contains(beginning) {
                counts[index] += 1
                only[index] = number
                if !working.contains(beginning) {
                    cause.outside += 1
                } else if free.contains(beginning) {
                    cause.buffer += 1
                } else {
                    cause.busy += 1
                }
            }
            causes.append(cause)
        }
        var alone = [Int](repeating: 0, count: required.count)
        for index in grid.indices where counts[index] == 1 { alone[only[index]] += 1 }
        let blockers = required.indices.map { index in
            Blocker(
                id: required[index].id, outsideWork: causes[index].outside,
                busy: causes[index].busy, buffer: causes[index].buffer, alone: alone[index])
        }.filter { $0.outsideWork + $0.busy + $0.buffer > 0 }
        let sorted = blockers.enumerated().sorted { one, other in
            let (left, right) = (one.element, other.element)
            if left.alone != right.alone { return left.alone > right.alone }
            let blocked = left.outsideWork + left.busy + left.buffer
            let others = right.outsideWork + right.busy + right.buffer
            return blocked != others ? blocked > others : one.offset < other.offset
        }.map(\.element)
        guard let least = grid.indices.min(by: { counts[$0] < counts[$1] }),
            counts[least] < required.count
        else { return (sorted, nil) }
        let people = required.filter { person in
            var suiting = Sweep(rules.suiting(person))
            return !suiting.contains(grid[least])
        }
        return (sorted, (people.map(\.id), grid[least]))
    }
}
