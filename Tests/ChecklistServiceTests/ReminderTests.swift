import Bus
import Messages
import ServiceRuntime
import TestSupport
import Testing

extension Processes {
    @Suite struct ReminderTests {
        @Test func `a due travel path raises an alert, which is withdrawn when it is walked`()
            throws
        {
            let restaurant = try Restaurant()
            try restaurant.set { settings in
                settings.travelPathInterval = 5
                settings.lateAfter = 4
                settings.firstTravelPathDay = restaurant.minute(in: 2)
            }
            _ = try restaurant.keep(.list())
            let shift = try #require(try restaurant.start().shift)
            let key = "shift/\(shift.id)/tp"
            #expect(try restaurant.raised() == [])

            try restaurant.pass(minutes: 3)
            try eventually("the alert is raised") { try restaurant.raised().map(\.key) == [key] }
            let told = try #require(try restaurant.raised().first)
            #expect(told.needsAcknowledgement && told.repeatEvery == 60_000)
            #expect(told.recipient == shift.manager && told.severity == .warning)

            let walk = ShiftOperation.Change.logTravelPath(LogTravelPath())
            try Device("phone", in: shift.id).send(walk, to: restaurant)
            #expect(try restaurant.withdrawn() == [key])

            try restaurant.pass(minutes: 5)
            try eventually("the next alert is raised") { try restaurant.raised().count == 2 }
        }

        @Test func `a travel path is escalated in time even if the clock was ahead before`()
            throws
        {
            let restaurant = try Restaurant()
            _ = try restaurant.token("sue", Grant(role: .supervisor))
            let sue = try #require(try restaurant.account("sue"))
            try restaurant.set { settings in
                settings.firstTravelPathDay = restaurant.minute(in: 2)
                (settings.lateAfter, settings.grace, settings.escalateAfter) = (5, 5, 10)
            }
            _ = try restaurant.keep(.list())
            let shift = try #require(try restaurant.start().shift)
            try restaurant.pass(minutes: 20 * 60)
            try eventually("the alert is raised") { try !restaurant.raised().isEmpty }

            try restaurant.pass(minutes: 3 - 20 * 60)
            try eventually("the timer is set by the right clock") {
                let due = try restaurant.system.query(
                    .checklist, "SELECT due FROM timer WHERE kind = 'watch'")
                return due.allSatisfy { Int64($0[0]) ?? .max < restaurant.now + 3_600_000 }
            }
            let escalated = "shift/\(shift.id)/tp/escalated/\(sue)"
            #expect(try !restaurant.openKeys().contains(escalated))
            try restaurant.pass(minutes: 16)

            try eventually("the superiors are alerted") {
                try restaurant.openKeys().contains(escalated)
            }
        }

        @Test func `a travel path that nobody walks becomes late, and superiors are alerted`()
            throws
        {
            let restaurant = try Restaurant()
            _ = try restaurant.token("sue", Grant(role: .supervisor))
            let sue = try #require(try restaurant.account("sue"))
            try restaurant.set { settings in
                settings.firstTravelPathDay = restaurant.minute(in: 2)
                (settings.lateAfter, settings.grace, settings.escalateAfter) = (5, 5, 10)
            }
            _ = try restaurant.keep(.list())
            let shift = try #require(try restaurant.start().shift)

            try restaurant.pass(minutes: 3)
            try eventually("the alert is raised") { try restaurant.raised().count == 1 }
            try restaurant.pass(minutes: 6)
            try eventually("it is late") { try restaurant.raised().last?.severity == .urgent }
            try restaurant.pass(minutes: 10)
            try eventually("the superiors are alerted") {
                try restaurant.raised().last?.kind == "checklist.escalated"
            }

            let last = try #require(try restaurant.raised().last)
            #expect(last.key == "shift/\(shift.id)/tp/escalated/\(sue)")
            #expect(last.recipient == sue)
            _ = try restaurant.ask(EndShift(shift: shift.id, despiteOpen: true), for: Shift.self)
            #expect(try restaurant.openKeys() == [])
        }

        @Test func `an overdue task raises one alert, even after a kill and downtime`()
            throws
        {
            let restaurant = try Restaurant()
            try restaurant.set { ($0.grace, $0.escalateAfter) = (3, 5) }
            let list = try restaurant.keep(
                .list("Rush", .before) { number, task in
                    guard number < 3 else { return }
                    task.carryOut = restaurant.minute(in: 2)
                    task.timeCritical = number == 1
                }
            ).id
            let shift = try #require(try restaurant.start().shift)
            let keys = ["t1", "t2"].map { "shift/\(shift.id)/task/\(list)/\($0)" }

            restaurant.kill()
            try restaurant.pass(minutes: 7)
            try restaurant.restart()
            // A travel path may become due at the same time.
            try eventually("both alerts are raised") {
                try restaurant.raised().filter { $0.kind == "checklist.overdue" }.map(\.key) == keys
            }
            try restaurant.restart()
            restaurant.kill()
            try restaurant.pass(minutes: 60)
            try restaurant.restart()
            let escalated = "\(keys[0])/escalated/\(shift.manager)"
            try eventually("a superior is alerted") {
                try restaurant.raised().map(\.key).filter { $0.hasPrefix("\(keys[0])/") }
                    == [escalated]
            }
            try restaurant.restart()

            let overdue = try restaurant.raised().filter { $0.kind == "checklist.overdue" }
            #expect(overdue.map(\.key) == keys)
            #expect(overdue.map(\.needsAcknowledgement) == [true, true])
            #expect(overdue.map(\.repeatEvery) == [60_000, 600_000])
            try Device("phone", in: shift.id).send(.mark(list, "t1", .ok), to: restaurant)
            #expect(try restaurant.withdrawn().sorted().contains(keys[0]))
            #expect(try restaurant.openKeys().contains(keys[1]))
            #expect(try restaurant.openKeys().allSatisfy { !$0.hasPrefix(keys[0]) })
        }

        @Test func `superiors are alerted to what isn't done even if it was acknowledged`() throws {
            let restaurant = try Restaurant()
            let notifier = try restaurant.system.client(of: .notifier)
            try restaurant.system.start("notifier")
            _ = try restaurant.token("sue", Grant(role: .supervisor))
            let sue = try #require(try restaurant.account("sue"))
            try restaurant.set { ($0.grace, $0.escalateAfter) = (0, 5) }
            let list = try restaurant.keep(
                .list("Rush", .before, tasks: 1) { _, task in
                    task.carryOut = restaurant.minute(in: -2)
                    task.timeCritical = true
                }
            ).id
            let shift = try #require(try restaurant.start().shift)
            let told = try #require(try restaurant.raised().first)
            #expect(told.repeatEvery == 60_000)
            var open: [Alert] = []
            try eventually("the notifier has it") {
                open = try notifier.ask(
                    ListAlerts(recipient: shift.manager, openOnly: true), for: Alerts.self
                ).alerts
                return open.count == 1
            }
            _ = try notifier.ask(AcknowledgeAlert(id: open[0].id), for: AlertAcknowledged.self)
            try eventually("the service knows") {
                try restaurant.system.query(
                    .checklist, "SELECT acknowledged > 0 FROM standingAlert") == [["1"]]
            }

            try restaurant.pass(minutes: 7)

            let key = "shift/\(shift.id)/task/\(list)/t1"
            try eventually("the superiors are alerted") {
                try restaurant.raised().contains { $0.key == "\(key)/escalated/\(sue)" }
            }
            #expect(try restaurant.raised().count { $0.key == key } == 1)
        }

        @Test(arguments: [false, true])
        func `people who have left are nobody's superiors, and others are alerted instead`(
            isDisabled: Bool
        ) throws {
            let restaurant = try Restaurant()
            let role = Grant(role: .crew, site: restaurant.site, area: "drive-through")
            _ = try restaurant.token("ola", role)
            _ = try restaurant.token("sue", Grant(role: .supervisor))
            let ola = try #require(try restaurant.account("ola"))
            let sue = try #require(try restaurant.account("sue"))
            try restaurant.set { settings in
                settings.escalateTo = ["ola"]
                (settings.grace, settings.escalateAfter) = (0, 5)
            }
            let list = try restaurant.keep(
                .list("Rush", .before, tasks: 1) { _, task in
                    task.carryOut = restaurant.minute(in: -2)
                    task.timeCritical = true
                }
            ).id
            let shift = try #require(try restaurant.start().shift)
            let escalated = "shift/\(shift.id)/task/\(list)/t1/escalated/"
            func above() throws -> [String] {
                try restaurant.openKeys().filter { $0.hasPrefix(escalated) }
            }
            try restaurant.pass(minutes: 7)
            try eventually("the person in the settings is alerted") {
                try above() == [escalated + ola]
            }

            if isDisabled {
                _ = try restaurant.accounts.ask(
                    SetAccountDisabled(account: "ola", isDisabled: true), for: Account.self)
            } else {
                _ = try restaurant.accounts.ask(
                    RevokeRole(account: "ola", grant: role), for: Account.self)
            }

            try eventually("others are told") { try above() == [escalated + sue] }
            // Other settings can still be changed, but people who have left can't be named again.
            try restaurant.set { $0.grace = 1 }
            try restaurant.set { $0.escalateTo = [] }
            var settings = try restaurant.ask(
                ReadSettings(site: restaurant.site), for: SiteSettings.self)
            settings.escalateTo = ["ola"]
            #expect(
                try restaurant.refusal(of: ChangeSettings(settings: settings))?.code == .conflict)
        }

        @Test
        func `a person who acknowledged isn't alerted again if there is nobody else to alert`()
            throws
        {
            let restaurant = try Restaurant()
            let notifier = try restaurant.system.client(of: .notifier)
            try restaurant.system.start("notifier")
            try restaurant.set { ($0.grace, $0.escalateAfter) = (0, 5) }
            let list = try restaurant.keep(
                .list("Rush", .before, tasks: 1) { _, task in
                    task.carryOut = restaurant.minute(in: -2)
                    task.timeCritical = true
                }
            ).id
            let shift = try #require(try restaurant.start().shift)
            let key = "shift/\(shift.id)/task/\(list)/t1"
            #expect(try restaurant.raised().map(\.key) == [key])

            var open: [Alert] = []
            try eventually("the notifier has it") {
                open = try notifier.ask(
                    ListAlerts(recipient: shift.manager, openOnly: true), for: Alerts.self
                ).alerts
                return open.count == 1
            }
            _ = try notifier.ask(AcknowledgeAlert(id: open[0].id), for: AlertAcknowledged.self)
            try eventually("the service knows") {
                try restaurant.system.query(
                    .checklist, "SELECT acknowledged > 0 FROM standingAlert")
                    == [["1"]]
            }
            try restaurant.pass(minutes: 30)
            try restaurant.restart()
            try Device("phone", in: shift.id).send(
                .addTodo(
                    AddTodo(title: "Mop the floor", area: "service", priority: "immediate")),
                to: restaurant)

            #expect(try restaurant.raised().map(\.key).filter { $0.hasPrefix(key) } == [key])
        }

        @Test
        func `one alert covers tasks that become overdue at the same moment, until all are done`()
            throws
        {
            let restaurant = try Restaurant()
            try restaurant.set { $0.grace = 0 }
            let list = try restaurant.keep(
                .list("Rush", .before, tasks: 130) { _, task in
                    task.carryOut = restaurant.minute(in: -2)
                }
            ).id
            let shift = try #require(try restaurant.start().shift)
            func overdue() throws -> [AlertRaised] {
                try restaurant.raised().filter { $0.kind == "checklist.overdue" }
            }
            let key = "shift/\(shift.id)/tasks/\(shift.started)"
            let first = try overdue()
            #expect(first.map(\.key) == [key])
            #expect(first.last?.title.hasPrefix("130 tasks are overdue. First: ") == true)

            try Device("phone", in: shift.id).send(.mark(list, "t1", .ok), to: restaurant)

            #expect(try restaurant.withdrawn() == [])
            let then = try overdue().dropFirst()
            #expect(then.map(\.key) == [key])
            #expect(then.last?.title.hasPrefix("129 tasks are overdue. First: ") == true)
            _ = try restaurant.ask(EndShift(shift: shift.id, despiteOpen: true), for: Shift.self)
            #expect(try restaurant.openKeys() == [])
        }

        @Test(arguments: [false, true])
        func `the assignee of an overdue to-do who has left is no longer alerted`(
            isDisabled: Bool
        ) throws {
            let restaurant = try Restaurant()
            let role = Grant(role: .crew, site: restaurant.site)
            _ = try restaurant.token("ola", role)
            let ola = try #require(try restaurant.account("ola"))
            try restaurant.set { $0.grace = 0 }
            _ = try restaurant.keep(.list())
            let shift = try #require(try restaurant.start().shift)
            let ice = AddTodo(
                title: "Ice", area: "kitchen", priority: "immediate", assignee: "ola",
                due: restaurant.now - 60_000)
            try Device("phone", in: shift.id).send(.addTodo(ice), to: restaurant)
            func open() throws -> [String] {
                try restaurant.openKeys().filter { $0.hasPrefix("shift/\(shift.id)/todo/") }
            }
            let before = try open()
            #expect(before.count == 2 && before.contains { $0.hasSuffix("/assignee/\(ola)") })

            if isDisabled {
                _ = try restaurant.accounts.ask(
                    SetAccountDisabled(account: "ola", isDisabled: true), for: Account.self)
            } else {
                _ = try restaurant.accounts.ask(
                    RevokeRole(account: "ola", grant: role), for: Account.self)
            }

            try eventually("only the shift manager is alerted") {
                try open() == before.filter { !$0.hasSuffix(ola) }
            }
        }

        @Test func `each alert of a shift names its site`() throws {
            let restaurant = try Restaurant()
            _ = try restaurant.token("sue", Grant(role: .supervisor))
            try restaurant.set { settings in
                settings.firstTravelPathDay = restaurant.minute(in: 2)
                (settings.grace, settings.escalateAfter) = (0, 5)
            }
            _ = try restaurant.keep(
                .list("Rush", .before, tasks: 1) { _, task in
                    task.carryOut = restaurant.minute(in: 2)
                    task.timeCritical = true
                })
            let shift = try #require(try restaurant.start().shift)
            let ice = AddTodo(
                title: "Ice", area: "kitchen", priority: "immediate", due: restaurant.now + 120_000)
            try Device("phone", in: shift.id).send(.addTodo(ice), to: restaurant)
            try restaurant.pass(minutes: 20)

            let kinds: Set<String> = [
                "checklist.travelPath", "checklist.overdue", "checklist.todoOverdue",
                "checklist.escalated",
            ]
            try eventually("alerts of all kinds are raised") {
                try Set(restaurant.raised().map(\.kind)) == kinds
            }
            #expect(try Set(restaurant.raised().map(\.site)) == [restaurant.site])
        }
    }
}

extension Restaurant {
    /// The minute of the day, in UTC, this many minutes from now.
    func minute(in minutes: Int64) -> UInt32 {
        UInt32(((now / 60_000 + minutes) % 1440 + 1440) % 1440)
    }

    /// Every alert that was raised, in order.
    func raised() throws -> [AlertRaised] {
        try published().filter { $0.type == AlertRaised.protobufName }
            .map { try AlertRaised(unpacking: $0.data) }
    }

    /// The keys of the alerts that were withdrawn, in order.
    func withdrawn() throws -> [String] {
        try published().filter { $0.type == AlertWithdrawn.protobufName }
            .map { try AlertWithdrawn(unpacking: $0.data).key }
    }

    /// The keys of the alerts that were raised and not withdrawn.
    func openKeys() throws -> [String] {
        try system.query(.checklist, "SELECT key FROM standingAlert ORDER BY key").map { $0[0] }
    }

    /// The id of an account.
    func account(_ name: String) throws -> String? {
        try system.query(.checklist, "SELECT id FROM person WHERE name = '\(name)'").first?.first
    }

    private func published() throws -> [Envelope] { try system.published(by: .checklist) }
}
