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

    /// What whoever logged in was alerted of about the mirror of a project.
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

    @Test func `a mirror stops when its project has too many notes, and says so`() throws {
        try team.mirrorHouse(issues: 3)
        team.service.kill()
        try team.system.edit(
            .project,
            """
            INSERT OR REPLACE INTO noteSize (project, bytes)
            SELECT project, \(512 << 20) FROM redmineMirror
            """)
        try team.restart()

        let link = try team.ask(SyncRedmine(project: "house"), for: RedmineLink.self)

        try eventually("it has stopped") {
            try team.houseLink()?.failure.hasPrefix("the notes of the project have") == true
        }
        let house = try #require(link.project?.id)
        #expect(try alerts(about: house) == ["House: nothing goes to or from the server any more"])
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
