import Bus
import Foundation
import Messages

/// How long a person waits for an edit of a project whose dates move others, and for a list of
/// issues.
enum ProjectBench {
    /// The number of issues that follow one another.
    private static let chain = 20

    static func run(_ figures: inout Figures) throws {
        let scratch = try Scratch("ipc")
        let service = try Child(ServiceName.project.rawValue, scratch)
        let client = try Client(scratch.connection(), to: .project, isPatient: true)
        try edit(try make("Large", 2_000, client), 2_000, client, &figures)
        _ = try client.ask(
            DeleteProject(project: "large"), for: ProjectDeleted.self, deadline: .seconds(60))
        _ = try make("Huge", 10_000, client)
        try list(client, &figures)
        service.stop()
    }

    /// Makes a project whose issues follow each other in chains, and are assigned in turn.
    private static func make(_ name: String, _ count: Int, _ client: Client) throws -> Project {
        let project = try client.ask(
            CreateProject(project: Project(identifier: name.lowercased(), name: name)),
            for: Project.self)
        var things: [ProjectThing] = (1...20).map { number in
            ProjectThing(
                thing: .member(
                    TeamMember(
                        number: UInt32(number), name: "Person \(number)", timeZone: "UTC",
                        share: 100)))
        }
        let monday = 20_514
        for number in 1...count {
            let place = (number - 1) % chain
            let day = monday + place / 5 * 7 + place % 5
            let date = Date(timeIntervalSince1970: Double(day) * 86_400)
                .formatted(Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day())
            things.append(
                ProjectThing(
                    thing: .issue(
                        TrackedIssue(
                            number: UInt32(number), subject: "Issue \(number) of the roof",
                            tracker: number.isMultiple(of: 3) ? "Bug" : "Task",
                            priority: number.isMultiple(of: 7) ? .urgent : .normal,
                            assignee: UInt32(number % 20 + 1), start: date, due: date))))
            guard place > 0 else { continue }
            things.append(
                ProjectThing(
                    thing: .relation(
                        IssueLink(
                            number: UInt32(number), kind: .precedes, from: UInt32(number - 1),
                            to: UInt32(number)))))
        }
        // Each message holds some of the issues, in whole chains.
        let people = things.prefix(20)
        let perPart = (2 * chain - 1) * 50
        var rest = things.dropFirst(20)
        while !rest.isEmpty {
            let added = AddedThings(things: Array(people) + rest.prefix(perPart))
            rest = rest.dropFirst(perPart)
            _ = try client.ask(
                EditProject(
                    project: project.id, actions: [ProjectAction(action: .added(added))]),
                for: ProjectEdited.self, deadline: .seconds(120))
        }
        return project
    }

    private static func edit(
        _ project: Project, _ count: Int, _ client: Client, _ figures: inout Figures
    ) throws {
        var issues: [TrackedIssue] = []
        for first in stride(from: 1, to: count, by: chain) {
            let read = try client.ask(
                ReadIssue(project: project.id, issue: UInt32(first), limit: 1),
                for: IssueContents.self)
            if let issue = read.issue?.issue { issues.append(issue) }
        }
        var edits = Samples()
        var moved: UInt32 = 0
        for round in 0..<500 {
            var issue = issues[round % issues.count]
            // The first issue of a chain ends a day later, and in the next round as before.
            if (round / issues.count).isMultiple(of: 2) { issue.due = later(issue.due) }
            let action = ProjectAction(action: .keep(ProjectThing(thing: .issue(issue))))
            edits.add(
                try time {
                    moved = try client.ask(
                        EditProject(project: project.id, actions: [action]),
                        for: ProjectEdited.self
                    ).moved
                })
        }
        let name = "project of \(count) issues: an edit that moves \(moved)"
        figures.add("\(name), half", edits.percentile(0.5) / 1_000, "ms")
        figures.add(
            "\(name), 99 %", edits.percentile(0.99) / 1_000, "ms", goal: .atMost(10))
    }

    /// The day after a date that isn't the last of its month.
    private static func later(_ date: String) -> String {
        let day = (Int(date.suffix(2)) ?? 0) + 1
        return date.dropLast(2) + (day < 10 ? "0\(day)" : "\(day)")
    }

    private static func list(_ client: Client, _ figures: inout Figures) throws {
        let queries: [(name: String, query: ListIssues)] = [
            ("the first 50", ListIssues(project: "huge")),
            ("50 of a person, by due date", ListIssues(assignee: "Person 3", order: .due)),
            ("50 with words", ListIssues(words: "issue roof", order: .priority)),
            ("50 blocked and late", ListIssues(overdue: true, today: "2030-01-01", blocked: true)),
            ("1,000 by subject", ListIssues(project: "huge", order: .subject, limit: 1_000)),
        ]
        for (name, query) in queries {
            var samples = Samples()
            for _ in 0..<100 {
                samples.add(
                    try time { _ = try client.ask(query, for: IssuesListed.self) })
            }
            figures.add(
                "list of 10,000 issues: \(name), 95 %", samples.percentile(0.95) / 1_000, "ms",
                goal: .atMost(30))
        }
    }
}
