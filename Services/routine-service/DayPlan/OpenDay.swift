/// The part of a day that is still to be planned, with every limit worked out.
struct OpenDay {
    let time: OpenTime
    /// The first minute in which anything may begin.
    let from: Int
    /// The minute by which everything has ended.
    let until: Int
    let pause: Int
    /// The routines with open actions.
    let routines: [OpenRoutine]
    /// The index of the routine that has begun and continues before another begins.
    let current: Int?
    /// The number of open actions in the current plan.
    let planned: Int

    init(_ problem: DayProblem) {
        time = OpenTime(problem.appointments)
        let from = max(problem.wake, problem.now ?? problem.wake)
        self.from = from
        until = problem.sleep
        pause = problem.pause
        let current = problem.currentRoutine
        let ends = problem.routines.map(\.lastEnd)
        var routines: [OpenRoutine] = []
        for (number, routine) in problem.routines.enumerated() {
            let actions = routine.openActions
            guard !actions.isEmpty else { continue }
            // The pause also counts from other routines that have just been done.
            let ready = ends.indices.compactMap { other in
                ends[other].map { other == number ? $0 : $0 + problem.pause }
            }
            routines.append(
                OpenRoutine(
                    number: number,
                    from: max(from, routine.window.from, ready.max() ?? 0),
                    until: min(problem.sleep, routine.window.until),
                    preferred: routine.preferred,
                    fixedStart: ends[number] == nil ? routine.fixedStart : nil,
                    lastEnd: ends[number], actions: actions))
        }
        self.routines = routines
        self.current = routines.firstIndex { $0.number == current }
        planned = problem.routines.reduce(0) { count, routine in
            count + routine.actions.count { $0.state == .open && $0.earlierStart != nil }
        }
    }
}

/// A routine with open actions.
struct OpenRoutine {
    /// Its index in the problem.
    let number: Int
    /// The limits within which its actions lie.
    let from: Int
    let until: Int
    let preferred: Int
    let fixedStart: Int?
    /// The end of the latest action that is done or running.
    let lastEnd: Int?
    let actions: [OpenAction]

    /// Returns the cost, in minutes, of beginning or continuing at a minute.
    func cost(ofStart minute: Int) -> Int {
        if let lastEnd { return 2 * (minute - lastEnd) }
        return abs(minute - preferred)
    }
}

/// An open action.
struct OpenAction {
    /// Its index in its routine.
    let number: Int
    let minutes: Int
    let worth: Int
    let earlierStart: Int?
}

extension DayRoutine {
    /// The open actions in their order.
    fileprivate var openActions: [OpenAction] {
        actions.enumerated().filter { $0.element.state == .open }.map {
            OpenAction(
                number: $0.offset, minutes: $0.element.minutes, worth: $0.element.worth,
                earlierStart: $0.element.earlierStart)
        }
    }

    /// The end, actual or expected, of the latest action that has begun.
    var lastEnd: Int? {
        actions.compactMap { action in
            switch action.state {
            case .open, .skipped: nil
            case .done(let span), .running(let span): span.until
            }
        }.max()
    }
}

extension DayProblem {
    /// The same day, in which a running action that should have ended before now ends now.
    var settled: DayProblem {
        guard let now else { return self }
        var day = self
        for (number, routine) in routines.enumerated() {
            for (index, action) in routine.actions.enumerated() {
                guard case .running(let span) = action.state else { continue }
                day.routines[number].actions[index].state = .running(
                    MinuteSpan(from: span.from, until: max(now, span.until)))
            }
        }
        return day
    }

    /// The index of the routine that the person is in: that of the running action, or else of the
    /// one done last.
    var currentRoutine: Int? {
        var found: (number: Int, end: Int)?
        for (number, routine) in routines.enumerated() {
            for action in routine.actions {
                switch action.state {
                case .running: return number
                case .done(let span) where span.until >= found?.end ?? 0:
                    found = (number, span.until)
                case .done, .open, .skipped: break
                }
            }
        }
        return found?.number
    }

    /// Returns the latest minute at which an open action may begin, considering only the
    /// appointments; nil when its time has passed or it never had any. After that minute, the
    /// action is left out.
    ///
    /// - Throws: ``InvalidDay`` if the day is invalid.
    package func latestStart(of action: String) throws(InvalidDay) -> Int? {
        try validate()
        let day = OpenDay(settled)
        for routine in day.routines {
            for open in routine.actions
            where routines[routine.number].actions[open.number].id == action {
                return day.time.lastStart(
                    from: routine.from, lasting: open.minutes, until: routine.until)
            }
        }
        return nil
    }
}
