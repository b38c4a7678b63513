import Bus
import Messages
import TestSupport
import Testing

extension Processes {
    @Suite struct AccessTests {
        @Test func `crew edit projects, shift managers make and delete them, others see nothing`()
            throws
        {
            let team = try Team()
            let lead = try team.token("lead", Grant(role: .shiftManager))
            let crew = try team.token("crew", Grant(role: .crew))
            let made = try team.make("house", as: lead)
            #expect(made.organisation != "")

            let create = CreateProject(project: Project(identifier: "other", name: "Other"))
            #expect(try team.refusal(of: create, as: crew)?.code == .forbidden)
            #expect(
                try team.refusal(of: DeleteProject(project: "house"), as: crew)?.code
                    == .forbidden)
            let edit = EditProject(
                project: "house", actions: [.keep(.issue(TrackedIssue(subject: "Roof")))])
            #expect(try team.refusal(of: edit, as: crew) == nil)
            #expect(try team.read("house", as: crew).project.changedBy == "crew")

            let away = try team.organisation("Elsewhere")
            let stranger = try team.token("stranger", in: away, Grant(role: .administrator))
            for reference in ["house", made.id] {
                let refusal = try team.refusal(
                    of: ReadProject(project: reference), as: stranger)
                #expect(refusal?.code == .notFound)
                let none = try team.refusal(
                    of: ReadProject(project: String(reference.reversed())), as: stranger)
                #expect(none?.code == .notFound)
            }
            #expect(
                try team.ask(ListProjects(), for: ProjectsListed.self, as: stranger).count == 0)
            // Each organisation has identifiers of its own.
            #expect(try team.make("house", as: stranger).id != made.id)
            _ = try team.ask(DeleteProject(project: "house"), for: ProjectDeleted.self, as: lead)
            #expect(try team.read("house", as: stranger).project.organisation == away)
        }

        @Test func `one's own mirrors are listed, however many others have`() throws {
            let team = try Team()
            let lead = try team.token("lead", Grant(role: .shiftManager))
            let own = try team.make("house", as: lead)
            let away = try team.organisation("Elsewhere")
            let stranger = try team.token("stranger", in: away, Grant(role: .administrator))
            let other = try team.make("barn", as: stranger)
            // Their ids come before one's own.
            try team.system.edit(
                .project,
                """
                WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number LIMIT 120)
                INSERT INTO project
                SELECT '!' || n, organisation, identifier || n, name, words, changed, step, mark,
                    bytes, project
                FROM project JOIN number WHERE id = '\(other.id)';
                INSERT INTO redmineMirror (project, logIn, remote, identifier, due, underWay, phase,
                    cursor, sweep, sweepLast, swept, synced, asked, began, failures, failure,
                    skipped)
                SELECT id, '', 1, identifier, 9223372036854775807, 0, 'read', 0, 1, 0, 0, 0, 0, 0,
                    0, '', ''
                FROM project WHERE id LIKE '!%' OR id = '\(own.id)';
                """)
            let links = try team.ask(ListRedmineLinks(), for: RedmineLinks.self, as: lead).links
            #expect(links.map(\.project?.id) == [own.id])
        }
    }
}
