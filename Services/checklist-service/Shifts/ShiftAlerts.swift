import Messages
import Phrases
import ServiceRuntime
import ShiftLog

/// The rules for a shift's alerts. They depend only on the state, on what was raised and
/// acknowledged before, and on the time; so it makes no difference whether the service was running
/// when something became due.
struct ShiftAlerts {
    /// The state of the shift.
    let state: ShiftState
    /// The standing alerts of the shift, by key.
    let present: [String: StandingAlert]
    /// Who gets the alerts of the shift manager, because that person has left; nil for the shift
    /// manager.
    var substitute: String?

    /// How often the alert of a travel path is repeated until it is acknowledged: every minute, in
    /// milliseconds.
    static let repetition: Int64 = 60_000
    /// How often the alert of an overdue task that isn't time-critical is repeated until it is
    /// acknowledged: every ten minutes, in milliseconds.
    static let slowRepetition: Int64 = 600_000
    /// The maximum number of overdue tasks and to-dos that have alerts of their own, and of
    /// superiors who are alerted. One more alert covers all the other tasks and to-dos.
    static let (most, mostSuperiors) = (100, 20)
    /// The maximum number of tasks that become overdue at the same moment and have alerts of their
    /// own. If there are more, one alert covers all of them, and names the first few. The same is
    /// true of the to-dos of a recipient.
    static let (mostAtOnce, mostNamed) = (3, 5)

    var shift: Shift { state.shift }
    /// Who gets the alerts of the shift manager.
    var manager: String { substitute ?? shift.manager }
    private var travelPathKey: String { "shift/\(shift.id)/tp" }
    private var restKey: String { "shift/\(shift.id)/rest" }
    private var grace: Int64 { Int64(state.settings.grace) * 60_000 }
    private var escalateAfter: Int64 { Int64(state.settings.escalateAfter) * 60_000 }

    /// The alerts that should stand at a time. The key of an alert to a superior is that of the
    /// escalated alert, `/escalated/` and the recipient.
    ///
    /// - Parameters:
    ///   - now: the time in milliseconds since 1970.
    ///   - above: returns the superiors; called only when they have to be alerted.
    ///   - account: returns the recipient with a name; nil when nobody of the site has that name.
    func wanted(
        at now: Int64, above: () throws -> [String], account: (String) throws -> String?
    ) rethrows -> [StandingAlert] {
        let todos = state.timedTodos
        let things = overdueThings(todos, at: now)
        let rest = things.dropFirst(Self.most)
        let path = state.travelPathDue(at: now).map { travelPath($0, at: now) }
        let isPathEscalated =
            path.map { !$0.isAcknowledged && now >= $0.since + grace + escalateAfter } ?? false
        let isEscalated = isPathEscalated || things.contains { $0.isEscalated(at: now) }
        let superiors = try isEscalated ? Self.few(above()) : []
        var alerts: [StandingAlert] = []
        if let path {
            alerts.append(path)
            if isPathEscalated { alerts += escalated(path, to: superiors) }
        }
        for thing in things.prefix(Self.most) {
            let alert = overdue(thing)
            alerts.append(alert)
            if thing.isEscalated(at: now) {
                alerts += escalated(forSuperiors(alert, of: thing), to: superiors)
            }
        }
        alerts += try toAssignees(todos, at: now, account: account)
        if !rest.isEmpty {
            let alert = overdue(rest)
            alerts.append(alert)
            if rest.contains(where: { $0.isEscalated(at: now) }) {
                alerts += escalated(alert, to: superiors)
            }
        }
        return alerts
    }

    /// When the alerts may change by themselves; nil when the shift has ended or nothing is left.
    ///
    /// - Returns: milliseconds since 1970.
    func next(after now: Int64) -> Int64? {
        var times = [state.nextOverdue(after: now), state.nextTravelPath(after: now)]
        if let slot = state.travelPathDue(at: now) {
            let alert = travelPath(slot, at: now)
            times += [slot.due + state.schedule.lateAfter, alert.since + grace + escalateAfter]
        }
        return times.compactMap { $0 }.filter { $0 > now }.min()
    }

    private func travelPath(_ slot: TravelPathSlot, at now: Int64) -> StandingAlert {
        let before = present[travelPathKey]
        if let before, before.isAcknowledged, before.occasion == slot.due { return before }
        let isLate = now >= slot.due + state.schedule.lateAfter
        let clock = state.localTime.reading(at: slot.due).time
        var since = slot.due
        // Otherwise one raised while the clock was ahead would not be escalated before that time.
        if let before, !before.isAcknowledged { since = min(since, before.since) }
        var raised = AlertRaised(
            key: travelPathKey, kind: "checklist.travelPath", severity: isLate ? .urgent : .warning,
            subject: shift.id, recipient: manager, needsAcknowledgement: true,
            repeatEvery: Self.repetition, organisation: shift.organisation, site: shift.site)
        raised.say(
            Said(isLate ? .travelPathLate : .travelPath, ["clock": .text(clock)]),
            body(.travelPathBody, ["site": .text(shift.siteName)]))
        return StandingAlert(raised, occasion: slot.due, since: since)
    }

    /// What is overdue: what has to be escalated first, then what was due first.
    private func overdueThings(_ todos: [DueTodo], at now: Int64) -> [OverdueThing] {
        (overdueTasks(at: now) + overdue(todos, at: now, for: manager))
            .sorted { $0.place < $1.place }
    }

    /// The overdue tasks: those that became overdue at the same moment together, if there are many.
    ///
    /// Whether there are many depends on all tasks, done or not. So a task has the same alert for
    /// as long as it is overdue, however many of the others are done meanwhile.
    private func overdueTasks(at now: Int64) -> [OverdueThing] {
        let overdue = state.overdue(at: now)
        guard !overdue.isEmpty else { return [] }
        var counts: [Int64: Int] = [:]
        for task in state.dueTimes { counts[task.overdue, default: 0] += 1 }
        var things: [OverdueThing] = []
        for (moment, tasks) in Dictionary(grouping: overdue, by: \.overdue) {
            if counts[moment, default: 0] > Self.mostAtOnce {
                things.append(.tasks(tasks.sorted { $0.place < $1.place }))
            } else {
                things += tasks.map { OverdueThing.task($0) }
            }
        }
        return things
    }

    private func overdue(_ thing: OverdueThing) -> StandingAlert {
        switch thing {
        case .task(let task): overdue(task)
        case .tasks(let tasks): overdue(tasks, since: thing.overdue)
        case .todo(let todo): overdue(todo, to: manager)
        case .todos(let todos): overdue(todos, to: manager)
        }
    }

    /// The alert about what is overdue without an alert of its own. Whoever has acknowledged it is
    /// alerted again when it covers something more recent.
    private func overdue(_ rest: ArraySlice<OverdueThing>) -> StandingAlert {
        let newest = rest.map(\.overdue).max() ?? 0
        let before = present[restKey]
        if let before, before.isAcknowledged, before.occasion >= newest { return before }
        var raised = reminder(restKey, isCritical: rest.contains { $0.escalation != nil })
        raised.say(
            Said(.overdueMore, ["count": .number(rest.reduce(0) { $0 + $1.count })]),
            body(.plain, ["text": .text(shift.siteName)]))
        let since = before.flatMap { $0.isAcknowledged ? nil : $0.since }
        return StandingAlert(raised, occasion: newest, since: since ?? newest)
    }

    /// The alert about tasks that became overdue at the same moment, such as those that were due
    /// before the shift began. Whoever has acknowledged it has seen all of them, and is alerted
    /// again only if one that was done is open again.
    private func overdue(_ tasks: [DueTask], since moment: Int64) -> StandingAlert {
        let key = "shift/\(shift.id)/tasks/\(moment)"
        let reopened = reopening(of: tasks)
        if let before = present[key], before.isAcknowledged, before.occasion >= reopened {
            return before
        }
        var raised = reminder(key, isCritical: tasks.contains { $0.escalation != nil })
        say(tasks, in: &raised)
        return StandingAlert(raised, occasion: reopened, since: moment)
    }

    /// The alert to the shift manager about overdue tasks, as yet without words. The time-critical
    /// ones are repeated more often.
    private func reminder(_ key: String, isCritical: Bool) -> AlertRaised {
        AlertRaised(
            key: key, kind: "checklist.overdue", severity: .warning, subject: shift.id,
            recipient: manager, needsAcknowledgement: true,
            repeatEvery: isCritical ? Self.repetition : Self.slowRepetition,
            organisation: shift.organisation, site: shift.site)
    }

    /// The newest place in the log at which one of these tasks was opened again; 0 if none was.
    private func reopening(of tasks: [DueTask]) -> Int64 {
        tasks.map { state.reopening(of: $0.key) }.max() ?? 0
    }

    /// Says how many tasks are overdue, and which come first.
    private func say(_ tasks: [DueTask], in raised: inout AlertRaised) {
        let named = tasks.map { (clock: clock($0), title: title($0)) }
        say(named, as: "task", .overdue, .overdueTogether, in: &raised)
    }

    /// Says which of some things is overdue, or how many are and which come first.
    ///
    /// - Parameters:
    ///   - things: when each was due, and what it is called.
    ///   - kind: what the phrases call one of them.
    ///   - one: the phrase for one.
    ///   - several: the phrase for several.
    ///   - raised: the alert that says it.
    func say(
        _ things: [(clock: String, title: String)], as kind: String, _ one: AlertPhrase,
        _ several: AlertPhrase, in raised: inout AlertRaised
    ) {
        guard let first = things.first else { return }
        var lines = body(.plain, ["text": .text(shift.siteName)])
        guard things.count > 1 else {
            let title = Said(one, ["clock": .text(first.clock), kind: .text(first.title)])
            return raised.say(title, lines)
        }
        for thing in things.prefix(Self.mostNamed) {
            lines += body(.plain, ["text": .text("\(thing.clock) \(thing.title)")])
        }
        if things.count > Self.mostNamed {
            lines += body(.overdueMore, ["count": .number(things.count - Self.mostNamed)])
        }
        let title = Said(
            several,
            [
                "count": .number(things.count), "clock": .text(first.clock),
                kind: .text(first.title),
            ])
        raised.say(title, lines)
    }

    /// The alert as the superiors get it: of tasks that became overdue together, only the
    /// time-critical ones. What the shift manager has acknowledged is said as it is now.
    private func forSuperiors(_ alert: StandingAlert, of thing: OverdueThing) -> StandingAlert {
        var alert = alert
        switch thing {
        case .task, .todo: break
        case .tasks(let tasks):
            let critical = tasks.filter { $0.escalation != nil }
            say(critical, in: &alert.raised)
            alert.occasion = reopening(of: critical)
        case .todos(let todos):
            say(todos, in: &alert.raised)
            alert.occasion = newest(todos, for: manager)
        }
        return alert
    }

    /// True if an alert that stands is for the right person, or somebody has acknowledged it.
    func isFor(_ recipient: String, _ alert: StandingAlert) -> Bool {
        alert.isAcknowledged || alert.raised.recipient == recipient
    }

    private func title(_ task: DueTask) -> String {
        state.lists.task(task.key)?.task.title(in: state.language) ?? task.key.task
    }

    private func clock(_ task: DueTask) -> String { state.localTime.reading(at: task.due).time }

    private func overdue(_ task: DueTask) -> StandingAlert {
        let key = "shift/\(shift.id)/task/\(task.key.todo)"
        if let before = present[key], isFor(manager, before) { return before }
        var raised = reminder(key, isCritical: task.escalation != nil)
        say([task], in: &raised)
        return StandingAlert(raised, occasion: task.overdue, since: task.overdue)
    }

    /// The first of the superiors, each once.
    private static func few(_ superiors: [String]) -> [String] {
        var seen: Set<String> = []
        return Array(superiors.filter { seen.insert($0).inserted }.prefix(mostSuperiors))
    }

    /// The alerts to the superiors about something that isn't done, whether it was acknowledged or
    /// not. A superior who has acknowledged it isn't alerted again.
    private func escalated(_ alert: StandingAlert, to superiors: [String]) -> [StandingAlert] {
        superiors.filter { !alert.isAcknowledged || $0 != alert.raised.recipient }
            .map { escalated(alert, to: $0) }
    }

    /// The alert to a superior about something that isn't done, or an alert that nobody has
    /// acknowledged.
    private func escalated(_ alert: StandingAlert, to recipient: String) -> StandingAlert {
        let key = "\(alert.key)/escalated/\(recipient)"
        // Only an alert that covers several things changes.
        let several = ["tasks", "todos"].map { "shift/\(shift.id)/\($0)/" }
        let coversSeveral =
            alert.key == restKey || several.contains { alert.key.hasPrefix($0) }
        if let before = present[key],
            !coversSeveral || before.isAcknowledged && before.occasion >= alert.occasion
        {
            return before
        }
        var raised = AlertRaised(
            key: key, kind: "checklist.escalated", severity: .urgent, title: alert.raised.title,
            subject: shift.id, recipient: recipient, needsAcknowledgement: true,
            repeatEvery: Self.repetition, organisation: shift.organisation,
            titlePhrase: alert.raised.titlePhrase, site: shift.site)
        let first = body(
            alert.isAcknowledged ? .escalatedUndoneBody : .escalatedBody,
            ["site": .text(shift.siteName), "manager": .text(shift.managerName)])
        // The first line of the alert itself is about the site, too.
        raised.say(first + alert.raised.bodyLines.dropFirst())
        return StandingAlert(raised, occasion: alert.occasion, since: alert.since)
    }

    func body(
        _ phrase: AlertPhrase, _ arguments: KeyValuePairs<String, Said<AlertPhrase>.Value>
    ) -> [PhraseLine] {
        [PhraseLine([Said(phrase, arguments)])]
    }
}
