import DayPlan
import TestSupport

extension DayProblem {
    /// A day small enough for exhaustive search; half of them have begun.
    static func tiny(_ seed: inout Seed) -> DayProblem {
        let length = 8 + seed.below(9)
        let wake = seed.below(4)
        var day = DayProblem(
            wake: wake, sleep: wake + length, pause: seed.below(4), routines: [],
            now: seed.oneIn(2) ? wake + seed.below(length) : nil)
        for number in 0..<seed.below(3) {
            let from = seed.below(day.sleep)
            day.appointments.append(
                DayAppointment(
                    id: "a\(number)", span: MinuteSpan(from: from, until: from + 1 + seed.below(4)),
                    preparation: seed.below(3)))
        }
        var actions = 1 + seed.below(4)
        var isRunning = false
        for number in 0..<1 + seed.below(3) where actions > 0 {
            let from = seed.below(day.sleep)
            var routine = DayRoutine(
                id: "r\(number)",
                window: MinuteSpan(from: from, until: min(40, from + 1 + seed.below(20))),
                preferred: seed.below(day.sleep),
                fixedStart: seed.oneIn(6) ? seed.below(day.sleep) : nil, actions: [])
            let most = 1 + seed.below(actions)
            for index in 0..<most {
                routine.actions.append(
                    .some("\(number)-\(index)", now: day.now, &isRunning, &seed))
            }
            actions -= most
            day.routines.append(routine)
        }
        return day
    }

    /// A day of any allowed size, often near the limits.
    static func any(_ seed: inout Seed) -> DayProblem {
        let wake = seed.below(1_200)
        let sleep = wake + 1 + seed.below(seed.oneIn(3) ? DayLimits.lastMinute - wake : 900)
        var day = DayProblem(
            wake: wake, sleep: sleep, pause: seed.oneIn(4) ? seed.below(DayLimits.pause + 1) : 5,
            routines: [], now: seed.oneIn(2) ? seed.below(DayLimits.lastMinute + 1) : nil)
        for number in 0..<seed.below(seed.oneIn(5) ? DayLimits.appointments : 6) {
            let from = seed.below(DayLimits.lastMinute)
            let until = from + 1 + seed.below(min(300, DayLimits.lastMinute - from))
            day.appointments.append(
                DayAppointment(
                    id: "a\(number)", span: MinuteSpan(from: from, until: until),
                    preparation: seed.oneIn(10) ? seed.below(1_441) : seed.below(31)))
        }
        var isRunning = false
        for number in 0..<seed.below(seed.oneIn(4) ? DayLimits.routines + 1 : 12) {
            let isWide = seed.oneIn(3)
            let from = isWide ? 0 : seed.below(DayLimits.lastMinute)
            let until =
                isWide
                ? DayLimits.lastMinute : from + 1 + seed.below(DayLimits.lastMinute - from)
            var routine = DayRoutine(
                id: "r\(number)", window: MinuteSpan(from: from, until: until),
                preferred: seed.below(DayLimits.lastMinute + 1),
                fixedStart: seed.oneIn(8) ? wake + seed.below(sleep - wake) : nil, actions: [])
            for index in 0..<1 + seed.below(seed.oneIn(8) ? 10 : 4) {
                routine.actions.append(
                    .some("\(number)-\(index)", now: day.now, &isRunning, &seed))
            }
            day.routines.append(routine)
        }
        return day
    }
}

extension DayAction {
    /// Short in a tiny day, otherwise now and then of the maximum length.
    fileprivate static func some(
        _ id: String, now: Int?, _ isRunning: inout Bool, _ seed: inout Seed
    ) -> DayAction {
        let isTiny = now ?? 0 < 30 && seed.oneIn(2)
        var action = DayAction(
            id: id, minutes: 1 + seed.below(isTiny ? 5 : seed.oneIn(9) ? 1_440 : 40),
            priority: 1 + seed.below(5))
        guard let now else { return action }
        if seed.oneIn(2) { action.earlierStart = min(now + seed.below(12), DayLimits.lastMinute) }
        switch seed.below(8) {
        case 0, 1:
            action.state = .done(MinuteSpan(from: now / 2, until: now - seed.below(now / 2 + 1)))
        case 2: action.state = .skipped
        case 3 where !isRunning:
            isRunning = true
            action.state = .running(
                MinuteSpan(from: now, until: min(now + seed.below(6), DayLimits.lastMinute)))
        default: break
        }
        return action
    }
}
