import DayPlan
import Testing

/// What a person sees in a new plan.
struct DayPlanTests {
    static func routine(
        _ id: String, _ window: ClosedRange<Int>, preferred: Int, _ actions: DayAction...
    ) -> DayRoutine {
        DayRoutine(
            id: id, window: MinuteSpan(from: window.lowerBound, until: window.upperBound),
            preferred: preferred, actions: actions)
    }

    static func action(_ id: String, _ minutes: Int, _ priority: Int) -> DayAction {
        DayAction(id: id, minutes: minutes, priority: priority)
    }

    static func plan(_ day: DayProblem) throws -> PlannedDay {
        let plan = try day.plan()
        #expect(DayChecker.faults(of: plan, in: day) == [])
        #expect(plan.isProvenBest)
        return plan
    }

    static func times(_ plan: PlannedDay) -> [String] {
        plan.actions.map { "\($0.id) \($0.span.from)-\($0.span.until)" }
    }

    static let school = DayAppointment(
        id: "school", span: MinuteSpan(from: 480, until: 840), preparation: 20)

    @Test func `a routine begins at its best time`() throws {
        let day = DayProblem(
            wake: 360, sleep: 1_300,
            routines: [
                Self.routine(
                    "morning", 360...600, preferred: 430, Self.action("wash", 10, 3),
                    Self.action("eat", 20, 3))
            ])
        let plan = try Self.plan(day)
        #expect(Self.times(plan) == ["wash 430-440", "eat 440-460"])
        #expect(plan.cost == 0 && plan.worth == 8 && plan.leftOut == [])
    }

    @Test func `a routine that doesn't fit before school says how much time was left`() throws {
        let day = DayProblem(
            wake: 420, sleep: 1_300, appointments: [Self.school],
            routines: [
                Self.routine(
                    "morning", 420...600, preferred: 420, Self.action("eat", 30, 5),
                    Self.action("shower", 15, 2))
            ])
        let plan = try Self.plan(day)
        #expect(Self.times(plan) == ["eat 420-450"])
        let reason = try #require(plan.leftOut.first?.reason)
        #expect(
            reason
                == LeftOutReason(
                    key: .noRoomBesideOthers, takes: 15, left: 10, before: .appointment("school"),
                    until: 600))
    }

    @Test func `a routine that doesn't fit between the appointments says so`() throws {
        let day = DayProblem(
            wake: 420, sleep: 1_300, appointments: [Self.school],
            routines: [
                Self.routine("bath", 430...850, preferred: 440, Self.action("bathe", 45, 5))
            ])
        let plan = try Self.plan(day)
        #expect(
            plan.leftOut.map(\.reason) == [
                LeftOutReason(
                    key: .noRoomBesideAppointments, takes: 45, left: 30,
                    before: .appointment("school"), until: 850)
            ])
    }

    @Test func `a routine that is longer than its window or the day says so`() throws {
        let day = DayProblem(
            wake: 420, sleep: 500,
            routines: [
                Self.routine("walk", 430...450, preferred: 440, Self.action("short", 25, 5)),
                Self.routine("trip", 490...900, preferred: 490, Self.action("long", 25, 5)),
            ])
        let reasons = try Self.plan(day).leftOut.map(\.reason)
        #expect(
            reasons == [
                LeftOutReason(
                    key: .windowTooShort, takes: 25, left: 20, before: .window, until: 450),
                LeftOutReason(
                    key: .windowTooShort, takes: 25, left: 10, before: .sleep, until: 500),
            ])
    }

    @Test func `the less important routine gives way, and the plan says to which`() throws {
        let day = DayProblem(
            wake: 420, sleep: 480,
            routines: [
                Self.routine("play", 420...480, preferred: 420, Self.action("build", 20, 1)),
                Self.routine("food", 420...480, preferred: 430, Self.action("eat", 50, 5)),
            ])
        let plan = try Self.plan(day)
        #expect(Self.times(plan) == ["eat 430-480"])
        let reason = try #require(plan.leftOut.first?.reason)
        #expect(
            reason
                == LeftOutReason(
                    key: .noRoomBesideOthers, takes: 20, left: 5, before: .routine("food"),
                    until: 480))
    }

    @Test func `an appointment may interrupt a routine, another routine may not`() throws {
        let day = DayProblem(
            wake: 420, sleep: 530,
            appointments: [DayAppointment(id: "call", span: MinuteSpan(from: 450, until: 460))],
            routines: [
                Self.routine(
                    "home", 420...530, preferred: 420, Self.action("dishes", 30, 3),
                    Self.action("laundry", 40, 3)),
                Self.routine("music", 420...530, preferred: 505, Self.action("play", 25, 3)),
            ])
        let plan = try Self.plan(day)
        #expect(Self.times(plan) == ["dishes 420-450", "laundry 460-500", "play 505-530"])
        #expect(plan.cost == 2 * 10)
    }

    @Test func `a routine that a person placed begins there or not at all`() throws {
        var home = Self.routine("home", 420...530, preferred: 420, Self.action("dishes", 30, 3))
        home.fixedStart = 475
        var day = DayProblem(wake: 420, sleep: 530, routines: [home])
        #expect(Self.times(try Self.plan(day)) == ["dishes 475-505"])
        day.appointments = [DayAppointment(id: "call", span: MinuteSpan(from: 500, until: 510))]
        let plan = try Self.plan(day)
        #expect(
            plan.leftOut.map(\.reason) == [
                LeftOutReason(
                    key: .fixedStartTaken, takes: 30, left: 25, before: .appointment("call"),
                    until: 530)
            ])
    }

    @Test func `a break is a routine of one action`() throws {
        let day = DayProblem(
            wake: 420, sleep: 560,
            routines: [
                Self.routine("work", 420...560, preferred: 420, Self.action("write", 60, 4)),
                Self.routine("break", 480...520, preferred: 490, Self.action("rest", 15, 5)),
                Self.routine("more", 420...560, preferred: 510, Self.action("read", 40, 4)),
            ])
        let plan = try Self.plan(day)
        #expect(Self.times(plan) == ["write 420-480", "rest 490-505", "read 510-550"])
    }

    @Test func `a day without routines has an empty plan`() throws {
        let plan = try Self.plan(
            DayProblem(wake: 0, sleep: 1, appointments: [Self.school], routines: []))
        #expect(plan.actions == [] && plan.leftOut == [] && plan.worth == 0)
    }

    @Test func `the latest start depends on the window, the day and the appointments`() throws {
        var day = DayProblem(
            wake: 420, sleep: 1_300, appointments: [Self.school],
            routines: [
                Self.routine("morning", 420...600, preferred: 420, Self.action("teeth", 5, 5)),
                Self.routine("night", 1_200...1_400, preferred: 1_250, Self.action("read", 20, 5)),
            ])
        #expect(try day.latestStart(of: "teeth") == 455)
        #expect(try day.latestStart(of: "read") == 1_280)
        #expect(try day.latestStart(of: "fly") == nil)
        day.now = 455
        #expect(try day.latestStart(of: "teeth") == 455)
        day.now = 456
        #expect(try day.latestStart(of: "teeth") == nil)
    }
}
