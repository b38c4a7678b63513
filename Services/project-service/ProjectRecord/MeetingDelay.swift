import Dates
import Messages
import ProjectNetwork
import WorkCalendar

/// By how much a meeting delays the end of a project: by the time it takes from people who do
/// issues on its day, beyond what they have to spare.
///
/// An issue's spare time is the time that its assignee has for the project from its start to its
/// due date less its remaining work, plus the days by which it can slip without delaying the end of
/// the project, directly or through what the same person does next. The remaining work of an issue
/// without an estimate fills its days.
package struct MeetingDelay: Sendable {
    /// The delay of the end of the project.
    package struct Delay: Hashable, Sendable {
        /// The issue that ends later because of it.
        package let issue: Int
        /// In minutes of its assignee's working time.
        package let minutes: Int
    }

    /// What somebody does on some days.
    private struct Work {
        let issue: Int
        let days: ClosedRange<CivilDate>
        /// In minutes.
        let spare: Int
    }

    private var work: [Int: [Work]] = [:]

    /// Reads who does what and when.
    ///
    /// - Throws: the refusal that names the issues that contradict each other.
    package init(_ record: ProjectRecord) throws(Refusal) {
        let slacks = Dictionary(
            try record.network().criticalPath(withPeople: true).slacks.map { ($0.issue, $0.days) },
            uniquingKeysWith: { first, _ in first })
        let wholes = Set(record.issues.values.compactMap(\.parent))
        for issue in record.issues.values.sorted(by: { $0.id < $1.id }) {
            guard let person = issue.assignee, let member = record.members[person],
                let start = issue.span.start, let due = issue.span.due, start <= due,
                !record.isClosed(issue), !wholes.contains(issue.id), issue.done < 100
            else { continue }
            let end = CivilDate(daysSince1970: due.daysSince1970 + 1)
            let calendar = record.calendar(of: person)
            let minutes = calendar.workingMinutes(from: start, to: end) * member.share / 100
            let days = calendar.workingDays(from: start, to: end)
            let left = (issue.estimate ?? minutes) * (100 - issue.done) / 100
            let slack = max(0, slacks[issue.id] ?? 0) * minutes / max(days, 1)
            work[person, default: []].append(
                Work(issue: issue.id, days: start...due, spare: max(0, minutes - left) + slack))
        }
    }

    /// The longest delay that a meeting causes; nil when it causes none.
    ///
    /// - Parameters:
    ///   - minutes: how long it takes.
    ///   - guests: the ids of the people who come, and the day of the meeting by their own clocks.
    package func delay(of minutes: Int, _ guests: [(member: Int, day: CivilDate)]) -> Delay? {
        var longest: Delay?
        for guest in guests {
            let all = (work[guest.member] ?? []).filter { $0.days.contains(guest.day) }
            // A person who does several issues on a day takes the time from the one with the most
            // to spare.
            guard let least = all.min(by: { $0.spare < $1.spare }) else { continue }
            let lost = minutes - all.reduce(0) { $0 + $1.spare }
            if lost > longest?.minutes ?? 0 { longest = Delay(issue: least.issue, minutes: lost) }
        }
        return longest
    }
}
