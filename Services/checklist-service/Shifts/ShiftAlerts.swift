import Messages
import Phrases
import ShiftLog

/// An alert that a shift has raised.
struct ShiftAlert: Hashable {
    /// Under which key its recipient knows it, in this shift.
    let key: String
    /// Which time it is about: when the travel path is due, when the task became overdue.
    /// Milliseconds since 1970.
    var due: Int64
    /// Since when nobody has answered: milliseconds since 1970.
    var since: Int64
    /// True when its recipient has taken notice.
    var isAcknowledged = false
    /// What was raised.
    var raised: AlertRaised
}

/// The rules of what a shift tells people, and when. What is wanted follows from the state, from
/// what was raised and acknowledged before, and from the time alone; so it makes no difference
/// whether the service was there when something became due.
struct ShiftAlerts {
    /// What the shift has come to.
    let state: ShiftState
    /// What it has raised and not taken back, by key.
    let present: [String: ShiftAlert]

    /// A travel path that nobody acknowledges is told again so often: a minute in milliseconds.
    static let repetition: Int64 = 60_000

    private var shift: Shift { state.shift }
    private var travelPathKey: String { "shift/\(shift.id)/tp" }
    private var grace: Int64 { Int64(state.settings.grace) * 60_000 }
    private var escalateAfter: Int64 { Int64(state.settings.escalateAfter) * 60_000 }

    /// What is to be told at a time, none of it twice. Those above are told under the key of what
    /// they are told about, `/escalated/` and who they are.
    ///
    /// - Parameters:
    ///   - now: milliseconds since 1970.
    ///   - above: asked for only when those above have to be told.
    func wanted(at now: Int64, above: () throws -> [String]) rethrows -> [ShiftAlert] {
        var alerts: [ShiftAlert] = []
        if let slot = state.travelPathDue(at: now) {
            let alert = travelPath(slot, at: now)
            alerts.append(alert)
            if !alert.isAcknowledged, now >= alert.since + grace + escalateAfter {
                alerts += try above().map { escalated(alert, to: $0) }
            }
        }
        for task in state.overdue(at: now) {
            let alert = overdue(task)
            alerts.append(alert)
            if let escalation = task.escalation, now >= escalation, !alert.isAcknowledged {
                alerts += try above().map { escalated(alert, to: $0) }
            }
        }
        return alerts
    }

    /// When something else may have to be told; nil when the shift has ended or nothing is left.
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

    private func travelPath(_ slot: TravelPathSlot, at now: Int64) -> ShiftAlert {
        let before = present[travelPathKey]
        if let before, before.isAcknowledged, before.due == slot.due { return before }
        let isLate = now >= slot.due + state.schedule.lateAfter
        let clock = state.localTime.reading(at: slot.due).time
        var since = slot.due
        if let before, !before.isAcknowledged { since = before.since }
        var raised = AlertRaised(
            key: travelPathKey, kind: "checklist.travelPath", severity: isLate ? .urgent : .warning,
            subject: shift.id, recipient: shift.manager, needsAcknowledgement: true,
            repeatEvery: Self.repetition, organisation: shift.organisation)
        raised.say(
            Said(isLate ? .travelPathLate : .travelPath, ["clock": .text(clock)]),
            body(.travelPathBody, ["site": .text(shift.siteName)]))
        return ShiftAlert(key: travelPathKey, due: slot.due, since: since, raised: raised)
    }

    private func overdue(_ task: DueTask) -> ShiftAlert {
        let key = "shift/\(shift.id)/task/\(task.key.todo)"
        if let before = present[key] { return before }
        let title = state.lists.task(task.key)?.task.title(in: state.language) ?? task.key.task
        let clock = state.localTime.reading(at: task.due).time
        var raised = AlertRaised(
            key: key, kind: "checklist.overdue", severity: .warning, subject: shift.id,
            recipient: shift.manager, needsAcknowledgement: task.escalation != nil,
            organisation: shift.organisation)
        raised.say(
            Said(.overdue, ["clock": .text(clock), "task": .text(title)]),
            body(.plain, ["text": .text(shift.siteName)]))
        return ShiftAlert(key: key, due: task.overdue, since: task.overdue, raised: raised)
    }

    /// What someone above is told of what nobody has answered.
    private func escalated(_ alert: ShiftAlert, to recipient: String) -> ShiftAlert {
        let key = "\(alert.key)/escalated/\(recipient)"
        if let before = present[key] { return before }
        var raised = AlertRaised(
            key: key, kind: "checklist.escalated", severity: .urgent, title: alert.raised.title,
            subject: shift.id, recipient: recipient, needsAcknowledgement: true,
            repeatEvery: Self.repetition, organisation: shift.organisation,
            titlePhrase: alert.raised.titlePhrase)
        raised.say(
            body(
                .escalatedBody,
                ["site": .text(shift.siteName), "manager": .text(shift.managerName)]))
        return ShiftAlert(key: key, due: alert.due, since: alert.since, raised: raised)
    }

    private func body(
        _ phrase: AlertPhrase, _ arguments: KeyValuePairs<String, Said<AlertPhrase>.Value>
    ) -> [PhraseLine] {
        [PhraseLine([Said(phrase, arguments)])]
    }
}
