import Messages
import ShiftLog
import TestSupport
import Testing

extension Processes {
    @Suite struct ShiftTests {
        @Test func `a shift uses the template versions that it began with`() throws {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list())
            let begun = try restaurant.start()
            _ = try restaurant.keep(.list(tasks: 9))

            let now = try restaurant.ask(ReadShift(site: "Harbour"), for: ShiftSnapshot.self)
            let state = try ShiftState(snapshot: now)

            #expect(now == begun)
            #expect(state.lists.tasks.count == 3)
            #expect(now.shift?.lists.first?.template == list.id)
            #expect(now.shift?.lists.first?.version == 1)
            #expect(now.head == 1)
        }

        @Test func `a site has one open shift, and the refusal of another names it`() throws {
            let restaurant = try Restaurant()
            _ = try restaurant.keep(.list())
            let shift = try #require(try restaurant.start().shift)

            let refusal = try #require(
                try restaurant.refusal(of: StartShift(site: restaurant.site, dayPart: 2)))

            #expect(refusal.code == .conflict)
            #expect(refusal.message.contains(shift.id))
            #expect(refusal.message.contains(shift.managerName))
        }

        @Test func `a device's operations are recorded once and in order`() throws {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list()).id
            let shift = try #require(try restaurant.start().shift)
            let device = Device("phone", in: shift.id)
            let marks = (1...3).map { device.make(.mark(list, "t\($0)", .ok)) }

            let gap = try restaurant.ask(
                device.record([marks[1]]), for: OperationsRecorded.self)
            let first = try restaurant.ask(device.record(marks), for: OperationsRecorded.self)
            let again = try restaurant.ask(device.record(marks), for: OperationsRecorded.self)

            #expect(gap.outcomes.map(\.kind) == [.refused])
            #expect(gap.outcomes[0].refusal.contains("operation 1 next"))
            #expect(first.outcomes.map(\.kind) == [.takenIn, .takenIn, .takenIn])
            #expect(first.outcomes.compactMap(\.operation?.sequence) == [2, 3, 4])
            #expect(again == first)
            let page = try restaurant.ask(
                ReadOperations(shift: shift.id, after: 1), for: OperationPage.self)
            #expect(page.operations == first.outcomes.compactMap(\.operation))
        }

        @Test func `a refused operation never blocks another`() throws {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list()).id
            let shift = try #require(try restaurant.start().shift)
            let device = Device("phone", in: shift.id)
            let operations = [
                device.make(.mark(list, "t1", .ok)), device.make(.mark(list, "nothing", .ok)),
                device.make(.mark(list, "t2", .ok)),
            ]

            let outcomes = try restaurant.ask(
                device.record(operations), for: OperationsRecorded.self
            ).outcomes
            let again = try restaurant.ask(
                device.record([operations[1]]), for: OperationsRecorded.self
            ).outcomes
            let next = try device.send(.mark(list, "t3", .ok), to: restaurant)

            #expect(outcomes.map(\.kind) == [.takenIn, .refused, .takenIn])
            #expect(again == [outcomes[1]])
            #expect(next.map(\.kind) == [.takenIn])
        }

        @Test func `the parts of a refusal are kept, and a former store without them is read`()
            throws
        {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list()).id
            let shift = try #require(try restaurant.start().shift)
            let phone = Device("phone", in: shift.id)
            let long = String(repeating: "x", count: 1_001)
            func sendAgain() throws -> [OperationOutcome] {
                try restaurant.ask(
                    phone.record(phone.made), for: OperationsRecorded.self
                ).outcomes
            }

            let outcomes = try phone.send(
                .note(NoteTask(list: list, task: "t1", text: long)),
                .letCrew(LetCrew(list: list, may: 1, account: "nobody")), to: restaurant)

            #expect(outcomes.map(\.refusalReason) == ["text.length", "account.missing"])
            #expect(outcomes.map(\.refusalSubject) == ["", "nobody"])
            #expect(outcomes.map(\.refusalArguments) == [["least": "1", "most": "1000"], [:]])
            #expect(try sendAgain() == outcomes)
            restaurant.kill()
            try restaurant.system.edit(
                .checklist,
                """
                ALTER TABLE refusedOperation DROP COLUMN parts;
                DELETE FROM grdb_migrations
                WHERE identifier = 'checklist: parts of refusals of operations';
                """)
            try restaurant.restart()
            let former = outcomes.map { outcome in
                var outcome = outcome
                (outcome.refusalSubject, outcome.refusalArguments) = ("", [:])
                return outcome
            }
            #expect(try sendAgain() == former)
            try restaurant.system.edit(.checklist, "UPDATE refusedOperation SET parts = x'FF'")
            #expect(try sendAgain() == former)
        }

        @Test(arguments: [Int64.min, -1, 253_402_300_800_000, .max])
        func `an operation with an impossible time is refused`(time: Int64) throws {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list()).id
            let shift = try #require(try restaurant.start().shift)
            let phone = Device("phone", in: shift.id)
            var operation = phone.make(.mark(list, "t1", .ok))
            operation.deviceTime = time

            let outcome = try restaurant.ask(
                phone.record([operation]), for: OperationsRecorded.self
            ).outcomes.first

            #expect(outcome?.kind == .refused)
            #expect(outcome?.refusal.contains("clock of the device phone") == true)
        }

        @Test func `people who mark a task independently learn of it, and the safe mark is shown`()
            throws
        {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list()).id
            let begun = try restaurant.start()
            let shift = try #require(begun.shift)
            let phone = Device("phone", in: shift.id)
            let tablet = Device("tablet", in: shift.id)

            let first = try phone.send(.mark(list, "t1", .notOk), to: restaurant, seen: 1)
            let second = try tablet.send(.mark(list, "t1", .ok), to: restaurant, seen: 1)
            let late = try restaurant.ask(
                tablet.record(tablet.made), for: OperationsRecorded.self
            ).outcomes

            #expect(first.map(\.kind) == [.takenIn])
            #expect(second.map(\.kind) == [.conflict])
            #expect(late == second)
            let state = try restaurant.state(shift.id)
            #expect(state.result(of: TaskKey(list: list, task: "t1"))?.state == .notOk)
            #expect(state.reviews.count == 1)
        }

        @Test func `a refusal because no shift is open says how to start one`() throws {
            let restaurant = try Restaurant()

            let refusal = try #require(
                try restaurant.refusal(of: EndShift(site: restaurant.site)))

            #expect(refusal.code == .notFound)
            #expect(
                refusal.message.hasSuffix(
                    "start one with steward shift start day or steward shift start evening"))
        }

        @Test func `ending a shift is refused with what is open, unless that is accepted`() throws {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list()).id
            let shift = try #require(try restaurant.start().shift)
            let phone = Device("phone", in: shift.id)
            try phone.send(
                .mark(list, "t1", .ok), .mark(list, "t2", .notOk), to: restaurant)
            phone.make(.mark(list, "t3", .ok))
            _ = try restaurant.ask(
                ReadOperations(
                    shift: shift.id, device: "phone", deviceHead: UInt64(phone.made.count)),
                for: OperationPage.self)

            let refusal = try #require(try restaurant.refusal(of: EndShift(shift: shift.id)))
            #expect(refusal.message.contains("1 task of “Opening”"))
            #expect(refusal.message.contains("1 to-do"))
            #expect(refusal.message.contains("not yet sent by the device phone"))

            let ended = try restaurant.ask(
                EndShift(site: "Harbour", despiteOpen: true), for: Shift.self)
            #expect(ended.ended > 0)
            #expect(try restaurant.refusal(of: EndShift(shift: shift.id))?.code == .conflict)
            let done = try #require(try restaurant.state(shift.id).done)
            #expect(done.despiteOpen)
            #expect(done.totals?.tasks == 3 && done.totals?.ok == 1 && done.totals?.notOk == 1)
        }

        @Test func `operations after the end are kept in the appendix`() throws {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list()).id
            let shift = try #require(try restaurant.start().shift)
            let phone = Device("phone", in: shift.id)
            phone.make(.mark(list, "t1", .ok))
            _ = try restaurant.ask(EndShift(shift: shift.id, despiteOpen: true), for: Shift.self)

            let outcome = try restaurant.ask(
                phone.record(phone.made), for: OperationsRecorded.self
            ).outcomes

            #expect(outcome.map(\.kind) == [.takenIn])
            #expect(outcome.first?.operation?.late == true)
            let state = try restaurant.state(shift.id)
            #expect(state.appendix.count == 1)
            #expect(state.done?.totals?.ok == 0)
            #expect(try restaurant.start().shift?.id != shift.id)
        }

        @Test func `refused operations count towards the limit of an account`() throws {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list()).id
            let shift = try #require(try restaurant.start().shift)
            let bob = try restaurant.token(
                "bob", Grant(role: .shiftManager, site: restaurant.site))
            let phone = Device("phone", in: shift.id)
            let outcomes = try phone.send(
                .mark(list, "t1", .ok), .mark(list, "nothing", .ok), to: restaurant)
            restaurant.kill()
            // With the beginning of the shift, the account has room for one more.
            try restaurant.system.edit(
                .checklist,
                """
                WITH RECURSIVE number (n) AS (
                    SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 19996
                )
                INSERT INTO refusedOperation (id, shift, account, code, message)
                SELECT randomblob(16), shift, account, code, message
                FROM refusedOperation, number
                """)
            try restaurant.restart()

            #expect(try phone.send(.mark(list, "t2", .ok), to: restaurant)[0].kind == .takenIn)
            let operation = phone.make(.mark(list, "nothing", .ok))
            let refusal = try restaurant.refusal(of: phone.record([operation]))
            let again = try restaurant.ask(
                phone.record(Array(phone.made.prefix(2))), for: OperationsRecorded.self
            ).outcomes
            let others = try Device("tablet", in: shift.id).send(
                .mark(list, "t3", .ok), .mark(list, "nothing", .ok), to: restaurant, as: bob)

            #expect(refusal?.code == .conflict)
            #expect(refusal?.message.contains("another account") == true)
            #expect(again == outcomes)
            #expect(others.map(\.kind) == [.takenIn, .refused])
            let count = try restaurant.system.query(
                .checklist, "SELECT count(*) FROM refusedOperation")
            #expect(count == [["19998"]])
        }

        @Test func `an account can use only so many devices in a shift`() throws {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list()).id
            let shift = try #require(try restaurant.start().shift)
            let bob = try restaurant.token(
                "bob", Grant(role: .shiftManager, site: restaurant.site))
            let phone = Device("phone", in: shift.id)
            try phone.send(.mark(list, "t1", .ok), to: restaurant)
            restaurant.kill()
            try restaurant.system.edit(
                .checklist,
                """
                WITH RECURSIVE number (n) AS (
                    SELECT 2 UNION ALL SELECT n + 1 FROM number WHERE n < 1000
                )
                INSERT INTO device (shift, device, account, answered, made)
                SELECT shift, 'phone ' || n, account, 0, 0 FROM device, number
                """)
            try restaurant.restart()
            let tablet = Device("tablet", in: shift.id)
            tablet.make(.mark(list, "t2", .ok))

            let refusal = try restaurant.refusal(of: tablet.record(tablet.made))
            _ = try restaurant.ask(
                ReadOperations(shift: shift.id, device: "tablet", deviceHead: 1),
                for: OperationPage.self)
            let count = try restaurant.system.query(.checklist, "SELECT count(*) FROM device")
            let known = try phone.send(.mark(list, "t3", .ok), to: restaurant)
            let others = try Device("till", in: shift.id).send(
                .mark(list, "t2", .ok), to: restaurant, as: bob)

            #expect(refusal?.code == .conflict)
            #expect(refusal?.message.contains("1000 devices") == true)
            #expect(count == [["1000"]])
            #expect(known.map(\.kind) == [.takenIn] && others.map(\.kind) == [.takenIn])
        }

        @Test func `two spellings of the name of a device don't keep a shift from ending`() throws {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list()).id
            let shift = try #require(try restaurant.start().shift)
            let (composed, decomposed) = ("\u{E9}", "e\u{301}")
            func read(as device: String) throws -> OperationPage {
                try restaurant.ask(
                    ReadOperations(shift: shift.id, device: device, deviceHead: 9),
                    for: OperationPage.self)
            }

            #expect(try read(as: composed).numberBlock > 0)
            #expect(try read(as: decomposed).numberBlock == 0)
            let phone = Device(decomposed, in: shift.id)
            phone.make(.mark(list, "t1", .ok))
            let refusal = try restaurant.refusal(of: phone.record(phone.made))
            #expect(refusal?.code == .invalid)
            #expect(refusal?.message.contains("NFC") == true)
            let names = try restaurant.system.query(.checklist, "SELECT hex(device) FROM device")
            #expect(names == [["C3A9"]])

            // An earlier version kept both.
            restaurant.kill()
            try restaurant.system.edit(
                .checklist,
                """
                INSERT INTO device (shift, device, account, answered, made)
                SELECT shift, CAST(x'65CC81' AS TEXT), account, 0, 8 FROM device
                """)
            try restaurant.restart()
            let open = try restaurant.refusal(of: EndShift(shift: shift.id))
            #expect(open?.message.contains("9 entries not yet sent") == true)
            let ended = try restaurant.ask(
                EndShift(shift: shift.id, despiteOpen: true), for: Shift.self)
            #expect(ended.ended > 0)
        }

        @Test func `after restoring an older backup the devices send again what they have`() throws
        {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list()).id
            let shift = try #require(try restaurant.start().shift)
            let phone = Device("phone", in: shift.id)
            try phone.send(.mark(list, "t1", .ok), to: restaurant, seen: 1)
            try restaurant.backUp()
            try phone.send(.mark(list, "t2", .notOk), to: restaurant, seen: 2)
            try phone.send(.mark(list, "t3", .ok), to: restaurant, seen: 3)

            try restaurant.restore()
            let ahead = try restaurant.refusal(of: ReadOperations(shift: shift.id, after: 4))
            let outcomes = try restaurant.ask(
                phone.record(phone.made), for: OperationsRecorded.self
            ).outcomes

            #expect(ahead?.code == .conflict)
            #expect(outcomes.map(\.kind) == [.takenIn, .takenIn, .takenIn])
            #expect(outcomes.compactMap(\.operation?.sequence) == [2, 3, 4])
            let state = try restaurant.state(shift.id)
            #expect(state.progress.lookedAt == 3 && state.todos.count == 1)
        }
    }
}

extension Restaurant {
    /// The state of a shift, as a device would compute it.
    func state(_ shift: String) throws -> ShiftState {
        var state = try ShiftState(snapshot: ask(ReadShift(shift: shift), for: ShiftSnapshot.self))
        let page = try ask(ReadOperations(shift: shift), for: OperationPage.self)
        for operation in page.operations { state.apply(operation) }
        return state
    }

    /// Copies the store, as a person would.
    func backUp() throws { try system.backUp(.checklist, to: "backup.sqlite") }

    /// Restores the copy.
    func restore() throws {
        kill()
        try system.restore(.checklist, from: "backup.sqlite")
        try restart("--restored")
    }
}
