import Messages

/// The pace at which a list was walked: whether there was time to inspect each item before its
/// mark.
///
/// People who inspect items also mark them in bursts: a look around, then five ticks. So each mark
/// costs the time of a short look, and elapsed time is credited, up to a limit: a burst is paid
/// from the time before it. When a run of fast marks is so long that the credit is used up, it was
/// not a burst, and all of it was too fast.
struct WalkPace: Hashable, Sendable {
    /// The cost of a look in milliseconds.
    static let look: Int64 = 3_000
    /// The maximum credit in milliseconds: a burst of eight.
    static let mostCredit: Int64 = 24_000
    /// The minimum number of marks for judging the lists.
    static let fewest = 10
    /// The share of marks made too fast at which a list counts as hardly walked.
    static let share = 0.2

    private(set) var marks = 0
    private(set) var tooFast = 0

    private var credit = WalkPace.mostCredit
    /// How many marks of the present fast run were paid from the credit.
    private var paid = 0
    private var last: Int64?

    /// Adds the next mark that one person made on one device.
    ///
    /// - Parameter time: the time by the device's clock, in milliseconds since 1970. If it was set
    ///   back since the last mark, the elapsed time is unknown.
    mutating func mark(at time: Int64) {
        let gap = last.map { max(0, time - $0) } ?? 0
        let isFast = last.map { (0..<Self.look).contains(time - $0) } ?? false
        credit = min(Self.mostCredit, credit + gap)
        last = time
        marks += 1
        if !isFast { paid = 0 }
        if credit < Self.look {
            tooFast += 1 + paid
            paid = 0
        } else {
            credit -= Self.look
            if isFast { paid += 1 }
        }
    }
}

extension ShiftState {
    /// The number of marks in the pre-shift lists that were made too fast, and whether there are so
    /// many that the lists were hardly walked.
    ///
    /// Each person on each device is judged separately, by the device's clock, so that marks that
    /// waited on it are judged by when they were made. Only the first mark of a task counts.
    package var pace: (tooFast: Int, hardlyWalked: Bool) {
        struct Walker: Hashable {
            let account: String
            let device: String
        }
        var paces: [Walker: WalkPace] = [:]
        for stamp in preShiftMarks.map(\.stamp).sorted(by: { $0.sequence < $1.sequence }) {
            paces[Walker(account: stamp.account, device: stamp.device), default: WalkPace()]
                .mark(at: stamp.deviceTime)
        }
        let marks = paces.values.reduce(0) { $0 + $1.marks }
        let tooFast = paces.values.reduce(0) { $0 + $1.tooFast }
        let share = Double(tooFast) / Double(max(1, marks))
        return (tooFast, marks >= WalkPace.fewest && share >= WalkPace.share)
    }

    /// The time from the first mark of the pre-shift lists to the last, in milliseconds, without
    /// breaks of more than five minutes.
    package var fillTime: Int64 {
        let times = preShiftMarks.map(\.stamp.time).sorted()
        return zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 <= 300_000 }.reduce(0, +)
    }

    /// The first mark of each task of the pre-shift lists.
    private var preShiftMarks: [TaskMark] {
        lists.tasks.indices.compactMap { position in
            guard lists.templates[lists.tasks[position].list].kind == .preShift else { return nil }
            return tasks[position].marks.first { $0.state != .unchecked && !$0.isReview }
        }
    }
}
