import Messages
import Phrases
import RoutineDay

/// The rules of a running day. Its state follows only from the day and the time, so it doesn't
/// matter whether the service was running when something was due.
extension Day {
    /// By how much an action that overruns is extended at a time: five minutes, in milliseconds.
    private static let extension5: Int64 = 5 * DayTime.minute

    /// Brings the day up to a time: ends appointments, skips actions whose time is over, begins and
    /// lengthens actions, and fits the rest again if any of that moves it.
    ///
    /// - Parameters:
    ///   - now: the time, in milliseconds since 1970.
    ///   - time: the times of the day.
    ///   - urgent: what the person wants urgent alerts about.
    ///   - mustFit: whether a change was made that may move the rest.
    ///   - wasAhead: whether the clock was set back since the day was last settled.
    mutating func settle(
        at now: Int64, _ time: DayTime, urgent: [String] = [], mustFit: Bool = false,
        wasAhead: Bool = false
    ) throws {
        guard state == .confirmed else { return }
        guard now < time.end else { return close(time) }
        var mustFit = mustFit
        if takeBack(after: now, time, wasAhead: wasAhead) { mustFit = true }
        // Each round begins or ends something, and a day has few enough actions for this to end.
        for _ in 0...RoutineLimits.daySteps {
            let before = self
            endAppointments(at: now)
            // In a pause nothing announced moves: the rest is fitted when the person goes on.
            if skipPassed(at: now, time, urgent), paused == 0 || toCome.isEmpty { mustFit = true }
            if paused == 0, lengthenCurrent(at: now) { mustFit = true }
            if mustFit, !toCome.isEmpty || places.contains(where: { self[$0].state == .leftOut }) {
                let planned = self
                self = try DayFitting(self, time, at: now).fitted(isNew: false)
                keepUrgent(of: planned, time, urgent, at: now)
            }
            mustFit = false
            if paused == 0 { mustFit = beginCurrent(at: now, urgent) }
            if self == before { break }
        }
        if toCome.isEmpty { paused = 0 }
    }

    /// Replans the open actions after a change. In a running day, changes caused by time are
    /// settled first.
    ///
    /// - Parameters:
    ///   - time: the times of the day.
    ///   - urgent: what the person wants urgent alerts about.
    ///   - now: the time, in milliseconds since 1970.
    mutating func fit(_ time: DayTime, urgent: [String] = [], at now: Int64) throws {
        guard state != .confirmed else {
            return try settle(at: now, time, urgent: urgent, mustFit: true)
        }
        self = try DayFitting(self, time, at: max(now, time.begin)).fitted(isNew: true)
    }

    /// Returns a proposal as it can still be done: what should have begun by now gets another time,
    /// or is left out, as it is when the proposal is confirmed. Any other day stays as it is, and
    /// so does one that can't be planned.
    ///
    /// - Parameters:
    ///   - now: the time, in milliseconds since 1970.
    ///   - time: the times of the day.
    func proposed(at now: Int64, _ time: DayTime) throws -> Day {
        guard state == .proposed, now < time.end,
            places.contains(where: {
                !items[$0.item].isAppointment && self[$0].isToCome
                    && self[$0].start + DayTime.minute <= now
            })
        else { return self }
        do {
            return try DayFitting(self, time, at: now).fitted(isNew: false)
        } catch is Refusal { return self }
    }

    /// Returns when the day next changes by itself or an alert is due; nil when nothing is left.
    ///
    /// - Returns: milliseconds since 1970.
    func nextChange(after now: Int64, _ time: DayTime) -> Int64? {
        guard now < time.end else { return nil }
        var times = [time.end]
        guard state == .confirmed else { return time.end }
        for place in toCome {
            let (item, step) = (items[place.item], self[place])
            let leave = leave(place)
            if item.isAppointment {
                times += [leave, step.start, step.end]
            } else {
                let over = time.over(item)
                times.append(over)
                if step.began == 0 {
                    times += [step.start, lastBeginning(place, until: over) + 1]
                }
                if step.began > 0, paused == 0 { times.append(step.end) }
            }
            if warning > 0 { times.append(leave - Int64(warning) * DayTime.minute) }
        }
        return times.filter { $0 > now }.min()
    }

    /// Returns when to get ready for an appointment or to go there: when the time kept free for
    /// that begins. For everything else, returns when it begins.
    ///
    /// - Returns: milliseconds since 1970.
    func leave(_ place: Place) -> Int64 {
        self[place].start - Int64(items[place.item].preparation) * DayTime.minute
    }

    /// Closes a day that is over: every action that is still open is skipped.
    private mutating func close(_ time: DayTime) {
        endAppointments(at: time.end)
        for place in places where self[place].state == .unspecified {
            self[place].state = .skipped
            self[place].ended = time.end
            self[place].reason = Phrase(Said<DayPhrase>(.dayOver))
        }
        paused = 0
    }

    /// The reasons for which time alone skips an action.
    private static let byTime = Set(
        [DayPhrase.timeOver, .dayOver].map { Phrase(Said<DayPhrase>($0)).key })
    /// What is recorded when a person extends an action.
    private static let more = Phrase(Said<DayPhrase>(.more)).key

    /// Takes back what time alone has decided at a time that is still to come, because the clock
    /// was ahead then and has been set right. What people have marked stays.
    ///
    /// - Returns: whether anything was taken back.
    private mutating func takeBack(
        after now: Int64, _ time: DayTime, wasAhead: Bool
    ) -> Bool {
        let before = self
        // What has room only before the person gets up is skipped ahead of its time.
        let bound = max(now, time.instant(wake))
        for place in places {
            var step = self[place]
            let isAppointment = items[place.item].isAppointment
            if step.state == .done, isAppointment, step.ended > now {
                (step.state, step.ended) = (.unspecified, 0)
            }
            if step.state == .skipped, step.ended > bound,
                Self.byTime.contains(step.reason?.key ?? "")
            {
                step.state = step.start > 0 ? .unspecified : .leftOut
                (step.ended, step.reason) = (0, nil)
            }
            if step.state == .unspecified || step.state == .leftOut, step.began > now {
                step.began = 0
            }
            self[place] = step
        }
        if self != before || wasAhead { shortenCurrent(at: now) }
        return self != before
    }

    /// Takes back by how much the clock alone has extended what is being done, beyond the next few
    /// minutes.
    private mutating func shortenCurrent(at now: Int64) {
        for place in toCome where self[place].began > 0 && !items[place.item].isAppointment {
            let step = self[place]
            let planned = max(step.start, step.began) + step.length + step.rested
            let end = max(planned, now + Self.extension5)
            let hasMore = changes.contains { $0.text?.key == Self.more && $0.time >= step.began }
            if step.end > end, !hasMore { self[place].end = end }
        }
    }

    private mutating func endAppointments(at now: Int64) {
        for place in toCome where items[place.item].isAppointment && self[place].end <= now {
            self[place].state = .done
            self[place].began = self[place].start
            self[place].ended = self[place].end
        }
    }

    /// Skips actions that can no longer be done within their time. An urgent action that is due
    /// stands until its time is over, as it does when it has begun.
    private mutating func skipPassed(
        at now: Int64, _ time: DayTime, _ urgent: [String]
    ) -> Bool {
        var hasSkipped = false
        for place in toCome where !items[place.item].isAppointment {
            let over = time.over(items[place.item])
            let stands =
                self[place].began > 0
                || self[place].start <= now && isUrgent(place, among: urgent)
            guard now > (stands ? over - 1 : lastBeginning(place, until: over)) else { continue }
            self[place].state = .skipped
            self[place].ended = stands ? over : max(over - self[place].length, time.begin)
            self[place].reason = Phrase(
                Said<DayPhrase>(.timeOver, ["clock": .text(time.clock(over))]))
            hasSkipped = true
        }
        return hasSkipped
    }

    /// The last time at which an action can begin so that it is done within its time. It can always
    /// begin in the minute for which it is planned: a timer fires a little after its time.
    private func lastBeginning(_ place: Place, until over: Int64) -> Int64 {
        max(over - self[place].length, self[place].start + DayTime.minute - 1)
    }

    /// Leaves planned urgent actions where they were if they would be left out or skipped, or put
    /// off although they are due or while the current action takes longer than planned. Otherwise
    /// an action that nobody marks as done would put them off, without an alert, until their time
    /// is over. What the person wants later is moved.
    private mutating func keepUrgent(
        of planned: Day, _ time: DayTime, _ urgent: [String], at now: Int64
    ) {
        guard !urgent.isEmpty else { return }
        let takesLonger = planned.toCome.contains { place in
            let step = planned[place]
            return step.began > 0 && !planned.items[place.item].isAppointment
                && step.end > step.start + step.length
        }
        var kept: [String: DayStep] = [:]
        for place in planned.toCome {
            let (item, step) = (planned.items[place.item], planned[place])
            guard step.began == 0, !item.isAppointment,
                time.instant(item.wanted ?? 0) <= step.start,
                planned.isUrgent(place, among: urgent)
            else { continue }
            kept[step.id] = step
        }
        for place in places {
            guard let step = kept[self[place].id] else { continue }
            let isLater = self[place].start > step.start
            if self[place].start == 0 || isLater && (takesLonger || step.start <= now) {
                self[place] = step
            }
        }
        sort()
    }

    /// Begins the current action. Returns whether it is an urgent one that had to wait for others,
    /// so that the rest must be fitted again.
    private mutating func beginCurrent(at now: Int64, _ urgent: [String]) -> Bool {
        guard let place = current(at: now), self[place].began == 0 else { return false }
        self[place].began = self[place].start
        guard !items[place.item].isAppointment, isUrgent(place, among: urgent) else { return false }
        let ended = places.map { self[$0].ended }.filter { $0 <= now }.max() ?? 0
        guard ended > self[place].start else { return false }
        self[place].began = ended
        self[place].end = max(self[place].end, ended + self[place].length)
        return true
    }

    /// Lengthens an action that should have ended, until someone marks it as done.
    private mutating func lengthenCurrent(at now: Int64) -> Bool {
        guard let place = current(at: now), !items[place.item].isAppointment,
            self[place].began > 0, self[place].end <= now
        else { return false }
        let rounds = (now - self[place].end) / Self.extension5 + 1
        self[place].end += rounds * Self.extension5
        return true
    }

    // MARK: A person's input

    /// Gives more time to the action that is being done.
    ///
    /// - Throws: a refusal if nothing is being done.
    mutating func lengthen(by minutes: UInt32, at now: Int64) throws(Refusal) -> Place {
        guard (1...120).contains(minutes) else {
            throw .invalid("give 1 to 120 minutes more, not \(minutes)")
        }
        guard let place = current(at: now), !items[place.item].isAppointment else {
            throw .conflict("there is no current action to extend")
        }
        self[place].began = max(self[place].began, self[place].start)
        // In a pause its time stands still, and the end moves when the person goes on.
        let present = paused > 0 ? min(now, max(paused, self[place].began)) : now
        self[place].end = max(self[place].end, present) + Int64(minutes) * DayTime.minute
        return place
    }

    /// Pauses or resumes the time of the action that is being done.
    ///
    /// - Throws: a refusal if the day is paused, or running, already.
    mutating func pause(_ stands: Bool, at now: Int64) throws(Refusal) {
        guard stands != (paused > 0) else {
            throw .conflict(stands ? "the day is paused already" : "the day is not paused")
        }
        guard stands else {
            if let place = toCome.first(where: {
                self[$0].began > 0 && !items[$0.item].isAppointment
            }) {
                let rest = max(0, now - max(paused, self[place].began))
                self[place].end += rest
                self[place].rested += rest
            }
            paused = 0
            return
        }
        paused = now
    }
}
