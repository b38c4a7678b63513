/// When a service last answered. The age of the answer is measured by a clock that nobody can set.
struct LastAnswer {
    /// How old it may be before pages say so.
    private static let patience: Duration = .seconds(12)

    /// How far the time of day may be off that clock before it counts as set back, in milliseconds.
    private static let leeway: Int64 = 60_000

    private let moment: ContinuousClock.Instant
    private let time: Int64

    /// Makes an answer that has just come.
    ///
    /// - Parameters:
    ///   - moment: the moment.
    ///   - time: the time of day, in milliseconds since 1970.
    init(at moment: ContinuousClock.Instant, time: Int64) {
        (self.moment, self.time) = (moment, time)
    }

    /// The time of day when it came; nil unless that is too long ago. If the clock was set back
    /// since, it is what the clock would have shown then.
    ///
    /// - Parameters:
    ///   - now: the present moment.
    ///   - time: the present time of day, in milliseconds since 1970.
    func old(at now: ContinuousClock.Instant, time: Int64) -> Int64? {
        let age = now - moment
        guard age >= Self.patience else { return nil }
        let then = time - Int64(age / .milliseconds(1))
        return self.time - then > Self.leeway ? then : self.time
    }
}
