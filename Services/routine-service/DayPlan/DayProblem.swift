/// The input of planning or replanning a day: when the day begins and ends, what is fixed in it,
/// and what should find room.
///
/// Times are minutes of the local day, 0 at midnight; a day may run past the next midnight. On a
/// day when the clock changes, the caller counts elapsed minutes, so that an hour always has 60.
package struct DayProblem: Hashable, Sendable {
    /// The first minute in which something may begin.
    package var wake: Int
    /// The minute by which everything has ended.
    package var sleep: Int
    /// The minimum number of minutes between the end of a routine and the beginning of the next.
    package var pause: Int
    package var appointments: [DayAppointment]
    package var routines: [DayRoutine]
    /// The current minute when a running day is replanned; nothing that is still open begins before
    /// it.
    package var now: Int?

    /// The pause between two routines of a usual day.
    package static let usualPause = 5

    package init(
        wake: Int, sleep: Int, pause: Int = usualPause, appointments: [DayAppointment] = [],
        routines: [DayRoutine], now: Int? = nil
    ) {
        self.wake = wake
        self.sleep = sleep
        self.pause = pause
        self.appointments = appointments
        self.routines = routines
        self.now = now
    }
}

/// A span of minutes of the day, from `from` up to, but not including, `until`.
package struct MinuteSpan: Hashable, Sendable, Codable {
    package var from: Int
    package var until: Int

    package init(from: Int, until: Int) {
        self.from = from
        self.until = until
    }

    /// The length of the span.
    package var minutes: Int { until - from }
}

/// An event at a fixed time. Appointments may overlap each other.
package struct DayAppointment: Hashable, Sendable {
    /// A unique, non-empty id within the day.
    package var id: String
    package var span: MinuteSpan
    /// Minutes before it that are needed to get ready or to get there; they are blocked too.
    package var preparation: Int

    package init(id: String, span: MinuteSpan, preparation: Int = 0) {
        self.id = id
        self.span = span
        self.preparation = preparation
    }
}

/// Actions that belong together, in the order in which they are done. A break is a routine of one
/// action.
package struct DayRoutine: Hashable, Sendable {
    /// A unique, non-empty id within the day.
    package var id: String
    /// The window in which all its actions lie; they also lie within the day.
    package var window: MinuteSpan
    /// The minute at which it should preferably begin.
    package var preferred: Int
    /// The only minute at which it may begin, if a person fixed it; the routine may still be left
    /// out.
    package var fixedStart: Int?
    package var actions: [DayAction]

    package init(
        id: String, window: MinuteSpan, preferred: Int, fixedStart: Int? = nil,
        actions: [DayAction]
    ) {
        self.id = id
        self.window = window
        self.preferred = preferred
        self.fixedStart = fixedStart
        self.actions = actions
    }
}

/// A single task.
package struct DayAction: Hashable, Sendable {
    /// A unique, non-empty id within the day: the same action in the morning and in the evening has
    /// two.
    package var id: String
    /// How long it takes.
    package var minutes: Int
    /// The priority, from 1, the least important, to 5.
    package var priority: Int
    package var state: ActionState
    /// When it begins in the current plan; nil when there is no plan or it isn't in it.
    package var earlierStart: Int?

    package init(
        id: String, minutes: Int, priority: Int, state: ActionState = .open,
        earlierStart: Int? = nil
    ) {
        self.id = id
        self.minutes = minutes
        self.priority = priority
        self.state = state
        self.earlierStart = earlierStart
    }

    /// What it adds to the worth of a plan: 1, 2, 4, 8 or 16.
    package var worth: Int { 1 << (min(max(priority, 1), 5) - 1) }
}

/// The state of an action.
package enum ActionState: Hashable, Sendable {
    /// It has not begun.
    case open
    /// It was done then. That doesn't change, whatever rules it breaks.
    case done(MinuteSpan)
    /// It is running, and is expected to end then, or now if that has passed.
    case running(MinuteSpan)
    /// The person doesn't want to do it today.
    case skipped
}
