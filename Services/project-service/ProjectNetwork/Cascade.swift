import Dates
import WorkCalendar

/// A change of a plan.
package enum PlanChange: Hashable, Sendable {
    /// An issue gets other dates.
    case dates(issue: Int, Span)
    /// A relation is added.
    case relation(IssueRelation)
    /// A relation is taken away.
    case noRelation(Int)
}

/// How the dates of what follows are changed.
package enum CascadeMode: String, Hashable, Sendable, CaseIterable {
    /// As Redmine does: what follows is pulled and pushed to the soonest day.
    case redmine
    /// The working days that were free between issues stay free.
    case keepGaps
}

/// What a change does to a plan.
package struct Cascade: Sendable {
    /// Why an issue gets other dates.
    package enum Cause: Hashable, Sendable {
        /// It was asked for.
        case change
        /// It follows another issue by a relation.
        case relation(Int, predecessor: Int)
        /// A part of it got other dates.
        case part(Int)
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
        /// The last cause, which decided the dates.
        package internal(set) var cause: Cause
        /// The days that were skipped since it could have begun, if it had been working time: at
        /// most 60.
        package internal(set) var skipped: [Skipped]
    }

    /// In the order in which the issues first moved, each once, without those that came back to
    /// where they were.
    package let moves: [Move]
    /// The issues that stay though they begin sooner than what precedes them allows.
    package let conflicts: [Int]
    /// The network after the change.
    package let network: ProjectNetwork
}

extension ProjectNetwork {
    /// What a change does, before it is made.
    ///
    /// - Throws: a ``NetworkError`` when the change isn't possible.
    package func preview(
        _ change: PlanChange, mode: CascadeMode
    ) throws(NetworkError) -> Cascade {
        if case .dates(let id, let span) = change {
            let index = try index(id, namedBy: "the change")
            guard parts[index].isEmpty else { throw .datesFromParts(id) }
            var issue = issues[index]
            issue.span = span
            try Self.check(issue)
        }
        switch mode {
        case .redmine:
            var cascade = RedmineCascade(self)
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
    /// The days without work from one up to another.
    func skipped(from first: CivilDate, to last: CivilDate) -> [Cascade.Skipped] {
        guard first < last else { return [] }
        let days = first.daysSince1970..<last.daysSince1970
        return days.prefix(60).map { CivilDate(daysSince1970: $0) }.filter { !isWorking($0) }
            .map { Cascade.Skipped(day: $0, kind: kind(of: $0)) }
    }
}
