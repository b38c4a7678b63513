import ProjectNetwork
import ProjectRecord
import RedmineClient
import RedmineMirror
import TestSupport
import TestThreads
import Testing

@testable import ProjectService

/// A relation that was added on both sides, with different delays.
struct RelationDelayTests {
    private static let field = "relation 1"

    /// Two issues that are on both sides, and a relation that is only here.
    private var record: ProjectRecord
    private var links = MirrorLinks()
    private var conflicts: [MirrorConflict] = []

    init() throws {
        record = try MirrorStateTests.record()
        for number in [3, 4] {
            let issue = ProjectIssue(id: number, subject: "Issue \(number)", tracker: "Bug")
            record = ProjectRecord(kept: record.details, record.items + [.issue(issue)])
            links.keep(
                MirrorLinks.Link(
                    kind: .issue, number: number, remote: 10 * number,
                    base: RedmineBody.kept(Self.remote(number))))
        }
        try edit(.relate(IssueRelation(id: 0, from: 3, to: 4, delay: 5), .keepGaps))
    }

    private static func remote(_ number: Int, delay: Int? = nil) -> RemoteIssue {
        var issue = MirrorStateTests.remote(10 * number, "Issue \(number)")
        if let delay {
            // A relation with another delay has another number.
            issue.relations = [
                RemoteRelation(id: 90 + delay, kind: .precedes, from: 30, to: 40, delay: delay)
            ]
        }
        return issue
    }

    private mutating func edit(_ edit: ProjectEdit) throws {
        record = try record.making(edit).record
    }

    /// Reads one of the issues, or both; nil is no relation.
    private mutating func read(_ numbers: [Int] = [3, 4], delay: Int?) throws {
        var state = MirrorState(record, MirrorStateTests.names, links, conflicts)
        state.apply(numbers.map { Self.remote($0, delay: delay) }, sweep: nil)
        if let change = state.edit { try edit(change) }
        state.forgiveWhatHasGone()
        (links, conflicts) = (state.links, state.conflicts)
    }

    private var steps: [MirrorStep] {
        MirrorPlan(record, MirrorStateTests.names, links, conflicts).steps
    }

    private func step(isForced: Bool) -> MirrorStep {
        .relate(
            number: 1, issue: 3, kind: .precedes, from: 30, to: 40, delay: 5, isForced: isForced)
    }

    @Test(arguments: [[3], [4], [3, 4]])
    func `different delays are a conflict, and neither is overwritten`(numbers: [Int]) throws {
        var sides = self
        let before = record
        for _ in 1...2 { try sides.read(numbers, delay: 0) }

        #expect(
            sides.conflicts == [
                MirrorConflict(
                    issue: 3, field: Self.field, ours: "precedes #4, delay 5",
                    theirs: "precedes #4, delay 0", reason: "")
            ])
        #expect(sides.record == before && sides.links[.relation, 1] == nil)
        #expect(sides.steps == [])
    }

    @Test func `relations that are linked with different delays become a conflict too`() throws {
        var sides = self
        sides.links.keep(
            MirrorLinks.Link(kind: .relation, number: 1, remote: 90, base: []))

        for _ in 1...2 { try sides.read(delay: 0) }

        #expect(sides.conflicts.map(\.field) == [Self.field])
        #expect(sides.links[.relation, 1] == nil && sides.record.relations.count == 1)
    }

    @Test func `if ours counts, the one at the server is replaced`() throws {
        var sides = self
        #expect(sides.steps == [step(isForced: false)])
        try sides.read(delay: 0)

        sides.conflicts[0].decision = .ours

        #expect(sides.steps == [step(isForced: true)])
        // A round that reads before that forgets nothing.
        try sides.read(delay: 0)
        #expect(sides.steps == [step(isForced: true)])
        try sides.read(delay: 5)
        #expect(sides.links[.relation, 1]?.remote == 95)
        #expect(sides.conflicts == [] && sides.steps == [])
    }

    @Test func `if theirs counts, it replaces ours`() throws {
        var sides = self
        try sides.read(delay: 0)

        let settlement = Settlement(
            of: sides.conflicts, among: sides.conflicts, sides.record, sides.links, theirs: true)
        #expect(settlement.conflicts == [])
        for edit in settlement.edits { try sides.edit(edit) }
        (sides.links, sides.conflicts) = (settlement.links, settlement.conflicts)
        try sides.read(delay: 0)

        #expect(sides.record.relations.values.map(\.delay) == [0])
        #expect(sides.conflicts == [] && sides.steps == [])
    }

    @Test(arguments: [[3], [4]])
    func `if the server's relation is removed, ours is made there`(numbers: [Int]) throws {
        var sides = self
        try sides.read(delay: 0)

        try sides.read(numbers, delay: nil)

        #expect(sides.conflicts == [] && sides.steps == [step(isForced: false)])
    }

    @Test func `the same delay is the same relation`() throws {
        var sides = self

        try sides.read(delay: 5)

        #expect(sides.links[.relation, 1]?.remote == 95)
        #expect(sides.conflicts == [] && sides.record.relations.count == 1)
    }
}

/// Writing relations to a server that has others by now.
@Suite(.waiting) struct RelationWritingTests {
    @Test
    func `another relation is replaced only if somebody decides so, and never by mistake`()
        throws
    {
        let system = try System()
        let program = try system.spawn(
            [
                "/usr/bin/python3", SMTPServer.fixture("redmine_server.py"), "2", "[]", "[]", "0",
                "0",
            ],
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
        try eventually("the server listens") {
            guard program.isRunning else { throw Complaint("no server:\n\(program.err)") }
            return program.out.hasSuffix("\n")
        }
        let address = try RedmineAddress("http://127.0.0.1:\(program.out.dropLast())")
        func step(delay: Int, isForced: Bool) -> MirrorStep {
            .relate(
                number: 7, issue: 1, kind: .precedes, from: 1, to: 2, delay: delay,
                isForced: isForced)
        }
        func removal(delay: Int) -> MirrorStep {
            let known = RemoteRelation(id: 2, kind: .precedes, from: 1, to: 2, delay: delay)
            return .unrelate(number: 7, relation: 2, base: RedmineBody.kept(known))
        }
        let task = MirrorTask(
            mirror: MirrorRow(
                project: "house", logIn: "1", remote: 1, identifier: "house", due: 0),
            server: RedmineServer(address, .key("key"), .everywhere), user: 5,
            aim: .write(
                [
                    step(delay: 0, isForced: false), step(delay: 5, isForced: false),
                    step(delay: 5, isForced: true), step(delay: 5, isForced: false),
                    removal(delay: 1), step(delay: 5, isForced: false),
                    removal(delay: 5), removal(delay: 5), step(delay: 5, isForced: false),
                ], known: .init(issues: [:], times: [:], notes: [], activities: [])))

        let news = task.run()

        #expect(news.problem == nil)
        let done = news.done.map { done in
            switch done {
            case .related(let number, let relation): "\(number) is \(relation.id)"
            case .unrelated(let number): "\(number) is nothing"
            case .stale(let issue): "there it is \(issue.relations.map(\.delay))"
            default: "\(done)"
            }
        }
        #expect(
            done == [
                "7 is 1", "there it is [0]", "7 is 2", "7 is 2", "7 is nothing", "7 is 2",
                "7 is nothing", "7 is nothing", "7 is 3",
            ])
    }
}
