import DayPlan
import Messages
import Phrases
import RoutineDay

/// Finds a time for what is still to come in a day.
struct DayFitting {
    private let day: Day
    private let time: DayTime
    /// The first minute at which actions are placed, counted from the beginning of the day.
    private let now: Int

    /// Creates a fitting of a day from `now` on, in milliseconds since 1970: nothing that is to
    /// come begins earlier.
    init(_ day: Day, _ time: DayTime, at now: Int64) {
        (self.day, self.time) = (day, time)
        let rest = (max(now, time.begin) - time.begin) % DayTime.minute
        self.now = time.elapsed(now) + (rest > 0 ? 1 : 0)
    }

    /// Returns the same day with a time for each action that has room, and a reason for each that
    /// doesn't.
    ///
    /// - Parameter isNew: whether the day is newly planned rather than running.
    func fitted(isNew: Bool) throws -> Day {
        let planned: PlannedDay
        do throws(InvalidDay) {
            planned = try problem.plan(isNew ? .plan : .refit)
        } catch {
            throw Refusal.invalid("\(error)")
        }
        var fitted = day
        let places = Dictionary(
            day.places.map { (day[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
        for action in planned.actions {
            guard let place = places[action.id], isOpen(place) else { continue }
            fitted[place].state = .unspecified
            (fitted[place].reason, fitted[place].ended) = (nil, 0)
            fitted[place].start = time.instant(elapsed: action.span.from)
            fitted[place].end = time.instant(elapsed: action.span.until)
        }
        for moved in planned.moved where !isNew {
            guard let place = places[moved.id], isOpen(place) else { continue }
            fitted[place].reason = reason(of: moved, places)
        }
        for left in planned.leftOut {
            guard let place = places[left.id], isOpen(place) else { continue }
            fitted[place] = without(day[place], left.reason)
        }
        fitted.sort()
        return fitted
    }

    /// Returns whether an action is neither done, skipped nor begun. In a proposal, every action is
    /// open: one that was too late may still find another time.
    private func isOpen(_ place: Day.Place) -> Bool {
        let step = day[place]
        guard !day.items[place.item].isAppointment else { return false }
        return day.state == .proposed
            || step.began == 0 && (step.state == .unspecified || step.state == .leftOut)
    }

    // MARK: The problem

    private var problem: DayProblem {
        let wake = time.elapsed(time.instant(day.wake))
        let sleep = max(time.elapsed(time.instant(day.sleep)), wake + 1)
        return DayProblem(
            wake: wake, sleep: sleep, appointments: appointments, routines: routines,
            now: max(now, wake))
    }

    private var appointments: [DayAppointment] {
        day.items.filter(\.isAppointment).compactMap { item in
            guard let step = item.steps.first, step.state != .skipped else { return nil }
            let end = step.ended > 0 ? min(step.ended, step.end) : step.end
            let span = MinuteSpan(from: time.elapsed(step.start), until: time.elapsed(end))
            guard span.minutes > 0 else { return nil }
            return DayAppointment(id: item.id, span: span, preparation: Int(item.preparation))
        }
    }

    private var routines: [DayRoutine] {
        counted.map { item in
            let from = time.elapsed(time.instant(item.from))
            let until = max(time.elapsed(time.over(item)), from + 1)
            let hasBegun =
                day.state != .proposed && item.steps.contains { $0.began > 0 || $0.ended > 0 }
            let wanted = item.wanted.map { time.elapsed(time.instant($0)) }
            let isFixed = !hasBegun && (wanted ?? 0) >= now
            return DayRoutine(
                id: item.id, window: MinuteSpan(from: from, until: until),
                preferred: wanted ?? time.elapsed(time.instant(item.best)),
                fixedStart: isFixed ? wanted : nil,
                actions: item.steps.map(action))
        }
    }

    /// The routines to plan, at most as many as a plan may have. Recordings from devices can add
    /// more; then those that ended first are left out.
    private var counted: [DayItem] {
        let all = day.items.filter { !$0.isAppointment }
        func end(_ item: DayItem) -> Int64 {
            let isOver = item.steps.allSatisfy { $0.state == .done || $0.state == .skipped }
            return isOver ? item.steps.map(\.ended).max() ?? 0 : .max
        }
        var kept: Set<Int> = []
        var actions = 0
        for index in all.indices.sorted(by: { (end(all[$0]), $1) > (end(all[$1]), $0) }) {
            actions += all[index].steps.count
            guard kept.count < DayLimits.routines, actions <= DayLimits.allActions else { break }
            kept.insert(index)
        }
        return all.indices.filter(kept.contains).map { all[$0] }
    }

    private func action(_ step: DayStep) -> DayAction {
        DayAction(
            id: step.id, minutes: max(1, Int(step.action?.minutes ?? 1)),
            priority: Int(min(max(step.action?.priority ?? 3, 1), 5)), state: state(step),
            earlierStart: step.isToCome ? time.elapsed(step.start) : nil)
    }

    private func state(_ step: DayStep) -> ActionState {
        guard day.state != .proposed else { return .open }
        switch step.state {
        case .done:
            // What was marked while the clock was ahead has ended by now.
            let until = min(time.elapsed(step.ended), now)
            let from = step.began > 0 ? time.elapsed(step.began) : until
            return .done(MinuteSpan(from: min(from, until), until: until))
        case .skipped: return .skipped
        default:
            guard step.began > 0 else { return .open }
            let from = time.elapsed(step.began)
            let until = min(max(from, time.elapsed(step.end)), DayLimits.lastMinute)
            return .running(MinuteSpan(from: from, until: until))
        }
    }

    // MARK: The reasons

    private func without(_ step: DayStep, _ reason: LeftOutReason) -> DayStep {
        var step = step
        (step.start, step.end, step.ended) = (0, 0, 0)
        step.state = .leftOut
        if isOver(reason) {
            step.state = .skipped
            step.ended = time.instant(elapsed: max(0, reason.until - reason.takes))
        }
        step.reason = Phrase(said(reason))
        return step
    }

    /// Whether an action could no longer be done in its time even if nothing else took longer. As
    /// long as it could, it is only left out, and comes back when there is room.
    private func isOver(_ reason: LeftOutReason) -> Bool {
        reason.key == .windowPassed && now + reason.takes > reason.until
    }

    private func said(_ reason: LeftOutReason) -> Said<DayPhrase> {
        let minutes = Said<DayPhrase>.Value.number(reason.takes)
        let until = time.instant(elapsed: reason.until)
        let over = Said<DayPhrase>(.timeOver, ["clock": .text(time.clock(until))])
        switch reason.key {
        case .skipped: return Said(.passedOver)
        case .windowPassed: return isOver(reason) ? over : Said(.noRoom, ["minutes": minutes])
        // The person gets up after its time.
        case .windowTooShort where until <= time.instant(day.wake): return over
        case .windowTooShort: return Said(.windowTooShort, ["minutes": minutes])
        case .fixedStartTaken: return Said(.fixedStartTaken)
        case .noRoomBesideAppointments, .noRoomBesideOthers:
            guard let name = name(of: reason.before) else {
                return Said(.noRoom, ["minutes": minutes])
            }
            return Said(
                .noRoomBefore,
                ["name": name, "minutes": minutes, "left": .number(reason.left)])
        }
    }

    private func name(of limit: LeftOutReason.Limit?) -> Said<DayPhrase>.Value? {
        switch limit {
        case .appointment(let id), .routine(let id):
            day.items.first { $0.id == id }.map { .text($0.title) }
        case .action(let id):
            day.places.first { day[$0].id == id }.flatMap { day[$0].action?.said() }
        case .window, .sleep, nil: nil
        }
    }

    private func reason(of moved: MovedAction, _ places: [String: Day.Place]) -> Phrase? {
        func action(_ id: String, _ phrase: DayPhrase) -> Phrase? {
            guard let place = places[id], let action = day[place].action else { return nil }
            return Phrase(Said(phrase, ["name": action.said()]))
        }
        func item(_ id: String) -> Phrase? {
            day.items.first { $0.id == id }.map {
                Phrase(Said<DayPhrase>(.movedFor, ["name": .text($0.title)]))
            }
        }
        switch moved.reason {
        case .late(let id): return action(id, .movedLate)
        case .action(let id): return action(id, .movedFor)
        case .appointment(let id), .routine(let id): return item(id)
        case .timePassed: return Phrase(Said<DayPhrase>(.movedPassed))
        case .toFit: return Phrase(Said<DayPhrase>(.movedToFit))
        }
    }
}

extension Day {
    /// Sorts the items by their beginnings; those without a time come last.
    mutating func sort() {
        func begin(_ item: DayItem) -> Int64 {
            let times = item.steps.compactMap { step -> Int64? in
                if step.began > 0 { return step.began }
                return step.start > 0 ? step.start : nil
            }
            return times.min() ?? .max
        }
        let sorted = items.enumerated().sorted {
            (begin($0.element), $0.offset) < (begin($1.element), $1.offset)
        }
        items = sorted.map(\.element)
    }
}
