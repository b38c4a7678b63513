import LocalTime
import Messages
import TestSupport
import Testing

@testable import ChecklistService

extension Processes {
    /// Tests of the shifts that begin by themselves.
    @Suite struct ScheduleTests {
        @Test func `a shift begins by itself once, despite kills`() throws {
            let restaurant = try Restaurant(zone: "Europe/Berlin")
            try restaurant.keep(.list())
            let planned = try restaurant.schedule(in: 5, lasting: 120)
            #expect(try restaurant.shifts() == [])

            restaurant.kill()
            try restaurant.pass(minutes: 7)
            for _ in 1...3 { try restaurant.restart() }
            try eventually("it has begun") { try restaurant.shifts().count == 1 }

            let shift = try #require(try restaurant.shifts().first)
            #expect(shift.manager == planned.manager && shift.dayPart == 1)
            let berlin = try #require(LocalTime(zone: "Europe/Berlin"))
            #expect(berlin.reading(at: shift.until).minutes == Int(planned.ends ?? 0))
            try restaurant.restart()
            _ = try restaurant.ask(EndShift(shift: shift.id, despiteOpen: true), for: Shift.self)
            try restaurant.pass(minutes: 2)
            try restaurant.restart()
            try restaurant.waitForSchedule()
            #expect(try restaurant.shifts().count == 1)
            #expect(try restaurant.starts() == [.begun])
            #expect(try restaurant.openKeys().filter { $0.hasPrefix("schedule/") } == [])
        }

        @Test func `a shift waits while another is open, alerts its leaders, and then begins`()
            throws
        {
            let restaurant = try Restaurant()
            _ = try restaurant.token("mia", Grant(role: .siteManager, site: restaurant.site))
            let mia = try #require(try restaurant.account("mia"))
            try restaurant.keep(.list())
            let planned = try restaurant.schedule(in: 200, part: 2)
            let open = try #require(try restaurant.start().shift)
            try restaurant.pass(minutes: 201)
            try eventually("it waits") { try restaurant.starts() == [.waiting] }
            let alerts = try restaurant.raised().filter { $0.kind == "checklist.scheduled" }
            #expect(Set(alerts.map(\.recipient)) == [mia, planned.manager])
            #expect(try restaurant.shifts().map(\.id) == [open.id])
            #expect(try restaurant.missed().map(\.outcome) == [.waiting])

            restaurant.kill()
            try restaurant.restart()
            _ = try restaurant.ask(EndShift(shift: open.id, despiteOpen: true), for: Shift.self)

            try eventually("it has begun") { try restaurant.shifts().count == 2 }
            #expect(try restaurant.starts() == [.begun])
            #expect(try restaurant.missed().isEmpty)
            let withdrawn = try restaurant.withdrawn()
            #expect(alerts.allSatisfy { withdrawn.contains($0.key) })
        }

        @Test func `a shift that didn't begin in time is missed, and shown with the reason`() throws
        {
            let restaurant = try Restaurant()
            try restaurant.keep(.list())
            try restaurant.schedule(in: 10)
            restaurant.kill()
            try restaurant.pass(minutes: 10 + 121)
            try restaurant.restart()
            try eventually("it is missed") { try restaurant.starts() == [.missed] }

            #expect(try restaurant.shifts() == [])
            #expect(try restaurant.missed().map(\.reason) == [.off])
            let alert = try #require(try restaurant.raised().last)
            #expect(alert.kind == "checklist.scheduled" && alert.severity == .urgent)
            #expect(alert.site == restaurant.site)
            let row = try #require(
                try restaurant.ask(
                    ReadStatistics(site: restaurant.site, by: .siteWeek), for: Statistics.self
                ).rows.first)
            #expect(row.site == "Harbour" && row.missed == 1 && row.shifts == 0)
            try restaurant.pass(minutes: 24 * 60)
            try restaurant.restart()
            try eventually("the alert is withdrawn") {
                try restaurant.withdrawn().contains(alert.key)
            }
        }

        @Test(arguments: [false, true])
        func `a clock that jumps neither begins old shifts nor fills the store`(
            isRestarted: Bool
        ) throws {
            let restaurant = try Restaurant()
            try restaurant.keep(.list())
            for hour in 1...6 { try restaurant.schedule(in: Int64(hour) * 180 + 30, part: 2) }
            try restaurant.pass(minutes: 5 * 365 * 24 * 60)
            try restaurant.waitForSchedule()
            let before = try restaurant.starts()
            #expect(before.count <= 6 * 7 && before.count >= 6 * 6)
            #expect(try restaurant.shifts().count <= 1)
            #expect(try restaurant.openKeys().filter { $0.hasPrefix("schedule/") }.count <= 5)

            try restaurant.pass(minutes: -5 * 365 * 24 * 60)
            if isRestarted { try restaurant.restart() }
            try eventually("what lay ahead is undone") { try restaurant.starts() == [] }
            if let open = try restaurant.shifts().first {
                _ = try restaurant.ask(
                    EndShift(shift: open.id, despiteOpen: true), for: Shift.self)
            }
            let count = try restaurant.shifts().count
            try restaurant.pass(minutes: 215)
            try eventually("the next one begins at its time") {
                try restaurant.shifts().count == count + 1
            }
        }

        @Test(arguments: [64, 3 * 60, 400 * 24 * 60] as [Int64])
        func `a clock that is set back and right again begins no shift a second time`(
            minutes: Int64
        ) throws {
            let restaurant = try Restaurant()
            try restaurant.keep(.list())
            try restaurant.schedule(in: 5)
            try restaurant.pass(minutes: 6)
            try eventually("it has begun") { try restaurant.shifts().count == 1 }
            let shift = try #require(try restaurant.shifts().first)
            _ = try restaurant.ask(EndShift(shift: shift.id, despiteOpen: true), for: Shift.self)

            try restaurant.pass(minutes: -minutes)
            try eventually("the decision is put aside") { try restaurant.starts() == [] }
            try restaurant.pass(minutes: minutes)
            try eventually("the decision counts again") { try restaurant.starts() == [.begun] }
            try restaurant.waitForSchedule()

            #expect(try restaurant.shifts().map(\.id) == [shift.id])
            #expect(try restaurant.missed() == [] && restaurant.starts() == [.begun])
        }

        @Test func `a beginning that was decided while the clock was ahead is decided anew`()
            throws
        {
            let restaurant = try Restaurant()
            try restaurant.keep(.list())
            try restaurant.schedule(in: 90)
            // A machine that is off at night: the believed time stays behind.
            restaurant.kill()
            try restaurant.pass(minutes: 10 * 60)
            try restaurant.restart()
            try eventually("it is missed") { try restaurant.starts() == [.missed] }
            try restaurant.pass(minutes: 24 * 60 - 10 * 60 + 95)
            try eventually("the next one has begun") { try restaurant.starts().last == .begun }
            let shift = try #require(try restaurant.shifts().first)
            _ = try restaurant.ask(EndShift(shift: shift.id, despiteOpen: true), for: Shift.self)

            try restaurant.pass(minutes: -125)
            try eventually("it is put aside") { try restaurant.starts() == [.missed] }
            for _ in 1...3 {
                try restaurant.pass(minutes: 41)
                try restaurant.waitForSchedule()
            }

            try eventually("it begins at its time") { try restaurant.shifts().count == 2 }
        }

        @Test func `a shift without lists for its weekday or without a manager is missed`() throws {
            let restaurant = try Restaurant()
            var list = ChecklistTemplate.list()
            list.weekdays = [restaurant.weekday(daysAhead: 3)]
            try restaurant.keep(list)
            let ann = try restaurant.token("ann", Grant(role: .shiftManager, site: restaurant.site))
            let planned = try restaurant.schedule(in: 5, manager: "ann")
            try restaurant.pass(minutes: 6)
            try eventually("it is missed") { try restaurant.missed().map(\.reason) == [.refused] }

            #expect(try restaurant.missed().first?.text.contains("weekday") == true)
            #expect(try restaurant.refusal(of: UnscheduleShift(id: planned.id), as: ann) != nil)
            let before = try restaurant.person("ann")
            _ = try restaurant.accounts.ask(
                RevokeRole(
                    account: "ann", grant: Grant(role: .shiftManager, site: restaurant.site)),
                for: Account.self)
            try eventually("the service knows") { try restaurant.person("ann") != before }
            try restaurant.pass(minutes: 24 * 60)
            try eventually("it is missed again") {
                try restaurant.missed().map(\.reason) == [.manager, .refused]
            }
        }

        @Test
        func `the scheduled shifts of a site are limited, and need a manager who may run them`()
            throws
        {
            let restaurant = try Restaurant()
            _ = try restaurant.token("cook", Grant(role: .crew, site: restaurant.site))
            let wanted = { (minute: UInt32, manager: String) in
                ScheduleShift(
                    shift: ScheduledShift(
                        site: restaurant.site, dayPart: 1, weekdays: [1], begins: minute,
                        managerAccountName: manager))
            }
            #expect(try restaurant.refusal(of: wanted(0, "cook"))?.code == .conflict)
            #expect(try restaurant.refusal(of: wanted(0, "nobody"))?.code == .notFound)
            for minute in 0..<UInt32(Schedules.most) {
                _ = try restaurant.ask(wanted(minute, ""), for: ScheduledShift.self)
            }
            #expect(try restaurant.refusal(of: wanted(99, ""))?.code == .conflict)
            let listed = try restaurant.ask(
                ListScheduledShifts(site: restaurant.site), for: ScheduledShifts.self
            ).shifts
            #expect(listed.map(\.begins) == (0..<20).map { $0 })
            _ = try restaurant.ask(UnscheduleShift(id: listed[0].id), for: ScheduledShift.self)
            #expect(try restaurant.refusal(of: wanted(1, ""))?.code == .conflict)
            _ = try restaurant.ask(wanted(99, ""), for: ScheduledShift.self)
        }
    }
}

extension Restaurant {
    /// Schedules a shift that begins this many minutes from now, every day.
    @discardableResult
    func schedule(
        in minutes: Int64, lasting: UInt32? = nil, part: UInt32 = 1, manager: String = ""
    ) throws -> ScheduledShift {
        let zone = try #require(
            try accounts.ask(ListOrganisations(), for: Organisations.self).organisations
                .flatMap(\.sites).first { $0.id == site }
        ).timeZone
        let local = try #require(LocalTime(zone: zone))
        let begins = UInt32(local.reading(at: now + minutes * 60_000).minutes)
        return try ask(
            ScheduleShift(
                shift: ScheduledShift(
                    site: site, dayPart: part, weekdays: [1, 2, 3, 4, 5, 6, 7], begins: begins,
                    ends: lasting.map { (begins + $0) % 1_440 }, managerAccountName: manager)),
            for: ScheduledShift.self)
    }

    /// Every shift that has begun.
    func shifts() throws -> [Shift] {
        try ask(FindShifts(site: site, limit: 200), for: FoundShifts.self).shifts
            .compactMap(\.shift)
    }

    /// The scheduled shifts that did not begin, newest first.
    func missed() throws -> [ScheduledStart] {
        try ask(FindShifts(site: site, limit: 200, missedToo: true), for: FoundShifts.self).shifts
            .compactMap(\.missed)
    }

    /// What became of the scheduled shifts, in order of their times.
    func starts() throws -> [StartOutcome] {
        try system.query(
            .checklist, "SELECT outcome FROM scheduledStart WHERE isAside = 0 ORDER BY due"
        )
        .compactMap { Int32($0[0]).map { StartOutcome(rawValue: $0) } }
    }

    /// Waits until the service has handled its schedules.
    func waitForSchedule() throws {
        try eventually("the timer is ahead") {
            let due = try system.query(
                .checklist, "SELECT due FROM timer WHERE kind = 'schedule'")
            return due.allSatisfy { Int64($0[0]) ?? 0 > now } && !due.isEmpty
        }
    }

    /// What the service keeps of an account.
    func person(_ name: String) throws -> [[String]] {
        try system.query(.checklist, "SELECT hex(account) FROM person WHERE name = '\(name)'")
    }

    /// The weekday this many days from now, in UTC.
    func weekday(daysAhead days: Int64) -> UInt32 {
        UInt32((now / 86_400_000 + days + 3) % 7 + 1)
    }
}
