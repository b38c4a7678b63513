import Foundation

/// A place on a line where the vehicle may be, and how unlikely that is.
struct Hypothesis: Hashable, Sendable {
    /// The index of the line among the ride's lines.
    var line: Int
    /// Whether the vehicle runs against the direction of the line.
    var isBackwards: Bool
    /// Metres along the line: now, the most that an alarm may assume, and at the first fix.
    var along: Double
    var believed: Double
    var start: Double
    /// The distance from the line in metres.
    var offset: Double
    /// The natural logarithm of the odds against it, relative to the best hypothesis.
    var cost: Double
    /// The time of the first fix in milliseconds since 1970, and the number of fixes.
    var since: Int64
    var fixes: Int
    /// Metres from fix to fix since the first one, as the crow flies. Unknown, and counted from 0,
    /// in rides that began with an earlier version.
    var moved = 0.0

    /// Metres travelled since the first fix in the direction of the hypothesis.
    var progress: Double { isBackwards ? start - along : along - start }

    /// Whether its line runs at the hour, as far as is known.
    func isRunning(among lines: [Line?]) -> Bool {
        lines.indices.contains(line) && lines[line]?.isUnlikely != true
    }

    /// Whether the vehicle has advanced along the line in its direction. Then it doesn't run
    /// against another line, however well it fits that: lines of both directions may share a
    /// street, and both may serve the stop. A long way in few fixes says as much as many fixes, if
    /// the fixes are about as far apart: where a line comes back to itself, a place may be far
    /// ahead of one that is near it.
    var isAdvancing: Bool {
        guard !isBackwards else { return false }
        return fixes >= Rules.wrongWayFixes && progress >= Rules.shownProgress
            || fixes >= 2 && progress >= Rules.wrongWay
                && moved >= Rules.followedShare * progress
    }
}

/// Follows the vehicle along the lines of a ride: a forward filter over the places near each fix.
///
/// A hidden Markov model (Newson and Krumm, ACM SIGSPATIAL 2009): a place is likely when it is near
/// the fix, and when the distance along the line from the previous place is about the step between
/// the fixes. Both directions are followed, so that motion reveals a vehicle on the opposite side
/// of the road.
struct LineMatch: Hashable, Sendable, Codable {
    /// Best first.
    private(set) var hypotheses: [Hypothesis] = []
    private var time: Int64?
    private var position: Position?
    private var fixesSinceSearch = 0

    /// Adds a fix; false when it is on none of the lines. `fastest` is the highest speed of the
    /// vehicle in metres per second.
    mutating func advance(_ fix: RideFix, on lines: [Line?], fastest: Double) -> Bool {
        let reach = reach(to: fix, fastest: fastest)
        let isSearching = fixesSinceSearch >= Rules.searchInterval
        var found: [Hypothesis] = []
        for (index, line) in lines.enumerated() {
            guard let line else { continue }
            extend(
                to: fix, within: reach, on: line, index, isSearching: isSearching, into: &found)
        }
        Self.holdBackUnlikely(&found, on: lines)
        guard let best = found.map(\.cost).min() else { return false }
        fixesSinceSearch = isSearching ? 0 : fixesSinceSearch + 1
        for index in found.indices { found[index].cost -= best }
        found.removeAll { $0.cost > Rules.hopeless }
        // The order is total, so that equal rides stay equal whatever the sort does.
        found.sort { ($0.cost, $0.line, $0.along) < ($1.cost, $1.line, $1.along) }
        // Many lines that don't run may share a street; they leave room for those that do.
        var room = [true: Rules.mostHypotheses, false: Rules.mostHypotheses]
        hypotheses = found.filter { hypothesis in
            let isRunning = hypothesis.isRunning(among: lines)
            room[isRunning, default: 0] -= 1
            return room[isRunning, default: 0] >= 0
        }
        (time, position) = (fix.time, fix.position)
        return true
    }

    /// Keeps each place on a line that doesn't run behind those on lines that do, if the vehicle
    /// has followed these forward for as long: it may be on a detour in the next street, and other
    /// lines there may take longer to the stop.
    private static func holdBackUnlikely(_ found: inout [Hypothesis], on lines: [Line?]) {
        let followed = found.filter { !$0.isBackwards && $0.isRunning(among: lines) }
        guard !followed.isEmpty else { return }
        for index in found.indices where !found[index].isRunning(among: lines) {
            let since = found[index].since
            let cost = followed.filter { $0.since <= since }.map(\.cost).min()
            guard let cost else { continue }
            found[index].cost = max(found[index].cost, cost + Rules.unlikely)
        }
    }

    mutating func setBack(by length: Int64) {
        time? -= length
        for index in hypotheses.indices { hypotheses[index].since -= length }
    }

    /// Starts over from where the vehicle is, on the lines that count.
    mutating func restart(keeping lines: Set<Int>) {
        hypotheses.removeAll { !lines.contains($0.line) }
        for index in hypotheses.indices {
            (hypotheses[index].start, hypotheses[index].moved) = (hypotheses[index].along, 0)
        }
    }

    /// The most likely hypothesis in a direction.
    func best(isBackwards: Bool) -> Hypothesis? {
        hypotheses.first { $0.isBackwards == isBackwards }
    }

    private func extend(
        to fix: RideFix, within reach: Reach, on line: Line, _ index: Int, isSearching: Bool,
        into found: inout [Hypothesis]
    ) {
        let own = hypotheses.filter { $0.line == index }
        let point = line.path.projection.point(fix.position)
        let whole = 0...line.length
        var isExtended = false
        if let step = step(to: point, on: line),
            let range = range(
                of: own, reach: reach, slack: line.isStraight ? Rules.mostSlack : 0)
        {
            for foot in feet(of: point, on: line, in: isSearching ? whole : range) {
                for isBackwards in [false, true] {
                    let next = own.filter { $0.isBackwards == isBackwards }
                        .compactMap { follow($0, to: foot, step: step, reach: reach, fix) }
                        .min { $0.cost < $1.cost }
                    if let next {
                        found.append(next)
                        isExtended = true
                    } else if isSearching {
                        found.append(newcomer(foot, on: line, index, isBackwards, fix))
                    }
                }
            }
        }
        guard !isExtended, !isSearching || own.isEmpty else { return }
        for foot in feet(of: point, on: line, in: whole) {
            for isBackwards in [false, true] {
                found.append(newcomer(foot, on: line, index, isBackwards, fix))
            }
        }
    }

    private func feet(
        of point: Projection.Point, on line: Line, in range: ClosedRange<Double>
    ) -> [Path.Foot] {
        line.path.feet(
            of: point, in: range, radius: Rules.onLine, separation: Rules.branchSeparation)
    }

    private func follow(
        _ old: Hypothesis, to foot: Path.Foot, step: Double, reach: Reach, _ fix: RideFix
    ) -> Hypothesis? {
        let metres = old.isBackwards ? old.along - foot.along : foot.along - old.along
        guard metres >= -max(reach.back, foot.slack), metres <= reach.ahead else { return nil }
        var next = old
        next.along = foot.along
        next.offset = foot.offset
        // This fix confirms the place before, however fast the vehicle came there.
        next.believed = min(foot.along, max(old.along, old.believed + reach.believed))
        next.fixes += 1
        next.moved += step
        let detour = abs(metres - step) / (Rules.detourScale + foot.slack)
        next.cost += Self.surprise(foot, fix) + min(detour, Rules.mostSurprise)
        return next
    }

    private func newcomer(
        _ foot: Path.Foot, on line: Line, _ index: Int, _ isBackwards: Bool, _ fix: RideFix
    ) -> Hypothesis {
        let odds = Rules.newcomer + (line.isUnlikely ? Rules.unlikely : 0)
        return Hypothesis(
            line: index, isBackwards: isBackwards, along: foot.along, believed: foot.along,
            start: foot.along, offset: foot.offset, cost: odds + Self.surprise(foot, fix),
            since: fix.time, fixes: 1)
    }

    private static func surprise(_ foot: Path.Foot, _ fix: RideFix) -> Double {
        let deviations =
            foot.offset / max(Rules.leastDeviation, fix.accuracy ?? 0, foot.slack / 2)
        return min(deviations * deviations / 2, Rules.mostSurprise)
    }

    /// How far the vehicle can have moved since the last fix on the line, in metres.
    private struct Reach {
        var back: Double
        var ahead: Double
        var believed: Double
    }

    private func reach(to fix: RideFix, fastest: Double) -> Reach {
        let seconds = Double(fix.time - (time ?? fix.time)) / 1_000
        let back = max(Rules.backwardTolerance, min(fix.accuracy ?? 0, Rules.onLine / 2))
        return Reach(
            back: back,
            ahead: fastest * seconds + Rules.forwardTolerance,
            believed: Rules.believedSpeed * seconds + Rules.fixTolerance)
    }

    private func range(
        of own: [Hypothesis], reach: Reach, slack: Double
    ) -> ClosedRange<Double>? {
        let back = max(reach.back, slack)
        let starts = own.map { $0.along - ($0.isBackwards ? reach.ahead : back) }
        let ends = own.map { $0.along + ($0.isBackwards ? back : reach.ahead) }
        guard let start = starts.min(), let end = ends.max() else { return nil }
        return start...end
    }

    private func step(to point: Projection.Point, on line: Line) -> Double? {
        position.map { position in
            let before = line.path.projection.point(position)
            let (x, y) = (point.x - before.x, point.y - before.y)
            return (x * x + y * y).squareRoot()
        }
    }
}

/// Stored as a plain row of numbers, because a ride is saved after each batch of fixes.
extension Hypothesis: Codable {
    init(from decoder: any Decoder) throws {
        var row = try decoder.unkeyedContainer()
        line = try row.decode(Int.self)
        isBackwards = try row.decode(Int.self) == 1
        along = try row.decode(Double.self)
        believed = try row.decode(Double.self)
        start = try row.decode(Double.self)
        offset = try row.decode(Double.self)
        cost = try row.decode(Double.self)
        since = try row.decode(Int64.self)
        fixes = try row.decode(Int.self)
        // An earlier version wrote none.
        moved = row.isAtEnd ? 0 : try row.decode(Double.self)
    }

    func encode(to encoder: any Encoder) throws {
        var row = encoder.unkeyedContainer()
        try row.encode(line)
        try row.encode(isBackwards ? 1 : 0)
        for number in [along, believed, start, offset, cost] { try row.encode(number) }
        try row.encode(since)
        try row.encode(fixes)
        try row.encode(moved)
    }
}
