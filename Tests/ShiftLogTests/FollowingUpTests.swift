import LocalTime
import Messages
import Testing

@testable import ShiftLog

/// What is due, what is open, and the result of a shift that begins at 10:00 local time.
struct FollowingUpTests {
    static let minute: Int64 = 60_000
    var service: Service

    init() throws { service = try Service() }

    private mutating func pass(_ minutes: Int64) { service.now += minutes * Self.minute }

    private func at(_ minutes: Int64) -> Int64 { Restaurant.started + minutes * Self.minute }

    @Test mutating func `a task that is not done is overdue after its time and the grace`() throws {
        let walk = TaskKey(list: "before", task: "walk")
        let safe = TaskKey(list: "before", task: "safe")
        #expect(service.state.dueTimes.map(\.due) == [at(-30), at(30)])
        // Its time was before the shift began, so the grace counts from the beginning.
        #expect(service.state.overdue(at: at(10) - 1).isEmpty)
        #expect(service.state.overdue(at: at(10)).map(\.key) == [safe])
        #expect(service.state.nextOverdue(after: at(0)) == at(10))
        #expect(service.state.nextOverdue(after: at(10)) == at(40))
        #expect(service.state.overdue(at: at(40) - 1).map(\.key) == [safe])
        #expect(service.state.overdue(at: at(40)).map(\.key) == [safe, walk])

        pass(15)
        try service.take("a", .mark("safe", .ok, list: "before"))
        pass(20)
        try service.take("a", .mark("walk", .ok, list: "before"))
        #expect(service.state.overdue(at: at(50)).isEmpty)
        #expect(service.state.nextOverdue(after: at(0)) == nil)
        #expect(service.state.totals(at: at(50)).overdue == 1)

        // After the mark is removed the task is open again, but it was done in time.
        try service.take("a", .mark("safe", .unspecified, list: "before"))
        #expect(service.state.overdue(at: at(50)).map(\.key) == [safe])
        service.end()
        #expect(service.state.overdue(at: at(50)).isEmpty)
    }

    @Test func `a shift that begins late reports the tasks that it should have begun with`()
        throws
    {
        // The shift of 07:00 begins at 10:45, long after 04:45, the earliest time of its own.
        let tasks = [("fridge", 7 * 60 + 30), ("alarm", 4 * 60 + 45), ("close", 4 * 60 + 44)]
        let list = ChecklistTemplate(
            id: "before", name: "Before", kind: .before,
            sections: [
                ChecklistSection(
                    id: "start", name: "Start",
                    tasks: tasks.map {
                        Restaurant.task($0.0, $0.0, carryOut: UInt32($0.1))
                    })
            ],
            version: 1)
        let shift = try Restaurant.shift(lists: [list], started: at(45))
        let state = try ShiftState(shift: shift, lists: [list])

        #expect(
            state.dueTimes.map { [$0.due, $0.overdue] } == [
                [at(-315), at(55)], [at(-150), at(55)], [at(1_124), at(1_134)],
            ])
        #expect(state.dueTimes.map(\.key.task) == ["alarm", "fridge", "close"])
        #expect(state.overdue(at: at(55)).map(\.key.task) == ["alarm", "fridge"])
        #expect(state.totals(at: at(60)).overdue == 2)
    }

    @Test func `a time-critical task alerts superiors, and a subtask has its parent's time`()
        throws
    {
        var list = Restaurant.preShift
        list.sections[0].tasks[1].carryOut = 11 * 60
        list.sections[0].tasks[1].timeCritical = true
        list.sections[0].tasks[3].carryOut = 12 * 60
        let state = try Restaurant.state(lists: [list])
        #expect(
            state.dueTimes == [
                DueTask(
                    key: TaskKey(list: "pre", task: "fryer-oil"), due: at(60), overdue: at(70),
                    escalation: at(80)),
                DueTask(
                    key: TaskKey(list: "pre", task: "fryer-basket"), due: at(120),
                    overdue: at(130), escalation: nil),
            ])
        #expect(state.nextOverdue(after: at(70)) == at(80))
    }

    @Test
    func `an evening shift that begins after midnight goes on with the evening's travel paths`()
        throws
    {
        #expect(try Self.first("2026-06-02", 30) == "00:45")
        // Clocks skip 02:00 to 03:00, and later in the year show it twice; this is the second time.
        #expect(try Self.first("2026-03-29", 190) == "03:15")
        #expect(try Self.first("2026-10-25", 150, later: 60) == "02:45")
        // From twelve hours before the evening's first it is that of the coming evening.
        #expect(try Self.first("2026-06-02", 5 * 60 + 14) == "05:15")
        #expect(try Self.first("2026-06-02", 5 * 60 + 15) == "17:15")
        #expect(try Self.first("2026-06-02", 30, .day) == "10:15")
    }

    /// The local time of the first travel path of a shift that begins some minutes after a local
    /// time; the others follow every 45 minutes.
    private static func first(
        _ date: String, _ minutes: Int, _ part: DayPart = .evening, later: Int64 = 0
    ) throws -> String {
        let oslo = try #require(LocalTime(zone: "Europe/Oslo"))
        let day = try #require(LocalTime.day(date))
        var settings = Restaurant.settings
        settings.travelPathInterval = 45
        let started = oslo.instant(day: day, minutes: minutes) + later * minute
        let first = ShiftSchedule.firstTravelPath(
            started: started, oslo, dayPart: part, settings)
        #expect(first >= started)
        return oslo.reading(at: first).time
    }

    @Test
    mutating func
        `a travel path is done in time, late or missed; a walk just before counts for it`()
        throws
    {
        let log = ShiftOperation.Change.logTravelPath(LogTravelPath())
        let states = { (state: ShiftState, now: Int64) in state.slots(at: now).map(\.state) }
        #expect(service.state.shift.firstTravelPath == at(15))
        #expect(service.state.travelPathDue(at: at(14)) == nil)
        #expect(states(service.state, at(14)) == [] && states(service.state, at(15)) == [.open])
        #expect(service.state.nextTravelPath(after: at(0)) == at(15))
        pass(16)
        #expect(service.state.travelPathDue(at: service.now)?.due == at(15))
        try service.take("a", log)
        #expect(service.state.travelPathDue(at: service.now) == nil)
        pass(25)
        try service.take("a", log)
        #expect(states(service.state, service.now) == [.done, .done])
        #expect(service.state.nextTravelPath(after: service.now) == at(75))
        pass(46)
        try service.take("a", log)
        #expect(states(service.state, service.now) == [.done, .done, .late])
        #expect(states(service.state, at(136)) == [.done, .done, .late, .missed, .open])

        service.now = at(140)
        service.end()
        let totals = service.state.totals(at: at(900))
        #expect(totals.travelPathsDue == 4 && totals.travelPathsDone == 2)
        #expect(totals.travelPathsLate == 1 && totals.travelPathsMissed == 1)
        #expect(service.state.nextTravelPath(after: at(140)) == nil)
    }

    @Test mutating func `a travel path that was logged twice counts once`() throws {
        pass(16)
        let begun = try service.take("a", .beginTravelPath(BeginTravelPath()))
        pass(25)
        let log = ShiftOperation.Change.logTravelPath(LogTravelPath(begun: begun.id))
        for _ in 0..<2 { try service.take("a", log) }
        #expect(service.state.nextTravelPath(after: service.now) == at(45))
        #expect(service.state.travelPaths.map(\.slot) == [at(15), nil])
    }

    @Test mutating func `a clock that is far ahead makes no endless list of travel paths`() {
        let year9999: Int64 = 253_402_000_000_000
        #expect(service.state.slots(at: year9999).count == ShiftState.mostSlots)
        service.now = year9999
        service.end()
        let totals = service.state.totals(at: year9999)
        #expect(totals.travelPathsMissed == UInt32(ShiftState.mostSlots))
    }

    @Test mutating func `ending a shift is refused with everything that is open`() throws {
        var open = service.state.openThings(at: at(20), deviceHeads: ["b": 2])
        #expect(open.lists.map(\.tasks.count) == [6, 2])
        #expect(open.travelPath?.due == at(15))
        #expect(open.devices.map(\.operations) == [2])
        for task in ["floor", "fryer-oil", "fryer-basket", "tables", "bins"] {
            try service.take("a", .mark(task, .ok))
        }
        for task in ["walk", "safe"] { try service.take("a", .mark(task, .ok, list: "before")) }
        try service.take("a", .mark("grill", .ok))
        try service.take("b", .mark("grill", .notOk), seen: 0)
        open = service.state.openThings(at: at(0), deviceHeads: ["a": 8, "b": 1])
        #expect(open.lists.isEmpty && open.devices.isEmpty)
        #expect(open.summary == "1 to-do, 1 task marked differently by two people")
        try service.take("a", .review("grill", .ok))
        #expect(service.state.openThings(at: at(0)).isEmpty)
    }

    @Test mutating func `the totals count tasks, to-dos and the time taken`() throws {
        try service.take("a", .mark("grill", .notOk))
        pass(2)
        try service.take("a", .mark("tables", .ok))
        try service.take("a", .mark("bins", .unspecified, notApplicable: "none here"))
        pass(10)
        try service.take("a", .mark("floor", .ok))
        try service.take("a", .tick("pre/grill"))
        let removed = try service.take("a", .add("Nothing"))
        try service.take(
            "a", .tick(try #require(MessageID(bytes: removed.id)).description, .removed))

        let totals = service.state.totals(at: service.now)
        #expect(totals.tasks == 9 && totals.ok == 2 && totals.notOk == 1)
        #expect(totals.notApplicable == 1)
        #expect(totals.todos == 1 && totals.todosDone == 1 && totals.todoLead == 12 * Self.minute)
        // The break of ten minutes is left out.
        #expect(totals.fillTime == 2 * Self.minute && totals.tooFast == 0)
    }

    @Test mutating func `the sales report has each hour, its figures and its travel paths`() throws
    {
        let figure = { (hour: UInt32, kind: FigureKind, value: Int64, name: String) in
            ShiftOperation.Change.figure(
                EnterFigure(hour: hour, kind: kind, name: name, value: value))
        }
        try service.take("a", figure(10, .salesPlanned, 50_000, ""))
        try service.take("a", figure(10, .salesPlanned, 60_000, ""))
        try service.take("a", figure(11, .service, 92_000, "seconds per order"))
        try service.take("a", figure(1, .crewActual, 90, ""))
        pass(16)
        try service.take("a", .logTravelPath(LogTravelPath()))

        let report = service.state.salesReport(at: at(100))
        #expect(report.map(\.hour) == [10, 11, 1])
        #expect(report[0].salesPlanned?.value == 60_000 && report[0].salesActual == nil)
        #expect(report[0].salesPlanned?.replaced.map(\.value) == [50_000])
        #expect(report[0].firstHalf.map(\.state) == [.done])
        #expect(report[0].secondHalf.map(\.state) == [.missed])
        #expect(report[1].service.map(\.name) == ["seconds per order"])
        #expect(report[2].crewActual?.value == 90)
    }
}
