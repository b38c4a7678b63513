import Dates
import ProjectRecord
import RedmineMirror
import Testing

@testable import ProjectService

/// Issues that are no longer at a server, with the time worked on them.
struct LostIssueTests {
    private static let issues = 1...200
    private static let timesOfIssue = 20

    /// A project in which the second issue is a part of the first, with time worked on each issue,
    /// all of which a server has too.
    private func mirrored() throws -> (record: ProjectRecord, links: MirrorLinks) {
        var state = MirrorState(
            try MirrorStateTests.record(), MirrorStateTests.names, MirrorLinks(), [])
        let remotes = Self.issues.map { number in
            var remote = MirrorStateTests.remote(number, "Issue \(number)")
            if number == 2 { remote.parent = 1 }
            return remote
        }
        state.apply(remotes, sweep: 1)
        let user = RemoteName(id: 5, name: "Ann")
        let day = CivilDate(daysSince1970: 20_000)
        state.apply(
            Self.issues.flatMap { issue in
                (1...Self.timesOfIssue).map { number in
                    RemoteTime(
                        id: issue * 100 + number, project: 1, issue: issue, user: user, day: day,
                        minutes: 10)
                }
            }, sweep: 1)
        let edit = try #require(state.edit)
        return (try state.record.making(edit).record, state.links)
    }

    @Test func `each issue that is lost takes its own time along, and stays if that was changed`()
        throws
    {
        var (record, links) = try mirrored()
        let count = Self.issues.count * Self.timesOfIssue
        #expect(record.entries.count == count)
        var changed = try #require(record.entries.values.first { $0.issue == 100 })
        changed.minutes = 20
        record = try record.making(.mirror([.entry(changed)], removed: [])).record

        var state = MirrorState(record, MirrorStateTests.names, links, [])
        for number in Self.issues.reversed() { state.lose(number, sweep: 2) }
        let edit = try #require(state.edit)
        record = try record.making(edit).record
        links = state.links

        #expect(Array(record.issues.keys) == [100])
        #expect(record.entries.count == Self.timesOfIssue)
        #expect(record.entries.values.allSatisfy { $0.issue == 100 })
        #expect(links.all(.entry).count == Self.timesOfIssue)
        #expect(state.conflicts.map { "\($0.issue) \($0.field)" } == ["100 removed"])
    }

    @Test func `the conflicts about the time of a lost issue go with it, and others stay`() throws {
        let (record, links) = try mirrored()
        let first = try #require(record.entries.values.first { $0.issue == 7 })
        let other = try #require(record.entries.values.first { $0.issue == 8 })
        let conflicts = [first, other].map { entry in
            MirrorConflict(
                issue: 0, field: MirrorConflict.time(entry.id, "minutes"), ours: "1", theirs: "2",
                reason: "")
        }
        var state = MirrorState(record, MirrorStateTests.names, links, conflicts)

        state.lose(7, sweep: 2)

        #expect(state.conflicts == [conflicts[1]])
        let (times, wholes) = (state.times[7] ?? [], state.formerWholes)
        #expect(times.count == Self.timesOfIssue && times.allSatisfy { $0.issue == 7 })
        #expect(wholes == [1])
    }
}
