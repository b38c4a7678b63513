import ProjectNetwork
import ProjectRecord
import RedmineMirror
import Testing

@testable import ProjectService

/// A server that gives a new relation the number of a removed one, between two rounds.
struct RelationNumberTests {
    private static let former = RemoteRelation(id: 7, kind: .precedes, from: 30, to: 40)
    static let others = [
        RemoteRelation(id: 7, kind: .precedes, from: 40, to: 50),
        RemoteRelation(id: 7, kind: .precedes, from: 40, to: 30),
        RemoteRelation(id: 7, kind: .precedes, from: 30, to: 40, delay: 3),
        RemoteRelation(id: 7, kind: .blocks, from: 30, to: 40),
    ]

    private var record: ProjectRecord
    private var links = MirrorLinks()

    /// Makes three issues, which have the same numbers on both sides, and the relation of two.
    init() throws {
        record = try MirrorStateTests.record()
        try read(Self.former)
    }

    /// Reads everything, with this relation.
    private mutating func read(_ relation: RemoteRelation) throws {
        let issues = [30, 40, 50].map { number in
            var issue = MirrorStateTests.remote(number, "Issue \(number)")
            if [relation.from, relation.to].contains(number) { issue.relations = [relation] }
            return issue
        }
        var state = MirrorState(record, MirrorStateTests.names, links, [])
        state.apply(issues, sweep: nil)
        if let edit = state.edit { record = try record.making(edit).record }
        links = state.links
        #expect(state.conflicts == [])
    }

    private var steps: [MirrorStep] {
        MirrorPlan(record, MirrorStateTests.names, links, []).steps
    }

    /// Both sides have this relation and no other.
    private func expectOnly(_ relation: RemoteRelation) {
        let ours = record.relations.values.map {
            "\($0.kind.rawValue) \($0.from) \($0.to) \($0.delay)"
        }
        #expect(ours == [String(decoding: RedmineBody.kept(relation), as: UTF8.self)])
        #expect(links.all(.relation).map(\.remote) == [7] && steps == [])
    }

    @Test(arguments: others)
    func `another relation with the number of a removed one takes its place`(
        other: RemoteRelation
    ) throws {
        var sides = self
        sides.expectOnly(Self.former)

        for _ in 1...2 {
            try sides.read(other)
            sides.expectOnly(other)
        }
    }

    @Test(arguments: others)
    func `another relation isn't removed there because its number was that of one removed here`(
        other: RemoteRelation
    ) throws {
        var sides = self
        sides.record = try sides.record.making(.unrelate(1, .keepGaps)).record
        let base = RedmineBody.kept(Self.former)
        #expect(sides.steps == [.unrelate(number: 1, relation: 7, base: base)])
        try sides.read(Self.former)
        #expect(sides.steps == [.unrelate(number: 1, relation: 7, base: base)])

        try sides.read(other)

        sides.expectOnly(other)
    }

    @Test func `what a relation is becomes known if an earlier version has linked it`() throws {
        var sides = self
        sides.links.keep(MirrorLinks.Link(kind: .relation, number: 1, remote: 7, base: []))

        try sides.read(Self.former)

        #expect(sides.links[.relation, 1]?.base == RedmineBody.kept(Self.former))
        sides.expectOnly(Self.former)
    }
}
