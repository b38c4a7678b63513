import Messages
import Phrases

/// What a person can mark in a day: the same for the service and for every device.
extension Day {
    /// The action with an id, or the only one of the item with that id; for an empty id the current
    /// one, or else the next. An appointment that hasn't begun must be named: nobody who means what
    /// they have just done means a visit hours ahead.
    ///
    /// - Throws: a refusal when there is none.
    package func place(_ id: String, at now: Int64) throws(Refusal) -> Place {
        guard !id.isEmpty else {
            if let place = current(at: now) { return place }
            guard let next = next(at: now) else {
                throw .conflict(
                    isFinished ? "the day is done" : "nothing is to be done in this day")
            }
            let item = items[next.item]
            guard !item.isAppointment else {
                throw .conflict(
                    "nothing is to be done until “\(item.title)” begins; to mark that now, give "
                        + "its number in steward day show")
            }
            return next
        }
        if let place = places.first(where: { self[$0].id == id }) { return place }
        guard let index = items.firstIndex(where: { $0.id == id }), !items[index].steps.isEmpty
        else {
            throw .notFound("there is no action \(id.prefix(40)) in this day; see steward day show")
        }
        guard items[index].steps.count == 1 else {
            throw .invalid(
                "“\(items[index].title)” has several actions; give the number of one, such as "
                    + "\(items[index].steps[0].id)")
        }
        return Place(item: index, step: 0)
    }

    /// Refuses to mark actions in a day that isn't running.
    package func requireRunning(_ time: DayTime, at now: Int64) throws(Refusal) {
        guard state == .confirmed else {
            throw .conflict("the day is not confirmed yet; do it with steward day confirm")
        }
        guard now >= time.begin else { throw .conflict("\(date) has not begun yet") }
    }

    /// Records that an action was done or skipped now.
    ///
    /// - Throws: a refusal when it is already marked so.
    package mutating func mark(_ place: Place, _ state: StepState, at now: Int64) throws(Refusal) {
        guard self[place].state != state else {
            throw .conflict(
                "“\(self[place].action?.title(in: .english) ?? "")” is marked so already; "
                    + "steward day undo takes the last change back")
        }
        if state == .done {
            self[place].isMeasured = self[place].began > 0
            if paused > 0 { self[place].rested += max(0, now - max(paused, self[place].began)) }
        }
        if state == .done, self[place].began == 0 {
            self[place].began = max(0, now - self[place].length)
            if self[place].start > 0, self[place].start <= now {
                self[place].began = self[place].start
            }
        }
        self[place].state = state
        self[place].ended = now
        self[place].reason = state == .skipped ? Phrase(Said<DayPhrase>(.passedOver)) : nil
        // An action that was done before its time frees that time.
        if self[place].start == 0 { (self[place].start, self[place].end) = (now, now) }
    }

    /// Begins the next action of the same routine immediately, if no other action is due and it
    /// ends before anything fixed. What was done or skipped ahead of its time, outside the hours of
    /// its routine, begins nothing: the rest of the evening stays in the evening.
    package mutating func goOn(after place: Place, at now: Int64) {
        guard state == .confirmed, paused == 0, hadBegun(place) || isOpen(place.item, at: now),
            !toCome.contains(where: { self[$0].began > 0 || isWaiting($0, at: now) })
        else { return }
        let rest = toCome.first { $0.item == place.item && $0.step > place.step }
        guard let rest, self[rest].start > now else { return }
        let end = now + self[rest].length
        let isFree = items.filter(\.isAppointment).allSatisfy { item in
            guard let fixed = item.steps.first, fixed.isToCome else { return true }
            return end <= fixed.start - Int64(item.preparation) * DayTime.minute
        }
        guard isFree else { return }
        (self[rest].start, self[rest].began, self[rest].end) = (now, now, end)
    }

    /// Whether an action that has not been done is due: something else took longer.
    private func isWaiting(_ place: Place, at now: Int64) -> Bool {
        !items[place.item].isAppointment && self[place].start <= now
    }

    /// Whether a marked action was being done when it was marked.
    private func hadBegun(_ place: Place) -> Bool {
        self[place].state == .done ? self[place].isMeasured : self[place].began > 0
    }

    /// Whether the time of an item has come and is not over; false if its zone is unknown here.
    private func isOpen(_ item: Int, at now: Int64) -> Bool {
        guard let time = DayTime(of: self) else { return false }
        return time.instant(items[item].from) <= now && now < time.over(items[item])
    }
}
