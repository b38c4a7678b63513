import Dates
import WorkCalendar

/// The dates of a plan, kept under a name for comparison.
package struct Baseline: Hashable, Sendable {
    /// How far an issue has moved since.
    package struct Slippage: Hashable, Sendable {
        package let issue: Int
        package let before: Span
        package let now: Span
        /// The number of working days of the project by which it begins and ends later; negative
        /// when sooner, nil when a date is unknown.
        package let start: Int?
        package let due: Int?

        package init(issue: Int, before: Span, now: Span, start: Int?, due: Int?) {
            self.issue = issue
            self.before = before
            self.now = now
            self.start = start
            self.due = due
        }
    }

    package let name: String
    /// The dates of the issues, by their ids.
    package let spans: [Int: Span]

    /// Keeps the present dates of a plan.
    ///
    /// - Throws: ``NetworkError/longName(_:)``.
    package init(_ name: String, of network: ProjectNetwork) throws(NetworkError) {
        guard name.utf8.count <= ProjectNetwork.Limit.name else {
            throw .longName(String(name.prefix(20)))
        }
        self.name = name
        spans = Dictionary(
            network.issues.map { ($0.id, $0.span) }, uniquingKeysWith: { first, _ in first })
    }

    /// The dates that were kept. They are trusted: they were checked before they were kept.
    package init(_ name: String, spans: [Int: Span]) {
        self.name = name
        self.spans = spans
    }

    /// The issues that have moved, in the order of the network, without new ones.
    package func slippages(in network: ProjectNetwork) -> [Slippage] {
        network.issues.compactMap { issue in
            guard let before = spans[issue.id], before != issue.span else { return nil }
            return Slippage(
                issue: issue.id, before: before, now: issue.span,
                start: Self.days(before.start, issue.span.start, network.calendar),
                due: Self.days(before.due, issue.span.due, network.calendar))
        }
    }

    /// The number of working days by which the end of the issues that had a due date then, and have
    /// one now, has moved; nil when there are none. What was added or removed since has not moved,
    /// nor does an issue count whose parts do: they determine its dates.
    package func slippageOfAll(in network: ProjectNetwork) -> Int? {
        let wholes = Set(network.issues.filter { spans[$0.id] != nil }.compactMap(\.parent))
        var (then, now): ([CivilDate], [CivilDate]) = ([], [])
        for issue in network.issues where !wholes.contains(issue.id) {
            guard let before = spans[issue.id]?.due, let due = issue.span.due else { continue }
            then.append(before)
            now.append(due)
        }
        return Self.days(then.max(), now.max(), network.calendar)
    }

    /// The issues that were added since, in the order of the network.
    package func added(in network: ProjectNetwork) -> [PlannedIssue] {
        network.issues.filter { spans[$0.id] == nil }
    }

    /// The number of issues that were removed since.
    package func removed(in network: ProjectNetwork) -> Int {
        Set(spans.keys).subtracting(network.issues.map(\.id)).count
    }

    private static func days(
        _ before: CivilDate?, _ now: CivilDate?, _ calendar: WorkCalendar
    ) -> Int? {
        guard let before, let now else { return nil }
        return calendar.workingDays(from: before, to: now)
    }
}
