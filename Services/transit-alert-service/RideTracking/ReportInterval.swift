/// How often the position of a live ride is reported: seldom while its alarm is far away, often
/// when it is near. A ride of 20 minutes takes about 100 reports, and each of them takes about 600
/// bytes with its answer and what the network adds.
package enum ReportInterval {
    /// The longest interval, in milliseconds. It is short enough to notice that the vehicle stands
    /// at a stop, and for how long: with the wait for the receiver's next position, two positions
    /// are at most `Rules.longestDwellGap` apart.
    package static let longest: Int64 = 13_000
    /// The shortest interval, in milliseconds.
    package static let shortest: Int64 = 3_000
    /// The interval when nothing is due, as after the last alert, in milliseconds.
    static let quiet: Int64 = 5_000
    /// The minimum number of reports in the time until the alarm.
    static let share: Int64 = 8
    /// The number of reports at the shortest interval at the beginning: they show where the ride
    /// is.
    static let first: UInt64 = 10

    /// The time until the next report, in milliseconds.
    ///
    /// - Parameters:
    ///   - wait: how long it is until the ride is alerted without another position, in
    ///     milliseconds; nil if nothing is due. Each report moves that time, so the alert is late
    ///     by the last interval at most.
    ///   - reports: how many there were.
    package static func next(untilAlarm wait: Int64?, after reports: UInt64) -> Int64 {
        guard reports >= first else { return shortest }
        guard let wait else { return quiet }
        return min(max(wait / share, shortest), longest)
    }
}
