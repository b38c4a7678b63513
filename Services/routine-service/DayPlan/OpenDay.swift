/// What of a day is still to be planned, with every limit worked out.
struct OpenDay {
    let time: OpenTime
    /// The first minute in which anything may begin.
    let from: Int
    /// The minute at which everything has ended.
    let until: Int
    let pause: Int
    /// The routines that have something open.
    let routines: [OpenRoutine]
    /// Which of them has begun and goes on before another begins.
    let current: Int?
    /// How many open actions the plan in force has.
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
            // Others than its own may have been done just now: the pause counts from them too.
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

/// A routine that has something open.
struct OpenRoutine {
    /// Its place in the problem.
    let number: Int
    /// Its actions lie between these.
    let from: Int
    let until: Int
    let preferred: Int
    let fixedStart: Int?
    /// When its latest action ended that is done or running.
    let lastEnd: Int?
    let actions: [OpenAction]

    /// Minutes of cost when it begins, or goes on, at a minute.
    func cost(ofStart minute: Int) -> Int {
        if let lastEnd { return 2 * (minute - lastEnd) }
        return abs(minute - preferred)
    }
}

/// An open action.
struct OpenAction {
    /// Its place in its routine.
    let number: Int
    let minutes: Int
    let worth: Int
    let earlierStart: Int?
}

extension DayRoutine {
    /// Its open actions in their order.
    fileprivate var openActions: [OpenAction] {
        actions.enumerated().filter { $0.element.state == .open }.map {
            OpenAction(
                number: $0.offset, minutes: $0.element.minutes, worth: $0.element.worth,
                earlierStart: $0.element.earlierStart)
        }
    }

    /// When the latest of its actions ended, or is to end, that has begun.
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
    /// The same day, where what runs ends now if it should have ended before.
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

    /// The routine that a person is in: that of the action that runs, else of the one done last.
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

    /// The latest minute at which an open action may begin with the appointments alone; nil when
    /// its time has passed, or it never had any. Once that minute is over the action is left out.
    /// - Throws: what is wrong with the day.
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
