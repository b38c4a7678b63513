/// A component of a calendar, such as an event, with its lines and nested components.
struct Component {
    /// Its name, e.g. `VEVENT`.
    let name: String
    /// The line where it begins, counted from 1.
    let number: Int
    var lines: [ContentLine] = []
    var components: [Component] = []

    /// The first line with a name.
    func line(_ name: String) -> ContentLine? { lines.first { $0.name == name } }

    /// All lines with a name.
    func lines(_ name: String) -> [ContentLine] { lines.filter { $0.name == name } }

    /// Its name in a problem.
    var shownName: String {
        guard let uid = line("UID")?.value, !uid.isEmpty else { return name }
        return "\(name) \(shown(uid))"
    }

    /// Makes a problem about the component.
    func problem(
        _ line: ContentLine? = nil, _ reason: String, _ cure: String
    ) -> CalendarProblem {
        CalendarProblem(
            line: line?.number ?? number, component: shownName, reason: reason, cure: cure)
    }
}

/// Reads the components of a calendar from its lines.
struct ComponentReader {
    /// The names of the lines that are read.
    private static let wanted: Set<String> = [
        "ATTENDEE", "BEGIN", "BUSYTYPE", "DTEND", "DTSTAMP", "DTSTART", "DURATION", "END",
        "EXDATE", "EXRULE", "FREEBUSY", "LOCATION", "METHOD", "ORGANIZER", "PRIORITY", "RDATE",
        "RECURRENCE-ID", "RRULE", "SEQUENCE", "STATUS", "SUMMARY", "TRANSP", "TZID",
        "TZOFFSETFROM", "TZOFFSETTO", "UID", "VERSION", "X-MICROSOFT-CDO-BUSYSTATUS",
        "X-WR-CALNAME",
    ]
    /// The components that are kept; of all others only their beginning and end are read.
    private static let kept: Set<String> = [
        "VCALENDAR", "VEVENT", "VFREEBUSY", "VTIMEZONE", "STANDARD", "DAYLIGHT", "VAVAILABILITY",
        "AVAILABLE",
    ]

    private var open: [Component] = []
    private var calendars: [Component] = []
    private var count = 0
    private(set) var problems = CalendarProblems()

    /// The calendars of a file, and the problems of its lines.
    ///
    /// - Throws: `CalendarProblem` when the file is too large, cut off, or not a calendar.
    static func components(
        of bytes: [UInt8]
    ) throws(CalendarProblem) -> (calendars: [Component], problems: CalendarProblems) {
        guard bytes.count <= CalendarLimits.bytes else {
            throw CalendarProblem(
                reason: "has \(bytes.count) bytes, and at most \(CalendarLimits.bytes) are read",
                cure: "export fewer events, or split the calendar")
        }
        var reader = ComponentReader()
        var lines = ContentLines(bytes, wanted: wanted)
        while let line = try lines.next() { try reader.take(line) }
        guard let last = reader.open.last else {
            guard !reader.calendars.isEmpty else {
                throw CalendarProblem(
                    reason: "is not an iCalendar file", cure: "export the calendar as .ics")
            }
            return (reader.calendars, reader.problems)
        }
        throw CalendarProblem(
            line: last.number, component: last.shownName,
            reason: "the file breaks off before the end of it",
            cure: "copy or export the whole file again")
    }

    private mutating func take(_ line: ContentLines.Line) throws(CalendarProblem) {
        switch line {
        case .faulty(let problem):
            if open.isEmpty {
                throw CalendarProblem(
                    line: problem.line, reason: "is not an iCalendar file",
                    cure: "export the calendar as .ics, beginning with BEGIN:VCALENDAR")
            }
            problems.add(problem)
        case .line(let line) where line.name == "BEGIN": try begin(line)
        case .line(let line) where line.name == "END": try end(line)
        case .line(let line):
            let last = open.count - 1
            guard last >= 0, Self.kept.contains(open[last].name) else { return }
            guard open[last].lines.count < CalendarLimits.componentLines else {
                throw open[last].problem(
                    line, "has more than \(CalendarLimits.componentLines) lines",
                    "leave some out, or split the event")
            }
            open[last].lines.append(line)
        }
    }

    private mutating func begin(_ line: ContentLine) throws(CalendarProblem) {
        let name = Self.componentName(line)
        guard open.isEmpty == (name == "VCALENDAR") else {
            throw CalendarProblem(
                line: line.number, reason: "\(shown(name)) begins in the wrong place",
                cure: "begin the file with BEGIN:VCALENDAR, and close each calendar before the "
                    + "next")
        }
        count += 1
        guard open.count < CalendarLimits.depth, count <= CalendarLimits.components else {
            throw CalendarProblem(
                line: line.number,
                reason: "has more than \(CalendarLimits.components) components, or more than "
                    + "\(CalendarLimits.depth) nested",
                cure: "export fewer events, or split the calendar")
        }
        open.append(Component(name: name, number: line.number))
    }

    private mutating func end(_ line: ContentLine) throws(CalendarProblem) {
        let name = Self.componentName(line)
        guard let component = open.popLast(), component.name == name else {
            throw CalendarProblem(
                line: line.number, reason: "\(shown(name)) ends, but was not begun",
                cure: "close each BEGIN with an END")
        }
        guard Self.kept.contains(name) else { return }
        if open.isEmpty {
            calendars.append(component)
        } else {
            open[open.count - 1].components.append(component)
        }
    }

    private static func componentName(_ line: ContentLine) -> String {
        let name = line.value.prefix(64).uppercased()
        return String(name.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}

/// The problems of a file: the first ones, and the number of all.
package struct CalendarProblems: Sendable {
    /// The first problems, in the order in which they were found.
    package private(set) var first: [CalendarProblem] = []
    /// The number of all problems.
    package private(set) var count = 0

    mutating func add(_ problem: CalendarProblem) {
        count += 1
        if first.count < CalendarLimits.problems { first.append(problem) }
    }
}
