import Dates
import Messages
import XMLText

/// Reads the calendars of a file of MS Project: the days and hours of work of the project and of
/// each person, holidays, and absences.
struct ProjectXMLCalendars {
    /// The maximum number of days of one exception that are read.
    private static let mostDays = 1_000
    /// The maximum number of days of a calendar that differ from its week, as in a message.
    private static let mostSpecial = 2_000

    private var nodes: [String: XMLNode] = [:]
    /// The contents that can't be kept, a sentence for each.
    private(set) var leftOut: [String] = []

    init(_ calendars: [XMLNode]) {
        for node in calendars where nodes[node.text(of: "UID")] == nil {
            nodes[node.text(of: "UID")] = node
        }
    }

    /// The calendar of a project; nil when the file has none with that number.
    mutating func project(_ uid: String) throws(ProjectFileError) -> WorkWeeks? {
        guard let node = nodes[uid] else { return nil }
        var weeks = WorkWeeks()
        try take(node, &weeks, isOfPerson: false)
        return weeks
    }

    /// The calendar of a person, which states its differences from the one it is based on; nil when
    /// the file has none with that number.
    mutating func person(_ uid: String) throws(ProjectFileError) -> WorkWeeks? {
        guard let node = nodes[uid] else { return nil }
        var weeks = try project(node.text(of: "BaseCalendarUID")) ?? WorkWeeks()
        let base = nodes[node.text(of: "BaseCalendarUID")]
        try take(node, &weeks, isOfPerson: base != nil)
        return weeks
    }

    private mutating func take(
        _ node: XMLNode, _ weeks: inout WorkWeeks, isOfPerson: Bool
    ) throws(ProjectFileError) {
        let usual = WorkDay(hours: [
            WorkHours(from: 480, to: 720), WorkHours(from: 780, to: 1_020),
        ])
        let days = node.first("WeekDays")?.children.filter { $0.name == "WeekDay" } ?? []
        for day in days {
            let type = try day.number("DayType", 0...7) ?? 0
            guard type > 0 else {
                // Older files have exceptions among the days of the week.
                try take(exception: day, &weeks, isOfPerson: isOfPerson)
                continue
            }
            if weeks.days.isEmpty {
                weeks.days = (0..<7).map { $0 < 5 ? usual : WorkDay() }
            }
            // 1 is Sunday; our weeks begin on Monday.
            weeks.days[(type + 5) % 7] = WorkDay(hours: try hours(of: day))
        }
        for exception in node.first("Exceptions")?.children ?? []
        where exception.name == "Exception" {
            try take(exception: exception, &weeks, isOfPerson: isOfPerson)
        }
    }

    private mutating func take(
        exception node: XMLNode, _ weeks: inout WorkWeeks, isOfPerson: Bool
    ) throws(ProjectFileError) {
        guard let period = node.first("TimePeriod"), let first = try day(period, "FromDate"),
            let last = try day(period, "ToDate"), first <= last
        else { return leaveOut(node, "an exception of a calendar without a first and last day") }
        let name = String(node.text(of: "Name").prefix(60))
        let count = last.daysSince1970 - first.daysSince1970 + 1
        let isRepeated = (try node.number("Type", 0...10) ?? 1) > 1
        guard !isRepeated, count <= Self.mostDays else {
            return leaveOut(
                node,
                "an exception of a calendar that is repeated or longer than "
                    + "\(Self.mostDays) days")
        }
        let hours = try hours(of: node)
        let known = Set(weeks.special.map(\.date))
        if isOfPerson, hours.isEmpty {
            // A single day that is already a holiday of the project isn't an absence too.
            guard count > 1 || !known.contains(first.iso) else { return }
            weeks.absences.append(WorkAbsence(first: first.iso, last: last.iso, reason: name))
            return
        }
        let dates = (0..<count).map { CivilDate(daysSince1970: first.daysSince1970 + $0).iso }
        let replaced = Set(dates)
        weeks.special.removeAll { replaced.contains($0.date) }
        weeks.special += dates.map { SpecialDay(date: $0, name: name, hours: hours) }
        guard weeks.special.count <= Self.mostSpecial else {
            throw ProjectFileError(
                line: node.line, column: "<Exception>",
                "up to here the calendar has more than \(Self.mostSpecial) days that differ from "
                    + "its week", "remove exceptions that are over")
        }
        weeks.special.sort { $0.date < $1.date }
    }

    private mutating func leaveOut(_ node: XMLNode, _ what: String) {
        leftOut.append("line \(node.line): \(what)")
    }

    private func day(
        _ node: XMLNode, _ name: String
    ) throws(ProjectFileError) -> CivilDate? {
        let text = node.text(of: name)
        guard !text.isEmpty else { return nil }
        guard let day = CivilDate(iso: text.prefix(10)) else {
            throw ProjectFileError(
                line: node.first(name)?.line ?? node.line, column: "<\(name)>",
                "\(text.shown) isn't a date and time", "write it as 2026-03-31T00:00:00")
        }
        return day
    }

    private func hours(of node: XMLNode) throws(ProjectFileError) -> [WorkHours] {
        guard node.text(of: "DayWorking") != "0" else { return [] }
        var hours: [WorkHours] = []
        for time in node.first("WorkingTimes")?.children ?? [] where time.name == "WorkingTime" {
            let from = try minutes(time, "FromTime")
            let to = try minutes(time, "ToTime")
            // Midnight means the end of the day, and so does the 23:59 that another program writes.
            let end = to == 0 || to == 1_439 ? 1_440 : to
            guard from < end else {
                throw ProjectFileError(
                    line: time.line, column: "<ToTime>", "the work ends before it begins",
                    "write it as 17:00:00")
            }
            hours.append(WorkHours(from: UInt32(from), to: UInt32(end)))
        }
        return hours.sorted { $0.from < $1.from }
    }

    private func minutes(
        _ node: XMLNode, _ name: String
    ) throws(ProjectFileError) -> Int {
        let text = node.text(of: name)
        guard let match = text.wholeMatch(of: /(\d{2}):(\d{2})(?::\d{2})?/),
            let hour = Int(match.1), let minute = Int(match.2), hour < 24, minute < 60
        else {
            throw ProjectFileError(
                line: node.first(name)?.line ?? node.line, column: "<\(name)>",
                "\(text.shown) isn't a time of day", "write it as 08:00:00")
        }
        return hour * 60 + minute
    }
}
