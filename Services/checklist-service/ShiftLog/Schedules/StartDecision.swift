import Messages

/// What is done about the scheduled shifts of a site at a time. It depends only on what is due, on
/// what was decided before and on the open shift, so it makes no difference whether the service was
/// running.
package struct StartDecision: Hashable, Sendable {
    /// What becomes of a shift that is due.
    package enum Outcome: Hashable, Sendable {
        /// It begins now.
        case begin
        /// The open shift is this one: its manager began it by hand shortly before.
        case begun
        /// Another shift is open; it may still begin when that has ended.
        case waiting
        /// It doesn't begin.
        case missed(MissedReason)
    }

    /// How far back beginnings are considered, in milliseconds: a week. So a clock that jumps ahead
    /// by years causes no more than a week of them.
    package static let lookBack: Int64 = 7 * 24 * 3_600_000
    /// How far in the future a decision may lie before it is put aside, in milliseconds: an hour.
    /// One about a later time was made while the clock was wrong, or the clock is wrong now.
    package static let mostAhead: Int64 = 3_600_000

    /// Decides about what is due. Only the newest may begin or wait; whatever should have begun
    /// before it is over.
    ///
    /// - Parameters:
    ///   - due: the beginnings that are due and not decided for good, earliest first.
    ///   - waiting: those of them for which another shift was open.
    ///   - open: the open shift of the site; nil when none is.
    ///   - now: milliseconds since 1970.
    /// - Returns: the outcomes, in the same order.
    package static func outcomes(
        of due: [Occurrence], waiting: Set<Occurrence>, open: Shift?, at now: Int64
    ) -> [Outcome] {
        due.enumerated().map { number, occurrence in
            if let open, covers(open, occurrence) { return .begun }
            guard number == due.count - 1, now < occurrence.latest else {
                let wasOpen = open.map { $0.started <= occurrence.due } ?? false
                return .missed(wasOpen || waiting.contains(occurrence) ? .open : .off)
            }
            return open == nil ? .begin : .waiting
        }
    }

    /// True when a shift is the one that should begin. Another manager's is not: nobody would learn
    /// that the scheduled one never began.
    private static func covers(_ open: Shift, _ occurrence: Occurrence) -> Bool {
        open.dayPart == occurrence.shift.dayPart && open.manager == occurrence.shift.manager
            && open.started > occurrence.due - Occurrence.patience
            && open.started < occurrence.latest
    }
}
