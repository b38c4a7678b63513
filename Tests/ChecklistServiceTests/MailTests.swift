import Messages
import TestSupport
import Testing

extension Processes {
    @Suite struct MailTests {
        @Test func `the to-do lists are mailed, one per area`() throws {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list { $1.area = $0 == 1 ? "kitchen" : "service" }).id
            let shift = try #require(try restaurant.start().shift)
            try Device("phone", in: shift.id).send(
                .mark(list, "t1", .notOk), .mark(list, "t2", .notOk), to: restaurant)

            #expect(try restaurant.refusal(of: MailTodos(shift: shift.id))?.code == .invalid)
            let mailed = try restaurant.ask(
                MailTodos(shift: shift.id, to: ["kitchen@example.org"]), for: ListsMailed.self)
            #expect(mailed.keys.count == 2)
            try eventually("both are handed over") { try restaurant.mails().count == 2 }

            let mails = try restaurant.mails()
            #expect(mails.map(\.key).sorted() == mailed.keys.sorted())
            let kitchen = try #require(mails.first { $0.key.hasSuffix("/1") })
            #expect(kitchen.to == ["kitchen@example.org"])
            #expect(kitchen.text.contains("Task 1") && !kitchen.text.contains("Task 2"))
            #expect(kitchen.html.contains("Task 1"))
            #expect(kitchen.attachments.map(\.contentType) == ["application/pdf"])
            #expect(kitchen.attachments.first?.data.starts(with: Array("%PDF".utf8)) == true)
            #expect(kitchen.organisation == shift.organisation)
        }

        @Test func `a to-do list is mailed as it was when it was ordered`() throws {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list()).id
            let shift = try #require(try restaurant.start().shift)
            try Device("phone", in: shift.id).send(
                .mark(list, "t2", .notOk), .mark(list, "t1", .notOk), to: restaurant)
            restaurant.kill()
            // As if one had been ordered between the marks, and the service killed before it was
            // written.
            try restaurant.system.edit(
                .checklist,
                """
                INSERT INTO mailOrder (key, shift, area, addresses, head, isTaken)
                SELECT 'a', id, 'kitchen', '["a@example.org"]', head - 1, 0 FROM shift
                UNION ALL SELECT 'b', id, 'kitchen', '["b@example.org"]', head, 0 FROM shift
                """)

            try restaurant.restart()
            try eventually("both are handed over") { try restaurant.mails().count == 2 }

            let mails = try restaurant.mails()
            let before = try #require(mails.first { $0.key == "a" }).text
            #expect(before.contains("Task 2") && !before.contains("Task 1"))
            let after = try #require(mails.first { $0.key == "b" }).text
            #expect(after.contains("Task 2") && after.contains("Task 1"))
        }

        @Test func `the sealed pre-shift list is mailed once, even after a kill`() throws {
            let restaurant = try Restaurant()
            try restaurant.set { $0.mailTo = ["office@example.org"] }
            let list = try restaurant.keep(.list()).id
            let shift = try restaurant.run(list, note: "the fryer drips")
            try restaurant.restart()
            try restaurant.restart()

            try eventually("it is handed over") { try !restaurant.mails().isEmpty }
            try restaurant.restart()
            let mails = try restaurant.mails()
            #expect(mails.map(\.key) == ["pre-shift/\(shift.id)"])
            #expect(mails.first?.text.contains("the fryer drips") == true)
            #expect(try restaurant.system.query(.checklist, "SELECT key FROM mailOrder") == [])
        }

        @Test func `an order that can't be read is put aside, and the others are mailed`() throws {
            let restaurant = try Restaurant()
            try restaurant.set { $0.mailTo = ["office@example.org"] }
            let list = try restaurant.keep(.list()).id
            _ = try restaurant.run(list, note: "the fryer drips")
            try eventually("it is handed over") { try restaurant.mails().count == 1 }
            restaurant.kill()
            try restaurant.system.edit(
                .checklist,
                """
                INSERT INTO mailOrder (key, shift, area, addresses, head, isTaken)
                SELECT 'a', id, '', 'no list', head, 0 FROM shift
                UNION ALL SELECT 'b', id, '', '["b@example.org"]', head, 0 FROM shift
                """)

            try restaurant.restart()
            try eventually("the other is handed over") {
                try restaurant.mails().map(\.key).contains("b")
            }

            let aside = try restaurant.system.published(by: .checklist)
                .filter { $0.type == SetAside.protobufName }
                .map { try SetAside(unpacking: $0.data).type }
            #expect(aside == ["papers"])
            #expect(
                try restaurant.system.query(.checklist, "SELECT key FROM mailOrder") == [["a"]])
        }

        @Test func `a scheduled shift or report that can't be read doesn't stop the next start`()
            throws
        {
            let restaurant = try Restaurant()
            try restaurant.keep(.list())
            try restaurant.schedule(in: 60)
            _ = try restaurant.report(daysAhead: 8, language: "nb")
            restaurant.kill()
            try restaurant.system.edit(
                .checklist,
                """
                UPDATE scheduledShift SET shift = x'FF';
                UPDATE siteReport SET report = x'FF'
                """)

            try restaurant.restart()

            let start = StartShift(site: restaurant.site, dayPart: 1)
            #expect(try restaurant.refusal(of: start) == nil)
        }

        @Test func `naming an area twice, or 19,000 times, requests no mail`() throws {
            let restaurant = try Restaurant()
            _ = try restaurant.keep(.list())
            let shift = try #require(try restaurant.start().shift)
            let to = (0..<20).map { "a\($0)@example.org" }

            for count in [2, 19_000] {
                let areas = Array(repeating: "kitchen", count: count)
                let refusal = try restaurant.refusal(
                    of: MailTodos(shift: shift.id, areas: areas, to: to))

                #expect(refusal?.isBecause(.fieldLimit) == true)
                #expect(refusal?.message.contains("shift.MailTodos.areas") == true)
            }
            #expect(try restaurant.system.query(.checklist, "SELECT key FROM mailOrder") == [])
        }

        @Test func `a person can request only so many mails, even after a kill`() throws {
            let restaurant = try Restaurant()
            _ = try restaurant.keep(.list())
            let shift = try #require(try restaurant.start().shift)
            let order = MailTodos(
                shift: shift.id, areas: ["kitchen", "service", "manager", "drive-through"],
                to: (0..<20).map { "a\($0)@example.org" })

            // Each order makes 80 mails.
            for _ in 0..<6 { _ = try restaurant.ask(order, for: ListsMailed.self) }
            let refused = try restaurant.refusal(of: order)
            try restaurant.restart()

            #expect(refused?.isBecause(.mailLimit) == true)
            #expect(try restaurant.refusal(of: order)?.isBecause(.mailLimit) == true)
            try restaurant.pass(minutes: 60)
            #expect(try restaurant.refusal(of: order) == nil)
        }

        @Test func `a shift ends although its manager may request no more mails for now`() throws {
            let restaurant = try Restaurant()
            _ = try restaurant.keep(.list())
            let to = (0..<20).map { "a\($0)@example.org" }
            try restaurant.set { $0.mailTo = to }
            let shift = try #require(try restaurant.start().shift)
            let all = ["kitchen", "service", "manager", "drive-through"]
            // Together 500 mails.
            for areas in Array(repeating: all, count: 6) + [["kitchen"]] {
                let order = MailTodos(shift: shift.id, areas: areas, to: to)
                _ = try restaurant.ask(order, for: ListsMailed.self)
            }
            let more = MailTodos(shift: shift.id, areas: ["kitchen"], to: to)
            #expect(try restaurant.refusal(of: more)?.isBecause(.mailLimit) == true)

            let ended = try restaurant.ask(
                EndShift(shift: shift.id, despiteOpen: true), for: Shift.self)

            #expect(ended.ended > 0)
            try eventually("the pre-shift list is mailed") {
                try restaurant.mails().contains { $0.key == "pre-shift/\(shift.id)" }
            }
        }

        @Test func `to-dos of an area that the site no longer has are mailed, too`() throws {
            let restaurant = try Restaurant()
            _ = try restaurant.keep(.list())
            let shift = try #require(try restaurant.start().shift)
            try Device("phone", in: shift.id).send(
                .addTodo(AddTodo(title: "Sweep", area: "drive-through", priority: "immediate")),
                to: restaurant)
            _ = try restaurant.accounts.ask(
                ChangeSite(site: restaurant.site, removedAreas: ["drive-through"]),
                for: Organisation.self)
            try eventually("the area is gone") {
                let found = try restaurant.system.query(
                    .checklist, "SELECT instr(site, CAST('drive-through' AS BLOB)) FROM site")
                return found == [["0"]]
            }

            let mailed = try restaurant.ask(
                MailTodos(shift: shift.id, to: ["kitchen@example.org"]), for: ListsMailed.self)
            #expect(mailed.keys.count == 1)
            let unknown = MailTodos(
                shift: shift.id, areas: ["bar"], to: ["kitchen@example.org"])
            #expect(try restaurant.refusal(of: unknown)?.code == .notFound)
        }
    }
}

extension Restaurant {
    /// The mails that the service requested from the notifier.
    func mails() throws -> [MailRequested] {
        try system.published(by: .checklist).filter { $0.type == MailRequested.protobufName }
            .map { try MailRequested(unpacking: $0.data) }
    }
}
