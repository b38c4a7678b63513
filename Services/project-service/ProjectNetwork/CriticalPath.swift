import Dates
import WorkCalendar

/// How far each issue can slip without delaying the end of the project.
package struct CriticalPath: Sendable {
    /// The slack of an issue.
    package struct Slack: Hashable, Sendable {
        package let issue: Int
        /// The latest dates that don't make anything else end later.
        package let latest: Span
        /// The number of the assignee's working days by which it can slip; negative when it is
        /// already too late.
        package let days: Int

        package var isCritical: Bool { days <= 0 }
    }

    /// The end of the project.
    package let end: CivilDate?
    /// In the order of the network, without issues that lack a date.
    package let slacks: [Slack]

    /// The ids of the critical issues, ordered by their start.
    package let critical: [Int]
}

extension ProjectNetwork {
    /// The slack of every issue with its present dates.
    ///
    /// - Parameters:
    ///   - end: the day by which everything must have ended; by default the last due date.
    ///   - withPeople: whether an issue also waits for what the same person does before it.
    package func criticalPath(
        end: CivilDate? = nil, withPeople: Bool = false
    ) -> CriticalPath {
        let last = issues.indices.filter { parts[$0].isEmpty }.compactMap { issues[$0].span.due }
            .max()
        guard let end = end ?? last else { return CriticalPath(end: nil, slacks: [], critical: []) }
        // If issues are dated contrary to their relations, the order of a person's issues may
        // contradict the relations, which then take precedence.
        let wanted = withPeople ? nextOfPeople() : [:]
        let known = wanted.isEmpty ? nil : Self.sorted(dependencies(with: wanted))
        let (order, next) = known.map { ($0, wanted) } ?? (self.order, [:])
        // The latest start and end known so far, by issue.
        var starts = Array(repeating: end, count: issues.count)
        var ends = starts
        for moment in order.reversed() {
            let index = moment.place
            if moment.isEnd {
                var latest = whole[index].map { ends[$0] } ?? end
                for link in outgoing[index] {
                    latest = min(latest, latestEnd(before: starts[link.to], delay: link.delay))
                }
                if let follower = next[index] {
                    let day = starts[follower].daysSince1970 - 1
                    latest = min(latest, CivilDate(daysSince1970: max(0, day)))
                }
                ends[index] = latest
            } else if parts[index].isEmpty {
                starts[index] = latestStart(index, ending: ends[index])
            } else {
                starts[index] = parts[index].map { starts[$0] }.min() ?? end
            }
        }
        var slacks: [CriticalPath.Slack] = []
        for (index, issue) in issues.enumerated() {
            guard let start = issue.span.start, issue.span.due != nil else { continue }
            let latest = parts[index].isEmpty ? starts[index] : nil
            let days =
                latest.map { calendar(of: index).workingDays(from: start, to: $0) }
                ?? leafSlack(index, starts)
            slacks.append(
                .init(
                    issue: issue.id,
                    latest: Span(start: starts[index], due: ends[index]), days: days))
        }
        let critical = slacks.filter(\.isCritical).map(\.issue).sorted {
            let (left, right) = (issues[place[$0] ?? 0].span, issues[place[$1] ?? 0].span)
            return (left.start?.daysSince1970 ?? 0, $0) < (right.start?.daysSince1970 ?? 0, $1)
        }
        return CriticalPath(end: end, slacks: slacks, critical: critical)
    }

    /// The minimum slack of the parts of an issue.
    private func leafSlack(_ index: Int, _ starts: [CivilDate]) -> Int {
        var least: Int?
        var open = parts[index]
        while let next = open.popLast() {
            open.append(contentsOf: parts[next])
            guard parts[next].isEmpty, let start = issues[next].span.start,
                issues[next].span.due != nil
            else { continue }
            let days = calendar(of: next).workingDays(from: start, to: starts[next])
            least = min(least ?? days, days)
        }
        return least ?? 0
    }

    /// The latest end of an issue after which another can begin on a day.
    private func latestEnd(before start: CivilDate, delay: Int) -> CivilDate {
        guard let last = calendar.last(onOrBefore: start),
            let day = calendar.day(-delay, after: last)
        else { return CivilDate(daysSince1970: 0) }
        return CivilDate(daysSince1970: max(0, day.daysSince1970 - 1))
    }

    /// The latest start of an issue with which it ends on a day.
    private func latestStart(_ index: Int, ending end: CivilDate) -> CivilDate {
        let span = issues[index].span
        guard let start = span.start, let due = span.due else { return end }
        let calendar = calendar(of: index)
        let count = calendar.workingDays(
            from: start, to: CivilDate(daysSince1970: due.daysSince1970 + 1))
        guard count > 0 else { return end }
        guard let last = calendar.last(onOrBefore: end),
            let first = calendar.day(1 - count, after: last)
        else { return CivilDate(daysSince1970: 0) }
        return first
    }

    /// For each issue, the next one of its person, if that begins after it ends.
    private func nextOfPeople() -> [Int: Int] {
        var next: [Int: Int] = [:]
        let dated = issues.indices.filter {
            parts[$0].isEmpty && issues[$0].person != nil && issues[$0].span.start != nil
                && issues[$0].span.due != nil
        }
        for (_, indices) in Dictionary(grouping: dated, by: { issues[$0].person }) {
            let sorted = indices.sorted {
                let (left, right) = (issues[$0].span, issues[$1].span)
                return (left.start?.daysSince1970 ?? 0, issues[$0].id)
                    < (right.start?.daysSince1970 ?? 0, issues[$1].id)
            }
            for (index, first) in sorted.enumerated() {
                let due = issues[first].span.due
                next[first] = sorted[(index + 1)...].first { other in
                    if let due, let start = issues[other].span.start { start > due } else { false }
                }
            }
        }
        return next
    }
}
