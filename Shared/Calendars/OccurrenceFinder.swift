/// Finds the occurrences of events in a window: it repeats events and applies their exceptions.
struct OccurrenceFinder {
    private let window: TimeSpan
    /// The zone for days and for times without one.
    private let zone: Zone
    private var budget: WorkBudget
    private(set) var found: [Occurrence] = []

    init(_ window: TimeSpan, _ zone: Zone, _ budget: WorkBudget) {
        self.window = window
        self.zone = zone
        self.budget = budget
    }

    /// Adds the occurrences of events; those with the same UID belong together.
    ///
    /// - Throws: `CalendarProblem` when there are too many.
    mutating func add(_ events: [CalendarEvent]) throws(CalendarProblem) {
        var series: [String: [CalendarEvent]] = [:]
        var order: [String] = []
        for event in events {
            if event.uid.isEmpty {
                try add(series: [event])
            } else if series[event.uid]?.append(event) == nil {
                series[event.uid] = [event]
                order.append(event.uid)
            }
        }
        for uid in order { try add(series: series[uid] ?? []) }
        found.sort { ($0.span, $0.uid, $0.title) < ($1.span, $1.uid, $1.title) }
    }

    private mutating func add(series events: [CalendarEvent]) throws(CalendarProblem) {
        let masters = events.filter { $0.exception == nil }
        let newest = masters.map(\.sequence).max() ?? 0
        let exceptions = standing(
            events.filter { $0.exception != nil }, beside: masters.first { $0.sequence == newest })
        var culprit = events.first
        do {
            for master in masters where master.sequence == newest {
                culprit = master
                try budget.spend(exceptions.count + 1)
                let own = master.start.zone(or: zone)
                try add(
                    master, Exceptions(exceptions, zone: own, ofDays: master.start.isDay))
            }
            for event in Exceptions(exceptions, zone: zone, ofDays: false).latest {
                culprit = event
                let zone = event.start.zone(or: zone)
                try add(event, event.start.wall, event.length, in: zone)
            }
        } catch {
            throw CalendarProblem(
                line: culprit?.line ?? 0, component: "VEVENT \(shown(culprit?.uid ?? ""))",
                reason: "is repeated more often than can be worked out",
                cure: "repeat it less often, or end it with UNTIL")
        }
    }

    /// The exceptions without those that a newer version of their event leaves out or cancels.
    private func standing(
        _ exceptions: [CalendarEvent], beside master: CalendarEvent?
    ) -> [CalendarEvent] {
        guard let master, !exceptions.isEmpty else { return exceptions }
        let own = master.start.zone(or: zone)
        let omitted = Moments(master.omitted, zone: own, ofDays: master.start.isDay)
        return exceptions.filter { event in
            guard let moment = event.exception?.moment, event.sequence < master.sequence else {
                return true
            }
            let instant = moment.instant(in: own)
            return master.status != .cancelled
                && !omitted.contains(instant, own.wall(at: instant))
        }
    }

    private mutating func add(
        _ master: CalendarEvent, _ exceptions: Exceptions
    ) throws(TooMuchWork) {
        guard master.status != .cancelled else { return }
        let own = master.start.zone(or: zone)
        var times = PlannedTimes(master, exceptions, own, window)
        if let time = times.take(master.start.wall, own.instant(of: master.start.wall)) {
            try add(time.event, time.wall, time.length, in: own)
        }
        for rule in master.rules { try add(rule, of: master, in: own, &times) }
        for period in master.extra {
            try budget.spend(1)
            let instant = period.start.zone(or: own).instant(of: period.start.wall)
            if let time = times.take(own.wall(at: instant), instant, period.length) {
                try add(time.event, time.wall, time.length, in: own)
            }
        }
    }

    private mutating func add(
        _ rule: RecurrenceRule, of master: CalendarEvent, in own: Zone,
        _ times: inout PlannedTimes
    ) throws(TooMuchWork) {
        var walk = try RecurrenceWalk(
            rule, start: master.start.wall,
            from: rule.count == nil ? WallTime(second: times.from) : nil,
            last: WallTime(second: times.last), &budget)
        // The start is the first occurrence, whether or not the rule includes it.
        var left = (rule.count ?? .max) - 1
        while left > 0, let wall = try walk.next(&budget) {
            guard wall > master.start.wall else { continue }
            let (instant, isSkipped) = own.moment(of: wall)
            let end = master.start.isDay ? wall.second : instant
            guard rule.until?.admits(wall, end) ?? true else { return }
            // A time that the clock skips does not exist and is not counted (RFC 5545, 3.3.10).
            if isSkipped && !master.start.isDay { continue }
            left -= 1
            if let time = times.take(wall, instant) {
                try add(time.event, time.wall, time.length, in: own)
            }
        }
    }

    private mutating func add(
        _ event: CalendarEvent, _ wall: WallTime, _ length: CalendarLength, in zone: Zone
    ) throws(TooMuchWork) {
        guard event.status != .cancelled else { return }
        let start = zone.instant(of: wall)
        let span = TimeSpan(start, length.end(from: start, wall, in: zone))
        let isInside =
            span.isEmpty ? window.start <= start && start < window.end : span.overlaps(window)
        guard isInside else { return }
        guard found.count < CalendarLimits.occurrences else { throw TooMuchWork() }
        found.append(Occurrence(event, span))
    }
}

/// The planned occurrences of a repeated event: each once, with its exceptions applied.
private struct PlannedTimes {
    /// The earliest wall time whose occurrence may be in the window.
    let from: Int64
    /// The latest such wall time.
    let last: Int64
    private let master: CalendarEvent
    private let omitted: Moments
    private let exceptions: Exceptions
    private let window: TimeSpan
    private let margin: Int64
    private var seen: Set<Int64> = []

    init(_ master: CalendarEvent, _ exceptions: Exceptions, _ zone: Zone, _ window: TimeSpan) {
        self.master = master
        self.exceptions = exceptions
        self.window = window
        omitted = Moments(master.omitted, zone: zone, ofDays: master.start.isDay)
        margin = exceptions.mostShift + 172_800
        from = window.start - master.length.mostSeconds - margin
        last = window.end + margin
    }

    /// The event, start and length of a planned occurrence; nil when it is not in the window, is a
    /// repetition of an earlier one, is left out, or has an exception of its own.
    mutating func take(
        _ wall: WallTime, _ instant: Int64, _ own: CalendarLength? = nil
    ) -> (event: CalendarEvent, wall: WallTime, length: CalendarLength)? {
        let length = own ?? master.length
        guard instant <= last, instant + length.mostSeconds + margin >= window.start,
            seen.insert(instant).inserted, !omitted.contains(instant, wall),
            !exceptions.single.contains(instant, wall)
        else { return nil }
        guard let shift = exceptions.shift(at: instant) else { return (master, wall, length) }
        return (
            shift.event, WallTime(second: wall.second + shift.seconds), shift.event.length
        )
    }
}

/// Moments that select occurrences of an event: a day selects all that begin on it, and for a
/// whole-day event any time selects its day.
private struct Moments {
    private var instants: Set<Int64> = []
    private var days: Set<Int64> = []

    init(_ moments: [CalendarMoment], zone: Zone, ofDays: Bool) {
        for moment in moments {
            if case .day(let day) = moment {
                days.insert(day)
            } else if case .utc(let instant) = moment, ofDays {
                days.insert(zone.wall(at: instant).day)
            } else if ofDays {
                days.insert(moment.wall.day)
            } else {
                instants.insert(moment.instant(in: zone))
            }
        }
    }

    func contains(_ instant: Int64, _ wall: WallTime) -> Bool {
        instants.contains(instant) || !days.isEmpty && days.contains(wall.day)
    }
}

/// The exceptions of a repeated event.
private struct Exceptions {
    struct Shift {
        let start: Int64
        let event: CalendarEvent
        /// How much later than planned the occurrences are.
        let seconds: Int64
    }

    /// The newest exception for each occurrence.
    let latest: [CalendarEvent]
    /// The occurrences with an exception of their own.
    let single: Moments
    /// The exceptions that move all later occurrences, in order.
    private let shifts: [Shift]
    /// The maximum time by which an exception moves occurrences, in seconds.
    let mostShift: Int64

    init(_ events: [CalendarEvent], zone: Zone, ofDays: Bool) {
        var newest: [Int64: CalendarEvent] = [:]
        var moments: [CalendarMoment] = []
        for event in events {
            guard let exception = event.exception else { continue }
            moments.append(exception.moment)
            let instant = exception.moment.instant(in: zone)
            if let other = newest[instant],
                (other.sequence, other.stamp) > (event.sequence, event.stamp)
            {
                continue
            }
            newest[instant] = event
        }
        let sorted = newest.sorted { $0.key < $1.key }
        latest = sorted.map(\.value)
        single = Moments(moments, zone: zone, ofDays: ofDays)
        shifts = sorted.compactMap { instant, event in
            guard let exception = event.exception, exception.andFuture else { return nil }
            let start = zone.wall(at: event.start.zone(or: zone).instant(of: event.start.wall))
            let planned = zone.wall(at: instant)
            return Shift(start: instant, event: event, seconds: start.second - planned.second)
        }
        mostShift = shifts.map { abs($0.seconds) + $0.event.length.mostSeconds }.max() ?? 0
    }

    /// The exception that moves an occurrence planned for an instant; nil when there is none.
    func shift(at instant: Int64) -> Shift? {
        var (low, high) = (0, shifts.count)
        while low < high {
            let middle = (low + high) / 2
            if shifts[middle].start < instant { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : shifts[low - 1]
    }
}
