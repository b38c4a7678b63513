import Dates
import Messages
import ProjectNetwork
import ProjectRecord
import RedmineClient
import RedmineMirror
import ServiceRuntime
import Testing

@testable import ProjectService

/// What a mirror does with answers made to fill the memory or to keep others waiting.
struct HostileMirrorTests {
    @Test func `tens of thousands of people are added without comparing each with all`() throws {
        func taken(projects: Int) throws -> Double {
            let count = 20_000 / projects
            let begun = ProcessorTime.ofThisThread()
            for _ in 0..<projects {
                var state = MirrorState(
                    try MirrorStateTests.record(), MirrorStateTests.names, MirrorLinks(), [])
                state.apply(members: (1...count).map { RemoteName(id: $0, name: "Ann \($0 / 2)") })
                let names: [String] = state.items.values.compactMap { item in
                    guard case .member(let member) = item else { return nil }
                    return member.name
                }
                #expect(names.count == count && Set(names).count == count)
            }
            return ProcessorTime.ofThisThread() - begun
        }
        let limit = try taken(projects: 100) * 5
        #expect(try taken(projects: 1) < limit)
    }

    /// The result of reading something into a project without issues whose things have a size.
    private func merged(_ news: MirrorNews, bytes: Int = 0) throws -> MirrorMerge {
        let mirror = MirrorRow(
            project: "house", logIn: "1", remote: 1, identifier: "house", due: 0)
        let snapshot = MirrorSnapshot(
            mirror: mirror, mark: "", linksMark: 0, record: try MirrorStateTests.record(),
            bytes: bytes, names: MirrorStateTests.names, links: MirrorLinks(), conflicts: [],
            pending: [], withNotes: [], withUnsentNotes: [], now: 0)
        let server = RedmineServer(
            try RedmineAddress("http://127.0.0.1:1"), .key("key"), .everywhere)
        let task = MirrorTask(
            mirror: mirror, server: server, user: 5, aim: .readAll(offset: 0, last: 0))
        return MirrorRound.merge(news, of: task, into: snapshot)
    }

    @Test func `what would make a project too large is refused before it is stored`() throws {
        var news = MirrorNews()
        news.issues = [MirrorStateTests.remote(7, "Roof")]
        let kept = try merged(news, bytes: Edits.mostBytes - 10_000)
        #expect(kept.refusal == nil && kept.outcome != nil)
        let refusal = try merged(news, bytes: Edits.mostBytes - 1).refusal
        #expect(refusal?.message == Edits.tooLarge.message)
    }

    @Test func `of many things that can't be kept, few are reported`() throws {
        var news = MirrorNews()
        news.skipped = ["twice"] + (0..<50_000).map { "twice, \($0)" } + ["twice"]
        let merged = try merged(news)
        #expect(merged.mirror.skipped.count == 50)
        #expect(merged.mirror.skipped.first == "twice")
    }

    @Test func `texts of conflicts are cut by bytes, of which a character may have any number`()
        throws
    {
        let long = "x" + String(repeating: "\u{301}", count: 40_000)
        #expect(long.count == 1)
        var state = MirrorState(
            try MirrorStateTests.record(), MirrorStateTests.names, MirrorLinks(), [])
        state.refuse(7, "subject", theirs: "", long)
        var news = MirrorNews()
        news.skipped = [long]
        let time = RemoteTime(
            id: 1, project: 1, issue: 7, user: RemoteName(id: 5, name: long),
            day: CivilDate(daysSince1970: 20_000), minutes: 60)
        let texts = [
            MirrorTerms.words(.subject, of: MirrorStateTests.remote(7, long)),
            MirrorTerms.words(.member, of: time), MirrorPlan.words(.text(long), .name),
            MirrorPlan.words([.name: .text(long)]), try #require(state.conflicts.first).reason,
            try #require(try merged(news).mirror.skipped.first),
        ]
        for text in texts { #expect((998...1_000).contains(text.utf8.count)) }
    }

    @Test func `only about as much as an honest server sends is merged inside the loop`() {
        var news = MirrorNews()
        news.issues = (1...500).map { MirrorStateTests.remote($0, "") }
        #expect(Mirrors.isSmall(news, beside: 1_000))
        #expect(!Mirrors.isSmall(news, beside: 1_001))
        news.skipped = Array(repeating: "x", count: 501)
        #expect(!Mirrors.isSmall(news, beside: 0))
    }

    @Test func `a part of a list ends when it has as many bytes as an answer may have`() {
        var asked = 0
        let part = ListPart<RemoteIssue>.read("the list", from: PartWalk()) { start in
            asked += 1
            var page = RedmineReader.Page<RemoteIssue>()
            page.items = [start + 1, start + 2].map { MirrorStateTests.remote($0, "") }
            (page.total, page.offset, page.bytes) = (1_000, start, RedmineLimit.answer / 2)
            return page
        }
        #expect(asked == 2 && part.problem == nil && part.walk.offset == 3)
        #expect(part.items.map(\.id) == [1, 2, 2, 3])
    }
}
