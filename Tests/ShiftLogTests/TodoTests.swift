import Messages
import TestSupport
import Testing

@testable import ShiftLog

/// To-dos: each task that is not ok has exactly one. Also tests their order.
struct TodoTests {
    var service: Service

    init() throws { service = try Service() }

    @Test(arguments: Seed.some(50))
    func `every task that is not ok has exactly one to-do, whatever was toggled`(
        seed: Seed
    ) throws {
        var (seed, service) = (seed, service)
        let leaves = service.state.lists.tasks.filter {
            $0.isLeaf && service.state.lists.allowsNotOk($0)
        }.map(\.key)
        var model: [TaskKey: Finding] = [:]
        var removed: Set<TaskKey> = []
        for _ in 0..<60 {
            let key = seed.pick(leaves)
            if model[key] == .notOk, seed.oneIn(3) {
                let mark = seed.pick([TodoMark.open, .done, .removed])
                try service.take("a", .tick(key.todo, mark))
                if mark == .removed { removed.insert(key) } else { removed.remove(key) }
            } else {
                let finding = seed.pick(Finding.allCases)
                try service.take("a", .mark(key.task, finding, list: key.list))
                model[key] = finding
                if finding == .notOk { removed.remove(key) }
            }
            let wanted = Set(model.filter { $0.value == .notOk }.keys)
            let shown = service.state.todos.compactMap(\.task)
            let gone = service.state.removedTodos.compactMap(\.task)
            #expect(Set(shown) == wanted.subtracting(removed) && shown.count == Set(shown).count)
            #expect(Set(gone) == removed.intersection(wanted))
        }
        var again = try Restaurant.state()
        for operation in service.state.log { again.apply(operation) }
        #expect(again.todos == service.state.todos)
        #expect(again == service.state && again.digest == service.state.digest)
    }

    @Test mutating func `to-dos are sorted by priority, then section, then title`() throws {
        for task in ["floor", "fryer-oil", "fryer-basket", "grill", "tables", "bins"] {
            try service.take("a", .mark(task, .notOk))
        }
        try service.take("a", .mark("car-park", .notOk, list: "path"))
        try service.take("b", .add("Ask for ice", section: "Lobby", area: "service"))
        try service.take("b", .add("order cups", section: "Store"))
        try service.take("b", .add("Mend the door", section: "Back yard"))
        try service.take("b", .add("Call the owner", section: "", area: "manager"))
        try service.take("b", .add("Airing", priority: "before-rush"))

        let lines = service.state.todos.map { "\($0.priority)|\($0.section)|\($0.title)" }
        #expect(
            lines == [
                "immediate|Kitchen|Baskets are whole", "immediate|Kitchen|Oil is fresh",
                "immediate|Lobby|Ask for ice", "immediate|Lobby|Tables are wiped",
                "immediate|Outside|Car park is tidy", "immediate|Back yard|Mend the door",
                "immediate|Store|order cups", "immediate||Call the owner",
                "before-rush|Kitchen|Airing", "before-rush|Kitchen|Floor is clean",
                "before-rush|Lobby|Bins are empty", "during-shift|Kitchen|Grill is hot",
            ])
        let service = service.state.todos(areas: ["service"]).map(\.title)
        #expect(service == ["Ask for ice", "Tables are wiped", "Bins are empty"])
        let areas = self.service.state.todosByArea
        #expect(areas.map(\.area) == ["kitchen", "manager", "service"])
        #expect(areas.last?.todos.map(\.title) == service)
    }

    @Test func `titles are sorted in the site's language`() throws {
        var settings = Restaurant.settings
        settings.language = "nb"
        var list = Restaurant.preShift
        list.sections = [
            ChecklistSection(
                id: "s", name: "S",
                tasks: [
                    Restaurant.task("one", "Aa"), Restaurant.task("two", "Zz"),
                    Restaurant.task("three", "Oo"), Restaurant.task("four", "Bb"),
                ])
        ]
        for (index, title) in ["Åpne luken", "Zoo", "Ærlig", "Øl"].enumerated() {
            list.sections[0].tasks[index].titles["nb"] = title
        }
        var service = Service(try Restaurant.state(settings, lists: [list]))
        for task in list.sections[0].tasks { try service.take("a", .mark(task.id, .notOk)) }
        #expect(service.state.todos.map(\.title) == ["Zoo", "Ærlig", "Øl", "Åpne luken"])
    }

    @Test mutating func `a to-do keeps its task's notes apart from its own`() throws {
        try service.take("a", .mark("fryer-oil", .notOk))
        try service.take("a", .note(NoteTask(list: "pre", task: "fryer-oil", text: "dark")))
        try service.take("a", .noteTodo(NoteTodo(todo: "pre/fryer-oil", text: "new oil ordered")))

        let todo = try #require(service.state.todo("pre/fryer-oil"))
        #expect(todo.taskNotes.map(\.text) == ["dark"])
        #expect(todo.notes.map(\.text) == ["new oil ordered"])
        #expect(try service.state.pre("fryer-oil").notes.map(\.text) == ["dark"])
    }

    @Test mutating func `a task that is not ok again gets a new to-do, with its own notes`()
        throws
    {
        try service.take("a", .mark("grill", .notOk))
        try service.take("a", .noteTodo(NoteTodo(todo: "pre/grill", text: "gas is off")))
        try service.take("a", .tick("pre/grill"))
        try service.take("a", .mark("grill", .ok))
        #expect(service.state.todos.isEmpty)
        service.now += 60_000
        try service.take("a", .mark("grill", .notOk))

        let todo = try #require(service.state.todos.first)
        #expect(todo.mark == .open && todo.made.time == service.now)
        #expect(todo.notes.map(\.text) == ["gas is off"])
    }

    @Test mutating func `a removed to-do comes back when its task is marked again`() throws {
        try service.take("a", .mark("grill", .notOk))
        try service.take("a", .tick("pre/grill", .removed))
        #expect(service.state.todos.isEmpty && service.state.removedTodos.count == 1)
        try service.take("a", .mark("grill", .notOk))
        #expect(service.state.todos.map(\.id) == ["pre/grill"])
    }

    @Test mutating func `a person's own to-do is ticked, unticked, removed and put back`() throws {
        let added = try service.take("a", .add("Buy ice", note: "two bags"))
        let id = try #require(MessageID(bytes: added.id)).description
        #expect(service.state.todo(id)?.notes.map(\.text) == ["two bags"])
        for mark in [TodoMark.done, .open, .removed, .open] {
            try service.take("b", .tick(id, mark))
            #expect(service.state.todo(id)?.mark == mark)
        }
        #expect(service.state.remembered.map(\.title) == ["Buy ice"])
        #expect(service.state.remembered.map(\.note) == [""])
    }

    @Test mutating func `to-dos done since the last travel path are followed up on the next`()
        throws
    {
        for task in ["grill", "tables", "bins"] { try service.take("a", .mark(task, .notOk)) }
        try service.take("a", .tick("pre/grill"))
        #expect(service.state.todosToFollowUp().map(\.id) == ["pre/grill"])

        let first = try service.take("m", .beginTravelPath(BeginTravelPath()))
        try service.take("a", .tick("pre/tables"))
        #expect(service.state.todosToFollowUp(from: first.id).map(\.id) == ["pre/grill"])
        try service.take("m", .add("Mop", travelPath: first.id))
        try service.take("m", .logTravelPath(LogTravelPath(begun: first.id, text: "fine")))
        // It was ticked during a travel path, and isn't lost between two of them.
        #expect(service.state.todosToFollowUp().map(\.id) == ["pre/tables"])

        let given = try service.take("m", .beginTravelPath(BeginTravelPath()))
        try service.take("a", .tick("pre/bins"))
        let second = try service.take("m", .beginTravelPath(BeginTravelPath()))
        #expect(service.state.todosToFollowUp(from: given.id).map(\.id) == ["pre/tables"])
        #expect(
            service.state.todosToFollowUp(from: second.id).map(\.id) == ["pre/tables", "pre/bins"])
        #expect(service.state.travelPaths.first?.findings.count == 1)
    }

    @Test mutating func `a working copy shows what its device hasn't sent yet`() throws {
        try service.take("a", .mark("grill", .notOk))
        let changes: [ShiftOperation.Change] = [
            .tick("pre/grill"), .beginTravelPath(BeginTravelPath()), .add("Mop"),
            .mark("tables", .notOk), .mark("tables", .ok),
        ]
        let unsent = changes.map { service.operation("b", $0) }
        var view = service.state
        for operation in unsent { view.apply(operation) }

        #expect(view.head == service.state.head)
        #expect(view.todos.map(\.title) == ["Mop", "Grill is hot"])
        #expect(view.todosToFollowUp(from: unsent[1].id).map(\.id) == ["pre/grill"])
        #expect(try view.pre("tables").state == .ok && view.reviews.isEmpty)
        for operation in unsent { try service.receive(operation) }
        #expect(service.state.todos.map(\.id) == view.todos.map(\.id))
    }
}
