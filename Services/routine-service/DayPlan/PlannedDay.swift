/// A day with a time for each action that found room, and a reason for each that didn't.
package struct PlannedDay: Hashable, Sendable {
    /// The actions that are done, running or planned, in order of time.
    package var actions: [PlannedAction]
    /// The actions that aren't to be done today, in the order of the problem.
    package var leftOut: [LeftOutAction]
    /// The actions whose time differs from that in the current plan, in the order of the problem.
    package var moved: [MovedAction]
    /// The total worth of the open actions that found room.
    package var worth: Int
    /// The number of open actions of the current plan that moved or were left out.
    package var moves: Int
    /// Twice the idle minutes within routines, plus the minutes between each routine's beginning
    /// and its preferred one.
    package var cost: Int
    /// Whether no plan is better: none has more worth, of those none has fewer moves, and of those
    /// none has a lower cost.
    package var isProvenBest: Bool
    /// The work done, in the unit of `PlanningEffort.steps`.
    package var steps: Int

    package init(
        actions: [PlannedAction], leftOut: [LeftOutAction], moved: [MovedAction], worth: Int,
        moves: Int, cost: Int, isProvenBest: Bool, steps: Int
    ) {
        self.actions = actions
        self.leftOut = leftOut
        self.moved = moved
        self.worth = worth
        self.moves = moves
        self.cost = cost
        self.isProvenBest = isProvenBest
        self.steps = steps
    }
}

/// An action with its time.
package struct PlannedAction: Hashable, Sendable {
    /// The id of the action.
    package var id: String
    /// The id of its routine.
    package var routine: String
    package var span: MinuteSpan

    package init(id: String, routine: String, span: MinuteSpan) {
        self.id = id
        self.routine = routine
        self.span = span
    }
}

/// An action without a time.
package struct LeftOutAction: Hashable, Sendable {
    /// The id of the action.
    package var id: String
    /// The id of its routine.
    package var routine: String
    package var reason: LeftOutReason

    package init(id: String, routine: String, reason: LeftOutReason) {
        self.id = id
        self.routine = routine
        self.reason = reason
    }
}

/// The reason why an action is not to be done today.
package struct LeftOutReason: Hashable, Sendable {
    /// The sentence that states the reason.
    package enum Key: String, Hashable, Sendable, CaseIterable {
        /// The person skipped it.
        case skipped
        /// Too late: what is left of its window is shorter than the action. A rule, not a choice.
        case windowPassed
        /// Its window, or the day, is shorter than the action.
        case windowTooShort
        /// No stretch of its window between the day's appointments is long enough.
        case noRoomBesideAppointments
        /// It would fit alone, but actions that matter as much or more need the room.
        case noRoomBesideOthers
        /// Its routine has a fixed start and can't begin then.
        case fixedStartTaken
    }

    /// What ends the room that was left.
    package enum Limit: Hashable, Sendable {
        /// An appointment with its preparation, by its id.
        case appointment(String)
        /// Another routine, by its id.
        case routine(String)
        /// The next action of its own routine, by its id.
        case action(String)
        /// The end of the routine's window.
        case window
        /// The end of the day.
        case sleep
    }

    package var key: Key
    /// The minutes that the action takes.
    package var takes: Int
    /// The longest stretch that was left for it, in minutes; less than it takes. 0 when it is
    /// skipped.
    package var left: Int
    /// What ended the room that was left ("before school"); nil when nothing was left or it doesn't
    /// matter.
    package var before: Limit?
    /// The minute at which its window, or the day, ends for it.
    package var until: Int

    package init(key: Key, takes: Int, left: Int, before: Limit?, until: Int) {
        self.key = key
        self.takes = takes
        self.left = left
        self.before = before
        self.until = until
    }
}

/// An action that the current plan had at another time.
package struct MovedAction: Hashable, Sendable {
    /// Why it moved.
    package enum Reason: Hashable, Sendable {
        /// This action, by its id, took longer: it is running or was done last.
        case late(String)
        /// Its time has passed, and it has not begun.
        case timePassed
        /// This appointment, by its id, is there now.
        case appointment(String)
        /// This other routine, by its id, is there now.
        case routine(String)
        /// This earlier action of its own routine, by its id, is there now.
        case action(String)
        /// So that more finds room, or the routine stays together.
        case toFit
    }

    /// The id of the action.
    package var id: String
    /// The id of its routine.
    package var routine: String
    /// The minutes at which it began before and begins now.
    package var from: Int
    package var to: Int
    package var reason: Reason

    package init(id: String, routine: String, from: Int, to: Int, reason: Reason) {
        self.id = id
        self.routine = routine
        self.from = from
        self.to = to
        self.reason = reason
    }
}

/// How much work planning may do.
package struct PlanningEffort: Hashable, Sendable {
    /// The maximum number of choices to examine, give or take a few. The result depends on it, and
    /// on nothing that differs from run to run.
    package var steps: Int

    package init(steps: Int) {
        self.steps = steps
    }

    /// The effort for a new day: at most about 50 ms of processor time, for most days far less.
    package static let plan = PlanningEffort(steps: 6_000_000)
    /// The effort for a running day: about 30 ms for most days.
    package static let refit = PlanningEffort(steps: 1_500_000)
}
