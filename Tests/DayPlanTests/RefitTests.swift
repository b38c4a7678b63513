import DayPlan
import Testing

/// A running day, fitted again after a change.
struct RefitTests {
    /// A morning, an hour for the home and an evening, with a plan in force.
    static func day() throws -> DayProblem {
        var day = DayProblem(
            wake: 420, sleep: 1_300,
            routines: [
                DayPlanTests.routine(
                    "morning", 420...540, preferred: 430, DayPlanTests.action("wash", 10, 4),
                    DayPlanTests.action("eat", 20, 5), DayPlanTests.action("teeth", 5, 4)),
                DayPlanTests.routine(
                    "home", 420...720, preferred: 480, DayPlanTests.action("dishes", 20, 2),
                    DayPlanTests.action("laundry", 40, 2)),
                DayPlanTests.routine(
                    "evening", 1_080...1_300, preferred: 1_200, DayPlanTests.action("read", 30, 3)),
            ])
        day.keep(try day.plan())
        return day
    }

    static func refit(_ day: DayProblem) throws -> PlannedDay { try DayPlanTests.plan(day) }

    @Test func `nothing changes if nothing happened`() throws {
        var day = try Self.day()
        day.now = 425
        let plan = try Self.refit(day)
        #expect(
            DayPlanTests.times(plan) == [
                "wash 430-440", "eat 440-460", "teeth 460-465", "dishes 480-500",
                "laundry 500-540", "read 1200-1230",
            ])
        #expect(plan.moved == [] && plan.moves == 0)
    }

    @Test func `a late finish moves only what follows`() throws {
        var day = try Self.day()
        day.now = 445
        day.routines[0].actions[0].state = .running(MinuteSpan(from: 432, until: 450))
        let plan = try Self.refit(day)
        #expect(
            DayPlanTests.times(plan) == [
                "wash 432-450", "eat 450-470", "teeth 470-475", "dishes 480-500",
                "laundry 500-540", "read 1200-1230",
            ])
        #expect(plan.moved.map(\.id) == ["eat", "teeth"])
        #expect(plan.moved.map(\.reason) == [.late("wash"), .action("eat")])
    }

    @Test func `an item that should have ended ends now at the earliest`() throws {
        var day = try Self.day()
        day.now = 470
        day.routines[0].actions[0].state = .running(MinuteSpan(from: 432, until: 450))
        let plan = try Self.refit(day)
        #expect(plan.actions[0].span == MinuteSpan(from: 432, until: 470))
        #expect(plan.actions[1].span.from == 470)
    }

    @Test func `a new appointment moves whatever is in its way`() throws {
        var day = try Self.day()
        day.now = 425
        day.appointments = [
            DayAppointment(id: "doctor", span: MinuteSpan(from: 500, until: 560), preparation: 15)
        ]
        let plan = try Self.refit(day)
        #expect(plan.moved.map(\.id) == ["dishes", "laundry"])
        #expect(plan.moved[0].reason == .appointment("doctor"))
        #expect(plan.leftOut == [])
        let times = DayPlanTests.times(plan)
        #expect(times.starts(with: ["wash 430-440", "eat 440-460", "teeth 460-465"]))
    }

    @Test func `a cancelled appointment moves only what must move`() throws {
        var day = try Self.day()
        day.appointments = [DayAppointment(id: "doctor", span: MinuteSpan(from: 470, until: 560))]
        for routine in day.routines.indices {
            for action in day.routines[routine].actions.indices {
                day.routines[routine].actions[action].earlierStart = nil
            }
        }
        day.keep(try Self.refit(day))
        #expect(day.routines[1].actions[0].earlierStart == 560)
        day.appointments = []
        day.now = 425
        let plan = try Self.refit(day)
        #expect(plan.moves == 0)
        #expect(plan.actions[3].span.from == 560)
    }

    @Test func `what can no longer be done is skipped by the rule`() throws {
        var day = try Self.day()
        day.now = 525
        let plan = try Self.refit(day)
        #expect(plan.leftOut.map(\.id) == ["eat"])
        #expect(
            plan.leftOut.map(\.reason) == [
                LeftOutReason(
                    key: .windowPassed, takes: 20, left: 15, before: .window, until: 540)
            ])
        day.now = 540
        let later = try Self.refit(day)
        #expect(later.leftOut.map(\.reason.key) == [.windowPassed, .windowPassed, .windowPassed])
        #expect(later.leftOut.map(\.reason.left) == [0, 0, 0])
        #expect(later.leftOut.map(\.reason.before) == [nil, nil, nil])
    }

    @Test func `a routine that has begun continues before another starts`() throws {
        var day = try Self.day()
        day.now = 485
        day.routines[0].actions[0].state = .done(MinuteSpan(from: 430, until: 442))
        let plan = try Self.refit(day)
        #expect(
            DayPlanTests.times(plan).prefix(4) == [
                "wash 430-442", "eat 485-505", "teeth 505-510", "dishes 515-535",
            ])
        #expect(plan.moved.first?.reason == .timePassed)
    }

    @Test func `finished items keep their time, whatever rule they break`() throws {
        var day = try Self.day()
        day.now = 800
        day.routines[0].actions[2].state = .done(MinuteSpan(from: 700, until: 705))
        day.routines[2].actions[0].state = .done(MinuteSpan(from: 702, until: 710))
        let plan = try Self.refit(day)
        #expect(DayPlanTests.times(plan) == ["teeth 700-705", "read 702-710"])
    }

    @Test func `skipping an item leaves the rest where it is`() throws {
        var day = try Self.day()
        day.now = 440
        day.routines[0].actions[0].state = .done(MinuteSpan(from: 430, until: 440))
        day.routines[0].actions[1].state = .skipped
        let plan = try Self.refit(day)
        #expect(plan.leftOut.map(\.reason.key) == [.skipped])
        #expect(plan.moves == 0)
        #expect(plan.actions[1].span == MinuteSpan(from: 460, until: 465))
    }
}
