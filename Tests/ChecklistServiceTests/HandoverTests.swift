import Messages
import ServiceRuntime
import ShiftLog
import TestSupport
import Testing

extension Processes {
    @Suite struct HandoverTests {
        private func add(_ title: String) -> ShiftOperation.Change {
            .addTodo(AddTodo(title: title, area: "kitchen", priority: "immediate"))
        }

        private func id(_ outcome: OperationOutcome?) throws -> String {
            let operation = try #require(outcome?.operation)
            return try #require(MessageID(bytes: operation.id)).description
        }

        private func end(_ shift: Shift, _ restaurant: Restaurant) throws {
            _ = try restaurant.ask(EndShift(shift: shift.id, despiteOpen: true), for: Shift.self)
        }

        private func kept(_ restaurant: Restaurant) throws -> [CarriedTodo] {
            try restaurant.ask(
                ListStandingTodos(site: restaurant.site), for: StandingTodos.self
            ).todos
        }

        @Test func `each device keeps its block of numbers, and no number is given out twice`()
            throws
        {
            let restaurant = try Restaurant()
            _ = try restaurant.keep(.list())
            let shift = try #require(try restaurant.start().shift)
            func block(_ device: String) throws -> [UInt32] {
                [
                    try restaurant.ask(
                        ReadShift(shift: shift.id, device: device), for: ShiftSnapshot.self
                    ).numberBlock,
                    try restaurant.ask(
                        ReadOperations(shift: shift.id, device: device), for: OperationPage.self
                    ).numberBlock,
                ]
            }
            #expect(try block("till") == [1, 1] && block("tablet") == [2, 2])
            #expect(try block("") == [0, 0])
            try restaurant.restart()
            #expect(try block("phone") == [3, 3] && block("tablet") == [2, 2])
            let display = try restaurant.token(
                "wall", Grant(role: .display, site: restaurant.site))
            let seen = try restaurant.ask(
                ReadShift(shift: shift.id, device: "wall"), for: ShiftSnapshot.self, as: display)
            #expect(seen.numberBlock == 0)
        }

        @Test func `open to-dos survive a kill, and the next shift gets all of them`()
            throws
        {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list()).id
            let shift = try #require(try restaurant.start().shift)
            try Device("phone", in: shift.id).send(
                .mark(list, "t1", .notOk), add("Ice"), to: restaurant)
            try end(shift, restaurant)
            try restaurant.restart()
            let kept = try kept(restaurant)
            #expect(kept.map(\.content.title) == ["Task 1", "Ice"])
            #expect(Set(kept.map(\.content.number)).count == 2)
            #expect(kept.allSatisfy { $0.content.number > 1_000 && $0.shift == shift.id })

            let next = try #require(try restaurant.start().shift)
            try restaurant.restart()

            let state = try restaurant.state(next.id)
            #expect(state.todos.map(\.title) == ["Task 1", "Ice"])
            #expect(Set(state.todos.map(\.number)) == Set(kept.map { Int($0.content.number) }))
            #expect(try restaurant.system.query(.checklist, "SELECT id FROM standingTodo") == [])
            let begun = try restaurant.state(shift.id).done
            #expect(begun?.todos == kept)
            #expect(
                try restaurant.refusal(of: ListStandingTodos(site: restaurant.site))?.code
                    == .conflict)
        }

        @Test func `a late tick reaches the open shift once, and a late note reopens nothing`()
            throws
        {
            let restaurant = try Restaurant()
            _ = try restaurant.keep(.list())
            let shift = try #require(try restaurant.start().shift)
            let till = Device("till", in: shift.id)
            let added = try till.send(add("Ice"), add("Salt"), to: restaurant)
            let (ice, salt) = (try id(added.first), try id(added.last))
            try end(shift, restaurant)
            let begun = try restaurant.start()
            let next = try #require(begun.shift)
            try Device("till", in: next.id).send(
                .markTodo(MarkTodo(todo: salt, mark: .done)), to: restaurant, seen: begun.head)

            let phone = Device("phone", in: shift.id)
            phone.make(.markTodo(MarkTodo(todo: ice, mark: .done)))
            phone.make(.noteTodo(NoteTodo(todo: salt, text: "two bags")))
            for _ in 1...2 {
                // Each is even sent twice in one command.
                _ = try restaurant.ask(
                    phone.record(phone.made + phone.made), for: OperationsRecorded.self)
            }

            var state = try restaurant.state(next.id)
            #expect(state.todo(ice)?.mark == .done && state.todo(salt)?.mark == .done)
            #expect(state.todo(salt)?.notes.map(\.text) == ["two bags"])
            #expect(state.log.count == 4)
            try end(next, restaurant)
            try phone.send(
                .noteTodo(NoteTodo(todo: ice, text: "from the shop")), to: restaurant)
            #expect(try kept(restaurant).isEmpty)
            try phone.send(add("Smell of gas"), to: restaurant)
            #expect(try kept(restaurant).map(\.content.title) == ["Smell of gas"])
            state = try restaurant.state(try #require(try restaurant.start().shift).id)
            #expect(state.todos.map(\.title) == ["Smell of gas"])
        }

        @Test func `a late tick reaches a to-do for which the open shift had no room`() throws {
            let restaurant = try Restaurant()
            _ = try restaurant.keep(.list())
            let shift = try #require(try restaurant.start().shift)
            let till = Device("till", in: shift.id)
            // More than the 400 KiB with which a shift begins.
            let note = String(repeating: "x", count: 990)
            for _ in 1...6 {
                let command = till.record(
                    (1...75).map { _ in
                        till.make(
                            .addTodo(
                                AddTodo(
                                    title: "Ice", area: "kitchen", priority: "immediate",
                                    note: note)))
                    })
                let outcomes = try restaurant.ask(command, for: OperationsRecorded.self).outcomes
                #expect(outcomes.allSatisfy { $0.kind == .takenIn })
            }
            try end(shift, restaurant)
            let begun = try #require(try restaurant.start().shift)
            let waiting = try restaurant.system.query(
                .checklist, "SELECT id FROM standingTodo ORDER BY position"
            ).map { $0[0] }
            #expect(!waiting.isEmpty && waiting.count < 450)

            let phone = Device("phone", in: shift.id)
            try phone.send(
                .markTodo(MarkTodo(todo: waiting[0], mark: .done)), to: restaurant)

            let open = try restaurant.system.query(
                .checklist, "SELECT id FROM standingTodo WHERE isOpen = 1 ORDER BY position"
            ).map { $0[0] }
            #expect(open == Array(waiting.dropFirst()))
            #expect(try restaurant.state(begun.id).todo(waiting[0]) == nil)
        }

        @Test
        func `a late tick of a to-do that was opened again between shifts only adds a note`()
            throws
        {
            let restaurant = try Restaurant()
            _ = try restaurant.keep(.list())
            let shift = try #require(try restaurant.start().shift)
            let added = try Device("till", in: shift.id).send(
                add("Ice"), add("Salt"), add("Tea"), to: restaurant)
            let (ice, salt, tea) = (try id(added[0]), try id(added[1]), try id(added[2]))
            let seen = try restaurant.state(shift.id).head
            try end(shift, restaurant)
            for (todo, mark) in [(ice, TodoMark.done), (ice, .open), (salt, .done), (salt, .open)] {
                _ = try restaurant.ask(
                    ChangeStandingTodo(
                        site: restaurant.site, change: .mark(MarkTodo(todo: todo, mark: mark))),
                    for: CarriedTodo.self)
            }
            func marked(_ todo: String, _ mark: TodoMark) -> ShiftOperation.Change {
                .markTodo(MarkTodo(todo: todo, mark: mark))
            }
            let phone = Device("phone", in: shift.id)

            // Nobody else has marked the last one: its device knows what it did itself.
            try phone.send(
                marked(ice, .done), marked(tea, .done), marked(tea, .open), to: restaurant,
                seen: seen)
            try phone.send(marked(tea, .done), to: restaurant, seen: seen)

            let between = try kept(restaurant)
            #expect(between.map(\.content.title) == ["Ice", "Salt", "Tea"])
            #expect(between.map(\.mark) == [.open, .open, .done])
            #expect(between.map(\.notes.count) == [1, 0, 0])

            let next = try #require(try restaurant.start().shift)
            try phone.send(marked(salt, .removed), to: restaurant, seen: seen)

            let state = try restaurant.state(next.id)
            #expect(state.todos.map(\.mark) == [.open, .open])
            #expect(state.todo(ice)?.notes.map(\.text) == between[0].notes.map(\.text))
            #expect(state.todo(salt)?.notes.count == 1)
        }

        @Test
        func `between shifts to-dos follow their rules, and only people who lead shifts edit`()
            throws
        {
            let restaurant = try Restaurant()
            _ = try restaurant.keep(.list())
            let site = restaurant.site
            func change(_ change: ChangeStandingTodo.Change) -> ChangeStandingTodo {
                ChangeStandingTodo(site: site, change: change)
            }
            let ice = AddTodo(title: "Ice", area: "kitchen", priority: "immediate")
            let first = try restaurant.ask(change(.add(ice)), for: CarriedTodo.self)
            let second = try restaurant.ask(change(.add(ice)), for: CarriedTodo.self)
            #expect(first.content.number != second.content.number)
            let wrong: [ChangeStandingTodo.Change] = [
                .add(AddTodo(title: " ", area: "kitchen", priority: "immediate")),
                .add(AddTodo(title: "Ice", area: "cellar", priority: "immediate")),
                .mark(MarkTodo(todo: "nothing", mark: .done)),
                .mark(MarkTodo(todo: first.id)), .note(NoteTodo(todo: first.id)),
                .edit(ChangeTodo(todo: first.id)),
            ]
            for change in wrong {
                let refused = ChangeStandingTodo(site: site, change: change)
                #expect(try restaurant.refusal(of: refused) != nil, "\(change)")
            }
            let cook = try restaurant.token("cook", Grant(role: .crew, site: site))
            let tick = change(.mark(MarkTodo(todo: first.id, mark: .done)))
            #expect(try restaurant.refusal(of: tick, as: cook)?.code == .forbidden)
            #expect(try kept(restaurant) == [first, second])

            let done = try restaurant.ask(tick, for: CarriedTodo.self)

            #expect(done.mark == .done && done.marked?.time ?? 0 > 0)
            let begun = try #require(try restaurant.start().shift)
            #expect(try restaurant.state(begun.id).todos.map(\.mark) == [.done, .open])
        }
    }
}
