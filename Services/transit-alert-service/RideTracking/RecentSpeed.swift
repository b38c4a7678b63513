import Foundation

/// The speed along the line over the last minutes, including stops and traffic lights.
struct RecentSpeed: Hashable, Sendable, Codable {
    private struct Mark: Hashable, Sendable, Codable {
        var time: Int64
        var along: Double
    }

    /// Oldest first, `Rules.markInterval` apart, none older than `Rules.recentTime`.
    private var marks: [Mark] = []

    mutating func note(_ along: Double, at time: Int64) {
        // Another branch of the line was chosen: the marks belong to the old one.
        if let last = marks.last, along < last.along - Rules.branchSeparation { marks = [] }
        let oldest = time - Int64(Rules.recentTime * 1_000)
        marks.removeAll { $0.time < oldest }
        let interval = Int64(Rules.markInterval * 1_000)
        guard let last = marks.last, time - last.time < interval else {
            marks.append(Mark(time: time, along: along))
            return
        }
    }

    mutating func setBack(by length: Int64) {
        for index in marks.indices { marks[index].time -= length }
    }

    /// How much faster than its line the vehicle was, as a factor of at most 1 for the times that
    /// it will take. A slower vehicle may catch up, so its factor is 1.
    func haste(at along: Double, _ time: Int64, on pace: Pace) -> Double {
        guard let first = marks.first, along > first.along else { return 1 }
        let seconds = Double(time - first.time) / 1_000
        let usual = pace.seconds(from: first.along, to: along)
        guard usual > seconds else { return 1 }
        return max(
            Rules.mostHaste, (seconds + Rules.doubtedHaste) / (usual + Rules.doubtedHaste))
    }

    /// The speed in metres per second; nil until it was observed for long enough.
    func metresPerSecond(at along: Double, _ time: Int64) -> Double? {
        guard let first = marks.first,
            Double(time - first.time) >= Rules.leastRecentTime * 1_000
        else { return nil }
        return max(0, along - first.along) / (Double(time - first.time) / 1_000)
    }
}
