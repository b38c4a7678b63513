import Foundation

/// When to give signals about a vehicle that is off all lines of the ride.
extension Ride {
    /// Handles a fix off all lines: signals it in time, and watches a circle around the stop.
    mutating func stray(_ fix: RideFix, on lines: [Line?]) -> [Signal] {
        strayFixes += 1
        let since = straySince ?? fix.time
        straySince = since
        guard let goal = goal(on: lines) else { return [] }
        let crow = fix.position.metres(to: goal.line.position(at: goal.line.stops[goal.call].along))
        armStrayTimers(fix, crow: crow, speed: Rules.straySpeed, mayArrive: wasOnLine)
        guard strayFixes >= Rules.offRouteFixes else { return [] }
        guard !isElsewhere(crow, on: lines) else {
            return mayReport(.elsewhere) ? [give(.elsewhere(metres: crow))] : []
        }
        let patience = wasOnLine ? Rules.offRouteTime : Rules.neverOnRouteTime
        guard Double(fix.time - since) >= patience * 1_000 else { return [] }
        var signals: [Signal] = []
        if mayReport(.offRoute) { signals.append(give(.offRoute(metres: crow))) }
        // A vehicle that was never on the line is another one, or its route is unknown: what counts
        // is that it comes to the stop.
        let circle =
            wasOnLine
            ? goal.line.pace.noticeDistance(to: goal.call, notice: notice) : Rules.strangerDistance
        strayNear = crow <= circle ? strayNear + 1 : 0
        guard strayNear >= 2 else { return signals }
        let remaining = Int64(crow / Rules.straySpeed * 1_000)
        if !given.contains(.getReady) {
            signals.append(give(.getReady(remaining: remaining, metres: crow, estimated: true)))
        }
        if crow <= Rules.strayNowDistance, !given.contains(.now) {
            signals.append(give(.now(remaining: remaining, metres: crow, estimated: true)))
        }
        return signals
    }

    /// Whether a vehicle is farther from the stop than every line is long.
    private func isElsewhere(_ crow: Double, on lines: [Line?]) -> Bool {
        let longest = lines.compactMap { $0?.length }.max() ?? 0
        return crow > longest + Rules.elsewhere
    }

    /// Resets the timers of a vehicle off the line, or against it. A vehicle that was on it keeps
    /// the earlier times, unless it is too far away to arrive by then, for NOW at `speed`.
    ///
    /// No timer is stopped, because there may be no further fix to start it again.
    mutating func armStrayTimers(
        _ fix: RideFix, crow: Double, speed: Double, mayArrive: Bool
    ) {
        let patience = patience(Rules.strayPatience)
        guard !isBlind else {
            let patient = fix.time + Int64(patience * 1_000)
            readyDue = readyDue.map { max($0, patient) }
            nowDue = nowDue.map { max($0, patient) }
            return
        }
        let soonest = crow / Rules.strayFastSpeed
        readyDue = Self.due(
            after: fix.time, wait: soonest - Double(notice) / 1_000, patience: patience,
            earlier: mayArrive ? readyDue : nil)
        guard mayArrive || nowDue != nil else { return }
        nowDue = Self.due(
            after: fix.time, wait: crow / speed, patience: patience,
            earlier: mayArrive ? nowDue : nil)
    }

    /// Whether the timers are still those of the timetable or a forecast, because no fix has been
    /// on a line.
    private var isBlind: Bool {
        nowDue != nil && !wasOnLine && !isDoubted && match.hypotheses.isEmpty
    }
}
