import Dates
import Messages
import ProjectNetwork
import ProjectRecord
import RedmineMirror
import Testing

@testable import ProjectService

/// Versions whose numbers a server uses again, and notes of issues that were changed a moment ago.
@Suite struct MirrorVersionTests {
    private var record: ProjectRecord
    private var links = MirrorLinks()
    private var conflicts: [MirrorConflict] = []

    init() throws { record = try MirrorStateTests.record() }

    private static func versions(_ list: String) throws -> [RemoteVersion] {
        try RedmineReader.versions(Array("{\"versions\":[\(list)]}".utf8)).items
    }

    private static func version(_ id: Int, _ name: String, _ second: Int) -> String {
        let made = "2026-01-05T20:00:0\(second)Z"
        return "{\"id\":\(id),\"name\":\"\(name)\",\"created_on\":\"\(made)\"}"
    }

    private static func issue(_ id: Int, in version: RemoteName?) -> RemoteIssue {
        var issue = MirrorStateTests.remote(id, "Issue \(id)")
        issue.version = version
        return issue
    }

    /// Reads everything from a server.
    private mutating func read(_ versions: String..., issues: [RemoteIssue] = []) throws {
        var state = MirrorState(record, MirrorStateTests.names, links, conflicts)
        let project = try RedmineReader.project(
            Array("{\"project\":{\"id\":1,\"identifier\":\"house\",\"name\":\"House\"}}".utf8))
        state.apply(project, try Self.versions(versions.joined(separator: ",")))
        state.apply(issues, sweep: 1)
        if let edit = state.edit { record = try record.making(edit).record }
        (links, conflicts) = (state.links, state.conflicts)
    }

    private mutating func keep(_ item: ProjectItem) throws {
        record = try record.making(.mirror([item], removed: [])).record
    }

    private var steps: [MirrorStep] {
        MirrorPlan(record, MirrorStateTests.names, links, conflicts).steps
    }

    private var names: [String] { record.versions.values.map(\.name).sorted() }

    @Test func `a version with the number of a removed one takes its place, not its values`()
        throws
    {
        var side = self
        try side.read(Self.version(5, "2.0", 1))
        var former = try #require(side.record.versions.values.first)
        former.description = "Garden"
        try side.keep(.version(former))
        try side.read(Self.version(5, "Beta", 2))
        #expect(side.names == ["2.0", "Beta"])
        #expect(side.record.versions.values.allSatisfy { $0.name == "2.0" || $0.description == "" })
        // Nothing of the former version is written to the new one, which isn't removed either.
        #expect(side.steps.isEmpty)
        #expect(side.conflicts.map(\.theirs) == ["removed"])
        side.record = try side.record.making(.removeVersion(former.id)).record
        #expect(side.steps.isEmpty)
        try side.read(Self.version(5, "Beta", 2))
        #expect(side.conflicts.isEmpty && side.names == ["Beta"])
    }

    @Test func `a refused removal of a version stays a conflict until somebody decides`() throws {
        var side = self
        let version = Self.version(5, "2.0", 1)
        try side.read(version)
        let number = try #require(side.record.versions.keys.first)
        side.record = try side.record.making(.removeVersion(number)).record
        #expect(side.steps.count == 1)
        let field = MirrorConflict.whole(.version, number, MirrorConflict.removed)
        side.conflicts = [
            MirrorConflict(
                issue: 0, field: field, ours: "removed", theirs: "there", reason: "no")
        ]

        for _ in 1...2 {
            try side.read(version)
            #expect(side.conflicts.map(\.reason) == ["no"] && side.steps.isEmpty)
        }
        side.conflicts[0].decision = .ours
        try side.read(version)
        #expect(side.steps.count == 1)
    }

    @Test func `an unchanged version is removed, and its issues are where the server has them`()
        throws
    {
        var side = self
        let (former, beta) = (RemoteName(id: 5, name: "2.0"), RemoteName(id: 5, name: "Beta"))
        let other = Self.version(4, "1.0", 1)
        try side.read(
            other, Self.version(5, "2.0", 1),
            issues: [Self.issue(1, in: former), Self.issue(2, in: former)])
        let moved = [
            Self.issue(1, in: RemoteName(id: 4, name: "1.0")), Self.issue(2, in: beta),
        ]
        for _ in 1...2 { try side.read(other, Self.version(5, "Beta", 2), issues: moved) }
        #expect(side.names == ["1.0", "Beta"] && side.conflicts.isEmpty && side.steps.isEmpty)
        let shown = [1, 2].map { number in
            side.record.issues[number]?.version.flatMap { side.record.versions[$0]?.name }
        }
        #expect(shown == ["1.0", "Beta"])
    }

    @Test func `an issue assigned here to the former version isn't assigned there to the new one`()
        throws
    {
        var side = self
        try side.read(Self.version(5, "2.0", 1), issues: [Self.issue(1, in: nil)])
        var issue = try #require(side.record.issues[1])
        issue.version = side.record.versions.keys.first
        try side.keep(.issue(issue))
        #expect(side.steps.count == 1)
        try side.read(Self.version(5, "Beta", 2), issues: [Self.issue(1, in: nil)])
        #expect(side.steps.isEmpty && side.names == ["2.0", "Beta"])
        #expect(side.record.issues[1]?.version == issue.version)
    }

    @Test func `a change is known once it is read after its second has passed, by either clock`() {
        let second: Int64 = 1_767_571_200
        let now = second * 1_000
        func noted(_ noted: Int64, at looked: Int64, since began: Int64) -> Int64 {
            let link = MirrorLinks.Link(
                kind: .issue, number: 1, remote: 1, base: [], noted: noted, notedAt: looked)
            return Mirrors.noted(second, link, since: began)
        }
        // Another note may come in the same second, and the other clock may be a minute behind.
        #expect(noted(0, at: 0, since: now) == second - 1)
        #expect(noted(second - 1, at: now, since: now + 1_000) == second - 1)
        #expect(noted(second - 1, at: now, since: now + 2_000) == second)
        #expect(noted(second - 9, at: now, since: now + 60_000) == second - 1)
        #expect(noted(0, at: 0, since: now + 121_000) == second)
    }
}
