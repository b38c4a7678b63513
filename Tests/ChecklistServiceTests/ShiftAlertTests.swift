import Messages
import ServiceRuntime
import ShiftLog
import Testing

@testable import ChecklistService

/// Which alerts a shift should have when very much is overdue.
struct ShiftAlertTests {
    /// 2026-06-01 08:00 UTC.
    private static let started: Int64 = 1_780_300_800_000

    /// A shift with three tasks that are due in each of its minutes unless `change` says otherwise.
    private static func state(
        tasks: Int, escalateAfter: UInt32 = 100,
        _ change: (Int, inout ChecklistTask) -> Void = { _, _ in }
    ) throws -> ShiftState {
        var settings = SiteSettings.standard(for: "harbour")
        (settings.grace, settings.escalateAfter) = (0, escalateAfter)
        var list = ChecklistTemplate.list("Rush", .before, tasks: tasks) { number, task in
            task.carryOut = 480 + UInt32(number / 3)
            change(number, &task)
        }
        list.id = "rush"
        let shift = Shift(
            id: "s", organisation: "o", site: "harbour", siteName: "Harbour", manager: "mia",
            managerName: "Mia", dayPart: 1, date: "2026-06-01", timeZone: "Etc/UTC",
            started: started, settings: settings.packed(),
            firstTravelPath: started + 86_400_000)
        return try ShiftState(shift: shift, lists: [list])
    }

    private static func wanted(
        _ state: ShiftState, minutes: Int64, present: [StandingAlert] = [],
        above: [String] = ["sue"], people: [String: String] = [:], substitute: String? = nil
    ) -> [StandingAlert] {
        let alerts = ShiftAlerts(
            state: state, present: Dictionary(uniqueKeysWithValues: present.map { ($0.key, $0) }),
            substitute: substitute)
        return alerts.wanted(at: started + minutes * 60_000) {
            above
        } account: { name in
            people[name]
        }
    }

    private static func acknowledged(_ alert: StandingAlert) -> StandingAlert {
        StandingAlert(
            kept: alert.raised, occasion: alert.occasion, since: alert.since,
            wasAcknowledged: true)
    }

    @Test func `what is escalated first has its own alerts, and one covers the rest`() throws {
        let state = try Self.state(tasks: 150) { number, task in task.timeCritical = number <= 60 }

        let alerts = Self.wanted(state, minutes: 60)
        let later = Self.wanted(
            state, minutes: 160, above: ["sue", "sue"] + (1...30).map { "superior \($0)" })

        #expect(alerts.count == 101 && Set(alerts.map(\.key)).count == 101)
        let critical = (1...60).map { "shift/s/task/rush/t\($0)" }
        #expect(Set(alerts.prefix(60).map(\.key)) == Set(critical))
        let rest = try #require(alerts.last)
        #expect(rest.key == "shift/s/rest" && rest.raised.title == "50 more are overdue")
        #expect(rest.raised.recipient == "mia" && rest.raised.needsAcknowledgement)
        #expect(rest.raised.repeatEvery == ShiftAlerts.slowRepetition)
        let escalated = later.map(\.key).filter { $0.contains("/escalated/") }
        #expect(escalated.count == 60 * 20 && Set(escalated).count == 60 * 20)
        #expect(!escalated.contains { $0.hasPrefix("shift/s/rest") })
    }

    @Test func `the alert that covers the rest is escalated when any of it has to be`() throws {
        let state = try Self.state(tasks: 101) { _, task in task.timeCritical = true }

        let before = Self.wanted(state, minutes: 99)
        let after = Self.wanted(state, minutes: 140)

        #expect(before.last?.raised.title == "1 more is overdue")
        #expect(before.last?.raised.repeatEvery == ShiftAlerts.repetition)
        #expect(before.count == 101 && after.count == 202)
        #expect(after.last?.key == "shift/s/rest/escalated/sue")
        #expect(after.last?.raised.severity == .urgent)
        #expect(after.last?.raised.title == "1 more is overdue")
    }

    @Test func `someone who acknowledged what is overdue is alerted again only when more is`()
        throws
    {
        let state = try Self.state(tasks: 110) { number, task in
            if number > 105 { task.carryOut = 540 }
        }
        let rest = try #require(Self.wanted(state, minutes: 50).last)
        let seen = Self.acknowledged(rest)

        #expect(rest.raised.title == "5 more are overdue")
        #expect(Self.wanted(state, minutes: 51, present: [rest]).last == rest)
        #expect(Self.wanted(state, minutes: 59, present: [seen]).last == seen)
        let again = Self.wanted(state, minutes: 60, present: [seen]).last
        #expect(again?.raised.title == "10 more are overdue")
        #expect(again?.isAcknowledged == false && again?.occasion == Self.started + 3_600_000)
    }

    /// Applies an operation of the shift.
    private static func apply(_ change: ShiftOperation.Change, in state: inout ShiftState) {
        let place = state.head + 1
        state.apply(
            ShiftOperation(
                id: [UInt8](repeating: UInt8(place), count: 16), device: "d",
                deviceSequence: place, deviceTime: started, seen: place - 1, sequence: place,
                time: started, change: change))
    }

    private static func mark(_ task: Int, _ finding: Finding, in state: inout ShiftState) {
        apply(.mark(MarkTask(list: "rush", task: "t\(task)", finding: finding)), in: &state)
    }

    @Test func `a shift that begins late has one alert about all that was due before it`() throws {
        let state = try Self.state(tasks: 25) { number, task in
            task.carryOut = number == 25 ? 485 : 480 - UInt32(number)
        }

        let first = Self.wanted(state, minutes: 1)
        let later = Self.wanted(state, minutes: 5, present: first)

        #expect(first.map(\.key) == ["shift/s/tasks/\(Self.started)"])
        #expect(first.first?.raised.title == "24 tasks are overdue. First: Task 24, since 07:36")
        #expect(
            first.first?.raised.body.split(separator: "\n") == [
                "Harbour", "07:36 Task 24", "07:37 Task 23", "07:38 Task 22", "07:39 Task 21",
                "07:40 Task 20", "19 more are overdue",
            ])
        // What becomes overdue later has an alert of its own.
        #expect(later.map(\.key) == first.map(\.key) + ["shift/s/task/rush/t25"])
        #expect(later.first == first.first)
    }

    @Test func `an alert about several tasks is over with the last, and back if one is open again`()
        throws
    {
        var state = try Self.state(tasks: 6) { _, task in task.carryOut = 470 }
        let told = try #require(Self.wanted(state, minutes: 1).first)
        let seen = Self.acknowledged(told)

        Self.mark(1, .ok, in: &state)
        #expect(Self.wanted(state, minutes: 2, present: [seen]) == [seen])
        let fewer = Self.wanted(state, minutes: 2, present: [told])
        #expect(fewer.map(\.raised.title) == ["5 tasks are overdue. First: Task 2, since 07:50"])
        Self.mark(1, .unspecified, in: &state)
        let again = try #require(Self.wanted(state, minutes: 3, present: [seen]).first)
        #expect(!again.isAcknowledged && again.key == told.key && again.raised == told.raised)
        let seenAgain = Self.acknowledged(again)
        #expect(Self.wanted(state, minutes: 4, present: [seenAgain]) == [seenAgain])

        for task in 1...5 { Self.mark(task, .ok, in: &state) }
        let last = Self.wanted(state, minutes: 5, present: [again])
        #expect(last.map(\.key) == [told.key])
        #expect(last.map(\.raised.title) == ["Overdue since 07:50: Task 6"])
        Self.mark(6, .ok, in: &state)
        #expect(Self.wanted(state, minutes: 6, present: last) == [])
    }

    @Test func `the time-critical of several tasks come first, whatever was due before them`()
        throws
    {
        let state = try Self.state(tasks: 5) { number, task in
            (task.carryOut, task.timeCritical) = (450 + UInt32(number), number == 5)
        }

        let alert = try #require(Self.wanted(state, minutes: 1).first)

        #expect(alert.raised.title == "5 tasks are overdue. First: Task 5, since 07:35")
        #expect(alert.raised.body.hasPrefix("Harbour\n07:35 Task 5\n07:31 Task 1\n"))
    }

    @Test func `superiors are alerted to the time-critical of several tasks until they are done`()
        throws
    {
        var state = try Self.state(tasks: 8, escalateAfter: 10) { number, task in
            (task.carryOut, task.timeCritical) = (470, number > 6)
        }
        let key = "shift/s/tasks/\(Self.started)"

        #expect(Self.wanted(state, minutes: 9).map(\.key) == [key])
        let seen = Self.acknowledged(try #require(Self.wanted(state, minutes: 9).first))
        let above = Self.wanted(state, minutes: 10, present: [seen])
        #expect(above.map(\.key) == [key, key + "/escalated/sue"] && above.first == seen)
        #expect(seen.raised.title == "8 tasks are overdue. First: Task 7, since 07:50")
        #expect(seen.raised.repeatEvery == ShiftAlerts.repetition)
        let title = "2 tasks are overdue. First: Task 7, since 07:50"
        #expect(above.last?.raised.title == title && above.last?.raised.severity == .urgent)
        #expect(
            above.last?.raised.body.split(separator: "\n") == [
                "Harbour, the shift of Mia: it was acknowledged and isn't done.", "07:50 Task 7",
                "07:50 Task 8",
            ])

        for task in 7...8 { Self.mark(task, .ok, in: &state) }
        let after = Self.wanted(state, minutes: 11)
        #expect(after.map(\.key) == [key])
        #expect(after.first?.raised.repeatEvery == ShiftAlerts.slowRepetition)
    }

    @Test func `somebody else gets what a shift manager who has left didn't acknowledge`() throws {
        var state = try Self.state(tasks: 2) { _, task in task.carryOut = 470 }
        Self.add("Ice", in: &state)
        let before = Self.wanted(state, minutes: 1)
        let seen = [Self.acknowledged(before[0])] + before.dropFirst()

        let after = Self.wanted(state, minutes: 2, present: seen, substitute: "sue")

        #expect(before.count == 3 && Set(before.map(\.raised.recipient)) == ["mia"])
        #expect(Set(after.map(\.key)) == Set(before.map(\.key)))
        for alert in after {
            let isSeen = alert.key == before[0].key
            #expect(alert.raised.recipient == (isSeen ? "mia" : "sue"))
            #expect(alert.isAcknowledged == isSeen)
        }
        // What the shift manager acknowledged and nobody did is still escalated.
        let late = Self.wanted(state, minutes: 100, present: seen, substitute: "sue")
        #expect(late.contains { $0.key == before[0].key + "/escalated/sue" })
        // Whoever gets the role back gets the alerts back.
        let back = Self.wanted(state, minutes: 3, present: after)
        #expect(Set(back.map(\.raised.recipient)) == ["mia"])
    }

    // MARK: To-dos

    /// The alert about the to-dos that were overdue before the shift began.
    private static let together = "shift/s/todos/\(started)"

    private static func add(
        _ title: String, to assignee: String = "", due: Int64 = -60, in state: inout ShiftState
    ) {
        apply(
            .addTodo(
                AddTodo(
                    title: title, area: "kitchen", priority: "immediate", assignee: assignee,
                    due: started + due * 60_000)), in: &state)
    }

    /// A shift in which no task is due, with to-dos that were due an hour before it began.
    private static func state(todos: Int) throws -> ShiftState {
        var state = try Self.state(tasks: 1) { _, task in task.carryOut = 1_000 }
        for number in 0..<todos { add("To-do \(number + 1)", in: &state) }
        return state
    }

    private static func id(of title: String, in state: ShiftState) throws -> String {
        try #require(state.todos.first { $0.title == title }).id
    }

    @Test func `to-dos that become overdue at the same moment have one alert if they are many`()
        throws
    {
        let few = Self.wanted(try Self.state(todos: 3), minutes: 1)
        var state = try Self.state(todos: 40)
        Self.add("Ice", due: 5, in: &state)

        let first = Self.wanted(state, minutes: 1)
        let later = Self.wanted(state, minutes: 5, present: first)

        #expect(few.count == 3 && few.allSatisfy { $0.key.hasPrefix("shift/s/todo/") })
        #expect(first.map(\.key) == [Self.together])
        let told = try #require(first.first?.raised)
        #expect(told.title == "40 to-dos are overdue. First: To-do 1, since 07:00")
        #expect(told.recipient == "mia" && told.needsAcknowledgement)
        #expect(told.repeatEvery == ShiftAlerts.repetition)
        #expect(
            told.body.split(separator: "\n") == [
                "Harbour", "07:00 To-do 1", "07:00 To-do 2", "07:00 To-do 3", "07:00 To-do 4",
                "07:00 To-do 5", "35 more are overdue",
            ])
        // What becomes overdue later has an alert of its own.
        let ice = try Self.id(of: "Ice", in: state)
        #expect(later.map(\.key) == [Self.together, "shift/s/todo/\(ice)"])
        #expect(later.first == first.first)
    }

    @Test func `the alert about several to-dos is over with the last, and back with a new one`()
        throws
    {
        var state = try Self.state(todos: 4)
        let seen = Self.acknowledged(try #require(Self.wanted(state, minutes: 1).first))
        let todo = try Self.id(of: "To-do 1", in: state)

        Self.apply(.markTodo(MarkTodo(todo: todo, mark: .done)), in: &state)
        let other = try Self.id(of: "To-do 2", in: state)
        Self.apply(.changeTodo(ChangeTodo(todo: other, assignee: "ola")), in: &state)
        #expect(Self.wanted(state, minutes: 2, present: [seen]) == [seen])

        Self.apply(.markTodo(MarkTodo(todo: todo, mark: .open)), in: &state)
        let again = try #require(Self.wanted(state, minutes: 3, present: [seen]).first)
        #expect(!again.isAcknowledged && again.key == Self.together)
        let seenAgain = Self.acknowledged(again)
        #expect(Self.wanted(state, minutes: 3, present: [seenAgain]) == [seenAgain])

        Self.add("Salt", in: &state)
        let more = try #require(Self.wanted(state, minutes: 4, present: [seenAgain]).first)
        #expect(!more.isAcknowledged && more.raised.title.hasPrefix("5 to-dos are overdue."))

        for todo in state.todos {
            Self.apply(.markTodo(MarkTodo(todo: todo.id, mark: .removed)), in: &state)
        }
        #expect(Self.wanted(state, minutes: 5, present: [more]) == [])
    }

    @Test func `to-dos keep their one alert when some of them get another time`() throws {
        var state = try Self.state(todos: 4)
        let seen = Self.acknowledged(try #require(Self.wanted(state, minutes: 1).first))

        for number in 1...3 {
            let todo = try Self.id(of: "To-do \(number)", in: state)
            Self.apply(
                .changeTodo(ChangeTodo(todo: todo, due: Self.started + 3_600_000)), in: &state)
        }

        #expect(Self.wanted(state, minutes: 2, present: [seen]) == [seen])
    }

    @Test func `who should do several overdue to-dos has one alert about those, as they get them`()
        throws
    {
        var state = try Self.state(todos: 2)
        for number in 1...4 { Self.add("Ola \(number)", to: "ola", in: &state) }
        Self.add("Own", to: "boss", in: &state)
        Self.add("Stranger", to: "nobody", in: &state)
        let people = ["ola": "o1", "boss": "mia"]

        let alerts = Self.wanted(state, minutes: 1, people: people)

        let key = Self.together + "/assignee/o1"
        #expect(alerts.map(\.key) == [Self.together, key])
        #expect(alerts.map(\.raised.recipient) == ["mia", "o1"])
        #expect(alerts.first?.raised.title.hasPrefix("8 to-dos are overdue.") == true)
        #expect(alerts.last?.raised.title == "4 to-dos are overdue. First: Ola 1, since 07:00")

        let seen = alerts.map(Self.acknowledged)
        #expect(Self.wanted(state, minutes: 2, present: seen, people: people) == seen)
        let other = try Self.id(of: "To-do 1", in: state)
        Self.apply(.changeTodo(ChangeTodo(todo: other, assignee: "ola")), in: &state)
        let given = Self.wanted(state, minutes: 3, present: seen, people: people)
        #expect(given.map(\.key) == alerts.map(\.key))
        #expect(given.map(\.isAcknowledged) == [true, false])
        #expect(given.last?.raised.title.hasPrefix("5 to-dos are overdue.") == true)
    }

    @Test func `superiors have one alert about several to-dos that nobody does`() throws {
        let state = try Self.state(todos: 40)
        let seen = Self.acknowledged(try #require(Self.wanted(state, minutes: 1).first))

        #expect(Self.wanted(state, minutes: 99, present: [seen]) == [seen])
        let above = Self.wanted(state, minutes: 100, present: [seen])

        #expect(above.map(\.key) == [Self.together, Self.together + "/escalated/sue"])
        let raised = try #require(above.last?.raised)
        #expect(raised.severity == .urgent)
        #expect(raised.title == "40 to-dos are overdue. First: To-do 1, since 07:00")
        #expect(
            raised.body.hasPrefix(
                "Harbour, the shift of Mia: it was acknowledged and isn't done.\n07:00 To-do 1\n"))
    }
}
