import DayPlan
import Testing

/// A day outside its bounds is refused, with the place and the fix.
struct InvalidDayTests {
    static func day() -> DayProblem {
        DayProblem(
            wake: 400, sleep: 1_300,
            appointments: [DayAppointment(id: "doctor", span: MinuteSpan(from: 600, until: 630))],
            routines: [
                DayRoutine(
                    id: "morning", window: MinuteSpan(from: 400, until: 600), preferred: 420,
                    actions: [DayAction(id: "wash", minutes: 10, priority: 3)])
            ])
    }

    static let action = InvalidDay.Place.action(0, routine: 0)
    static let wrong:
        [(place: InvalidDay.Place, words: String, change: @Sendable (inout DayProblem) -> Void)] = [
            (.day, "give an end after the beginning", { $0.sleep = 400 }),
            (.day, "minute from 0 to 2880", { $0.wake = -1 }),
            (.day, "minute from 0 to 2880", { $0.wake = .min }),
            (.day, "minute from 0 to 2880", { $0.sleep = 2_881 }),
            (.day, "minute from 0 to 2880", { $0.sleep = .max }),
            (.day, "minute from 0 to 2880", { $0.now = .max }),
            (.day, "give 0 to 240", { $0.pause = -1 }),
            (.day, "give 0 to 240", { $0.pause = .max }),
            (
                .day, "it may have 100",
                {
                    $0.appointments = (0...100).map {
                        DayAppointment(id: "\($0)", span: MinuteSpan(from: 1, until: 2))
                    }
                }
            ),
            (
                .day, "it may have 40",
                { day in
                    day.routines = (0...40).map {
                        var routine = day.routines[0]
                        routine.id = "\($0)"
                        return routine
                    }
                }
            ),
            (
                .routine(0), "it may have 40",
                {
                    $0.routines[0].actions = (0...40).map {
                        DayAction(id: "\($0)", minutes: 1, priority: 1)
                    }
                }
            ),
            (
                .day, "it may have 400",
                { day in
                    day.routines = (0..<11).map { number in
                        DayRoutine(
                            id: "\(number)", window: day.routines[0].window, preferred: 420,
                            actions: (0..<40).map {
                                DayAction(id: "\(number)-\($0)", minutes: 1, priority: 1)
                            })
                    }
                }
            ),
            (.appointment(0), "has no id", { $0.appointments[0].id = "" }),
            (
                .appointment(1), "give each appointment its own",
                { $0.appointments.append($0.appointments[0]) }
            ),
            (
                .appointment(0), "the appointment doctor ends at minute 600",
                { $0.appointments[0].span.until = 600 }
            ),
            (.appointment(0), "from 0 to 2880", { $0.appointments[0].span.from = .min }),
            (.appointment(0), "from 0 to 2880", { $0.appointments[0].span.until = .max }),
            (.appointment(0), "give 0 to 1440", { $0.appointments[0].preparation = -1 }),
            (.appointment(0), "give 0 to 1440", { $0.appointments[0].preparation = .max }),
            (.routine(0), "has no id", { $0.routines[0].id = "" }),
            (
                .routine(0), "has 201 bytes",
                { $0.routines[0].id = String(repeating: "x", count: 201) }
            ),
            (.routine(1), "give each routine its own", { $0.routines.append($0.routines[0]) }),
            (.routine(0), "has no action: add one", { $0.routines[0].actions = [] }),
            (
                .routine(0), "not after minute 400", { $0.routines[0].window.until = 400 }
            ),
            (.routine(0), "from 0 to 2880", { $0.routines[0].window.from = .min }),
            (.routine(0), "from 0 to 2880", { $0.routines[0].window.until = .max }),
            (.routine(0), "from 0 to 2880", { $0.routines[0].preferred = .min }),
            (.routine(0), "from 0 to 2880", { $0.routines[0].fixedStart = .max }),
            (action, "has no id", { $0.routines[0].actions[0].id = "" }),
            (
                .action(1, routine: 0), "give each action its own",
                { $0.routines[0].actions.append($0.routines[0].actions[0]) }
            ),
            (
                action, "the action wash of the routine morning takes 0 minutes",
                { $0.routines[0].actions[0].minutes = 0 }
            ),
            (action, "give 1 to 1440", { $0.routines[0].actions[0].minutes = .max }),
            (action, "give 1, the least", { $0.routines[0].actions[0].priority = 0 }),
            (action, "give 1, the least", { $0.routines[0].actions[0].priority = 6 }),
            (action, "from 0 to 2880", { $0.routines[0].actions[0].earlierStart = .min }),
            (
                action, "before it begins",
                { $0.routines[0].actions[0].state = .done(MinuteSpan(from: 420, until: 419)) }
            ),
            (
                action, "from 0 to 2880",
                { $0.routines[0].actions[0].state = .done(MinuteSpan(from: .min, until: 419)) }
            ),
            (
                action, "from 0 to 2880",
                { $0.routines[0].actions[0].state = .running(MinuteSpan(from: 420, until: .max)) }
            ),
            (
                .action(1, routine: 0), "run at once",
                {
                    $0.routines[0].actions.append(DayAction(id: "dry", minutes: 5, priority: 3))
                    for index in 0..<2 {
                        $0.routines[0].actions[index].state = .running(
                            MinuteSpan(from: 420, until: 430))
                    }
                }
            ),
        ]

    @Test func `a day within the limits is planned`() throws {
        #expect(try Self.day().plan().actions.map(\.id) == ["wash"])
    }

    @Test(arguments: wrong.indices)
    func `a value outside the limits is refused with its place`(number: Int) throws {
        var day = Self.day()
        Self.wrong[number].change(&day)
        let error = try #require(throws: InvalidDay.self) { try day.plan() }
        #expect(error.place == Self.wrong[number].place)
        #expect(error.description.contains(Self.wrong[number].words), "\(error)")
        #expect(throws: InvalidDay.self) { try day.latestStart(of: "wash") }
    }
}
