import Foundation
import RideTracking

/// Where along its line a vehicle was, computed afterwards from the whole recording.
///
/// It doesn't use the tracker's own filter: it finds the most likely sequence of places over all
/// fixes at once (Viterbi), on the line sampled every ten metres, and makes it monotone.
package struct Truth: Hashable, Sendable {
    /// A vehicle counts as arrived this many metres before its stop.
    package static let before = 20.0
    private static let sample = 10.0
    private static let radius = 100.0

    private struct Place {
        var along: Double
        var offset: Double
    }

    /// Times in milliseconds since 1970, and metres along the line; both rise.
    package private(set) var times: [Int64] = []
    package private(set) var alongs: [Double] = []

    package var firstAlong: Double? { alongs.first }

    package init(of trace: Trace, on line: Line) {
        var samples: [Position] = []
        for index in 0...Int(line.length / Self.sample) {
            samples.append(line.position(at: Double(index) * Self.sample))
        }
        var seen: [(fix: RideFix, places: [Place])] = []
        for fix in trace.fixes where fix.time > (seen.last?.fix.time ?? .min) {
            guard (fix.accuracy ?? 0) <= Self.radius else { continue }
            let places = Self.places(near: fix.position, samples)
            if !places.isEmpty { seen.append((fix, places)) }
        }
        var furthest = -Double.infinity
        for (step, along) in zip(seen, Self.mostLikely(seen)) {
            furthest = max(furthest, along)
            times.append(step.fix.time)
            alongs.append(furthest)
        }
    }

    /// A truth known without a recording: places along the line at rising times.
    package init(times: [Int64], alongs: [Double]) {
        self.times = times
        self.alongs = alongs
    }

    package mutating func append(_ time: Int64, _ along: Double) {
        times.append(time)
        alongs.append(along)
    }

    /// When the vehicle came within `before` of a place ahead of where it was first seen.
    package func arrival(at along: Double) -> Int64? {
        let goal = along - Self.before
        guard let first = alongs.first, goal > first + 1,
            let after = alongs.firstIndex(where: { $0 >= goal })
        else { return nil }
        let share = (goal - alongs[after - 1]) / (alongs[after] - alongs[after - 1])
        return times[after - 1] + Int64(share * Double(times[after] - times[after - 1]))
    }

    private static func places(near position: Position, _ samples: [Position]) -> [Place] {
        let scale = cos(position.latitude * .pi / 180)
        let metres = samples.map { sample in
            let north = (sample.latitude - position.latitude) * 111_132
            let east = (sample.longitude - position.longitude) * 111_320 * scale
            return (north * north + east * east).squareRoot()
        }
        var places: [Place] = []
        for index in metres.indices where metres[index] <= radius {
            let before = index > 0 ? metres[index - 1] : .infinity
            let after = index + 1 < metres.count ? metres[index + 1] : .infinity
            guard metres[index] <= before, metres[index] < after else { continue }
            var along = Double(index) * sample
            // Between two samples: where the circles around them meet.
            if after < before, after.isFinite {
                along += (metres[index] * metres[index] - after * after) / (2 * sample) + sample / 2
            } else if before.isFinite {
                along -=
                    (metres[index] * metres[index] - before * before) / (2 * sample)
                    + sample / 2
            }
            places.append(Place(along: max(0, along), offset: metres[index]))
        }
        return places
    }

    private static func mostLikely(_ seen: [(fix: RideFix, places: [Place])]) -> [Double] {
        var costs: [[Double]] = []
        var origins: [[Int]] = []
        for (index, step) in seen.enumerated() {
            let own = step.places.map { min($0.offset * $0.offset / 450, 30) }
            guard index > 0 else {
                costs.append(own)
                origins.append(own.map { _ in 0 })
                continue
            }
            let before = seen[index - 1]
            let seconds = Double(step.fix.time - before.fix.time) / 1_000
            let crow = before.fix.position.metres(to: step.fix.position)
            var cost: [Double] = []
            var origin: [Int] = []
            for (place, own) in zip(step.places, own) {
                let sums = before.places.indices.map { earlier in
                    let metres = place.along - before.places[earlier].along
                    let jump = metres < -25 || metres > 30 * seconds + 60 ? 30.0 : 0
                    return costs[index - 1][earlier] + min(abs(metres - crow) / 40, 25) + jump
                }
                let best = sums.indices.min { sums[$0] < sums[$1] } ?? 0
                cost.append(sums[best] + own)
                origin.append(best)
            }
            costs.append(cost)
            origins.append(origin)
        }
        var result: [Double] = []
        var choice: Int?
        for index in seen.indices.reversed() {
            let place =
                choice ?? costs[index].indices.min { costs[index][$0] < costs[index][$1] }
                ?? 0
            result.append(seen[index].places[place].along)
            choice = origins[index][place]
        }
        return result.reversed()
    }
}
