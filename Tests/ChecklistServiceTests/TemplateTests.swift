import Messages
import ShiftClient
import ShiftLog
import TestSupport
import Testing

extension Processes {
    @Suite struct TemplateTests {
        @Test func `each change to a template makes a new version, and the old ones stay`() throws {
            let restaurant = try Restaurant()
            let first = try restaurant.keep(.list())

            let second = try restaurant.ask(
                EditTemplate(template: "opening", edit: .removeTask("t2")),
                for: ChecklistTemplate.self)
            let old = try restaurant.ask(
                ReadTemplate(template: first.id, version: 1), for: ChecklistTemplate.self)
            let same = try restaurant.keep(
                .list(tasks: 3) { number, task in
                    if number == 2 { task.id = "t3"; task.title = "Task 3" }
                    if number == 3 { task.id = "t9" }
                })

            #expect(first.version == 1 && second.version == 2 && same.version == 3)
            #expect(second.id == first.id && same.id == first.id)
            #expect(old == first)
            #expect(try restaurant.keep(same).version == 3)
            #expect(second.changedBy != "")
        }

        @Test func `a shift keeps its lists while their templates are edited 100 times`() throws {
            let restaurant = try Restaurant()
            let first = try restaurant.keep(.list(tasks: 4))
            let shift = try #require(try restaurant.start().shift)
            let till = Device("till", in: shift.id)
            try till.send(
                .mark(first.id, "t1", .ok), .mark(first.id, "t2", .notOk), to: restaurant)
            let read = ReadShift(shift: shift.id)
            let before = try restaurant.ask(read, for: ShiftSnapshot.self)
            let log = try restaurant.ask(
                ReadOperations(shift: shift.id), for: OperationPage.self)

            for number in 0..<100 {
                let edit: EditTemplate.Edit
                switch number % 4 {
                case 0: edit = .rename("Opening \(number)")
                case 1:
                    let task = ChecklistTask(
                        id: "n\(number)", title: "New \(number)", area: "kitchen",
                        priority: "immediate")
                    edit = .addTask(PlaceTask(task: task, section: "s1"))
                case 2: edit = .removeTask("n\(number - 1)")
                default:
                    var task = first.sections[0].tasks[number % 3]
                    task.title = "Changed \(number)"
                    edit = .changeTask(task)
                }
                _ = try restaurant.ask(
                    EditTemplate(template: first.id, edit: edit), for: ChecklistTemplate.self)
            }
            try restaurant.restart()

            let newest = try restaurant.ask(
                ReadTemplate(template: first.id), for: ChecklistTemplate.self)
            #expect(newest.version == 101 && newest.sections != first.sections)
            let after = try restaurant.ask(read, for: ShiftSnapshot.self)
            #expect(after == before)
            #expect(try after.lists.map { try ChecklistTemplate(unpacking: $0) } == [first])
            let again = try restaurant.ask(
                ReadOperations(shift: shift.id), for: OperationPage.self)
            #expect(again == log && log.operations.count >= 2)
        }

        @Test func `a change based on an older version is refused`() throws {
            let restaurant = try Restaurant()
            _ = try restaurant.keep(.list())
            _ = try restaurant.keep(.list(tasks: 4))

            let refusal = try restaurant.refusal(
                of: EditTemplate(template: "Opening", expectedVersion: 1, edit: .removeTask("t1")))
            let whole = try restaurant.refusal(
                of: PutTemplate(template: .list(tasks: 5), expectedVersion: 1))

            #expect(refusal?.code == .conflict && whole?.code == .conflict)
            #expect(refusal?.message.contains("version 2") == true)
        }

        @Test func `the pages of a list have each template once, in order, whatever the page size`()
            throws
        {
            let restaurant = try Restaurant()
            let names = ["Bar", "Closing", "Deep clean", "Grill", "Opening"]
            for name in names.reversed() { try restaurant.keep(.list(name)) }
            _ = try restaurant.ask(RemoveTemplate(template: "Grill"), for: ChecklistTemplate.self)

            for limit: UInt32 in 1...6 {
                var query = ListTemplates(limit: limit)
                var listed: [String] = []
                repeat {
                    let page = try restaurant.ask(query, for: Messages.Templates.self)
                    #expect(page.templates.count <= limit)
                    listed += page.templates.map(\.name)
                    query.after = page.next
                } while !query.after.isEmpty
                #expect(listed == names.filter { $0 != "Grill" })
            }
            let refusal = try restaurant.refusal(of: ListTemplates(after: "no such id"))
            #expect(refusal?.code == .notFound)
        }

        @Test func `a removed template is kept, and saving it again brings it back`() throws {
            let restaurant = try Restaurant()
            let kept = try restaurant.keep(.list())

            let removed = try restaurant.ask(
                RemoveTemplate(template: "Opening"), for: ChecklistTemplate.self)
            #expect(removed.removed && removed.version == 1)
            #expect(try restaurant.refusal(of: StartShift(site: "Harbour", dayPart: 1)) != nil)
            let listed = try restaurant.ask(ListTemplates(), for: Messages.Templates.self)
            #expect(listed.templates == [])

            let again = try restaurant.keep(.list())
            #expect(!again.removed && again.id == kept.id && again.version == 1)
        }

        @Test func `an archive verifies although a list of its shifts was removed since`() throws {
            let restaurant = try Restaurant()
            let list = try restaurant.keep(.list()).id
            let pinned = try #require(try restaurant.run(list).lists.first)
            _ = try restaurant.ask(RemoveTemplate(template: list), for: ChecklistTemplate.self)

            let read = try restaurant.ask(
                ReadTemplate(template: list, version: pinned.version),
                for: ChecklistTemplate.self)
            #expect(ArchiveChain.digest(of: read) == pinned.digest)
            let newest = try restaurant.ask(
                ReadTemplate(template: list), for: ChecklistTemplate.self)
            #expect(newest.removed)

            let phone = try Phone("phone", restaurant)
            let verification = ArchiveVerification(phone, site: restaurant.site, heads: [])
            #expect(try verification.run().records > 0)
        }

        @Test func `a removed template isn't read when another one is used`() throws {
            let restaurant = try Restaurant()
            let kept = try restaurant.keep(.list())
            try restaurant.keep(.list("Closing"))
            _ = try restaurant.ask(
                RemoveTemplate(template: "Closing"), for: ChecklistTemplate.self)
            restaurant.kill()
            // This makes reading it fail.
            try restaurant.system.edit(
                .checklist,
                """
                UPDATE templateVersion SET body = x'FF'
                WHERE template IN (SELECT id FROM template WHERE removed = 1)
                """)
            try restaurant.restart()

            for name in ["opening", kept.id] {
                let read = try restaurant.ask(
                    ReadTemplate(template: name), for: ChecklistTemplate.self)
                #expect(read == kept)
            }
            let edited = try restaurant.ask(
                EditTemplate(template: "Opening", edit: .removeTask("t2")),
                for: ChecklistTemplate.self)
            #expect(edited.version == 2)
            let shift = try #require(try restaurant.start().shift)
            #expect(shift.lists.map(\.template) == [kept.id])
            let removed = try restaurant.ask(
                RemoveTemplate(template: "opening", site: "Harbour"), for: ChecklistTemplate.self)
            #expect(removed.removed && removed.id == kept.id)
            let none = try restaurant.refusal(of: ReadTemplate(template: "Bar"))
            #expect(none?.code == .notFound)
        }

        @Test func `a site's own template takes precedence over the organisation's`() throws {
            let restaurant = try Restaurant()
            let usual = try restaurant.keep(.list(tasks: 3))
            let own = try restaurant.keep(.list(tasks: 5, site: "Harbour"))
            let evening = try restaurant.keep(.list("Closing", .after, parts: [.evening]))

            let shift = try #require(try restaurant.start().shift)

            #expect(own.id != usual.id)
            #expect(shift.lists.map(\.template) == [own.id])
            #expect(evening.site == "")
        }

        @Test(arguments: [
            ("area", "the area “bar” isn't one of drive-through, kitchen, manager, service"),
            ("priority", "the priority “soon” isn't one of"),
            ("time", "a time of day is before 24:00"),
            ("id", "a task's id is 1 to 60 lower-case letters"),
        ])
        func `a template that no shift could use is refused, with the place`(
            fault: String, message: String
        ) throws {
            let restaurant = try Restaurant()
            let refusal = try restaurant.refusal(
                of: PutTemplate(
                    template: .list { number, task in
                        guard number == 2 else { return }
                        switch fault {
                        case "area": task.area = "bar"
                        case "priority": task.priority = "soon"
                        case "time": task.carryOut = 1440
                        default: task.id = "Two"
                        }
                    }))
            #expect(refusal?.code == .invalid)
            #expect(refusal?.message.contains(message) == true, "\(refusal?.message ?? "")")
        }

        @Test func `the archive is kept for at least a year, whatever the settings`() throws {
            let restaurant = try Restaurant()
            var settings = try restaurant.ask(ReadSettings(site: "harbour"), for: SiteSettings.self)
            #expect(settings.retentionDays == 800 && settings.priorities.count == 4)

            settings.retentionDays = 364
            let short = try restaurant.refusal(of: ChangeSettings(settings: settings))
            #expect(short?.code == .invalid && short?.message.contains("365") == true)
            settings.retentionDays = 365
            settings.mailTo = ["no address"]
            let address = try restaurant.refusal(of: ChangeSettings(settings: settings))
            #expect(address?.code == .invalid && address?.message.contains("no address") == true)
            settings.mailTo = ["kitchen@example.org"]
            settings.escalateTo = ["nobody"]
            #expect(
                try restaurant.refusal(of: ChangeSettings(settings: settings))?.code == .notFound)
            settings.escalateTo = []
            let changed = try restaurant.ask(
                ChangeSettings(settings: settings), for: SiteSettings.self)
            #expect(changed == settings)
        }

        @Test func `settings that someone else has changed since they were read aren't replaced`()
            throws
        {
            let restaurant = try Restaurant()
            let read = ReadSettings(site: restaurant.site)
            let seen = try restaurant.ask(read, for: SiteSettings.self)
            var (theirs, mine) = (seen, seen)
            theirs.currency = "NOK"
            mine.grace = 20
            func change(_ settings: SiteSettings, _ expected: SiteSettings?) -> ChangeSettings {
                ChangeSettings(settings: settings, expected: expected)
            }
            #expect(try restaurant.refusal(of: change(theirs, seen)) == nil)
            let refusal = try restaurant.refusal(of: change(mine, seen))
            #expect(refusal == .changedSince("the settings of the site"))
            #expect(try restaurant.ask(read, for: SiteSettings.self) == theirs)

            // A command that names none, as before, replaces all.
            mine.currency = theirs.currency
            #expect(try restaurant.refusal(of: change(mine, theirs)) == nil)
            #expect(try restaurant.ask(read, for: SiteSettings.self) == mine)
            #expect(try restaurant.refusal(of: change(seen, nil)) == nil)
            #expect(try restaurant.ask(read, for: SiteSettings.self) == seen)
        }

        @Test func `settings that would leave a shift no room for its lists are refused`() throws {
            let restaurant = try Restaurant()
            let languages = "abcdefghijklmnopqrstuvwxyz".map { "x\($0)" }
            var settings = try restaurant.ask(
                ReadSettings(site: restaurant.site), for: SiteSettings.self)
            func translate(_ letter: String) {
                let title = String(repeating: letter, count: 80)
                settings.priorities = (1...20).map { number in
                    Priority(
                        name: "p\(number)", title: title,
                        titles: Dictionary(languages.map { ($0, title) }) { first, _ in first })
                }
            }
            translate("x")
            let kept = try restaurant.ask(
                ChangeSettings(settings: settings), for: SiteSettings.self)
            translate("\u{E5}")
            let refusal = try restaurant.refusal(of: ChangeSettings(settings: settings))

            #expect(refusal?.code == .invalid)
            #expect(refusal?.message.contains("at most 65536 are kept") == true)
            let now = try restaurant.ask(
                ReadSettings(site: restaurant.site), for: SiteSettings.self)
            #expect(now == kept && now.priorities.count == 20)
        }
    }
}
