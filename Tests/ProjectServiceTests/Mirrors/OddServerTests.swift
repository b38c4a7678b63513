import Messages
import ProjectRecord
import RedmineClient
import RedmineMirror
import Testing

@testable import ProjectService

/// What a mirror does with answers that contradict what was read before.
struct OddServerTests {
    private static func state(
        _ record: ProjectRecord? = nil, _ links: MirrorLinks = MirrorLinks()
    ) throws -> MirrorState {
        MirrorState(try record ?? MirrorStateTests.record(), MirrorStateTests.names, links, [])
    }

    /// The project with what was put into it.
    private func kept(_ state: MirrorState) throws -> ProjectRecord {
        let edit = try #require(state.edit)
        return try state.record.making(edit).record
    }

    // MARK: Names

    @Test func `an issue with a tracker that is turned off there, or a new status, is copied`()
        throws
    {
        var issue = MirrorStateTests.remote(7, "Roof")
        issue.tracker = RemoteName(id: 9, name: "Wish")
        issue.status = RemoteName(id: 8, name: "Waiting")
        var first = try Self.state()
        first.apply([issue], sweep: 1)
        let record = try kept(first)

        #expect(record.issues[7]?.tracker == "Wish" && record.issues[7]?.status == "Waiting")
        #expect(record.details.trackers == ["Bug", "Task", "Wish"])
        #expect(record.details.statuses.last == ProjectDetails.Status("Waiting"))
        #expect(MirrorPlan(record, MirrorStateTests.names, first.links, []).steps.isEmpty)

        issue.tracker = MirrorStateTests.names.trackers[0]
        var next = try Self.state(record, first.links)
        next.apply([issue], sweep: 2)
        #expect(try kept(next).issues[7]?.tracker == "Bug")
        #expect(next.conflicts.isEmpty)
    }

    @Test func `an issue whose tracker can't be kept is left out, and the others are copied`()
        throws
    {
        var issue = MirrorStateTests.remote(7, "Roof")
        issue.tracker = RemoteName(id: 9, name: String(repeating: "x", count: 61))
        var state = try Self.state()
        state.apply([issue, MirrorStateTests.remote(8, "Door")], sweep: 1)

        #expect(try kept(state).issues.keys.sorted() == [8])
        #expect(state.skipped.count == 1)
        #expect(state.skipped.first?.hasPrefix("#7 of the server: its tracker, “xxx") == true)
    }

    // MARK: Parts

    @Test func `issues that changed places are copied though one is read before the other`()
        throws
    {
        var (whole, part) = (MirrorStateTests.remote(5, "A"), MirrorStateTests.remote(9, "B"))
        part.parent = 5
        var state = try Self.state()
        state.apply([whole, part], sweep: 1)
        var record = try kept(state)
        #expect(record.issues[9]?.parent == 5)

        // At the server, 5 has become a part of 9. Only 5 is in the first part that is read.
        (whole.parent, part.parent) = (9, nil)
        state = try Self.state(record, state.links)
        state.apply([whole], sweep: 2)
        #expect(throws: Refusal.self) { try kept(state) }
        state.leaveOutContradictions()
        record = try kept(state)
        #expect(record.issues[5]?.parent == nil && record.issues[9]?.parent == 5)
        #expect(state.skipped == ["#5 of the server: its parent is a part of it"])
        #expect(MirrorPlan(record, MirrorStateTests.names, state.links, []).steps.isEmpty)

        for (read, sweep) in [([part], 2), ([whole, part], 3)] {
            state = try Self.state(record, state.links)
            state.apply(read, sweep: sweep)
            record = try kept(state)
            #expect(MirrorPlan(record, MirrorStateTests.names, state.links, []).steps.isEmpty)
        }
        #expect(record.issues[5]?.parent == 9 && record.issues[9]?.parent == nil)
        #expect(state.conflicts.isEmpty)
    }

    // MARK: Times

    private static let now: Int64 = 1_780_300_800_000

    @Test(arguments: [(Int64(253_402_300_799), Int64(86_400)), (1_780_304_400, -3_600)])
    func `a change in the far future doesn't keep later changes from being read`(
        changed: Int64, before: Int64
    ) throws {
        var mirror = MirrorRow(
            project: "house", logIn: "1", remote: 1, identifier: "house", due: 0)
        let server = RedmineServer(
            try RedmineAddress("https://redmine"), .key("key"), .outside)
        var news = MirrorNews()
        (news.cursor, news.newest, news.isAtEnd) = (IssueCursor(since: changed), changed, true)
        for aim in [MirrorTask.Aim.readChanges(since: 0), .readAll(offset: 0, last: 0)] {
            mirror.cursor = 0
            var state = try Self.state()
            let task = MirrorTask(mirror: mirror, server: server, user: 1, aim: aim)

            Mirrors.apply(news, of: task, into: &state, &mirror, at: Self.now)

            #expect(mirror.cursor == Self.now / 1_000 - before)
        }
    }

    @Test func `a server that answers slowly doesn't keep a list of its projects waiting`() throws {
        let server = RedmineServer(
            try RedmineAddress("http://127.0.0.1:1"), .key("key"), .everywhere)
        let search = Redmines.Search(server: server, reference: "")
        let refusal = #expect(throws: Refusal.self) { try search.list(atMost: .zero) }
        #expect(refusal?.message.contains("its answers take too long") == true)
    }
}
