import Dates
import ProjectNetwork
import WorkCalendar

/// How far a version or a milestone has got, and when it will be done.
package struct DeliveryForecast: Hashable, Sendable {
    /// The number of issues that it consists of or waits for, and how many of them are closed.
    package var issues = 0
    package var closed = 0
    /// How much of them is done, in percent, by their estimates: an issue without one counts as
    /// much as the others on average.
    package var done = 0
    /// The number of open issues that have no due date.
    package var undated = 0
    /// The last day of the open issues in the plan; nil if there are none, or one has no due date.
    package var planned: CivilDate?
    /// When it is likely to be done, if the rest of the plan is off by as much as closed issues
    /// were; nil if too few are closed, or the planned day is over.
    package var likely: Likely?

    /// Days that are as likely as the times of an ``EstimateSpread``.
    package struct Likely: Hashable, Sendable {
        package let soonest: CivilDate
        package let median: CivilDate
        package let latest: CivilDate
    }
}

/// Forecasts when the versions and milestones of a project will be done.
package struct Forecaster {
    private let record: ProjectRecord
    private let spread: EstimateSpread?
    /// The day on which the rest of the work begins: today, or the first day of the open issues if
    /// that is later.
    private let begin: CivilDate
    /// The weight of an issue without an estimate.
    private let usual: Int
    private let parts: [Int: [Int]]
    /// The issues that each issue waits for.
    private let before: [Int: [Int]]

    /// - Parameters:
    ///   - record: the project, with the time worked.
    ///   - today: the first day on which work can be done.
    ///   - spread: how long closed issues took; nil if that isn't known.
    package init(_ record: ProjectRecord, today: CivilDate, _ spread: EstimateSpread?) {
        (self.record, self.spread) = (record, spread)
        parts = record.partsOfWholes
        let waits = record.relations.values.filter { $0.kind == .precedes || $0.kind == .blocks }
        before = Dictionary(grouping: waits, by: \.to).mapValues { $0.map(\.from) }
        let estimates = record.issues.values.compactMap(\.estimate).filter { $0 > 0 }
        usual = estimates.isEmpty ? 1 : max(1, estimates.reduce(0, +) / estimates.count)
        let starts = record.issues.values.filter { !record.isClosed($0) }
            .compactMap { $0.span.start ?? $0.span.due }
        begin = max(today, starts.min() ?? today)
    }

    /// The forecast for a version: its issues are done, with all their parts, even if these name
    /// another version or none.
    package func version(_ id: Int) -> DeliveryForecast {
        var open = record.issues.values.filter { $0.version == id }.map(\.id)
        var found = Set(open)
        while let next = open.popLast() {
            for part in parts[next] ?? [] where found.insert(part).inserted { open.append(part) }
        }
        let all = found.compactMap { record.issues[$0] }
        return forecast(all, endingWith: all)
    }

    /// The forecast for a milestone: everything that it waits for is done, and its day has come.
    package func milestone(_ id: Int) -> DeliveryForecast {
        guard let milestone = record.issues[id] else { return DeliveryForecast() }
        let leading = leading(to: id).compactMap { record.issues[$0] }
        var forecast = forecast(leading, endingWith: leading + [milestone])
        if leading.isEmpty, record.isClosed(milestone) { forecast.done = 100 }
        return forecast
    }

    /// The issues that an issue, or what it is a part of, waits for, directly or not, and their
    /// parts.
    private func leading(to issue: Int) -> Set<Int> {
        var found: Set<Int> = []
        var open = [issue]
        while let next = open.popLast() {
            var outer: Int? = next
            var looked: Set<Int> = []
            while let whole = outer, looked.insert(whole).inserted {
                for first in before[whole] ?? [] where found.insert(first).inserted {
                    open.append(first)
                }
                outer = record.issues[whole]?.parent
            }
            for part in parts[next] ?? [] where found.insert(part).inserted { open.append(part) }
        }
        found.remove(issue)
        return found
    }

    private func forecast(
        _ issues: [ProjectIssue], endingWith last: [ProjectIssue]
    ) -> DeliveryForecast {
        var forecast = DeliveryForecast()
        forecast.issues = issues.count
        forecast.closed = issues.count { record.isClosed($0) }
        // Parts count in place of the issue that they belong to.
        let wholes = Set(issues.compactMap(\.parent))
        var (sum, weights) = (0, 0)
        for issue in issues where !wholes.contains(issue.id) {
            let weight = max(1, issue.estimate ?? usual)
            sum += weight * (record.isClosed(issue) ? 100 : issue.done)
            weights += weight
        }
        forecast.done = weights > 0 ? sum / weights : 0
        let open = last.filter { !record.isClosed($0) }
        let ends = open.compactMap { $0.span.due ?? ($0.isMilestone ? $0.span.start : nil) }
        forecast.undated = open.count - ends.count
        guard forecast.undated == 0, let planned = ends.max() else { return forecast }
        forecast.planned = planned
        forecast.likely = likely(planned)
        return forecast
    }

    private func likely(_ planned: CivilDate) -> DeliveryForecast.Likely? {
        let calendar = record.details.calendar
        let days = calendar.workingDays(
            from: begin, to: CivilDate(daysSince1970: planned.daysSince1970 + 1))
        guard let spread, days > 0 else { return nil }
        func day(_ percent: Int) -> CivilDate? {
            calendar.day(max(1, (days * percent + 99) / 100) - 1, after: begin)
        }
        guard let soonest = day(spread.low), let median = day(spread.median),
            let latest = day(spread.high)
        else { return nil }
        return DeliveryForecast.Likely(soonest: soonest, median: median, latest: latest)
    }
}
