import DayPlan
import RideEvaluation

/// How full the days of a trial are.
package enum DayFamily: String, CaseIterable, Sendable {
    case light, typical, tight, overload

    /// The minutes of actions per hundred free minutes.
    var load: Int {
        switch self {
        case .light: 45
        case .typical: 75
        case .tight: 105
        case .overload: 150
        }
    }

    /// The maximum number of routines that an exact solver can handle; fewer if the day is
    /// overloaded.
    var mostRoutines: Int { self == .overload ? 10 : 16 }
}

/// A realistic random day, the same for the same family and seed.
///
/// Sixteen kinds of routines with their times of day, of which a quarter are shifted and a fifth
/// narrowed. Up to five appointments, with up to 30 minutes of preparation. Actions of 2 to 90
/// minutes, until the day is as full as its family says.
package struct TrialDay: Sendable {
    package let family: DayFamily
    package let seed: UInt64
    package let problem: DayProblem

    package var name: String { "\(family.rawValue) \(seed)" }

    private struct Kind {
        let name: String
        let from: Int
        let until: Int
        let preferred: Int

        init(_ name: String, _ from: Int, _ until: Int, _ preferred: Int) {
            self.name = name
            self.from = from
            self.until = until
            self.preferred = preferred
        }
    }

    private static let kinds: [Kind] = [
        Kind("morning", 360, 600, 420), Kind("hygiene", 390, 570, 430),
        Kind("breakfast", 390, 600, 450), Kind("pets", 420, 660, 480),
        Kind("school", 480, 900, 500), Kind("work", 480, 1_020, 540),
        Kind("movement", 420, 1_200, 1_020), Kind("lunch", 660, 840, 720),
        Kind("medicine", 480, 600, 500), Kind("household", 540, 1_140, 960),
        Kind("homework", 840, 1_140, 930), Kind("leisure", 840, 1_200, 990),
        Kind("dinner", 990, 1_170, 1_050), Kind("evening", 1_080, 1_320, 1_140),
        Kind("bath", 1_110, 1_290, 1_170), Kind("night", 1_170, 1_350, 1_260),
    ]

    private static let durations = [
        2, 3, 5, 5, 5, 5, 10, 10, 10, 10, 15, 15, 15, 20, 20, 30, 45, 60,
    ]

    package init(_ family: DayFamily, seed: UInt64) {
        let number = UInt64(DayFamily.allCases.firstIndex(of: family) ?? 0)
        var random = Seeded(seed &* 8 &+ number)
        self.family = family
        self.seed = seed
        let wake = Int.random(in: 24...30, using: &random) * 15
        let sleep = Int.random(in: 84...92, using: &random) * 15
        let appointments = Self.appointments(from: wake, until: sleep, &random)
        var blocked: Set<Int> = []
        for appointment in appointments {
            blocked.formUnion(
                (appointment.span.from - appointment.preparation)..<appointment.span.until)
        }
        let free = (wake..<sleep).count { !blocked.contains($0) }
        problem = DayProblem(
            wake: wake, sleep: sleep, appointments: appointments,
            routines: Self.routines(family, minutes: free * family.load / 100, &random))
    }

    private static func appointments(
        from wake: Int, until sleep: Int, _ random: inout Seeded
    ) -> [DayAppointment] {
        var found: [DayAppointment] = []
        for number in 0..<Int.random(in: 0...5, using: &random) {
            let length = Int.random(in: 2...18, using: &random) * 10
            let start = Int.random(in: (wake / 5 + 6)...(sleep / 5 - 40), using: &random) * 5
            let appointment = DayAppointment(
                id: "appointment-\(number)",
                span: MinuteSpan(from: start, until: min(start + length, sleep)),
                preparation: Int.random(in: 0...6, using: &random) * 5)
            let isFree = found.allSatisfy {
                $0.span.from - $0.preparation >= appointment.span.until
                    || appointment.span.from - appointment.preparation >= $0.span.until
            }
            if isFree { found.append(appointment) }
        }
        return found
    }

    private static func routines(
        _ family: DayFamily, minutes: Int, _ random: inout Seeded
    ) -> [DayRoutine] {
        var routines: [DayRoutine] = []
        var left = minutes
        var kinds = Self.kinds.shuffled(using: &random)
        while left > 0, let kind = kinds.popLast(), routines.count < family.mostRoutines {
            let number = routines.count
            var routine = routine(kind, number, &random)
            for _ in 0..<Int.random(in: 2...6, using: &random) {
                left -= add(to: &routine, &random)
            }
            routines.append(routine)
        }
        while left > 0 {
            let number = Int.random(in: routines.indices, using: &random)
            guard routines[number].actions.count < 12 else { continue }
            left -= add(to: &routines[number], &random)
        }
        return routines
    }

    private static func routine(
        _ kind: Kind, _ number: Int, _ random: inout Seeded
    ) -> DayRoutine {
        var (from, until, preferred) = (kind.from, kind.until, kind.preferred)
        if Int.random(in: 0..<4, using: &random) == 0 {
            let shift = Int.random(in: -18...18, using: &random) * 5
            (from, until, preferred) = (from + shift, until + shift, preferred + shift)
        }
        if Int.random(in: 0..<5, using: &random) == 0 {
            let cut = (until - from) * Int.random(in: 10...25, using: &random) / 100
            (from, until) = (from + cut, until - cut)
        }
        preferred += Int.random(in: -4...4, using: &random) * 5
        return DayRoutine(
            id: "\(kind.name)-\(number)", window: MinuteSpan(from: from, until: until),
            preferred: min(max(preferred, from), until - 1), actions: [])
    }

    private static func add(to routine: inout DayRoutine, _ random: inout Seeded) -> Int {
        let usual = durations[Int.random(in: durations.indices, using: &random)]
        let minutes = Int.random(in: 0..<40, using: &random) == 0 ? 90 : usual
        routine.actions.append(
            DayAction(
                id: "\(routine.id)-\(routine.actions.count)", minutes: minutes,
                priority: Int.random(in: 1...5, using: &random)))
        return minutes
    }
}

extension TrialDay {
    /// The day on one line of JSON, as `prove_optima.py` reads it.
    package var json: String {
        let day = problem
        let blocked = day.appointments.map {
            "[\($0.span.from - $0.preparation), \($0.span.until)]"
        }
        let routines = day.routines.map { routine in
            let actions = routine.actions.map { "[\($0.minutes), \($0.priority)]" }
            return "{\"window\": [\(routine.window.from), \(routine.window.until)], "
                + "\"preferred\": \(routine.preferred), "
                + "\"actions\": [\(actions.joined(separator: ", "))]}"
        }
        return "{\"family\": \"\(family.rawValue)\", \"seed\": \(seed), \"wake\": \(day.wake), "
            + "\"sleep\": \(day.sleep), \"pause\": \(day.pause), "
            + "\"blocked\": [\(blocked.joined(separator: ", "))], "
            + "\"routines\": [\(routines.joined(separator: ", "))]}"
    }
}
