import Messages
import TestSupport
import Testing

@testable import ShiftLog

/// To-dos outlast their shift, and keep their numbers.
struct LivingOnTests {
    var service: Service

    init() throws { service = try Service() }

    private static let minute: Int64 = 60_000

    /// The shift after one that has ended, with what that one left open.
    private func next(_ numbers: [UInt32] = []) throws -> Service {
        var left = numbers[...]
        let todos = service.state.handedOver { left.popFirst() ?? 0 }
        var state = try Restaurant.state()
        state.apply(
            ShiftOperation(
                id: [UInt8](repeating: 1, count: 16), sequence: 1,
                time: Restaurant.started + 600 * Self.minute,
                change: .begun(ShiftBegun(shift: state.shift, todos: todos))))
        return Service(state)
    }

    private func id(_ operation: ShiftOperation) throws -> String {
        try #require(MessageID(bytes: operation.id)).description
    }

    @Test mutating func `a to-do keeps its number, whatever others added before it arrived`() throws
    {
        func add(_ title: String, _ number: UInt32) -> ShiftOperation.Change {
            .addTodo(AddTodo(title: title, area: "kitchen", priority: "immediate", number: number))
        }
        var view = service.state
        let first = service.operation("tablet", add("Ice", view.numbers.next(in: 2)))
        view.apply(first)
        let second = service.operation("tablet", add("Salt", view.numbers.next(in: 2)))
        view.apply(second)
        for title in ["A", "B", "C"] {
            try service.take("till", add(title, service.state.numbers.next(in: 1)))
        }

        try service.receive(first)
        try service.receive(second)

        let numbers = { (state: ShiftState) in
            Dictionary(state.todos.map { ($0.title, $0.number) }) { first, _ in first }
        }
        #expect(numbers(view) == ["Ice": 2_001, "Salt": 2_002])
        #expect(
            numbers(service.state)
                == ["A": 1_001, "B": 1_002, "C": 1_003, "Ice": 2_001, "Salt": 2_002])
    }

    @Test(arguments: Seed.some(20))
    func `devices with their own blocks never use the same number`(seed: Seed) throws {
        var (seed, service) = (seed, service)
        var views = [service.state, service.state, service.state]
        var waiting: [[ShiftOperation]] = [[], [], []]
        var given: [String: Int] = [:]
        for step in 0..<120 {
            let device = seed.below(3)
            if seed.oneIn(3) {
                for operation in waiting[device] { try service.receive(operation) }
                (waiting[device], views[device]) = ([], service.state)
                continue
            }
            let number = views[device].numbers.next(in: UInt32(device + 1))
            let operation = service.operation(
                "device \(device)",
                .addTodo(
                    AddTodo(
                        title: "To-do \(step)", area: "kitchen", priority: "immediate",
                        number: number)), seen: views[device].head)
            views[device].apply(operation)
            waiting[device].append(operation)
            given["To-do \(step)"] = Int(number)
        }
        for operations in waiting {
            for operation in operations { try service.receive(operation) }
        }

        #expect(Set(given.values).count == given.count)
        for todo in service.state.todos { #expect(todo.number == given[todo.title]) }
    }

    @Test func `a full block continues in blocks that no other device has`() {
        var numbers = TodoNumbers()
        #expect(numbers.next(in: 0) == 0 && numbers.next(in: 10_000) == 0)
        for _ in 0..<999 { _ = numbers.claim(numbers.next(in: 7)) }
        #expect(numbers.next(in: 7) == 10_007_001)
        #expect(numbers.next(in: 8) == 8_001)
        #expect(numbers.claim(7_001) == 1_001 && numbers.claim(0) == 1_002)
        #expect(numbers.claim(.max) == Int(UInt32.max))
    }

    @Test mutating func `to-dos without numbers have them in the order in which they were added`()
        throws
    {
        for title in ["One", "Two"] { try service.take("a", .add(title)) }
        #expect(service.state.todos.map(\.number) == [1_001, 1_002])
    }

    @Test mutating func `open to-dos go on to the next shift with all their notes`()
        throws
    {
        try service.take("a", .mark("grill", .notOk))
        try service.take("a", .noteTodo(NoteTodo(todo: "pre/grill", text: "gas is off")))
        let own = try service.take("b", .add("Buy ice", note: "two bags"))
        let done = try service.take("b", .add("Done"))
        try service.take("b", .tick(try id(done)))
        try service.take(
            "b",
            .changeTodo(
                ChangeTodo(
                    todo: try id(own), assignee: "mia", due: Restaurant.started,
                    priority: "next-shift")))
        service.now += 60 * Self.minute
        service.end()

        let later = try next([5_001]).state

        #expect(later.todos.map(\.title) == ["Grill is hot", "Buy ice"])
        #expect(later.todos.map(\.number) == [5_001, 1_001])
        #expect(later.todos.map(\.id) == ["shift/pre/grill", try id(own)])
        #expect(later.todos.map { $0.notes.map(\.text) } == [["gas is off"], ["two bags"]])
        #expect(later.todos.map(\.made.name) == ["a", "b"])
        #expect(later.todos.map(\.made.time) == [Restaurant.started, Restaurant.started])
        let ice = try #require(later.todos.last)
        #expect(ice.assignee == "mia" && ice.due == Restaurant.started)
        #expect(ice.priority == "next-shift" && ice.origin?.handovers == 1)
        #expect(later.remembered.isEmpty)
    }

    @Test mutating func `a to-do from an earlier shift can be ticked, noted and handed over again`()
        throws
    {
        let own = try service.take("b", .add("Buy ice"))
        service.end()
        var later = try next()
        try later.take("c", .noteTodo(NoteTodo(todo: try id(own), text: "shop is closed")))
        var again = later.state.handedOver { 0 }
        #expect(again.map(\.content.number) == [1_001] && again.map(\.handovers) == [2])
        #expect(again.first?.notes.map(\.text) == ["shop is closed"])
        try later.take("c", .tick(try id(own)))
        #expect(later.state.todos.map(\.mark) == [.done])
        again = later.state.handedOver { 0 }
        #expect(again.isEmpty)
    }

    @Test mutating func `a to-do left open by an earlier shift isn't added twice`() throws {
        try service.take("a", .mark("grill", .notOk))
        service.end()
        var later = try next([5_001])
        try later.take("c", .mark("grill", .notOk))
        #expect(later.state.todos.map(\.id) == ["shift/pre/grill"])
        try later.take("c", .tick("shift/pre/grill"))
        #expect(later.state.todos.map(\.id) == ["shift/pre/grill"])
        #expect(later.state.todos.map(\.mark) == [.done])

        try later.take("c", .mark("grill", .notOk))

        #expect(later.state.todos.map(\.mark).count(where: { $0 == .open }) == 1)
        #expect(later.state.handedOver { 0 }.map(\.id) == ["shift/pre/grill"])
    }

    @Test mutating func `operations after the end change to-dos, but not the shift`() throws {
        let ice = try service.take("a", .add("Buy ice"))
        let late = service.operation("tablet", .tick(try id(ice)))
        let added = service.operation("tablet", .add("Smell of gas"))
        service.end()
        let sealed = service.state.todos
        try service.receive(late)
        try service.receive(added)

        #expect(service.state.todos == sealed)
        let now = service.state.withLateTodos()
        #expect(now.todo(try id(ice))?.mark == .done)
        #expect(now.todo(try id(added))?.mark == .open)
        #expect(now.handedOver { 0 }.map(\.content.title) == ["Smell of gas"])
    }

    @Test mutating func `a to-do that nobody has done is overdue after the grace`() throws {
        let due = Restaurant.started + 30 * Self.minute
        try service.take(
            "a",
            .addTodo(AddTodo(title: "Ice", area: "kitchen", priority: "immediate", due: due)))
        let state = service.state
        #expect(state.overdueTodos(at: due + 9 * Self.minute).isEmpty)
        #expect(state.overdueTodos(at: due + 10 * Self.minute).map(\.todo.title) == ["Ice"])
        #expect(state.dueTodos.map(\.escalation) == [due + 20 * Self.minute])
        try service.take("a", .tick(try #require(state.todos.first).id))
        #expect(service.state.dueTodos.isEmpty)
    }

    @Test(arguments: [
        AddTodo(title: " \t ", area: "kitchen", priority: "immediate"),
        AddTodo(title: "\u{A0}", area: "kitchen", priority: "immediate"),
        AddTodo(title: "", area: "kitchen", priority: "immediate"),
        AddTodo(title: "Ice", area: "cellar", priority: "immediate"),
        AddTodo(title: "Ice", area: "kitchen", priority: "soon"),
        AddTodo(title: "Ice", area: "kitchen", priority: "immediate", number: 7),
        AddTodo(title: "Ice", area: "kitchen", priority: "immediate", number: .max),
    ])
    func `a to-do that is empty or names something unknown is refused`(todo: AddTodo) throws {
        var shift = try Restaurant.shift()
        shift.areas = ["kitchen", "manager", "service"]
        var service = Service(try ShiftState(shift: shift, lists: Restaurant.lists))
        #expect(throws: Refusal.self) { try service.take("a", .addTodo(todo)) }
        try service.take("b", .add("Ice"))
        #expect(service.state.todos.count == 1)
    }

    @Test mutating func `only the service carries over to-dos, and a change must change something`()
        throws
    {
        let own = try id(try service.take("a", .add("Ice")))
        for change in [
            ShiftOperation.Change.carry(CarryTodo(todo: CarriedTodo(id: "x"))),
            .changeTodo(ChangeTodo(todo: own)),
            .changeTodo(ChangeTodo(todo: own, due: 1, neverDue: true)),
            .changeTodo(ChangeTodo(todo: own, priority: "soon")),
            .changeTodo(ChangeTodo(todo: "nothing", assignee: "x")),
        ] {
            let operation = service.operation("b\(service.state.head)", change)
            #expect(throws: Refusal.self) { try service.state.validate(operation) }
        }
    }
}
