/// A calendar that a person exported or a server offers (RFC 5545): events, and busy or free
/// periods without a reason.
package struct CalendarFile: Sendable {
    /// The name of the calendar; empty when it has none.
    package let name: String
    /// The events, in the order of the file.
    package let events: [CalendarEvent]
    /// The problems found in parts of the file. An event without a start is left out.
    package let problems: CalendarProblems
    private let busy: [(period: CalendarPeriod, kind: BusyTime.Kind)]
    private let availabilities: [Availability]

    /// Reads the bytes of a file.
    ///
    /// - Throws: `CalendarProblem` when it is not a calendar, is cut off, or exceeds
    ///   `CalendarLimits`.
    package init(_ bytes: some Sequence<UInt8>) throws(CalendarProblem) {
        let (calendars, faulty) = try ComponentReader.components(of: Array(bytes))
        if let old = calendars.lazy.compactMap({ $0.line("VERSION") }).first(where: {
            $0.value.hasPrefix("1.")
        }) {
            throw CalendarProblem(
                line: old.number, reason: "is vCalendar 1.0",
                cure: "export the calendar as iCalendar 2.0")
        }
        var reader = EventReader(try ZoneBook(calendars), faulty)
        var events: [CalendarEvent] = []
        var busy: [(period: CalendarPeriod, kind: BusyTime.Kind)] = []
        var availabilities: [Availability] = []
        for calendar in calendars {
            let isCancelled = calendar.line("METHOD")?.value.uppercased() == "CANCEL"
            for component in calendar.components {
                switch component.name {
                case "VEVENT":
                    if let event = try reader.event(component, isCancelled: isCancelled) {
                        events.append(event)
                    }
                case "VFREEBUSY": busy += try reader.busy(component)
                case "VAVAILABILITY":
                    guard availabilities.count < CalendarLimits.availabilities else {
                        throw component.problem(
                            nil,
                            "the file has more than \(CalendarLimits.availabilities) "
                                + "calendars of availability", "leave out the others")
                    }
                    availabilities.append(try reader.availability(component))
                default: break
                }
            }
        }
        name =
            calendars.lazy.compactMap { $0.line("X-WR-CALNAME") }.first
            .map { CalendarValue.text($0.value) } ?? ""
        self.events = events
        self.busy = busy
        self.availabilities = availabilities
        problems = reader.problems
    }

    /// The occurrences of events, by start, without cancelled ones.
    ///
    /// - Parameters:
    ///   - window: an occurrence is found when it overlaps the window.
    ///   - zone: the zone of the calendar's owner, for whole days and for times without a zone.
    /// - Throws: `CalendarProblem` when the window is too long, or events are repeated too often.
    package func occurrences(
        in window: TimeSpan, zone: Zone
    ) throws(CalendarProblem) -> [Occurrence] {
        try occurrences(in: window, zone: zone, steps: CalendarLimits.steps)
    }

    /// The same with another limit on the work.
    func occurrences(
        in window: TimeSpan, zone: Zone, steps: Int
    ) throws(CalendarProblem) -> [Occurrence] {
        var finder = OccurrenceFinder(try Self.validated(window), zone, WorkBudget(steps))
        try finder.add(events)
        return finder.found
    }

    /// The periods in which a person is busy, by start, clipped to a window. They may overlap.
    ///
    /// - Parameters:
    ///   - window: the window.
    ///   - zone: the zone of the calendar's owner.
    ///   - addresses: the person's addresses; what they declined leaves the person free.
    /// - Throws: the same as `occurrences(in:zone:)`.
    package func busyTimes(
        in window: TimeSpan, zone: Zone, addresses: Set<String> = []
    ) throws(CalendarProblem) -> [BusyTime] {
        let addresses = Set(addresses.map { $0.lowercased() })
        var times: [BusyTime] = []
        for occurrence in try occurrences(in: window, zone: zone) {
            guard let kind = occurrence.busyness(of: addresses),
                let span = occurrence.span.clipped(to: window)
            else { continue }
            times.append(BusyTime(span, kind, title: occurrence.title))
        }
        for (period, kind) in busy {
            let start = period.start.instant(in: zone)
            let own = period.start.zone(or: zone)
            let end = (period.length ?? CalendarLength()).end(
                from: start, period.start.wall, in: own)
            if let span = TimeSpan(start, end).clipped(to: window) {
                times.append(BusyTime(span, kind))
            }
        }
        times += try unavailable(in: window, zone)
        return times.sorted {
            ($0.span, $0.kind, $0.title) < ($1.span, $1.kind, $1.title)
        }
    }

    /// The periods outside a person's available times. An availability overrides those with a lower
    /// priority (RFC 7953, 5).
    private func unavailable(
        in window: TimeSpan, _ zone: Zone
    ) throws(CalendarProblem) -> [BusyTime] {
        var painted: [BusyTime] = []
        let order = availabilities.sorted { rank($0) < rank($1) }
        for availability in order {
            let range = TimeSpan(
                availability.start?.instant(in: zone) ?? window.start,
                availability.end?.instant(in: zone) ?? window.end)
            guard let range = range.clipped(to: window) else { continue }
            var finder = OccurrenceFinder(window, zone, WorkBudget(CalendarLimits.steps))
            try finder.add(availability.available)
            let free = TimeSpan.union(finder.found.map(\.span))
            painted = painted.flatMap { time in
                TimeSpan.subtracting([range], from: [time.span]).map { BusyTime($0, time.kind) }
            }
            guard let kind = availability.kind else { continue }
            painted += TimeSpan.subtracting(free, from: [range]).map { BusyTime($0, kind) }
        }
        return painted
    }

    /// The rank of an availability, from the lowest priority to the highest: 0, then 9 to 1.
    private func rank(_ availability: Availability) -> Int64 {
        availability.priority == 0 ? -10 : -availability.priority
    }

    private static func validated(_ window: TimeSpan) throws(CalendarProblem) -> TimeSpan {
        guard CalendarLimits.seconds.contains(window.start),
            window.end <= CalendarLimits.seconds.upperBound,
            window.length <= CalendarLimits.windowDays * 86_400
        else {
            throw CalendarProblem(
                reason: "times are worked out for \(CalendarLimits.windowDays) days at most, from "
                    + "1970 to 9999",
                cure: "choose a shorter window")
        }
        return window
    }
}

extension EventReader {
    /// The busy periods of a component.
    fileprivate mutating func busy(
        _ component: Component
    ) throws(CalendarProblem) -> [(period: CalendarPeriod, kind: BusyTime.Kind)] {
        var busy: [(period: CalendarPeriod, kind: BusyTime.Kind)] = []
        for line in component.lines("FREEBUSY") {
            let kind = Self.kind(line.parameter("FBTYPE") ?? "BUSY")
            for period in try periods(line, component) {
                if let kind { busy.append((period, kind)) }
            }
        }
        return busy
    }

    /// Reads a VAVAILABILITY component.
    fileprivate mutating func availability(
        _ component: Component
    ) throws(CalendarProblem) -> Availability {
        var available: [CalendarEvent] = []
        for part in component.components where part.name == "AVAILABLE" {
            if let event = try event(part) { available.append(event) }
        }
        let start = component.line("DTSTART").flatMap { moment($0, component) }
        var end = component.line("DTEND").flatMap { moment($0, component) }
        if end == nil, let start, let line = component.line("DURATION"),
            let length = CalendarValue.length(trimmed(line.value))
        {
            let zone = start.zone(or: .utc)
            let wall = WallTime(second: start.wall.second)
            end = .utc(length.end(from: zone.instant(of: wall), wall, in: zone))
        }
        let priority = component.line("PRIORITY").flatMap {
            CalendarValue.number(Array(trimmed($0.value).utf8)[...])
        }
        return Availability(
            priority: priority ?? 0, start: start, end: end,
            kind: Self.kind(component.line("BUSYTYPE")?.value ?? "BUSY-UNAVAILABLE"),
            available: available)
    }

    /// How busy a word of a calendar means; nil for free. An unknown word means busy.
    private static func kind(_ word: String) -> BusyTime.Kind? {
        switch trimmed(word).uppercased() {
        case "FREE": nil
        case "BUSY-TENTATIVE": .tentative
        case "BUSY-UNAVAILABLE": .unavailable
        default: .busy
        }
    }
}
