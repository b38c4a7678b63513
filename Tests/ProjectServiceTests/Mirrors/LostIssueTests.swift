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

    @Test func `an issue with very much time is lost in several rounds, at last with all of it`()
        throws
    {
        var (record, links) = try mirrored()
        let most = MirrorState.mostLostTimes
        let user = try #require(record.members.keys.first)
        let day = CivilDate(daysSince1970: 20_000)
        let first = try #require(record.lastNumbers[.entry]) + 1
        let more = (first...(first + 2 * most)).map { number -> ProjectItem in
            links.keep(
                MirrorLinks.Link(
                    kind: .entry, number: number, remote: 1_000_000 + number,
                    base: RedmineBody.kept(
                        RemoteTime(
                            id: 1_000_000 + number, project: 1, issue: 7,
                            user: RemoteName(id: 5, name: "Ann"), day: day, minutes: 10))))
            return .entry(TimeEntry(id: number, issue: 7, member: user, day: day, minutes: 10))
        }
        record = ProjectRecord(kept: record.details, record.items + more)
        let others = record.entries.count - more.count - Self.timesOfIssue

        var removed: [Int] = []
        while record.issues[7] != nil, removed.count < 5 {
            var state = MirrorState(record, MirrorStateTests.names, links, [])
            // The one that is looked for after it waits as well.
            Mirrors.applyDone([.gone(number: 7), .gone(number: 8)], sweep: 2, into: &state)
            let edit = try #require(state.edit)
            let next = try record.making(edit).record
            removed.append(record.entries.count - next.entries.count)
            #expect((next.issues[7] == nil) == (state.links[.issue, 7] == nil))
            #expect(next.issues[7] == nil || state.links[.issue, 7]?.seen != 2)
            (record, links) = (next, state.links)
        }

        #expect(removed.map { $0 <= most } == [true, true, true])
        #expect(record.issues[8] == nil && record.issues.count == Self.issues.count - 2)
        #expect(record.entries.count == others - Self.timesOfIssue)
        #expect(links.all(.entry).count == record.entries.count)
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
