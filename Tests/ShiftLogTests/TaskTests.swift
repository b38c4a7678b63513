import Messages
import Testing

@testable import ShiftLog

/// Marks, notes, and the state of a task.
struct TaskTests {
    var service: Service

    init() throws { service = try Service() }

    @Test mutating func `a task is unchecked, ok or not ok, and a mark can be undone`() throws {
        #expect(try service.state.pre("grill").state == .unchecked)
        for (finding, state) in [(Finding.ok, TaskState.ok), (.notOk, .notOk), (.ok, .ok)] {
            try service.take("a", .mark("grill", finding))
            #expect(try service.state.pre("grill").state == state)
        }
        try service.take("a", .mark("grill", .unspecified))

        let grill = try service.state.pre("grill")
        #expect(grill.state == .unchecked)
        #expect(grill.marks.map(\.state) == [.ok, .notOk, .ok, .unchecked])
        #expect(grill.shown?.stamp.name == "a")
    }

    @Test mutating func `a task that doesn't apply has a reason and counts as checked`() throws {
        try service.take("a", .mark("grill", .unspecified, notApplicable: "out of order"))

        #expect(try service.state.pre("grill").state == .notApplicable)
        #expect(try service.state.pre("grill").shown?.reason == "out of order")
        #expect(service.state.progress(of: "pre").lookedAt == 1)
        #expect(service.state.progress(of: "pre", section: "lobby").lookedAt == 0)
    }

    @Test mutating func `a task can't both be ok and not apply`() throws {
        let refused = service.operation("a", .mark("grill", .ok, notApplicable: "cold"))
        #expect(throws: Refusal.self) { try service.state.validate(refused) }
    }

    @Test mutating func `an account can record only so many operations, which may be sent again`()
        throws
    {
        let most = ShiftState.mostOperations
        let made = (0...most).map { number in
            var operation = service.operation("a", .mark("grill", .ok))
            operation.actor = number < 10 ? "ann" : "bob"
            return operation
        }
        var state = service.state
        state.log = Array(made.dropLast())
        // What came after the end of the shift counts, too, and once.
        state.appendix = Array(state.log.suffix(9))
        #expect(state.log.count == most)

        try state.validateRoom(for: Array(made.suffix(10)), of: "bob")
        try state.validateRoom(for: Array(made.prefix(500)), of: "ann")
        let others = (0..<10).map { _ in service.operation("a", .mark("grill", .ok)) }
        try state.validateRoom(for: others, of: "bob")
        let refusal = #expect(throws: Refusal.self) {
            try state.validateRoom(for: others + made.suffix(1), of: "bob")
        }
        #expect(refusal?.code == .conflict)
        #expect(refusal?.message.contains("begin the next one") == true)
        try state.validateRoom(for: made, of: "ann")
    }

    @Test mutating func `the state of a parent follows from its children`() throws {
        let steps: [(String, Finding, TaskState)] = [
            ("fryer-oil", .ok, .unchecked), ("fryer-basket", .notOk, .notOk),
            ("fryer-basket", .ok, .ok), ("fryer-oil", .unspecified, .unchecked),
            ("fryer-basket", .notOk, .notOk),
        ]
        for (task, finding, state) in steps {
            try service.take("a", .mark(task, finding))
            #expect(try service.state.pre("fryer").state == state)
        }
    }

    @Test mutating func `a parent can't be marked, and the refusal names its children`() throws {
        let changes = ["a": ShiftOperation.Change.mark("fryer", .ok), "b": .review("fryer", .ok)]
        for (device, change) in changes {
            let operation = service.operation(device, change)
            let refusal = #expect(throws: Refusal.self) { try service.state.validate(operation) }
            #expect(refusal?.code == .invalid)
            #expect(refusal?.message.contains("fryer-oil, fryer-basket") == true)
        }
    }

    @Test mutating func `a task before the rush is done or not done, never not ok`() throws {
        let refused = service.operation("a", .mark("walk", .notOk, list: "before"))
        #expect(throws: Refusal.self) { try service.state.validate(refused) }
        let taken = service.operation("b", .mark("car-park", .notOk, list: "path"))
        #expect(throws: Never.self) { try service.state.validate(taken) }
    }

    @Test func `a general task is listed as one`() throws {
        let general = service.state.results(of: "pre").filter(\.listed.task.general)
        #expect(general.map(\.listed.key.task) == ["floor"])
    }

    @Test mutating func `notes are added and never overwritten, and the standing note stays`()
        throws
    {
        for text in ["first", "second"] {
            try service.take("a", .note(NoteTask(list: "pre", task: "fryer", text: text)))
        }
        let fryer = try service.state.pre("fryer")
        #expect(fryer.notes.map(\.text) == ["first", "second"])
        #expect(fryer.listed.task.note == "Oil is clear")
    }

    @Test
    mutating func `an operation is recorded once, and a gap is refused with the expected number`()
        throws
    {
        let first = try service.take("a", .mark("grill", .ok))
        try service.receive(first)
        #expect(service.state.log.count == 1)

        _ = service.operation("a", .mark("grill", .notOk))
        let third = service.operation("a", .mark("grill", .ok))
        let refusal = #expect(throws: Refusal.self) { try service.state.validate(third) }
        #expect(refusal?.code == .conflict)
        #expect(refusal?.message.contains("operation 2") == true)
        #expect(try service.state.pre("grill").marks.count == 1)
    }

    @Test mutating func `an operation that knows the future is refused`() throws {
        let refused = service.operation("a", .mark("grill", .ok), seen: 5)
        #expect(throws: Refusal.self) { try service.state.validate(refused) }
    }

    @Test(arguments: [
        ShiftOperation.Change.mark("nothing", .ok), .mark("grill", .ok, list: "other"),
        .mark("grill", .unrecognized(7)), .tick("pre/nothing"), .tick("before/walk"),
        .tick("pre/fryer"), .tick("0192e4a1-7b3c-7def-8123-456789abcdef"),
        .tick("pre/grill", .unspecified), .add(""), .add(String(repeating: "x", count: 201)),
        .add("x", priority: "some day"), .add("x\u{1B}[2J"), .add("x", travelPath: [1]),
        .note(NoteTask(list: "pre", task: "grill", text: "")),
        .note(NoteTask(list: "pre", task: "grill", text: "\u{202E}x")),
        .figure(EnterFigure(hour: 24, kind: .salesActual, value: 1)),
        .figure(EnterFigure(hour: 1, kind: .salesActual, value: -1)),
        .figure(EnterFigure(hour: 1, kind: .salesActual, name: "x", value: 1)),
        .figure(EnterFigure(hour: 1, kind: .service, value: 1)),
        .logTravelPath(LogTravelPath(begun: [1])), .begun(ShiftBegun()), .ended(ShiftDone()),
    ])
    func `impossible operations are refused`(change: ShiftOperation.Change) throws {
        var service = service
        let operation = service.operation("a", change)
        #expect(throws: Refusal.self) { try service.state.validate(operation) }
        // Folding it anyway does no harm: nothing in a log can stop a replica.
        var state = service.state
        state.apply(operation)
        #expect(state.log == [operation])
    }

    @Test mutating func `an operation from a later version is kept without effect`() throws {
        let before = service.state
        var unknown = service.operation("a", .beginTravelPath(BeginTravelPath()))
        unknown.change = nil
        #expect(throws: Refusal.self) { try service.state.validate(unknown) }
        var state = before
        state.apply(unknown)
        #expect(state.log.count == 1 && state.todos.isEmpty)
    }

    @Test mutating func `operations after the end are kept in the appendix and change nothing`()
        throws
    {
        try service.take("a", .mark("grill", .ok))
        service.now += 3_600_000
        service.end()
        let totals = service.state.totals(at: service.now)
        try service.take("b", .mark("grill", .notOk), seen: 0)

        #expect(service.state.totals(at: service.now + 1) == totals)
        #expect(try service.state.pre("grill").state == .ok)
        #expect(service.state.todos.isEmpty)
        #expect(service.state.appendix.map(\.device) == ["b"])
        #expect(service.state.log.count == 3)
    }

    @Test
    mutating func `the device's clock counts for operations that waited on it, and is marked`()
        throws
    {
        service.now += 30 * 60_000
        try service.take("a", .mark("grill", .ok), deviceTime: Restaurant.started + 60_000)
        let waited = try #require(try service.state.pre("grill").shown?.stamp)
        #expect(waited.time == Restaurant.started + 60_000)
        #expect(waited.byDeviceClock)

        // Before the shift, or in the future: the clock is wrong.
        for time in [Restaurant.started - 1, service.now + 90_000] {
            try service.take("a", .mark("grill", .ok), deviceTime: time)
            let wrong = try #require(try service.state.pre("grill").shown?.stamp)
            #expect(wrong.time == service.now && !wrong.byDeviceClock)
        }
    }

    @Test mutating func `a device whose clock is slow logs the path that is due`() throws {
        let first = service.state.shift.firstTravelPath
        let log = ShiftOperation.Change.logTravelPath(LogTravelPath())
        // It is twenty minutes slow, and sends at once.
        service.now = first + 6 * 60_000
        let slow = service.now - 20 * 60_000
        var walk = service.operation("a", log, deviceTime: slow)
        walk.doneAt = service.state.made(walk, sentAt: slow + 2_000, now: service.now)
        try service.receive(walk)
        var path = try #require(service.state.travelPaths.last)
        #expect(path.slot == first && path.logged?.byDeviceClock == false)
        #expect(path.logged?.time == service.now)

        // It is an hour fast, and what it sends has waited there for ten minutes.
        service.now += 40 * 60_000
        let fast = service.now + 50 * 60_000
        walk = service.operation("b", log, seen: 0, deviceTime: fast)
        walk.doneAt = service.state.made(walk, sentAt: fast + 10 * 60_000, now: service.now)
        try service.receive(walk)
        path = try #require(service.state.travelPaths.last)
        #expect(path.slot == first + 30 * 60_000 && path.logged?.byDeviceClock == true)
        #expect(path.logged?.time == service.now - 10 * 60_000)

        for impossible in [0, Int64.min, -1, .max] {
            #expect(service.state.made(walk, sentAt: impossible, now: service.now) == 0)
        }
    }

    @Test mutating func `nobody marks something before what they had seen`() throws {
        service.now += 20 * 60_000
        let seen = try service.take("a", .mark("grill", .notOk))
        service.now += 10 * 60_000
        let early = Restaurant.started + 60_000
        let known = service.operation("b", .mark("grill", .ok), deviceTime: early)
        let apart = service.operation("c", .mark("grill", .ok), seen: 0, deviceTime: early)
        let state = service.state

        #expect(state.made(known, sentAt: 0, now: service.now) == seen.time)
        #expect(state.made(known, sentAt: early, now: service.now) == service.now)
        let waited = early + 25 * 60_000
        #expect(state.made(known, sentAt: waited, now: service.now) == seen.time)
        #expect(state.made(apart, sentAt: 0, now: service.now) == 0)
        #expect(
            state.made(apart, sentAt: waited, now: service.now) == service.now - 25 * 60_000)
        // A clock that is before the shift says nothing about when it was done.
        let wrong = service.operation(
            "d", .mark("grill", .ok), deviceTime: Restaurant.started - 1)
        #expect(state.made(wrong, sentAt: 0, now: service.now) == 0)
    }
}
