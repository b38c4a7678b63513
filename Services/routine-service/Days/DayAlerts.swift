import ActionLibrary
import Messages
import Phrases
import RoutineDay
import ServiceRuntime

/// The rules of the alerts that a day raises. None of them is urgent unless the person wants it,
/// and none counts what was not done. Carers get a copy if the person has allowed it.
struct DayAlerts {
    let day: Day
    let time: DayTime
    let organisation: String
    /// The account ids of the carers who get a copy.
    var told: [String] = []
    /// The person's name in those copies.
    var name = ""
    /// What the person wants urgent alerts about: areas of actions, and names.
    var urgent: [String] = []
    /// The events that the day before announces, as items name them.
    var begun: Set<String> = []

    /// The maximum number of urgent alerts that a person has at the same time.
    private static let mostUrgent = 20

    /// The alerts of a day, each of which stands once for each recipient. What is urgent has alerts
    /// of its own: see ``urgentName(_:)``.
    private enum Kind: String {
        case proposal, now, soon, leave, done
    }

    /// The reasons for an alert.
    private enum Notice {
        /// The weekly rhythm proposes the day.
        case proposal
        /// It is time for an item: the current one, or an urgent one.
        case now(Day.Place)
        /// Another item begins soon.
        case soon(Day.Place, isBusy: Bool)
        /// It is, or soon will be, time to get ready for an appointment or to go there.
        case leave(Day.Place, isTime: Bool, isBusy: Bool)
        /// Nothing is left to do.
        case finished
    }

    /// Returns the alerts that apply at a time: the day is proposed, an action is to be done,
    /// another item begins soon, it is time to get ready for an appointment, or the day is done.
    ///
    /// - Parameter now: the time, in milliseconds since 1970.
    func wanted(at now: Int64) -> [StandingAlert] {
        let recipients = [nil] + told.map(Optional.some)
        let notices = notices(at: now)
        return recipients.flatMap { carer in
            notices.map {
                StandingAlert(alert($0, for: carer), occasion: occasion(of: $0), since: now)
            }
        }
    }

    /// What distinguishes one raising of an alert from the next: after somebody has seen it, it is
    /// raised again for the next action, and for the same one only if it begins at another time.
    private func occasion(of notice: Notice) -> Int64 {
        switch notice {
        case .proposal, .finished: 0
        case .now(let place), .soon(let place, _): day[place].start
        // Someone who has seen that it will soon be time is alerted again when it is.
        case .leave(let place, let isTime, _): isTime ? day[place].start : -day.leave(place)
        }
    }

    private func notices(at now: Int64) -> [Notice] {
        guard now < time.end else { return [] }
        guard day.state == .confirmed else { return day.rhythm.isEmpty ? [] : [.proposal] }
        let isPaused = day.paused > 0
        let current = isPaused ? pressing(at: now) : day.current(at: now)
        let isBusy = !isPaused && current != nil
        var notices: [Notice] = []
        if let current, !isUrgent(current), !hasBegunBefore(current) {
            notices.append(.now(current))
        }
        notices += urgentItems(at: now).map { Notice.now($0) }
        if let soon = soon(after: current, at: now) {
            notices.append(.soon(soon, isBusy: isBusy))
        }
        if let place = leaving(at: now) {
            notices.append(.leave(place, isTime: now >= day.leave(place), isBusy: isBusy))
        }
        if !isPaused, now >= time.begin, isFinished { notices.append(.finished) }
        return notices
    }

    /// Returns what it is time for although the day is paused: an appointment, which doesn't wait,
    /// or else the first action that the person wants urgent alerts about.
    private func pressing(at now: Int64) -> Day.Place? {
        if let current = day.current(at: now), day.items[current.item].isAppointment {
            return current
        }
        return day.toCome.first {
            !day.items[$0.item].isAppointment && day[$0].start <= now && isUrgent($0)
        }
    }

    /// Returns what is due and urgent: the current item, an action that waits for one that takes
    /// longer, or one that an appointment interrupts. If there are too many, returns the last,
    /// because those are the new ones.
    private func urgentItems(at now: Int64) -> [Day.Place] {
        guard !urgent.isEmpty else { return [] }
        return day.toCome.filter { day[$0].start <= now && isUrgent($0) }.suffix(Self.mostUrgent)
    }

    /// Whether an item is an event of the day before too, so that nothing begins with it here.
    private func hasBegunBefore(_ place: Day.Place) -> Bool {
        begun.contains(day.items[place.item].event)
    }

    private var lead: Int64 { Int64(day.warning) * DayTime.minute }

    /// Returns the place where another item begins soon; if there are several, the last, because
    /// that is the new one. The next action of the same routine doesn't count, and no action in a
    /// pause. Neither does an appointment with preparation time: ``leaving(at:)`` announces it.
    private func soon(after current: Day.Place?, at now: Int64) -> Day.Place? {
        guard day.warning > 0 else { return nil }
        let next = day.next(at: now)
        return day.toCome.last { place in
            let (item, start) = (day.items[place.item], day[place].start)
            guard start > now, now >= start - lead, !hasBegunBefore(place) else { return false }
            guard item.isAppointment else {
                return day.paused == 0 && place == next && place.item != current?.item
            }
            return item.preparation == 0
        }
    }

    /// Returns the appointment for which it is, or soon will be, time to get ready or to go; if
    /// there are several, the one for which that is new.
    private func leaving(at now: Int64) -> Day.Place? {
        func news(_ place: Day.Place) -> (Int64, Int64) {
            let leave = day.leave(place)
            return (now >= leave ? leave : leave - lead, -day[place].start)
        }
        return day.toCome.filter {
            day.items[$0.item].isAppointment && day.items[$0.item].preparation > 0
                && day[$0].start > now && now >= day.leave($0) - lead
        }.max { news($0) < news($1) }
    }

    /// Whether the day is done; false unless the person has done at least one action.
    private var isFinished: Bool {
        day.isFinished
            && day.places.contains {
                !day.items[$0.item].isAppointment && day[$0].state == .done
            }
    }

    // MARK: Wording

    private func alert(_ notice: Notice, for carer: String?) -> AlertRaised {
        var raised: AlertRaised
        let said: Said<AlertPhrase>
        var body: [Said<AlertPhrase>] = []
        let isOwn = carer == nil
        let person = Said<AlertPhrase>.Value.text(name)
        switch notice {
        case .proposal:
            raised = alert(.proposal, "routine.proposal", carer)
            let name = Said<AlertPhrase>.Value.text(day.rhythm)
            said =
                isOwn
                ? Said(.dayProposed, ["name": name])
                : Said(.dayProposedOf, ["person": person, "name": name])
            if isOwn { body = [Said(.dayProposedBody)] }
        case .now(let place):
            raised = alert(.now, "routine.due", carer)
            if isUrgent(place) {
                raised.severity = .urgent
                raised.key = Self.key(urgentName(place), raised.subject, carer)
            }
            let name = title(place)
            said =
                isOwn
                ? Said(.dayNow, ["name": name])
                : Said(.dayNowOf, ["person": person, "name": name])
            let minutes = Int(day[place].action?.minutes ?? 0)
            body = [Said(.dayNowBody, ["minutes": .number(minutes)])]
        case .soon(let place, let isBusy):
            raised = alert(.soon, "routine.soon", carer)
            let name = Said<AlertPhrase>.Value.text(day.items[place.item].title)
            let clock = Said<AlertPhrase>.Value.text(time.clock(day[place].start))
            said =
                isOwn
                ? Said(.daySoon, ["clock": clock, "name": name])
                : Said(.daySoonOf, ["person": person, "clock": clock, "name": name])
            if isBusy, isOwn { body = [Said(.daySoonBody)] }
        case .leave(let place, let isTime, let isBusy):
            raised = alert(.leave, "routine.leave", carer)
            if isTime, isUrgent(place) { raised.severity = .urgent }
            said = leave(place, isTime, isOwn ? nil : person)
            body = [Said(.dayLeaveBody, ["clock": .text(time.clock(day[place].start))])]
            if isBusy, isOwn, !isTime { body.append(Said(.daySoonBody)) }
        case .finished:
            raised = alert(.done, "routine.dayDone", carer)
            said = isOwn ? Said(.dayFinished) : Said(.dayFinishedOf, ["person": person])
        }
        raised.say(said, body.map { PhraseLine([$0]) })
        return raised
    }

    /// The title of the alert that it is, or soon will be, time to get ready for an appointment or
    /// to go there.
    ///
    /// - Parameters:
    ///   - place: the appointment.
    ///   - isTime: true if it is time.
    ///   - person: the person, for a carer; nil for the person.
    private func leave(
        _ place: Day.Place, _ isTime: Bool, _ person: Said<AlertPhrase>.Value?
    ) -> Said<AlertPhrase> {
        let name = Said<AlertPhrase>.Value.text(day.items[place.item].title)
        let clock = Said<AlertPhrase>.Value.text(time.clock(day.leave(place)))
        guard let person else {
            return isTime
                ? Said(.dayLeave, ["name": name])
                : Said(.dayLeaveSoon, ["clock": clock, "name": name])
        }
        return isTime
            ? Said(.dayLeaveOf, ["person": person, "name": name])
            : Said(.dayLeaveSoonOf, ["person": person, "clock": clock, "name": name])
    }

    private func alert(_ what: Kind, _ kind: String, _ carer: String?) -> AlertRaised {
        let subject = "\(day.person)/\(day.date)"
        return AlertRaised(
            key: Self.key(what.rawValue, subject, carer), kind: kind, severity: .info,
            subject: subject, recipient: carer ?? day.person, expiresAt: time.end,
            organisation: organisation)
    }

    /// What the key of the alert for something urgent contains: no other alert takes its place.
    private func urgentName(_ place: Day.Place) -> String { "urgent.\(day[place].id)" }

    /// True for the key of a carer's copy of an alert of a day.
    ///
    /// - Parameters:
    ///   - key: the key of an alert.
    ///   - carer: the account id of the carer.
    ///   - subject: the day, as a subject of alerts.
    static func isCopy(_ key: String, for carer: String, of subject: String) -> Bool {
        let day = Self.key("", subject, nil)
        return key.hasPrefix(day) && key.dropFirst(day.count).hasSuffix("/\(carer)")
    }

    private static func key(_ name: String, _ subject: String, _ carer: String?) -> String {
        "day/\(subject)/\(name)" + (carer.map { "/\($0)" } ?? "")
    }

    private func isUrgent(_ place: Day.Place) -> Bool { day.isUrgent(place, among: urgent) }

    private func title(_ place: Day.Place) -> Said<AlertPhrase>.Value {
        day[place].action?.said() ?? .text(day.items[place.item].title)
    }
}

extension Day {
    /// True for what the person has named, by area of life or by a name in any language.
    func isUrgent(_ place: Place, among urgent: [String]) -> Bool {
        guard !urgent.isEmpty, let action = self[place].action else { return false }
        let area = LibraryAction.ofKey(action.library)?.area
        let names = [area ?? ""] + Language.allCases.map { action.title(in: $0) }
        return !Set(urgent.map(\.nameKey)).isDisjoint(with: names.map(\.nameKey))
    }
}
