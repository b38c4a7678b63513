import Bus
import Dates
import Messages
import TestSupport
import Testing

extension Processes {
    @Suite struct ProjectTests {
        @Test
        func `a project is found by its identifier, its name, its id, or the beginning of its id`()
            throws
        {
            let team = try Team()
            let made = try team.make()
            #expect(made.revision == 1 && made.changedBy != "" && made.issues == 0)
            #expect(made.trackers == ["Task", "Bug", "Feature"] && made.statuses.count == 6)
            for reference in ["house", "THE HOUSE", made.id, String(made.id.prefix(13))] {
                #expect(try team.read(reference).project == made)
            }
            #expect(try team.refusal(of: ReadProject(project: "hous"))?.code == .notFound)
            #expect(try team.refusal(of: ReadProject(project: ""))?.code == .invalid)
        }

        @Test func `a program can tell a missing project from something missing in it`() throws {
            let team = try Team()
            try team.make()
            let project = try team.refusal(of: ReadProject(project: "nowhere"))
            #expect(project?.isBecause(.projectMissing) == true)
            #expect(project?.subject == "nowhere")
            let issue = try team.refusal(of: ReadIssue(project: "house", issue: 99))
            #expect(issue?.code == .notFound && issue?.reason == "")
        }

        @Test func `each missing field is named, and impossible values are refused`() throws {
            let team = try Team()
            let empty = try team.refusal(of: CreateProject(project: Project()))
            #expect(empty?.message == "the project needs a name and an identifier")
            let nameless = try team.refusal(
                of: CreateProject(project: Project(identifier: "house")))
            #expect(nameless?.message == "the project needs a name")
            let odd = try team.refusal(
                of: CreateProject(project: Project(identifier: "The House", name: "x")))
            #expect(odd?.code == .invalid)
            try team.make()
            let taken = try team.refusal(
                of: CreateProject(project: Project(identifier: "house", name: "Other")))
            #expect(taken?.code == .conflict)
            #expect(try team.ask(ListProjects(), for: ProjectsListed.self).count == 1)
        }

        @Test func `a baseline has the local date of whoever keeps it`() throws {
            let team = try Team()
            try team.make()
            try team.add("Roof", "2027-03-01", "2027-03-02")
            let utc = Int(WallClock.milliseconds() / 86_400_000)
            let tomorrow = CivilDate(daysSince1970: utc + 1).iso
            func keep(_ name: String, on day: String) -> EditProject {
                EditProject(
                    project: "house", actions: [ProjectAction(action: .baseline(name))], today: day)
            }
            // It is tomorrow somewhere on earth, but next week nowhere.
            for (name, day) in [
                ("One", tomorrow), ("Two", CivilDate(daysSince1970: utc + 9).iso),
            ] { _ = try team.ask(keep(name, on: day), for: ProjectEdited.self) }
            let kept = try team.read().things.compactMap { thing -> String? in
                guard case .baseline(let baseline) = thing.thing else { return nil }
                return baseline.date
            }
            // Midnight may have passed since.
            let later = Int(WallClock.milliseconds() / 86_400_000)
            let days = Set((utc...later).map { CivilDate(daysSince1970: $0 + 1).iso })
            #expect(kept.count == 2 && kept.first == tomorrow && days.isSuperset(of: kept))
            #expect(try team.refusal(of: keep("Three", on: "soon"))?.code == .invalid)
        }

        @Test func `an edit is one step, made completely or not at all`() throws {
            let team = try Team()
            try team.make()
            let before = try team.read()
            let refusal = try team.refusal(
                of: EditProject(
                    project: "house",
                    actions: [
                        .keep(.issue(TrackedIssue(subject: "Roof"))),
                        .keep(.issue(TrackedIssue(subject: "Door", parent: 99))),
                    ]))
            #expect(refusal?.message == "action 2: the project has no #99")
            #expect(try team.read() == before)

            let edited = try team.edit(
                "house", .keep(.member(TeamMember(name: "Kari", timeZone: "UTC", share: 100))),
                .keep(.issue(TrackedIssue(subject: "Roof", assignee: 1))),
                .keep(.issue(TrackedIssue(subject: "Door"))),
                .keep(.relation(IssueLink(kind: .relates, from: 1))))
            #expect(edited.numbers == [1, 1, 2, 1] && edited.changed == 4)
            let after = try team.read()
            #expect(after.project.revision == 2 && after.project.undoable == 1)
            #expect(after.project.issues == 2 && after.project.open == 2)
            #expect(after.things.count == 4)
            let steps = try team.ask(
                ReadProjectHistory(project: "house"), for: ProjectHistory.self
            ).steps
            #expect(steps.count == 1)
            #expect(
                steps.first?.text
                    == "added Kari, added #1 “Roof”, added #2 “Door”, and 1 more")
        }

        @Test func `an edit based on an outdated state is refused`() throws {
            let team = try Team()
            try team.make()
            try team.add("Roof")
            let stale = EditProject(
                project: "house", actions: [.keep(.issue(TrackedIssue(subject: "Door")))],
                expectedRevision: 1)
            #expect(try team.refusal(of: stale)?.code == .conflict)
            #expect(try team.issues().count == 1)
        }

        @Test func `a deleted project is gone with everything in it, and an event says so`() throws
        {
            let team = try Team()
            let made = try team.make()
            try team.add("Roof")
            _ = try team.ask(DeleteProject(project: "house"), for: ProjectDeleted.self)
            #expect(try team.refusal(of: ReadProject(project: made.id))?.code == .notFound)
            #expect(try team.told(ProjectDeleted.self).map(\.project) == [made.id])
            // The identifier is free again, and the new project has nothing of the old one.
            try team.make()
            #expect(try team.read().things.isEmpty)
            #expect(try team.add("First") == 1)
        }

        @Test func `projects are listed in pages, and found by words`() throws {
            let team = try Team()
            for name in ["alpha", "beta", "gamma"] { try team.make(name) }
            let first = try team.ask(ListProjects(limit: 2), for: ProjectsListed.self)
            let rest = try team.ask(ListProjects(limit: 2, skip: 2), for: ProjectsListed.self)
            #expect(first.count == 3 && rest.count == 3)
            #expect(
                (first.projects + rest.projects).map(\.identifier) == ["gamma", "beta", "alpha"])
            let found = try team.ask(ListProjects(words: "BET"), for: ProjectsListed.self)
            #expect(found.projects.map(\.identifier) == ["beta"] && found.count == 1)
        }

        @Test func `each change is published with what it changed`() throws {
            let team = try Team()
            try team.make()
            try team.add("Roof", "2027-03-01", "2027-03-02")
            try team.undo()
            let told = try team.told(ProjectChanged.self)
            #expect(told.map { $0.project?.revision } == [1, 2, 3])
            #expect(told.map(\.changes.count) == [0, 1, 1])
            #expect(told[1].changes[0].after == told[2].changes[0].before)
        }
    }
}
