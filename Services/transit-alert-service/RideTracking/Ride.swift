import Foundation

/// One passenger's ride to a stop: what is known of it, and the signals given.
///
/// A value without a clock or store. Pass it each fix as it comes and call `timerExpired` when
/// `timerDue` is reached; keep it, encoded, in between. Times are milliseconds since 1970. The
/// lines are not part of it: pass the same ones each time, in any order.
package struct Ride: Hashable, Sendable, Codable {
    /// Why a ride can't start; its text is a sentence for a person.
    package struct Unusable: Error, Hashable, CustomStringConvertible {
        package let description: String

        package init(description: String) {
            self.description = description
        }
    }

    /// The notices (milliseconds) that may be requested.
    package static let notices = Rules.shortestNotice...Rules.longestNotice
    /// The notice when none is requested: three minutes.
    package static let usualNotice: Int64 = 180_000

    /// Where the vehicle was at the last fix on a line, and the remaining distance and time.
    struct Estimate: Hashable, Sendable, Codable {
        var time: Int64
        var line: Int
        var call: Int
        /// Metres along the line.
        var along: Double
        /// The remaining metres; negative behind the stop.
        var metres: Double
        /// The remaining seconds.
        var typical: Double
    }

    /// Where and since when the vehicle has been standing.
    struct Rest: Hashable, Sendable, Codable {
        var time: Int64
        var along: Double
    }

    /// The id of the stop to get off at.
    package internal(set) var target: String
    /// The time before the arrival at which GET READY is due, in milliseconds.
    package let notice: Int64
    /// The distance along the line at which GET READY is due at the latest, in metres; 0 for none.
    /// Rides that began with an earlier version have none.
    package let distance: Double?
    /// The ids of the lines that may be the ridden one.
    package internal(set) var candidates: [String]
    /// The signals given so far, in order.
    package internal(set) var given: [Signal.Kind] = []

    /// Where the stop is, if no line to it is known.
    var place: Position?
    var nearest: Nearest?

    var gate = FixGate()
    var match = LineMatch()
    var estimate: Estimate?
    var rest: Rest?
    var recent = RecentSpeed()
    var readyDue: Int64?
    var nowDue: Int64?
    /// The number of consecutive fixes behind the stop, and since when and how many were off the
    /// lines.
    var fixesBehind = 0
    var strayFixes = 0
    var strayNear = 0
    var straySince: Int64?
    /// The time of the first of the positions that were all too coarse; nil if the last one wasn't.
    var coarseSince: Int64?
    /// When the first of the positions came that were all too old; nil if the last one wasn't.
    var oldSince: Int64?
    var wasOnLine = false
    /// The seconds between fixes, and the time of the last one. Rides that began with an earlier
    /// version have none.
    var interval: Double?
    package internal(set) var lastFix: Int64?
    /// When the vehicle was last certainly on a line.
    var lastShown: Int64?
    /// The agency's forecast; nil for none.
    package internal(set) var forecast: Forecast?
    /// When the ride was at its stops; nil if nothing is learned from it.
    package internal(set) var passings: Passings?

    /// The clocks of its sources that are ahead; nil before the first position.
    package var clocks: SourceClocks?

    /// Whether the remaining time is based on what was learned from earlier rides.
    package internal(set) var isTaught: Bool?

    /// Starts a ride at `time` on one of `lines`: the ridden line if it is known, else all that
    /// call at the stop. Lines that do not are ignored. `teaches` says that its travel times are
    /// to be learned.
    package init(
        to target: String, notice: Int64 = Ride.usualNotice, distance: Double = 0,
        teaches: Bool = false, on lines: [Line], at time: Int64
    ) throws(Unusable) {
        try Self.validate(notice)
        let serving = lines.filter { !$0.calls(at: target).isEmpty }
        guard !serving.isEmpty else {
            throw Unusable(description: "no line of this ride calls at stop \(target)")
        }
        self.target = target
        self.notice = notice
        self.distance = distance
        passings = teaches ? Passings() : nil
        candidates = serving.map(\.id)
        // Before any fix, only the timetable of a known trip gives a time to wake the passenger.
        guard serving.count == 1, let call = serving[0].calls(at: target).first,
            let arrival = serving[0].pace.scheduledArrival(at: call)
        else { return }
        let margin = Int64(Rules.blindMargin * 1_000)
        // A late vehicle may arrive at any time, so there is only a little time for fixes to come.
        let isLate = arrival <= time
        let patient = time + Int64(Rules.strayPatience * 1_000)
        readyDue = isLate ? patient : max(time, arrival - notice - margin)
        nowDue = isLate ? patient : max(time, arrival - margin)
        let seconds = Double(max(0, arrival - time)) / 1_000
        estimate = Estimate(
            time: time, line: 0, call: call, along: 0, metres: serving[0].stops[call].along,
            typical: seconds)
    }

    static func validate(_ notice: Int64) throws(Unusable) {
        guard notices.contains(notice) else {
            throw Unusable(description: "a notice is from 1 to 30 minutes")
        }
    }

    /// Ends the learning from this ride, and forgets when it was at its stops.
    package mutating func forgetPassings() { passings = nil }

    /// Whether no more signals follow, because the stop was passed or the passenger wants no more.
    package var isOver: Bool { given.contains(.passed) }

    /// When to call `timerExpired` if no fix comes before; nil for never.
    package var timerDue: Int64? {
        guard !isOver, !given.contains(.now) else { return nil }
        guard given.contains(.getReady) else {
            return [readyDue, nowDue].compactMap { $0 }.min()
        }
        return nowDue
    }

    /// The id of the line that the vehicle is on, if known.
    package var line: String? {
        wasOnLine ? match.best(isBackwards: false).map { candidates[$0.line] } : nil
    }

    /// Metres along `line` at the last fix.
    package var along: Double? {
        wasOnLine ? match.best(isBackwards: false)?.along : nil
    }

    /// The remaining metres at the last fix on a line, and how many of the typical milliseconds
    /// that remained then are left at a time.
    package func remaining(at time: Int64) -> (metres: Double, milliseconds: Int64)? {
        guard let estimate else { return nil }
        let passed = max(0, time - estimate.time)
        return (estimate.metres, max(0, Int64(estimate.typical * 1_000) - passed))
    }

    /// The metres to the stop along the line, the fewest that an alarm may assume; negative behind
    /// it. Nil until the vehicle certainly was on a line.
    package var metresToGo: Double? { wasOnLine ? estimate?.metres : nil }

    /// Where to get off when the stop was passed: the next stop of the line, and how far it is from
    /// there back to the wanted one along the line, in metres. Nil at the end of the line.
    package func wayBack(on lines: [Line]) -> (stop: Line.Stop, metres: Double)? {
        guard let id = line, let along, let line = lines.first(where: { $0.id == id }),
            let next = line.stops.first(where: { $0.along > along + Rules.atStop }),
            let wanted = line.calls(at: target).map({ line.stops[$0].along })
                .last(where: { $0 < along })
        else { return nil }
        return (next, next.along - wanted)
    }

    /// Whether the estimate at a time is based only on the timetable, because no fix on a line is
    /// fresh.
    package func isEstimated(at time: Int64) -> Bool {
        guard wasOnLine, let estimate else { return true }
        return time - estimate.time > Rules.freshness
    }

    /// Adds a fix and returns the signals that are due. A timer that was due before the fix counts
    /// as expired, so that late calls and replays give the same signals.
    package mutating func advance(_ fix: RideFix, on lines: [Line]) -> [Signal] {
        let known = candidateLines(lines)
        let fastest = fastest(on: known)
        guard gate.admits(fix, fastest: fastest) else { return [] }
        guard !isOver else {
            // The ride may continue to another stop: see `goOn`.
            noteInterval(to: fix.time)
            _ = match.advance(fix, on: known, fastest: fastest)
            return []
        }
        let signals = timersExpired(before: fix.time, on: lines)
        noteInterval(to: fix.time)
        if let place { return signals + approach(place, fix) }
        let isOnLine = match.advance(fix, on: known, fastest: fastest)
        guard isOnLine, !isWronglyDismissed(at: fix, on: known) else {
            return signals + stray(fix, on: known)
        }
        strayFixes = 0
        strayNear = 0
        straySince = nil
        return signals + follow(fix, on: known)
    }

    /// Returns the signals that are due although no fix came until `time`.
    package mutating func timerExpired(at time: Int64, on lines: [Line]) -> [Signal] {
        guard let due = timerDue, due <= time else { return [] }
        let known = candidateLines(lines)
        var signals: [Signal] = []
        if let nowDue, nowDue <= time, !given.contains(.now) {
            if let signal = estimatedReady(at: time, on: known) { signals.append(signal) }
            if let signal = estimatedNow(at: time, on: known) { signals.append(signal) }
        } else if let signal = estimatedReady(at: time, on: known) {
            signals.append(signal)
        }
        return signals
    }

    private mutating func timersExpired(before time: Int64, on lines: [Line]) -> [Signal] {
        var signals: [Signal] = []
        while let due = timerDue, due < time {
            let told = timerExpired(at: due, on: lines)
            guard !told.isEmpty else { break }
            signals += told
        }
        return signals
    }

    /// Infrequent fixes lengthen the interval immediately, and others shorten it step by step.
    private mutating func noteInterval(to time: Int64) {
        if let lastFix {
            let gap = min(Double(time - lastFix) / 1_000, Rules.longestInterval)
            interval = max(gap, ((interval ?? gap) + gap) / 2)
        }
        lastFix = time
    }

    /// The highest speed that the vehicle can have, in metres per second. Without a line it may be
    /// a train.
    private func fastest(on lines: [Line?]) -> Double {
        guard place == nil else { return Rules.fastestTrain }
        let scheduled = lines.compactMap { $0?.pace.fastest }.max() ?? 0
        return max(Rules.fastestVehicle, Rules.fasterThanScheduled * scheduled)
    }

    private func candidateLines(_ lines: [Line]) -> [Line?] {
        candidates.enumerated().map { index, id in
            if index < lines.count, lines[index].id == id { return lines[index] }
            guard !id.isEmpty else { return nil }
            return lines.first { $0.id == id }
        }
    }
}
