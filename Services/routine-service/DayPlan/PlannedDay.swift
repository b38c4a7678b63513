/// A day with a time for each action that found room, and a reason for each that did not.
package struct PlannedDay: Hashable, Sendable {
    /// What is done, is being done and is to be done, in order of time.
    package var actions: [PlannedAction]
    /// What is not to be done today, in the order of the problem.
    package var leftOut: [LeftOutAction]
    /// What the plan in force had at another time, in the order of the problem.
    package var moved: [MovedAction]
    /// The worth of the open actions that found room.
    package var worth: Int
    /// How many open actions of the plan in force are not where they were: moved or left out.
    package var moves: Int
    /// Twice the idle minutes within routines, and the minutes between the beginning of each
    /// routine and when it begins best.
    package var cost: Int
    /// Whether no plan is better: none of more worth, of those none with fewer moves, and of those
    /// none of less cost.
    package var isProvenBest: Bool
    /// The work that it took, in the unit of `PlanningEffort.steps`.
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

/// One action with its time.
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

/// One action without a time.
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

/// Why an action is not to be done today.
package struct LeftOutReason: Hashable, Sendable {
    /// The sentence that says it.
    package enum Key: String, Hashable, Sendable, CaseIterable {
        /// The person does not want it.
        case skipped
        /// Too late: what was left of its window is shorter than it is. A rule, not a choice.
        case windowPassed
        /// Its window, or the day, is shorter than it is.
        case windowTooShort
        /// With the appointments of the day no stretch of its window is long enough.
        case noRoomBesideAppointments
        /// Alone it would fit; what matters as much or more has the room.
        case noRoomBesideOthers
        /// Its routine was to begin at a certain minute, and can't then.
        case fixedStartTaken
    }

    /// What stands behind the room that was left.
    package enum Limit: Hashable, Sendable {
        /// An appointment, by its id; its preparation belongs to it.
        case appointment(String)
        /// Another routine, by its id.
        case routine(String)
        /// The next action of its own routine, by its id.
        case action(String)
        /// The routine's window ends.
        case window
        /// The day ends.
        case sleep
    }

    package var key: Key
    /// Minutes that the action takes.
    package var takes: Int
    /// Minutes in a row that were left for it, fewer than it takes; 0 when it is skipped.
    package var left: Int
    /// What ended the room that was left ("before school"); nil when nothing was left or it does
    /// not matter.
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

/// One action that the plan in force had at another time.
package struct MovedAction: Hashable, Sendable {
    /// Why.
    package enum Reason: Hashable, Sendable {
        /// What is being done, or was done last, took longer: this action, by its id.
        case late(String)
        /// Its time has passed, and it has not begun.
        case timePassed
        /// This appointment, by its id, is there now.
        case appointment(String)
        /// Another routine, by its id, is there now.
        case routine(String)
        /// An earlier action of its own routine, by its id, is there now.
        case action(String)
        /// So that more finds room, or the routine is kept together.
        case toFit
    }

    /// The id of the action.
    package var id: String
    /// The id of its routine.
    package var routine: String
    /// Minutes at which it began and begins.
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

/// How much work planning may be.
package struct PlanningEffort: Hashable, Sendable {
    /// Choices looked at, at most; a few more may be. The result depends on it, and on nothing that
    /// differs from run to run.
    package var steps: Int

    package init(steps: Int) {
        self.steps = steps
    }

    /// For a new day: about 50 ms of a processor at most, most days far less.
    package static let plan = PlanningEffort(steps: 6_000_000)
    /// For a day that is running: about 30 ms on most days.
    package static let refit = PlanningEffort(steps: 1_500_000)
}
