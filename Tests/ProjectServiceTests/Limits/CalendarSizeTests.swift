import Dates
import Messages
import TestSupport
import TestThreads
import Testing

/// How large the calendars of projects and of people may be.
@Suite(.waiting) struct CalendarSizeTests {
    private let team: Team

    init() throws { team = try Team() }

    /// A calendar in which each of some days has about 300 bytes.
    private static func calendar(days: Int) -> WorkWeeks {
        let name = String(repeating: "x", count: 200)
        let hours = (0..<12).map { WorkHours(from: UInt32($0) * 60, to: UInt32($0) * 60 + 30) }
        return WorkWeeks(
            special: (0..<days).map {
                SpecialDay(
                    date: CivilDate(daysSince1970: 20_000 + $0).iso, name: name, hours: hours)
            })
    }

    @Test func `a calendar of more than 128 KiB is refused, for a project and for a person`()
        throws
    {
        let large = Self.calendar(days: 500)
        let create = CreateProject(
            project: Project(identifier: "barn", name: "Barn", calendar: large))
        let refusal = try team.refusal(of: create)
        #expect(refusal?.code == .invalid)
        #expect(refusal?.message.contains("and may have 131072; remove days") == true)

        try team.make()
        var project = try team.read().project
        project.calendar = Self.calendar(days: 400)
        let kari = TeamMember(name: "Kari", timeZone: "UTC", calendar: project.calendar)
        try team.edit("house", .keep(.project(project)), .keep(.member(kari)))
        let before = try team.read()
        project.calendar = large
        var ola = kari
        ola.name = "Ola"
        ola.calendar = large
        let added = AddedThings(things: [ProjectThing(thing: .member(ola))])
        let actions: [ProjectAction] = [
            .keep(.project(project)), .keep(.member(ola)), ProjectAction(action: .added(added)),
        ]
        for action in actions {
            let edit = EditProject(project: "house", actions: [action])
            #expect(try team.refusal(of: edit)?.code == .invalid)
        }
        #expect(try team.read() == before)
    }

    @Test func `a project whose calendar is larger can be read, and its calendar made smaller`()
        throws
    {
        let text = String(repeating: "🪵", count: 20_000)
        _ = try team.ask(
            CreateProject(
                project: Project(identifier: "house", name: "House", description: text)),
            for: Project.self)
        let roof = TrackedIssue(subject: "Roof", description: String(text.prefix(10_000)))
        let edit = EditProject(
            project: "house", actions: Array(repeating: .keep(.issue(roof)), count: 12))
        _ = try team.ask(edit, for: ProjectEdited.self)
        // As an earlier version has kept it.
        var project = try team.read().project
        project.calendar = Self.calendar(days: 2_000)
        let bytes = project.packed().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        team.service.kill()
        try team.system.edit(.project, "UPDATE project SET project = x'\(bytes)'")
        try team.restart()

        let read = try team.read()
        #expect(read.project == project && read.things.count == 12)
        project.name = "Home"
        try team.edit("house", .keep(.project(project)))
        project.calendar = Self.calendar(days: 1_000)
        try team.edit("house", .keep(.project(project)))
        project.calendar = Self.calendar(days: 1_001)
        let larger = EditProject(project: "house", actions: [.keep(.project(project))])
        #expect(try team.refusal(of: larger)?.code == .invalid)
        #expect(try team.read().project.calendar?.special.count == 1_000)
    }
}
