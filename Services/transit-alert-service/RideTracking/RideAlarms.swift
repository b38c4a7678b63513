import Foundation

/// When to give signals: the rules applied to what `LineMatch` and `Pace` know.
extension Ride {
    /// Handles a fix on a line: estimates the remaining time, arms the timers, gives the signals
    /// due.
    mutating func follow(_ fix: RideFix, on lines: [Line?]) -> [Signal] {
        if let backward = backward() { return retreat(fix, backward, on: lines) }
        guard let chosen = likely(on: lines), let line = lines[chosen.line] else { return [] }
        let call = call(for: chosen, on: line)
        let isStanding = isStanding(at: chosen.along, fix.time)
        let metres = line.stops[call].along - chosen.believed
        let isShown = isShown(chosen, fix, on: line)
        guard metres >= -Rules.passedBy else {
            let isNew = line.stops[call].along - chosen.start < -Rules.passedBy
            guard isShown, !isNew || mayHavePassed(chosen, metres, on: line, at: fix.time)
            else { return [] }
            fixesBehind += 1
            return fixesBehind < 2 ? [] : [give(.passed(metres: -metres))]
        }
        fixesBehind = 0
        if !line.pace.isScheduled || line.pace.isTaught {
            recent.note(chosen.believed, at: fix.time)
        }
        var remaining = line.pace.remaining(
            from: chosen.believed, to: call, at: fix.time, isStanding: isStanding,
            recentSpeed: recent.metresPerSecond(at: chosen.believed, fix.time))
        isTaught = line.pace.isTaught ? true : nil
        if line.pace.isTaught {
            remaining.cautious *= recent.haste(at: chosen.believed, fix.time, on: line.pace)
        }
        remaining = sharpened(remaining, at: fix.time)
        estimate = Estimate(
            time: fix.time, line: chosen.line, call: call, along: chosen.believed, metres: metres,
            typical: remaining.typical)
        armTimers(remaining, on: line, isShown: isShown)
        guard isShown else { return [] }
        let isBack = [.wrongDirection, .offRoute, .elsewhere].contains(where: isReported)
        wasOnLine = true
        lastShown = fix.time
        passings?.note(chosen.along, at: fix.time, on: line)
        return (isBack ? [give(.backOnLine)] : []) + restSignals(chosen, at: fix.time, on: line)
            + dueSignals(remaining, metres)
    }

    /// Whether the vehicle may come to the stop although its place says that it won't, which must
    /// not silence the alarm. Either a line that doesn't run is all that speaks about the vehicle,
    /// and it runs against the line or was never before the stop: then it may be on no line at all.
    /// Or it was never before the stop, but comes nearer to it.
    func isWronglyDismissed(at fix: RideFix, on lines: [Line?]) -> Bool {
        if let backward = backward() { return !backward.isRunning(among: lines) }
        guard !given.contains(.now), let chosen = likely(on: lines),
            let line = lines[chosen.line]
        else { return false }
        let goal = line.stops[call(for: chosen, on: line)].along
        guard max(goal - chosen.start, goal - chosen.believed) < -Rules.passedBy else {
            return false
        }
        guard chosen.isRunning(among: lines) else { return true }
        guard chosen.progress >= Rules.passedProgress else { return false }
        let stop = line.position(at: goal)
        let away = fix.position.metres(to: stop) - line.position(at: chosen.start).metres(to: stop)
        return away < Rules.recedingShare * chosen.progress
    }

    /// The place of a vehicle that runs against a line; nil unless nothing else is plausible.
    private func backward() -> Hypothesis? {
        let forward = match.best(isBackwards: false)
        guard let backward = match.best(isBackwards: true),
            backward.cost + Rules.plausible < (forward?.cost ?? .infinity),
            !match.hypotheses.contains(where: \.isAdvancing)
        else { return nil }
        return backward
    }

    /// Signals that the vehicle stands for longer than it should, and that it moves again. Someone
    /// who has not ridden any distance yet is waiting for the vehicle.
    private mutating func restSignals(
        _ chosen: Hypothesis, at time: Int64, on line: Line
    ) -> [Signal] {
        let seconds = rest.map { Double(time - $0.time) / 1_000 } ?? 0
        let isLong = seconds >= Rules.longRest
        if isReported(.standing) { return isLong ? [] : [give(.moving)] }
        guard isLong, !given.contains(.now), mayReport(.standing),
            chosen.progress >= Rules.regainedProgress,
            !line.pace.waits(at: chosen.along, at: time)
        else { return [] }
        return [give(.standing)]
    }

    mutating func dueSignals(
        _ remaining: Pace.Remaining, _ metres: Double
    ) -> [Signal] {
        var signals: [Signal] = []
        let typical = Int64(remaining.typical * 1_000)
        let isNow = metres <= Rules.nowDistance || nowWait(remaining) <= 0
        let isReady =
            remaining.cautious * 1_000 <= Double(notice) || metres <= distance ?? 0
        if isNow || isReady, !given.contains(.getReady) {
            signals.append(
                give(
                    .getReady(remaining: typical, metres: max(0, metres), estimated: false)))
        }
        if isNow, !given.contains(.now) {
            signals.append(give(.now(remaining: typical, metres: max(0, metres), estimated: false)))
        }
        return signals
    }

    /// Whether a place that never had the stop ahead can be right. Such a ride began at the wrong
    /// place, perhaps on the vehicle's way to its first stop: only substantial progress away from
    /// the stop is believed, and only if the vehicle can have come there from where it was last.
    private func mayHavePassed(
        _ chosen: Hypothesis, _ metres: Double, on line: Line, at time: Int64
    ) -> Bool {
        guard chosen.progress >= Rules.passedProgress else { return false }
        guard wasOnLine, let estimate else { return true }
        let seconds = Double(time - estimate.time) / 1_000
        let speed = max(Rules.believedSpeed, line.pace.fastest)
        return estimate.metres - metres <= speed * seconds
    }

    /// Handles a vehicle that runs against the line: its position raises no alarm, and the timers
    /// wait. Until it has run far enough for a signal, its receiver may only be drifting.
    private mutating func retreat(
        _ fix: RideFix, _ backward: Hypothesis, on lines: [Line?]
    ) -> [Signal] {
        guard let line = lines[backward.line] else { return [] }
        let call = call(for: backward, on: line)
        let crow = fix.position.metres(to: line.position(at: line.stops[call].along))
        let mayArrive = wasOnLine && !isReported(.wrongDirection)
        if mayArrive, nowDue != nil {
            delayTimers(fix, crow: crow)
        } else {
            armStrayTimers(fix, crow: crow, speed: Rules.strayFastSpeed, mayArrive: mayArrive)
        }
        guard backward.progress >= Rules.wrongWay, backward.fixes >= Rules.wrongWayFixes,
            mayReport(.wrongDirection)
        else { return [] }
        return [give(.wrongDirection)]
    }

    mutating func estimatedReady(at time: Int64, on lines: [Line?]) -> Signal? {
        guard !given.contains(.getReady) else { return nil }
        let rest = stillToGo(at: time, on: lines)
        return give(
            .getReady(
                remaining: rest.time, metres: rest.metres, estimated: isEstimated(at: time)))
    }

    mutating func estimatedNow(at time: Int64, on lines: [Line?]) -> Signal? {
        guard !given.contains(.now) else { return nil }
        let rest = stillToGo(at: time, on: lines)
        return give(
            .now(remaining: rest.time, metres: rest.metres, estimated: isEstimated(at: time)))
    }

    mutating func give(_ signal: Signal) -> Signal {
        given.append(signal.kind)
        return signal
    }

    /// Whether a signal has said that the vehicle is another one or runs the other way.
    var isDoubted: Bool {
        isReported(.wrongDirection) || isReported(.elsewhere)
            || isReported(.offRoute) && !wasOnLine
    }

    /// Whether a signal that can end and begin again may be given: it isn't in force already, and
    /// what keeps changing isn't reported forever. Signals of other kinds don't count.
    func mayReport(_ kind: Signal.Kind) -> Bool {
        !isReported(kind) && given.count { $0 == kind } < Rules.mostReports
    }

    /// Whether a signal about the vehicle's course was given and not withdrawn.
    func isReported(_ kind: Signal.Kind) -> Bool {
        guard let reported = given.lastIndex(of: kind) else { return false }
        let end: Signal.Kind =
            switch kind {
            case .skipped: .servedAgain
            case .standing: .moving
            case .coarse: .precise
            case .old: .fresh
            default: .backOnLine
            }
        return (given.lastIndex(of: end) ?? -1) < reported
    }

    /// Every fix resets the timers, so that a lost signal can't silence the alarm.
    private mutating func armTimers(
        _ remaining: Pace.Remaining, on line: Line, isShown: Bool
    ) {
        guard let estimate else { return }
        let ready = min(readyWait(remaining), secondsToDistance(line))
        let now = nowWait(remaining)
        guard !isShown else {
            readyDue = estimate.time + Int64(max(0, ready) * 1_000)
            nowDue = estimate.time + Int64(max(0, now) * 1_000)
            return
        }
        readyDue = uncertainDue(
            after: ready, patience: patience(Rules.unsurePatience), earlier: readyDue,
            isWaiting: isWaitingToBegin)
        nowDue = uncertainDue(
            after: now, patience: patience(Rules.strayPatience), earlier: nowDue)
    }

    /// When an alarm is due after a position that is not certain yet. The position may be wrong, so
    /// there is time for further fixes. It delays an alarm that follows from a certain position
    /// only if it is farther from the stop, and not even then if positions stay uncertain. Neither
    /// does it delay the alarm of a vehicle that waits to begin its line.
    private func uncertainDue(
        after wait: Double, patience least: Double, earlier: Int64?, isWaiting: Bool = false
    ) -> Int64? {
        guard let estimate else { return earlier }
        let earlier = lastShown == nil && !isWaiting ? nil : earlier
        let due = Self.due(after: estimate.time, wait: wait, patience: least, earlier: earlier)
        let uncertain = Double(estimate.time - (lastShown ?? estimate.time)) / 1_000
        return uncertain > patience(Rules.strayPatience) ? min(due, earlier ?? .max) : due
    }

    /// Whether the vehicle stands near the beginning of its line. The bays of a terminus may be too
    /// far from the line to say more, and a stop may be less than the notice away.
    private var isWaitingToBegin: Bool {
        guard let rest, let estimate, estimate.along < Rules.atStop else { return false }
        return rest.along < Rules.atStop
            && Double(estimate.time - rest.time) >= Rules.shownTime * 1_000
    }

    /// The minimum time until the vehicle is as close to the stop as the passenger wants to be
    /// alerted, in seconds; infinite if they want no distance.
    private func secondsToDistance(_ line: Line) -> Double {
        guard let distance, distance > 0, let estimate else { return .infinity }
        let end = line.stops[estimate.call].along - distance
        return Rules.cautiousShare * line.pace.seconds(from: estimate.along, to: end)
    }

    /// Delays the timers of a vehicle that was on its line until it can be at the stop. They come
    /// no earlier than before, because it may only seem to run against the line.
    private mutating func delayTimers(_ fix: RideFix, crow: Double) {
        let soonest = fix.time + Int64(crow / Rules.strayFastSpeed * 1_000)
        readyDue = readyDue.map { max($0, soonest - notice) }
        nowDue = nowDue.map { max($0, soonest) }
    }

    static func due(
        after time: Int64, wait: Double, patience: Double, earlier: Int64?
    ) -> Int64 {
        let patient = time + Int64(max(patience, wait) * 1_000)
        guard let earlier else { return patient }
        return max(time + Int64(max(0, wait) * 1_000), min(earlier, patient))
    }

    /// How long to wait for further fixes, in seconds: at least some of them must have time to
    /// come.
    func patience(_ least: Double) -> Double {
        max(isDoubted ? Rules.doubtedPatience : least, Rules.patientIntervals * (interval ?? 0))
    }

    /// Seconds until GET READY is due, with this time to the stop. Where positions are rare, GET
    /// READY waits a little longer for the next one, which may show that the vehicle is still far
    /// away.
    private func readyWait(_ remaining: Pace.Remaining) -> Double {
        let wait = remaining.cautious - Double(notice) / 1_000
        guard let interval, interval >= Rules.rareInterval else { return wait }
        let awaited = Rules.awaitedIntervals * interval
        let longest = wait + Rules.readyPatience * remaining.typical
        return wait > 0 && wait <= awaited && awaited <= longest ? awaited : wait
    }

    /// Seconds until NOW is due, with this time to the stop. NOW waits a little longer for a
    /// position that should come soon, and before the stop is reached.
    func nowWait(_ remaining: Pace.Remaining) -> Double {
        min(
            remaining.typical - Rules.nowLead,
            max(
                remaining.cautious + Rules.nowBlind,
                min(remaining.patience, Rules.awaitedIntervals * (interval ?? 0))))
    }

    private func stillToGo(at time: Int64, on lines: [Line?]) -> (time: Int64, metres: Double) {
        guard let estimate else { return (0, 0) }
        let elapsed = Double(time - estimate.time) / 1_000
        let seconds = max(0, estimate.typical - elapsed)
        guard place == nil else {
            let share = seconds / max(1, estimate.typical)
            return (Int64(seconds * 1_000), max(0, estimate.metres * share))
        }
        // Without the line, which can't be read, the last known distance is the best there is.
        guard let line = lines[estimate.line] else {
            return (Int64(seconds * 1_000), max(0, estimate.metres))
        }
        let end = line.stops[estimate.call].along
        let metres = end - line.pace.along(seconds: seconds, before: end)
        return (Int64(seconds * 1_000), min(max(0, metres), max(0, estimate.metres)))
    }

    /// Of about equally likely places, the one from which the stop is reached first. A place behind
    /// the stop is used only if none before it is plausible. Beside a line that doesn't run, a
    /// place on one that does is likely enough if the vehicle has advanced there.
    private func likely(on lines: [Line?]) -> Hypothesis? {
        guard let best = match.best(isBackwards: false) else { return nil }
        var chosen: Hypothesis?
        var least = Double.infinity
        for hypothesis in match.hypotheses where !hypothesis.isBackwards {
            // The most likely come first.
            let isPreferred =
                hypothesis.isAdvancing && hypothesis.isRunning(among: lines)
                && !(chosen ?? best).isRunning(among: lines)
            let limit = chosen == nil ? Rules.plausible : Rules.tie
            guard isPreferred || hypothesis.cost <= best.cost + limit,
                let line = lines[hypothesis.line]
            else { continue }
            let end = line.stops[call(for: hypothesis, on: line)].along
            guard end - hypothesis.along >= -Rules.passedBy else { continue }
            let seconds = line.pace.seconds(from: hypothesis.along, to: end)
            if seconds < least { (chosen, least) = (hypothesis, seconds) }
        }
        return chosen ?? best
    }

    /// The call that this ride is for: the first one that was not behind at its start.
    private func call(for hypothesis: Hypothesis, on line: Line) -> Int {
        let calls = line.calls(at: target)
        let ahead = calls.first { line.stops[$0].along >= hypothesis.start - Rules.passedBy }
        return ahead ?? calls.last ?? 0
    }

    func goal(on lines: [Line?]) -> (line: Line, call: Int)? {
        if let estimate, let line = lines[estimate.line] { return (line, estimate.call) }
        for case let line? in lines {
            if let call = line.calls(at: target).first { return (line, call) }
        }
        return nil
    }

    private mutating func isStanding(at along: Double, _ time: Int64) -> Bool {
        guard let rest, abs(rest.along - along) < Rules.atStop / 2 else {
            self.rest = Rest(time: time, along: along)
            return false
        }
        return Double(time - rest.time) >= Rules.standing * 1_000
    }

    /// Whether enough was observed to raise an alarm: the vehicle follows the line and does not
    /// cross it.
    private func isShown(_ chosen: Hypothesis, _ fix: RideFix, on line: Line) -> Bool {
        guard chosen.fixes >= 2 else { return false }
        if let backward = match.best(isBackwards: true),
            backward.cost + Rules.against < chosen.cost, !chosen.isAdvancing
        {
            return false
        }
        let crow = fix.position.metres(to: line.position(at: chosen.start))
        let share = line.isStraight ? Rules.straightShare : Rules.followedShare
        let followed = share * crow - Rules.fixTolerance
        guard chosen.progress >= followed else { return false }
        // A vehicle that was reported elsewhere has to show more than one street in common.
        guard !isDoubted else { return chosen.progress >= Rules.regainedProgress }
        if chosen.progress >= Rules.shownProgress { return true }
        return Double(fix.time - chosen.since) >= Rules.shownTime * 1_000
            && chosen.offset <= Rules.closeToLine
    }
}
