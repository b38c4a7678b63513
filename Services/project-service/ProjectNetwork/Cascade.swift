import Dates
import WorkCalendar

/// A change of a plan.
package enum PlanChange: Hashable, Sendable {
    /// Changes the dates of an issue.
    case dates(issue: Int, Span)
    /// Adds a relation.
    case relation(IssueRelation)
    /// Removes a relation.
    case noRelation(Int)
    /// Gives a person other working days. Of these issues, those that the person does keep their
    /// number of working days; the others stay.
    case calendar(person: Int, WorkCalendar, issues: Set<Int>)
}

/// How the dates of successors are changed.
package enum CascadeMode: String, Hashable, Sendable, CaseIterable {
    /// As in Redmine: successors are pulled and pushed to the soonest day.
    case redmine
    /// The gaps in working days between issues are kept.
    case keepGaps
}

/// The effects of a change on a plan.
package struct Cascade: Sendable {
    /// Why an issue gets other dates.
    package enum Cause: Hashable, Sendable {
        /// The change itself.
        case change
        /// It follows another issue by a relation.
        case relation(Int, predecessor: Int)
        /// One of its parts got other dates.
        case part(Int)
        /// The person who does it works on other days.
        case calendar(person: Int)
    }

    /// A day on which it couldn't begin.
    package struct Skipped: Hashable, Sendable {
        package let day: CivilDate
        package let kind: WorkCalendar.DayKind

        package init(day: CivilDate, kind: WorkCalendar.DayKind) {
            self.day = day
            self.kind = kind
        }
    }

    /// An issue that gets other dates.
    package struct Move: Hashable, Sendable {
        package let issue: Int
        package let before: Span
        package internal(set) var after: Span
        /// The last cause, which determined the dates.
        package internal(set) var cause: Cause
        /// The days without work that were skipped since the first possible start, or that its
        /// person no longer works: at most 60.
        package internal(set) var skipped: [Skipped]

        /// This move combined with an earlier one.
        package func following(_ earlier: Move) -> Move {
            Move(
                issue: issue, before: earlier.before, after: after, cause: cause, skipped: skipped)
        }
    }

    /// The moves in the order in which the issues first moved, each issue once, without those that
    /// returned to their dates.
    package let moves: [Move]
    /// The issues that stay although they begin sooner than their predecessors allow.
    package let conflicts: [Int]
    /// The network after the change.
    package let network: ProjectNetwork
    /// The number of steps that it took, as far as they are counted: see ``mostSteps``.
    package let steps: Int

    /// The maximum number of steps of all cascades of an edit, because the service does nothing
    /// else meanwhile. In Redmine's mode, each issue that has two predecessors can double the
    /// number; in the other mode, each issue is examined only once, and nothing is counted.
    package static let mostSteps = 1_000_000
}

extension ProjectNetwork {
    /// The effects of a change, without making it.
    ///
    /// - Parameters:
    ///   - change: the change.
    ///   - mode: how successors are moved.
    ///   - most: the maximum number of steps.
    /// - Throws: a ``NetworkError`` when the change isn't possible.
    package func preview(
        _ change: PlanChange, mode: CascadeMode, most: Int = Cascade.mostSteps
    ) throws(NetworkError) -> Cascade {
        if case .dates(let id, let span) = change {
            let index = try index(id, namedBy: "the change")
            guard parts[index].isEmpty else { throw .datesFromParts(id) }
            var issue = issues[index]
            issue.span = span
            try Self.validate(issue)
        }
        switch mode {
        case .redmine:
            var cascade = RedmineCascade(self, most: most)
            return try cascade.run(change)
        case .keepGaps:
            var cascade = GapCascade(self)
            return try cascade.run(change)
        }
    }
}

/// Collects the moves of a cascade.
struct MoveList {
    private var moves: [Cascade.Move] = []
    private var place: [Int: Int] = [:]

    mutating func add(
        _ issue: PlannedIssue, to span: Span, because cause: Cascade.Cause,
        skipped: [Cascade.Skipped] = []
    ) {
        if let index = place[issue.id] {
            moves[index].after = span
            moves[index].cause = cause
            moves[index].skipped = skipped
        } else {
            place[issue.id] = moves.count
            moves.append(
                Cascade.Move(
                    issue: issue.id, before: issue.span, after: span, cause: cause,
                    skipped: skipped))
        }
    }

    var all: [Cascade.Move] { moves.filter { $0.before != $0.after } }
}

extension WorkCalendar {
    /// The dates in this calendar of something that was planned in another: it begins on a day, or
    /// the next working day after it, and has as many working days. Nil when the dates would be
    /// outside the calendar.
    func adopting(_ span: Span, of before: WorkCalendar, from wanted: CivilDate) -> Span? {
        guard let first = span.start ?? span.due else { return span }
        // What began on a day off may still do so.
        let stays = wanted == first && (isWorking(first) || !before.isWorking(first))
        guard let start = stays ? first : next(onOrAfter: wanted) else { return nil }
        guard let due = span.due else { return Span(start: start) }
        guard span.start != nil else { return Span(due: start) }
        let end = CivilDate(daysSince1970: due.daysSince1970 + 1)
        let count = before.workingDays(from: first, to: end)
        if stays, count == 0 || count == workingDays(from: first, to: end) { return span }
        return day(max(0, count - 1), after: start).map { Span(start: start, due: $0) }
    }

    /// Those of the first 90 days between two dates that are worked in another calendar and not in
    /// this one.
    func lost(
        since before: WorkCalendar, from first: CivilDate, to last: CivilDate
    ) -> [Cascade.Skipped] {
        guard first <= last else { return [] }
        let days = (first.daysSince1970...last.daysSince1970).prefix(90)
        return days.map { CivilDate(daysSince1970: $0) }
            .filter { before.isWorking($0) && !isWorking($0) }.prefix(60)
            .map { Cascade.Skipped(day: $0, kind: kind(of: $0)) }
    }

    /// The days without work from one day up to another.
    func skipped(from first: CivilDate, to last: CivilDate) -> [Cascade.Skipped] {
        guard first < last else { return [] }
        let days = first.daysSince1970..<last.daysSince1970
        return days.prefix(60).map { CivilDate(daysSince1970: $0) }.filter { !isWorking($0) }
            .map { Cascade.Skipped(day: $0, kind: kind(of: $0)) }
    }
}
