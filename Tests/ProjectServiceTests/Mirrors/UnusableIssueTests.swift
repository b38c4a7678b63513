import RedmineClient
import RedmineMirror
import TestSupport
import TestThreads
import Testing

@testable import ProjectService

/// A server with an issue that was copied, and has become too large to be kept here since.
@Suite(.serialized, .waiting) struct UnusableIssueTests {
    private static let large = #"""
        {"id":2,"project":{"id":1},"tracker":{"id":1,"name":"Bug"},
        "status":{"id":1,"name":"New"},"priority":{"id":2,"name":"Normal"},
        "subject":"Log","description":"\#(String(repeating: "x", count: 70_000))","done_ratio":0,
        "updated_on":"2027-03-01T08:00:00Z"}
        """#
    private static let reason = "#2: the description has more than 65536 bytes"
    private let system: System
    private let server: RedmineServer

    init() throws {
        system = try System()
        server = try RedmineNotesTests.server(
            in: system, "1", "[]", "[\(Self.large)]", "0", "1", "1")
    }

    private func said(_ news: MirrorNews) -> [String] {
        news.done.map { done in
            switch done {
            case .stale(let issue): "\(issue.id) is there"
            case .gone(let number): "\(number) is gone"
            case .unusable(.issue, let number, let reason): "\(number): \(reason)"
            case .changed(let number, _, let issue): "\(number) has \(issue.done) %"
            case .refused(let number, let fields, _, _): "\(number) isn't changed: \(fields)"
            default: "\(done)"
            }
        }
    }

    @Test func `it stays as it was, is reported, and keeps no others waiting`() throws {
        let news = RedmineNotesTests.run(.lookAfter([1: 1, 2: 2, 3: 3]), at: server)

        #expect(news.problem == nil && news.isAtEnd)
        #expect(said(news) == ["1 is there", "2: \(Self.reason)", "3 is gone"])
        var links = MirrorLinks()
        links.keep(
            MirrorLinks.Link(
                kind: .issue, number: 2, remote: 2,
                base: RedmineBody.kept(MirrorStateTests.remote(2, "Log")), seen: 1))
        var state = MirrorState(try MirrorStateTests.record(), MirrorStateTests.names, links, [])
        Mirrors.applyDone(news.done, sweep: 2, into: &state)
        #expect(state.links[.issue, 2]?.seen == 2)
        #expect(state.skipped == [Self.reason])
    }

    @Test func `a change of it is refused, and what comes after that is written`() {
        func change(_ number: Int) -> MirrorStep {
            var base = MirrorStateTests.remote(number, "Log")
            base.done = 0
            return .change(
                number: number, base: base, values: [.done: .number(50)], held: [], forced: [])
        }
        let news = RedmineNotesTests.run(
            .write(
                [change(2), change(1)],
                known: .init(issues: [1: 0, 2: 0], times: [:], notes: [], activities: [])),
            at: server)

        #expect(news.problem == nil)
        #expect(said(news) == [#"2 isn't changed: ["done"]"#, "1 has 50 %"])
    }

    @Test func `an answer that isn't one of such a server still ends the round`() throws {
        let web = try WebServer(in: system)
        try web.serve("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n")
        let other = RedmineServer(try RedmineAddress(web.url("")), .key("key"), .everywhere)

        let news = RedmineNotesTests.run(.lookAfter([1: 1]), at: other)

        guard case .strange? = news.problem else {
            throw Complaint("it went on: \(news.done), \(String(describing: news.problem))")
        }
    }
}
