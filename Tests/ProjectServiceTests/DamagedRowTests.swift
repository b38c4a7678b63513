import Bus
import Foundation
import Messages
import TestSupport
import TestThreads
import Testing

/// A row of the store that can't be read is put aside, and holds up no other.
@Suite(.waiting) struct DamagedRowTests {
    private let team: Team

    init() throws { team = try Team() }

    /// What the service has reported as put aside.
    private func aside() throws -> [String] { try team.told(SetAside.self).map(\.type) }

    /// What the person who logged in was alerted to about the mirror of a project.
    private func alerts(about project: String) throws -> [String] {
        try team.told(AlertRaised.self).filter { $0.subject == "\(project)/redmine" }.map(\.title)
    }

    @Test func `a mirror that can't be read is put aside, and the others go on`() throws {
        try team.mirrorHouse(issues: 3)
        let before = try #require(try team.houseLink()?.synced)
        let barn = try team.make("barn").id
        try team.add("Sweep", to: "barn")
        team.service.kill()
        try team.system.edit(
            .project,
            """
            UPDATE item SET item = x'FF' WHERE project = '\(barn)';
            INSERT INTO redmineMirror (project, logIn, remote, identifier, due, underWay, phase,
                cursor, sweep, sweepLast, swept, synced, asked, began, failures, failure, skipped)
            SELECT '\(barn)', logIn, 2, 'barn', 0, 0, 'read', 0, 1, 0, 0, 0, 0, 0, 0, '', ''
            FROM redmineMirror
            """)
        try team.restart()

        _ = try team.ask(SyncRedmine(project: "house"), for: RedmineLink.self)
        try eventually("the other has had its round") {
            try team.houseLink()?.synced ?? 0 > before
        }
        let failure = try team.system.query(
            .project, "SELECT failure FROM redmineMirror WHERE project = '\(barn)'")
        #expect(failure.first?.first?.contains("can't be read") == true)
        #expect(try aside() == ["redmine"])
        #expect(
            try alerts(about: barn) == ["The barn: nothing goes to or from the server any more"])
    }

    private let stopped = "House: nothing goes to or from the server any more"

    /// Fills the project that is mirrored with notes, so that its mirror stops.
    ///
    /// - Parameter settings: those of the service that runs afterwards.
    /// - Returns: the id of the project.
    private func stopMirror(_ settings: [String: String] = [:]) throws -> String {
        try team.mirrorHouse(issues: 3)
        team.service.kill()
        try team.system.edit(
            .project,
            """
            INSERT OR REPLACE INTO noteSize (project, bytes)
            SELECT project, \(512 << 20) FROM redmineMirror
            """)
        try team.restart(adding: settings)
        let link = try team.ask(SyncRedmine(project: "house"), for: RedmineLink.self)
        try eventually("it has stopped") {
            try team.houseLink()?.failure.hasPrefix("the notes of the project have") == true
        }
        return try #require(link.project?.id)
    }

    @Test func `a mirror stops when its project has too many notes, and says so`() throws {
        let house = try stopMirror()

        #expect(try alerts(about: house) == [stopped])
    }

    @Test func `a stopped mirror is reported again when the alert has expired`() throws {
        let clock = URL(filePath: team.system.path("clock"))
        try Data("0".utf8).write(to: clock)
        let house = try stopMirror([
            "LD_PRELOAD": "\(System.executables)/libShiftedClock.so", "SHIFTED_CLOCK": clock.path,
        ])

        try Data("\(31 * 24 * 3_600)".utf8).write(to: clock, options: .atomic)

        try eventually("it is reported again") { try alerts(about: house) == [stopped, stopped] }
    }

    @Test func `more conflicts are reported even if the first alert was acknowledged`() throws {
        try team.mirrorHouse(issues: 3)
        try team.system.start("notifier")
        let house = try #require(try team.houseLink()?.project?.id)
        /// Adds a conflict to a mirror that has no rounds.
        func conflict(about issue: Int) throws {
            team.service.kill()
            try team.system.edit(
                .project,
                """
                UPDATE redmineMirror SET due = \(Int64.max), underWay = 0;
                INSERT INTO mirrorConflict
                VALUES ('\(house)', \(issue), 'subject', 'a', 'b', '', '')
                """)
            try team.restart()
        }
        let first = "House: a value is another one at the server"
        try conflict(about: 1)
        // A mirror without rounds also counts as one that has stopped.
        func told() throws -> [String] { try alerts(about: house).filter { $0 != stopped } }
        try eventually("the first is reported") { try told() == [first] }
        let notifier = try team.system.client(of: .notifier)
        var alert: Alert?
        try eventually("the notifier has it") {
            let open = try notifier.ask(ListAlerts(openOnly: true), for: Alerts.self).alerts
            alert = open.first { $0.raised?.title == first }
            return alert != nil
        }
        _ = try notifier.ask(
            AcknowledgeAlert(id: try #require(alert).id), for: AlertAcknowledged.self)
        try eventually("the service knows that it is acknowledged") {
            try team.system.query(
                .project, "SELECT key FROM standingAlert WHERE acknowledged IS NOT NULL"
            ).count == 1
        }

        try conflict(about: 2)

        try eventually("both are told") {
            try told() == [first, "House: 2 values are others at the server"]
        }
    }

    @Test func `the administrators are alerted when the log-in of a mirror is gone`() throws {
        try team.mirrorHouse(issues: 3)
        try team.system.start("notifier")
        let house = try #require(try team.houseLink()?.project?.id)

        _ = try team.ask(LogOutOfRedmine(), for: RedmineLogIn.self)
        _ = try team.ask(SyncRedmine(project: "house"), for: RedmineLink.self)

        try eventually("it is told") { try alerts(about: house) == [stopped] }
        let raised = try #require(
            try team.told(AlertRaised.self).last { $0.subject == "\(house)/redmine" })
        #expect(raised.audience == Audience(role: .administrator))
        let notifier = try team.system.client(of: .notifier)
        try eventually("whoever owns the machine has it") {
            try notifier.ask(ListAlerts(), for: Alerts.self).alerts.map { $0.raised?.title }
                == [stopped]
        }
    }

    /// Changes rows of the mirror of a project while the service is off.
    ///
    /// - Returns: the id of the project.
    private func change(_ rows: String) throws -> String {
        try team.mirrorHouse(issues: 3)
        let house = try #require(try team.houseLink()?.project?.id)
        team.service.kill()
        try team.system.edit(.project, rows)
        try team.restart()
        return house
    }

    @Test func `the administrators are alerted when the log-in of a mirror can't be read`() throws {
        let house = try change(
            "UPDATE redmineLogIn SET logIn = x'FF'; UPDATE redmineMirror SET due = 0")

        try eventually("it is told") { try alerts(about: house) == [stopped] }
        let raised = try #require(
            try team.told(AlertRaised.self).last { $0.subject == "\(house)/redmine" })
        #expect(raised.audience == Audience(role: .administrator))
    }

    @Test func `a mirror that an earlier version stopped is reported after a single failure`()
        throws
    {
        let house = try change("UPDATE redmineMirror SET due = \(Int64.max), failures = 1")

        try eventually("it is told") { try alerts(about: house) == [stopped] }
    }

    @Test func `a stopped mirror whose project can't be read is reported once`() throws {
        _ = try change(
            """
            UPDATE redmineMirror SET due = \(Int64.max), failures = 3;
            UPDATE project SET project = x'FF'
            """)

        let putOff = """
            SELECT kind FROM timer
            WHERE kind = 'mirrorAlert' AND due > \(WallClock.milliseconds() + 86_400_000)
            """
        try eventually("it is put off") {
            try team.system.query(.project, putOff) == [["mirrorAlert"]]
        }
        #expect(try aside().filter { $0 == "redmine" }.count == 1)
        let failing = "SELECT kind FROM failingTimer WHERE kind = 'mirrorAlert'"
        #expect(try team.system.query(.project, failing) == [])
    }

    @Test func `an issue that can't be read is reported, and doesn't make the alerts fail`()
        throws
    {
        try team.make()
        try team.add("Roof")
        team.service.kill()
        try team.system.edit(
            .project,
            """
            UPDATE item SET item = x'FF';
            INSERT INTO timer (kind, subject, due) SELECT 'review', id, 1 FROM project
            """)
        try team.restart()

        try eventually("it is reported") { try aside() == ["project"] }
        let failing = try team.system.query(.project, "SELECT kind FROM failingTimer")
        #expect(failing == [])
    }

    @Test func `a calendar that can't be read is put off, and the others are fetched`() throws {
        let server = try WebServer(in: team.system)
        try server.serve("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n")
        try team.make()
        try team.edit("house", .keep(.member(TeamMember(name: "Kari", timeZone: "Europe/Oslo"))))
        for name in ["damaged", "whole"] {
            _ = try team.ask(
                AddPersonCalendar(
                    project: "house", person: 1, address: server.url("/\(name).ics")),
                for: PersonCalendar.self)
        }
        team.service.kill()
        try team.system.edit(
            .project,
            """
            UPDATE personCalendar SET due = 1;
            UPDATE personCalendar SET due = 0, calendar = x'FF'
            WHERE id = (SELECT min(id) FROM personCalendar)
            """)
        try team.restart()

        try eventually("the other is fetched") {
            try server.requests().map(\.path) == ["/damaged.ics", "/whole.ics", "/whole.ics"]
        }
        try eventually("the damaged one is reported") { try aside() == ["calendar"] }
        let reason = try #require(try team.told(SetAside.self).first?.reason)
        let status = try team.ask(ReadStatus(), for: ServiceStatus.self)
        #expect(status.counters["errands.setAside"] == 1)
        #expect(reason.hasPrefix("what is kept of it can't be read: "), "\(reason)")
    }
}
