/// What is known of a day before it is planned, or planned again: when it begins and ends, what is
/// fixed in it, and what should find room.
///
/// Times are minutes of the local day, 0 at midnight; a day may run past the next midnight. On the
/// day when a clock is changed the caller counts elapsed minutes, so that an hour has 60 of them.
package struct DayProblem: Hashable, Sendable {
    /// The first minute in which something may begin.
    package var wake: Int
    /// The minute at which everything has ended.
    package var sleep: Int
    /// Minutes that lie at least between the end of a routine and the beginning of the next.
    package var pause: Int
    package var appointments: [DayAppointment]
    package var routines: [DayRoutine]
    /// When a running day is fitted again: nothing that is still open begins before this minute.
    package var now: Int?

    package init(
        wake: Int, sleep: Int, pause: Int = 5, appointments: [DayAppointment] = [],
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

/// Minutes of the day, `from` among them and `until` not.
package struct MinuteSpan: Hashable, Sendable, Codable {
    package var from: Int
    package var until: Int

    package init(from: Int, until: Int) {
        self.from = from
        self.until = until
    }

    /// How long it is.
    package var minutes: Int { until - from }
}

/// What has its time already. Appointments may overlap each other.
package struct DayAppointment: Hashable, Sendable {
    /// Not empty, and only once in a day.
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
    /// Not empty, and only once in a day.
    package var id: String
    /// Each of its actions lies within this, and within the day.
    package var window: MinuteSpan
    /// When it begins best.
    package var preferred: Int
    /// The only minute at which it may begin, when a person put it there; it may still be left out.
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

/// One thing to do.
package struct DayAction: Hashable, Sendable {
    /// Not empty, and only once in a day: the same action in the morning and in the evening is two.
    package var id: String
    /// How long it takes.
    package var minutes: Int
    /// From 1, the least important, to 5.
    package var priority: Int
    package var state: ActionState
    /// When it begins in the plan that is in force; nil when there is none or it is not in it.
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

    /// What a plan gains by it: 1, 2, 4, 8 or 16.
    package var worth: Int { 1 << (min(max(priority, 1), 5) - 1) }
}

/// How far an action has come.
package enum ActionState: Hashable, Sendable {
    /// It has not begun.
    case open
    /// It was done then. That stays as it is, whatever rules it breaks.
    case done(MinuteSpan)
    /// It is being done, and is expected to end then; if that has passed, it may end now.
    case running(MinuteSpan)
    /// The person does not want to do it today.
    case skipped
}
