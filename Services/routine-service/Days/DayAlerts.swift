import Messages
import Phrases
import RoutineDay

/// The rules of what a day tells its person, and when. Nothing of it is urgent, and nothing counts
/// what was not done.
struct DayAlerts {
    let day: Day
    let time: DayTime
    let organisation: String

    /// What is to be told at a time: what is being done, what begins soon, that the day is done.
    ///
    /// - Parameter now: milliseconds since 1970.
    func wanted(at now: Int64) -> [AlertRaised] {
        guard day.state == .confirmed, day.paused == 0, (time.begin..<time.end).contains(now) else {
            return []
        }
        let current = day.current(at: now)
        var alerts: [AlertRaised] = []
        if let current { alerts.append(present(current)) }
        if let soon = soon(after: current, at: now) { alerts.append(soon) }
        if day.isFinished, let done = finished { alerts.append(done) }
        return alerts
    }

    private func present(_ place: Day.Place) -> AlertRaised {
        let step = day[place]
        var raised = alert("now", "routine.due")
        raised.say(
            Said(.dayNow, ["name": name(place)]),
            [
                PhraseLine([
                    Said<AlertPhrase>(
                        .dayNowBody, ["minutes": .number(Int(step.action?.minutes ?? 0))])
                ])
            ])
        return raised
    }

    /// Something else begins soon. The next action of the same routine is no such thing.
    private func soon(after current: Day.Place?, at now: Int64) -> AlertRaised? {
        guard day.warning > 0, let next = day.next(at: now), next.item != current?.item else {
            return nil
        }
        let start = day[next].start
        guard start > now, now >= start - Int64(day.warning) * DayTime.minute else { return nil }
        var raised = alert("soon", "routine.soon")
        let clock = Said<AlertPhrase>.Value.text(time.clock(start))
        raised.say(
            Said(.daySoon, ["clock": clock, "name": .text(day.items[next.item].title)]),
            current == nil ? [] : [PhraseLine([Said<AlertPhrase>(.daySoonBody)])])
        return raised
    }

    /// The day is done: told only after something was done in it by the person.
    private var finished: AlertRaised? {
        let isDone = day.places.contains {
            !day.items[$0.item].isAppointment && day[$0].state == .done
        }
        guard isDone else { return nil }
        var raised = alert("done", "routine.dayDone")
        raised.say(Said(.dayFinished))
        return raised
    }

    private func alert(_ what: String, _ kind: String) -> AlertRaised {
        AlertRaised(
            key: "day/\(day.person)/\(day.date)/\(what)", kind: kind, severity: .info,
            subject: "\(day.person)/\(day.date)", recipient: day.person, expiresAt: time.end,
            organisation: organisation)
    }

    private func name(_ place: Day.Place) -> Said<AlertPhrase>.Value {
        day[place].action?.said() ?? .text(day.items[place.item].title)
    }
}
