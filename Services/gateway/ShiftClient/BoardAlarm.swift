import Messages
import ShiftLog

/// How urgently the board calls for somebody.
package enum BoardAlarm: Hashable, Sendable {
    /// Nothing is due.
    case none
    /// A travel path is due, or a task or a to-do is overdue.
    case due
    /// A travel path is late, or a time-critical task is overdue.
    case late

    /// The alarm of a shift at a time.
    ///
    /// Only doing what is due silences it: an acknowledgement says that somebody knows, not that it
    /// is done.
    ///
    /// - Parameters:
    ///   - state: the shift; nil if none is open.
    ///   - now: milliseconds since 1970.
    package init(_ state: ShiftState?, at now: Int64) {
        self = .none
        guard let state else { return }
        let overdue = state.overdue(at: now)
        let path = state.travelPathDue(at: now)
        if path != nil || !overdue.isEmpty || !state.overdueTodos(at: now).isEmpty { self = .due }
        let isPathLate = path.map { now >= $0.due + state.schedule.lateAfter } ?? false
        if isPathLate || overdue.contains(where: { $0.escalation != nil }) { self = .late }
    }

    /// The time between two rings in milliseconds; nil if the bell is silent.
    package var interval: Int64? {
        switch self {
        case .none: nil
        case .due: 30_000
        case .late: 5_000
        }
    }

    /// True in every other half second while something is due, which makes the board flash.
    package func isFlash(at now: Int64) -> Bool { self != .none && now / 500 % 2 == 0 }
}

/// The bell of the board: it rings as soon as something is due, and then again and again.
package struct BoardBell: Hashable, Sendable {
    private var last: Int64?

    package init() {}

    /// True if it has to ring now.
    ///
    /// - Parameters:
    ///   - alarm: what is due.
    ///   - now: milliseconds since 1970; the clock may be set back.
    package mutating func rings(_ alarm: BoardAlarm, at now: Int64) -> Bool {
        guard let interval = alarm.interval else {
            last = nil
            return false
        }
        if let last, (0..<interval).contains(now - last) { return false }
        last = now
        return true
    }
}
