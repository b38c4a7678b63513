import Dates
import ProjectNetwork
import ProjectRecord
import WorkCalendar
import XMLText

/// Writes a project as the XML of Microsoft Project (MSPDI): tasks in their outline, links from
/// finish to start, people with their calendars, and baselines.
package struct ProjectXMLWriter {
    /// The maximum number of baselines in a file.
    private static let mostBaselines = 11

    private var xml = XMLWriter()
    private let record: ProjectRecord
    private let parts: [Int: [Int]]
    private let incoming: [Int: [IssueRelation]]
    private let baselines: [KeptBaseline]

    /// The document; the same project gives the same bytes.
    package static func document(of record: ProjectRecord) -> [UInt8] {
        var writer = ProjectXMLWriter(record)
        writer.write()
        return writer.xml.bytes
    }

    /// What a project has that the format, as it is written here, has no place for.
    package static func leftOut(of record: ProjectRecord) -> [String] {
        let issues = record.issues.values
        let details = record.details
        let hasSkills =
            issues.contains { !$0.skills.isEmpty }
            || record.members.values.contains { !$0.skills.isEmpty }
        var found: [String] = []
        if !record.versions.isEmpty { found.append("versions") }
        if issues.contains(where: { $0.status != details.statuses.first?.name }) {
            found.append("statuses")
        }
        if issues.contains(where: { $0.tracker != details.trackers.first }) {
            found.append("trackers")
        }
        if hasSkills { found.append("skills") }
        if record.relations.values.contains(where: { $0.kind != .precedes }) {
            found.append("relations other than “follows”")
        }
        let calendars = [details.calendar] + record.members.values.map(\.calendar)
        let hours = calendars.lazy.flatMap { $0.week.days + $0.holidays.map(\.hours) }.joined()
        if hours.contains(where: { $0.upperBound > 1_440 }) { found.append("work after midnight") }
        if !record.baselines.isEmpty { found.append("names of baselines") }
        if record.baselines.count > mostBaselines {
            found.append("all baselines but the last \(mostBaselines)")
        }
        return found
    }

    private init(_ record: ProjectRecord) {
        self.record = record
        parts = record.partsOfWholes
        incoming = Dictionary(
            grouping: record.relations.values.filter { $0.kind == .precedes }
                .sorted { $0.id < $1.id }
        ) { $0.to }
        baselines = record.baselines.values.sorted { $0.id < $1.id }.suffix(Self.mostBaselines)
    }

    private mutating func write() {
        let details = record.details
        let starts = record.issues.values.compactMap { $0.span.start ?? $0.span.due }
        xml.open("Project", [("xmlns", "http://schemas.microsoft.com/project")])
        xml.element("SaveVersion", "14")
        xml.element("Name", details.identifier)
        xml.element("Title", details.name)
        xml.element("ScheduleFromStart", "1")
        if let start = starts.min() { xml.element("StartDate", start.iso + "T08:00:00") }
        xml.element("CalendarUID", "1")
        xml.element("MinutesPerDay", "480")
        xml.element("MinutesPerWeek", "2400")
        xml.element("DaysPerMonth", "20")
        xml.element("DefaultStartTime", "08:00:00")
        xml.element("DefaultFinishTime", "17:00:00")
        xml.open("Calendars")
        write(details.calendar, uid: 1, name: details.name, isBase: true)
        let members = record.members.values.sorted { $0.id < $1.id }
        for member in members {
            write(member.calendar, uid: member.id + 1, name: member.name, isBase: false)
        }
        xml.close()
        xml.open("Tasks")
        var number = 0
        var open = record.issues.values.filter { $0.parent == nil }.map { (id: $0.id, level: 1) }
            .sorted { $0.id > $1.id }
        while let (id, level) = open.popLast() {
            guard let issue = record.issues[id] else { continue }
            number += 1
            write(issue, level: level, number: number)
            open += (parts[id] ?? []).reversed().map { ($0, level + 1) }
        }
        xml.close()
        xml.open("Resources")
        for member in members { write(member) }
        xml.close()
        xml.open("Assignments")
        var assignment = 0
        for issue in record.issues.values.sorted(by: { $0.id < $1.id }) {
            guard let member = issue.assignee else { continue }
            assignment += 1
            xml.open("Assignment")
            xml.element("UID", "\(assignment)")
            xml.element("TaskUID", "\(issue.id)")
            xml.element("ResourceUID", "\(member)")
            if let estimate = issue.estimate { xml.element("Work", Self.duration(estimate)) }
            xml.close()
        }
        xml.close()
        xml.close()
    }

    // MARK: Tasks

    private mutating func write(_ issue: ProjectIssue, level: Int, number: Int) {
        let hasParts = parts[issue.id] != nil
        xml.open("Task")
        xml.element("UID", "\(issue.id)")
        xml.element("ID", "\(number)")
        xml.element("Name", issue.subject)
        xml.element("Manual", issue.isFixed ? "1" : "0")
        xml.element("Type", "1")
        xml.element("IsNull", "0")
        xml.element("OutlineLevel", "\(level)")
        xml.element("Priority", "\(Self.priority(issue.priority))")
        write(issue.span, of: issue)
        if let estimate = issue.estimate { xml.element("Work", Self.duration(estimate)) }
        xml.element("Milestone", issue.isMilestone ? "1" : "0")
        xml.element("Summary", hasParts ? "1" : "0")
        xml.element("PercentComplete", "\(issue.done)")
        if let start = issue.span.start, !hasParts {
            // A written task begins at its date, unless a predecessor moves it.
            xml.element("ConstraintType", issue.isFixed ? "2" : "4")
            xml.element("ConstraintDate", start.iso + "T08:00:00")
        }
        if !issue.description.isEmpty { xml.element("Notes", issue.description) }
        for relation in incoming[issue.id] ?? [] {
            xml.open("PredecessorLink")
            xml.element("PredecessorUID", "\(relation.from)")
            xml.element("Type", "1")
            xml.element("CrossProject", "0")
            // Tenths of minutes of work, shown in days.
            xml.element("LinkLag", "\(relation.delay * 4_800)")
            xml.element("LagFormat", "7")
            xml.close()
        }
        for (place, kept) in baselines.enumerated() {
            guard let span = kept.baseline.spans[issue.id] else { continue }
            xml.open("Baseline")
            xml.element("Number", "\(place)")
            if let start = span.start { xml.element("Start", start.iso + "T08:00:00") }
            if let due = span.due { xml.element("Finish", due.iso + "T17:00:00") }
            xml.close()
        }
        xml.close()
    }

    private mutating func write(_ span: Span, of issue: ProjectIssue) {
        if let start = span.start { xml.element("Start", start.iso + "T08:00:00") }
        if let due = span.due {
            let isMoment = issue.isMilestone && span.start.map { $0 == due } ?? true
            xml.element("Finish", due.iso + (isMoment ? "T08:00:00" : "T17:00:00"))
        }
        guard let start = span.start, let due = span.due else { return }
        let minutes = record.details.calendar.workingMinutes(
            from: start, to: CivilDate(daysSince1970: due.daysSince1970 + 1))
        xml.element("Duration", Self.duration(issue.isMilestone ? 0 : minutes))
        xml.element("DurationFormat", "7")
    }

    private static func duration(_ minutes: Int) -> String {
        "PT\(minutes / 60)H\(minutes % 60)M0S"
    }

    private static func priority(_ importance: Importance) -> Int {
        switch importance {
        case .low: 300
        case .normal: 500
        case .high: 600
        case .urgent: 800
        case .immediate: 1_000
        }
    }

    // MARK: People

    private mutating func write(_ member: Member) {
        xml.open("Resource")
        xml.element("UID", "\(member.id)")
        xml.element("ID", "\(member.id)")
        xml.element("Name", member.name)
        xml.element("Type", "1")
        xml.element("IsNull", "0")
        let hundredths = String(100 + member.share % 100).dropFirst()
        xml.element("MaxUnits", "\(member.share / 100).\(hundredths)")
        xml.element("CalendarUID", "\(member.id + 1)")
        xml.close()
    }

    private mutating func write(_ calendar: WorkCalendar, uid: Int, name: String, isBase: Bool) {
        xml.open("Calendar")
        xml.element("UID", "\(uid)")
        xml.element("Name", name)
        xml.element("IsBaseCalendar", isBase ? "1" : "0")
        xml.element("BaseCalendarUID", isBase ? "-1" : "1")
        xml.open("WeekDays")
        for day in 0..<7 {
            // 1 is Sunday; our weeks begin on Monday.
            let hours = calendar.week.days[(day + 6) % 7]
            xml.open("WeekDay")
            xml.element("DayType", "\(day + 1)")
            xml.element("DayWorking", hours.isEmpty ? "0" : "1")
            write(hours)
            xml.close()
        }
        xml.close()
        xml.open("Exceptions")
        for holiday in calendar.holidays {
            write(holiday.day, holiday.day, holiday.name, holiday.hours)
        }
        for absence in calendar.absences {
            write(absence.days.lowerBound, absence.days.upperBound, absence.reason, [])
        }
        xml.close()
        xml.close()
    }

    private mutating func write(
        _ first: CivilDate, _ last: CivilDate, _ name: String, _ hours: [Range<Int>]
    ) {
        xml.open("Exception")
        xml.element("EnteredByOccurrences", "0")
        xml.open("TimePeriod")
        xml.element("FromDate", first.iso + "T00:00:00")
        xml.element("ToDate", last.iso + "T23:59:00")
        xml.close()
        xml.element("Occurrences", "\(last.daysSince1970 - first.daysSince1970 + 1)")
        if !name.isEmpty { xml.element("Name", name) }
        xml.element("Type", "1")
        xml.element("DayWorking", hours.isEmpty ? "0" : "1")
        write(hours)
        xml.close()
    }

    /// Writes hours of work. The format has no work past midnight.
    private mutating func write(_ hours: [Range<Int>]) {
        guard !hours.isEmpty else { return }
        xml.open("WorkingTimes")
        for stretch in hours where stretch.lowerBound < 1_440 {
            xml.open("WorkingTime")
            xml.element("FromTime", Self.clock(stretch.lowerBound))
            xml.element("ToTime", Self.clock(min(stretch.upperBound, 1_439)))
            xml.close()
        }
        xml.close()
    }

    private static func clock(_ minutes: Int) -> String {
        func two(_ number: Int) -> String { String(100 + number).suffix(2).description }
        return "\(two(minutes / 60)):\(two(minutes % 60)):00"
    }
}
