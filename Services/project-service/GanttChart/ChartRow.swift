import Dates
import ProjectNetwork

/// The facts that a chart shows about an issue besides its dates.
package struct ChartIssue: Hashable, Sendable {
    package var title: String
    /// The person who does it; empty for nobody.
    package var person: String
    /// The percentage that is done; clamped to 0 to 100.
    package var done: Int
    /// Whether nothing is left to do, even if less than all was done.
    package var isClosed: Bool
    /// Whether it is a moment rather than a period: it is drawn on its due date.
    package var isMilestone: Bool

    package init(
        title: String, person: String = "", done: Int = 0, isClosed: Bool = false,
        isMilestone: Bool = false
    ) {
        self.title = title
        self.person = person
        self.done = done
        self.isClosed = isClosed
        self.isMilestone = isMilestone
    }
}

/// A row of a chart.
package struct ChartRow: Hashable, Sendable {
    /// What a row represents.
    package enum Kind: Hashable, Sendable {
        case project
        /// An issue with parts, which determine its dates.
        case whole
        case issue
        case milestone
    }

    package let kind: Kind
    /// The id of the issue; nil for a project.
    package let issue: Int?
    package let title: String
    /// The nesting depth of the row.
    package let depth: Int
    package let span: Span
    package let person: String
    /// The percentage that is done, from 0 to 100.
    package let done: Int
    package let isClosed: Bool
    /// Whether a delay of it, or of an open part of it, delays the end of the project.
    package internal(set) var isCritical: Bool
    /// The last day on which it can end without delaying the project, if that is after its end.
    package let latest: CivilDate?
    /// The number of working days by which it is late today; 0 when it isn't.
    package let late: Int
    /// Its dates in the baseline; nil when it isn't there.
    package let before: Span?
    /// The number of working days by which it is due later than in the baseline; negative when
    /// sooner, and 0 when a date is unknown.
    package let slip: Int

    /// The first day on which something is drawn; nil when it has no date.
    var firstDay: Int? { (span.start ?? span.due)?.daysSince1970 }

    /// The last day on which something is drawn.
    var lastDay: Int? { (span.due ?? span.start)?.daysSince1970 }

    /// The day of a milestone.
    var moment: CivilDate? { kind == .milestone ? span.due ?? span.start : nil }

    /// Its number and its title.
    var label: String { issue.map { "#\($0) \(title)" } ?? title }
}
