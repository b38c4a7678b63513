import Messages

/// When the positions of a recorded ride are due in a replay at a higher speed.
struct RideSchedule: FixSource {
    /// The maximum number of positions in one command.
    static let batch = 500

    /// The positions, oldest first; never empty.
    let fixes: [Fix]
    /// How many times faster than the original the replay is.
    let speed: UInt32
    let kind = "file"
    private var next = 0

    /// A schedule; nil if there are no positions.
    init?(_ fixes: [Fix], speed: UInt32) {
        guard !fixes.isEmpty, speed > 0 else { return nil }
        self.fixes = fixes.enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
        self.speed = speed
    }

    /// When the ride began, milliseconds since 1970.
    var origin: Int64 { fixes[0].time }

    /// How long the ride took, milliseconds.
    var length: Int64 { fixes[fixes.count - 1].time - origin }

    /// True if every position was taken.
    var isOver: Bool { next == fixes.count }

    /// True if all positions up to that time of the ride were taken.
    func hasTaken(upTo time: Int64) -> Bool { next > 0 && fixes[next - 1].time >= time }

    /// When the next position is due, counted from the start of the replay; nil if none is left.
    var due: Duration? {
        isOver ? nil : .milliseconds(fixes[next].time - origin) / Int(speed)
    }

    /// Takes the positions that are due, at most `batch`.
    mutating func take(after elapsed: Duration) -> [Fix] {
        let now = time(after: elapsed)
        let first = next
        while next < fixes.count, next - first < Self.batch, fixes[next].time <= now { next += 1 }
        return Array(fixes[first..<next])
    }

    /// The time in the ride after the replay has run for that long.
    func time(after elapsed: Duration) -> Int64 {
        origin + Int64(elapsed / .milliseconds(1) * Double(speed))
    }

    /// When the ride first came as near to a place as it ever did, allowing for noise in the
    /// positions, and how near that was.
    func nearest(to place: Coordinate) -> (time: Int64, metres: Double)? {
        let noise = 15.0
        let near = fixes.map { (time: $0.time, metres: $0.place.metres(to: place)) }
        guard let least = near.map(\.metres).min() else { return nil }
        return near.first { $0.metres <= least + noise }.map { ($0.time, least) }
    }
}
