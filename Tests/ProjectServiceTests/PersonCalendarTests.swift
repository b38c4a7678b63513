import Bus
import Foundation
import GRDB
import Messages
import TestSupport
import TestThreads
import Testing

@testable import ProjectService

/// Calendars that the service fetches and keeps.
@Suite(.waiting) struct PersonCalendarTests {
    private let team: Team
    private let server: WebServer

    init() throws {
        team = try Team()
        server = try WebServer(in: team.system)
        // In a month, because times that are over aren't kept.
        let day = Date(timeIntervalSinceNow: 30 * 86_400).ISO8601Format().prefix(10)
            .replacing("-", with: "")
        try server.serve(
            [
                "BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:1",
                "DTSTART:\(day)T090000Z", "DTEND:\(day)T100000Z", "END:VEVENT",
                "END:VCALENDAR", "",
            ].joined(separator: "\r\n"))
        try team.make()
        try team.edit("house", .keep(.member(TeamMember(name: "Kari", timeZone: "Europe/Oslo"))))
    }

    private func add() throws -> PersonCalendar {
        try team.ask(
            AddPersonCalendar(project: "house", person: 1, address: server.url("/kari.ics")),
            for: PersonCalendar.self)
    }

    private func calendar() throws -> PersonCalendar? {
        try team.ask(ListPersonCalendars(project: "house"), for: PersonCalendars.self)
            .calendars.first
    }

    /// Changes what the service has kept of the calendar while it doesn't run.
    private func edit(_ body: (inout PersonCalendar) -> Void) throws {
        team.service.kill()
        let store = try DatabaseQueue(path: team.system.path("data/project-service.sqlite"))
        try store.write { db in
            var row = try #require(
                try PersonCalendarRow.ofID(
                    String.fetchOne(db, sql: "SELECT id FROM personCalendar") ?? "", db))
            body(&row.calendar)
            try row.save(db)
        }
        try store.close()
        try team.restart()
    }

    @Test func `a calendar is fetched when it is due, and a day's failure raises an alert once`()
        throws
    {
        let added = try add()
        #expect(added.times == 1 && added.due == added.fetched + 900_000)
        try server.behave("500")
        try edit { $0.due = 1 }
        try eventually("it has failed") { try calendar()?.failure == "it answers 500" }
        #expect(try team.told(AlertRaised.self).isEmpty)
        for _ in 1...2 {
            try edit {
                $0.due = 1
                $0.fetched -= 86_400_000
                $0.failingSince -= 86_400_000
            }
            try eventually("it has failed again") { try calendar()?.due ?? 0 > added.due }
        }
        let raised = try team.told(AlertRaised.self)
        #expect(raised.map(\.kind) == ["project.calendarOld"])
        #expect(raised.first?.title.contains("Kari") == true)
        #expect(raised.first?.body.contains("kari.ics") == false)

        try server.behave("200")
        _ = try team.ask(FetchPersonCalendars(project: "house"), for: PersonCalendars.self)
        try eventually("it is withdrawn") { try team.told(AlertWithdrawn.self).count == 1 }
        #expect(try calendar()?.failure == "")
    }

    @Test func `an old calendar is reported again when an acknowledged alert expires`() throws {
        _ = try add()
        try server.behave("500")
        try edit {
            $0.due = 1
            $0.fetched -= 86_400_000
        }
        try eventually("it is told") { try team.told(AlertRaised.self).count == 1 }
        let clock = URL(filePath: team.system.path("clock"))
        try Data("0".utf8).write(to: clock)
        team.service.kill()
        try team.system.edit(
            .project, "UPDATE standingAlert SET acknowledged = 1, acknowledgedBy = 'me'")
        try team.restart(adding: [
            "LD_PRELOAD": "\(System.executables)/libShiftedClock.so", "SHIFTED_CLOCK": clock.path,
        ])

        try Data("\(31 * 24 * 3_600)".utf8).write(to: clock, options: .atomic)

        try eventually("it is reported again") { try team.told(AlertRaised.self).count == 2 }
    }

    @Test func `nobody can cut short the time that a server asks to wait`() throws {
        _ = try add()
        try server.behave("429 3600")
        let fetch = FetchPersonCalendars(project: "house")
        _ = try team.ask(fetch, for: PersonCalendars.self)
        try eventually("the server has asked to wait") { try calendar()?.failure.isEmpty == false }
        let due = try #require(try calendar()?.due)

        let hurried = try team.ask(fetch, for: PersonCalendars.self).calendars
        #expect(hurried.map(\.due) == [due])
        #expect(due > WallClock.milliseconds() + 3_500_000)
        try edit { _ in }
        #expect(try team.ask(fetch, for: PersonCalendars.self).calendars.map(\.due) == [due])

        // A server that has not asked is asked again.
        try server.behave("500")
        try edit { $0.due = 1 }
        try eventually("it is asked") { try calendar()?.failure == "it answers 500" }
        try server.behave("200")
        _ = try team.ask(fetch, for: PersonCalendars.self)
        try eventually("it is read") { try calendar()?.failure.isEmpty == true }
    }

    @Test func `adding a removed calendar again doesn't end the time that its server asks to wait`()
        throws
    {
        let added = try add()
        try server.behave("429 3600")
        _ = try team.ask(FetchPersonCalendars(project: "house"), for: PersonCalendars.self)
        try eventually("the server has asked to wait") { try calendar()?.failure.isEmpty == false }
        _ = try team.ask(
            RemovePersonCalendar(project: "house", calendar: added.id), for: PersonCalendar.self)
        try server.behave("200")
        let asked = try server.requests().count

        try team.restart()
        let again = AddPersonCalendar(
            project: "house", person: 1, address: server.url("/kari.ics"))
        let refusal = try team.refusal(of: again)

        #expect(refusal?.code == .conflict)
        #expect(refusal?.message.contains("left alone") == true)
        #expect(try server.requests().count == asked)
        let other = AddPersonCalendar(
            project: "house", person: 1, address: server.url("/other.ics"))
        #expect(try team.refusal(of: other) == nil)
        team.service.kill()
        try team.system.edit(.project, "UPDATE calendarWait SET until = 1")
        try team.restart()
        #expect(try team.refusal(of: again) == nil)
    }

    @Test func `a server that asks to wait when a calendar is first added is left alone`() throws {
        try server.behave("429 3600")
        let calendar = AddPersonCalendar(
            project: "house", person: 1, address: server.url("/kari.ics"))
        let first = try team.refusal(of: calendar)
        #expect(first?.message.contains("it answers 429") == true)
        try server.behave("200")
        let asked = try server.requests().count

        let again = try team.refusal(of: calendar)

        #expect(again?.code == .conflict)
        #expect(again?.message.contains("left alone") == true)
        #expect(try server.requests().count == asked)
    }

    @Test func `a calendar that makes the service fail waits a day, and its server isn't blamed`()
        throws
    {
        let added = try add()
        team.service.kill()
        try team.system.edit(
            .project,
            """
            UPDATE personCalendar SET due = 1;
            INSERT INTO suspect (act, faults, deaths, time)
            VALUES ('errand calendar \(added.id)', 3, 3, \(WallClock.milliseconds()))
            """)
        try team.restart()
        try eventually("it is given up") { try calendar()?.failure.isEmpty == false }
        #expect(try calendar()?.failure.contains("the service fails") == true)
        let asked = try server.requests().count
        _ = try team.ask(
            RemovePersonCalendar(project: "house", calendar: added.id), for: PersonCalendar.self)

        let refusal = try team.refusal(
            of: AddPersonCalendar(project: "house", person: 1, address: server.url("/kari.ics")))

        #expect(refusal?.code == .conflict)
        #expect(refusal?.message.contains("the service has failed") == true)
        #expect(refusal?.message.contains("left alone") == false)
        #expect(try server.requests().count == asked)
    }

    @Test func `after a kill a calendar is fetched again, and it is deleted with its project`()
        throws
    {
        _ = try add()
        try server.behave("hang")
        _ = try team.ask(FetchPersonCalendars(project: "house"), for: PersonCalendars.self)
        try eventually("it is asked") { try server.requests().count == 2 }
        try server.behave("200")
        try team.restart()
        try eventually("it is asked again") { try server.requests().count == 3 }
        try eventually("it is read") { try calendar()?.busy == false }
        _ = try team.ask(DeleteProject(project: "house"), for: ProjectDeleted.self)
        let store = try DatabaseQueue(path: team.system.path("data/project-service.sqlite"))
        #expect(
            try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM personCalendar") }
                == 0)
    }

    @Test func `the calendar of somebody who has left is deleted`() throws {
        _ = try add()
        try team.edit("house", .remove(.member(TeamMember(number: 1))))
        _ = try team.ask(FetchPersonCalendars(project: "house"), for: PersonCalendars.self)
        try eventually("it is forgotten") { try calendar() == nil }
    }
}
