import Messages
import ShiftLog
import TestSupport
import Testing

@testable import ChecklistService

extension Processes {
    @Suite struct ArchiveTests {
        @Test func `the archive is verified, and a changed record is named`() throws {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list()).id
            let early = try restaurant.head()
            for _ in 0..<2 { try restaurant.run(list, note: "the fryer drips") }
            let head = try restaurant.head()

            #expect(try restaurant.audit(heads: [early, head]) == head.sequence)
            #expect(head.isSigned && head.publicKey == early.publicKey)
            try restaurant.restart()
            #expect(try restaurant.head().publicKey == head.publicKey)

            restaurant.kill()
            try restaurant.system.edit(
                .checklist,
                """
                UPDATE operation SET body = CAST(replace(body, 'drips', 'drops') AS BLOB)
                WHERE sequence = 4
                """)
            try restaurant.restart()
            let fault = #expect(throws: ArchiveFault.self) {
                try restaurant.audit(heads: [head])
            }
            #expect(fault?.sequence == 4)
        }

        @Test func `a shift is found by its words, its manager and its date`() throws {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list()).id
            let first = try restaurant.run(list, note: "the fryer drips")
            let second = try restaurant.run(list, note: "Bürste fehlt")

            let find = { (query: FindShifts) in
                try restaurant.ask(query, for: FoundShifts.self).shifts
            }
            #expect(try find(FindShifts()).compactMap(\.shift?.id) == [second.id, first.id])
            let words = try find(FindShifts(text: "fryer dri"))
            #expect(words.compactMap(\.shift?.id) == [first.id])
            #expect(words.first?.excerpt.contains("fryer drips") == true)
            #expect(words.first?.totals?.notOk == 1)
            #expect(words.first?.shift?.settings == [])
            #expect(try find(FindShifts(text: "burste")).compactMap(\.shift?.id) == [second.id])
            #expect(try find(FindShifts(text: "task 2")).count == 2)
            #expect(try find(FindShifts(text: "\" OR *")).count == 0)
            #expect(try find(FindShifts(manager: "nobody")).isEmpty)
            let manager = String(first.managerName.prefix(4))
            #expect(!manager.isEmpty)
            #expect(try find(FindShifts(manager: manager)).count == 2)
            #expect(try find(FindShifts(from: "2999-01-01")).isEmpty)
            #expect(try find(FindShifts(to: "1999-01-01")).isEmpty)
            #expect(first.date <= second.date && !first.date.isEmpty)
            #expect(try find(FindShifts(from: first.date, to: second.date)).count == 2)
            #expect(try find(FindShifts(before: second.started)).count == 1)
            _ = try restaurant.start()
            #expect(try find(FindShifts()).count == 3)
            #expect(try find(FindShifts(endedOnly: true)).count == 2)
        }

        @Test func `open shifts are found behind any number of newer ended ones`() throws {
            let restaurant = try Restaurant()
            let quay = try restaurant.open("Quay")
            try restaurant.keep(.list(site: restaurant.site))
            let newer = try (1...2).map { _ in
                let shift = try #require(try restaurant.start().shift)
                return try restaurant.ask(
                    EndShift(shift: shift.id, despiteOpen: true), for: Shift.self
                ).id
            }

            let find = { (query: FindShifts) in
                try restaurant.ask(query, for: FoundShifts.self).shifts.compactMap(\.shift?.id)
            }
            #expect(try Set(find(FindShifts(limit: 2))) == Set(newer))
            #expect(try find(FindShifts(limit: 2, openOnly: true)) == [quay.shift])
            #expect(try find(FindShifts(missedToo: true, openOnly: true)) == [quay.shift])
            #expect(try find(FindShifts(endedOnly: true, openOnly: true)) == [])
        }

        @Test func `a person's own to-dos are remembered, the most used first`() throws {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list()).id
            for _ in 0..<2 { try restaurant.run(list, todo: "Descale the kettle") }
            try restaurant.run(list, todo: "Air the cellar")

            let todos = try restaurant.ask(
                ListRememberedTodos(site: "Harbour"), for: RememberedTodos.self
            ).todos
            let some = try restaurant.ask(
                ListRememberedTodos(site: "Harbour", text: "cell"), for: RememberedTodos.self
            ).todos

            #expect(todos.map(\.title) == ["Descale the kettle", "Air the cellar"])
            #expect(some.map(\.title) == ["Air the cellar"])
        }

        @Test func `old records are deleted, and the rest still verifies`() throws {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list()).id
            let old = try restaurant.run(list, note: "the fryer drips")
            let head = try restaurant.head()
            try restaurant.pass(minutes: 500 * 1440)
            let young = try restaurant.run(list)

            try restaurant.pass(minutes: 299 * 1440)
            try restaurant.restart()
            #expect(try restaurant.head().sequence == head.sequence * 2)
            #expect(try restaurant.page().beginsAfter == 0)
            try restaurant.pass(minutes: 2 * 1440)
            try restaurant.passDay()
            try eventually("the old shift is forgotten") {
                try restaurant.page().beginsAfter == head.sequence
            }

            #expect(try restaurant.audit(heads: [head]) == head.sequence * 2)
            #expect(try restaurant.refusal(of: ReadShift(shift: old.id))?.code == .notFound)
            let found = try restaurant.ask(FindShifts(), for: FoundShifts.self).shifts
            #expect(found.compactMap(\.shift?.id) == [young.id])
            for table in ["shiftFigures", "listFigures", "todoLead", "device"] {
                let rows = try restaurant.system.query(
                    .checklist, "SELECT count(*) FROM \(table) WHERE shift = '\(old.id)'")
                #expect(rows == [["0"]], "\(table)")
            }
            let texts = try restaurant.system.query(.checklist, "SELECT count(*) FROM shiftText")
            #expect(texts == [["1"]])
        }

        @Test func `a clock that is years ahead for a moment deletes no archive`() throws {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list()).id
            let old = try restaurant.run(list, note: "the fryer drips")
            let head = try restaurant.head()

            try restaurant.pass(minutes: 3 * 365 * 1440)
            try eventually("the service looked for old records") {
                let due = try restaurant.system.query(
                    .checklist, "SELECT due FROM timer WHERE kind = 'retention'")
                return try #require(Int64(due[0][0])) > restaurant.now
            }
            try restaurant.pass(minutes: -3 * 365 * 1440)
            try restaurant.restart()

            #expect(try restaurant.page().beginsAfter == 0)
            #expect(try restaurant.audit(heads: [head]) == head.sequence)
            #expect(try restaurant.refusal(of: ReadShift(shift: old.id)) == nil)
        }

        @Test func `the statistics sum up ended shifts`() throws {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list()).id
            for _ in 0..<2 { try restaurant.run(list, todo: "Air the cellar") }
            _ = try restaurant.start()

            let read = { (by: Gathering, manager: String) in
                try restaurant.ask(
                    ReadStatistics(site: "Harbour", manager: manager, by: by), for: Statistics.self
                ).rows
            }
            let all = try #require(try read(.unspecified, "").first)
            #expect(all.shifts == 2 && all.totals?.tasks == 6)
            #expect(all.totals?.ok == 2 && all.totals?.notOk == 2)
            #expect(all.totals?.todos == 4 && all.totals?.todosDone == 2)
            #expect(try read(.manager, "").map(\.shifts) == [2])
            #expect(try read(.site, "").map(\.name) == ["Harbour"])
            #expect(try read(.month, "").first?.name.count == 7)
            #expect(try read(.manager, "nobody") == [])
            let tasks = try read(.task, "")
            // What was most often not ok comes first.
            #expect(tasks.map(\.name) == [2, 1, 3].map { "Opening: Task \($0)" })
            #expect(tasks.map { $0.totals?.notOk } == [2, 0, 0])
            #expect(try read(.task, "nobody") == [])
        }

        @Test(arguments: [
            ("2026-12-31", "2026-W53"), ("2027-01-03", "2026-W53"), ("2027-01-04", "2027-W01"),
            ("2024-12-30", "2025-W01"),
        ])
        func `a calendar week is numbered as in ISO 8601`(date: String, week: String) {
            #expect(Gathering.week(of: date) == week)
        }

        @Test func `a median is the middle value, or lies between the two middle ones`() {
            #expect(GatheredFigures.median([]) == 0)
            #expect(GatheredFigures.median([9, 1, 5]) == 5)
            #expect(GatheredFigures.median([8, 1, 5, 3]) == 4)
        }
    }

    @Suite struct EquipmentTests {
        @Test func `a fault can be reported, and its history stays`() throws {
            let restaurant = try Restaurant()
            let report = { (state: EquipmentState, text: String) in
                try restaurant.ask(
                    ReportEquipment(
                        site: "Harbour", name: "Fryer 2", area: "kitchen", state: state,
                        text: text),
                    for: Equipment.self)
            }
            let first = try report(.outOfOrder, "no heat")
            let second = try report(.working, "new fuse")

            #expect(second.id == first.id && second.state == .working)
            #expect(second.history.map(\.text) == ["new fuse"])
            let all = try restaurant.ask(ListEquipment(site: "Harbour"), for: EquipmentList.self)
            #expect(all.equipment.map { $0.history.map(\.text) } == [["new fuse", "no heat"]])
            let faulty = ListEquipment(site: "Harbour", faultyOnly: true)
            #expect(try restaurant.ask(faulty, for: EquipmentList.self).equipment == [])
            #expect(
                try restaurant.refusal(
                    of: ReportEquipment(site: "Harbour", name: "Fryer 2", state: .faulty))?.code
                    == .invalid)
        }

        @Test func `what a report stores doesn't grow with the history`() throws {
            let restaurant = try Restaurant()
            func kept() throws -> Int {
                for _ in 0..<10 {
                    let report = ReportEquipment(site: "Harbour", name: "Fryer", state: .working)
                    _ = try restaurant.ask(report, for: Equipment.self)
                }
                let sums = try restaurant.system.query(
                    .checklist, "SELECT sum(length(reply)) FROM inbox")
                return try #require(Int(sums[0][0]))
            }
            let sums = try (0..<6).map { _ in try kept() }

            // A time may take one byte more than the previous one.
            #expect(sums[5] - sums[4] < sums[1] - sums[0] + 10 * 8, "\(sums)")
        }

        @Test func `a long history of much equipment still fits into an answer`() throws {
            let restaurant = try Restaurant()
            let text = String(repeating: "no heat ", count: 120)
            for number in 1...150 {
                let report = ReportEquipment(
                    site: "Harbour", name: "Fryer \(number % 15)", state: .faulty, text: text)
                _ = try restaurant.ask(report, for: Equipment.self)
            }
            let copies = (1...9).map { _ in
                "INSERT INTO equipmentEntry (equipment, entry) "
                    + "SELECT equipment, entry FROM equipmentEntry WHERE id <= 150;"
            }
            restaurant.kill()
            try restaurant.system.edit(.checklist, copies.joined())
            try restaurant.restart()

            let told = try restaurant.ask(ListEquipment(site: "Harbour"), for: EquipmentList.self)

            #expect(told.equipment.count == 15)
            #expect(told.equipment.allSatisfy { (10...60).contains($0.history.count) })
        }

        @Test func `an account can name only so much equipment, and its newest entries are kept`()
            throws
        {
            let restaurant = try Restaurant()
            let bob = try restaurant.token("bob", Grant(role: .crew, site: restaurant.site))
            let report = ReportEquipment(site: "Harbour", name: "Fryer", state: .working)
            _ = try restaurant.ask(report, for: Equipment.self, as: bob)
            restaurant.kill()
            try restaurant.system.edit(
                .checklist,
                """
                WITH RECURSIVE number (n) AS (
                    SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1000
                )
                INSERT INTO equipmentEntry (equipment, entry)
                SELECT equipment, entry FROM equipmentEntry, number;
                WITH RECURSIVE number (n) AS (
                    SELECT 2 UNION ALL SELECT n + 1 FROM number WHERE n < 500
                )
                INSERT INTO equipment (id, site, name, account, equipment)
                SELECT id || n, site, name || n, account, equipment FROM equipment, number
                """)
            try restaurant.restart()

            var other = report
            other.name = "Grill"
            let refusal = try restaurant.refusal(of: other, as: bob)
            #expect(refusal?.code == .conflict)
            #expect(refusal?.message.contains("500 pieces") == true)
            #expect(try restaurant.refusal(of: other) == nil)
            #expect(try restaurant.refusal(of: report) == nil)
            let kept = try restaurant.system.query(
                .checklist,
                """
                SELECT count(*), min(id), max(id) FROM equipmentEntry
                GROUP BY equipment ORDER BY count(*)
                """)
            // The grill's entry came after 1,001 of the fryer, and one more of that after it.
            #expect(kept == [["1", "1002", "1002"], ["1000", "3", "1003"]])
        }

        @Test func `people who lead shifts at a site can name more equipment than its crew`() throws
        {
            let restaurant = try Restaurant()
            let anna = try restaurant.token(
                "anna", Grant(role: .shiftManager, site: restaurant.site))
            var report = ReportEquipment(site: "Harbour", name: "Fryer", state: .working)
            _ = try restaurant.ask(report, for: Equipment.self, as: anna)
            restaurant.kill()
            try restaurant.system.edit(
                .checklist,
                """
                WITH RECURSIVE number (n) AS (
                    SELECT 2 UNION ALL SELECT n + 1 FROM number WHERE n < 1999
                )
                INSERT INTO equipment (id, site, name, account, equipment)
                SELECT id || n, site, name || n, account, equipment FROM equipment, number
                """)
            try restaurant.restart()

            report.name = "Grill"
            #expect(try restaurant.refusal(of: report, as: anna) == nil)
            report.name = "Oven"
            let refusal = try restaurant.refusal(of: report, as: anna)
            #expect(refusal?.code == .conflict)
            #expect(refusal?.message.contains("2000 pieces") == true)
        }

        @Test func `a spare part is found by its name, number, place and equipment`() throws {
            let restaurant = try Restaurant()
            let part = SparePart(
                site: "Harbour", name: "Fuse", number: "F-10", place: "cellar, shelf 3", count: 4,
                fits: ["Fryer 2"])
            _ = try restaurant.ask(PutSparePart(part: part), for: SparePart.self)

            for text in ["fuse", "f-10", "shelf", "fryer fus", ""] {
                let found = try restaurant.ask(
                    FindSpareParts(site: "Harbour", text: text), for: SpareParts.self)
                #expect(found.parts.map(\.name) == ["Fuse"], "\(text)")
            }
            _ = try restaurant.ask(
                RemoveSparePart(site: "Harbour", part: "f-10"), for: SparePart.self)
            let left = try restaurant.ask(FindSpareParts(site: "Harbour"), for: SpareParts.self)
            #expect(left.parts == [])
        }
    }
}

extension Restaurant {
    /// Runs a shift with one task that is ok, one that isn't, a note and a to-do that is done; and
    /// ends it.
    @discardableResult
    func run(_ list: String, note: String = "a note", todo: String? = nil) throws -> Shift {
        let shift = try #require(try start().shift)
        let device = Device("phone", in: shift.id)
        try device.send(
            .mark(list, "t1", .ok), .mark(list, "t2", .notOk),
            .note(NoteTask(list: list, task: "t2", text: note)), to: self)
        if let todo {
            let outcome = try device.send(
                .addTodo(AddTodo(title: todo, area: "service", priority: "immediate")), to: self)
            let id = try #require(outcome.first?.operation.flatMap { MessageID(bytes: $0.id) })
            try device.send(.markTodo(MarkTodo(todo: "\(id)", mark: .done)), to: self)
        }
        return try ask(EndShift(shift: shift.id, despiteOpen: true), for: Shift.self)
    }

    /// The signed statement of how far the archive reaches.
    func head() throws -> ArchiveHead {
        try ask(ReadArchiveHead(site: site), for: ArchiveHead.self)
    }

    /// The first page of the archive.
    func page(after sequence: UInt64 = 0) throws -> ArchivePage {
        try ask(ReadArchive(site: site, after: sequence, limit: 3), for: ArchivePage.self)
    }

    /// Verifies the whole archive, page by page, and returns how far it reaches.
    @discardableResult
    func audit(heads: [ArchiveHead]) throws -> UInt64 { try audited(heads: heads).sequence }

    /// The audit of the whole archive, which was verified page by page.
    func audited(heads: [ArchiveHead]) throws -> ArchiveAudit {
        var page = try page()
        var audit = try ArchiveAudit(
            site: site, beginsAfter: page.beginsAfter, beginsWith: page.beginsWith, heads: heads)
        while !page.records.isEmpty {
            for record in page.records { try audit.verify(record) }
            page = try self.page(after: audit.sequence)
        }
        try audit.finish()
        return audit
    }
}
