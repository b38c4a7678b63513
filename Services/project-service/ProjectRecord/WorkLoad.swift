import Dates
import ProjectNetwork
import WorkCalendar

/// How much of their time people are planned for, week by week.
package struct WorkLoad: Hashable, Sendable {
    /// A week of someone.
    package struct Week: Hashable, Sendable {
        /// Its Monday.
        package let monday: CivilDate
        /// The minutes that are planned for them.
        package let planned: Int
        /// The minutes that they have for the project.
        package let available: Int

        package var isOverloaded: Bool { planned > available }
    }

    /// Someone's weeks.
    package struct Row: Hashable, Sendable {
        package let member: Int
        package let weeks: [Week]
    }

    /// The people in order of their ids.
    package let rows: [Row]

    /// Ten years.
    package static let mostWeeks = 520

    /// The load of the members of a project.
    ///
    /// What is left of an issue, its estimate less the part that is done, is spread over the
    /// working days of whoever does it: the part of each day is as large as their part of all the
    /// minutes that they work from its start to its due date. Without an estimate, an issue takes
    /// all of the time that they have for the project in these days. Closed issues, those with
    /// parts and those without both dates take none.
    ///
    /// - Parameters:
    ///   - first: a day of the first week.
    ///   - last: a day of the last week; at most ten years are looked at.
    package init(of record: ProjectRecord, from first: CivilDate, to last: CivilDate) {
        let monday = first.daysSince1970 - first.weekday
        let count = min(max((last.daysSince1970 - monday) / 7 + 1, 1), Self.mostWeeks)
        let wholes = Set(record.issues.values.compactMap(\.parent))
        var planned: [Int: [Int]] = [:]
        for issue in record.issues.values {
            guard let member = issue.assignee.flatMap({ record.members[$0] }),
                let start = issue.span.start, let due = issue.span.due, !record.isClosed(issue),
                !wholes.contains(issue.id)
            else { continue }
            let end = CivilDate(daysSince1970: due.daysSince1970 + 1)
            let worked = member.calendar.workingMinutes(from: start, to: end)
            guard worked > 0 else { continue }
            let left = (issue.estimate ?? worked * member.share / 100) * (100 - issue.done) / 100
            // Each week has what is to be done up to its end less what was before, so that all
            // weeks together have neither more nor less than there is.
            func done(before day: Int) -> Int {
                let day = CivilDate(
                    daysSince1970: min(max(day, start.daysSince1970), end.daysSince1970))
                // At most what is left, however long the time is.
                let part = member.calendar.workingMinutes(from: start, to: day)
                return worked.dividingFullWidth(left.multipliedFullWidth(by: part)).quotient
            }
            guard due.daysSince1970 >= monday else { continue }
            let begin = max(0, (start.daysSince1970 - monday) / 7)
            for week in begin..<max(begin, min(count, (due.daysSince1970 - monday) / 7 + 1)) {
                let begin = monday + 7 * week
                planned[member.id, default: Array(repeating: 0, count: count)][week] +=
                    done(before: begin + 7) - done(before: begin)
            }
        }
        rows = record.members.values.sorted { $0.id < $1.id }.map { member in
            Row(
                member: member.id,
                weeks: (0..<count).map { week in
                    let begin = CivilDate(daysSince1970: monday + 7 * week)
                    let end = CivilDate(daysSince1970: monday + 7 * week + 7)
                    return Week(
                        monday: begin, planned: planned[member.id]?[week] ?? 0,
                        available: member.calendar.workingMinutes(from: begin, to: end)
                            * member.share / 100)
                })
        }
    }
}
