import Bus
import Messages
import TestSupport

/// Leads projects: adds issues, each of which follows the previous one, moves the first, which
/// moves all, and undoes steps. A command done twice shows in the revision, and in what is left at
/// the end.
final class ProjectLead: Occupation {
    /// What must be in a project.
    private struct Plan {
        var id = ""
        var revision: UInt64 = 1
        /// The numbers of its issues; each issue follows the previous one.
        var issues: [UInt32] = []
        /// The highest number that an issue ever had; the number of an undone issue isn't used
        /// again.
        var highest: UInt32 = 0
        /// The day in March 2040 on which the first issue begins and ends; 1 March is a Thursday.
        var day = 1
    }

    private enum Step { case create, add, move, undo, delete }

    /// The number of issues at which a project is finished.
    private static let mostIssues = 12
    /// The maximum number of projects kept.
    private static let mostKept = 15

    let service = ServiceName.project
    private var plans: [Plan] = []
    /// The project before its last step; nil if that step won't be undone.
    private var before: Plan?
    private var step = Step.create
    private var made = 0
    private var number = 0

    func next() -> (any ProtobufMessage)? {
        number += 1
        if plans.count > Self.mostKept {
            step = .delete
            return DeleteProject(project: plans[0].id)
        }
        guard let plan = plans.last, plan.issues.count < Self.mostIssues else {
            step = .create
            made += 1
            return CreateProject(
                project: Project(identifier: "house-\(made)", name: "House \(made)"))
        }
        if before != nil, number % 5 == 0 {
            step = .undo
            return UndoProject(project: plan.id)
        }
        step = !plan.issues.isEmpty && number % 2 == 0 ? .move : .add
        let day = step == .move ? Self.after(plan.day) : plan.day
        var issue = TrackedIssue(subject: "Issue \(number)")
        if step == .move { issue.number = plan.issues[0] }
        if step == .move || plan.issues.isEmpty {
            (issue.start, issue.due) = (date(day), date(day))
        }
        var actions = [Self.keep(.issue(issue))]
        if step == .add, let last = plan.issues.last {
            actions.append(Self.keep(.relation(IssueLink(kind: .precedes, from: last))))
        }
        return EditProject(project: plan.id, actions: actions)
    }

    private static func keep(_ thing: ProjectThing.Thing) -> ProjectAction {
        ProjectAction(action: .keep(ProjectThing(thing: thing)))
    }

    /// The next working day; days 3 and 4 are a weekend, and so on every week.
    private static func after(_ day: Int) -> Int {
        var next = day % 28 + 1
        while next % 7 == 3 || next % 7 == 4 { next += 1 }
        return next
    }

    private func date(_ day: Int) -> String { "2040-03-\(day < 10 ? "0" : "")\(day)" }

    func take(_ answer: Envelope, to id: MessageID) throws {
        switch step {
        case .delete:
            _ = try answer.message(ProjectDeleted.self)
            plans.removeFirst()
        case .create:
            let project = try answer.message(Project.self)
            guard project.id == "\(id)" else {
                throw Complaint("project \(project.id) was made by a command other than \(id)")
            }
            plans.append(Plan(id: project.id, revision: project.revision))
            before = nil
        case .add, .move, .undo:
            let edited = try answer.message(ProjectEdited.self)
            var plan = plans.removeLast()
            let last = plan
            switch step {
            case .undo: (plan.issues, plan.day) = (before?.issues ?? [], before?.day ?? 0)
            case .move: plan.day = Self.after(plan.day)
            default:
                plan.highest += 1
                plan.issues.append(plan.highest)
            }
            before = step == .undo ? nil : last
            plan.revision += 1
            plans.append(plan)
            guard edited.project?.revision == plan.revision,
                edited.project?.issues == UInt32(plan.issues.count)
            else { throw Complaint("\(plan) is \(edited) after \(step)") }
        }
    }

    func inspect(_ system: System, _ client: Client) throws {
        let kept = try client.ask(
            ListProjects(limit: 500), for: ProjectsListed.self, deadline: .seconds(3000)
        ).projects.map(\.id)
        guard kept.count == plans.count, Set(kept) == Set(plans.map(\.id)) else {
            throw Complaint("\(plans.count) projects are led, and \(kept.count) are there")
        }
        for plan in plans {
            let contents = try client.ask(
                ReadProject(project: plan.id), for: ProjectContents.self, deadline: .seconds(3000))
            var issues: [TrackedIssue] = []
            for case .issue(let issue)? in contents.things.map(\.thing) { issues.append(issue) }
            guard contents.project?.revision == plan.revision,
                issues.map(\.number).sorted() == plan.issues,
                issues.isEmpty || issues[0].start == date(plan.day)
            else { throw Complaint("\(plan) is \(contents)") }
        }
    }
}
