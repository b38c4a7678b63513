import Dates
import ProjectNetwork
import WorkCalendar

/// How much of each person's time is planned, week by week.
package struct WorkLoad: Hashable, Sendable {
    /// A week of a person.
    package struct Week: Hashable, Sendable {
        /// The Monday of the week.
        package let monday: CivilDate
        /// The planned minutes.
        package let planned: Int
        /// The minutes that the person has for the project.
        package let available: Int
    }

    /// The weeks of a person.
    package struct Row: Hashable, Sendable {
        package let member: Int
        package let weeks: [Week]
    }

    /// The people, in order of their ids.
    package let rows: [Row]

    /// The maximum number of weeks: ten years.
    package static let mostWeeks = 520

    /// Computes the load of the members of a project.
    ///
    /// The remaining work of an issue (its estimate less the part that is done) is spread over its
    /// assignee's working days from its start to its due date, in proportion to the minutes worked
    /// on each day. An issue without an estimate takes all the time that its assignee has for the
    /// project on these days. If the assignee has no time on any of them, the estimate counts on
    /// the due date. Closed issues, issues with parts and issues without both dates take none.
    ///
    /// - Parameters:
    ///   - record: the project.
    ///   - first: a day of the first week.
    ///   - last: a day of the last week; at most ten years are covered.
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
            let calendar = record.calendar(of: member.id)
            let worked = calendar.workingMinutes(from: start, to: end)
            let left = (issue.estimate ?? worked * member.share / 100) * (100 - issue.done) / 100
            // A week gets the work due by its end less the work due before it, so that all weeks
            // together add up to exactly the remaining work.
            func done(before day: Int) -> Int {
                let day = CivilDate(
                    daysSince1970: min(max(day, start.daysSince1970), end.daysSince1970))
                guard worked > 0 else { return day == end ? left : 0 }
                // At most the remaining work, so the division can't overflow.
                let part = calendar.workingMinutes(from: start, to: day)
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
            let calendar = record.calendar(of: member.id)
            return Row(
                member: member.id,
                weeks: (0..<count).map { week in
                    let begin = CivilDate(daysSince1970: monday + 7 * week)
                    let end = CivilDate(daysSince1970: monday + 7 * week + 7)
                    return Week(
                        monday: begin, planned: planned[member.id]?[week] ?? 0,
                        available: calendar.workingMinutes(from: begin, to: end) * member.share
                            / 100)
                })
        }
    }
}
