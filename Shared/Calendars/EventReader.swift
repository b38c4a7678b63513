/// Reads events and periods from the components of a calendar.
struct EventReader {
    private var zones: ZoneBook
    private var listed = 0
    private var unknownZones: Set<String> = []
    private(set) var problems: CalendarProblems

    init(_ zones: ZoneBook, _ problems: CalendarProblems) {
        self.zones = zones
        self.problems = problems
    }

    /// Reads an event; nil when it has no start, which becomes a problem.
    ///
    /// - Throws: `CalendarProblem` when the file lists too many dates.
    mutating func event(
        _ component: Component, isCancelled: Bool = false
    ) throws(CalendarProblem) -> CalendarEvent? {
        guard let start = component.line("DTSTART") else {
            problems.add(
                component.problem(nil, "has no DTSTART", "say when it begins: DTSTART:…"))
            return nil
        }
        guard let moment = moment(start, component) else { return nil }
        var event = CalendarEvent(
            uid: name(component.line("UID")), line: component.number, start: moment,
            length: length(component, from: moment))
        event.title = component.line("SUMMARY").map { CalendarValue.text($0.value) } ?? ""
        event.place = component.line("LOCATION").map { CalendarValue.text($0.value) } ?? ""
        event.sequence = component.line("SEQUENCE").flatMap { number($0.value) } ?? 0
        event.stamp =
            component.line("DTSTAMP").flatMap { CalendarValue.wall(trimmed($0.value)) }?
            .wall.second ?? 0
        readBusyness(component, isCancelled, &event)
        readAnswers(component, &event)
        try readRepetitions(component, &event)
        return event
    }

    private func readBusyness(
        _ component: Component, _ isCancelled: Bool, _ event: inout CalendarEvent
    ) {
        switch component.line("STATUS")?.value.uppercased() {
        case "CANCELLED": event.status = .cancelled
        case "TENTATIVE": event.status = .tentative
        default: event.status = isCancelled ? .cancelled : .confirmed
        }
        event.isTransparent = component.line("TRANSP")?.value.uppercased() == "TRANSPARENT"
        switch component.line("X-MICROSOFT-CDO-BUSYSTATUS")?.value.uppercased() {
        case "FREE": event.isTransparent = true
        case "OOF": event.isAway = true
        case "TENTATIVE" where event.status == .confirmed: event.status = .tentative
        default: break
        }
    }

    private mutating func readAnswers(_ component: Component, _ event: inout CalendarEvent) {
        let attendees = component.lines("ATTENDEE")
        if attendees.count > CalendarLimits.attendees {
            problems.add(
                component.problem(
                    attendees[CalendarLimits.attendees],
                    "has more than \(CalendarLimits.attendees) attendees",
                    "leave some out; the others count as attending"))
        }
        for line in attendees.prefix(CalendarLimits.attendees) {
            let answer: CalendarEvent.Answer? =
                switch line.parameter("PARTSTAT")?.uppercased() {
                case "DECLINED", "DELEGATED": .declined
                case "TENTATIVE": .tentative
                default: nil
                }
            guard let answer else { continue }
            for text in [line.value, line.parameter("EMAIL")] {
                guard let text, text.utf8.count <= CalendarLimits.nameBytes else { continue }
                let address = text.lowercased()
                let scheme = address.hasPrefix("mailto:") ? 7 : 0
                event.answers[String(address.dropFirst(scheme))] = answer
            }
        }
    }

    private mutating func readRepetitions(
        _ component: Component, _ event: inout CalendarEvent
    ) throws(CalendarProblem) {
        if let line = component.line("RECURRENCE-ID"), let moment = moment(line, component) {
            let range = line.parameter("RANGE")?.uppercased()
            event.exception = .init(moment: moment, andFuture: range == "THISANDFUTURE")
        }
        for line in component.lines("EXRULE").prefix(1) {
            problems.add(
                component.problem(
                    line, "EXRULE is not read",
                    "leave times out with EXDATE; RFC 5545 has no EXRULE"))
        }
        for line in component.lines("RRULE") { readRule(line, component, &event) }
        for line in component.lines("EXDATE") {
            for text in line.value.split(separator: ",") {
                try countDate(line, component)
                if let moment = moment(line, component, text) { event.omitted.append(moment) }
            }
        }
        for line in component.lines("RDATE") {
            for text in line.value.split(separator: ",") {
                try countDate(line, component)
                if let period = period(line, component, text) { event.extra.append(period) }
            }
        }
    }

    private mutating func readRule(
        _ line: ContentLine, _ component: Component, _ event: inout CalendarEvent
    ) {
        do throws(RuleFault) {
            guard event.rules.count < CalendarLimits.rules else {
                throw RuleFault("there are more than \(CalendarLimits.rules) rules")
            }
            var rule = try RecurrenceRule(trimmed(line.value))
            if event.start.isDay {
                guard rule.frequency.seconds == nil else {
                    throw RuleFault("a whole day cannot be repeated more than once a day")
                }
                (rule.hours, rule.minutes, rule.seconds) = ([], [], [])
            }
            event.rules.append(rule)
        } catch {
            problems.add(
                component.problem(
                    line, "RRULE is wrong: \(error.reason)",
                    "fix the rule; only the first time of the event is read"))
        }
    }

    /// The periods in a line such as `FREEBUSY`.
    mutating func periods(
        _ line: ContentLine, _ component: Component
    ) throws(CalendarProblem) -> [CalendarPeriod] {
        var periods: [CalendarPeriod] = []
        for text in line.value.split(separator: ",") {
            try countDate(line, component)
            if let period = period(line, component, text) { periods.append(period) }
        }
        return periods
    }

    private mutating func countDate(
        _ line: ContentLine, _ component: Component
    ) throws(CalendarProblem) {
        listed += 1
        guard listed <= CalendarLimits.listedDates else {
            throw component.problem(
                line, "the file lists more than \(CalendarLimits.listedDates) dates",
                "repeat events with RRULE, or split the calendar")
        }
    }

    /// The moment in a line, or in one of the texts that it lists.
    mutating func moment(
        _ line: ContentLine, _ component: Component, _ text: Substring? = nil
    ) -> CalendarMoment? {
        let text = trimmed(text ?? line.value[...])
        if let day = CalendarValue.day(text) { return .day(day) }
        guard let (wall, isUTC) = CalendarValue.wall(text) else {
            problems.add(
                component.problem(
                    line, "\(line.name) has \(shown(text)), which is not a date",
                    "write 20260328, 20260328T140000 or 20260328T130000Z"))
            return nil
        }
        if isUTC { return .utc(wall.second) }
        guard let name = line.parameter("TZID") else { return .floating(wall) }
        if let zone = zones.zone(name) { return .zoned(wall, zone) }
        if unknownZones.count < CalendarLimits.zones, unknownZones.insert(name).inserted {
            problems.add(
                component.problem(
                    line, "the zone \(shown(name)) is not known, so its times are read as local",
                    "use an IANA name such as Europe/Oslo, or describe it with VTIMEZONE"))
        }
        return .floating(wall)
    }

    private mutating func period(
        _ line: ContentLine, _ component: Component, _ text: Substring
    ) -> CalendarPeriod? {
        let ends = text.split(separator: "/", maxSplits: 1)
        guard let first = ends.first, let start = moment(line, component, first) else {
            return nil
        }
        guard ends.count == 2 else { return CalendarPeriod(start: start, length: nil) }
        let text = trimmed(ends[1])
        if let length = CalendarValue.length(text), length.days >= 0, length.seconds >= 0 {
            return CalendarPeriod(start: start, length: length)
        }
        guard let end = moment(line, component, text[...]),
            let length = Self.length(from: start, to: end)
        else { return nil }
        return CalendarPeriod(start: start, length: length)
    }

    private mutating func length(
        _ component: Component, from start: CalendarMoment
    ) -> CalendarLength {
        let usual = CalendarLength(days: start.isDay ? 1 : 0)
        if let line = component.line("DTEND") {
            guard let end = moment(line, component) else { return usual }
            if let length = Self.length(from: start, to: end) {
                return start.isDay && length.days == 0 ? usual : length
            }
            problems.add(
                component.problem(
                    line, "DTEND is before DTSTART, or one of them is a day and the other is not",
                    "make both days or both times, and put the end last"))
            return usual
        }
        guard let line = component.line("DURATION") else { return usual }
        guard let length = CalendarValue.length(trimmed(line.value)), length.days >= 0,
            length.seconds >= 0
        else {
            problems.add(
                component.problem(
                    line, "DURATION has \(shown(line.value)), which isn't a length of time",
                    "write P1D, PT30M or P1DT2H"))
            return usual
        }
        return length
    }

    /// The time from one moment to another; nil when the second is earlier or of another kind.
    private static func length(
        from start: CalendarMoment, to end: CalendarMoment
    ) -> CalendarLength? {
        guard start.isDay == end.isDay else { return nil }
        let seconds: Int64
        var (isWall, days): (Bool, Int64) = (false, 0)
        switch (start, end) {
        case (.day(let first), .day(let last)):
            (seconds, days) = (0, last - first)
        case (.floating(let first), .floating(let last)):
            (seconds, isWall) = (last.second - first.second, true)
        default:
            let zone = start.zone(or: end.zone(or: .utc))
            seconds = end.instant(in: zone) - start.instant(in: zone)
        }
        guard days >= 0, seconds >= 0 else { return nil }
        return CalendarLength(days: days, seconds: seconds, isWall: isWall)
    }

    private func name(_ line: ContentLine?) -> String {
        guard let text = line?.value else { return "" }
        return CalendarValue.text(text, most: CalendarLimits.nameBytes)
    }

    private func number(_ text: String) -> Int64? {
        CalendarValue.number(Array(trimmed(text).utf8)[...])
    }
}

/// A text without surrounding blanks.
func trimmed(_ text: some StringProtocol) -> String {
    let blanks: Set<Character> = [" ", "\t"]
    let end = text.lastIndex { !blanks.contains($0) }
    guard let end, let start = text.firstIndex(where: { !blanks.contains($0) }) else { return "" }
    return String(text[start...end])
}
